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
import { openShop, orderOf, recipients } from "../support/fixtures.ts";
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

const RECIPIENT = { ...recipients(1)[0], last_name: "Featherstonehaugh" };
const METADATA = { campaign: "secret-campaign" };

/** Gift-link orders that bindings fail in. Returns the secrets of the client and its gift. */
async function failPlacements(): Promise<string[]> {
  const { product, client } = await openShop();
  const { url } = await createWebhook(startWorker(), client);
  const place = async (changes: Partial<Bindings>, caller: Credentials = client) => {
    const body = orderOf(product, { recipient_details: [RECIPIENT], metadata: METADATA });
    return startWorker({ env: changes }).post(caller, "/api/gift-link", body);
  };
  const placed = await place({});
  const queue = overriding(env.WEBHOOK_QUEUE, { sendBatch: down });
  expect((await place({ KV: broken(down) as KVNamespace })).status).toBe(200);
  expect((await place({ RATE_LIMITER: { limit: down } })).status).toBe(200);
  expect((await place({ WEBHOOK_QUEUE: queue })).status).toBe(200);
  expect((await place({ DB: deadDatabase() })).status).toBe(503);
  expect((await place({ DB: env.EMPTY_DB })).status).toBe(500);
  expect((await place({}, { ...client, apiKey: "guessed-key" })).status).toBe(401);
  expect((await place({ WEBHOOK_SECRET: "short" })).status).toBe(503);
  const path = new URL(placed.json.recipient_return[0].gift_url as string).pathname;
  await failPage(path);
  const { apiKey, apiPassword } = client;
  return [apiKey, apiPassword, new URL(url).pathname, path.replace("/redeem/", "")];
}

async function failPage(path: string): Promise<void> {
  const ASSETS = overriding(env.ASSETS, { fetch: down });
  // A new module has not loaded any texts.
  vi.resetModules();
  const { createApp } = await import("../../src/app.ts");
  const page = new Request(new URL(`${path}?name=Featherstonehaugh`, env.PUBLIC_URL));
  await createApp().fetch(page, { ...env, ASSETS }, createExecutionContext());
}

/** The cron handler and the consumer of the queue, in which bindings fail. */
async function failInBackground(): Promise<void> {
  const { expiresAtMs } = await createExpiring({ days: 1 });
  const failing = overriding(env.DB, { batch: () => Promise.reject(new Error(LOST)) });
  await expect(expireGifts(failing, expiresAtMs)).rejects.toThrow();
  await expect(handleCron({ ...env, DB: deadDatabase() })).rejects.toThrow();
  const KV = broken(down) as KVNamespace;
  const emails = { emailFault: null, emailsPausedUntilMs: null, emailsDueMs: null };
  const health = { cronSucceededAtMs: 0, lastCheck: null, ...emails };
  await publishHealth({ ...env, KV }, health, 0);
  const context = createExecutionContext();
  const messages = [{ body: { type: "webhook", webhookId: 1 } } as Message];
  await handleQueue({ queue: "webhooks", messages }, { ...env, DB: deadDatabase() }, context);
  await waitOnExecutionContext(context);
}

test("every failure has an event and a code, and no line contains what must stay secret", async () => {
  // Retries do not wait.
  vi.spyOn(scheduler, "wait").mockResolvedValue();
  const lines: string[] = [];
  for (const name of ["log", "error", "warn", "info", "debug"] as const) {
    vi.spyOn(console, name).mockImplementation((...values: unknown[]) => {
      lines.push(values.join(" "));
    });
  }
  const secrets = await failPlacements();
  await failInBackground();

  const logged = lines.map((line) => JSON.parse(line) as { event: string; code?: string });
  expect([...new Set(logged.map(({ event }) => event))].sort()).toEqual([...CAUSED].sort());
  const failures = logged.filter(({ event }) => event !== "request");
  expect(new Set(failures.map(({ code }) => code))).toEqual(
    new Set(["service_unavailable", "internal_error"]),
  );
  for (const secret of [
    ...["guessed-key", env.GIFT_LINK_SECRET, env.WEBHOOK_SECRET, ...secrets],
    ...["Featherstonehaugh", "recipient0@example.com", "+61", "Plane Tree", "secret-campaign"],
  ]) {
    expect(lines.join("\n")).not.toContain(secret);
  }
});
