// The objects that a field suggests while its user types.
import type { Child } from "hono/jsx";
import { readList } from "../../operator/declaration/execute.ts";
import { type Fields, KINDS } from "../../operator/declaration/kinds.ts";
import { textOf } from "../../operator/declaration/show.ts";
import { contextOf } from "../context.ts";
import type { ConsoleContext } from "../environment.ts";
import { operationsOf } from "./paths.ts";

const MAX_SUGGESTIONS = 500;

/** The lists of the kinds that the inputs have, by their names. One round trip for each kind. */
export async function suggestionsFor(c: ConsoleContext, inputs: Fields): Promise<Child> {
  const kinds = new Set(Object.values(inputs).map(({ type }) => type));
  const lists = [...kinds].filter((kind) => KINDS[kind].isSuggested);
  return Promise.all(
    lists.map(async (kind) => {
      const [list] = operationsOf(`${kind} list`, c.get("user"));
      if (list?.type !== "list") return null;
      const page = { after: undefined, limit: MAX_SUGGESTIONS };
      const { rows } = await readList(contextOf(c), list, {}, page);
      return (
        <datalist id={kind}>
          {rows.map((row) => (
            <option value={textOf("text", row[kind] ?? null)}>
              {textOf("text", row["name"] ?? null)}
            </option>
          ))}
        </datalist>
      );
    }),
  );
}
