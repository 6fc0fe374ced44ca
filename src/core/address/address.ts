// The fields of delivery addresses.
import * as z from "zod/mini";
import { lazy } from "../lazy.ts";
import { optional, text } from "../validation/fields.ts";
import { isNoPlace, isNothing } from "../values/nothing.ts";
import { withoutInvisible } from "../values/plain-text.ts";

/** A delivery address with the field names of the API. */
export interface Address {
  address_line_1?: string | undefined;
  address_line_2?: string | undefined;
  suburb?: string | undefined;
  state?: string | undefined;
  postcode_zipcode?: string | undefined;
  country?: string | undefined;
}

/** The maximum number of characters in each field. */
export const ADDRESS_MAX_LENGTHS = {
  address_line_1: 200,
  address_line_2: 200,
  suburb: 100,
  state: 100,
  postcode_zipcode: 20,
  country: 100,
} as const;

export type AddressField = keyof typeof ADDRESS_MAX_LENGTHS;

/** The part without characters that cannot be seen. Empty for a word for nothing, if an address may lack the part. */
export function normalPart(field: AddressField, given: string): string {
  const isNone = { address_line_2: isNothing, state: isNoPlace, postcode_zipcode: isNothing };
  const plain = withoutInvisible(given);
  return field in isNone && isNone[field as keyof typeof isNone](plain) ? "" : plain;
}

const part = (field: AddressField) =>
  optional(text(ADDRESS_MAX_LENGTHS[field], (given) => normalPart(field, given)));

/** Every field may be left out here. Which ones a delivery needs: `checkAddress` in check.ts. */
export const AddressInput = lazy(() =>
  z.object({
    address_line_1: part("address_line_1"),
    address_line_2: part("address_line_2"),
    suburb: part("suburb"),
    state: part("state"),
    postcode_zipcode: part("postcode_zipcode"),
    country: part("country"),
  }),
);
