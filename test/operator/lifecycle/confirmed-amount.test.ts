// A payment or refund records exactly the amount that was confirmed, or nothing.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ApiError } from "../../../src/core/api-error.ts";
import { suborderId } from "../../../src/core/values/ids.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { carryOut, planChange } from "../../../src/operator/change.ts";
import { namedOrders } from "../../../src/operator/lifecycle/check-payments.ts";
import { paymentsChange } from "../../../src/operator/lifecycle/pay-orders.ts";
import { previewOrder } from "../../../src/operator/lifecycle/queries.ts";
import { REFUND_ORDER } from "../../../src/operator/lifecycle/refund-order.ts";
import { Refusal } from "../../../src/operator/refusal.ts";
import { openShop, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { placeOrder } from "../../support/orders.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";

const OPERATOR = { actor: "finance@regalo.example", requestId: null, reason: null };

/** An order of three gifts for 31.20 AUD each. */
async function placeThree(): Promise<number> {
  const { product, client } = await openShop(simpleProduct(), { billing: "invoice" });
  const body = orderOf(product, { recipient_details: recipients(3) });
  const { order_data } = await placeOrder(startWorker(), client, body);
  return order_data.order_id;
}

async function cancelGift(orderId: number, sequence: number) {
  const suborderIds = [suborderId(orderId, sequence)];
  const request = { suborderIds, requestId: crypto.randomUUID(), nowMs: Date.now() };
  const result = await cancel(env.DB, { ...operatorKey(orderId), ...request });
  if (result instanceof ApiError) throw result;
}

const stateOf = async (orderId: number) => {
  const { status, owedMinor } = (await previewOrder(env.DB, orderId)) ?? {};
  return { status, owedMinor };
};

test("an order whose gifts end after the confirmation is not paid", async () => {
  const orderId = await placeThree();
  const change = paymentsChange();
  const input = { ...namedOrders([orderId]), reference: "Transfer 1" };
  const plan = await planChange(env, change, input, Date.now());
  await cancelGift(orderId, 1);
  expect(await carryOut(env, change, plan, OPERATOR, Date.now())).toMatchObject([
    { result: "refused" },
  ]);
  expect(await stateOf(orderId)).toEqual({ status: "created", owedMinor: 6_240 });
  const again = await planChange(env, change, input, Date.now());
  expect(await carryOut(env, change, again, OPERATOR, Date.now())).toMatchObject([
    { result: "paid", reason: null },
  ]);
});

test("a refund that grows after the confirmation is not recorded", async () => {
  const orderId = await placeThree();
  await transition(env.DB, orderId, "pay", Date.now());
  await cancelGift(orderId, 1);
  const input = { orderId, reference: "Back 1", reason: null };
  const plan = await planChange(env, REFUND_ORDER, input, Date.now());
  await cancelGift(orderId, 2);
  await expect(carryOut(env, REFUND_ORDER, plan, OPERATOR, Date.now())).rejects.toThrow(Refusal);
  expect(await stateOf(orderId)).toEqual({ status: "paid", owedMinor: -6_240 });
});
