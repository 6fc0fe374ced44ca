// Partners cause every type of event in the sandbox, with the documented requests only.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { type EventType, PRODUCT_EVENT_TYPES } from "../../../src/features/events/event.ts";
import { EVENT_DOCS } from "../../../src/features/events/docs.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { lossyQueue } from "../../support/delivery.ts";
import { MAILING, runOutbox } from "../../support/emails.ts";
import {
  brokenAccounts,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
} from "../../support/fixtures.ts";
import { differencesOf } from "../../support/invariants.ts";
import type { SandboxEvent } from "../../../src/features/sandbox/contract.ts";
import { eventList, eventsOf, typesOf } from "../../support/events.ts";
import { startWorker } from "../../support/worker.ts";
import { errorOf } from "../../support/errors.ts";
import { databaseState } from "../../support/state.ts";

const worker = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue, ...MAILING } });

interface Partner {
  client: TestClient;
  product: TestProduct;
}

async function createPartner(
  billing: "credit" | "invoice",
  delivery: "physical" | "digital" = "physical",
): Promise<Partner> {
  const product = simpleProduct({ delivery });
  const options = { products: [product], billing, trackOpened: true };
  return { client: await createClient(options), product };
}

/** A request that must succeed. */
async function send(client: TestClient, path: string, body: object) {
  const answer = await worker.post(client, `/api/${path}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Places a gift-link order for two recipients. Returns the order's id and the first gift's id and link. */
async function placeGifts({ client, product }: Partner, changes: object = {}) {
  const { order_data, recipient_return } = await send(client, "gift-link", {
    ...orderOf(product),
    recipient_details: recipients(2),
    ...changes,
  });
  const [{ suborder_id, gift_url }] = recipient_return;
  return { order_id: order_data.order_id as number, gift: { suborder_id, gift_url } };
}

/** Causes the events, one after another, of the first gift of an order. */
const onGift = async (partner: Partner, events: SandboxEvent[], more: object = {}) => {
  const { suborder_id } = (await placeGifts(partner)).gift;
  for (const event of events)
    await send(partner.client, "sandbox/event", { event, suborder_id, ...more });
};

const onOrder = async (partner: Partner, event: SandboxEvent, more: object = {}) => {
  const { order_id } = await placeGifts(partner);
  await send(partner.client, "sandbox/event", { event, order_id, ...more });
};

async function mailed(partner: Partner) {
  const { gift } = await placeGifts(partner, { send_method: "email" });
  await runOutbox({}, { DB: env.DB });
  return gift.suborder_id as number;
}

/** How each type is caused. Clients that pay by invoice cause three of them. */
/** Nothing in the sandbox restores the database. */
type CausedType = Exclude<EventType, "data.restored" | "collection.changed" | "collection.removed">;

const CAUSES: Record<CausedType, (partner: Partner) => Promise<unknown>> = {
  "order.created": placeGifts,
  "order.paid": placeGifts,
  "order.failed": (partner) => onOrder(partner, "order.failed"),
  "order.cancelled": (partner) => onOrder(partner, "order.cancelled"),
  "order.extended": (partner) => onOrder(partner, "order.extended", { redeem_by: dayIn(90) }),
  "gift.opened": (partner) => onGift(partner, ["gift.opened"]),
  "gift.redeemed": (partner) => onGift(partner, ["gift.redeemed"]),
  "gift.thanked": (partner) => onGift(partner, ["gift.redeemed", "gift.thanked"]),
  "gift.declined": (partner) => onGift(partner, ["gift.declined"]),
  "gift.reinstated": (partner) => onGift(partner, ["gift.declined", "gift.reinstated"]),
  "gift.cancelled": async (partner) => {
    const { order_id, gift } = await placeGifts(partner);
    await send(partner.client, "order/cancel", { order_id, suborder_ids: [gift.suborder_id] });
  },
  "gift.extended": (partner) => onGift(partner, ["gift.extended"], { redeem_by: dayIn(90) }),
  "gift.corrected": async (partner) => {
    const { suborder_id } = (await placeGifts(partner)).gift;
    await send(partner.client, "order/correct", { suborder_id, last_name: "Other" });
  },
  "gift.renewed": async (partner) => {
    const { gift } = await placeGifts(partner);
    await send(partner.client, "gift-link/renew", gift);
  },
  "gift.expiring": async (partner) => {
    await placeGifts(partner, { redeem_by: dayIn(40) });
    const clock = await send(partner.client, "sandbox/clock", { advance: "P30D" });
    expect(clock).toMatchObject({ advanced_days: 30, due_orders: 1 });
  },
  "gift.expired": (partner) => onGift(partner, ["gift.expired"]),
  "gift.shipped": (partner) => onGift(partner, ["gift.redeemed", "gift.shipped"]),
  "gift.delivered": (partner) =>
    onGift(partner, ["gift.redeemed", "gift.shipped", "gift.delivered"]),
  "gift.returned": (partner) =>
    onGift(partner, ["gift.redeemed", "gift.shipped", "gift.delivered", "gift.returned"]),
  "gift.failed": (partner) => onGift(partner, ["gift.redeemed", "gift.shipped", "gift.failed"]),
  "gift.sent": (partner) => onGift(partner, ["gift.redeemed", "gift.sent"]),
  "gift.reopened": (partner) => onGift(partner, ["gift.redeemed", "gift.shipped", "gift.reopened"]),
  "gift.email_sent": mailed,
  "gift.email_failed": async (partner) => {
    const suborder_id = await mailed(partner);
    await send(partner.client, "sandbox/event", { suborder_id, event: "email.bounced" });
  },
  "credit.low": ({ client }) =>
    send(client, "sandbox/credit", {
      amount: "1.00",
      reference: "low",
      alert_below: "1000001.01",
    }),
  ...(Object.fromEntries(
    PRODUCT_EVENT_TYPES.map((event) => [
      event,
      ({ client, product }: Partner) =>
        send(client, "sandbox/event", { product_id: product.product.id, event }),
    ]),
  ) as Record<(typeof PRODUCT_EVENT_TYPES)[number], (partner: Partner) => Promise<unknown>>),
  "credential.created": ({ client }) => send(client, "credential", { scope: "read" }),
  "credential.limited": async ({ client }) => {
    const { credential_id } = await send(client, "credential", { scope: "order" });
    const limits = [{ period: "day", currency: "AUD", amount: "1.00" }];
    await send(client, "credential/limits", { credential_id, limits });
  },
  "credential.revoked": async ({ client }) => {
    const { credential_id } = await send(client, "credential", { scope: "read" });
    await send(client, "credential/revoke", { credential_id });
  },
};

const OF_INVOICES: readonly EventType[] = ["order.created", "order.failed"];

test.each(Object.keys(CAUSES) as CausedType[])("%s can be caused", async (type) => {
  expect(EVENT_DOCS[type].sandbox).toMatch(/\S/);
  const billing = OF_INVOICES.includes(type) ? "invoice" : "credit";
  const partner = await createPartner(billing, type === "gift.sent" ? "digital" : "physical");
  await CAUSES[type](partner);
  const { events } = eventList((await worker.get(partner.client, "/api/events")).json);
  expect(events.map((event) => event.type)).toContain(type);
  expect(await differencesOf([partner.client])).toEqual([]);
});

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe("credit", () => {
  const add = (client: TestClient, body: object) =>
    worker.post(client, "/api/sandbox/credit", body);

  test("is added once for each reference, in any currency", async () => {
    const client = await createClient({ creditMinor: 100 });
    const [usual, yen] = [
      { amount: "12.50", reference: "T-1" },
      { amount: "300", currency: "JPY", reference: "T-1" },
    ];
    for (const body of [usual, usual]) {
      const { json } = await add(client, body);
      expect(json).toMatchObject({ currency: "AUD", credit_balance: 13.5 });
    }
    const { json } = await add(client, yen);
    expect(json).toMatchObject({ currency: "JPY", credit_balance: 300 });
    expect(await differencesOf([client])).toEqual([]);
  });

  test.each<[object, string, string?]>([
    [{ amount: "1.001", reference: "T" }, "validation_error", "amount"],
    [{ amount: "-1.00", reference: "T" }, "validation_error", "amount"],
    [{ amount: "1.00", reference: " " }, "validation_error", "reference"],
    [{ amount: "1.00", reference: "T", alert_below: "0.001" }, "validation_error", "alert_below"],
    [{ amount: "9999999999999.99", reference: "T" }, "not_allowed_in_state"],
    [{ amount: "2.00", reference: "used" }, "not_allowed_in_state"],
  ])("is refused: %j", async (body, code, field) => {
    const client = await createClient();
    await add(client, { amount: "1.00", reference: "used" });
    const before = await databaseState();
    const error = errorOf(await add(client, body));
    expect([error.code, error.errors?.[0]?.field]).toEqual([code, field]);
    expect(await databaseState()).toEqual(before);
  });

  test("below the alert is reported once, until it was above it", async () => {
    const client = await createClient({ creditMinor: 1_000 });
    await add(client, { amount: "0", reference: "0", alert_below: "20.00" });
    await add(client, { amount: "1.00", reference: "1", alert_below: "20.00" });
    expect(await eventsOf(client)).toMatchObject([
      { type: "credit.low", data: { credit_balance: "10.00", alert_below: "20.00" } },
    ]);
    await add(client, { amount: "50.00", reference: "2" });
    await add(client, { amount: "0", reference: "3", alert_below: "100.00" });
    expect(await typesOf(client)).toEqual(["credit.low", "credit.low"]);
  });
});
