// Adds statements to every transaction that writes, for example those of the audit log.
import type { Database } from "./statement.ts";

/** The statements that run before and after those of the caller, in the same transaction. */
export interface ExtraStatements {
  first: D1PreparedStatement[];
  last: D1PreparedStatement[];
}

/** Prepares the statements with the database or the session that the caller uses. */
export type ExtrasFor = (db: Pick<Database, "prepare">) => ExtraStatements;

/**
 * The database with `extrasFor` applied to each batch that writes and to each single statement that writes, which becomes
 * a batch. `isExempt` selects the statements that count as reads. Callers get the results of their own statements. It has
 * only the methods that the project uses.
 */
export function withExtraStatements(
  d1: D1Database,
  extrasFor: ExtrasFor,
  isExempt: (sql: string) => boolean = isRead,
): D1Database {
  return new DatabaseWithExtras(d1, extrasFor, isExempt) as unknown as D1Database;
}

/** The database, which refuses every batch and every single statement that writes. */
export function withoutWrites(d1: D1Database): D1Database {
  return withExtraStatements(d1, () => {
    throw new Error("this database is for reading only");
  });
}

class DatabaseWithExtras<Inner extends D1Database | D1DatabaseSession> {
  readonly #inner: Inner;
  readonly #extrasFor: ExtrasFor;
  readonly #isExempt: (sql: string) => boolean;

  constructor(inner: Inner, extrasFor: ExtrasFor, isExempt: (sql: string) => boolean) {
    this.#inner = inner;
    this.#extrasFor = extrasFor;
    this.#isExempt = isExempt;
  }

  prepare(sql: string) {
    return new StatementWithExtras(this.#inner.prepare(sql), this.#isExempt(sql), (statement) =>
      this.#write([statement]),
    );
  }

  async batch<T>(statements: StatementWithExtras[]) {
    const inner = statements.map((statement) => statement.inner);
    return statements.every(({ reads }) => reads)
      ? this.#inner.batch<T>(inner)
      : this.#write<T>(inner);
  }

  withSession(this: DatabaseWithExtras<D1Database>, constraint: D1SessionConstraint) {
    const session = this.#inner.withSession(constraint);
    return new DatabaseWithExtras(session, this.#extrasFor, this.#isExempt);
  }

  async #write<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const { first, last } = this.#extrasFor(this.#inner);
    const results = await this.#inner.batch<T>([...first, ...statements, ...last]);
    return results.slice(first.length, first.length + statements.length);
  }
}

type Write = (statement: D1PreparedStatement) => Promise<D1Result[]>;

type Row = Record<string, unknown>;

class StatementWithExtras {
  readonly inner: D1PreparedStatement;
  readonly reads: boolean;
  readonly #write: Write;

  constructor(inner: D1PreparedStatement, reads: boolean, write: Write) {
    this.inner = inner;
    this.reads = reads;
    this.#write = write;
  }

  bind(...values: unknown[]) {
    return new StatementWithExtras(this.inner.bind(...values), this.reads, this.#write);
  }

  async all() {
    if (this.reads) return this.inner.all();
    const [result] = await this.#write(this.inner);
    if (!result) throw new Error("D1 returned no result");
    return result;
  }

  run() {
    return this.all();
  }

  async first(column?: string) {
    const [row] = (await this.all()).results as Row[];
    if (!row) return null;
    return column === undefined ? row : row[column];
  }

  /** The columns of a row must have different names. */
  async raw() {
    if (this.reads) return this.inner.raw();
    return ((await this.all()).results as Row[]).map((row) => Object.values(row));
  }
}

/** Whether the statement only reads. A statement that cannot be recognised counts as one that writes. */
function isRead(sql: string): boolean {
  return /^\s*SELECT\b/i.test(sql) || (/^\s*WITH\b/i.test(sql) && !WRITES.test(sql));
}

const WRITES = /\b(INSERT|UPDATE|DELETE|REPLACE)\b/i;
