// The list of e-mails to recipients, and the rows that it reads.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { DAY_MS, formatDay, HOUR_MS } from "../../../src/core/values/time.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { emailService, MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { openShop } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";
import { EMAIL_STATUSES } from "../../../src/core/values/email-kinds.ts";
import { listEmails } from "../../../src/operator/email/queries.ts";
import { requireGiftToChange } from "../../../src/features/lifecycle/change.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";

const NOW_MS = Date.now();
const worker = startWorker({ env: MAILING });

beforeEach(resetOutbox);

/** The addresses of these gifts are refused with these codes. */
async function send(nowMs: number, codes: Record<string, string> = {}): Promise<void> {
  const service = emailService();
  service.fail = ({ to }) => codes[to];
  await runOutbox({ nowMs, service });
}

describe("email list", async () => {
  const api = await openOperatorApi(["viewer"]);

  async function world() {
    const shop = await openShop();
    const client = shop.client.clientId;
    const old = await placeGifts(worker, shop, 2);
    await send(Date.now());
    const recent = await placeGifts(worker, shop, 4);
    const [, wrong = "", later = ""] = recent.order["recipient_details"].map(
      ({ email }: { email: string }) => email,
    );
    await send(NOW_MS + 2 * HOUR_MS, { [wrong]: "E_VALIDATION_ERROR", [later]: "ETIMEDOUT" });
    return { client, old: old.orderId, recent: recent.orderId };
  }

  const rowsOf = async (input: object) => {
    const { rows } = await api.list("email list", { ...input });
    return rows.map(({ gift, status }) => `${gift as string} ${status as string}`);
  };

  test("has what was attempted since a time, by status, newest first", async () => {
    const { client, old, recent } = await world();
    const states = ["sent", "failed", "retry", "sent"].map(
      (status, index) => `${toGiftNumber(recent, index + 1)} ${status}`,
    );
    const [sent1, failed, retry, sent4] = states;
    const since = new Date(NOW_MS + HOUR_MS).toISOString();
    expect(await rowsOf({ client, since })).toEqual(states.toReversed());
    expect(await rowsOf({ client, since, status: "problem" })).toEqual([retry, failed]);
    expect(await rowsOf({ client, status: "sent" })).toEqual([
      ...[sent4, sent1],
      ...[2, 1].map((sequence) => `${toGiftNumber(old, sequence)} sent`),
    ]);
    const later = formatDay(NOW_MS + 2 * DAY_MS);
    expect(await rowsOf({ client, since: later })).toEqual([retry]);
    expect(await api.refusal("email list", { client: "none" })).toMatchObject({ code: /./ });
  });

  test("has the recipients and what can be done, and records the reading", async () => {
    const { client, recent } = await world();
    const since = new Date(NOW_MS + HOUR_MS).toISOString();
    const { rows } = await api.list("email list", { client, since });
    expect(rows.map(({ actions }) => actions)).toEqual([[], [], ["recipient correct"], []]);
    for (const { email, name } of rows) {
      expect(email).toMatch(/^\S+@\S+$/);
      expect(name).toMatch(/^First\d Last\d$/);
    }
    expect(await listAudit(env.DB, { orderId: recent, limit: 99 })).toHaveLength(4);
  });

  test("has pages, and no links", async () => {
    const { client } = await world();
    await sql(`UPDATE emails SET message = '"/redeem/"' WHERE message IS NULL`).run();
    const all = await api.list("email list", { client });
    expect(all.rows).toHaveLength(6);
    expect(JSON.stringify(all)).not.toMatch(/redeem/);
    expect((await api.all("email list", { client }, 2)).rows).toEqual(all.rows);
  });
});

const FILTER = { statuses: EMAIL_STATUSES, limit: 100 };

async function rowsOf<T>(read: (db: D1Database) => Promise<T>) {
  const meter = newMeter();
  const found = await read(meteredD1(env.DB, meter));
  expect(meter.roundTrips).toBe(1);
  return { found, rows: meter.rowsRead };
}

test("a list by client does not read the client's earlier events", async () => {
  const shop = await openShop();
  const { clientId } = shop.client;
  const list = (sinceMs: number) =>
    rowsOf((db) => listEmails(db, { clientId, sinceMs, nowMs: NOW_MS, ...FILTER }));
  await sql(
    `WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 1000)
     INSERT INTO events (client_id, sequence, type, created_at_ms)
     SELECT ?, value, 'credit.low', ? FROM n`,
    ...[clientId, NOW_MS - 9 * DAY_MS],
  ).run();
  await placeGifts(worker, shop, 20);
  await runOutbox();
  const all = await list(NOW_MS - DAY_MS);
  expect(all.found.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 20 }, (_, n) => 20 - n),
  );
  // Of each e-mail the event, the e-mail twice, the order and the gift; and the steps of the bisection.
  expect(all.rows).toBeLessThanOrEqual(204);
  const none = await list(NOW_MS + DAY_MS);
  expect(none.found).toEqual([]);
  expect(none.rows).toBeLessThanOrEqual(39);
  const complete = await list(0);
  expect(complete.found).toHaveLength(20);
  expect(complete.rows).toBeGreaterThan(1_000);
});

test("a list of all clients has the events of each one since the time", async () => {
  const shops = [await openShop(), await openShop()];
  const own = new Set(shops.map(({ client }) => client.clientId));
  for (const shop of shops) await placeGifts(worker, shop, 2);
  await runOutbox({ nowMs: NOW_MS + DAY_MS });
  const period = { clientId: null, sinceMs: NOW_MS + DAY_MS, nowMs: NOW_MS + DAY_MS };
  // Other tests have sent e-mails too.
  const found = await listEmails(env.DB, { ...period, ...FILTER, limit: 1_000 });
  const ofShops = found.map(({ clientId }) => clientId).filter((each) => own.has(each));
  expect(ofShops.sort()).toEqual([...own, ...own].sort());
  expect(await listEmails(env.DB, { ...period, ...FILTER, limit: 3 })).toHaveLength(3);
});

test("a gift is read by its key", async () => {
  const { orderId } = await placeGifts(worker, await openShop(), 20);
  const gift = await rowsOf((db) =>
    requireGiftToChange(db, { orderId, sequence: 7, ...NO_CLIENT }),
  );
  expect(gift.found).toMatchObject({ emailsStopped: null, pausedUntilMs: null });
  expect(gift.rows).toBeLessThanOrEqual(11);
});
