// The progress of a gift, from its acceptance or purchase to its delivery.
import type { Child } from "hono/jsx";
import { isRecipientLink } from "../../fulfilment/tracking.ts";
import { countryOf } from "../../../core/values/country.ts";
import { localDay } from "../../../core/values/local-day.ts";
import { trackingLinks } from "../../../core/values/tracking.ts";
import { countsAsShipped, isUndelivered } from "../../../core/values/shipment-states.ts";
import type { PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { Day, fill, Name } from "../../pages/text.tsx";

type Step = "accepted" | "preparing" | "shipped" | "delivered" | "sent" | "ready";

interface ShipmentProps {
  page: PageContext;
  gift: PageGift;
  isDigital: boolean;
  /** Where the gift is sent. */
  children: Child;
}

export function Shipment({ page, gift, isDigital, children }: ShipmentProps) {
  const { shipment, email } = page.texts;
  const { carrier } = gift;
  return (
    <section class="shipment" aria-labelledby="shipment-title">
      <h2 id="shipment-title">{shipment.title}</h2>
      {isUndelivered(gift.shipmentStatus) && (
        <p>
          <strong>{shipment[gift.shipmentStatus]}.</strong> {shipment.checkAddress}
        </p>
      )}
      {gift.shipmentStatus === "shipped" && <Expected page={page} gift={gift} />}
      <Progress page={page} gift={gift} isDigital={isDigital} />
      {carrier !== null && (
        <p class="hint">{fill(email.carrier, { carrier: <Name>{carrier}</Name> })}</p>
      )}
      {trackingLinks(gift).map(({ number, url }) => (
        <>
          {number !== null && (
            <p class="hint">{fill(shipment.number, { number: <Name>{number}</Name> })}</p>
          )}
          {url !== null && isRecipientLink(url) && (
            <p>
              <a href={url} rel="noreferrer noopener">
                {shipment.track}
              </a>
            </p>
          )}
        </>
      ))}
      {children}
    </section>
  );
}

/** When the parcel arrives, if its carrier has reported it. */
function Expected({ page, gift }: Pick<ShipmentProps, "page" | "gift">) {
  const { status, expectedOn } = gift.carrierAnswer;
  const { outForDelivery, forPickup, arrives } = page.texts.shipment;
  const isDelayed = status === "exception" || expectedOn === null;
  const day = isDelayed
    ? ""
    : fill(arrives, { day: <Day day={expectedOn} locale={page.locale} /> });
  const texts = { out_for_delivery: outForDelivery, available_for_pickup: forPickup };
  const text = (texts as Record<string, string>)[status ?? ""] ?? day;
  return text && <p>{text}</p>;
}

/** The steps with their days. A step that is not reached has no day. */
function Progress({ page, gift, isDigital }: Omit<ShipmentProps, "children">) {
  const { redeemedAtMs, shippedAtMs, deliveredAtMs } = gift;
  const country = countryOf(gift.deliveryAddress?.country ?? "") ?? gift.baseLocation;
  const isBought = gift.state === "bought";
  const digitalStep = gift.isMailed === 1 ? "sent" : "ready";
  const steps: Partial<Record<Step, number | null>> = {
    ...(isBought ? { preparing: null } : { accepted: redeemedAtMs }),
    ...(isDigital
      ? { [digitalStep]: shippedAtMs }
      : { preparing: null, shipped: shippedAtMs, delivered: deliveredAtMs }),
  };
  const { shipmentStatus: status } = gift;
  const reached = countsAsShipped(status)
    ? isDigital
      ? digitalStep
      : isUndelivered(status)
        ? null
        : status
    : isDigital && !isBought
      ? "accepted"
      : "preparing";
  return (
    <ol class="progress">
      {Object.entries(steps).map(([step, timeMs]) => (
        <li {...(step === reached && { "aria-current": "step" })}>
          {page.texts.shipment[step as Step]}
          {timeMs !== null && (
            <>
              {" "}
              <Day day={localDay(timeMs, country)} locale={page.locale} />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
