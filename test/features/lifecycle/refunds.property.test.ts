// Property test of refunds: for every order and grouping in which gifts are cancelled and expire, an order
// returns to the cent what one cancellation of the same gifts returns. fast-check prints the seed if it does not hold.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { endGifts } from "../../../src/features/lifecycle/end.ts";
import { insertOrder } from "../../../src/features/orders/queries.ts";
import { failingBatches, LOST, type When, retryAtOnce } from "../../support/faults.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  simpleProduct,
  stockOf,
  type TestClient,
  type TestProduct,
  unique,
} from "../../support/fixtures.ts";
import { revisionOf } from "../../support/listed-orders.ts";
import type { CancelResponse } from "../../../src/features/lifecycle/contract.ts";
import { anyCurrency, minorOf, type TestCurrency } from "../../support/money.ts";
import { startWorker } from "../../support/worker.ts";
import { runs } from "../../support/runs.ts";
import { sql } from "../../support/sql.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";

const worker = startWorker();

const MAX_QTY = 9;

interface Step {
  kind: "cancel" | "expire";
  /** Positions of gifts from 0, modulo the number of gifts. Null for all open gifts. */
  gifts: number[] | null;
  lost: { when: When; times: number } | null;
}

interface Sample {
  currency: TestCurrency;
  qty: number;
  priceMinor: number;
  feeMinor: number;
  billing: "credit" | "invoice";
  redeemed: number[];
  steps: Step[];
}

const positions = (options: fc.ArrayConstraints = {}) =>
  fc.array(fc.nat(MAX_QTY - 1), { maxLength: 4, ...options });

const STEP: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("cancel", "cancel", "expire"),
  gifts: fc.option(positions({ minLength: 1 }), { freq: 6 }),
  lost: fc.option(
    fc.record({
      when: fc.constantFrom<When>("before the commit", "after the commit"),
      times: fc.constantFrom(1, 2),
    }),
    { freq: 3 },
  ),
});

const SAMPLE: fc.Arbitrary<Sample> = fc.record({
  currency: anyCurrency,
  qty: fc.integer({ min: 1, max: MAX_QTY }),
  priceMinor: fc.constantFrom(0, 0, 1, 33, 3_333, 9_999_999_999),
  feeMinor: fc.oneof(fc.nat(7), fc.nat(9_999_999)),
  billing: fc.constantFrom("credit", "credit", "invoice"),
  redeemed: positions(),
  steps: fc.array(STEP, { maxLength: 8 }),
});

const step = (gifts: number[] | null, kind: Step["kind"] = "cancel"): Step => ({
  kind,
  gifts,
  lost: null,
});

/** One minor unit for three gifts, a free order, and orders with redeemed gifts. */
const EXAMPLES = (
  [
    {
      qty: 3,
      priceMinor: 0,
      feeMinor: 1,
      redeemed: [],
      steps: [step([2]), step([0], "expire"), step([1])],
    },
    {
      qty: 2,
      priceMinor: 0,
      feeMinor: 0,
      redeemed: [],
      steps: [{ ...step([1]), lost: { when: "after the commit", times: 1 } }, step([0])],
    },
    { qty: 3, priceMinor: 33, feeMinor: 2, redeemed: [1], steps: [step([0, 1]), step([0])] },
    { qty: 2, priceMinor: 33, feeMinor: 1, redeemed: [0], steps: [step([1])] },
  ] satisfies Omit<Sample, "billing" | "currency">[]
).map((sample, index): [Sample] => [
  { ...sample, billing: "credit", currency: index % 2 === 0 ? "JPY" : "KWD" },
]);

interface Shop {
  currency: TestCurrency;
  client: TestClient;
  product: TestProduct;
  revision: string;
}

async function createShop(billing: Sample["billing"], currency: TestCurrency): Promise<Shop> {
  const product = simpleProduct({ currency }, { quantity: 100_000 });
  const creditMinor = 500_000_000_000_000;
  const client = await createClient({ products: [product], billing, creditMinor, currency });
  return { currency, client, product, revision: await revisionOf(product.product.id) };
}

/** The fees of the gifts, which add up to that of the order. */
const feesOf = ({ feeMinor, qty }: Sample): number[] =>
  Array.from({ length: qty }, (_, index) => {
    const share = (gifts: number) => Math.floor((feeMinor * gifts) / qty);
    return share(index + 1) - share(index);
  });

/** Places an order with these amounts, which need not be those of a product, and redeems gifts of it. */
async function place({ currency, client, product, revision }: Shop, sample: Sample) {
  const { qty, priceMinor, feeMinor, billing } = sample;
  const orderRefId = `refunds-${String(unique())}`;
  const { order } = await insertOrder(env.DB, {
    credentialId: 0,
    clientId: client.clientId,
    orderRefId,
    catalogueId: client.catalogueId,
    productId: product.product.id,
    variationId: null,
    currency,
    placementId: orderRefId,
    requestDigest: "",
    giftOrderMethod: "api-purchase",
    sendCodes: 1,
    isDigital: false,
    status: billing === "credit" ? "paid" : "created",
    giftOfChoice: "N",
    collectionId: null,
    brandingSelected: "platform",
    senderName: null,
    campaign: null,
    branding: null,
    baseLocation: "AU",
    productRevision: revision,
    createdAtMs: Date.now(),
    expiresAtMs: null,
    sendAtMs: null,
    nextExpiryCheckMs: null,
    metadata: null,
    linkNonce: null,
    linkKeyId: null,
    productPriceMinor: priceMinor,
    qty,
    subtotalMinor: priceMinor * qty,
    shippingCostMinor: 0,
    orderFeeMinor: feeMinor,
    orderTotalMinor: priceMinor * qty + feeMinor,
    gifts: Array.from({ length: qty }, (_, index) => ({
      productMinor: priceMinor,
      shippingMinor: 0,
      feeMinor: feesOf(sample)[index] ?? 0,
      firstName: "A",
      lastName: "B",
      email: "a@example.com",
      phoneNumber: undefined,
      emailMessage: undefined,
      deliveryAddress: undefined,
      deliveryNotes: undefined,
      externalId: undefined,
      metadata: undefined,
      language: undefined,
      searchTerms: undefined,
      nextEmailMs: undefined,
    })),
  });
  if (!order) throw new Error("the order was not placed");
  for (const position of sample.redeemed) {
    await sql(
      `UPDATE gifts SET redemption_status = 'redeemed', redeemed_at_ms = 1
       WHERE order_id = ? AND sequence = ? AND redemption_status IS NULL`,
      order.id,
      (position % qty) + 1,
    ).run();
  }
  return order.id;
}

/** The order's state as the steps should leave it. */
class Model {
  readonly gifts: (string | null)[];
  status: string;
  readonly #sample: Sample;

  constructor(sample: Sample) {
    this.#sample = sample;
    this.status = sample.billing === "credit" ? "paid" : "created";
    this.gifts = Array.from({ length: sample.qty }, (_, position) =>
      sample.redeemed.some((each) => each % sample.qty === position) ? "redeemed" : null,
    );
  }

  count = (...statuses: (string | null)[]) =>
    this.gifts.filter((gift) => statuses.includes(gift)).length;

  /** Applies the step. Returns whether a cancellation is accepted. */
  apply(kind: Step["kind"], named: number[] | null): boolean {
    if (named?.some((position) => this.gifts[position] === "redeemed")) return false;
    if (!named && kind === "cancel") {
      if (this.status !== "cancieled" && this.count(null) === 0) return false;
      this.status = "cancieled";
    }
    for (const [position, gift] of this.gifts.entries()) {
      if (gift === null && (named?.includes(position) ?? true)) {
        this.gifts[position] = kind === "cancel" ? "cancelled" : "expired";
      }
    }
    if (this.count("cancelled", "expired") === this.gifts.length) this.status = "cancieled";
    return true;
  }

  get totalMinor(): number {
    const { priceMinor, qty, feeMinor } = this.#sample;
    return priceMinor * qty + feeMinor;
  }

  /** The refund of all gifts that have ended: what each of them cost. */
  get refundedMinor(): number {
    const fees = feesOf(this.#sample);
    const costs = fees.map((feeMinor) => this.#sample.priceMinor + feeMinor);
    return costs.reduce((sum, cost, position) => {
      const gift = this.gifts[position];
      return gift === "cancelled" || gift === "expired" ? sum + cost : sum;
    }, 0);
  }
}

/** The balance and the stock of the shop. */
async function accountsOf({ currency, client, product }: Shop) {
  const balance = await balanceOf(client.clientId, currency);
  return { balance, stock: Number(await stockOf(product.product.id)) };
}

/** The order's refunds in its column, in its gifts, in the ledgers and in the events. */
const SELECT_REFUNDS = `
  SELECT status, refunded_minor AS refunded,
    (SELECT sum(refunded_minor) FROM gifts WHERE order_id = o.id) AS inGifts,
    (SELECT total(amount) FROM (
      SELECT amount_minor AS amount, order_id, kind, client_id FROM credit_entries
      UNION ALL SELECT -amount_minor, order_id, kind, client_id FROM invoice_entries) e
     WHERE e.client_id = o.client_id AND order_id = o.id AND kind IN ('cancellation', 'expiry'))
      AS inLedger,
    (SELECT total(data ->> '$.refundMinor') FROM events e
     WHERE e.client_id = o.client_id AND order_id = o.id) AS inEvents
  FROM orders o WHERE id = ?`;

type Accounts = Awaited<ReturnType<typeof accountsOf>>;

/** Checks the refunds of the order, and the balance and stock against those before it was placed. */
async function check(
  shop: Shop,
  orderId: number,
  model: Model,
  before: Accounts & Pick<Sample, "billing">,
): Promise<void> {
  const { status, refundedMinor: refund, totalMinor, gifts } = model;
  expect(await sql(SELECT_REFUNDS, orderId).first()).toEqual({
    status,
    refunded: refund,
    inGifts: refund,
    inLedger: refund,
    inEvents: refund,
  });
  expect(refund).toBeLessThanOrEqual(totalMinor);
  expect(await accountsOf(shop)).toEqual({
    balance: before.balance - (before.billing === "credit" ? totalMinor - refund : 0),
    stock: before.stock - gifts.length + model.count("cancelled", "expired"),
  });
}

async function perform(shop: Shop, orderId: number, model: Model, { kind, gifts, lost }: Step) {
  const named = gifts && [...new Set(gifts.map((position) => position % model.gifts.length))];
  const giftIds = named && named.map((position) => orderId * 1000 + position + 1);
  if (kind === "expire") {
    model.apply(kind, named);
    const order = { orderId, ...NO_CLIENT, orderRefId: null, giftIds, nowMs: Date.now() };
    await endGifts(env.DB, { ...order, kind, requestId: crypto.randomUUID() });
    return;
  }
  const accepted = model.apply(kind, named);
  const at = lost
    ? startWorker({ env: { DB: failingBatches(new Error(LOST), lost.when, lost.times) } })
    : worker;
  const body = { order_id: orderId, ...(giftIds && { suborder_ids: giftIds }) };
  const answer = await at.post(shop.client, "/api/order/cancel", body);
  expect(answer.status, answer.text).toBe(accepted ? 200 : 409);
  if (!accepted) return;
  const { order_totals, recipients } = answer.json as CancelResponse;
  expect(order_totals.currency).toBe(shop.currency);
  expect(minorOf(order_totals.refunded, shop.currency)).toBe(model.refundedMinor);
  expect(recipients.map(({ redemption_status }) => redemption_status)).toEqual(
    model.gifts.filter((_, position) => named?.includes(position) ?? true),
  );
}

/** Cancels an order in one step. Returns its refund. */
async function cancelAtOnce(shop: Shop, sample: Sample): Promise<number> {
  const before = { ...(await accountsOf(shop)), ...sample };
  const orderId = await place(shop, sample);
  const model = new Model(sample);
  await perform(shop, orderId, model, step(null));
  await check(shop, orderId, model, before);
  return model.refundedMinor;
}

test("refunds do not depend on the order and the grouping in which gifts end", async () => {
  retryAtOnce();
  const shops = new Map<string, Promise<Shop>>();
  const shopOf = ({ billing, currency }: Sample) => {
    const key = `${billing} ${currency}`;
    const shop = shops.get(key) ?? createShop(billing, currency);
    shops.set(key, shop);
    return shop;
  };
  const seen = { single: 0, expired: 0, refused: 0, uneven: 0 };
  await fc.assert(
    fc.asyncProperty(SAMPLE, async (sample) => {
      const shop = await shopOf(sample);
      const before = { ...(await accountsOf(shop)), ...sample };
      const orderId = await place(shop, sample);
      const model = new Model(sample);
      for (const each of sample.steps) {
        const ended = model.count("cancelled", "expired");
        await perform(shop, orderId, model, each);
        if (model.count("cancelled", "expired") === ended + 1) seen.single += 1;
        await check(shop, orderId, model, before);
      }
      // The rest is cancelled, unless no gift is open.
      await perform(shop, orderId, model, step(null));
      await check(shop, orderId, model, before);

      expect(await cancelAtOnce(shop, sample)).toBe(model.refundedMinor);

      seen.expired += model.count("expired");
      seen.refused += model.status === "paid" ? 1 : 0;
      seen.uneven += (sample.priceMinor * sample.qty + sample.feeMinor) % sample.qty === 0 ? 0 : 1;
    }),
    { numRuns: Math.max(EXAMPLES.length, runs(40)), endOnFailure: true, examples: EXAMPLES },
  );
  expect(await brokenAccounts()).toEqual([]);
  expect(Object.values(seen).filter((count) => count === 0)).toEqual([]);
}, 180_000);
