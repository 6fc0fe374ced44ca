import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { adjustCredit, setCreditAlert } from "../../../src/features/credit/adjust-queries.ts";
import { listAccounts } from "../../../src/operator/credit/queries.ts";
import { reportLowCredit } from "../../../src/features/credit/alert-queries.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import {
  createClient,
  openShop,
  orderOf,
  simpleProduct,
  type TestClient,
  unique,
} from "../../support/fixtures.ts";
import { eventList } from "../../support/events.ts";
import type { Currency } from "../../../src/core/values/iso.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();
const NOW_MS = Date.parse("2026-05-06T07:08:09Z");

const report = () => reportLowCredit(env.DB, NOW_MS);

async function feedOf(client: TestClient) {
  const { json } = await worker.get(client, "/api/events");
  return eventList(json).events;
}

/** The number of the client's events `credit.low` after a report. */
async function reported(client: TestClient) {
  await report();
  return (await feedOf(client)).filter(({ type }) => type === "credit.low").length;
}

const book = ({ clientId }: TestClient, amountMinor: number, currency: Currency = "AUD") =>
  adjustCredit(env.DB, {
    clientId,
    currency,
    amountMinor,
    note: null,
    nowMs: NOW_MS,
    reference: `booking ${String(unique())}`,
  });

/** A client with 100.00 AUD and an alert below 50.00 AUD. */
async function createClientWithAlert() {
  const client = await createClient({ creditMinor: 10_000 });
  const alert = { clientId: client.clientId, currency: "AUD" as const, belowMinor: 5_000 };
  expect(await setCreditAlert(env.DB, alert)).toBe(true);
  return { client, alert };
}

test("the event credit.low reports a balance below the amount, and not one that equals it", async () => {
  const { client } = await createClientWithAlert();
  await book(client, -5_000);
  expect(await reported(client)).toBe(0);
  await book(client, -1);
  await report();
  expect(await feedOf(client)).toEqual([
    {
      sequence: 1,
      type: "credit.low",
      created_at: "2026-05-06T07:08:09.000Z",
      order_id: null,
      order_ref_id: null,
      suborder_id: null,
      data: { currency: "AUD", credit_balance: "49.99", alert_below: "50.00" },
    },
  ]);
});

test("the event credit.low is inserted once until the balance is at or above the amount again", async () => {
  const { client } = await createClientWithAlert();
  await book(client, -6_000);
  expect(await reported(client)).toBe(1);
  expect(await reported(client)).toBe(1);
  await book(client, -1_000);
  expect(await reported(client)).toBe(1);
  await book(client, 2_000);
  expect(await reported(client)).toBe(1);
  await book(client, -1);
  expect(await reported(client)).toBe(2);
  expect((await feedOf(client)).map(({ data }) => data)).toMatchObject([
    { credit_balance: "40.00" },
    { credit_balance: "49.99" },
  ]);
});

test("the event credit.low follows the client's other events, once for each account and without gaps", async () => {
  const { product, client } = await openShop();
  const other = await createClient({ products: [product] });
  await worker.post(client, "/api/order", orderOf(product));
  const belowMinor = 900_000_000_000;
  for (const { clientId } of [client, other]) {
    for (const currency of ["AUD", "AED", "USD"] as const) {
      expect(await setCreditAlert(env.DB, { clientId, currency, belowMinor })).toBe(true);
    }
  }
  await report();
  await worker.post(client, "/api/order", orderOf(product));
  const shown = (await feedOf(client)).map(({ sequence, type, data }) => [
    sequence,
    type,
    "currency" in data && data.currency,
  ]);
  expect(shown).toEqual([
    [1, "order.paid", "AUD"],
    [2, "credit.low", "AED"],
    [3, "credit.low", "AUD"],
    [4, "credit.low", "USD"],
    [5, "order.paid", "AUD"],
  ]);
  expect((await feedOf(other)).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});

test("the event credit.low is inserted once if the response of the database is lost or two calls run at once", async () => {
  const { client } = await createClientWithAlert();
  await book(client, -6_000);
  const before = failingBatches(new Error(LOST), "before the commit", 1);
  const after = failingBatches(new Error(LOST), "after the commit", 1);
  await expect(reportLowCredit(before, NOW_MS)).rejects.toThrow(LOST);
  expect(await feedOf(client)).toEqual([]);
  await expect(reportLowCredit(after, NOW_MS)).rejects.toThrow(LOST);
  await Promise.all([report(), report()]);
  expect(await feedOf(client)).toHaveLength(1);
});

test("the event credit.low is not inserted for an account without an alert, or after the alert was removed", async () => {
  const { client, alert } = await createClientWithAlert();
  await setCreditAlert(env.DB, { ...alert, belowMinor: null });
  await book(client, -10_000);
  await report();
  expect(await feedOf(client)).toEqual([]);
});

test("the event credit.low is inserted again for a new amount, and not if the same amount is set again", async () => {
  const { client, alert } = await createClientWithAlert();
  await book(client, -6_000);
  await report();
  await setCreditAlert(env.DB, alert);
  expect(await reported(client)).toBe(1);
  await setCreditAlert(env.DB, { ...alert, belowMinor: 4_500 });
  expect(await reported(client)).toBe(2);
  expect(await listAccounts(env.DB, client.clientId)).toContainEqual(
    expect.objectContaining({ currency: "AUD", alertBelowMinor: 4_500 }),
  );
});

test("the event credit.low needs an account", async () => {
  const { clientId } = await createClient();
  const alert = { clientId, currency: "GBP" as const, belowMinor: 100 };
  expect(await setCreditAlert(env.DB, alert)).toBe(false);
});

describe("reportLowCredit", () => {
  test("reports at most 100 accounts in a call, and the others in the next one", async () => {
    const newEvents = async () => {
      const count = () =>
        sql("SELECT count(*) AS n FROM events WHERE type = 'credit.low'").first<number>("n");
      const before = await count();
      await report();
      return Number(await count()) - Number(before);
    };
    await report();
    // 101 accounts of one client, below their alerts.
    const { clientId } = await createClient({ creditMinor: 0 });
    await sql(
      `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries, alert_below_minor)
       WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 100)
       SELECT ?, 'X' || char(65 + n / 26, 65 + n % 26), 100, 0, 200 FROM n`,
      clientId,
    ).run();
    expect([await newEvents(), await newEvents(), await newEvents()]).toEqual([100, 1, 0]);
  });

  test("takes one round trip, and reads only accounts with an alert", async () => {
    await report();
    const cost = async () => {
      const meter = newMeter();
      await reportLowCredit(meteredD1(env.DB, meter), NOW_MS);
      return meter;
    };
    const before = await cost();
    expect(before).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    for (let n = 0; n < 3; n++) await createClient();
    expect(await cost()).toEqual(before);
  });

  test("is not part of placing an order", async () => {
    const product = simpleProduct();
    const written = async (alerts: boolean) => {
      const client = await createClient({ products: [product], creditMinor: 10_000 });
      const { clientId } = client;
      if (alerts) await setCreditAlert(env.DB, { clientId, currency: "AUD", belowMinor: 9_000 });
      const { status, meter } = await worker.post(client, "/api/order", orderOf(product));
      expect(status).toBe(200);
      return [meter.rowsWritten, meter.statements];
    };
    expect(await written(true)).toEqual(await written(false));
  });
});
