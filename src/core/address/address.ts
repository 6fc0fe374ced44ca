// The fields of delivery addresses.
import * as z from "zod/mini";
import { lazy } from "../lazy.ts";
import { optional, text } from "../validation/fields.ts";
import { normalPart } from "../values/missing-value.ts";
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

/** Every field may be left out here. Which ones a delivery needs: `checkAddress` in check.ts. */
export const AddressInput = lazy(() =>
  z.object({
    address_line_1: optional(text(ADDRESS_MAX_LENGTHS.address_line_1, withoutInvisible)),
    address_line_2: optional(text(ADDRESS_MAX_LENGTHS.address_line_2, normalPart)),
    suburb: optional(text(ADDRESS_MAX_LENGTHS.suburb, withoutInvisible)),
    state: optional(text(ADDRESS_MAX_LENGTHS.state, normalPart)),
    postcode_zipcode: optional(text(ADDRESS_MAX_LENGTHS.postcode_zipcode, normalPart)),
    country: optional(text(ADDRESS_MAX_LENGTHS.country, withoutInvisible)),
  }),
);
