// Statements of credit accounts: random histories, boundaries of months, and costs.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AccountPeriod,
  CREDIT_LEDGER,
  type StatementEntry,
} from "../../../src/operator/statement/account.ts";
import type { Currency } from "../../../src/core/values/iso.ts";
import type {
  EntriesParams,
  LedgerRangeParams,
  Period,
} from "../../../src/operator/statement/ledger-range.ts";
import { adjustCredit } from "../../../src/features/credit/adjust-queries.ts";
import { endGifts } from "../../../src/features/lifecycle/end.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../src/core/values/time.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  orderOf,
  recipients,
  type TestClient,
  type TestProduct,
  unique,
} from "../../support/fixtures.ts";
import { GiftLinkPlacement } from "../../support/shapes.ts";
import {
  type ActionTime,
  after,
  APRIL,
  createProducts,
  END,
  MARCH,
  MAY,
  MONTHS,
  readPages,
  readTotals,
  TIMES,
} from "./months.ts";
import { minorOf } from "../../support/money.ts";
import { startWorker } from "../../support/worker.ts";
import { runs } from "../../support/runs.ts";

async function findAccountPeriods(d1: D1Database, clientId: string, period: Period) {
  const bound = CREDIT_LEDGER.periods.bind(d1, { clientId, lastClientId: clientId, ...period });
  return (await bound.all<AccountPeriod>()).results;
}

async function entriesOf(client: TestClient, period: AccountPeriod, pageEntries?: number) {
  const { clientId } = client;
  const bind = (params: EntriesParams) => CREDIT_LEDGER.entries.bind(env.DB, params);
  return (await readPages(clientId, period, bind, pageEntries)).flat();
}

const isIn =
  ({ fromMs, toMs }: Period) =>
  ({ createdAtMs }: { createdAtMs: number }) =>
    createdAtMs >= fromMs && createdAtMs < toMs;

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
      const giftIds = action.gifts?.map((sequence) => orderId * 1000 + sequence);
      const body = { order_id: orderId, ...(giftIds && { suborder_ids: giftIds }) };
      await worker.post(client, "/api/order/cancel", body);
      return;
    }
    case "expire": {
      if (orderId === undefined) return;
      await endGifts(env.DB, {
        kind: "expire",
        requestId: crypto.randomUUID(),
        ...operatorKey(orderId),
        giftIds: null,
        finalByMs: Date.UTC(2033, 0, 1),
        nowMs,
      });
    }
  }
}

/** A history with every kind of entry. */
const EVERY_KIND: Action[] = [
  { kind: "credit", currency: "AUD", amountMinor: 5_000, pauseMs: 0, clockMs: 0 },
  { kind: "place", currency: "AUD", qty: 3, pauseMs: END, clockMs: 0 },
  { kind: "cancel", currency: "AUD", pick: 0, gifts: [1], pauseMs: END, clockMs: 0 },
  { kind: "expire", currency: "AUD", pick: 0, pauseMs: DAY_MS, clockMs: 0 },
];

/** Performs the actions with a new client that has credit in three currencies. */
async function replay(actions: Action[]): Promise<History> {
  const products = createProducts();
  const client = await createClient({
    products: Object.values(products),
    creditMinor: 60_000,
    feeBasisPoints: 415,
  });
  for (const currency of ["JPY", "KWD"] as const) {
    const booking = { clientId: client.clientId, currency, amountMinor: 60_000, note: null };
    await adjustCredit(env.DB, { ...booking, reference: "initial credit", nowMs: Date.now() });
  }
  const history: History = { client, products, fees: new Map() };
  let timeMs = MARCH - 3 * SECOND_MS;
  for (const each of actions) {
    timeMs = after(timeMs, each.pauseMs);
    await perform(history, each, timeMs + each.clockMs);
  }
  return history;
}

/** The client's accounts, each with its statements of all months. */
async function statementsOf({ client }: History, pageEntries: number) {
  const accounts = new Map<Currency, { period: AccountPeriod; entries: StatementEntry[] }[]>();
  for (const month of MONTHS) {
    for (const period of await findAccountPeriods(env.DB, client.clientId, month)) {
      const entries = await entriesOf(client, period, pageEntries);
      const months = accounts.get(period.currency) ?? [];
      accounts.set(period.currency, [...months, { period, entries }]);
    }
  }
  return accounts;
}

/** Checks that the totals of a statement are those of its entries. */
async function expectTotals(month: Period, period: AccountPeriod, entries: StatementEntry[]) {
  const bind = (params: LedgerRangeParams) => CREDIT_LEDGER.totals.bind(env.DB, params);
  const { results, sumOf: totalOf } = await readTotals(period, month, bind);
  expect(totalOf("amountMinor")).toBe(period.closingMinor - period.openingMinor);
  expect(totalOf("feesMinor")).toBe(sumOf(entries.map((entry) => entry.feeMinor ?? 0)));
  const counted = Map.groupBy(entries, ({ kind, amountMinor }) =>
    kind === "adjustment" ? `${kind} ${String(amountMinor < 0)}` : kind,
  );
  const counts = [...counted.values()].map(({ length }) => length);
  expect(results.map((total) => total.entries).sort()).toEqual(counts.sort());
}

test("statements of random histories add up to the ledger to the cent, tile it by month, and contain the orders' fees", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(HISTORY, fc.integer({ min: 1, max: 7 }), async (actions, pageEntries) => {
      const history = await replay(actions);
      const { clientId } = history.client;
      const fees: number[] = [];
      for (const [currency, statements] of await statementsOf(history, pageEntries)) {
        const ledger = await ledgerOf(clientId, currency);
        let closingMinor = 0;
        for (const [n, { period, entries }] of statements.entries()) {
          expect(entries).toMatchObject(ledger.filter(isIn(MONTHS[n] as Period)));
          expect(period.openingMinor).toBe(closingMinor);
          closingMinor += sumOf(entries.map(({ amountMinor }) => amountMinor));
          expect(period.closingMinor).toBe(closingMinor);
          await expectTotals(MONTHS[n] as Period, period, entries);
        }
        const entries = statements.flatMap((statement) => statement.entries);
        expect(entries.map(({ sequence }) => sequence)).toEqual(
          ledger.map(({ sequence }) => sequence),
        );
        expect(closingMinor).toBe(await balanceOf(clientId, currency));
        for (const { kind, orderId, feeMinor } of entries) {
          seen.add(kind);
          expect(feeMinor).toBe(kind === "order" ? history.fees.get(orderId ?? 0) : null);
          fees.push(feeMinor ?? 0);
        }
      }
      expect(sumOf(fees)).toBe(sumOf([...history.fees.values()]));
    }),
    { numRuns: runs(40), examples: [[EVERY_KIND, 2]] },
  );
  expect(await brokenAccounts()).toEqual([]);
  expect(seen).toEqual(new Set(["adjustment", "order", "cancellation", "expiry"]));
}, 120_000);

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

/** The first sequence of the period, that after it, and the balances before and after. */
async function boundsOf(client: TestClient, fromMs: number, toMs: number) {
  const period = await periodOf(client, fromMs, toMs);
  return [period.firstSequence, period.endSequence, period.openingMinor, period.closingMinor];
}

describe("the boundary of a month", () => {
  test("is in the first entry at or after it, and later entries with earlier times follow", async () => {
    const times = [MARCH - 2, MARCH - 1, MARCH, MARCH - 1, MARCH + 1];
    const client = await accountWith(...times);
    expect(await boundsOf(client, MARCH, APRIL)).toEqual([3, 6, 200, 500]);
    expect(await boundsOf(client, 0, MARCH)).toEqual([1, 3, 0, 200]);
  });

  test("is the end of the ledger if all entries are earlier, and its start if all are later", async () => {
    const client = await accountWith(MARCH, MARCH + 1);
    expect(await boundsOf(client, APRIL, MAY)).toEqual([3, 3, 200, 200]);
    expect(await boundsOf(client, 0, MARCH)).toEqual([1, 1, 0, 0]);
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

const TWENTY_MINUTES_MS = 20 * MINUTE_MS;

describe("the cost of a statement", () => {
  test("does not depend on the entries of other months", async () => {
    const client = await createClient({ creditMinor: 0 });
    // 3,600 entries, three an hour: 2,232 in March.
    await addBookings(client, 3_600, MARCH - 100 * TWENTY_MINUTES_MS, TWENTY_MINUTES_MS);
    const meter = newMeter();
    const db = meteredD1(env.DB, meter);
    const { clientId } = client;
    const month = { fromMs: APRIL, toMs: MAY };
    const [period] = await findAccountPeriods(db, clientId, month).then((periods) =>
      periods.filter(({ currency }) => currency === "AUD"),
    );
    expect(period).toMatchObject({ firstSequence: 2_333, endSequence: 3_601 });
    expect(meter.roundTrips).toBe(1);
    const searchRows = meter.rowsRead;
    expect(searchRows).toBeLessThan(40);

    const bind = (params: EntriesParams) => CREDIT_LEDGER.entries.bind(db, params);
    const pages = await readPages(clientId, period as AccountPeriod, bind, 500);
    expect(pages.map((page) => page.length)).toEqual([500, 500, 268]);
    expect(meter.roundTrips).toBe(4);
    expect(meter.rowsRead - searchRows).toBeLessThanOrEqual(1_268 + 3);
  });
});
