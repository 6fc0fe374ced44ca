// Every handler while a binding does not answer.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type operators from "../../src/console/index.ts";
import { handleCron } from "../../src/cron.ts";
import { MINUTE_MS } from "../../src/core/values/time.ts";
import { DEADLINES_MS } from "../../src/platform/deadlines.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { openConsole } from "../console/console.ts";
import { createReceivingWebhook, lossyQueue } from "../support/delivery.ts";
import { MAILING, placeGifts, resetOutbox } from "../support/emails.ts";
import { broken, hangingD1, watchLog, whileTimeAdvances } from "../support/faults.ts";
import { openShop } from "../support/fixtures.ts";
import { authHeaders, startWorker } from "../support/worker.ts";

type Workers = Awaited<ReturnType<typeof loadWorkers>>;

const PRODUCTION: Partial<Bindings> = {
  ...MAILING,
  ENVIRONMENT: "production",
  PUBLIC_URL: "https://api.regalo.example",
};

/** A binding whose calls never end. `hangs` resolves when it is called. */
function hanging(name: string): Partial<Bindings> & { hangs: Promise<unknown> } {
  if (name === "DB") return hangingD1();
  const { promise: hangs, resolve: report } = Promise.withResolvers<undefined>();
  const binding = broken(() => {
    report(undefined);
    return new Promise(() => undefined);
  });
  return { [name]: binding, hangs };
}

const loadWorkers = async () => ({
  api: (await import("../../src/index.ts")).default,
  local: (await import("../../src/local/index.ts")).default,
});

/** A call of each handler of both Workers, with work for each binding. A new handler needs a call here. */
async function handlersFor(bindings: Bindings, { api, local }: Workers) {
  const shop = await openShop();
  await createReceivingWebhook(shop.client);
  const order = await placeGifts(
    startWorker({ env: { ...MAILING, WEBHOOK_QUEUE: lossyQueue } }),
    shop,
    1,
  );
  const user = await (await openConsole({ env: bindings })).signIn("viewer");
  const path = new URL(order.gifts[0]?.gift_url ?? "").pathname;
  const run = async (call: (context: ExecutionContext) => unknown) => {
    const context = createExecutionContext();
    await call(context);
    await waitOnExecutionContext(context);
  };
  const request = (target: string) =>
    new Request<unknown, IncomingRequestCfProperties>(new URL(target, bindings.PUBLIC_URL), {
      headers: authHeaders(shop.client),
    });
  const message = (queue: string, body: object) =>
    ({ queue, messages: [{ body, ack: () => undefined }] }) as unknown as MessageBatch<never>;
  const report = { type: "cf.email.sending.message.delivered", payload: { messageId: "1" } };
  const controller = {} as ScheduledController;
  type Name =
    `api.${keyof typeof api}` | `console.${keyof typeof operators}` | `local.${keyof typeof local}`;
  const calls: Record<Name, (() => Promise<unknown>)[]> = {
    "api.scheduled": [() => api.scheduled(controller, bindings)],
    "api.fetch": ["/api/products", path, "/oauth/authorize?client_id=a"].map(
      (target) => () => run((context) => api.fetch(request(target), bindings, context)),
    ),
    "api.queue": [
      message("webhooks", { type: "webhook", webhookId: 1 }),
      message("webhooks", { type: "emails" }),
      message("email-reports", report),
    ].map((batch) => () => run((context) => api.queue(batch, bindings, context))),
    "console.fetch": [() => user.get("/")],
    "local.scheduled": [() => local.scheduled(controller, bindings)],
    "local.fetch": [() => run((context) => local.fetch(request("/mailbox"), bindings, context))],
    // That of the API.
    "local.queue": [],
  };
  return Object.values(calls).flat();
}

// Takes most of a second.
beforeAll(loadWorkers);

beforeEach(async () => {
  watchLog();
  await resetOutbox();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.each(Object.keys(DEADLINES_MS))("%s that hangs", (name) => {
  test("keeps no handler of either Worker waiting", async () => {
    const { hangs, ...changes } = hanging(name);
    const bindings = { ...env, EMAIL: env.EMAIL_SERVICE, ...PRODUCTION, ...changes } as Bindings;
    // New modules have not loaded any static files.
    if (name === "ASSETS") vi.resetModules();
    const calls = await handlersFor(bindings, await loadWorkers());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    for (const call of calls) await whileTimeAdvances(Promise.allSettled([call()]), MINUTE_MS);
    await hangs;
  });
});

test("a queue that hangs fails its tasks of the cron handler, and no others", async () => {
  const shop = await openShop();
  await createReceivingWebhook(shop.client);
  await placeGifts(startWorker({ env: { ...MAILING, WEBHOOK_QUEUE: lossyQueue } }), shop);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const running = handleCron({ ...env, ...MAILING, ...hanging("WEBHOOK_QUEUE") });
  const error = await whileTimeAdvances(running.catch(String));
  expect(error).toBe("Error: failed: webhook_sweep, email_sweep, vendor_sweep");
});

test("the first page of the console is shown while KV hangs", async () => {
  const user = await (await openConsole({ env: hanging("KV") })).signIn("viewer");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  expect((await whileTimeAdvances(user.get("/"))).status).toBe(200);
});
