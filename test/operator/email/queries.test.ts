// The operator's list of e-mails: the rows that it reads.
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { EMAIL_STATUSES } from "../../../src/core/values/email-kinds.ts";
import { listEmails } from "../../../src/operator/email/queries.ts";
import { loadGift } from "../../../src/features/lifecycle/change.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { openShop } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

beforeEach(resetOutbox);

const NOW_MS = Date.now();
const worker = startWorker({ env: MAILING });

const FILTER = { showsAddresses: false, statuses: EMAIL_STATUSES, limit: 100 };

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
  // Of each e-mail the event, the e-mail twice and the order; and the steps of the bisection.
  expect(all.rows).toBeLessThanOrEqual(184);
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
  const gift = await rowsOf((db) => loadGift(db, { orderId, sequence: 7, clientId: null }));
  expect(gift.found).toMatchObject({ emailsStopped: null, pausedUntilMs: null });
  expect(gift.rows).toBeLessThanOrEqual(11);
});
