// SQL statements with named parameters that the compiler checks.

/** A value that D1 binds. Booleans and objects have no column type: convert them first. */
export type SqlValue = string | number | null;

type NameOf<Params> = Extract<keyof Params, string>;

/**
 * A part of SQL that several statements share, such as a condition. `Row` are the columns that it adds to the rows of a
 * statement.
 */
export interface Fragment<Name extends string = string, Row = unknown> {
  readonly texts: readonly string[];
  readonly parts: readonly Part[];
  /** For the compiler only. */
  readonly name?: Name;
  /** For the compiler only. */
  readonly row?: Row;
}

/** The SQL of one value, with its type. */
export interface Expression<Value = unknown, Name extends string = string> extends Fragment<Name> {
  /** For the compiler only. */
  readonly value?: Value;
}

/** The columns of a result: `${{ id: …, total: … }}` is the SQL `… AS id, … AS total` and the type of its rows. */
export type Selection = Readonly<Record<string, Expression>>;

export type RowOf<Columns extends Selection> = {
  -readonly [Column in keyof Columns]: Columns[Column] extends Expression<infer Value>
    ? Value
    : never;
};

/** The name of a parameter, or a part of SQL. */
type Part = string | Fragment | Selection;

type PartsOf<Params> = readonly (
  | NameOf<Params>
  | Fragment<NameOf<Params>>
  | Readonly<Record<string, Expression<unknown, NameOf<Params>>>>
)[];

type NamesIn<Used> = Used extends string
  ? Used
  : Used extends Fragment<infer Name>
    ? Name
    : Used extends Readonly<Record<string, Expression<unknown, infer Name>>>
      ? Name
      : never;

type ColumnsIn<Used> = Used extends string
  ? never
  : Used extends Fragment<string, infer Row>
    ? unknown extends Row
      ? never
      : Row
    : Used extends Selection
      ? RowOf<Used>
      : never;

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  member: infer Both,
) => void
  ? Both
  : never;

/** The columns of all parts together, or unknown if there are none. */
type AllColumns<Used> = Intersection<ColumnsIn<Used>>;

/** The rows of a statement without a declared type are those of its selections. */
type RowsOf<Declared, Used> = [Declared] extends [never]
  ? unknown extends AllColumns<Used>
    ? never
    : AllColumns<Used>
  : Declared & AllColumns<Used>;

/** The type of the template's texts. If the template lacks a parameter, a type that does not compile. */
type Complete<Params, Used> = [Exclude<NameOf<Params>, NamesIn<Used>>] extends [never]
  ? TemplateStringsArray
  : { missingParameter: Exclude<NameOf<Params>, NamesIn<Used>> };

/** A database or one of its sessions. */
export type Database = Pick<D1DatabaseSession, "prepare" | "batch">;

/** A prepared statement whose result has rows of type `Row`. */
export interface Bound<Row> extends D1PreparedStatement {
  readonly row?: Row;
}

export interface Sql<Params, Row> {
  readonly text: string;
  readonly bind: (db: Pick<Database, "prepare">, params: Params) => Bound<Row>;
  /** All rows; one round trip. */
  all(db: Pick<Database, "prepare">, params: Params): Promise<Row[]>;
  /** The first row, or null; one round trip. */
  first(db: Pick<Database, "prepare">, params: Params): Promise<Row | null>;
}

/** All statements. A test prepares each of them. */
export const ALL_SQL: { text: string }[] = [];

/**
 * A statement as a template whose `${"name"}` are parameters. `Params` has exactly the names that the template uses: a
 * wrong or a missing name does not compile. The rows have the columns of the template's selections, and those of `Row`.
 *
 * @example
 * const a = columnsOf<CreditAccounts>("a");
 * const SELECT_BALANCE = sql<{ clientId: string }>()`
 *   SELECT ${a("currency", "balanceMinor")} FROM credit_accounts a WHERE a.client_id = ${"clientId"}`;
 */
export function sql<Params extends { [Name in keyof Params]: SqlValue }, Row = never>() {
  return <const Used extends PartsOf<Params>>(
    texts: Complete<Params, Used[number]>,
    ...parts: Used
  ): Sql<Params, RowsOf<Row, Used[number]>> => {
    type Result = RowsOf<Row, Used[number]>;
    const names: NameOf<Params>[] = [];
    const text = render({ texts: texts as TemplateStringsArray, parts }, names);
    ALL_SQL.push({ text });
    const bind = (db: Pick<Database, "prepare">, params: Params): Bound<Result> =>
      db.prepare(text).bind(...names.map((name) => params[name]));
    return {
      text,
      bind,
      all: async (db, params) => (await bind(db, params).all<Result>()).results,
      first: (db, params) => bind(db, params).first<Result>(),
    };
  };
}

/** A part of SQL. Every statement that contains it must have its parameters. */
export function fragment<const Used extends readonly Part[]>(
  texts: TemplateStringsArray,
  ...parts: Used
): Fragment<NamesIn<Used[number]>, AllColumns<Used[number]>> {
  return { texts, parts };
}

/** The SQL of a value of this type. */
export function expression<Value>() {
  return <const Used extends readonly (string | Fragment)[]>(
    texts: TemplateStringsArray,
    ...parts: Used
  ): Expression<Value, NamesIn<Used[number]>> => ({ texts, parts });
}

/** SQL without parameters that is computed, such as a list of columns. */
export const rawSql = <Value>(sql: string): Expression<Value, never> => ({
  texts: [sql],
  parts: [],
});

/** The SQL with `?N` for each parameter. A parameter that is used twice keeps its number. Adds new names to `names`. */
function render({ texts, parts }: Fragment, names: string[]): string {
  return texts.reduce(
    (sql, text, index) => sql + renderPart(parts[index - 1] as Part, names) + text,
  );
}

/** The SQL of a part without parameters. */
export const sqlOf = (part: Fragment<never> | Selection): string => renderPart(part, []);

function renderPart(part: Part, names: string[]): string {
  if (typeof part === "string") {
    if (!names.includes(part)) names.push(part);
    return `?${String(names.indexOf(part) + 1)}`;
  }
  if (isFragment(part)) return render(part, names);
  return Object.entries(part)
    .map(([name, value]) => `${render(value, names)} AS "${name}"`)
    .join(", ");
}

function isFragment(part: Fragment | Selection): part is Fragment {
  return Array.isArray(part.texts);
}

/** The results of a `batch` of these statements. */
export type Results<Statements> = {
  -readonly [Name in keyof Statements]: Statements[Name] extends Bound<infer Row>
    ? D1Result<Row>
    : never;
};

/** Runs the writes and then the read in one transaction and one round trip. Returns the rows of the read. */
export async function writeAndRead<Row>(
  db: Pick<Database, "batch">,
  writes: readonly Bound<never>[],
  read: Bound<Row>,
): Promise<Row[]> {
  const results = await db.batch<Row>([...writes, read]);
  return results.at(-1)?.results ?? [];
}

/** Runs the statements in one transaction, in the order of the object, and in one round trip. */
export async function batch<const Statements extends Readonly<Record<string, Bound<unknown>>>>(
  db: Pick<Database, "batch">,
  statements: Statements,
): Promise<Results<Statements>> {
  const results = await db.batch(Object.values(statements));
  return Object.fromEntries(
    Object.keys(statements).map((name, index) => [name, results[index]]),
  ) as Results<Statements>;
}
