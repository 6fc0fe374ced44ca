// Checks where and to whom a gift is sent. The rules are those of orders, and the form has more.
import type { Product } from "../catalogue/product.ts";
import type { Address } from "../../platform/db/schema.ts";
import { countryOf } from "../../core/values/country.ts";
import { lazy } from "../../core/lazy.ts";
import { AddressInput, missingFields, unavailableCountry } from "../orders/address.ts";
import { email, requiredText, text } from "../../core/validation/fields.ts";
import { type AddressFormats, addressFormatOf, phoneIsRequired } from "./address-format.ts";
import { type AddressRules, postcodeIn, rulesOf, stateIn } from "./address-rules.ts";
import {
  ADDRESS_FIELDS,
  type AddressField,
  type FieldProblem,
  type FormField,
  type GivenValues,
  MAX_LENGTHS,
  type Problems,
  shownField,
  type Values,
} from "./form.ts";

const DeliveryNotes = lazy(() => text(MAX_LENGTHS.delivery_notes));
const RecipientName = lazy(() => requiredText(MAX_LENGTHS.first_name));
const PhoneNumber = lazy(() => text(MAX_LENGTHS.phone_number));

/** Where and to whom a gift is sent. */
export interface DeliveryInput {
  recipient: { firstName: string; lastName: string; phoneNumber: string | null };
  /** Undefined for a digital gift, which keeps the address of its order. */
  address: Address | undefined;
  notes: string | undefined;
  /** Undefined for a physical gift, and for a digital gift that is sent to the order's address. */
  email: string | undefined;
}

type MutableProblems = Map<FormField, FieldProblem>;

/**
 * The validated input for the delivery of the product, or the invalid fields. `rules` are those of orders, or those of
 * the form, which also requires what addresses in the country need and checks postcodes and states.
 */
export function checkDelivery(
  values: Values,
  product: Pick<Product, "delivery" | "locations">,
  rules: AddressRules | "order",
): DeliveryInput | { problems: Problems } {
  const problems: MutableProblems = new Map();
  const isDigital = product.delivery === "digital";
  if (rules !== "order") checkRecipient(values, isDigital ? null : rules, problems);
  const delivery = isDigital
    ? checkEmail(values, problems)
    : checkAddress(values, product, rules, problems);
  if (problems.size > 0) return { problems };
  const { first_name: firstName, last_name: lastName, phone_number: phone } = values;
  return { ...delivery, recipient: { firstName, lastName, phoneNumber: phone || null } };
}

/** `rules` are null for a digital gift, whose form has no phone number. */
function checkRecipient(values: Values, rules: AddressRules | null, problems: MutableProblems) {
  for (const field of ["first_name", "last_name"] as const) {
    if (values[field] === "") problems.set(field, "required");
    else if (!RecipientName().safeParse(values[field]).success) problems.set(field, "invalid");
  }
  const { phone_number: phone, country } = values;
  if (!rules) return;
  if (phone === "") {
    if (phoneIsRequired(rules.formats, country)) problems.set("phone_number", "required");
  } else if (!PhoneNumber().safeParse(phone).success || !PHONE_NUMBER.test(phone)) {
    problems.set("phone_number", "invalid");
  }
}

/** At least six digits of any script. The notation is free, for extensions and the like. */
const PHONE_NUMBER = /^(\P{Nd}*\p{Nd}){6}/u;

function checkEmail({ delivery_email: value }: Values, problems: MutableProblems) {
  if (value !== "" && !email().safeParse(value).success) problems.set("delivery_email", "invalid");
  return { address: undefined, notes: undefined, email: value || undefined };
}

function checkAddress(
  values: Values,
  product: Pick<Product, "locations">,
  rules: AddressRules | "order",
  problems: MutableProblems,
) {
  const given = Object.fromEntries(
    ADDRESS_FIELDS.flatMap((field) => (values[field] === "" ? [] : [[field, values[field]]])),
  ) as Address;
  if (unavailableCountry(product, given)) problems.set("country", "unavailable");
  const address = rules === "order" ? given : checkRegion(given, rules, problems);
  const missing =
    rules === "order" ? missingFields(address) : missingInForm(address, rules.formats);
  for (const field of missing) problems.set(field, "required");
  for (const { path } of AddressInput().safeParse(address).error?.issues ?? []) {
    problems.set(path[0] as AddressField, "invalid");
  }
  const { delivery_notes: notes } = values;
  if (!DeliveryNotes().safeParse(notes).success) problems.set("delivery_notes", "invalid");
  return { address, notes: notes || undefined, email: undefined };
}

/** The address with its state and postcode as they are written in the country. */
function checkRegion(given: Address, rules: AddressRules, problems: MutableProblems): Address {
  const country = rulesOf(rules, given.country);
  const address = { ...given };
  const state = stateIn(country, given.state ?? "");
  if (state) address.state = state.value;
  else if (given.state && country.states) problems.set("state", "invalid");
  if (given.postcode_zipcode) {
    const postcode = postcodeIn(country, given.postcode_zipcode);
    if (postcode === null) problems.set("postcode_zipcode", "invalid");
    else address.postcode_zipcode = postcode;
  }
  // A municipality of China is also the city.
  if (!given.suburb && countryOf(given.country ?? "") === "CN" && address.state?.endsWith("市")) {
    address.suburb = address.state;
  }
  return address;
}

/**
 * The values of a form. If another country was chosen in it, a state or postcode that the form already showed, or that
 * the country does not have, is removed.
 */
export function inChosenCountry(values: GivenValues, rules: AddressRules): GivenValues {
  const { country, shown_country: earlier = country } = values;
  const kept = { ...values };
  if (earlier !== country) {
    const problems: MutableProblems = new Map();
    checkRegion(values, rules, problems);
    const names = addressFormatOf(rules.formats, country).map(({ name }) => name);
    for (const field of ["state", "postcode_zipcode"] as const) {
      const isNew = values[field] !== values[shownField(field)];
      if (!isNew || problems.has(field) || !names.includes(field)) kept[field] = "";
    }
  }
  const { state, postcode_zipcode } = kept;
  return {
    ...kept,
    shown_country: country,
    shown_state: state,
    shown_postcode_zipcode: postcode_zipcode,
  };
}

/** The empty fields that the form requires. */
function missingInForm(address: Address, formats: AddressFormats): AddressField[] {
  const missing = addressFormatOf(formats, address.country ?? "")
    .filter(({ name, required }) => required && !address[name])
    .map(({ name }) => name);
  return address.country ? missing : ["country", ...missing];
}
