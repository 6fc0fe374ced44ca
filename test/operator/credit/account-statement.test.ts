// Statements of credit accounts: random histories, boundaries of months, and costs.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AccountPeriod,
  bindAccountPeriods,
  readPeriodEntries,
  type StatementEntry,
} from "../../../src/operator/credit/account-statement.ts";
import type { Period } from "../../../src/operator/credit/ledger-range.ts";
import { adjustCredit } from "../../../src/features/credit/adjust-queries.ts";
import { statementTotals } from "../../../src/operator/credit/statement-totals.ts";
import { endGifts } from "../../../src/features/lifecycle/end.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../src/core/values/time.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  brokenAccounts,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
  unique,
} from "../../support/fixtures.ts";
import { GiftLinkPlacement } from "../../support/shapes.ts";
import { type ActionTime, after, APRIL, collect, MARCH, MAY, MONTHS, TIMES } from "./months.ts";
import { minorOf } from "../../support/money.ts";
import { startWorker } from "../../support/worker.ts";
import { runs } from "../../support/runs.ts";

async function findAccountPeriods(d1: D1Database, clientId: string, period: Period) {
  const bound = bindAccountPeriods(d1, { clientId, fromMs: period.fromMs, toMs: period.toMs });
  return (await bound.all<AccountPeriod>()).results;
}

async function entriesOf(client: TestClient, period: AccountPeriod, pageEntries?: number) {
  return (await collect(readPeriodEntries(env.DB, client.clientId, period, pageEntries))).flat();
}

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

/** The entries of an account from SQL. */
async function ledgerOf(clientId: string, currency: string) {
  const { results } = await env.DB.prepare(
    `SELECT sequence, kind, amount_minor AS amountMinor, balance_minor AS balanceMinor,
       order_id AS orderId, created_at_ms AS createdAtMs
     FROM credit_entries WHERE client_id = ? AND currency = ? ORDER BY sequence`,
  )
    .bind(clientId, currency)
    .all<Omit<StatementEntry, "qty" | "feeMinor" | "orderRefId" | "reference" | "note">>();
  return results;
}

const CURRENCIES = ["AUD", "JPY", "KWD"] as const;
type ActionCurrency = (typeof CURRENCIES)[number];

type Action = ActionTime & { currency: ActionCurrency } & (
    | { kind: "credit"; amountMinor: number }
    | { kind: "place"; qty: number }
    | { kind: "cancel"; pick: number; gifts: number[] | null }
    | { kind: "expire"; pick: number }
  );

const action = (kind: Action["kind"], fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .record({ ...TIMES, currency: fc.constantFrom(...CURRENCIES), ...fields })
    .map((values) => ({ ...values, kind }) as unknown as Action);

const HISTORY = fc.array(
  fc.oneof(
    action("credit", { amountMinor: fc.integer({ min: -30_000, max: 90_001 }) }),
    action("place", { qty: fc.integer({ min: 1, max: 4 }) }),
    action("place", { qty: fc.integer({ min: 1, max: 4 }) }),
    action("cancel", { pick: fc.nat(9), gifts: fc.constantFrom(null, [1], [2], [1, 2]) }),
    action("expire", { pick: fc.nat(9) }),
  ),
  { minLength: 4, maxLength: 20 },
);

interface History {
  client: TestClient;
  products: Record<ActionCurrency, TestProduct>;
  /** The fee of each order, from the response to its placement. */
  fees: Map<number, number>;
}

async function perform(history: History, action: Action, nowMs: number): Promise<void> {
  const { client, products, fees } = history;
  const worker = startWorker({ now: () => nowMs });
  const { currency } = action;
  const orderId = "pick" in action ? [...fees.keys()][action.pick % Math.max(fees.size, 1)] : 0;
  switch (action.kind) {
    case "credit": {
      const { amountMinor } = action;
      const reference = `booking ${String(unique())}`;
      const booking = { clientId: client.clientId, currency, amountMinor, reference };
      // A balance must not become negative.
      await adjustCredit(env.DB, { ...booking, note: null, nowMs }).catch(() => false);
      return;
    }
    case "place": {
      const body = orderOf(products[currency], {
        gift_of_choice: "N",
        recipient_details: recipients(action.qty),
        redeem_by: "2031-12-31",
      });
      const answer = await worker.post(client, "/api/gift-link", body);
      // 402: the credit does not suffice.
      expect([200, 402], answer.text).toContain(answer.status);
      if (answer.status !== 200) return;
      const { order_data, order_totals } = GiftLinkPlacement.parse(answer.json);
      fees.set(order_data.order_id, minorOf(order_totals.order_fee, currency));
      return;
    }
    case "cancel": {
      if (orderId === undefined) return;
      const suborderIds = action.gifts?.map((sequence) => orderId * 1000 + sequence);
      const body = { order_id: orderId, ...(suborderIds && { suborder_ids: suborderIds }) };
      await worker.post(client, "/api/order/cancel", body);
      return;
    }
    case "expire": {
      if (orderId === undefined) return;
      await endGifts(env.DB, {
        kind: "expire",
        requestId: crypto.randomUUID(),
        ...operatorKey(orderId),
        suborderIds: null,
        expiresByMs: Date.UTC(2033, 0, 1),
        nowMs,
      });
    }
  }
}

async function createHistory(): Promise<History> {
  const products = {
    AUD: simpleProduct({ priceMinor: 3_333 }, { quantity: null }),
    JPY: simpleProduct({ priceMinor: 1_999, currency: "JPY" }, { quantity: null }),
    KWD: simpleProduct({ priceMinor: 2_477, currency: "KWD" }, { quantity: null }),
  };
  const client = await createClient({
    products: Object.values(products),
    creditMinor: 60_000,
    feeBasisPoints: 415,
  });
  for (const currency of ["JPY", "KWD"] as const) {
    const booking = { clientId: client.clientId, currency, amountMinor: 60_000, note: null };
    await adjustCredit(env.DB, { ...booking, reference: "initial credit", nowMs: Date.now() });
  }
  return { client, products, fees: new Map() };
}

describe("statements over random histories", () => {
  test("add up to the ledger to the cent, tile it by month, and contain the orders' fees", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(HISTORY, fc.integer({ min: 1, max: 7 }), async (actions, pageEntries) => {
        const history = await createHistory();
        const { client, fees } = history;
        let timeMs = MARCH - 3 * SECOND_MS;
        for (const each of actions) {
          timeMs = after(timeMs, each.pauseMs);
          await perform(history, each, timeMs + each.clockMs);
        }
        const statements = await Promise.all(
          MONTHS.map((month) => findAccountPeriods(env.DB, client.clientId, month)),
        );
        let shownFees = 0;
        for (const [index, { currency }] of (statements[0] ?? []).entries()) {
          const ledger = await ledgerOf(client.clientId, currency);
          let closingMinor = 0;
          const sequences: number[] = [];
          for (const [n, periods] of statements.entries()) {
            const period = periods[index] as AccountPeriod;
            const entries = await entriesOf(client, period, pageEntries);
            const { fromMs, toMs } = MONTHS[n] as (typeof MONTHS)[number];
            const expected = ledger.filter(
              ({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < toMs,
            );
            expect(entries.map(({ sequence }) => sequence)).toEqual(
              expected.map(({ sequence }) => sequence),
            );
            entries.forEach((entry, at) => {
              expect(entry).toMatchObject(expected[at] as object);
              seen.add(entry.kind);
              const fee = entry.kind === "order" ? fees.get(entry.orderId ?? 0) : null;
              expect(entry.feeMinor).toBe(fee);
            });
            // The closing balance of a month is the opening balance of the next one.
            expect(period.openingMinor).toBe(closingMinor);
            closingMinor = period.openingMinor + sumOf(entries.map((each) => each.amountMinor));
            expect(period.closingMinor).toBe(closingMinor);
            sequences.push(...entries.map(({ sequence }) => sequence));

            const { feesMinor, ...kinds } = statementTotals(entries);
            const totals = Object.values(kinds);
            expect(sumOf(totals.map((total) => total.amountMinor))).toBe(
              period.closingMinor - period.openingMinor,
            );
            expect(sumOf(totals.map((total) => total.entries))).toBe(entries.length);
            shownFees += feesMinor;
          }
          expect(sequences).toEqual(ledger.map(({ sequence }) => sequence));
          const balance = await env.DB.prepare(
            "SELECT balance_minor FROM credit_accounts WHERE client_id = ? AND currency = ?",
          )
            .bind(client.clientId, currency)
            .first<number>("balance_minor");
          expect(closingMinor).toBe(balance);
        }
        expect(shownFees).toBe(sumOf([...fees.values()]));
      }),
      { numRuns: 40 },
    );
    expect(await brokenAccounts()).toEqual([]);
    expect(seen).toEqual(new Set(["adjustment", "order", "cancellation", "expiry"]));
  }, 120_000);
});

const book = (client: TestClient, nowMs: number, amountMinor = 100) =>
  adjustCredit(env.DB, {
    clientId: client.clientId,
    currency: "AUD",
    amountMinor,
    reference: `booking ${String(unique())}`,
    note: null,
    nowMs,
  });

async function periodOf(client: TestClient, fromMs: number, toMs: number) {
  const periods = await findAccountPeriods(env.DB, client.clientId, { fromMs, toMs });
  const period = periods.find(({ currency }) => currency === "AUD");
  if (!period) throw new Error("the client has no account");
  return period;
}

/** Books 1.00 at each time, in an account that has nothing else. */
async function accountWith(...times: number[]) {
  const client = await createClient({ creditMinor: 0 });
  for (const nowMs of times) await book(client, nowMs);
  return client;
}

describe("the boundary of a month", () => {
  test("is in the first entry at or after it, and later entries with earlier times follow", async () => {
    const times = [MARCH - 2, MARCH - 1, MARCH, MARCH - 1, MARCH + 1];
    const client = await accountWith(...times);
    expect(await periodOf(client, MARCH, APRIL)).toMatchObject({
      firstSequence: 3,
      endSequence: 6,
      openingMinor: 200,
      closingMinor: 500,
    });
    expect(await periodOf(client, 0, MARCH)).toMatchObject({
      firstSequence: 1,
      endSequence: 3,
      openingMinor: 0,
      closingMinor: 200,
    });
  });

  test("is the end of the ledger if all entries are earlier, and its start if all are later", async () => {
    const client = await accountWith(MARCH, MARCH + 1);
    expect(await periodOf(client, APRIL, MAY)).toEqual({
      currency: "AUD",
      firstSequence: 3,
      endSequence: 3,
      openingMinor: 200,
      closingMinor: 200,
    });
    expect(await periodOf(client, 0, MARCH)).toEqual({
      currency: "AUD",
      firstSequence: 1,
      endSequence: 1,
      openingMinor: 0,
      closingMinor: 0,
    });
  });

  test("does not let months overlap if clocks go back", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 12 }),
        async (days) => {
          const client = await accountWith(...days.map((day) => MARCH + day * DAY_MS));
          let [sequence, balanceMinor] = [1, 0];
          for (const { fromMs, toMs } of MONTHS) {
            const period = await periodOf(client, fromMs, toMs);
            expect(period).toMatchObject({ firstSequence: sequence, openingMinor: balanceMinor });
            await entriesOf(client, period);
            [sequence, balanceMinor] = [period.endSequence, period.closingMinor];
          }
          expect([sequence, balanceMinor]).toEqual([days.length + 1, days.length * 100]);
        },
      ),
      { numRuns: runs(30) },
    );
  });
});

/** Adds bookings of 1.00 at equal intervals to an account that has nothing else. */
async function addBookings(client: TestClient, size: number, fromMs: number, intervalMs: number) {
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries)
       VALUES (?1, 'AUD', 100 * ?2, ?2)`,
    ).bind(client.clientId, size),
    env.DB.prepare(
      `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
         reference, created_at_ms)
       WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
       SELECT ?1, 'AUD', n, 'adjustment', 100, 100 * n, 'booking ' || cast(n AS TEXT),
         cast(?3 + (n - 1) * ?4 AS INTEGER) FROM n`,
    ).bind(client.clientId, size, fromMs, intervalMs),
  ]);
}

describe("the cost of a statement", () => {
  test("does not depend on the entries of other months", async () => {
    const client = await createClient({ creditMinor: 0 });
    // 50,000 entries, one a minute: 44,640 in March.
    await addBookings(client, 50_000, MARCH - 3_000 * MINUTE_MS, MINUTE_MS);
    const meter = newMeter();
    const db = meteredD1(env.DB, meter);
    const { clientId } = client;
    const month = { fromMs: APRIL, toMs: MAY };
    const [period] = await findAccountPeriods(db, clientId, month).then((periods) =>
      periods.filter(({ currency }) => currency === "AUD"),
    );
    expect(period).toMatchObject({ firstSequence: 47_641, endSequence: 50_001 });
    expect(meter.roundTrips).toBe(1);
    const searchRows = meter.rowsRead;
    expect(searchRows).toBeLessThan(40);

    const pages = await collect(readPeriodEntries(db, clientId, period as AccountPeriod, 1_000));
    expect(pages.map((page) => page.length)).toEqual([1_000, 1_000, 360]);
    expect(meter.roundTrips).toBe(4);
    expect(meter.rowsRead - searchRows).toBeLessThanOrEqual(2_360 + 3);
  });
});

test("entries that do not add up are an error", async () => {
  const client = await accountWith(MARCH, MARCH + 1);
  const period = await periodOf(client, MARCH, APRIL);
  await expect(entriesOf(client, { ...period, closingMinor: 201 })).rejects.toThrow(
    "does not add up",
  );
});
