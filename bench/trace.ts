// Records the calls that a request waits for: their stores, and which calls had ended when each one began.
import { wrapCalls } from "../src/platform/db/wrapped-calls.ts";
import { overriding } from "../test/support/counting.ts";

/**
 * `primary` is D1's primary, `nearest` the nearest replica, which is recent enough. `KV hit` was in the
 * location's cache of KV. `KV miss` was read from KV's central stores.
 */
export type Store = "primary" | "nearest" | "KV hit" | "KV miss";

export interface TracedCall {
  store: Store;
  /** The positions of the calls that had ended when this one began. The request waited for them. */
  after: number[];
  /** The positions of the reads from KV that went on when this call began: the Worker waited for a while. */
  during: number[];
}

export class Trace {
  readonly calls: TracedCall[] = [];
  readonly #ended: number[] = [];
  readonly #missing: number[] = [];

  /** `responded` ends after the response. A miss ends then: it takes longer than the Worker waits for it alone. */
  async record<T>(store: Store, run: () => Promise<T>, responded?: Promise<unknown>): Promise<T> {
    const call = { store, after: [...this.#ended], during: [...this.#missing] };
    const position = this.calls.push(call) - 1;
    const result = await run();
    if (store === "KV hit" && isMiss(result)) {
      call.store = "KV miss";
      this.#missing.push(position);
      await responded;
    }
    this.#ended.push(position);
    return result;
  }
}

const isMiss = (found: unknown) => (found as { value: unknown }).value === null;

/** The database with each call recorded. */
export function tracedD1(d1: D1Database, trace: Trace): D1Database {
  const tracedAs = (db: D1Database | D1DatabaseSession, store: Store) =>
    wrapCalls(db as D1Database, (call) => trace.record(store, call));
  return overriding(tracedAs(d1, "primary"), {
    withSession: (constraint: string) =>
      tracedAs(d1.withSession(constraint), constraint === "first-primary" ? "primary" : "nearest"),
  });
}

/**
 * The namespace with each read recorded. Writes wait for `responded`, so a request that waited for one would never end:
 * the Worker writes to KV after the response only.
 */
export function tracedKv(kv: KVNamespace, trace: Trace, responded: Promise<unknown>): KVNamespace {
  return overriding(kv, {
    getWithMetadata: (...args: Parameters<KVNamespace["getWithMetadata"]>) =>
      trace.record("KV hit", () => kv.getWithMetadata(...args), responded),
    put: async (...args: Parameters<KVNamespace["put"]>) => {
      await responded;
      return kv.put(...args);
    },
  });
}
