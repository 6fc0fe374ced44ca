// The log: its events have stable names and codes, and no line contains personal data, secrets or paths of gift links.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { handleCron } from "../../src/cron.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { publishHealth } from "../../src/features/health/summary.ts";
import { expireGifts } from "../../src/features/lifecycle/expire.ts";
import type { LogEvent } from "../../src/platform/log.ts";
import { handleQueue } from "../../src/queue.ts";
import { overriding } from "../support/counting.ts";
import { createExpiring } from "../support/expiry.ts";
import { broken, deadDatabase, LOST } from "../support/faults.ts";
import { createClient, orderOf, recipients, simpleProduct } from "../support/fixtures.ts";
import { createWebhook } from "../support/webhooks.ts";
import { type Credentials, startWorker } from "../support/worker.ts";

/** The events that this test causes. Other tests cause the others. */
const CAUSED: LogEvent[] = [
  ...([
    "cache.read_failed",
    "cache.write_failed",
    "configuration.invalid",
    "cron.task_failed",
  ] as const),
  ...(["expiry.failed", "health.publish_failed", "page.failed", "rate_limiter.failed"] as const),
  ...(["request", "request.failed", "webhook.delivery_failed", "webhook.nudge_failed"] as const),
];

const down = () => Promise.reject(new Error("the binding is down"));

test("every failure has an event and a code, and no line contains what must stay secret", async () => {
  const lines: string[] = [];
  for (const name of ["log", "error", "warn", "info", "debug"] as const) {
    vi.spyOn(console, name).mockImplementation((...values: unknown[]) => {
      lines.push(values.join(" "));
    });
  }
  const product = simpleProduct();
  const client = await createClient({ products: [product] });
  const worker = startWorker();
  const { url } = await createWebhook(worker, client);
  const [recipient] = recipients(1);
  const body = () =>
    orderOf(product, {
      recipient_details: [{ ...recipient, last_name: "Featherstonehaugh" }],
      metadata: { campaign: "secret-campaign" },
    });
  const placed = await worker.post(client, "/api/gift-link", body());
  const gift = new URL(placed.json.recipient_return[0].gift_url as string).pathname;
  const place = async (changes: Partial<Bindings>, caller: Credentials = client) =>
    (await startWorker({ env: changes }).post(caller, "/api/gift-link", body())).status;

  expect(await place({ KV: broken(down) as KVNamespace })).toBe(200);
  expect(await place({ RATE_LIMITER: { limit: down } })).toBe(200);
  expect(await place({ WEBHOOK_QUEUE: overriding(env.WEBHOOK_QUEUE, { sendBatch: down }) })).toBe(
    200,
  );
  expect(await place({ DB: deadDatabase() })).toBe(503);
  expect(await place({ DB: env.EMPTY_DB })).toBe(500);
  expect(await place({}, { ...client, apiKey: "guessed-key" })).toBe(401);
  expect(await place({ WEBHOOK_SECRET: "short" })).toBe(503);
  const ASSETS = overriding(env.ASSETS, { fetch: down });
  // A new module has not loaded any texts.
  vi.resetModules();
  const { createApp } = await import("../../src/app.ts");
  const page = new Request(new URL(`${gift}?name=Featherstonehaugh`, env.PUBLIC_URL));
  await createApp().fetch(page, { ...env, ASSETS }, createExecutionContext());

  const { expiresAtMs } = await createExpiring({ days: 1 });
  const failing = overriding(env.DB, { batch: () => Promise.reject(new Error(LOST)) });
  await expect(expireGifts(failing, expiresAtMs)).rejects.toThrow();
  await expect(handleCron({ ...env, DB: deadDatabase() })).rejects.toThrow();
  const KV = broken(down) as KVNamespace;
  const emails = { emailFault: null, emailsPausedUntilMs: null, emailsDueMs: null };
  const health = { cronSucceededAtMs: 0, lastCheck: null, ...emails };
  await publishHealth({ ...env, KV }, health, 0);
  const context = createExecutionContext();
  const messages = [{ body: { webhookId: 1 } } as Message];
  await handleQueue({ queue: "webhooks", messages }, { ...env, DB: deadDatabase() }, context);
  await waitOnExecutionContext(context);

  const logged = lines.map((line) => JSON.parse(line) as { event: string; code?: string });
  expect([...new Set(logged.map(({ event }) => event))].sort()).toEqual([...CAUSED].sort());
  const failures = logged.filter(({ event }) => event !== "request");
  expect(new Set(failures.map(({ code }) => code))).toEqual(
    new Set(["service_unavailable", "internal_error"]),
  );
  const secrets = [
    ...[client.apiKey, client.apiPassword, "guessed-key", env.GIFT_LINK_SECRET, env.WEBHOOK_SECRET],
    ...["Featherstonehaugh", "recipient0@example.com", "+61", "Plane Tree", "secret-campaign"],
    ...[new URL(url).pathname, gift.replace("/redeem/", "")],
  ];
  for (const secret of secrets) expect(lines.join("\n")).not.toContain(secret);
});
