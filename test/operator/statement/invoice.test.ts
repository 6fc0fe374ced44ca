// Statements of orders on invoice: what each change adds to them, random histories, and costs.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import type {
  EntriesParams,
  LedgerRangeParams,
  Period,
} from "../../../src/operator/statement/ledger-range.ts";
import {
  INVOICE_LEDGER,
  type InvoiceEntry,
  type InvoicePeriod,
} from "../../../src/operator/statement/invoice.ts";
import { recordRefund } from "../../../src/operator/order/refund-queries.ts";
import { endGifts } from "../../../src/features/lifecycle/end.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { payOrders } from "../../../src/features/lifecycle/payment-queries.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/core/values/time.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
} from "../../support/fixtures.ts";
import { differencesOf } from "../../support/invariants.ts";
import { importListed } from "../../support/listed-orders.ts";
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
import { placeGiftLink, placeOrder } from "../../support/orders.ts";
import { transition } from "../../support/transition.ts";
import { minorOf } from "../../support/money.ts";
import { runs } from "../../support/runs.ts";
import { startWorker } from "../../support/worker.ts";

async function findInvoicePeriods(d1: D1Database, clientId: string, period: Period) {
  const bound = INVOICE_LEDGER.periods.bind(d1, { clientId, lastClientId: clientId, ...period });
  return (await bound.all<InvoicePeriod>()).results.map((row) => ({
    ...row,
    opening: { unpaidMinor: row.openingUnpaidMinor, toRefundMinor: row.openingToRefundMinor },
    closing: { unpaidMinor: row.closingUnpaidMinor, toRefundMinor: row.closingToRefundMinor },
  }));
}

type FoundPeriod = Awaited<ReturnType<typeof findInvoicePeriods>>[number];

const ALWAYS = { fromMs: 0, toMs: Date.UTC(2100, 0, 1) };

const NOTHING = { unpaidMinor: 0, toRefundMinor: 0 };

interface Statement {
  period: FoundPeriod;
  entries: InvoiceEntry[];
}

/** Checks that the totals lead from the opening to the closing sums. */
async function expectTotals(month: Period, period: FoundPeriod, entries: InvoiceEntry[]) {
  const { opening, closing } = period;
  const bind = (params: LedgerRangeParams) => INVOICE_LEDGER.totals.bind(env.DB, params);
  const { sumOf } = await readTotals(period, month, bind);
  const unpaid = sumOf("amountMinor", "Orders", "Ended before payment", "Payments");
  const toRefund = -sumOf("amountMinor", "Ended after payment", "Refunded");
  expect({
    unpaidMinor: opening.unpaidMinor + unpaid,
    toRefundMinor: opening.toRefundMinor + toRefund,
  }).toEqual(closing);
  expect(sumOf("entries")).toBe(entries.length);
  expect(sumOf("feesMinor")).toBe(entries.reduce((sum, { feeMinor }) => sum + (feeMinor ?? 0), 0));
}

/** The statement of the client in each currency. Fails if its entries do not add up. */
async function statementsOf(
  { clientId }: TestClient,
  period: Period = ALWAYS,
  pageEntries?: number,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (const each of await findInvoicePeriods(env.DB, clientId, period)) {
    const bind = (params: EntriesParams) => INVOICE_LEDGER.entries.bind(env.DB, params);
    const pages = await readPages(clientId, each, bind, pageEntries);
    const entries = pages.flat();
    await expectTotals(period, each, entries);
    statements.push({ period: each, entries });
  }
  return statements;
}

async function entriesOf(client: TestClient): Promise<InvoiceEntry[]> {
  return (await statementsOf(client)).flatMap(({ entries }) => entries);
}

const rowsOf = (entries: InvoiceEntry[]) =>
  entries.map(({ kind, amountMinor, unpaidMinor, toRefundMinor }) => [
    ...[kind, amountMinor, unpaidMinor, toRefundMinor],
  ]);

const product = () => simpleProduct({ priceMinor: 3_333, shippingMinor: 0 });

/** An order of three gifts for 104.14. */
async function placeThree(profile: object = {}) {
  const sold = product();
  const client = await createClient({
    products: [sold],
    billing: "invoice",
    feeBasisPoints: FEE_BASIS_POINTS,
    ...profile,
  });
  const worker = startWorker({ now: () => MARCH });
  const body = orderOf(sold, { recipient_details: recipients(3) });
  const { order_data } = await placeGiftLink(worker, client, body);
  const id = order_data.order_id;
  const cancel = (...gifts: number[]) =>
    worker.post(client, "/api/order/cancel", {
      order_id: id,
      suborder_ids: gifts.map((gift) => id * 1000 + gift),
    });
  return { client, id, body, cancel };
}

test("cancelled gifts reduce what is unpaid, and after the payment they are to be refunded", async () => {
  const { client, id, body, cancel } = await placeThree();
  await cancel(1);
  const payment = { reference: "Transfer 1", owedMinor: null, nowMs: MARCH };
  await payOrders(env.DB, [{ ...operatorKey(id), ...payment }]);
  await cancel(2);
  const refund = { orderId: id, reference: "Back 1", refundMinor: 3_472, nowMs: APRIL };
  expect(await recordRefund(env.DB, refund)).toBe(true);
  await transition(env.DB, id, "cancel", MAY);
  const entries = await entriesOf(client);
  // The fees of the gifts are 1.38, 1.39 and 1.38.
  expect(rowsOf(entries)).toEqual([
    ["order", 10_414, 10_414, 0],
    ["cancellation", -3_471, 6_943, 0],
    ["payment", -6_943, 0, 0],
    ["cancellation", -3_472, 0, 3_472],
    ["refund", 3_472, 0, 0],
    ["cancellation", -3_471, 0, 3_471],
  ]);
  const common = { orderId: id, orderRefId: body.order_ref_id, orderCreatedAtMs: MARCH };
  expect(entries).toMatchObject([
    { ...common, sequence: 1, qty: 3, feeMinor: 415, reference: null, createdAtMs: MARCH },
    { ...common, sequence: 2, qty: null, feeMinor: null, reference: null, createdAtMs: MARCH },
    { ...common, sequence: 3, reference: "Transfer 1" },
    common,
    { ...common, reference: "Back 1", createdAtMs: APRIL },
    { ...common, reference: null, createdAtMs: MAY },
  ]);
  const owed = env.DB.prepare("SELECT owed_minor FROM orders WHERE id = ?").bind(id);
  expect(await owed.first("owed_minor")).toBe(-3_471);
  expect(await differencesOf([client])).toEqual([]);
});

test("an order that is paid or refunded again has no second entry", async () => {
  const { client, id } = await placeThree();
  const payment = { ...operatorKey(id), reference: "T-1", owedMinor: null, nowMs: MARCH };
  const refund = { orderId: id, reference: "R-1", refundMinor: 10_414, nowMs: MARCH };
  expect(await recordRefund(env.DB, refund)).toBe(false);
  expect(await payOrders(env.DB, [payment])).toEqual([true]);
  expect(await payOrders(env.DB, [payment])).toEqual([false]);
  expect(await recordRefund(env.DB, refund)).toBe(false);
  await transition(env.DB, id, "cancel", MARCH);
  const both = await Promise.all([recordRefund(env.DB, refund), recordRefund(env.DB, refund)]);
  expect(both.sort()).toEqual([false, true]);
  expect(rowsOf(await entriesOf(client)).map(([kind]) => kind)).toEqual([
    ...["order", "payment", "cancellation", "refund"],
  ]);
});

/** Ends the gift as the cron handler does, some days after it was declined. */
async function endDeclined(orderId: number, sequence: number, nowMs: number) {
  const decline = "UPDATE gifts SET declined_at_ms = 0 WHERE order_id = ? AND sequence = ?";
  await env.DB.prepare(decline).bind(orderId, sequence).run();
  const ending = { ...operatorKey(orderId), kind: "cancel", finalByMs: nowMs, nowMs } as const;
  await endGifts(env.DB, { ...ending, giftIds: null, requestId: crypto.randomUUID() });
}

test.each([
  [true, [-3_472, -3_471]],
  [false, [-3_471]],
])(
  "a declined gift is to be refunded only if refundDeclined was true: %j",
  async (refundDeclined, amounts) => {
    const { client, id, cancel } = await placeThree({ refundDeclined });
    await transition(env.DB, id, "pay", MARCH);
    await cancel(1);
    await endDeclined(id, 2, MARCH);
    // A later change of the setting changes nothing.
    await env.DB.prepare("UPDATE clients SET refund_declined = 1 - refund_declined WHERE id = ?")
      .bind(client.clientId)
      .run();
    await cancel(3);
    const shares = (await entriesOf(client)).slice(2).map(({ amountMinor }) => amountMinor);
    expect(shares).toEqual([-3_471, ...amounts]);
    expect(await differencesOf([client])).toEqual([]);
  },
);

test("orders that were paid from credit or in the online store, and other clients' orders, are left out", async () => {
  const sold = product();
  const other = await createClient({ products: [sold], billing: "invoice" });
  const client = await createClient({ products: [sold] });
  const worker = startWorker({ now: () => MARCH });
  const { order_data } = await placeOrder(worker, client, orderOf(sold));
  await transition(env.DB, order_data.order_id, "cancel", MARCH);
  await placeOrder(worker, other, orderOf(sold));
  const imported = { reference: null, status: "created", method: "email" } as const;
  const id = await importListed(client, sold, { ...imported, createdAtMs: MARCH, gifts: [null] });
  await transition(env.DB, id, "pay", MARCH);
  await transition(env.DB, id, "cancel", MARCH);
  expect(await statementsOf(client)).toEqual([]);
  expect(await entriesOf(other)).toHaveLength(1);
});

const CURRENCIES = ["AUD", "JPY", "KWD"] as const;
type ActionCurrency = (typeof CURRENCIES)[number];

type Action = ActionTime &
  (
    | { kind: "place"; qty: number; currency: ActionCurrency }
    | { kind: "pay" | "fail" | "refund" | "expire"; pick: number }
    | { kind: "cancel"; pick: number; gifts: number[] | null }
    | { kind: "decline"; pick: number; gift: number }
  );

const PICK = { pick: fc.nat(2) };

const action = <Fields extends object>(fields: {
  [Name in keyof Fields]: fc.Arbitrary<Fields[Name]>;
}) => fc.record({ ...fields, ...TIMES }) as unknown as fc.Arbitrary<Action>;

const placing = action({
  kind: fc.constant("place"),
  qty: fc.integer({ min: 1, max: 4 }),
  currency: fc.constantFrom(...CURRENCIES),
});

const HISTORY = fc.array(
  fc.oneof(
    placing,
    placing,
    action({
      kind: fc.constantFrom("pay", "pay", "pay", "fail", "refund", "refund", "expire"),
      ...PICK,
    }),
    action({
      kind: fc.constant("cancel"),
      gifts: fc.constantFrom(null, [1], [2], [1, 2]),
      ...PICK,
    }),
    action({ kind: fc.constant("decline"), gift: fc.integer({ min: 1, max: 4 }), ...PICK }),
  ),
  { minLength: 8, maxLength: 24 },
);

/**
 * An order that is paid, cancelled and refunded in three months, and one that is placed at the end of a month after an
 * entry of the next month.
 */
const REFUNDED = [
  { kind: "place", qty: 3, currency: "AUD", pauseMs: END, clockMs: 0 },
  { kind: "pay", pick: 0, pauseMs: DAY_MS, clockMs: 0 },
  { kind: "cancel", pick: 0, gifts: [1], pauseMs: 0, clockMs: 0 },
  { kind: "expire", pick: 0, pauseMs: END, clockMs: 2 * SECOND_MS },
  { kind: "place", qty: 1, currency: "AUD", pauseMs: 0, clockMs: 0 },
  { kind: "refund", pick: 0, pauseMs: 2 * HOUR_MS, clockMs: 0 },
] satisfies Action[];

/** An order as an accountant would keep it. */
interface BookedOrder {
  id: number;
  currency: string;
  /** The cost of each gift: of the total, what it adds to that of the gifts before it. */
  costs: number[];
  qty: number;
  open: Set<number>;
  status: "created" | "paid" | "failed" | "cancieled";
  owedMinor: number;
}

type Booked = Pick<InvoiceEntry, "kind" | "orderId" | "amountMinor"> & {
  currency: string;
  /** The latest time up to the entry, which decides its month. */
  latestMs: number;
};

class History {
  readonly orders: BookedOrder[] = [];
  readonly booked: Booked[] = [];
  readonly client: TestClient;
  readonly products: Record<ActionCurrency, TestProduct>;
  readonly #refundDeclined: boolean;

  constructor(client: TestClient, products: History["products"], refundDeclined: boolean) {
    [this.client, this.products, this.#refundDeclined] = [client, products, refundDeclined];
  }

  async perform(action: Action, nowMs: number): Promise<void> {
    if (action.kind === "place") return this.#place(action, nowMs);
    const order = this.orders[action.pick % Math.max(this.orders.length, 1)];
    if (!order) return;
    const key = { ...operatorKey(order.id), nowMs };
    const { id, status } = order;
    switch (action.kind) {
      case "pay":
        await payOrders(env.DB, [{ ...key, reference: "T", owedMinor: null }]);
        if (status !== "created") return;
        order.status = "paid";
        this.#book(order, "payment", -order.owedMinor, nowMs);
        return;
      case "refund":
        await recordRefund(env.DB, {
          orderId: id,
          reference: "R",
          refundMinor: -order.owedMinor,
          nowMs,
        });
        if (order.owedMinor < 0) this.#book(order, "refund", -order.owedMinor, nowMs);
        return;
      case "fail":
        await transition(env.DB, id, "fail", nowMs);
        if (status === "created")
          this.#end(order, [...order.open], "cancellation", nowMs, "failed");
        return;
      case "expire": {
        const requestId = crypto.randomUUID();
        await endGifts(env.DB, { ...key, kind: "expire", requestId, giftIds: null });
        this.#end(order, [...order.open], "expiry", nowMs);
        return;
      }
      case "decline": {
        if (status !== "paid" || !order.open.has(action.gift)) return;
        await endDeclined(id, action.gift, nowMs);
        this.#end(order, [action.gift], this.#refundDeclined ? "cancellation" : null, nowMs);
        return;
      }
      case "cancel": {
        const worker = startWorker({ now: () => nowMs });
        const suborder_ids = action.gifts?.map((gift) => id * 1000 + gift);
        const name = { order_id: id, ...(suborder_ids && { suborder_ids }) };
        await worker.post(this.client, "/api/order/cancel", name);
        if (action.gifts?.some((gift) => gift > order.qty)) return;
        const gifts = (action.gifts ?? [...order.open]).filter((gift) => order.open.has(gift));
        this.#end(order, gifts, "cancellation", nowMs);
      }
    }
  }

  async #place({ qty, currency }: Extract<Action, { kind: "place" }>, nowMs: number) {
    const worker = startWorker({ now: () => nowMs });
    const body = orderOf(this.products[currency], { recipient_details: recipients(qty) });
    const { order_data, order_totals } = await placeGiftLink(worker, this.client, body);
    const order: BookedOrder = {
      id: order_data.order_id,
      currency,
      qty,
      status: "created",
      owedMinor: 0,
      costs: costsOf(
        minorOf(order_totals.subtotal, currency) + minorOf(order_totals.shipping_cost, currency),
        qty,
      ),
      open: new Set(Array.from({ length: qty }, (_, index) => index + 1)),
    };
    this.orders.push(order);
    this.#book(order, "order", minorOf(order_totals.order_total, currency), nowMs);
  }

  /** Ends gifts. A null kind is an end for which the client pays. */
  #end(
    order: BookedOrder,
    gifts: number[],
    kind: "cancellation" | "expiry" | null,
    nowMs: number,
    status: "failed" | "cancieled" = "cancieled",
  ): void {
    if (gifts.length === 0) return;
    for (const gift of gifts) order.open.delete(gift);
    const endedMinor = gifts.reduce((sum, gift) => sum + (order.costs[gift - 1] ?? 0), 0);
    if (kind) this.#book(order, kind, -endedMinor, nowMs);
    if (order.open.size === 0) order.status = status;
  }

  #book(order: BookedOrder, kind: Booked["kind"], amountMinor: number, nowMs: number): void {
    order.owedMinor += amountMinor;
    const { id: orderId, currency } = order;
    const previous = this.booked.findLast((each) => each.currency === currency)?.latestMs ?? 0;
    const latestMs = Math.max(previous, nowMs);
    this.booked.push({ kind, orderId, currency, amountMinor, latestMs });
  }
}

const FEE_BASIS_POINTS = 415;

function costsOf(beforeFeeMinor: number, qty: number): number[] {
  const totalOf = (gifts: number) => {
    const minor = (beforeFeeMinor / qty) * gifts;
    return minor + Math.round((minor * FEE_BASIS_POINTS) / 10_000);
  };
  return Array.from({ length: qty }, (_, index) => totalOf(index + 1) - totalOf(index));
}

async function createHistory(refundDeclined: boolean): Promise<History> {
  const products = createProducts();
  const client = await createClient({
    products: Object.values(products),
    billing: "invoice",
    feeBasisPoints: FEE_BASIS_POINTS,
    refundDeclined,
  });
  return new History(client, products, refundDeclined);
}

/** The statements of the month. A ledger that begins later has none. */
const print = async ({ client }: History, month: Period) =>
  (await statementsOf(client, month)).filter(({ period }) => period.endSequence > 1);

/** Performs the actions, and prints the statements of each month an hour after its end. */
async function replay(history: History, actions: Action[]) {
  const printed = new Map<Period, Statement[]>();
  let timeMs = MARCH - 3 * SECOND_MS;
  for (const each of actions) {
    timeMs = Math.max(timeMs, after(timeMs, each.pauseMs));
    for (const month of MONTHS) {
      if (timeMs < month.toMs + HOUR_MS || printed.has(month)) continue;
      printed.set(month, await print(history, month));
    }
    await history.perform(each, timeMs + each.clockMs);
  }
  return printed;
}

/** The entries of the month in the currency, as the accountant has booked them. */
const bookedIn = ({ booked }: History, { fromMs, toMs }: Period, currency: string) =>
  booked
    .filter(({ latestMs }) => latestMs >= fromMs && latestMs < toMs)
    .filter((each) => each.currency === currency)
    .map(({ kind, orderId, amountMinor }) => ({ kind, orderId, amountMinor }));

/** Checks what is unpaid and to be refunded in each currency at the end, and the orders. */
async function expectSums({ orders }: History, closing: Map<string, object>) {
  const sumOf = (currency: string, sign: 1 | -1) =>
    orders
      .filter((order) => order.currency === currency)
      .reduce((sum, { owedMinor }) => sum + Math.max(sign * owedMinor, 0), 0);
  for (const [currency, sums] of closing) {
    expect(sums).toEqual({ unpaidMinor: sumOf(currency, 1), toRefundMinor: sumOf(currency, -1) });
  }
  const { results } = await env.DB.prepare(
    "SELECT id, status, owed_minor AS owedMinor FROM orders WHERE id IN (SELECT value FROM json_each(?))",
  )
    .bind(JSON.stringify(orders.map(({ id }) => id)))
    .all();
  expect(results).toEqual(orders.map(({ id, status, owedMinor }) => ({ id, status, owedMinor })));
}

test("statements of random histories contain every change once, add up by month, and never change after the end of their month", async () => {
  const seen = new Set<string>();
  const clients: TestClient[] = [];
  const options = fc.record({
    refundDeclined: fc.boolean(),
    pageEntries: fc.integer({ min: 1, max: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(HISTORY, options, async (actions, { refundDeclined, pageEntries }) => {
      const history = await createHistory(refundDeclined);
      clients.push(history.client);
      for (const [month, statements] of await replay(history, actions)) {
        expect(await print(history, month)).toEqual(statements);
        if (history.booked.some(({ latestMs }) => latestMs >= month.toMs)) seen.add("reprinted");
      }
      const closing = new Map<string, object>();
      for (const month of MONTHS) {
        for (const { period, entries } of await statementsOf(history.client, month, pageEntries)) {
          const { currency } = period;
          expect(entries).toMatchObject(bookedIn(history, month, currency));
          expect(period.opening).toEqual(closing.get(currency) ?? NOTHING);
          closing.set(currency, period.closing);
          for (const { kind, orderCreatedAtMs } of entries) {
            seen.add(orderCreatedAtMs < month.fromMs ? `${kind} of another month` : kind);
          }
        }
      }
      await expectSums(history, closing);
    }),
    { numRuns: runs(30), examples: [[REFUNDED, { refundDeclined: true, pageEntries: 2 }]] },
  );
  expect(await differencesOf(clients)).toEqual([]);
  const later = ["cancellation", "expiry", "payment", "refund"].map(
    (kind) => `${kind} of another month`,
  );
  expect([...seen]).toEqual(expect.arrayContaining(["order", "reprinted", ...later]));
}, 240_000);

test("the cost of a statement does not depend on the entries of other months", async () => {
  const sold = product();
  const client = await createClient({ products: [sold], billing: "invoice" });
  const fromMs = MARCH - 3_000 * MINUTE_MS;
  await placeOrder(startWorker({ now: () => fromMs }), client, orderOf(sold));
  // 2,000 entries, six an hour.
  await env.DB.prepare(
    `INSERT INTO invoice_entries (client_id, currency, sequence, kind, order_id, amount_minor,
       unpaid_minor, to_refund_minor, created_at_ms)
     WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
     SELECT client_id, currency, n, 'payment', order_id, 0, unpaid_minor, 0,
       cast(?2 + (n - 1) * 600000 AS INTEGER)
     FROM n, (SELECT * FROM invoice_entries WHERE client_id = ?1) e ORDER BY n`,
  )
    .bind(client.clientId, fromMs)
    .run();
  const meter = newMeter();
  const db = meteredD1(env.DB, meter);
  const month = { fromMs: MARCH + 10 * DAY_MS, toMs: MARCH + 11 * DAY_MS };
  const [period] = await findInvoicePeriods(db, client.clientId, month);
  expect(period).toMatchObject({ firstSequence: 1_741, endSequence: 1_885 });
  expect(meter.roundTrips).toBe(1);
  const searchRows = meter.rowsRead;
  expect(searchRows).toBeLessThan(40);
  const bind = (params: EntriesParams) => INVOICE_LEDGER.entries.bind(db, params);
  const pages = await readPages(client.clientId, period as FoundPeriod, bind, 100);
  expect(pages.map((page) => page.length)).toEqual([100, 44]);
  expect(meter.roundTrips).toBe(3);
  // An entry and its order.
  expect(meter.rowsRead - searchRows).toBeLessThanOrEqual(2 * 144 + 4);
});
