// Reads the recipient's input: the query of a link, or a form.
import type { Address } from "../../core/address/address.ts";
import { lazy } from "../../core/lazy.ts";
import { ADDRESS_MAX_LENGTHS, type AddressField } from "../../core/address/address.ts";
import { type AddressProblem } from "../../core/address/check.ts";
import {
  MAX_DELIVERY_NOTES_LENGTH,
  normalPhone,
  RECIPIENT_MAX_LENGTHS,
} from "../../core/validation/person.ts";
import { normalEmail } from "../../core/values/email-address.ts";
import { normalPart } from "../../core/values/missing-value.ts";
import { normalName } from "../../core/values/name.ts";
import { requiredText } from "../../core/validation/fields.ts";
import { countryOf } from "../../core/values/country.ts";
import { parseId } from "../../core/values/ids.ts";
import { type Choices, OPTION_FIELD, type PageGift } from "../pages/gift.ts";
import type { Step, Destination } from "../pages/page-link.tsx";
import { isTicked, type TICK } from "../pages/ticked.ts";

export const ADDRESS_FIELDS = Object.keys(ADDRESS_MAX_LENGTHS) as AddressField[];
export type RecipientField = keyof typeof RECIPIENT_MAX_LENGTHS;
const RECIPIENT_FIELDS = Object.keys(RECIPIENT_MAX_LENGTHS) as RecipientField[];
const DELIVERY_FIELDS = [...ADDRESS_FIELDS, "delivery_notes", "delivery_email"] as const;
type DeliveryField = (typeof DELIVERY_FIELDS)[number];
export type FormField = RecipientField | DeliveryField;
export const FIELDS: FormField[] = [...RECIPIENT_FIELDS, ...DELIVERY_FIELDS];

/** The maximum number of characters in each field. */
export const MAX_LENGTHS: Record<FormField, number> = {
  ...RECIPIENT_MAX_LENGTHS,
  ...ADDRESS_MAX_LENGTHS,
  delivery_notes: MAX_DELIVERY_NOTES_LENGTH,
  delivery_email: 254,
};

export const MAX_NOTE_LENGTH = 1_000;

const ThankYouNote = lazy(() => requiredText(MAX_NOTE_LENGTH));

const SHOWN = [...RECIPIENT_FIELDS, "country", "state", "postcode_zipcode"] as const;
type Shown = (typeof SHOWN)[number];

/** A hidden field: the name or phone number that the form showed at first, or the region that it showed last. */
type ShownField = `shown_${Shown}`;
export const shownField = (field: Shown): ShownField => `shown_${field}`;
const SHOWN_FIELDS = SHOWN.map(shownField);

/** The value of each field. Empty if the field is empty. */
export type Values = Record<FormField | ShownField, string>;

/** The values of a form. What the form of a digital gift does not contain stays as in the order. */
export type GivenValues = { country: string } & Partial<Values>;

/**
 * Why a field is not valid. `doubtful`: the postcode is accepted if the recipient leaves it as it is. `changed`: the
 * form had the fields of another country.
 */
export type FieldProblem = AddressProblem | "doubtful" | "changed";
export type Problems = ReadonlyMap<FormField | "variation_id" | typeof TICK, FieldProblem>;

const STEPS: readonly string[] = ["gift", "address", "question"] satisfies Step[];

/**
 * The changes that a form can make. `reinstate` takes back `decline`, `reveal` shows the code, and `resend` sends it
 * again.
 */
const ACTIONS = ["accept", "decline", "reinstate", "thank", "reveal", "resend"] as const;
export type Action = (typeof ACTIONS)[number];

export interface PageInput {
  destination: Destination;
  /** Null without a form. */
  values: GivenValues | null;
  /** Null: the offered gift. */
  productId: number | null;
  variationId: number | null;
  /** Empty if the variation is chosen as a whole. */
  choices: Choices;
  isTicked: boolean;
}

/** Reads the parameters of a link, or a form of `application/x-www-form-urlencoded`. */
export function readInput(parameters: URLSearchParams): PageInput {
  const value = (name: string) => clean(parameters.get(name) ?? "");
  const productId = chosenId(value("product_id"));
  const step = value("step");
  return {
    values: FIELDS.some((field) => parameters.has(field)) ? givenValues(parameters, value) : null,
    productId,
    isTicked: isTicked(parameters),
    variationId: chosenId(value("variation_id")),
    choices: Object.fromEntries([...parameters].filter(([name]) => name.startsWith(OPTION_FIELD))),
    destination: parameters.has("others")
      ? { step: "others" }
      : parameters.has("show")
        ? { step: "gift", productId: chosenId(value("show")) }
        : { step: STEPS.includes(step) ? (step as Step) : "gift", productId },
  };
}

/** The change that the form requests. Null if it only shows a page. */
export function actionOf(parameters: URLSearchParams): Action | null {
  const step = parameters.get("step") ?? "";
  return ACTIONS.find((action) => action === step) ?? null;
}

/** Whether the gift is sent to the address of its order: the form has no fields for another one. */
export const isSentAsOrdered = (input: Pick<PageInput, "values">, gift: PageGift): boolean =>
  hasAddress(gift) && input.values?.address_line_1 === undefined;

const hasAddress = ({ deliveryAddress }: PageGift) => Boolean(deliveryAddress?.address_line_1);

/** The values of the form: the recipient's, or else those of the order. */
export function valuesIn(input: Pick<PageInput, "values">, gift: PageGift): Values {
  const { values } = input;
  const first = isSentAsOrdered(input, gift) ? storedValues(gift) : prefilled(gift);
  return { ...first, ...(values && { shown_country: values.country }), ...values };
}

/** The values of an address. */
export function addressValues(address: Address | null): Record<DeliveryField, string> {
  const values = ADDRESS_FIELDS.map((field) => [field, clean(address?.[field] ?? "")]);
  return {
    ...(Object.fromEntries(values) as Address),
    delivery_notes: "",
    delivery_email: "",
  } as Record<DeliveryField, string>;
}

/** The values with which the form starts. Of a known address, only the country, because others may have the link. */
function prefilled(gift: PageGift): Values {
  const values = storedValues(gift);
  const { country } = values;
  return gift.state === "open" && !hasAddress(gift)
    ? values
    : withShown({ ...values, ...addressValues(null), country, phone_number: "" });
}

/** The values that the form shows: what was typed, or else those with which it starts. */
export const formValues = ({ values }: Pick<PageInput, "values">, gift: PageGift): Values => ({
  ...prefilled(gift),
  ...values,
});

/** The recipient and the address of the order. Its country is a code, by default that of the order's base location. */
export function storedValues(gift: PageGift): Values {
  const values = addressValues(gift.deliveryAddress);
  return withShown({
    ...values,
    country: countryOf(values.country) ?? gift.baseLocation,
    delivery_notes: clean(gift.deliveryNotes ?? ""),
    first_name: clean(gift.firstName),
    last_name: clean(gift.lastName),
    phone_number: clean(gift.phoneNumber ?? ""),
  });
}

/** The values of a form that starts with these. */
export const withShown = (values: Record<FormField, string>): Values => ({
  ...values,
  ...(Object.fromEntries(SHOWN.map((field) => [shownField(field), values[field]])) as Record<
    ShownField,
    string
  >),
});

/**
 * The fields of the recipient that were changed in the form. Null for a phone number that was removed. A correction by
 * the partner since the form was shown does not count, so that an open form does not undo it.
 */
export const correctionsIn = (values: Values): Partial<Record<RecipientField, string | null>> =>
  Object.fromEntries(
    RECIPIENT_FIELDS.filter((field) => values[field] !== values[shownField(field)]).map((field) => [
      field,
      values[field] || null,
    ]),
  );

/** Whether a form with these values was changed. A form for another address than the order's is a change. */
export function hasChanged(values: GivenValues, gift: PageGift): boolean {
  const shown = prefilled(gift);
  const isOther = hasAddress(gift) && values.address_line_1 !== undefined;
  return isOther || FIELDS.some((field) => (values[field] ?? shown[field]) !== shown[field]);
}

/** The country in the form, or else that of the order. */
export const countryIn = (input: Pick<PageInput, "values">, gift: PageGift): string =>
  countryOf(valuesIn(input, gift).country) ?? gift.baseLocation;

/** The hidden fields of a form with these values. */
export const shownValues = (values: Values): Record<ShownField, string> => ({
  shown_first_name: values.shown_first_name,
  shown_last_name: values.shown_last_name,
  shown_phone_number: values.shown_phone_number,
  shown_country: values.country,
  shown_state: values.state,
  shown_postcode_zipcode: values.postcode_zipcode,
});

/** Replaces CR LF, which browsers send for a line break, and removes spaces around the value. */
const clean = (value: string) => value.replaceAll("\r\n", "\n").trim();

function normalValue(field: FormField | ShownField, value: string): string {
  if (field.endsWith("_name")) return normalName(value);
  if (field.endsWith("phone_number")) return normalPhone(value);
  return field === "delivery_email"
    ? normalEmail(value)
    : normalPart(value.replaceAll(/\s+/g, " "));
}

function givenValues(parameters: URLSearchParams, value: (name: string) => string): GivenValues {
  const given = [...FIELDS, ...SHOWN_FIELDS].filter(
    (field) =>
      parameters.has(field) ||
      field === "country" ||
      // Forms of some countries have fewer fields.
      (parameters.has("address_line_1") && DELIVERY_FIELDS.some((each) => each === field)),
  );
  const entries = given.map((field) => [
    field,
    field === "delivery_notes" ? value(field) : normalValue(field, value(field)),
  ]);
  return Object.fromEntries(entries) as GivenValues;
}

/** An id that no product or variation has. */
const NO_ID = 0;

/** The chosen id, or null if the field is empty. Invalid ids become NO_ID, which matches no gift. */
const chosenId = (value: string) => (value === "" ? null : (readId(value) ?? NO_ID));

/** The id in a link or a form, or null if the text is not an id. */
function readId(value: string): number | null {
  return parseId(value) ?? null;
}

/** The recipient's note to the sender, and its problem if it is not valid. */
export function readNote(parameters: URLSearchParams): {
  note: string;
  problem: "required" | "invalid" | null;
} {
  const note = clean(parameters.get("note") ?? "");
  if (note === "") return { note, problem: "required" };
  return { note, problem: ThankYouNote().safeParse(note).success ? null : "invalid" };
}
