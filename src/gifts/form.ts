// What the recipient types: read from the form as it was sent, and held against the rules of any order's
// address.
import type { Address } from "../db/schema.ts";
import { parseId } from "../ids.ts";
import { missingParts } from "../orders/pricing.ts";
import { ADDRESS_MAX_LENGTHS, AddressInput } from "../orders/wire.ts";
import { lazy, text } from "../validate.ts";

export type AddressField = keyof typeof ADDRESS_MAX_LENGTHS;
export const ADDRESS_FIELDS = Object.keys(ADDRESS_MAX_LENGTHS) as AddressField[];
export type Field = AddressField | "delivery_notes";

/** The most characters a field takes. */
export const MAX_LENGTHS: Record<Field, number> = { ...ADDRESS_MAX_LENGTHS, delivery_notes: 500 };

const DeliveryNotes = lazy(() => text(MAX_LENGTHS.delivery_notes));

/** What the fields hold, as typed; missing ones are empty. */
export type Values = Record<Field, string>;

/** What is wrong with a submission, by field. */
export type Problems = ReadonlyMap<Field | "variation_id", "required" | "invalid">;

export interface RedemptionForm {
  values: Values;
  /** Null: the offered gift. */
  productId: number | null;
  variationId: number | null;
  /** Asks for another gift to look at (null: the offered one), with what was typed kept; redeems nothing. */
  show: { productId: number | null } | undefined;
}

/** Reads a form of `application/x-www-form-urlencoded`. Spaces around what was typed mean nothing. */
export function readForm(body: string): RedemptionForm {
  const form = new URLSearchParams(body);
  // Browsers end a line with CR LF in what they send.
  const value = (name: string) => (form.get(name) ?? "").replaceAll("\r\n", "\n").trim();
  return {
    values: valuesOf(value),
    productId: chosenId(value("product_id")),
    variationId: chosenId(value("variation_id")),
    show: form.has("show") ? { productId: chosenId(value("show")) } : undefined,
  };
}

/** The form before anything was typed: the address as the sender gave it. */
export function prefilled(address: Address | null): Values {
  return valuesOf((field) => (field === "delivery_notes" ? "" : (address?.[field] ?? "")));
}

function valuesOf(value: (field: Field) => string): Values {
  return {
    address_line_1: value("address_line_1"),
    address_line_2: value("address_line_2"),
    suburb: value("suburb"),
    state: value("state"),
    postcode_zipcode: value("postcode_zipcode"),
    country: value("country"),
    delivery_notes: value("delivery_notes"),
  };
}

/** What nothing has as its id. */
const NO_ID = 0;

/** The id that was chosen; null when nothing was. What is no id is a choice of nothing there is. */
const chosenId = (text: string) => (text === "" ? null : (readId(text) ?? NO_ID));

/** An id in a link or a form; null when it is none. */
export function readId(text: string | undefined): number | null {
  return parseId(text ?? "") ?? null;
}

export type Checked = { address: Address; notes: string | undefined } | { problems: Problems };

/** Where a physical gift goes, or what is wrong with it. */
export function checkDelivery(values: Values): Checked {
  const problems = new Map<Field, "required" | "invalid">();
  const given = Object.fromEntries(
    ADDRESS_FIELDS.flatMap((field) => (values[field] === "" ? [] : [[field, values[field]]])),
  ) as Address;
  for (const field of missingParts(given)) problems.set(field, "required");
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
