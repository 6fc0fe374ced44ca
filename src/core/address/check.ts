// The rules that hold wherever a delivery address is entered.
import { countryOf } from "../values/country.ts";
import { looksLikeEmail } from "../values/email-address.ts";
import { normalPart, placeholderIn } from "../values/missing-value.ts";
import type { Address, AddressField } from "./address.ts";
import {
  type AddressRules,
  isDoubtful,
  nearestState,
  postcodeIn,
  rulesOf,
  stateIn,
} from "./rules.ts";

/** `unknown`: the text names no country. `unavailable`: the product is not available in the country. */
export type AddressProblem = "required" | "invalid" | "unknown" | "unavailable";

export interface AddressRequirements {
  /** The countries in which the product is available. Empty: all. */
  locations: readonly string[];
  /** Whether the address must be complete. */
  isRequired: boolean;
}

/**
 * The address with its postcode as it is written in the country, and the fields that are not valid. A recipient's form
 * has more rules: `checkDelivery` in src/features/redeem/delivery.ts.
 */
export function checkAddress(
  given: Address,
  rules: AddressRules,
  { locations, isRequired }: AddressRequirements,
): { address: Address; problems: Map<AddressField, AddressProblem> } {
  const problems = new Map<AddressField, AddressProblem>();
  const address = { ...given };
  const valueOf = (field: AddressField) => given[field]?.trim() ?? "";
  const code = countryOf(valueOf("country"));
  const country = rulesOf(rules, code);
  const state = stateIn(country, valueOf("state"));
  // A municipality of China is also the city.
  if (code === "CN" && valueOf("suburb") === "" && state?.value.endsWith("市")) {
    address.suburb = state.value;
  }
  if (valueOf("country") !== "") {
    if (code === undefined) problems.set("country", "unknown");
    else if (locations.length > 0 && !locations.includes(code)) {
      problems.set("country", "unavailable");
    }
  }
  for (const field of ["address_line_1", "suburb"] as const) {
    const value = valueOf(field);
    if (value !== "" && !isPlace(value)) problems.set(field, "invalid");
  }
  if (valueOf("postcode_zipcode") !== "") {
    const postcode = postcodeIn(country, valueOf("postcode_zipcode"));
    if (postcode === null) problems.set("postcode_zipcode", "invalid");
    else address.postcode_zipcode = postcode;
  }
  // A postcode or a city locates an address whose state is unknown.
  const isLocated = (["postcode_zipcode", "suburb"] as const).some(
    (field) => valueOf(field) !== "" && !problems.has(field),
  );
  if (valueOf("state") !== "" && country.states && !state && !isLocated) {
    problems.set("state", "invalid");
  }
  if (isRequired) {
    for (const field of requiredFields(country.required, address)) {
      if (!address[field]?.trim()) problems.set(field, "required");
    }
  }
  return { address, problems };
}

/** The address with its postcode as it is written in the country. */
export const normalAddress = (address: Address, rules: AddressRules): Address =>
  checkAddress(address, rules, { locations: [], isRequired: false }).address;

/** A street or city has a letter or digit, and is not an e-mail address or a placeholder. */
const isPlace = (value: string) =>
  /[\p{L}\p{Nd}]/u.test(normalPart(value)) && !looksLikeEmail(value) && !placeholderIn(value);

/**
 * The fields that a delivery needs. The state is not one of them: a postcode tells the state, and where there is none, a
 * city does.
 */
function requiredFields(letters = "AC", { state }: Address): AddressField[] {
  const needsCity = letters.includes("C") || (letters.includes("S") && !state?.trim());
  return [
    "address_line_1",
    ...(needsCity ? (["suburb"] as const) : []),
    ...(letters.includes("Z") ? (["postcode_zipcode"] as const) : []),
    "country",
  ];
}

/** The invalid fields of an address for the product, which has this id. */
export function addressErrors(
  address: Address,
  rules: AddressRules,
  delivery: AddressRequirements & { productId: number },
): { field: AddressField; message: string }[] {
  const product = `product_id ${String(delivery.productId)}`;
  const { problems } = checkAddress(address, rules, delivery);
  return [...problems].map(([field, problem]) => ({
    field,
    message: addressMessage(field, problem, { address, rules, product }),
  }));
}

/** The path of the static file with the states of each country. */
const STATES_FILE = "/addresses.json";

/** What operators should check in an address, which is accepted. */
export function addressDoubts(address: Address | null | undefined, rules: AddressRules): string[] {
  const { country, state = "", postcode_zipcode: postcode = "" } = address ?? {};
  const known = rulesOf(rules, country);
  if (state.trim() !== "" && known.states && !stateIn(known, state)) {
    return [
      `${state} is not a known state of ${country ?? ""}. It may be ${nearestState(known, state)}.`,
    ];
  }
  return isDoubtful(known, state, postcode)
    ? [`${postcode} is probably not a postcode of ${state}.`]
    : [];
}

/** The message of each problem, which follows the field's name. `product` is named in the last one. */
export function addressMessage(
  field: AddressField,
  problem: AddressProblem,
  { address, rules, product }: { address: Address; rules: AddressRules; product: string },
): string {
  const { country = "" } = address;
  const code = countryOf(country) ?? country;
  const rulesThere = rulesOf(rules, code);
  switch (problem) {
    case "required":
      return "is required for a physical product";
    case "unavailable":
      return `is ${code}, which is not in the available_location of ${product}`;
    case "unknown":
      return "must be the ISO 3166-1 code or the name of a country, such as AU or Australia";
    case "invalid":
      if (field === "postcode_zipcode") {
        return `must be a postcode of ${code}, such as ${rulesThere.examples?.[0] ?? ""}`;
      }
      if (field === "state") {
        const nearest = nearestState(rulesThere, address.state ?? "");
        return `must be a state of ${code} as in ${STATES_FILE}, such as ${nearest}`;
      }
      return "must have a letter or digit, and must not be an e-mail address or a placeholder";
  }
}
