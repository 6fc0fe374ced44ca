// Regalo with the meters of the tests. A header of each response contains the resources that were used, including those
// of the work after the response, and the calls that the response waited for.
import { createApp } from "../../src/app.ts";
import { kvKey } from "../../src/platform/cache/tiered.ts";
import { wrapCalls } from "../../src/platform/db/wrapped-calls.ts";
import { CLIENT_KEY_PREFIX } from "../../src/features/clients/cache.ts";
import { PAGE_KEY_PREFIX } from "../../src/features/catalogue/pages.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { deliver } from "../../src/features/webhooks/delivery/run.ts";
import {
  type Meter,
  meteredD1,
  meteredKv,
  newMeter,
  overriding,
} from "../../test/support/counting.ts";
import type { Store } from "../requests.ts";

// Locally, log lines would be written to a pipe that the process of the load reads.
console.log = () => undefined;

let app = createApp();

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/forget") {
      await forget(env, searchParams.has("kv"));
      return new Response();
    }
    const meter = newMeter();
    const d1 = meteredD1(env.DB, meter);
    // The work of a message of the queue.
    if (pathname === "/deliver") {
      await deliver({ d1, env, now: Date.now }, Number(searchParams.get("webhook_id")));
      return new Response(null, { headers: headersOf(meter, []) });
    }
    const afterwards: Promise<unknown>[] = [];
    const trace: Traced[] = [];
    const response = await app.fetch(
      request,
      { ...env, DB: tracedD1(d1, trace), KV: tracedKv(meteredKv(env.KV, meter), trace) },
      {
        waitUntil: (work: Promise<unknown>) => afterwards.push(work),
        passThroughOnException: () => undefined,
        props: {},
      },
    );
    const calls = trace.filter(({ hasEnded }) => hasEnded).map(({ store }) => store);
    const body = await response.arrayBuffer();
    // Work after the response may start further work.
    while (afterwards.length > 0) await afterwards.pop();
    return new Response(body, { status: response.status, headers: headersOf(meter, calls) });
  },
};

/** A call. Calls that have not ended with the response are work after it. */
interface Traced {
  store: Store;
  hasEnded: boolean;
}

const headersOf = (meter: Meter, calls: Store[]) => ({
  "Bench-Meter": JSON.stringify({ ...meter, calls }),
});

/** The database with the store of each call recorded. Throws if calls overlap: their times would not add up. */
function tracedD1(d1: D1Database, trace: Traced[]): D1Database {
  let running = false;
  const tracedAs = (db: D1Database | D1DatabaseSession, store: Store) =>
    wrapCalls(db as D1Database, async (call) => {
      if (running) throw new Error("two calls to D1 at the same time");
      running = true;
      const traced: Traced = { store, hasEnded: false };
      trace.push(traced);
      try {
        return await call();
      } finally {
        running = false;
        traced.hasEnded = true;
      }
    });
  return overriding(tracedAs(d1, "primary"), {
    withSession: (constraint: string) =>
      tracedAs(d1.withSession(constraint), constraint === "first-primary" ? "primary" : "nearest"),
  });
}

function tracedKv(kv: KVNamespace, trace: Traced[]): KVNamespace {
  return overriding(kv, {
    getWithMetadata: async (...args: Parameters<KVNamespace["getWithMetadata"]>) => {
      const traced: Traced = { store: "KV hit", hasEnded: false };
      trace.push(traced);
      const found = await kv.getWithMetadata(...args);
      if ((found as unknown as { value: unknown }).value === null) traced.store = "KV miss";
      traced.hasEnded = true;
      return found;
    },
  });
}

/** Clears the caches in the isolate, and those in KV if `inKv`, as if the Worker had just been deployed. */
async function forget(env: Bindings, inKv: boolean): Promise<void> {
  app = createApp();
  if (!inKv) return;
  for (const prefix of [CLIENT_KEY_PREFIX, PAGE_KEY_PREFIX]) {
    for (const { name } of (await env.KV.list({ prefix: kvKey(env, prefix) })).keys) {
      await env.KV.delete(name);
    }
  }
}
