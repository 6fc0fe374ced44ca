// SQL statements with named parameters that the compiler checks.

/** A value that D1 binds. Booleans and objects have no column type: convert them first. */
export type SqlValue = string | number | null;

type NameOf<Params> = Extract<keyof Params, string>;

/** A part of SQL that several statements share, such as a condition. */
export interface Fragment<Name extends string = string> {
  readonly texts: readonly string[];
  readonly parts: readonly (string | Fragment)[];
  /** For the compiler only. */
  readonly name?: Name;
}

type Parts<Params> = readonly (NameOf<Params> | Fragment<NameOf<Params>>)[];

type NamesIn<Part> = Part extends Fragment<infer Name> ? Name : Part;

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

export interface Statement<Params, Row> {
  readonly sql: string;
  bind(db: Pick<Database, "prepare">, params: Params): Bound<Row>;
  /** All rows; one round trip. */
  all(db: Pick<Database, "prepare">, params: Params): Promise<Row[]>;
  /** The first row, or null; one round trip. */
  first(db: Pick<Database, "prepare">, params: Params): Promise<Row | null>;
}

/** All statements. A test prepares each of them. */
export const STATEMENTS: { sql: string }[] = [];

/**
 * A statement as a template whose `${"name"}` are parameters. `Params` has exactly the names that the template uses: a
 * wrong or a missing name does not compile.
 *
 * @example
 * const SELECT_BALANCE = statement<{ clientId: string }, { balanceMinor: number }>()`
 *   SELECT balance_minor AS balanceMinor FROM credit_accounts WHERE client_id = ${"clientId"}`;
 */
export function statement<Params extends { [Name in keyof Params]: SqlValue }, Row = never>() {
  return <const Used extends Parts<Params>>(
    texts: Complete<Params, Used[number]>,
    ...parts: Used
  ): Statement<Params, Row> => {
    const names: NameOf<Params>[] = [];
    const sql = render({ texts: texts as TemplateStringsArray, parts }, names);
    STATEMENTS.push({ sql });
    const bind = (db: Pick<Database, "prepare">, params: Params): Bound<Row> =>
      db.prepare(sql).bind(...names.map((name) => params[name]));
    return {
      sql,
      bind,
      all: async (db, params) => (await bind(db, params).all<Row>()).results,
      first: (db, params) => bind(db, params).first<Row>(),
    };
  };
}

/** A part of SQL. Every statement that contains it must have its parameters. */
export function fragment<const Used extends readonly (string | Fragment)[]>(
  texts: TemplateStringsArray,
  ...parts: Used
): Fragment<NamesIn<Used[number]>> {
  return { texts, parts };
}

/** The SQL with `?N` for each parameter. A parameter that is used twice keeps its number. Adds new names to `names`. */
function render({ texts, parts }: Fragment, names: string[]): string {
  return texts.reduce((sql, text, index) => {
    const part = parts[index - 1] as string | Fragment;
    if (typeof part !== "string") return sql + render(part, names) + text;
    if (!names.includes(part)) names.push(part);
    return `${sql}?${String(names.indexOf(part) + 1)}${text}`;
  });
}

type RowOf<S> = S extends Bound<infer Row> ? Row : never;

/** Runs the statements in one transaction and one round trip. */
export async function batch<const S extends readonly Bound<unknown>[]>(
  db: Pick<Database, "batch">,
  statements: S,
): Promise<{ -readonly [Index in keyof S]: D1Result<RowOf<S[Index]>> }> {
  return (await db.batch([...statements])) as {
    -readonly [Index in keyof S]: D1Result<RowOf<S[Index]>>;
  };
}
