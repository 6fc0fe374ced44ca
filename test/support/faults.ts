// Bindings that fail or hang, around the real D1 and KV.
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { Bindings } from "../../src/env.ts";
import { overriding } from "./counting.ts";
import { createClient, orderOf, simpleProduct } from "./fixtures.ts";
import { startWorker } from "./worker.ts";

export const LOST = "D1_ERROR: Network connection lost.";

export type When = "before the commit" | "after the commit";

/** D1 whose next `times` batches fail with `error`, before they run or when they have. */
export function failingBatches(error: Error, when: When, times: number): D1Database {
  let left = times;
  return overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      const fails = left-- > 0;
      if (fails && when === "before the commit") throw error;
      const results = await env.DB.batch(statements);
      if (fails) throw error;
      return results;
    },
  });
}

/** A binding every use of which fails so. */
export function broken(fail: () => unknown): object {
  return new Proxy({}, { get: () => fail });
}

export const deadDatabase = () =>
  broken(() => {
    throw new Error(LOST);
  }) as D1Database;

/** A client whose record, and whose product's offer, the returned Worker has in its memory. */
export async function warmShop(bindings: Partial<Bindings>) {
  const product = simpleProduct();
  const client = await createClient({ products: [product] });
  const worker = startWorker({ env: bindings });
  await worker.post(client, "/api/order", orderOf(product));
  return { product, client, worker };
}

/**
 * The real D1, where the `nth` call and those after it never end; those "after the commit" have been carried out.
 * `hangs` resolves when one does.
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

/** What `work` gives when `ms` have passed, and not a millisecond earlier; timers wait for the test. */
export async function takes<T>(ms: number, work: Promise<T>): Promise<T> {
  let ended = false;
  const ending = work.finally(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(ms - 1);
  // Whatever is not waiting for a timer ends by itself meanwhile.
  await scheduler.wait(50);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  return ending;
}

export function watchLog() {
  return vi.spyOn(console, "error").mockImplementation(() => undefined);
}
