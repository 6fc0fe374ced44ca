// A sample of each operation.
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { orderNumber, suborderNumber } from "../../../src/core/values/ids.ts";
import { createGift } from "../../support/gift.ts";
import { simpleProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";
import type { Samples } from "./sample.ts";
import { SHIPMENT_SAMPLES } from "./shipments.ts";

const worker = startWorker();

export const SAMPLES: Samples = {
  ...SHIPMENT_SAMPLES,
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
