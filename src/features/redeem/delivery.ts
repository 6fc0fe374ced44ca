// Checks where a gift is sent. The rules for the address are those of orders, and the form requires more fields.
import type { Product } from "../catalogue/product.ts";
import type { Address } from "../../platform/db/schema.ts";
import { lazy } from "../../core/lazy.ts";
import { AddressInput, missingFields, unavailableCountry } from "../orders/address.ts";
import { email, text } from "../../core/validation/fields.ts";
import { addressFormatOf } from "./address-format.ts";
import {
  ADDRESS_FIELDS,
  type AddressField,
  type FieldProblem,
  type FormField,
  MAX_LENGTHS,
  type Problems,
  type Values,
} from "./form.ts";

const DeliveryNotes = lazy(() => text(MAX_LENGTHS.delivery_notes));

/** Where a gift is sent. */
export interface DeliveryInput {
  /** Undefined for a digital gift, which keeps the address of its order. */
  address: Address | undefined;
  notes: string | undefined;
  /** Undefined for a physical gift, and for a digital gift that is sent to the order's address. */
  email: string | undefined;
}

/**
 * The validated input for the delivery of the product, or the invalid fields. `rules` are those of orders, or those of
 * the form, which also requires what addresses in the country need.
 */
export function checkDelivery(
  values: Values,
  product: Pick<Product, "delivery" | "locations">,
  rules: "order" | "form",
): DeliveryInput | { problems: Problems } {
  return product.delivery === "digital" ? checkEmail(values) : checkAddress(values, product, rules);
}

function checkEmail({ delivery_email: value }: Values): DeliveryInput | { problems: Problems } {
  const isValid = value === "" || email().safeParse(value).success;
  return isValid
    ? { address: undefined, notes: undefined, email: value || undefined }
    : { problems: new Map([["delivery_email", "invalid"]]) };
}

function checkAddress(
  values: Values,
  product: Pick<Product, "locations">,
  rules: "order" | "form",
): DeliveryInput | { problems: Problems } {
  const problems = new Map<FormField, FieldProblem>();
  const given = Object.fromEntries(
    ADDRESS_FIELDS.flatMap((field) => (values[field] === "" ? [] : [[field, values[field]]])),
  ) as Address;
  if (unavailableCountry(product, given)) problems.set("country", "unavailable");
  for (const field of rules === "form" ? missingInForm(given) : missingFields(given)) {
    problems.set(field, "required");
  }
  for (const { path } of AddressInput().safeParse(given).error?.issues ?? []) {
    problems.set(path[0] as AddressField, "invalid");
  }
  if (!DeliveryNotes().safeParse(values.delivery_notes).success) {
    problems.set("delivery_notes", "invalid");
  }
  return problems.size > 0
    ? { problems }
    : { address: given, notes: values.delivery_notes || undefined, email: undefined };
}

/** The empty fields that the form requires. */
function missingInForm(address: Address): AddressField[] {
  const inCountry = addressFormatOf(address.country ?? "").filter(({ required }) => required);
  const missing = inCountry.map(({ name }) => name).filter((name) => !address[name]);
  return address.country ? missing : ["country", ...missing];
}
