// The status of the shipment of a redeemed gift.
import { isTrackingUrl } from "../../fulfilment/tracking.ts";
import { dayIn } from "../../values/redeem-by.ts";
import type { Gift } from "../gift.ts";
import { copy } from "./copy.ts";

export function Shipment({ gift }: { gift: Gift }) {
  const { trackingNumber, trackingUrl } = gift;
  return (
    <section class="shipment" aria-labelledby="shipment-title">
      <h2 id="shipment-title">{copy.shipment.title}</h2>
      <p>{statusOf(gift)}</p>
      {trackingNumber !== null && <p class="hint">{copy.shipment.number(trackingNumber)}</p>}
      {trackingUrl !== null && isTrackingUrl(trackingUrl) && (
        <p>
          <a href={trackingUrl} rel="noreferrer noopener">
            {copy.shipment.track}
          </a>
        </p>
      )}
    </section>
  );
}

function statusOf({ shipmentStatus, carrier, shippedAtMs, deliveredAtMs }: Gift) {
  const shippedOn = dayIn(0, shippedAtMs ?? 0);
  switch (shipmentStatus) {
    case null:
    case "open":
      return copy.shipment.preparing;
    case "shipped":
      return copy.shipment.shipped(shippedOn, carrier);
    case "delivered":
      return copy.shipment.delivered(dayIn(0, deliveredAtMs ?? 0));
    case "sent":
      return copy.shipment.sent(shippedOn);
  }
}
