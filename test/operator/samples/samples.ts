// A sample of each operation.
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { orderNumber, suborderNumber } from "../../../src/core/values/ids.ts";
import { createGift } from "../../support/gift.ts";
import { simpleProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";
import { CREDIT_SAMPLES } from "./credit.ts";
import { CLIENTS_SAMPLES } from "./clients.ts";
import { ORDER_SAMPLES } from "./orders.ts";
import { RECIPIENT_SAMPLES } from "./recipients.ts";
import type { Samples } from "./sample.ts";

export const SAMPLES: Samples = { ...CLIENTS_SAMPLES, ...ORDER_SAMPLES, ...RECIPIENT_SAMPLES };
const worker = startWorker();

export const SAMPLES: Samples = {
  home: () => Promise.resolve({}),
  ...CREDIT_SAMPLES,
  ...CLIENTS_SAMPLES,
  ...RECIPIENT_SAMPLES,
  "order list": () => Promise.resolve({}),
  "order show": async () => {
    const { orderId } = await createGift(worker, [simpleProduct()]);
    return { order: orderNumber(orderId) };
  },
  "gift extend": async () => {
    const { orderId } = await createGift(worker, [simpleProduct()]);
    return { gift: suborderNumber(orderId, 1), redeem_by: dayIn(40, Date.now()) };
  },
};
