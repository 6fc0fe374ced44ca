// The operation `order extend`.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { orderNumber, toGiftNumber } from "../../../src/core/values/ids.ts";
import { SELECT_FOR_CHANGE } from "../../../src/features/lifecycle/change-queries.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { recipients, simpleProduct } from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { lastChange } from "../../support/invoiced-orders.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";

const worker = startWorker();
const api = await openOperatorApi(["support"]);

describe("order extend", () => {
  const [near, far] = [dayIn(30, Date.now()), dayIn(60, Date.now())];

  test("changes the last day of all gifts, also of one with its own, and removes it", async () => {
    const product = simpleProduct({}, { quantity: 10 });
    const details = { recipient_details: recipients(2) };
    const { orderId } = await createGift(worker, [product], details);
    const order = orderNumber(orderId);
    await api.run("gift extend", { gift: toGiftNumber(orderId, 1), redeem_by: far });
    const days = async () => {
      const { facts, lists } = await api.view("order show", { order });
      return [facts["last_day"] ?? null, ...(lists["gifts"] ?? []).map((gift) => gift["last_day"])];
    };
    expect(await days()).toEqual([null, far, null]);
    const done = await api.run("order extend", { order, redeem_by: near });
    expect(done.facts).toEqual({ last_day: near, open: 2 });
    expect(await days()).toEqual([near, near, near]);
    await api.run("gift extend", { gift: toGiftNumber(orderId, 2), redeem_by: far });
    await api.run("order extend", { order });
    expect(await days()).toEqual([near, near, near]);
    await api.run("order extend", { order, redeem_by: null });
    expect(await days()).toEqual([null, null, null]);
    expect(await lastChange(orderId)).toMatchObject({ action: "order extend" });
  });

  test("can be confirmed after recipients have accepted gifts, but not after another change", async () => {
    const details = { recipient_details: recipients(3) };
    const { orderId, path } = await createGift(
      worker,
      [simpleProduct({}, { quantity: 10 })],
      details,
    );
    const input = { order: orderNumber(orderId), redeem_by: near };
    const confirm = async (meanwhile: () => Promise<unknown>) =>
      (await api.confirm("order extend", input, meanwhile)).status;
    const extendAll = () => api.run("order extend", { ...input, redeem_by: far });
    expect([await confirm(extendAll), await confirm(() => accept(worker, path))]).toEqual([
      409, 200,
    ]);
  });

  test("changes an order of 500 gifts with long letters without reading them", async () => {
    const { orderId } = await createGift(worker, [simpleProduct({}, { quantity: 500 })], {
      recipient_details: recipients(500),
    });
    const setLetters = "UPDATE gifts SET email_message = ? WHERE order_id = ?";
    await sql(setLetters, "x".repeat(2_000), orderId).run();
    const read = (await SELECT_FOR_CHANGE.first(env.DB, { orderId, sequence: null, ...NO_CLIENT }))
      ?.read;
    // D1 accepts at most 2 MB for a value. The local database accepts more.
    expect(read?.length).toBeLessThan(1_000_000);
    const done = await api.run("order extend", { order: orderNumber(orderId), redeem_by: near });
    expect(done.facts).toEqual({ last_day: near, open: 500 });
  });

  test("refuses days in the past, and days that do not change", async () => {
    const { orderId } = await createGift(worker, [simpleProduct()]);
    const order = orderNumber(orderId);
    const past = { order, redeem_by: "2020-01-31" };
    expect(await api.refusal("order extend", past)).toMatchObject({ fields: ["redeem_by"] });
    expect((await api.confirm("order extend", { order, redeem_by: null })).status).toBe(409);
  });
});
