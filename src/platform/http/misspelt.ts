// Finds misspelt names of fields and parameters (DECISIONS.md: Unknown names are ignored unless they look misspelt).
import type * as z from "zod/mini";
import type { FieldError } from "../../core/api-error.ts";
import { fieldPath } from "../../core/validation/validate.ts";

/** How many different unknown fields of a body are compared with known ones, which bounds the time that this takes. */
const MAX_COMPARED = 1_000;

/** How many misspelt fields are reported, which bounds the response to a body with a long list. */
const MAX_ERRORS = 1_000;

/** Words that resemble a known name but mean something else, such as the county in a British or Irish address. */
const OTHER_WORDS: readonly string[] = ["county", "sentat", "emails", "email2"];

type Schema = z.core.$ZodType | undefined;

/** The known names of an endpoint. */
export interface Vocabulary {
  method: string;
  path: string;
  body?: () => z.core.$ZodType;
  /** Other names that callers use for a field or parameter. They are refused like misspelt ones. */
  synonyms?: Readonly<Record<string, string>>;
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

/**
 * An error for each unknown field of the body that resembles one of the endpoint's or of a sibling's. Null is the same as
 * leaving the field out.
 */
export function misspeltFields(endpoint: Vocabulary, body: unknown): FieldError[] {
  const endpoints = [endpoint, ...(endpoint.siblings?.() ?? [])];
  const compared = new Map<string, string | undefined>();
  const errors: FieldError[] = [];

  const visit = (value: unknown, path: PropertyKey[], schemas: Schema[]): void => {
    // Values of unknown form are not visited, so the schema bounds the depth.
    if (typeof value !== "object" || value === null || !schemas[0]) return;
    const known = schemas.map(definitionOf);
    if (Array.isArray(value)) {
      const elements = known.map(({ element }) => element);
      for (const [index, item] of value.entries()) visit(item, [...path, index], elements);
      return;
    }
    const own = known[0]?.shape;
    for (const [name, item] of own ? Object.entries(value) : []) {
      const fields = known.map(({ shape }) => shape?.[name]);
      if (own && Object.hasOwn(own, name)) visit(item, [...path, name], fields);
      else if (item !== null) report([...path, name], known);
    }
  };

  const report = (path: PropertyKey[], known: Definition[]): void => {
    // The elements of a list have the same names.
    const key = path.filter((part) => typeof part === "string").join(".");
    if (!compared.has(key) && compared.size < MAX_COMPARED) {
      compared.set(key, meantBy(String(path.at(-1)), known));
    }
    const meant = compared.get(key);
    if (meant === undefined || errors.length >= MAX_ERRORS) return;
    errors.push({ field: fieldPath(path), message: unknownName("field", meant) });
  };

  const meantBy = (name: string, known: Definition[]): string | undefined => {
    for (const [index, { method, path, synonyms }] of endpoints.entries()) {
      const names = Object.keys(known[index]?.shape ?? {});
      const found = nearestName(name, names, synonyms, index === 0 ? 2 : 1);
      if (found !== undefined) return index === 0 ? found : `${found} of ${method} ${path}`;
    }
    return undefined;
  };

  visit(
    body,
    [],
    endpoints.map((each) => each.body?.()),
  );
  return errors;
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

/**
 * The name that the given one resembles: apart from case and punctuation, at most `maxEdits` and a fifth of its characters
 * differ. `synonyms` are further names, with those that they stand for.
 */
export function nearestName(
  given: string,
  names: readonly string[],
  synonyms: Readonly<Record<string, string>> = {},
  maxEdits = 2,
): string | undefined {
  const from = plain(given);
  const allowed = OTHER_WORDS.includes(from) ? 0 : maxEdits;
  const known = names.length > 0 ? [...names, ...Object.keys(synonyms)] : [];
  for (let edits = 0; edits <= allowed; edits++) {
    const found = known.find((name) => {
      const to = plain(name);
      return edits * 5 <= Math.max(from.length, to.length) && isWithin(edits, from, to);
    });
    if (found !== undefined) return synonyms[found] ?? found;
  }
  return undefined;
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Whether at most `edits` characters are inserted, deleted, replaced, or exchanged with the next one. */
function isWithin(edits: number, from: string, to: string): boolean {
  if (from === to) return true;
  if (Math.abs(from.length - to.length) > edits) return false;
  const [a, b] = [from.slice(1), to.slice(1)];
  if (from[0] === to[0]) return isWithin(edits, a, b);
  if (edits === 0) return false;
  const isExchanged = from[0] === to[1] && from[1] === to[0];
  const left = edits - 1;
  return (
    (isExchanged && isWithin(left, a.slice(1), b.slice(1))) ||
    isWithin(left, a, b) ||
    isWithin(left, a, to) ||
    isWithin(left, from, b)
  );
}
