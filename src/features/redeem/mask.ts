// Hides parts of personal data, because everyone who has the link can open the page.
import type { Address } from "../../platform/db/schema.ts";

const HIDDEN = "••••";

/** `a••••@example.com` */
export function maskedEmail(email: string): string {
  const [first = ""] = email;
  return `${first}${HIDDEN}${email.slice(email.lastIndexOf("@"))}`;
}

/** Keeps the city, the state, the country, and the beginning of the street and the postcode. */
export function maskedAddress(address: Address): Address {
  const { address_line_1, suburb, state, postcode_zipcode, country } = address;
  return {
    address_line_1: masked(address_line_1, 1),
    suburb,
    state,
    postcode_zipcode: masked(postcode_zipcode, 2),
    country,
  };
}

function masked(text: string | undefined, shown: number): string | undefined {
  if (!text) return text;
  return `${Array.from(text).slice(0, shown).join("")}${HIDDEN}`;
}
