// Samples of the operations of orders, payments and gifts.
import { orderNumber, suborderNumber } from "../../../src/core/values/ids.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { env } from "cloudflare:workers";
import { recipients, simpleProduct } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { invoicedOrders } from "../../support/invoiced-orders.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";
import type { Samples } from "./sample.ts";

const worker = startWorker();
const reason = "Ticket 7";

/** The numbers of a paid order with two links, and of its first gift. */
async function linked() {
  const product = simpleProduct({}, { quantity: 10 });
  const { orderId } = await createGift(worker, [product], { recipient_details: recipients(2) });
  return { order: orderNumber(orderId), gift: suborderNumber(orderId, 1) };
}

export const ORDER_SAMPLES: Samples = {
  "order list": () => Promise.resolve({}),
  "order show": async () => ({ order: (await linked()).order }),
  "order find": () => Promise.resolve({ text: "example.com" }),
  "order cancel": async () => {
    const { order, gift } = await linked();
    return { order, gift: [gift], redeemed: true, reason };
  },
  "order extend": async () => {
    const { order } = await linked();
    return { order, redeem_by: dayIn(40, Date.now()) };
  },
  "order pay": async () => {
    const { orders } = await invoicedOrders(2);
    return { order: orders.map(({ number }) => number) };
  },
  "order refund": async () => {
    const { id, number: order } = await invoicedOrders();
    await transition(env.DB, id, "pay", Date.now());
    await transition(env.DB, id, "cancel", Date.now());
    return { order, reference: "Back 1", reason };
  },
  "order fail": async () => ({ order: (await invoicedOrders()).number, reason }),
  "payment list": () => Promise.resolve({}),
  "payment upload": async () => {
    const { number } = await invoicedOrders();
    return { file: new File([`order_number,amount\n${number},31.20`], "payments.csv") };
  },
  "gift list": () => Promise.resolve({}),
  "gift show": async () => ({ gift: (await linked()).gift }),
  "gift extend": async () => ({
    gift: (await linked()).gift,
    redeem_by: dayIn(40, Date.now()),
  }),
  "gift renew": async () => ({ gift: (await linked()).gift, email: "new@example.com" }),
};
