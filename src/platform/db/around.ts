// Wraps every call to D1, for example with a deadline.

export type Around = <T>(call: () => Promise<T>) => Promise<T>;

/** The database with `around` applied to each call. It has only the methods that the project uses. */
export function aroundCalls(d1: D1Database, around: Around): D1Database {
  return new DatabaseAround(d1, around) as unknown as D1Database;
}

class DatabaseAround<Inner extends D1Database | D1DatabaseSession> {
  readonly #inner: Inner;
  readonly #around: Around;

  constructor(inner: Inner, around: Around) {
    this.#inner = inner;
    this.#around = around;
  }

  prepare(sql: string) {
    return new StatementAround(this.#inner.prepare(sql), this.#around);
  }

  batch<T>(statements: StatementAround[]) {
    return this.#around(() => this.#inner.batch<T>(statements.map(({ inner }) => inner)));
  }

  withSession(this: DatabaseAround<D1Database>, constraint: D1SessionConstraint) {
    return new DatabaseAround(this.#inner.withSession(constraint), this.#around);
  }
}

class StatementAround {
  readonly inner: D1PreparedStatement;
  readonly #around: Around;

  constructor(inner: D1PreparedStatement, around: Around) {
    this.inner = inner;
    this.#around = around;
  }

  bind(...values: unknown[]) {
    return new StatementAround(this.inner.bind(...values), this.#around);
  }

  first<T>(column?: string) {
    return this.#around(() =>
      column === undefined ? this.inner.first<T>() : this.inner.first<T>(column),
    );
  }

  all<T>() {
    return this.#around(() => this.inner.all<T>());
  }

  run<T>() {
    return this.#around(() => this.inner.run<T>());
  }

  raw<T>() {
    return this.#around(() => this.inner.raw<T[]>());
  }
}
