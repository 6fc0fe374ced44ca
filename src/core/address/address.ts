// The fields of delivery addresses.
import { component, field } from "../validation/described.ts";
import { optionalField, textField } from "../validation/fields.ts";
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
export const AddressInput = component("AddressInput", () => ({
  _: "A delivery address.",
  address_line_1: field`${optionalField(textField(ADDRESS_MAX_LENGTHS.address_line_1, withoutInvisible))} Street and number.`,
  address_line_2: field`${optionalField(textField(ADDRESS_MAX_LENGTHS.address_line_2, normalPart))} Unit, floor or company.`,
  suburb: field`${optionalField(textField(ADDRESS_MAX_LENGTHS.suburb, withoutInvisible))} Suburb, town or city.`,
  state: field`${optionalField(textField(ADDRESS_MAX_LENGTHS.state, normalPart))} State or region, by a code or name. If neither a city nor a postcode is given, it must be one of the country's in [/addresses.json](/addresses.json).`,
  postcode_zipcode: field`${optionalField(textField(ADDRESS_MAX_LENGTHS.postcode_zipcode, normalPart))} Postal code. It must have the country's format, and is returned as it is written there. Required only where the postal authority requires it.`,
  country: field`${optionalField(textField(ADDRESS_MAX_LENGTHS.country, withoutInvisible))} Country: an ISO 3166-1 code of two or three letters, or its name in English or in its own language. Another text is refused.`,
}));
