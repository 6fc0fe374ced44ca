// The order as the operator sees it before a change.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../src/core/api-error.ts";
import { changeShipments } from "../../../src/features/fulfilment/change.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { toGiftId } from "../../../src/core/values/ids.ts";
import { openShop, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";
import { requireOrder } from "../../../src/operator/order/queries.ts";

async function placeOrder(count: number) {
  // 10.01 for each gift, so that the refunds of single gifts differ.
  const { product, client } = await openShop(
    simpleProduct({ priceMinor: 1001, shippingMinor: 0 }),
    { feeBasisPoints: 333 },
  );
  const body = orderOf(product, { recipient_details: recipients(count) });
  const { json } = await startWorker().post(client, "/api/order", body);
  return { client, orderId: json.order_data.order_id as number };
}

/** Cancels these gifts, or all of them, and returns the refund. */
async function refundOf(orderId: number, sequences: number[] | null): Promise<number> {
  const cancelled = await cancel(env.DB, {
    ...operatorKey(orderId),
    giftIds: sequences && sequences.map((sequence) => toGiftId(orderId, sequence)),
    requestId: crypto.randomUUID(),
    nowMs: Date.now(),
  });
  if (cancelled instanceof ApiError) throw cancelled;
  return cancelled.returnedMinor;
}

async function previewOf(orderId: number) {
  const { gifts, ...order } = await requireOrder(env.DB, orderId);
  const open = gifts.filter(({ obstacle }) => obstacle === null).map(({ sequence }) => sequence);
  return { ...order, gifts, open };
}

describe("the preview of an order", () => {
  test("has the gifts that can still be cancelled, and exactly the refund of a cancellation", async () => {
    const { client, orderId } = await placeOrder(7);
    const shipping = { clientId: null, requestId: crypto.randomUUID(), nowMs: Date.now() };
    await changeShipments(env.DB, "ship", [{ orderId, sequence: 2 }], shipping);
    const left = [1, 3, 4, 5, 6, 7];
    for (const sequences of [[3], [1, 5], [4], null]) {
      const preview = await previewOf(orderId);
      expect(preview).toMatchObject({
        id: orderId,
        clientId: client.clientId,
        status: "paid",
        qty: 7,
        currency: "AUD",
        open: left,
        cancelledGifts: 6 - left.length,
      });
      const named = preview.gifts.filter(({ sequence }) => (sequences ?? left).includes(sequence));
      const refundMinor = named.reduce((sum, gift) => sum + gift.refundMinor, 0);
      expect(refundMinor).toBe(await refundOf(orderId, sequences));
      for (const sequence of sequences ?? []) left.splice(left.indexOf(sequence), 1);
    }
    expect(await previewOf(orderId)).toMatchObject({ open: [], cancelledGifts: 6 });
  });
});
