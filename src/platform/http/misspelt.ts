// Finds fields and parameters whose names are misspelt, or that belong in another object (DECISIONS.md: Unknown names are
// ignored unless they resemble known ones).
import type * as z from "zod/mini";
import type { FieldError } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import { isBlank } from "../../core/validation/fields.ts";
import { fieldPath } from "../../core/validation/validate.ts";

/** How many different unknown fields of a body are compared with known ones, which bounds the time that this takes. */
const MAX_COMPARED = 1_000;

/** How many misspelt fields are reported, which bounds the response to a body with a long list. */
const MAX_ERRORS = 1_000;

/** Words that resemble a known name but mean something else, such as the county in a British or Irish address. */
const OTHER_WORDS: readonly string[] = ["county", "sentat", "emails", "names", "stage"];

/** What callers set so that a request has no effect. */
const DRY_RUN: readonly string[] =
  "dryrun testrun testmode istest validateonly simulate previewonly".split(" ");
export const NO_DRY_RUN =
  "is not supported: the request would take effect. POST /api/quote has no effect";

export const isDryRun = (name: string, { near }: Pick<Vocabulary, "near">) =>
  !near && DRY_RUN.includes(plain(name));

/** Other words for the names of fields and parameters. They are refused where these exist. */
const SYNONYMS: Readonly<Record<string, string>> = {
  first_name: "name full_name given_name forename recipient_name",
  last_name: "surname family_name",
  email: "email_address mail recipient_email",
  phone_number:
    "phone telephone tel mobile mobile_number mobile_phone cell_phone contact_number phone_no",
  delivery_address: "address shipping_address postal_address",
  address_line_1: "address street street_address street_1 address_1 line_1 address_line",
  address_line_2: "street_2 address_2 line_2",
  suburb: "city town locality",
  state: "province region state_code province_code",
  postcode_zipcode: "postcode zipcode zip postal_code postal",
  country: "country_code country_name",
  delivery_notes: "delivery_instructions shipping_notes shipping_instructions",
  redemption_message:
    "message gift_message personal_message email_message card_message custom_message gift_note",
  language: "locale lang language_code",
  recipient_details: "recipients recipient",
  product_id: "sku product_sku",
  variation_id: "variant_id variation_sku",
  qty: "quantity",
  redeem_by: "expires_at expiry_date expiration_date expires_on valid_until redeem_until",
  send_at: "send_on send_date scheduled_at",
  sender_name: "from_name",
  order_branding: "branding",
  event_types: "events",
  q: "search",
  category: "categories",
};

type Schema = z.core.$ZodType | undefined;

/** The known names of an endpoint. */
export interface Vocabulary {
  method: string;
  path: string;
  body?: () => z.core.$ZodType;
  /** Whether the endpoint only reads. */
  near?: true | "by default";
  /** The endpoints whose fields a caller may send to this one by mistake. They are refused like misspelt ones. */
  siblings?: () => readonly Vocabulary[];
}

/** The parts of a schema's definition: of an optional or converted value, of a list, or of an object. */
interface Definition {
  innerType?: Schema;
  in?: Schema;
  out?: Schema;
  element?: Schema;
  shape?: Record<string, Schema>;
}

/** An object of a body. */
interface Place {
  /** `body`, or the path in the body, in which each list has the index 0. */
  path: string;
  names: readonly string[];
  /** The endpoint, if it is a sibling: ` of POST /api/quote`. */
  of: string;
}

/**
 * An error for each unknown field of the body that resembles a known one of the same object, or one of another object or
 * of a sibling. If the request is strict, an error for each unknown field. Null, false, and an empty text or list are the same
 * as leaving the field out.
 */
export function misspeltFields(
  endpoint: Vocabulary,
  body: unknown,
  isStrict = false,
): FieldError[] {
  const { siblings = () => [] } = endpoint;
  const places = lazy(() => [
    ...placesOf(endpoint.body?.(), ""),
    ...siblings().flatMap((each) => placesOf(each.body?.(), ` of ${each.method} ${each.path}`)),
  ]);
  const compared = new Map<string, string | undefined>();
  const errors: FieldError[] = [];

  const visit = (value: unknown, path: PropertyKey[], schema: Schema): void => {
    // Values of unknown form are not visited, so the schema bounds the depth.
    if (typeof value !== "object" || value === null || !schema) return;
    const { element, shape } = definitionOf(schema);
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...path, index], element);
      return;
    }
    for (const [name, item] of shape ? Object.entries(value) : []) {
      if (shape && Object.hasOwn(shape, name)) visit(item, [...path, name], shape[name]);
      else if (item !== null && item !== false && !isBlank(item)) report(path, name);
    }
  };

  const report = (path: PropertyKey[], name: string): void => {
    // The elements of a list have the same names.
    const place = fieldPath(path.map((part) => (typeof part === "number" ? 0 : part)));
    const key = `${place}.${name}`;
    if (!compared.has(key) && compared.size < MAX_COMPARED) {
      const problem = isDryRun(name, endpoint) ? NO_DRY_RUN : problemOf(name, place, places());
      compared.set(key, problem ?? (isStrict ? unknownName("field") : undefined));
    }
    const message = compared.get(key);
    if (message === undefined || errors.length >= MAX_ERRORS) return;
    const index = path.find((part) => typeof part === "number") ?? 0;
    const field = fieldPath([...path, name]);
    errors.push({ field, message: message.replace("[0]", `[${String(index)}]`) });
  };

  visit(body, [], endpoint.body?.());
  return errors;
}

function placesOf(schema: Schema, of: string, path: PropertyKey[] = []): Place[] {
  const { element, shape = {} } = definitionOf(schema);
  if (element) return placesOf(element, of, [...path, 0]);
  const names = Object.keys(shape);
  const inner = names.flatMap((name) => placesOf(shape[name], of, [...path, name]));
  return names.length > 0 ? [{ path: fieldPath(path), names, of }, ...inner] : [];
}

/** The message about an unknown name in the object at `path`. Undefined if it resembles no name of the places. */
function problemOf(name: string, path: string, places: readonly Place[]): string | undefined {
  const given = plain(name);
  const own = places.find((place) => place.path === path);
  for (const edits of [0, 1]) {
    for (const place of own ? [own, ...places] : places) {
      const meant = place.names.find((each) => resembles(given, each, edits, place === own));
      if (meant === undefined) continue;
      if (place.path === path) return unknownName("field", meant + place.of);
      const as = plain(meant) === given ? "" : ` as ${meant}`;
      const target = place.path === "body" ? "the body itself" : place.path;
      return `belongs into ${target}${as}${place.of}`;
    }
  }
  return undefined;
}

/** The definition of the schema, without what makes it optional, nullable or converts its value. */
function definitionOf(schema: Schema): Definition {
  const definition = (schema?._zod.def ?? {}) as Definition;
  const isRead = definition.in?._zod.def.type === "transform";
  const inner = definition.innerType ?? (isRead ? definition.out : definition.in);
  return inner ? definitionOf(inner) : definition;
}

/** The message about an unknown name. */
export const unknownName = (kind: "field" | "parameter", meant?: string) =>
  `is not a ${kind} of this request${meant === undefined ? "" : ` (did you mean ${meant}?)`}`;

/** The name that the given one resembles. */
export const nearestName = (given: string, names: readonly string[]): string | undefined =>
  [0, 1].flatMap(
    (edits) => names.find((name) => resembles(plain(given), name, edits, true)) ?? [],
  )[0];

/**
 * Whether `from`, which is a plain name, is the known name or another word for it, apart from `edits` typing errors. Names of
 * fewer than five letters have none, and elsewhere names of fewer than seven letters.
 */
function resembles(from: string, known: string, edits: number, isOwn: boolean): boolean {
  if (edits === 0 || OTHER_WORDS.includes(from)) return wordsFor(known).includes(from);
  const isLong = (to: string) => Math.max(from.length, to.length) >= (isOwn ? 5 : 7);
  return wordsFor(known).some((to) => isLong(to) && isOneEdit(from, to));
}

const words = new Map<string, string[]>();

/** The plain name, and the other words for it. The names are those of the schemas, so the map does not grow. */
function wordsFor(known: string): string[] {
  const found = words.get(known) ?? [known, ...(SYNONYMS[known]?.split(" ") ?? [])].map(plain);
  words.set(known, found);
  return found;
}

/** The name without case and punctuation. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/**
 * Whether one character is inserted, deleted, replaced, or exchanged with the next one. Digits and the first letter must
 * be the same.
 */
function isOneEdit(a: string, b: string): boolean {
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const [restA, restB] = [a.slice(from), b.slice(from)];
  return (
    from > 0 &&
    a.replaceAll(/\D/g, "") === b.replaceAll(/\D/g, "") &&
    (restA.slice(1) === restB ||
      restA === restB.slice(1) ||
      restA.slice(1) === restB.slice(1) ||
      (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0]))
  );
}
