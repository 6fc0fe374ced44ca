// The operation `gift extend` of expired gifts.
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { recordRefund } from "../../../src/operator/order/refund-queries.ts";
import { eraseGifts } from "../../../src/operator/recipient/erase.ts";
import { eventsOf } from "../../support/events.ts";
import {
  balanceOf,
  brokenAccounts,
  type ClientOptions,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
} from "../../support/fixtures.ts";
import { accept, createGift, takeStep, type TestGift } from "../../support/gift.ts";
import { differencesOf } from "../../support/invariants.ts";
import { expireYesterday } from "../../support/expiry.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();
const api = await openOperatorApi(["support"]);
const clients: TestGift["client"][] = [];
const redeem_by = dayIn(30, Date.now());

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
  expect(await differencesOf(clients.splice(0))).toEqual([]);
});

/** Gifts that expired yesterday. */
async function expired({
  count = 1,
  isPaid = true,
  ...options
}: ClientOptions & { count?: number; isPaid?: boolean } = {}) {
  const product = simpleProduct({}, { quantity: 10 });
  const changes = { recipient_details: recipients(count), redeem_by: dayIn(20, Date.now()) };
  const created = await createGift(worker, [product], changes, { creditMinor: 16_000, ...options });
  const { client, orderId } = created;
  clients.push(client);
  if (options.billing && isPaid) await takeStep(created, "pay");
  const state = () =>
    Promise.all([
      stockOf(product.product.id),
      balanceOf(client.clientId),
      sql(
        "SELECT status, expired_gifts, refunded_minor, owed_minor FROM orders WHERE id = ?",
        orderId,
      ).first(),
    ]);
  const before = await state();
  await expireYesterday(created);
  expect(await state()).not.toEqual(before);
  return { ...created, product, gift: toGiftNumber(orderId, 1), state, before };
}

test("the statement of orders on invoice has both entries as changes after the payment", async () => {
  const { client, gift } = await expired({ billing: "invoice" });
  await api.run("gift extend", { gift, redeem_by });
  const { lists } = await api.view("statement", { client: client.clientId });
  const ended = lists["totals"]?.filter(({ item }) => /^Ended/.test(item as string));
  expect(ended).toMatchObject([
    { item: "Ended after payment", entries: 2, amount: { amount: "0.00" } },
  ]);
});

type Expired = Awaited<ReturnType<typeof expired>>;

test.each([
  ["an order of one, from credit", {}, "31.20"],
  ["an order of two, from credit", { count: 2 }, "31.20"],
  ["an order of one, on invoice", { billing: "invoice" as const }, "31.20"],
])(
  "opens the gift of %s again with its new last day, and takes what it costs",
  async (_, options, charge) => {
    const { client, gift, path, state, before, orderId } = await expired(options);
    expect((await api.view("gift show", { gift })).actions[0]).toBe("gift extend");
    const plan = await api.plan("gift extend", { gift, redeem_by });
    expect(plan.will).toContain("31.20 AUD");
    await api.run("gift extend", { gift, redeem_by });
    if (!("count" in options)) expect(await state()).toEqual(before);
    const [event] = (await eventsOf(client)).filter(({ type }) => type === "gift.reinstated");
    expect(event?.data).toEqual({ order_status: "paid", currency: "AUD", charge, redeem_by });
    expect((await accept(worker, path)).status).toBe(303);
    expect(await sql("SELECT status FROM orders WHERE id = ?", orderId).first("status")).toBe(
      "paid",
    );
  },
);

const OBSTACLES: Record<
  string,
  [(gift: Expired) => Promise<unknown>, Parameters<typeof expired>[0]?]
> = {
  "the client is suspended": [
    ({ client }) =>
      sql("UPDATE clients SET status = 'suspended' WHERE id = ?", client.clientId).run(),
  ],
  "no piece is left": [
    ({ product }) =>
      sql("UPDATE stock SET quantity = 0 WHERE product_id = ?", product.product.id).run(),
  ],
  "the credit does not suffice": [
    async ({ client, product }) => {
      const order = orderOf(product, { recipient_details: recipients(5) });
      expect((await worker.post(client, "/api/order", order)).status).toBe(200);
    },
  ],
  "the recipient is erased": [
    ({ orderId }) => eraseGifts(env.DB, [orderId * 1000 + 1], Date.now()),
  ],
  "the order was never paid": [() => Promise.resolve(), { billing: "invoice", isPaid: false }],
  "the payment is refunded": [
    ({ orderId }) =>
      recordRefund(env.DB, { orderId, refundMinor: 3_120, reference: "T", nowMs: Date.now() }),
    { billing: "invoice" },
  ],
};

test.each(Object.entries(OBSTACLES))("refuses if %s", async (_, [change, options]) => {
  const found = await expired(options);
  const { status } = await api
    .confirm("gift extend", { gift: found.gift, redeem_by }, () => change(found))
    .catch(() => ({ status: 409 }));
  expect(status).toBe(409);
  if (options?.isPaid === false) return;
  expect((await api.refusal("gift extend", { gift: found.gift, redeem_by })).status).toBe(409);
});

test("two confirmations at once open the gift once", async () => {
  const { gift, client, state, before } = await expired();
  const answers = await api.confirmTwice("gift extend", { gift, redeem_by });
  expect(answers[0]?.status).toBe(200);
  expect(await state()).toEqual(before);
  const types = (await eventsOf(client)).map(({ type }) => type);
  expect(types.filter((type) => type === "gift.reinstated")).toHaveLength(1);
});
