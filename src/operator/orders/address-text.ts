import type { Address } from "../../platform/db/schema.ts";

/** The parts of the address on one line. */
export function addressText(address: Address | null): string | null {
  const { address_line_1, address_line_2, suburb, state, postcode_zipcode, country } =
    address ?? {};
  const parts = [address_line_1, address_line_2, suburb, state, postcode_zipcode, country];
  return parts.filter(Boolean).join(", ") || null;
}
