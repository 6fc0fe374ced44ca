// Wraps every call to D1, for example with a deadline.

export type CallWrapper = <T>(call: () => Promise<T>) => Promise<T>;

/** The database with `wrap` applied to each call. It has only the methods that the project uses. */
export function wrapCalls(d1: D1Database, wrap: CallWrapper): D1Database {
  return new WrappedDatabase(d1, wrap) as unknown as D1Database;
}

class WrappedDatabase<Inner extends D1Database | D1DatabaseSession> {
  readonly #inner: Inner;
  readonly #wrap: CallWrapper;

  constructor(inner: Inner, wrap: CallWrapper) {
    this.#inner = inner;
    this.#wrap = wrap;
  }

  prepare(sql: string) {
    return new WrappedStatement(this.#inner.prepare(sql), this.#wrap);
  }

  batch<T>(statements: WrappedStatement[]) {
    return this.#wrap(() => this.#inner.batch<T>(statements.map(({ inner }) => inner)));
  }

  withSession(this: WrappedDatabase<D1Database>, constraint: D1SessionConstraint) {
    return new WrappedDatabase(this.#inner.withSession(constraint), this.#wrap);
  }

  getBookmark(this: WrappedDatabase<D1DatabaseSession>) {
    return this.#inner.getBookmark();
  }
}

class WrappedStatement {
  readonly inner: D1PreparedStatement;
  readonly #wrap: CallWrapper;

  constructor(inner: D1PreparedStatement, wrap: CallWrapper) {
    this.inner = inner;
    this.#wrap = wrap;
  }

  bind(...values: unknown[]) {
    return new WrappedStatement(this.inner.bind(...values), this.#wrap);
  }

  first<T>(column?: string) {
    return this.#wrap(() =>
      column === undefined ? this.inner.first<T>() : this.inner.first<T>(column),
    );
  }

  all<T>() {
    return this.#wrap(() => this.inner.all<T>());
  }

  run<T>() {
    return this.#wrap(() => this.inner.run<T>());
  }

  raw<T>() {
    return this.#wrap(() => this.inner.raw<T[]>());
  }
}
