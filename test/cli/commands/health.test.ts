// `health` on the demo data, in this process.
import { beforeAll, expect, test } from "vitest";
import { seed } from "../../../src/cli/seed.ts";
import { saveCronSuccess } from "../../../src/features/health/state-queries.ts";
import { runOps } from "../ops.ts";
import { platform, usePlatform } from "../platform.ts";

usePlatform();

const HOUR_MS = 3_600_000;

interface Report {
  ok: boolean;
  problems: string[];
  lastCheck: { total: number; differences: object[] } | null;
  endpoints: { id: number; dueSinceMs: number | null }[];
  expiry: { orders: number };
  databaseBytes: number;
}

async function health(...words: string[]) {
  const { code, out, err } = await runOps("health", "--json", ...words);
  return { code, err, ...(JSON.parse(out) as Report) };
}

beforeAll(async () => {
  await seed(platform.env, Date.now());
}, 120_000);

test("before the first run of the cron handler, something is wrong, and the demo data has no difference", async () => {
  const report = await health("--full");
  expect([report.code, report.ok]).toEqual([1, false]);
  expect(report.problems).toEqual(["the cron handler has not succeeded yet"]);
  expect(JSON.parse(report.err)).toMatchObject({ code: "refused", message: report.problems[0] });
  expect(report.lastCheck).toMatchObject({ total: 0, differences: [] });
  expect(report.databaseBytes).toBeGreaterThan(100_000);
});

test("after checks without a difference, all is well", async () => {
  await saveCronSuccess(platform.env.DB, Date.now());
  const report = await health();
  expect(report).toMatchObject({ code: 0, ok: true, problems: [], lastCheck: { total: 0 } });
  const { code, out } = await runOps("health");
  expect(code).toBe(0);
  expect(out).toMatch(/Cron handler +\d{4}-\d\d-\d\d \d\d:\d\d \(\d+ seconds? ago\)/);
  expect(out).toMatch(/Last checks +0 differences, finished /);
  expect(out).toMatch(/Oldest due delivery +none/);
  expect(out).toMatch(/Orders due for expiry +0, oldest none/);
  expect(out).toMatch(/Size of the database +0\.\d MB/);
});

test("overdue work, disabled endpoints, differences and an old success are shown", async () => {
  const long = Date.now() - HOUR_MS;
  const { DB } = platform.env;
  const run = (sql: string) => DB.prepare(sql).run();
  await saveCronSuccess(DB, long);
  await run("UPDATE orders SET shipped_gifts = 1, next_expiry_check_ms = 1000 WHERE id = 1");
  await run(
    `INSERT INTO events (client_id, sequence, type, created_at_ms)
     VALUES ('demo-two', 1, 'credit.low', ${String(long)})`,
  );
  for (const [status, reason, position] of [
    ["enabled", "NULL", 0],
    ["enabled", "NULL", 1],
    ["disabled", "'failing'", 0],
  ]) {
    await run(
      `INSERT INTO webhooks (client_id, url, status, disabled_reason, secret_nonce, position, created_at_ms)
       VALUES ('demo-two', 'https://${String(position)}.${String(status)}.example', '${String(status)}',
         ${String(reason)}, 'n', ${String(position)}, 1)`,
    );
  }
  const { code, out, err } = await runOps("health", "--full");
  expect(code).toBe(1);
  expect(err).toMatch(/the cron handler has not succeeded since \d{4}/);
  expect(err).toContain("the checks have found 1 difference;");
  expect(err).toContain("1 webhook endpoint with deliveries that are overdue;");
  expect(err).toContain("1 order with gifts overdue for expiry");
  expect(out).toMatch(/Last checks +1 difference, /);
  expect(out).toMatch(/orders +1 +demo +shipped_gifts +0 +1\n/);
  expect(out).toMatch(/3 +demo-two +disabled +failing/);
  const report = await health();
  expect(report.endpoints.map(({ dueSinceMs }) => dueSinceMs)).toEqual([long, null, null]);
  expect(report.problems).toHaveLength(4);
  expect(report.lastCheck).toMatchObject({ total: 1, differences: [{ object: "1" }] });
});

test("a refused sender and e-mails that are overdue are shown, with what to do", async () => {
  const run = (sql: string) => platform.env.DB.prepare(sql).run();
  await saveCronSuccess(platform.env.DB, Date.now());
  await run(`UPDATE email_outbox SET paused_until_ms = ${String(Date.now())}, faults = 1`);
  const problemsAfter = async (sql: string) => {
    await run(sql);
    return (await health()).problems.filter((problem) => problem.includes("e-mail"));
  };
  expect(await problemsAfter("UPDATE email_outbox SET fault = 'E_SENDER_NOT_VERIFIED'")).toEqual([
    expect.stringMatching(/refuses the sender with E_SENDER_NOT_VERIFIED: check EMAIL_FROM/),
  ]);
  const { out } = await runOps("health");
  expect(out).toMatch(/E-mails +refused, E_SENDER_NOT_VERIFIED, next attempt \d{4}-/);
  expect(await problemsAfter("UPDATE email_outbox SET fault = 'E_DAILY_LIMIT_EXCEEDED'")).toEqual(
    [],
  );
  await run(
    `UPDATE sub_orders SET next_email = 'invitation', next_email_ms = ${String(Date.now() - HOUR_MS)}
     WHERE order_id = 1`,
  );
  expect(await problemsAfter("UPDATE clients SET status = 'active'")).toEqual([
    expect.stringMatching(/overdue, because .* with E_DAILY_LIMIT_EXCEEDED \(docs\/OPERATING\.md/),
  ]);
  expect(await problemsAfter("UPDATE email_outbox SET fault = NULL")).toEqual([
    "e-mails are overdue: search the log for email.run_failed",
  ]);
});
