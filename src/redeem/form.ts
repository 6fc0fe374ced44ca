// What the recipient types: read from the form as it was sent, and checked by the rules for every order's address.
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
export type Field = AddressField | "delivery_notes";
export const FIELDS: Field[] = [...ADDRESS_FIELDS, "delivery_notes"];

/** The most characters a field takes. */
export const MAX_LENGTHS: Record<Field, number> = { ...ADDRESS_MAX_LENGTHS, delivery_notes: 500 };

const DeliveryNotes = lazy(() => text(MAX_LENGTHS.delivery_notes));

/** The content of the fields; a field that is missing from the form is empty. */
export type Values = Record<Field, string>;

/** What is wrong with a submission, by field. */
export type Problem = "required" | "invalid" | "unavailable";
export type Problems = ReadonlyMap<Field | "variation_id", Problem>;

/** Another page of the gift: one gift (null: the offered one), or the gifts after a product (null: the first). */
export type Destination = { show: number | null } | { gifts: number | null };

/** What goes along from page to page. */
export interface Typed {
  values: Values;
  /** The variations that were chosen, of this gift and of those looked at before. */
  variationIds: number[];
}

export interface RedemptionForm extends Typed {
  /** Null: the offered gift. */
  productId: number | null;
  variationId: number | null;
  /** Set when a button leads to another page instead of accepting. */
  destination: Destination | null;
}

/** Enough for a recipient who compares gifts; a bound on what a request can make the page repeat. */
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

/** The form before anything was typed: the address as the sender gave it. */
export function prefilled(address: Address | null): Values {
  return valuesOf((field) => (field === "delivery_notes" ? "" : clean(address?.[field] ?? "")));
}

/** Whether there is anything that the page did not fill in by itself. */
export function isTyped({ values, variationIds }: Typed, gift: Gift): boolean {
  const given = prefilled(gift.deliveryAddress);
  return (
    FIELDS.some((field) => values[field] !== given[field]) ||
    variationIds.some((id) => id !== gift.offeredVariationId)
  );
}

/** Browsers send CR LF for a line break, and spaces around a value have no meaning. */
const clean = (text: string) => text.replaceAll("\r\n", "\n").trim();

function valuesOf(value: (field: Field) => string): Values {
  return Object.fromEntries(FIELDS.map((field) => [field, value(field)])) as Values;
}

/** An id that no product and no variation has. */
const NO_ID = 0;

/** The id that was chosen; null when none was. Invalid ids become NO_ID, which matches no gift. */
const chosenId = (text: string) => (text === "" ? null : (readId(text) ?? NO_ID));

/** An id in a link or a form; null when the text is not an id. */
export function readId(text: string | undefined): number | null {
  return parseId(text ?? "") ?? null;
}

export type Checked = { address: Address; notes: string | undefined } | { problems: Problems };

/** Where a physical gift goes, or what is wrong with it. */
export function checkDelivery(values: Values, product: Pick<Product, "locations">): Checked {
  const problems = new Map<Field, Problem>();
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
