// Checks where and to whom a gift is sent. The rules are those of orders, and the form has more.
import * as z from "zod/mini";
import { AddressInput, type Address } from "../../core/address/address.ts";
import { checkAddress } from "../../core/address/check.ts";
import { addressFormatOf, phoneIsRequired } from "../../core/address/format.ts";
import { type AddressRules, isDoubtful, rulesOf, stateIn } from "../../core/address/rules.ts";
import { lazy } from "../../core/lazy.ts";
import { emailField, textField } from "../../core/validation/fields.ts";
import { oneName, personName, phoneNumber } from "../../core/validation/person.ts";
import type { Product } from "../catalogue/product.ts";
import {
  ADDRESS_FIELDS,
  type FieldProblem,
  type FormField,
  type GivenValues,
  MAX_LENGTHS,
  type Problems,
  shownField,
  type Values,
} from "./form.ts";

const DeliveryNotes = lazy(() => textField(MAX_LENGTHS.delivery_notes));
const Names = lazy(() =>
  z.object({ first_name: personName(), last_name: personName() }).check(oneName()),
);
const PhoneNumber = lazy(phoneNumber);

/**
 * The rules of a delivery. `isForm`: those of the form, which also requires what only the recipient knows, such as the
 * state, and asks again for an unknown state, or a postcode that is probably of another one.
 */
export interface DeliveryRules {
  addresses: AddressRules;
  isForm: boolean;
}

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

/** The validated input for the delivery of the product, or the invalid fields. */
export function checkDelivery(
  values: Values,
  product: Pick<Product, "delivery" | "locations">,
  rules: DeliveryRules,
): DeliveryInput | { problems: Problems } {
  const problems: MutableProblems = new Map();
  const isDigital = product.delivery === "digital";
  if (rules.isForm) checkRecipient(values, isDigital ? null : rules.addresses, problems);
  const delivery = isDigital
    ? checkEmail(values, problems)
    : checkPlace(values, product, rules, problems);
  if (problems.size > 0) return { problems };
  const { first_name: firstName, last_name: lastName, phone_number: phone } = values;
  return { ...delivery, recipient: { firstName, lastName, phoneNumber: phone || null } };
}

/** `rules` are null for a digital gift, whose form has no phone number. */
function checkRecipient(values: Values, rules: AddressRules | null, problems: MutableProblems) {
  const { first_name, last_name } = values;
  for (const { path } of Names().safeParse({ first_name, last_name }).error?.issues ?? []) {
    problems.set(path[0] as FormField, "invalid");
  }
  if (first_name === "" && last_name === "") problems.set("first_name", "required");
  const { phone_number: phone, country } = values;
  if (!rules) return;
  if (!PhoneNumber().safeParse(phone).success) problems.set("phone_number", "invalid");
  if (phone === "" && phoneIsRequired(rules, country)) {
    problems.set("phone_number", "required");
  }
}

function checkEmail({ delivery_email: value }: Values, problems: MutableProblems) {
  if (value !== "" && !emailField().safeParse(value).success)
    problems.set("delivery_email", "invalid");
  return { address: undefined, notes: undefined, email: value || undefined };
}

function checkPlace(
  values: Values,
  { locations }: Pick<Product, "locations">,
  { addresses, isForm }: DeliveryRules,
  problems: MutableProblems,
) {
  const given = Object.fromEntries(
    ADDRESS_FIELDS.flatMap((field) => (values[field] === "" ? [] : [[field, values[field]]])),
  ) as Address;
  const checked = checkAddress(given, addresses, { locations, isRequired: true });
  const { address } = checked;
  for (const [field, problem] of checked.problems) problems.set(field, problem);
  if (isForm) {
    const country = rulesOf(addresses, given.country);
    const { state = "", postcode_zipcode: postcode = "" } = given;
    if (state !== "") address.state = stateIn(country, state)?.value ?? state;
    for (const { name, required } of addressFormatOf(addresses, address.country ?? "")) {
      if (required && !address[name]) problems.set(name, "required");
    }
    const isNewState = values.shown_state !== state;
    const isNew = isNewState || values.shown_postcode_zipcode !== postcode;
    const isUnknown = state !== "" && country.states && !stateIn(country, state);
    if (isNewState && isUnknown) problems.set("state", "invalid");
    if (isNew && isDoubtful(country, state, postcode)) problems.set("postcode_zipcode", "doubtful");
    const { shown_country: shown } = values;
    if (shown !== values.country && !problems.has("country")) problems.set("country", "changed");
  }
  for (const { path } of AddressInput().safeParse(address).error?.issues ?? []) {
    problems.set(path[0] as FormField, "invalid");
  }
  const { delivery_notes: notes } = values;
  if (!DeliveryNotes().safeParse(notes).success) problems.set("delivery_notes", "invalid");
  return { address, notes: notes || undefined, email: undefined };
}

/**
 * The values of a form. If another country was chosen in it, a state or postcode that the form already showed, or that
 * the country does not have, is removed, and so is the city that the form had filled in.
 */
export function inChosenCountry(values: GivenValues, rules: AddressRules): GivenValues {
  const { country, shown_country: earlier = country } = values;
  const kept = { ...values };
  if (earlier !== country) {
    const names = addressFormatOf(rules, country).map(({ name }) => name);
    for (const { name, initial } of addressFormatOf(rules, earlier)) {
      if (values[name] === initial) kept[name] = "";
    }
    for (const field of ["state", "postcode_zipcode"] as const) {
      const isNew = values[field] !== values[shownField(field)];
      const alone = { country, [field]: values[field] };
      const { problems } = checkAddress(alone, rules, { locations: [], isRequired: false });
      if (!isNew || problems.has(field) || !names.includes(field)) kept[field] = "";
    }
  }
  return kept;
}
