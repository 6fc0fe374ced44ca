// The status of the shipment of a redeemed gift.
import type { Child } from "hono/jsx";
import { isTrackingUrl } from "../../fulfilment/tracking.ts";
import { formatDay } from "../../../core/values/time.ts";
import type { Gift } from "../gift.ts";
import type { PageContext } from "../page-context.ts";
import { Day, fill, Name } from "./text.tsx";

interface ShipmentProps {
  page: PageContext;
  gift: Gift;
  /** Where the gift is sent. */
  children: Child;
}

export function Shipment({ page, gift, children }: ShipmentProps) {
  const { shipment } = page.texts;
  const { trackingNumber, trackingUrl } = gift;
  return (
    <section class="shipment" aria-labelledby="shipment-title">
      <h2 id="shipment-title">{shipment.title}</h2>
      <p>{statusOf(page, gift)}</p>
      {trackingNumber !== null && (
        <p class="hint">{fill(shipment.number, { number: <Name>{trackingNumber}</Name> })}</p>
      )}
      {trackingUrl !== null && isTrackingUrl(trackingUrl) && (
        <p>
          <a href={trackingUrl} rel="noreferrer noopener">
            {shipment.track}
          </a>
        </p>
      )}
      {children}
    </section>
  );
}

function statusOf(page: PageContext, gift: Gift) {
  const { shipment } = page.texts;
  const { shipmentStatus, carrier, shippedAtMs, deliveredAtMs } = gift;
  const dayOf = (timeMs: number | null) => (
    <Day day={formatDay(timeMs ?? 0)} locale={page.locale} />
  );
  switch (shipmentStatus) {
    case null:
    case "open":
      return shipment.preparing;
    case "shipped":
      return fill(carrier === null ? shipment.shipped : shipment.shippedWith, {
        day: dayOf(shippedAtMs),
        carrier: <Name>{carrier}</Name>,
      });
    case "delivered":
      return fill(shipment.delivered, { day: dayOf(deliveredAtMs) });
    case "sent":
      return fill(shipment.sent, { day: dayOf(shippedAtMs) });
  }
}
