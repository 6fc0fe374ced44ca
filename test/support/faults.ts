// Bindings that fail or hang, around the real D1 and KV.
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { Bindings } from "../../src/platform/env.ts";
import { SECOND_MS } from "../../src/core/values/time.ts";
import { overriding } from "./counting.ts";
import { createClient, orderOf, simpleProduct } from "./fixtures.ts";
import { startWorker } from "./worker.ts";

export const LOST = "D1_ERROR: Network connection lost.";

export type When = "before the commit" | "after the commit";

type Run = (statements: D1PreparedStatement[]) => Promise<D1Result[]>;

/** D1 with another `batch`, which gets the real one. The nearest replica keeps its own unless `of` is "all". */
export function replacingBatch(
  batch: (statements: D1PreparedStatement[], run: Run) => Promise<D1Result[]>,
  of: "primary" | "all" = "primary",
): D1Database {
  const replaced = <T extends D1Database | D1DatabaseSession>(db: T, methods = {}): T =>
    overriding(db, {
      ...methods,
      batch: (statements: D1PreparedStatement[]) => batch(statements, (all) => db.batch(all)),
    });
  return replaced(env.DB, {
    withSession: (constraint: string) => {
      const session = env.DB.withSession(constraint);
      return of === "all" || constraint === "first-primary" ? replaced(session) : session;
    },
  });
}

/** D1 in which `times` batches after the first `skipped` fail with `error`, before or after they run. */
export function failingBatches(error: Error, when: When, times: number, skipped = 0): D1Database {
  retryAtOnce();
  let calls = 0;
  return replacingBatch(async (statements, run) => {
    calls += 1;
    const fails = calls > skipped && calls <= skipped + times;
    if (fails && when === "before the commit") throw error;
    const results = await run(statements);
    if (fails) throw error;
    return results;
  });
}

/** Sets the random pause before a repeated call of D1 to 0, until the end of the test. */
export function retryAtOnce(): void {
  vi.spyOn(Math, "random").mockReturnValue(0);
}

/** A binding whose methods are all `fail`. */
export function broken(fail: () => unknown): object {
  return new Proxy({}, { get: () => fail });
}

export function deadDatabase(reason = LOST): D1Database {
  const call = () => {
    throw new Error(reason);
  };
  const withSession = () => deadDatabase(reason);
  return { prepare: call, batch: call, withSession } as unknown as D1Database;
}

/** A client, a product, and a Worker with both in its memory. */
export async function warmShop(bindings: Partial<Bindings>) {
  const product = simpleProduct();
  const client = await createClient({ products: [product] });
  const worker = startWorker({ env: bindings });
  await worker.post(client, "/api/order", orderOf(product));
  return { product, client, worker };
}

/**
 * D1 in which the `nth` call and later ones never end. With "after the commit" they are executed.
 * `hangs` resolves when the first of them begins to hang.
 */
export function hangingD1(nth = 1, when: When = "before the commit") {
  let calls = 0;
  const { promise: hangs, resolve: report } = Promise.withResolvers<undefined>();
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls < nth) return run();
    if (when === "after the commit") await run();
    report(undefined);
    return new Promise<T>(() => undefined);
  };
  const statementOf = (statement: D1PreparedStatement): D1PreparedStatement =>
    overriding(statement, {
      bind: (...values) => statementOf(statement.bind(...values)),
      all: () => call(() => statement.all()),
    });
  const hanging = <T extends D1Database | D1DatabaseSession>(db: T): T =>
    overriding(db, {
      prepare: (sql: string) => statementOf(db.prepare(sql)),
      batch: (statements: D1PreparedStatement[]) => call(() => db.batch(statements)),
      withSession: (constraint: string) => hanging((db as D1Database).withSession(constraint)),
    });
  return { DB: hanging(env.DB), hangs };
}

/** Advances the fake timers by `ms`, and checks that `work` ends exactly then. Returns its result. */
export async function takes<T>(ms: number, work: Promise<T>): Promise<T> {
  let ended = false;
  const ending = work.finally(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(ms - 1);
  // Gives work that does not wait for a timer the time to end.
  await scheduler.wait(50);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  return ending;
}

/** Advances the fake timers until `work` ends. Returns its result. */
export async function whileTimeAdvances<T>(work: Promise<T>, stepMs = SECOND_MS): Promise<T> {
  const progress = { ended: false };
  const ending = work.finally(() => {
    progress.ended = true;
  });
  while (!progress.ended) {
    await vi.advanceTimersByTimeAsync(stepMs);
    // Gives work that does not wait for a timer the time to go on.
    await scheduler.wait(5);
  }
  return ending;
}

export function watchLog() {
  return vi.spyOn(console, "error").mockImplementation(() => undefined);
}
