// POST /api/sandbox/event, for events of orders and gifts.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { forgetClient } from "../../src/features/clients/cache.ts";
import { operatorKey } from "../../src/features/lifecycle/order-key.ts";
import { endGifts } from "../../src/features/lifecycle/end.ts";
import { overriding } from "../support/counting.ts";
import { createReceivingWebhook, lossyQueue } from "../support/delivery.ts";
import { errorOf } from "../support/errors.ts";
import { failingBatches, LOST, type When } from "../support/faults.ts";
import {
  ADDRESS,
  balanceOf,
  brokenAccounts,
  type ClientOptions,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
  type TestClient,
  type TestProduct,
  variableProduct,
  openShop,
} from "../support/fixtures.ts";
import {
  accept,
  changingAfterRead,
  createGift,
  readRecipient,
  takeStep,
  type TestGift,
} from "../support/gift.ts";
import { placeOrder } from "../support/orders.ts";
import type { ShipmentListResponse } from "../../src/features/fulfilment/contract.ts";
import type { SandboxEvent } from "../../src/features/sandbox/contract.ts";
import { sql } from "../support/sql.ts";
import { databaseState } from "../support/state.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue } });

const cause = (client: TestClient, event: SandboxEvent, body: object, on = worker) =>
  on.post(client, "/api/sandbox/event", { event, ...body });

/** Causes an event of the order or of its first gift. */
function use(
  { client, orderId }: Pick<TestGift, "client" | "orderId">,
  event: SandboxEvent,
  more: object = {},
  on = worker,
) {
  const isOfOrder = event.startsWith("order");
  const selection = isOfOrder ? { order_id: orderId } : { suborder_id: orderId * 1000 + 1 };
  return cause(client, event, { ...selection, ...more }, on);
}

/** A gift-link order for two recipients. */
function createOrder(options: ClientOptions = {}, product: TestProduct = simpleProduct()) {
  return createGift(worker, [product], { recipient_details: recipients(2) }, options);
}

/** The client's events as `type gift`, in order. */
async function eventsOf({ client, orderId }: TestGift): Promise<string[]> {
  const { json } = await worker.get(client, "/api/events");
  return (json.events as { type: string; suborder_id: number | null }[]).map(
    ({ type, suborder_id }) =>
      suborder_id === null ? type : `${type} ${String(suborder_id - orderId * 1000)}`,
  );
}

async function giftsOf({ client, orderId }: TestGift) {
  const { json } = await worker.get(client, `/api/order?order_id=${String(orderId)}`);
  const statuses = json.recipients.map(
    (recipient: { redemption_status: string | null }) => recipient.redemption_status,
  );
  return [json.order_status, ...statuses] as (string | null)[];
}

const expireFirst = ({ orderId }: TestGift) =>
  endGifts(env.DB, {
    ...operatorKey(orderId),
    kind: "expire",
    giftIds: [orderId * 1000 + 1],
    nowMs: Date.now(),
    requestId: crypto.randomUUID(),
  });

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

const REFUSED = "refused";
/** The statuses after the event. */
type Outcome = [order: string, gift?: string] | typeof REFUSED;
const REDEEMED: Outcome = ["paid", "redeemed"];
const EXPIRED: Outcome = ["paid", "expired"];

interface State {
  billing?: "invoice";
  /** Brings a new order and its first gift into the state. */
  reach?: (gift: TestGift) => Promise<unknown>;
  outcomes: [pay: Outcome, fail: Outcome, redeem: Outcome, expire: Outcome];
}

const STATES: Record<string, State> = {
  open: { outcomes: [["paid"], REFUSED, REDEEMED, EXPIRED] },
  "in an unpaid order": {
    billing: "invoice",
    outcomes: [["paid"], ["failed"], REFUSED, ["created", "expired"]],
  },
  "in a failed order": {
    billing: "invoice",
    reach: (gift) => takeStep(gift, "fail"),
    outcomes: [REFUSED, ["failed"], REFUSED, REFUSED],
  },
  redeemed: {
    reach: ({ path }) => accept(worker, path),
    outcomes: [["paid"], REFUSED, REDEEMED, REFUSED],
  },
  expired: {
    reach: expireFirst,
    outcomes: [["paid"], REFUSED, REFUSED, EXPIRED],
  },
  "past its last day": {
    reach: ({ orderId }) => sql("UPDATE orders SET expires_at_ms = 1 WHERE id = ?", orderId).run(),
    outcomes: [["paid"], REFUSED, REFUSED, EXPIRED],
  },
};

const OF_STATES = ["order.paid", "order.failed", "gift.redeemed", "gift.expired"] as const;
const CHANGES = [...OF_STATES, "gift.shipped", "gift.delivered"] as const;

/** An order whose state permits the event. */
async function createPermitting(name: SandboxEvent, product?: TestProduct): Promise<TestGift> {
  const gift = await createOrder({ billing: "invoice" }, product);
  const isShipment = name === "gift.shipped" || name === "gift.delivered";
  if (name === "gift.redeemed" || isShipment) await takeStep(gift, "pay");
  if (isShipment) await accept(worker, gift.path);
  if (name === "gift.delivered") await use(gift, "gift.shipped");
  return gift;
}

const CASES = Object.entries(STATES).flatMap(([name, { outcomes, ...state }]) =>
  OF_STATES.map((event, index) => [event, name, outcomes[index] ?? REFUSED, state] as const),
);

test.each(CASES)("%s of a gift that is %s: %j", async (name, _, outcome, { billing, reach }) => {
  const gift = await createOrder({ ...(billing && { billing }) });
  await reach?.(gift);
  const before = await databaseState();
  const answer = await use(gift, name);
  if (outcome === REFUSED) {
    expect(errorOf(answer)).toMatchObject({ http: 409, code: "not_allowed_in_state" });
    expect(await databaseState()).toEqual(before);
    return;
  }
  expect(answer.json).toEqual({ status: "success", event: name });
  expect((await giftsOf(gift)).slice(0, outcome.length)).toEqual(outcome);

  // A repeated request has the same response and changes nothing.
  const after = await databaseState();
  const again = await use(gift, name);
  expect([again.status, again.text]).toEqual([200, answer.text]);
  expect(await databaseState()).toEqual(after);
});

test("paying and failing accept the id, the number or the reference of the order, and exactly one of them", async () => {
  const { product, client } = await openShop(simpleProduct(), { billing: "invoice" });
  const body = orderOf(product);
  const { order_data } = await placeOrder(worker, client, body);
  const { order_id, order_number } = order_data;
  for (const by of [
    { order_id: String(order_id) },
    { order_number },
    { order_ref_id: body.order_ref_id },
  ]) {
    const { status, meter } = await cause(client, "order.paid", by);
    expect([status, meter.roundTrips]).toEqual([200, 1]);
  }
  const both = { order_id, suborder_id: order_id * 1000 + 1 };
  for (const by of [{}, { order_id, order_number }, { order_id: order_number }, both]) {
    expect(errorOf(await cause(client, "order.paid", by))).toMatchObject({ http: 400 });
  }
  for (const by of [
    { order_id: 999_999_999 },
    { order_number: "GO-999999999" },
    { order_number: "42" },
    { order_ref_id: "never placed" },
  ]) {
    for (const name of ["order.paid", "order.failed"] as const) {
      const error = errorOf(await cause(client, name, by));
      expect(error).toMatchObject({ http: 404, code: "not_found" });
    }
  }
});

const withoutAddresses = () =>
  recipients(2).map((recipient) => ({ ...recipient, delivery_address: undefined }));

test("redeeming redeems the offered product with the given address and notes, and only this gift", async () => {
  const gift = await createOrder();
  const delivery_address = { ...ADDRESS, address_line_1: "2 Other Road", address_line_2: null };
  const answer = await use(gift, "gift.redeemed", {
    delivery_address,
    delivery_notes: " Ring twice. ",
  });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.meter.roundTrips).toBe(3);
  expect(await eventsOf(gift)).toEqual(["order.paid", "gift.redeemed 1"]);
  expect(await giftsOf(gift)).toEqual(["paid", "redeemed", null]);
  const { recipient_details } = await readRecipient(worker, gift);
  expect(recipient_details).toMatchObject({ delivery_address, delivery_notes: "Ring twice." });
  // The link opens the page of an accepted gift.
  expect((await accept(worker, gift.path)).status).toBe(409);
  // A repeated request with another address does not change it.
  await use(gift, "gift.redeemed");
  expect((await readRecipient(worker, gift)).recipient_details).toEqual(recipient_details);
});

test("redeeming uses the address of the order", async () => {
  const gift = await createOrder();
  await use(gift, "gift.redeemed");
  const { recipient_details } = await readRecipient(worker, gift);
  expect(recipient_details).toMatchObject({ delivery_address: ADDRESS, delivery_notes: null });
});

const SAMPLE = {
  address_line_1: "1 Sample Street",
  address_line_2: null,
  suburb: "Sampleton",
  state: null,
  // The first example for New Zealand.
  postcode_zipcode: "6001",
};

test.each([
  ["no address", "NZ", undefined, { ...SAMPLE, country: "NZ" }],
  [
    "an incomplete address",
    "NZ",
    { suburb: "Ponsonby", country: " " },
    { ...SAMPLE, suburb: "Ponsonby", country: "NZ" },
  ],
  [
    "an address in a country without postcodes",
    "AE",
    { address_line_1: "Villa 4", suburb: "Jumeirah" },
    {
      ...SAMPLE,
      address_line_1: "Villa 4",
      suburb: "Jumeirah",
      postcode_zipcode: null,
      country: "AE",
    },
  ],
])("redeeming completes %s with sample values", async (_, base_location, given, used) => {
  const product = simpleProduct({ locations: ["NZ", "AE"] });
  const details = recipients(1).map((recipient) => ({ ...recipient, delivery_address: given }));
  const gift = await createGift(worker, [product], {
    base_location,
    recipient_details: details,
  });
  const answer = await use(gift, "gift.redeemed");
  expect(answer.status, answer.text).toBe(200);
  expect((await readRecipient(worker, gift)).recipient_details.delivery_address).toEqual(used);
});

test("redeeming redeems the ordered variation, also if the recipient may choose another gift", async () => {
  const product = variableProduct();
  const [, large] = product.product.variations.map(({ id }) => id);
  const gift = await createGift(worker, [product, simpleProduct()], {
    variation_id: large,
    gift_of_choice: "Y",
    recipient_details: withoutAddresses(),
  });
  const answer = await use(gift, "gift.redeemed");
  expect(answer.status, answer.text).toBe(200);
  expect((await readRecipient(worker, gift)).product_selected).toEqual({
    product_id: String(product.product.id),
    variation_id: String(large),
  });
  expect(await stockOf(product.product.id, large)).toBe(98);
});

test("redeeming redeems a gift whose link is renewed at the same time", async () => {
  const gift = await createOrder();
  const renew = () =>
    sql("UPDATE gifts SET link_generation = 1 WHERE order_id = ?", gift.orderId).run();
  const renewing = startWorker({ env: { DB: changingAfterRead(renew) } });
  expect((await use(gift, "gift.redeemed", {}, renewing)).status).toBe(200);
  expect(await eventsOf(gift)).toEqual(["order.paid", "gift.redeemed 1"]);
});

test("expiring returns the stock and the share of the credit, and the last gift ends the order", async () => {
  const product = simpleProduct();
  const gift = await createOrder({}, product);
  const paid = await balanceOf(gift.client.clientId);
  const first = await use(gift, "gift.expired");
  expect(first.meter.roundTrips).toBe(3);
  // The order's total is 62.40: 2 × (25.00 + 5.00) plus a fee of 4 %.
  expect((await balanceOf(gift.client.clientId)) - paid).toBe(3120);
  expect(await stockOf(product.product.id)).toBe(99);
  expect(await giftsOf(gift)).toEqual(["paid", "expired", null]);
  const last = { suborder_id: gift.orderId * 1000 + 2 };
  await cause(gift.client, "gift.expired", last);
  expect(await giftsOf(gift)).toEqual(["cancieled", "expired", "expired"]);
  expect((await balanceOf(gift.client.clientId)) - paid).toBe(6240);
  expect(await eventsOf(gift)).toEqual([
    ...["order.paid", "gift.expired 1", "gift.expired 2", "order.cancelled"],
  ]);
  expect((await worker.fetch(gift.path)).status).toBe(410);
});

describe("shipping and delivering", () => {
  const PARCEL = {
    carrier: "DHL",
    tracking_number: "JD01",
    tracking_url: "https://dhl.example/JD01",
  };

  async function redeemed(product = simpleProduct()) {
    const gift = await createOrder({}, product);
    await accept(worker, gift.path);
    return gift;
  }

  async function expectRefused(gift: TestGift, name: SandboxEvent, fields: object = {}) {
    const before = await databaseState();
    const error = errorOf(await use(gift, name, fields));
    expect(error).toMatchObject({ http: 409, code: "not_allowed_in_state" });
    expect(await databaseState()).toEqual(before);
  }

  test("ship and deliver a parcel, once", async () => {
    const gift = await redeemed();
    for (const [name, fields, roundTrips, written] of [
      ["gift.shipped", PARCEL, 2, 9],
      ["gift.delivered", {}, 1, 6],
    ] as const) {
      const answer = await use(gift, name, fields);
      expect([answer.status, answer.meter.roundTrips]).toEqual([200, roundTrips]);
      expect(answer.meter.rowsWritten).toBeLessThanOrEqual(written);
      const after = await databaseState();
      const again = await use(gift, name, fields);
      expect([again.text, again.meter.rowsWritten]).toEqual([answer.text, 0]);
      expect(await databaseState()).toEqual(after);
    }
    expect(await eventsOf(gift)).toEqual([
      ...["order.paid", "gift.redeemed 1", "gift.shipped 1", "gift.delivered 1"],
    ]);
    const { json } = await worker.get(
      gift.client,
      `/api/shipments?order_id=${String(gift.orderId)}`,
    );
    expect((json as ShipmentListResponse).shipments).toMatchObject([
      { shipment_status: "delivered", ...PARCEL },
    ]);
  });

  test("send a digital gift, which has no parcel", async () => {
    const gift = await redeemed(simpleProduct({ delivery: "digital" }));
    await expectRefused(gift, "gift.sent", PARCEL);
    await expectRefused(gift, "gift.shipped");
    const none = { carrier: null, tracking_number: null, tracking_url: null };
    expect((await use(gift, "gift.sent", none)).status).toBe(200);
    await expectRefused(gift, "gift.delivered");
    expect(await eventsOf(gift)).toEqual(["order.paid", "gift.redeemed 1", "gift.sent 1"]);
  });
});

test.each(["gift.redeemed", "gift.expired"] as const)(
  "a gift without a link is refused by %s",
  async (name) => {
    const { product, client } = await openShop();
    const { order_data } = await placeOrder(worker, client, orderOf(product));
    const answer = await use({ client, orderId: order_data.order_id }, name);
    expect(errorOf(answer)).toMatchObject({ http: 409, code: "not_allowed_in_state" });
  },
);

test.each(CHANGES)(
  "another client's order or gift gets the response of %s to an unknown one, and does not change",
  async (name) => {
    const gift = await createPermitting(name);
    const other = await createClient();
    const [before, gifts] = [await databaseState(), await giftsOf(gift)];
    const theirs = errorOf(await use({ ...gift, client: other }, name));
    expect(theirs).toMatchObject({ http: 404, code: "not_found" });
    const unknown = { client: other, orderId: 9_999_999_999 };
    expect(errorOf(await use(unknown, name))).toEqual(theirs);
    expect(await databaseState()).toEqual(before);
    expect(await giftsOf(gift)).toEqual(gifts);
  },
);

test("another client's order or gift is not found by its reference or with a sequence that the order does not have", async () => {
  const product = simpleProduct();
  const owner = await createClient({ products: [product], billing: "invoice" });
  const other = await createClient();
  const body = orderOf(product);
  const { order_data } = await placeOrder(worker, owner, body);
  const byReference = { order_ref_id: body.order_ref_id };
  expect((await cause(other, "order.paid", byReference)).status).toBe(404);
  for (const sequence of [0, 2, 999]) {
    const suborder_id = order_data.order_id * 1000 + sequence;
    expect((await cause(owner, "gift.expired", { suborder_id })).status).toBe(404);
  }
  for (const name of ["gift.shipped", "gift.delivered"] as const) {
    expect((await cause(other, name, { suborder_id: 1 })).status).toBe(404);
  }
});

describe("requests at the same time", () => {
  test("redeem a gift that the page redeems between the reads and the write", async () => {
    const gift = await createOrder();
    const racing = startWorker({
      env: { DB: changingAfterRead(() => accept(worker, gift.path)) },
    });
    const answer = await use(gift, "gift.redeemed", {}, racing);
    expect(answer.status).toBe(200);
    expect(answer.meter.roundTrips).toBe(4);
    expect(await eventsOf(gift)).toEqual(["order.paid", "gift.redeemed 1"]);
  });
});

test.each<[SandboxEvent, When]>(
  CHANGES.flatMap((name) => [
    [name, "before the commit"],
    [name, "after the commit"],
  ]),
)(
  "a lost response of the database to %s %s does not change the response, and the change is made once",
  async (name, when) => {
    const product = simpleProduct();
    const gift = await createPermitting(name, product);
    const events = await eventsOf(gift);
    // The first batch of a redemption reads the gift.
    const DB = failingBatches(new Error(LOST), when, 1, name === "gift.redeemed" ? 1 : 0);
    const answer = await use(gift, name, {}, startWorker({ env: { DB } }));
    expect(answer.status, answer.text).toBe(200);
    expect(await eventsOf(gift)).toHaveLength(events.length + 1);
    const back = { "order.failed": 2, "gift.expired": 1 }[name as string] ?? 0;
    expect(await stockOf(product.product.id)).toBe(98 + back);
  },
);

test("an event nudges the client's webhook endpoints", async () => {
  const gift = await createOrder();
  const { id } = await createReceivingWebhook(gift.client);
  const nudged: unknown[] = [];
  const sendBatch = (messages: Iterable<{ body: unknown }>) => {
    nudged.push(...[...messages].map(({ body }) => body));
    return Promise.resolve();
  };
  const queue = overriding(env.WEBHOOK_QUEUE, { sendBatch });
  // The client's record is cached with its endpoints.
  await forgetClient(env, gift.client.clientId);
  const nudging = startWorker({ env: { WEBHOOK_QUEUE: queue } });
  await use(gift, "gift.redeemed", {}, nudging);
  expect(nudged).toEqual([{ type: "webhook", webhookId: id }]);
});
