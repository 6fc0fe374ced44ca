// Samples of the operations of shipments.
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { openShop, orderOf } from "../../support/fixtures.ts";
import { changeParcels } from "../../support/gift.ts";
import { placeOrder } from "../../support/orders.ts";
import { startWorker } from "../../support/worker.ts";
import type { Samples } from "./sample.ts";

/** A gift to ship. */
async function toShip() {
  const { client, product } = await openShop();
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product));
  const key = { orderId: order_data.order_id, sequence: 1 };
  return { client, key, gift: suborderNumber(key.orderId, key.sequence) };
}

/** A parcel. */
async function shipped() {
  const { key, gift } = await toShip();
  await changeParcels("ship", [{ ...key, carrier: "DHL", trackingNumber: "JD0146" }]);
  return { gift };
}

export const SHIPMENT_SAMPLES: Samples = {
  "shipment list": async () => ({ client: (await toShip()).client.clientId }),
  "shipment picklist": async () => ({ client: (await toShip()).client.clientId }),
  "shipment ship": async () => {
    const { gift } = await toShip();
    return { gift, carrier: "DHL", tracking_number: "JD0146" };
  },
  "shipment deliver": shipped,
  "shipment correct": async () => ({ ...(await shipped()), tracking_number: "JD0147" }),
  "shipment reopen": shipped,
  "shipment upload": async () => {
    const { gift } = await toShip();
    return { file: new File([`gift,tracking\n${gift},JD0146\n`], "shipped.csv"), step: "ship" };
  },
};
