// Hides parts of personal data, because everyone who has the link can open the page.
import type { Address } from "../../core/address/address.ts";

const HIDDEN = "••••";

/** `a••••@example.com` */
export function maskedEmail(email: string): string {
  const [first = ""] = email;
  return `${first}${HIDDEN}${email.slice(email.lastIndexOf("@"))}`;
}

/** Keeps the city, the state, the country, and the beginnings of the other lines and the postcode. */
export function maskedAddress(address: Address): Address {
  const { address_line_1, address_line_2, postcode_zipcode } = address;
  return {
    ...address,
    ...(address_line_1 && { address_line_1: masked(address_line_1) }),
    ...(address_line_2 && { address_line_2: masked(address_line_2) }),
    ...(postcode_zipcode && { postcode_zipcode: masked(postcode_zipcode, 2) }),
  };
}

/** The first characters, at most half of the text: a short text, such as the number of a flat, is hidden. */
export function masked(text: string, shown = 1): string {
  const characters = Array.from(text);
  return `${characters.slice(0, Math.min(shown, characters.length / 2)).join("")}${HIDDEN}`;
}
