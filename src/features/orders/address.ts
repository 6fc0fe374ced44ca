// Rules of delivery addresses, for orders and for the recipient's form.
import * as z from "zod/mini";
import { isAvailableIn, type Product } from "../catalogue/product.ts";
import { countryOf, hasNoPostcodes } from "../../core/values/country.ts";
import { lazy } from "../../core/lazy.ts";
import { optional, text } from "../../core/validation/fields.ts";

/** The maximum number of characters in each field. */
export const ADDRESS_MAX_LENGTHS = {
  address_line_1: 200,
  address_line_2: 200,
  suburb: 100,
  state: 100,
  postcode_zipcode: 20,
  country: 100,
} as const;

export const RECIPIENT_MAX_LENGTHS = { first_name: 100, last_name: 100, phone_number: 50 } as const;

export const MAX_DELIVERY_NOTES_LENGTH = 500;

/** Every field may be left out here. Which ones are required depends on the product: `missingFields`. */
export const AddressInput = lazy(() =>
  z.object({
    address_line_1: optional(text(ADDRESS_MAX_LENGTHS.address_line_1)),
    address_line_2: optional(text(ADDRESS_MAX_LENGTHS.address_line_2)),
    suburb: optional(text(ADDRESS_MAX_LENGTHS.suburb)),
    state: optional(text(ADDRESS_MAX_LENGTHS.state)),
    postcode_zipcode: optional(text(ADDRESS_MAX_LENGTHS.postcode_zipcode)),
    country: optional(text(ADDRESS_MAX_LENGTHS.country)),
  }),
);
export type AddressInput = z.infer<ReturnType<typeof AddressInput>>;

/** The fields that a delivery needs. Partners may know the rest of an address better than its country's rules. */
export const REQUIRED_ADDRESS_FIELDS = [
  "address_line_1",
  "suburb",
  "postcode_zipcode",
  "country",
] as const;

/** The required fields that are missing. The postcode is not required for countries without postcodes. */
export function missingFields(address: AddressInput) {
  return REQUIRED_ADDRESS_FIELDS.filter(
    (field) =>
      !address[field]?.trim() &&
      !(field === "postcode_zipcode" && hasNoPostcodes(address.country ?? "")),
  );
}

/**
 * The code of the address's country if the product is not available there. `undefined` if it is available, or if the
 * text is not the name or code of a country.
 */
export function unavailableCountry(
  product: Pick<Product, "locations">,
  { country }: AddressInput,
): string | undefined {
  const code = countryOf(country ?? "");
  return code !== undefined && !isAvailableIn(product, code) ? code : undefined;
}
