// The names of the columns in files of banks and carriers: those that are built in, and those that operators have given.
import { validationError } from "../core/api-error.ts";
import type { OperatorBindings } from "./declaration/declare.ts";
import { splitPair } from "./declaration/input.ts";
import * as kinds from "./declaration/kinds.ts";

/** The names of each column, first the one by which operators know it. */
export type ColumnNames<Key extends string> = Readonly<Record<Key, readonly string[]>>;

export const COLUMNS_INPUT = kinds.optional(
  kinds.option(
    kinds.many(
      kinds.text("Names of columns", {
        hint: "If the file is not recognised: what its columns are, such as order_number=Betreff,amount=Summe. They are remembered for the next files.",
      }),
    ),
  ),
);

/** The names that a vendor's users have given apply to the files of this vendor only. */
type Files = "payments" | "shipments" | `shipments of ${string}`;

const keyOf = (files: Files) => `columns:${files}`;

/** Empty if KV cannot be reached: the operator can give the names again. */
const readNames = async (KV: KVNamespace, files: Files): Promise<Record<string, string[]>> =>
  (await KV.get<Record<string, string[]>>(keyOf(files), "json").catch(() => null)) ?? {};

/** Tells operators about the columns of a file that is not recognised. */
export const presentColumns = (columns: readonly string[]): string =>
  `Give the names of columns if others have them. Its columns are: ${columns.join(", ")}`;

/** The names with which a file is read. A given name is the only one. Errors: `validation_error`. */
export async function readColumnNames<Key extends string>(
  { KV }: Pick<OperatorBindings, "KV">,
  files: Files,
  builtIn: ColumnNames<Key>,
  given: readonly string[] = [],
): Promise<ColumnNames<Key>> {
  const remembered = await readNames(KV, files);
  const names = givenNames(builtIn, given);
  const entries = Object.entries<readonly string[]>(builtIn).map(([key, known]) => {
    const own = names[key];
    return [key, own === undefined ? [...known, ...(remembered[key] ?? [])] : [own]];
  });
  return Object.fromEntries(entries) as ColumnNames<Key>;
}

/** Remembers the given names for later files, after those that are remembered already. */
export async function rememberColumns<Key extends string>(
  { KV }: Pick<OperatorBindings, "KV">,
  files: Files,
  builtIn: ColumnNames<Key>,
  given: readonly string[] = [],
): Promise<void> {
  if (given.length === 0) return;
  const remembered = await readNames(KV, files);
  for (const [key, name] of Object.entries<string>(givenNames(builtIn, given))) {
    remembered[key] = [...new Set([...(remembered[key] ?? []), name])];
  }
  await KV.put(keyOf(files), JSON.stringify(remembered)).catch(() => undefined);
}

/** `["order_number=Betreff"]` → `{ order: "Betreff" }` */
function givenNames<Key extends string>(builtIn: ColumnNames<Key>, given: readonly string[]) {
  const keys = new Map(
    Object.entries<readonly string[]>(builtIn).map(([key, [name = ""]]) => [name, key as Key]),
  );
  const pairs = given.map((pair) => {
    const [name = "", column] = splitPair(pair) ?? [];
    const key = keys.get(name);
    if (key !== undefined && column !== undefined) return [key, column] as const;
    const message = `must have the names ${[...keys.keys()].join(", ")}, such as ${[...keys.keys()][0] ?? ""}=Betreff: ${pair}`;
    throw validationError([{ field: "columns", message }]);
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}
