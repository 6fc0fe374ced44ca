// The demo data in workerd, and the trials of the document, sent by its clients.
import { env } from "cloudflare:workers";
import { beforeAll, expect } from "vitest";
import { seed } from "../../src/cli/seed.ts";
import { bodyOf, type Trial } from "../../src/docs/trials.ts";
import type { Bindings } from "../../src/platform/env.ts";
import type { Call } from "../../src/platform/http/documentation.ts";
import { lossyQueue } from "../support/delivery.ts";
import { MAILING } from "../support/emails.ts";
import { type Answer, authHeaders, startWorker, type TestWorker } from "../support/worker.ts";

/** Adds the demo data to the database of the file. */
export const useDemoData = (nowMs = Date.now()) => {
  beforeAll(() => seed(env, nowMs));
};

export const demoClient = (clientId = "demo") => ({
  clientId,
  apiKey: `${clientId}-key`,
  apiPassword: `${clientId}-password`,
});

/** Sends e-mails as the sandbox does, and no events to webhook endpoints. */
export const startDemoWorker = (now?: () => number, more: Partial<Bindings> = {}) =>
  startWorker({ ...(now && { now }), env: { WEBHOOK_QUEUE: lossyQueue, ...MAILING, ...more } });

const LIMITED = startDemoWorker(undefined, { RATE_LIMITER: env.SMALL_RATE_LIMITER });
/** The requests that two windows of the small limit permit, since requests may fall into two windows. */
const MOST_PERMITTED = 6;

/** Sends the requests of the trial, and returns the response to the last one. */
export async function sendTrial(worker: TestWorker, { title, calls }: Trial): Promise<Answer> {
  const last = calls.at(-1) as Call;
  // Of the demo clients, this one pays by invoice.
  const client = demoClient(calls.some(({ invoice }) => invoice) ? "demo-two" : "demo");
  let suborderId: number | undefined;
  const send = (call: Call, to = worker) => {
    const [method = "", path = ""] = call.request.split(" ");
    const body = bodyOf(call, title, suborderId);
    const query = body === undefined && call.selects ? `?suborder_id=${String(suborderId)}` : "";
    const headers = {
      ...authHeaders(client),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...call.headers,
    };
    return to.fetch(path + query, { method, headers, ...(body !== undefined && { body }) });
  };
  for (const call of calls.slice(0, -1)) {
    const { status, text, json } = await send(call);
    expect(status, text).toBe(200);
    suborderId ??= json.recipient_return?.[0]?.suborder_id as number | undefined;
  }
  const to = last.untilLimit ? LIMITED : worker;
  let answer = await send(last, to);
  for (let sent = 1; last.untilLimit && answer.status === 200 && sent <= MOST_PERMITTED; sent++) {
    answer = await send(last, to);
  }
  return answer;
}
