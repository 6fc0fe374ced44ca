// The state of the environment.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { saveCronSuccess } from "../../../src/features/health/state-queries.ts";
import { HOUR_MS } from "../../../src/core/values/time.ts";
import { openConsole } from "../../console/console.ts";
import { MAILING, resetOutbox } from "../../support/emails.ts";
import { createClient, simpleProduct } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { createWebhook, setColumns } from "../../support/webhooks.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const nowMs = Date.now();
const worker = startWorker();

const opened = await openConsole({ now: () => nowMs, env: MAILING });
const api = await openOperatorApi(["viewer"], opened);

const problems = async (input = {}) => {
  const { lists } = await api.view("health", input);
  return (lists["problems"] ?? []).map(({ problem }) => problem as string);
};

beforeAll(async () => {
  await resetOutbox();
  await saveCronSuccess(env.DB, nowMs);
});

test("has no problem while everything works", async () => {
  const { facts, hasProblems, lists, text } = await api.view("health");
  expect([hasProblems, text]).toEqual([undefined, "Everything works."]);
  expect(lists).toEqual({ differences: [], endpoints: [] });
  expect(facts).toMatchObject({
    cron_succeeded: new Date(nowMs).toISOString(),
    emails: "ok",
    database_megabytes: expect.stringMatching(/^\d+\.\d$/),
  });
  const { meter } = await api.call("health");
  expect(meter.roundTrips).toBe(4);
});

test("shows an old success of the cron handler, until it succeeds again", async () => {
  await saveCronSuccess(env.DB, nowMs - HOUR_MS);
  const shown = await api.view("health");
  expect(shown.hasProblems).toBe(true);
  expect(await problems()).toHaveLength(1);
  const page = await (await opened.signIn("viewer")).get("/health");
  expect(page.text).toContain((await problems())[0]);
  await saveCronSuccess(env.DB, nowMs);
  expect(await problems()).toEqual([]);
});

test("shows overdue work and failing endpoints", async () => {
  const { orderId, client } = await createGift(worker, [simpleProduct()]);
  const { webhook_id: id } = await createWebhook(worker, client);
  const disabled = await createWebhook(worker, await createClient());
  await sql("UPDATE orders SET next_expiry_check_ms = 1000 WHERE id = ?", orderId).run();
  await sql("UPDATE events SET created_at_ms = ? WHERE order_id = ?", nowMs - HOUR_MS, orderId)
    .run()
    .catch(() => undefined);
  await setColumns(id, { position: 0 });
  await setColumns(disabled.webhook_id, { status: "disabled", disabled_reason: "failing" });
  const { facts, lists, text } = await api.view("health");
  expect(text).toContain("1 failing webhook");
  expect(facts).toMatchObject({ orders_to_expire: 1, oldest_delivery: expect.any(String) });
  expect(lists["endpoints"]).toMatchObject([
    { webhook: disabled.webhook_id, status: "disabled", reason: "failing" },
  ]);
  expect((await problems()).join()).toContain("1 order with gifts overdue for expiry");
  await sql("UPDATE orders SET next_expiry_check_ms = NULL WHERE id = ?", orderId).run();
  for (const each of [id, disabled.webhook_id]) {
    await setColumns(each, { status: "deleted", disabled_reason: null });
  }
});

test("runs all checks, whose result later calls show", async () => {
  expect(await problems({ full: true })).toEqual([]);
  const { orderId } = await createGift(worker, [simpleProduct()]);
  await sql("UPDATE orders SET shipped_gifts = 1 WHERE id = ?", orderId).run();
  expect(await problems()).toEqual([]);
  const full = await api.view("health", { full: true });
  const difference = { check: "orders", field: "shipped_gifts", expected: 0, found: 1 };
  expect(full.lists["differences"]).toMatchObject([difference]);
  const later = await api.view("health");
  expect(later.facts).toMatchObject({ checked: new Date(nowMs).toISOString(), differences: 1 });
  expect(later.lists["differences"]).toEqual(full.lists["differences"]);
  await sql("UPDATE orders SET shipped_gifts = 0 WHERE id = ?", orderId).run();
  expect(await problems({ full: true })).toEqual([]);
});

test("shows a refused sender and e-mails that are overdue", async () => {
  const { orderId } = await createGift(worker, [simpleProduct()]);
  const after = async (text: string) => {
    await sql(text).run();
    return [(await api.view("health")).facts["emails"], (await problems()).length];
  };
  const refused = "UPDATE email_outbox SET paused_until_ms = 1, faults = 1, fault = ";
  expect(await after(`${refused} 'E_SENDER_NOT_VERIFIED'`)).toEqual(["refused", 1]);
  expect((await api.view("home")).facts["health"]).toBe("E-mails are refused");
  expect(await after(`${refused} 'E_DAILY_LIMIT_EXCEEDED'`)).toEqual(["ok", 0]);
  const late = `UPDATE gifts SET next_email_ms = ${String(nowMs - HOUR_MS)}`;
  expect(await after(`${late} WHERE order_id = ${String(orderId)}`)).toEqual(["late", 1]);
  await resetOutbox();
  expect(await problems()).toEqual([]);
});
