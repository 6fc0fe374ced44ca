// D1 with a deadline on every call: D1 can stall for longer than a caller waits.
import { within } from "../deadline.ts";

const D1_DEADLINE_MS = 10_000;

/** The database with the methods that the Worker uses, each of which ends within the deadline. */
export function withDeadline(d1: D1Database): D1Database {
  return new DatabaseWithDeadline(d1) as unknown as D1Database;
}

const inTime = <T>(call: Promise<T>) => within(D1_DEADLINE_MS, "D1", call);

class DatabaseWithDeadline<Inner extends D1Database | D1DatabaseSession> {
  readonly #inner: Inner;

  constructor(inner: Inner) {
    this.#inner = inner;
  }

  prepare(sql: string) {
    return new StatementWithDeadline(this.#inner.prepare(sql));
  }

  batch<T>(statements: StatementWithDeadline[]) {
    return inTime(this.#inner.batch<T>(statements.map(({ inner }) => inner)));
  }

  withSession(this: DatabaseWithDeadline<D1Database>, constraint: D1SessionConstraint) {
    return new DatabaseWithDeadline(this.#inner.withSession(constraint));
  }
}

class StatementWithDeadline {
  readonly inner: D1PreparedStatement;

  constructor(inner: D1PreparedStatement) {
    this.inner = inner;
  }

  bind(...values: unknown[]) {
    return new StatementWithDeadline(this.inner.bind(...values));
  }

  first<T>() {
    return inTime(this.inner.first<T>());
  }

  all<T>() {
    return inTime(this.inner.all<T>());
  }
}
