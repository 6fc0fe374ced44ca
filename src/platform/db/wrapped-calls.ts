// Wraps the calls to D1, for example with a deadline, and adds statements to every transaction that writes, for example
// those of the audit log.
import type { Database } from "./sql.ts";

type CallWrapper = <T>(call: () => Promise<T>) => Promise<T>;

/** The statements that run before and after those of the caller, in the same transaction. */
interface ExtraSql {
  first: D1PreparedStatement[];
  last: D1PreparedStatement[];
}

/** Prepares the statements with the database or the session that the caller uses. */
export type ExtrasFor = (db: Pick<Database, "prepare">) => ExtraSql;

interface Wrapping {
  wrap: CallWrapper;
  extrasFor: ExtrasFor;
  /** Whether the statement needs no extra statements. */
  isExempt: (sql: string) => boolean;
}

const NO_WRAPPING: Wrapping = {
  wrap: (call) => call(),
  extrasFor: () => ({ first: [], last: [] }),
  isExempt: () => true,
};

const wrapped = (d1: D1Database, wrapping: Partial<Wrapping>): D1Database =>
  new WrappedDatabase(d1, { ...NO_WRAPPING, ...wrapping }) as unknown as D1Database;

/** The database with `wrap` applied to each call. It has only the methods that the project uses. */
export const wrapCalls = (d1: D1Database, wrap: CallWrapper): D1Database => wrapped(d1, { wrap });

/**
 * The database with `extrasFor` applied to each batch that writes and to each single statement that writes, which becomes
 * a batch. `isExempt` selects the statements that count as reads. Callers get the results of their own statements.
 */
export const withExtraSql = (
  d1: D1Database,
  extrasFor: ExtrasFor,
  isExempt: (sql: string) => boolean = isRead,
): D1Database => wrapped(d1, { extrasFor, isExempt });

/** The database, which refuses every batch and every single statement that writes. */
export function withoutWrites(d1: D1Database): D1Database {
  return withExtraSql(d1, () => {
    throw new Error("this database is for reading only");
  });
}

class WrappedDatabase<Inner extends D1Database | D1DatabaseSession> {
  readonly #inner: Inner;
  readonly #wrapping: Wrapping;

  constructor(inner: Inner, wrapping: Wrapping) {
    this.#inner = inner;
    this.#wrapping = wrapping;
  }

  prepare(sql: string) {
    const { wrap, isExempt } = this.#wrapping;
    const write: Write = (statement) => this.batch([statement]);
    return new WrappedSql(this.#inner.prepare(sql), wrap, isExempt(sql) ? null : write);
  }

  async batch<T>(statements: WrappedSql[]): Promise<D1Result<T>[]> {
    const { wrap, extrasFor } = this.#wrapping;
    const isExempt = statements.every(({ write }) => write === null);
    const { first, last } = (isExempt ? NO_WRAPPING.extrasFor : extrasFor)(this.#inner);
    const own = statements.map(({ inner }) => inner);
    const results = await wrap(() => this.#inner.batch<T>([...first, ...own, ...last]));
    return results.slice(first.length, first.length + own.length);
  }

  withSession(this: WrappedDatabase<D1Database>, constraint: D1SessionConstraint) {
    return new WrappedDatabase(this.#inner.withSession(constraint), this.#wrapping);
  }

  getBookmark(this: WrappedDatabase<D1DatabaseSession>) {
    return this.#inner.getBookmark();
  }
}

type Write = (statement: WrappedSql) => Promise<D1Result[]>;

type Row = Record<string, unknown>;

class WrappedSql {
  readonly inner: D1PreparedStatement;
  /** Runs the statement with extra statements. Null if it needs none. */
  readonly write: Write | null;
  readonly #wrap: CallWrapper;

  constructor(inner: D1PreparedStatement, wrap: CallWrapper, write: Write | null) {
    this.inner = inner;
    this.write = write;
    this.#wrap = wrap;
  }

  bind(...values: unknown[]) {
    return new WrappedSql(this.inner.bind(...values), this.#wrap, this.write);
  }

  async all() {
    if (!this.write) return this.#wrap(() => this.inner.all());
    const [result] = await this.write(this);
    if (!result) throw new Error("D1 returned no result");
    return result;
  }

  run() {
    return this.write ? this.all() : this.#wrap(() => this.inner.run());
  }

  async first(column?: string) {
    const [row] = (await this.all()).results as Row[];
    if (!row) return null;
    return column === undefined ? row : row[column];
  }

  /** The columns of a row must have different names. */
  async raw() {
    if (!this.write) return this.#wrap(() => this.inner.raw());
    return ((await this.all()).results as Row[]).map((row) => Object.values(row));
  }
}

/** Whether the statement only reads. A statement that cannot be recognised counts as one that writes. */
function isRead(sql: string): boolean {
  return /^\s*SELECT\b/i.test(sql) || (/^\s*WITH\b/i.test(sql) && !WRITES.test(sql));
}

const WRITES = /\b(INSERT|UPDATE|DELETE|REPLACE)\b/i;
