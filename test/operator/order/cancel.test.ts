// The operation `order cancel`.
import { describe, expect, test } from "vitest";
import { giftNumber, orderNumber } from "../../../src/core/values/ids.ts";
import { recipients, simpleProduct, stockOf } from "../../support/fixtures.ts";
import { accept, changeParcels, createGift } from "../../support/gift.ts";
import { invoicedOrders, lastChange } from "../../support/invoiced-orders.ts";
import { differencesOf } from "../../support/invariants.ts";
import { startWorker } from "../../support/worker.ts";
import { pagePath } from "../../../src/console/skin/paths.ts";
import { OPERATIONS } from "../../../src/operator/operations.ts";
import { openConsole } from "../../console/console.ts";
import { fieldsIn } from "../../support/html.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();
const reason = "Ticket 7";
const money = (amount: string) => ({ amount, currency: "AUD" });

describe("order cancel", async () => {
  const opened = await openConsole();
  const api = await openOperatorApi(["support"], opened);

  /** A paid order with a link for each gift, of which the first is accepted. */
  async function newOrder(count: number) {
    const product = simpleProduct({}, { quantity: 100 });
    const gift = await createGift(worker, [product], { recipient_details: recipients(count) });
    await accept(worker, gift.path);
    const order = orderNumber(gift.orderId);
    const stock = () => stockOf(product.product.id);
    return { ...gift, order, stock, numbers: (n: number) => giftNumber(gift.orderId * 1_000 + n) };
  }

  test("cancels a gift, then the order, and then its redeemed gift", async () => {
    const { order, orderId, numbers, stock } = await newOrder(3);
    const one = { order, gift: [numbers(2), numbers(2)], reason };
    expect((await api.plan("order cancel", one)).will).toContain("31.20 AUD");
    const first = await api.run("order cancel", one);
    expect(first.facts).toMatchObject({ status: "paid", refunded: money("31.20") });
    expect(first.lists["gifts"]).toEqual([{ gift: numbers(2), result: "cancelled" }]);
    expect(await lastChange(orderId)).toMatchObject({ action: "order cancel", reason });
    const all = await api.run("order cancel", { order, reason });
    expect(all.facts).toMatchObject({ status: "cancelled", refunded_in_total: money("62.40") });
    expect(all.lists["gifts"]).toEqual([
      { gift: numbers(3), result: "cancelled" },
      { gift: numbers(1), result: "redeemed, unchanged" },
    ]);
    expect(await stock()).toBe(99);
    const rest = await api.run("order cancel", { order, redeemed: true, reason });
    expect(rest.facts).toMatchObject({ refunded_in_total: money("93.60") });
    expect(await stock()).toBe(100);
  });

  test("a selection of no gifts is not one of all, which the plan names", async () => {
    const { order, orderId } = await newOrder(3);
    expect((await api.plan("order cancel", { order, reason })).will).toContain("all 2 open gifts");
    for (const gift of [[], "", null])
      expect(await api.refusal("order cancel", { order, gift, reason })).toMatchObject({
        status: 400,
        fields: ["gift"],
      });
    const user = await opened.signIn("support");
    const { html } = await user.get(`/order/show?order=${order}`);
    const [, form = ""] =
      /<form method="get" action="(\/order\/cancel".*?)<\/form>/s.exec(html) ?? [];
    const fields = fieldsIn(form);
    const query = new URLSearchParams(fields).toString();
    expect([query, (await user.get(`/order/cancel?${query}`)).status]).toEqual([
      `order=${order}&gift=`,
      400,
    ]);
    expect(await lastChange(orderId)).toBeUndefined();
  });

  test("no page of a change accepts a selection of no objects", async () => {
    const user = await opened.signIn("engineer");
    const changes = OPERATIONS.filter(({ type }) => type === "change");
    const pages = changes.flatMap((change) =>
      Object.entries(change.input)
        .filter(([, { isMany, isArgument }]) => isMany && isArgument)
        .map(([name]) => `${pagePath(change)}?${name}=`),
    );
    expect(pages).toContain("/shipment/ship?gift=");
    for (const page of pages) expect([400, 422], page).toContain((await user.get(page)).status);
  });

  test("refuses gifts of other orders, and redeemed, shipped and cancelled ones", async () => {
    const { order, orderId, numbers } = await newOrder(2);
    const other = await newOrder(1);
    const refusal = (input: object) => api.refusal("order cancel", { order, reason, ...input });
    const refused = { status: 409, code: "refused" };
    for (const gift of [[other.numbers(1)], [numbers(2), other.numbers(1)]]) {
      expect(await refusal({ gift })).toMatchObject({ status: 400, fields: ["gift"] });
    }
    expect(await refusal({ gift: [numbers(3)] })).toMatchObject(refused);
    expect(await refusal({ gift: [numbers(1)] })).toMatchObject(refused);
    expect(await refusal({ gift: [numbers(1), numbers(2)] })).toMatchObject(refused);
    await changeParcels("ship", [
      { orderId, sequence: 1, carrier: "Post", trackingNumber: "1", trackingUrl: null },
    ]);
    expect(await refusal({ gift: [numbers(1)], redeemed: true })).toMatchObject(refused);
    const done = await api.run("order cancel", { order, reason });
    expect(done.lists["gifts"]).toContainEqual({
      gift: numbers(1),
      result: "shipped, unchanged",
    });
    expect(await refusal({})).toMatchObject(refused);
  });

  test("cancels once when two operators confirm at the same time", async () => {
    const { order, stock } = await newOrder(3);
    const before = (await stock()) ?? 0;
    const answers = await api.confirmTwice("order cancel", { order, reason });
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(await stock()).toBe(before + 2);
  });

  test("asks what becomes of the stock and the shipping cost of a parcel that came back", async () => {
    const { client, order, orderId, numbers, stock, paths } = await newOrder(3);
    for (const path of paths.slice(1)) await accept(worker, path);
    const gifts = [1, 2, 3].map((sequence) => ({ orderId, sequence }));
    await changeParcels("ship", gifts);
    await changeParcels(
      "return",
      gifts.map((gift) => ({ ...gift, problem: "refused" })),
    );
    const input = (n: number, more = {}) => ({ order, gift: [numbers(n)], reason, ...more });
    expect(await api.refusal("order cancel", input(1, { redeemed: true }))).toMatchObject({
      status: 409,
    });
    expect(await api.refusal("order cancel", input(1, { keep_shipping: true }))).toMatchObject({
      fields: ["keep_shipping"],
    });
    const kept = input(1, { undelivered: "write-off", keep_shipping: true });
    expect((await api.plan("order cancel", kept)).will).toContain("return 26.20 AUD");
    expect((await api.run("order cancel", kept)).facts).toMatchObject({ refunded: money("26.20") });
    expect(await stock()).toBe(97);
    const restocked = await api.run("order cancel", input(2, { undelivered: "restock" }));
    expect(restocked.facts).toMatchObject({ refunded: money("31.20") });
    expect(await stock()).toBe(98);
    const listed = () => api.list("shipment list", { status: "returned" });
    expect(await listed()).toMatchObject({ text: "1 gift is returned." });
    const rest = await api.run("order cancel", { order, undelivered: "restock", reason });
    expect(await listed()).toMatchObject({ text: "" });
    expect(rest.facts).toMatchObject({ status: "cancelled", refunded_in_total: money("88.60") });
    expect(await differencesOf([client])).toEqual([]);
  });

  test("says what is to be refunded for an order on invoice, and reduces what is unpaid", async () => {
    const { id, number: order } = await invoicedOrders(1, 3);
    const gift = [giftNumber(id * 1_000 + 1)];
    const unpaid = await api.run("order cancel", { order, gift, reason });
    expect(unpaid.facts).toMatchObject({ refunded: money("31.20"), to_be_paid: money("62.40") });
    const finance = await openOperatorApi(["finance"]);
    await finance.run("order pay", { order: [order] });
    const paid = await api.run("order cancel", { order, reason });
    expect(paid.facts).toMatchObject({ status: "cancelled", to_be_refunded: money("62.40") });
  });
});
