// The page of a gift.
import { addressText } from "../../../operator/orders/address-text.ts";
import { orderNumber, splitSuborderId } from "../../../core/values/ids.ts";
import { redeemByOf } from "../../../core/values/redeem-by.ts";
import { STOPPED_REASONS } from "../../../features/email/request.ts";
import { openOrder, type OpenedGift } from "../../../operator/orders/open-order-queries.ts";
import { readTimeline } from "../../../operator/orders/timeline.ts";
import type { ConsoleContext } from "../../environment.ts";
import { NotFound } from "../../page-errors.ts";
import type { ShipmentStep } from "../../../features/fulfilment/shipment.ts";
import { Actions as OperationActions } from "../../skin/content.tsx";
import { GIFT_ACTIONS, GIFTS } from "../../texts/gifts.ts";
import type { Page } from "../../ui/layout.tsx";
import { Picture } from "../../ui/picture.tsx";
import { Facts } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { giftIdOf } from "./gift-target.ts";
import { readerOf } from "./reader.ts";
import { Actions, ColouredStatus, EmailsOfGift, giftNumber, Tracking } from "./shown.tsx";
import { MAX_ENTRIES, Timeline } from "./timeline-table.tsx";

/** Two round trips. Errors: `NotFound`. */
export async function giftPage(c: ConsoleContext): Promise<Page> {
  const { orderId, sequence } = splitSuborderId(giftIdOf(c));
  const [opened, timeline] = await Promise.all([
    openOrder(c.env.DB, { ...readerOf(c), orderId, sequence, afterSequence: 0, limit: 1 }),
    readTimeline(c.env.DB, { orderId, sequence }, MAX_ENTRIES),
  ]);
  const [gift] = opened?.gifts ?? [];
  if (!opened || !gift) throw new NotFound();
  const order = orderNumber(orderId);
  return {
    title: giftNumber(gift),
    parent: { name: order, href: `/orders/${order}` },
    content: (
      <>
        <GiftFacts gift={gift} />
        <Picture picture={gift.picture} name={gift.productName} />
        <Actions title={GIFTS.actions} links={actionsOf(gift, opened.order.hasLinks === 1)} />
        <OperationActions
          names={(SHIPMENT_STEPS[gift.state] ?? []).map((step) => `shipment ${step}`)}
          values={{ gift: giftNumber(gift) }}
        />
        <Timeline timeline={timeline} orderId={orderId} />
      </>
    ),
  };
}

/** The actions that need a link. */
const OF_LINKS = ["resend", "renew", "extend", "stop-emails"];

function actionsOf(gift: OpenedGift, hasLinks: boolean) {
  const path = `/gifts/${giftNumber(gift)}`;
  const ofGifts = Object.entries(GIFT_ACTIONS).filter(
    ([name]) => hasLinks || !OF_LINKS.includes(name),
  );
  return [
    ...ofGifts.map(([name, text]) => ({
      href: `${path}/${name}`,
      text,
      permission: "gifts" as const,
    })),
  ];
}

/** What can be recorded about a gift in each state. */
const SHIPMENT_STEPS: Record<string, ShipmentStep[]> = {
  "to ship": ["ship"],
  redeemed: ["ship"],
  shipped: ["deliver", "correct", "reopen"],
  delivered: ["correct", "reopen"],
  sent: ["reopen"],
};

function GiftFacts({ gift }: { gift: OpenedGift }) {
  const { emailsStopped, metadata, corrections, linkGeneration } = gift;
  const time = (ms: number | null) => ms !== null && <Time ms={ms} />;
  const isErased = gift.erasedAtMs !== null;
  return (
    <Facts
      facts={{
        [GIFTS.status]: <ColouredStatus text={gift.state} />,
        [GIFTS.name]: isErased ? GIFTS.erased : `${gift.firstName} ${gift.lastName}`,
        [GIFTS.email]: gift.email || null,
        [GIFTS.deliveryEmail]: gift.deliveryEmail,
        [GIFTS.phone]: gift.phoneNumber || null,
        [GIFTS.address]: addressText(gift.deliveryAddress),
        [GIFTS.notes]: gift.deliveryNotes || null,
        [GIFTS.product]: `${gift.productName} (${String(gift.productId)})`,
        [GIFTS.lastDay]: redeemByOf(gift.expiresAtMs),
        [GIFTS.redeemed]: time(gift.redeemedAtMs) || null,
        [GIFTS.shipment]: gift.shipmentStatus,
        [GIFTS.tracking]: (gift.trackingNumber ?? gift.carrier) ? <Tracking gift={gift} /> : null,
        [GIFTS.shipped]: time(gift.shippedAtMs) || null,
        [GIFTS.delivered]: time(gift.deliveredAtMs) || null,
        [GIFTS.emails]: <EmailsOfGift gift={gift} />,
        [GIFTS.stopped]: emailsStopped && STOPPED_REASONS[emailsStopped],
        [GIFTS.language]: gift.language,
        [GIFTS.message]: gift.emailMessage || null,
        [GIFTS.thankYou]: gift.thankYou,
        [GIFTS.corrections]: corrections || null,
        [GIFTS.renewals]: linkGeneration || null,
        [GIFTS.externalId]: gift.externalId,
        [GIFTS.metadata]: metadata && <code>{JSON.stringify(metadata)}</code>,
      }}
    />
  );
}
