// Finds misspelt names of fields and parameters (DECISIONS.md: Unknown names are ignored unless they look misspelt).
import type * as z from "zod/mini";
import type { FieldError } from "../../core/api-error.ts";
import { fieldPath } from "../../core/validation/validate.ts";
import type { Endpoint } from "./endpoint.ts";

/** How many different unknown fields of a body are compared with known ones, which bounds the time that this takes. */
const MAX_COMPARED = 1_000;

/** The parts of a schema's definition: of an optional or converted value, of a list, or of an object. */
interface Definition {
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  element?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
}

/** An error for each unknown field of the body that resembles one of the endpoint's or of a sibling's. */
export function misspeltFields(
  endpoint: Pick<Endpoint, "method" | "path" | "body" | "synonyms" | "siblings">,
  body: unknown,
): FieldError[] {
  const endpoints = [endpoint, ...(endpoint.siblings?.() ?? [])];
  const compared = new Map<string, string | undefined>();

  const visit = (value: unknown, path: PropertyKey[], known: Definition[]): FieldError[] => {
    if (typeof value !== "object" || value === null) return [];
    if (Array.isArray(value)) {
      const elements = known.map(({ element }) => definitionOf(element));
      return value.flatMap((item, index) => visit(item, [...path, index], elements));
    }
    const own = known[0]?.shape;
    if (!own) return [];
    return Object.entries(value).flatMap(([name, item]) => {
      const at = [...path, name];
      if (Object.hasOwn(own, name)) {
        return visit(
          item,
          at,
          known.map(({ shape }) => definitionOf(shape?.[name])),
        );
      }
      // The elements of a list have the same names.
      const key = at.filter((part) => typeof part === "string").join(".");
      if (!compared.has(key) && compared.size < MAX_COMPARED)
        compared.set(key, meantBy(name, known));
      const meant = compared.get(key);
      return meant === undefined
        ? []
        : [{ field: fieldPath(at), message: unknownName("field", meant) }];
    });
  };

  const meantBy = (name: string, known: Definition[]) =>
    endpoints
      .map(({ method, path, synonyms }, index) => {
        const names = Object.keys(known[index]?.shape ?? {});
        if (index === 0) return nearestName(name, names, synonyms);
        const found = nearestName(name, names, synonyms, 1);
        return found && `${found} of ${method} ${path}`;
      })
      .find((found) => found !== undefined);

  return visit(
    body,
    [],
    endpoints.map((each) => definitionOf(each.body?.())),
  );
}

function definitionOf(schema: z.core.$ZodType | undefined): Definition {
  const definition = (schema?._zod.def ?? {}) as Definition;
  const inner = definition.innerType ?? definition.in;
  return inner ? definitionOf(inner) : definition;
}

/** The message about an unknown name. */
export const unknownName = (kind: "field" | "parameter", meant?: string) =>
  `is not a ${kind} of this request${meant === undefined ? "" : ` (did you mean ${meant}?)`}`;

/**
 * The name that the given one resembles: apart from case and punctuation, at most `maxEdits` and a third of its characters
 * differ. `synonyms` are further names, with those that they stand for.
 */
export function nearestName(
  given: string,
  names: readonly string[],
  synonyms: Readonly<Record<string, string>> = {},
  maxEdits = 2,
): string | undefined {
  const from = plain(given);
  const known = names.length > 0 ? [...names, ...Object.keys(synonyms)] : [];
  for (let edits = 0; edits <= maxEdits; edits++) {
    const found = known.find((name) => {
      const to = plain(name);
      return edits * 3 <= Math.min(from.length, to.length) && isWithin(edits, from, to);
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
