// Regalo behind the tests' meters: each answer tells in a header what it took, work after the answer included.
import "./quiet.ts";
import { createApp } from "../../src/app.ts";
import { CLIENT_KEY_PREFIX } from "../../src/clients/cache.ts";
import { PAGE_KEY_PREFIX } from "../../src/catalogue/pages.ts";
import type { Bindings } from "../../src/env.ts";
import { meteredD1, meteredKv, newMeter } from "../../test/support/counting.ts";

let app = createApp();

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    if (new URL(request.url).pathname === "/forget") {
      await forget(env.KV);
      return new Response();
    }
    const meter = newMeter();
    const afterwards: Promise<unknown>[] = [];
    const answer = await app.fetch(
      request,
      { ...env, DB: meteredD1(env.DB, meter), KV: meteredKv(env.KV, meter) },
      {
        waitUntil: (work: Promise<unknown>) => afterwards.push(work),
        passThroughOnException: () => undefined,
        props: {},
      },
    );
    const gzipped = answer.headers.get("Content-Encoding") === "gzip";
    const body = await answer.arrayBuffer();
    await Promise.all(afterwards);
    const headers = new Headers(answer.headers);
    headers.set("Bench-Meter", JSON.stringify({ ...meter, bytesOut: body.byteLength }));
    return new Response(body, {
      status: answer.status,
      headers,
      ...(gzipped && { encodeBody: "manual" as const }),
    });
  },
};

/** As after a deployment in a place that was never asked before: nothing in the isolate, nothing in KV. */
async function forget(kv: KVNamespace): Promise<void> {
  app = createApp();
  for (const prefix of [CLIENT_KEY_PREFIX, PAGE_KEY_PREFIX]) {
    for (const { name } of (await kv.list({ prefix })).keys) await kv.delete(name);
  }
}
