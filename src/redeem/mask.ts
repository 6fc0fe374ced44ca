// Hides parts of personal data on pages that are opened with the link alone.
import type { Address } from "../db/schema.ts";

const HIDDEN = "••••";

/** `a••••@example.com` */
export function maskedEmail(email: string): string {
  const [first = ""] = email;
  return `${first}${HIDDEN}${email.slice(email.lastIndexOf("@"))}`;
}

/** The address without the street, the house and the end of the postcode. */
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
