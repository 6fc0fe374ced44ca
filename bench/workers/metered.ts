// Regalo with the meters of the tests. A header of each response contains the resources that were used, including those
// of the work after the response, and the calls that the response waited for.
import "./quiet.ts";
import { createApp } from "../../src/app.ts";
import { kvKey } from "../../src/platform/cache/tiered.ts";
import { CLIENT_KEY_PREFIX } from "../../src/features/clients/cache.ts";
import { PAGE_KEY_PREFIX } from "../../src/features/catalogue/pages.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { sendDueEmails } from "../../src/features/email/outbox/run.ts";
import { receiveReports } from "../../src/features/email/reports.ts";
import { deliver } from "../../src/features/webhooks/delivery/run.ts";
import { meteredD1, meteredKv, newMeter } from "../../test/support/counting.ts";
import { Trace, tracedD1, tracedKv } from "../trace.ts";

let app = createApp();

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/forget") {
      await forget(env, searchParams.has("kv"));
      return new Response();
    }
    const meter = newMeter();
    // The work of a message of the queue.
    if (pathname === "/deliver") {
      const d1 = meteredD1(env.DB, meter);
      await deliver({ d1, env, now: Date.now }, Number(searchParams.get("webhook_id")));
      return new Response(null, {
        headers: { "Bench-Meter": JSON.stringify({ ...meter, bytesOut: 0, calls: [] }) },
      });
    }
    // A run of the outbox, and the reports about its e-mails in one batch.
    if (pathname === "/emails") {
      const reports: Message[] = [];
      const send = () => {
        const messageId = `message-${crypto.randomUUID()}`;
        reports.push(delivered(messageId));
        return Promise.resolve({ messageId });
      };
      const DB = meteredD1(env.DB, meter);
      const production = { ...env, DB, EMAIL: { send }, ENVIRONMENT: "production" as const };
      await sendDueEmails({ d1: DB, env: production, now: Date.now });
      await receiveReports(reports, production, Date.now);
      return new Response(null, {
        headers: { "Bench-Meter": JSON.stringify({ ...meter, bytesOut: 0, calls: [] }) },
      });
    }
    const afterwards: Promise<unknown>[] = [];
    const trace = new Trace();
    const { promise: responded, resolve: respond } = Promise.withResolvers<undefined>();
    const response = await app.fetch(
      request,
      {
        ...env,
        DB: tracedD1(meteredD1(env.DB, meter), trace),
        KV: tracedKv(meteredKv(env.KV, meter), trace, responded),
      },
      {
        waitUntil: (work: Promise<unknown>) => afterwards.push(work),
        passThroughOnException: () => undefined,
        props: {},
      },
    );
    const gzipped = response.headers.get("Content-Encoding") === "gzip";
    const body = await response.arrayBuffer();
    const calls = [...trace.calls];
    respond(undefined);
    await Promise.all(afterwards);
    const headers = new Headers(response.headers);
    headers.set("Bench-Meter", JSON.stringify({ ...meter, bytesOut: body.byteLength, calls }));
    return new Response(body, {
      status: response.status,
      headers,
      ...(gzipped && { encodeBody: "manual" as const }),
    });
  },
};

/** A message of the queue of reports. */
const delivered = (messageId: string) =>
  ({
    attempts: 1,
    body: { type: "cf.email.sending.message.delivered", payload: { messageId } },
    ack: () => undefined,
  }) as unknown as Message;

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
