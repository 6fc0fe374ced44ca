// The page of the environment's health.
import { beforeAll, expect, test } from "vitest";
import { env } from "cloudflare:workers";
import { saveCheck, saveCronSuccess } from "../../src/features/health/state-queries.ts";
import { healthProblems, readHealthReport } from "../../src/operator/health/report.ts";
import { type ConsoleUser, openConsole } from "./console.ts";
import { createClient } from "../support/fixtures.ts";
import { sql } from "../support/sql.ts";
import { createWebhook, setColumns } from "../support/webhooks.ts";
import { startWorker } from "../support/worker.ts";

const nowMs = Date.now();
const HOUR_MS = 3_600_000;
let viewer: ConsoleUser;

beforeAll(async () => {
  viewer = await (await openConsole({ now: () => nowMs })).signIn("viewer");
});

test("shows what the command shows", async () => {
  await saveCronSuccess(env.DB, nowMs - HOUR_MS);
  const page = await viewer.get("/health");
  expect(page.status).toBe(200);
  const problems = healthProblems(await readHealthReport(env, nowMs), nowMs);
  expect(problems[0]).toMatch(/^the cron handler has not succeeded since/);
  for (const problem of problems) expect(page.text).toContain(problem);
  expect(page.text).toContain("(1 hour ago)");
  expect(page.text).toMatch(/Size of the database \d+\.\d MB/);
  expect(page.meter.roundTrips).toBe(2);
  expect(page.html.length).toBeLessThan(60_000);
});

test("shows that the cron handler has succeeded", async () => {
  await saveCronSuccess(env.DB, nowMs);
  expect((await viewer.get("/health")).text).not.toContain("the cron handler has not succeeded");
});

test("shows failing endpoints and the differences that the checks have found", async () => {
  const client = await createClient();
  const { webhook_id: id } = await createWebhook(startWorker(), client);
  await setColumns(id, { status: "disabled", disabled_reason: "failing", failing_since_ms: 1 });
  const difference = {
    check: "orders",
    object: "4711",
    clientId: client.clientId,
    field: "qty",
    expected: "<b>1</b>",
    found: 2,
  };
  const result = { startedAtMs: 1, finishedAtMs: nowMs, total: 1, differences: [difference] };
  await saveCheck(env.DB, result);
  try {
    const page = await viewer.get("/health");
    expect(page.text).toContain("the checks have found 1 difference");
    expect(page.text).toContain(`orders 4711 ${client.clientId} qty "<b>1</b>" 2`);
    expect(page.html).not.toContain("<b>1</b>");
    expect(page.html).toContain(`href="/webhook/show?webhook=${String(id)}"`);
    expect(page.text).toContain("disabled: failing");
  } finally {
    await sql("UPDATE health SET last_check = NULL").run();
    await setColumns(id, { status: "deleted", disabled_reason: null });
  }
});
