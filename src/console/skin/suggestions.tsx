// The objects that a field suggests while its user types, or offers as choices if they are few.
import type { Child } from "hono/jsx";
import { readList } from "../../operator/declaration/execute.ts";
import { type Fields, KINDS } from "../../operator/declaration/kinds.ts";
import { textOf } from "../../operator/declaration/show.ts";
import { contextOf } from "../context.ts";
import type { ConsoleContext } from "../environment.ts";
import { operationsOf } from "./paths.ts";

const MAX_SUGGESTIONS = 500;

/** The objects of the kinds that the inputs have, by kind and id, with their names. One round trip for each kind. */
export async function objectsFor(c: ConsoleContext, inputs: Fields) {
  const kinds = new Set(Object.values(inputs).map(({ type }) => type));
  const lists = [...kinds].filter((kind) => KINDS[kind].isSuggested);
  const found = lists.map(async (kind) => {
    const [list] = operationsOf(`${kind} list`, c.get("user"));
    if (list?.type !== "list") return [];
    const page = { after: undefined, limit: MAX_SUGGESTIONS };
    const { rows } = await readList(contextOf(c), list, {}, page);
    const texts = rows.map((row) => [
      textOf("text", row[kind] ?? null),
      textOf("text", row["name"] ?? null),
    ]);
    return [[kind, Object.fromEntries(texts) as Record<string, string>]] as const;
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}

/** The lists from which the fields of these kinds suggest. */
export const suggestionsOf = (objects: Awaited<ReturnType<typeof objectsFor>>): Child =>
  Object.entries(objects).map(([kind, names]) => (
    <datalist id={kind}>
      {Object.entries(names).map(([id, name]) => (
        <option value={id}>{name}</option>
      ))}
    </datalist>
  ));
