// The shipments of orders, as the statements of fulfilment read them.
import { env } from "cloudflare:workers";
import { MAX_SHIPMENTS } from "../../src/features/fulfilment/change.ts";
import { readGifts } from "../../src/features/fulfilment/queries.ts";
import { NO_TRACKING } from "../../src/operator/shipment/tracking.ts";

/** All gifts of the order, also those that are not shipped. */
export const readShipments = (orderId: number) => {
  const keys = Array.from({ length: MAX_SHIPMENTS }, (_, n) => ({ orderId, sequence: n + 1 }));
  const gifts = keys.map((key) => ({ ...key, ...NO_TRACKING }));
  return readGifts(env.DB, "ship", { clientId: null }, gifts);
};
