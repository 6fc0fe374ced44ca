// Reads and validates the recipient's form. The rules for the address are those of orders.
import type { Product } from "../catalogue/product.ts";
import type { Address } from "../db/schema.ts";
import { parseId } from "../values/ids.ts";
import {
  ADDRESS_MAX_LENGTHS,
  AddressInput,
  missingFields,
  unavailableCountry,
} from "../orders/address.ts";
import { lazy } from "../lazy.ts";
import { text } from "../validation/fields.ts";
import type { Gift } from "./gift.ts";

export type AddressField = keyof typeof ADDRESS_MAX_LENGTHS;
export const ADDRESS_FIELDS = Object.keys(ADDRESS_MAX_LENGTHS) as AddressField[];
export type FormField = AddressField | "delivery_notes";
export const FIELDS: FormField[] = [...ADDRESS_FIELDS, "delivery_notes"];

/** The maximum number of characters in each field. */
export const MAX_LENGTHS: Record<FormField, number> = {
  ...ADDRESS_MAX_LENGTHS,
  delivery_notes: 500,
};

const DeliveryNotes = lazy(() => text(MAX_LENGTHS.delivery_notes));

/** The value of each field. Empty if the form does not contain the field. */
export type Values = Record<FormField, string>;

/** Why a field is not valid. */
type FieldProblem = "required" | "invalid" | "unavailable";
export type Problems = ReadonlyMap<FormField | "variation_id", FieldProblem>;

/**
 * The page to show: a gift (null: the offered one), or a list of other gifts after a product (null: from the first).
 */
export type Destination = { show: number | null } | { gifts: number | null };

/** The recipient's input, which is passed from page to page. */
export interface Typed {
  values: Values;
  /** The variations that the recipient has chosen, of this gift and of other gifts. */
  variationIds: number[];
}

export interface RedemptionForm extends Typed {
  /** Null: the offered gift. */
  productId: number | null;
  variationId: number | null;
  /** Set if the form was submitted to show another page instead of accepting the gift. */
  destination: Destination | null;
}

/** The choices for other gifts that a form keeps. It bounds the size of the page. */
const MAX_OTHER_VARIATIONS = 50;

/** Reads a form of `application/x-www-form-urlencoded`. */
export function readForm(body: string): RedemptionForm {
  const form = new URLSearchParams(body);
  const value = (name: string) => clean(form.get(name) ?? "");
  const others = value("other_variation_ids").split(" ", MAX_OTHER_VARIATIONS);
  return {
    values: valuesOf(value),
    variationIds: [value("variation_id"), ...others].flatMap((text) => readId(text) ?? []),
    productId: chosenId(value("product_id")),
    variationId: chosenId(value("variation_id")),
    destination: form.has("show")
      ? { show: chosenId(value("show")) }
      : form.has("gifts")
        ? { gifts: readId(value("gifts")) }
        : null,
  };
}

/** The initial values: the address from the order. */
export function prefilled(address: Address | null): Values {
  return valuesOf((field) => (field === "delivery_notes" ? "" : clean(address?.[field] ?? "")));
}

/** Whether the recipient has changed the initial values. */
export function isTyped({ values, variationIds }: Typed, gift: Gift): boolean {
  const given = prefilled(gift.deliveryAddress);
  return (
    FIELDS.some((field) => values[field] !== given[field]) ||
    variationIds.some((id) => id !== gift.offeredVariationId)
  );
}

/** Replaces CR LF, which browsers send for a line break, and removes spaces around the value. */
const clean = (text: string) => text.replaceAll("\r\n", "\n").trim();

function valuesOf(value: (field: FormField) => string): Values {
  return Object.fromEntries(FIELDS.map((field) => [field, value(field)])) as Values;
}

/** An id that no product and no variation has. */
const NO_ID = 0;

/** The chosen id, or null if the field is empty. Invalid ids become NO_ID, which matches no gift. */
const chosenId = (text: string) => (text === "" ? null : (readId(text) ?? NO_ID));

/** The id in a link or a form, or null if the text is not an id. */
export function readId(text: string | undefined): number | null {
  return parseId(text ?? "") ?? null;
}

type DeliveryCheck = { address: Address; notes: string | undefined } | { problems: Problems };

/** The validated address and notes for a physical gift, or the invalid fields. */
export function checkDelivery(values: Values, product: Pick<Product, "locations">): DeliveryCheck {
  const problems = new Map<FormField, FieldProblem>();
  const given = Object.fromEntries(
    ADDRESS_FIELDS.flatMap((field) => (values[field] === "" ? [] : [[field, values[field]]])),
  ) as Address;
  if (unavailableCountry(product, given)) problems.set("country", "unavailable");
  for (const field of missingFields(given)) problems.set(field, "required");
  for (const { path } of AddressInput().safeParse(given).error?.issues ?? []) {
    problems.set(path[0] as AddressField, "invalid");
  }
  if (!DeliveryNotes().safeParse(values.delivery_notes).success) {
    problems.set("delivery_notes", "invalid");
  }
  return problems.size > 0
    ? { problems }
    : { address: given, notes: values.delivery_notes || undefined };
}
