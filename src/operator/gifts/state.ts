// The state of a gift in words, what is wrong with it, and what can be done.
import { giftNumber, suborderId } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { DAY_MS } from "../../core/values/time.ts";
import type { EmailStatus } from "../../core/values/email-kinds.ts";
import type { SentEmail } from "../../features/orders/email-queries.ts";
import type { DetailedShipment } from "../fulfilment/queries.ts";
import { wordsOf } from "../words.ts";
import { trackingText } from "../events/event-text.ts";
import { agoText } from "../../core/values/ago.ts";
import { nameOf, type OpenedGift } from "../orders/open-order-queries.ts";

/** A parcel that takes longer is worth asking the carrier for. */
const LONG_DELIVERY_MS = 10 * DAY_MS;

interface GiftState {
  gift: OpenedGift;
  shipment: DetailedShipment;
  hasLinks: boolean;
  /** The e-mails that were sent or attempted, oldest first. */
  sent: readonly SentEmail[];
  /** Why no e-mails about the gift are sent at present, although its recipient was to be invited. */
  noEmails: string | null;
  nowMs: number;
}

/** The person and the gift. */
export const headlineOf = (gift: OpenedGift): string => {
  const name = nameOf(gift);
  const number = giftNumber(suborderId(gift.orderId, gift.sequence));
  return `${name === "erased" || name === "" ? number : name} · ${gift.productName}`;
};

const NOT_DELIVERED: readonly EmailStatus[] = ["retry", "failed", "bounced", "rejected"];

/** One sentence of what has become of the gift. */
export function stateText({ gift, shipment, sent, nowMs }: GiftState): string {
  const ago = (ms: number | null) => (ms === null ? "" : ` ${agoText(ms, nowMs)}`);
  const lastDay = redeemByOf(gift.expiresAtMs);
  const until = lastDay === null ? "" : ` It can be accepted until ${lastDay}.`;
  const invited = sent.findLast(
    ({ kind, status }) => kind === "invitation" && !NOT_DELIVERED.includes(status),
  );
  switch (gift.state) {
    case "open":
      return invited
        ? `The link was sent by e-mail${ago(invited.attemptedAtMs)} and is not accepted yet.${until}`
        : `Not accepted yet.${until}`;
    case "redeemed":
      return `Accepted${ago(gift.redeemedAtMs)}, and to be shipped.`;
    case "to ship":
      return "Paid, and to be shipped.";
    case "shipped":
      return `Shipped${trackingText(shipment)}${ago(shipment.shippedAtMs)}. The delivery is not recorded yet.`;
    case "delivered":
      return `Delivered${ago(shipment.deliveredAtMs)}${trackingText(shipment)}.`;
    case "sent":
      return `The digital gift was sent${ago(shipment.shippedAtMs)}.`;
    case "unpaid":
      return "The order is not paid yet.";
    case "failed":
      return "The order has failed. Nothing is sent.";
    case "declined":
      return `The recipient declined the gift${ago(gift.declinedAtMs)}.`;
    case "erased":
      return `The personal data of the recipient was erased${ago(gift.erasedAtMs)}.`;
    case "expired":
      return `Expired. The last day was ${lastDay ?? "passed"}.`;
    default:
      return "Cancelled.";
  }
}

/** What is wrong, with what to do. */
export function warningsOf({ gift, shipment, sent, noEmails, nowMs }: GiftState): string[] {
  const { state } = gift;
  const last = sent.at(-1);
  const reason = last?.reason ? `: ${wordsOf(last.reason)}` : "";
  const isOpen = state === "open" || state === "unpaid";
  const isUntold = state === "shipped" && isBounced(gift);
  const isLate = state === "shipped" && nowMs - (shipment.shippedAtMs ?? nowMs) > LONG_DELIVERY_MS;
  return [
    ...(isOpen && isBounced(gift)
      ? [
          `The last e-mail came back${reason}. Correct the e-mail address. The link is then sent to the new one.`,
        ]
      : isOpen && noEmails !== null
        ? [`No e-mails about this gift are sent, because ${noEmails}.`]
        : []),
    ...(isUntold
      ? [`The last e-mail came back${reason}. The recipient may not know the tracking.`]
      : []),
    ...(isLate
      ? ["The parcel takes longer than usual. Ask the carrier about it with the tracking number."]
      : []),
  ];
}

const isBounced = ({ emailsStopped }: OpenedGift) => emailsStopped === "bounced";

/** The names of the changes that are possible, the most likely one first. */
export function actionsOf({ gift, hasLinks }: GiftState): string[] {
  const { state } = gift;
  if (gift.erasedAtMs !== null) return state === "shipped" ? ["shipment deliver"] : [];
  const renew = hasLinks ? ["gift renew"] : [];
  const links = hasLinks ? ["email resend", "gift extend"] : [];
  const stop = hasLinks && gift.emailsStopped === null ? ["email stop"] : [];
  const data = ["recipient show", "recipient export"];
  const others = [...renew, ...data];
  const erase = "recipient erase";
  switch (state) {
    case "open":
      return isBounced(gift)
        ? ["recipient correct", "gift extend", ...others, "order cancel"]
        : [...links, "recipient correct", ...others, ...stop, "order cancel"];
    case "unpaid":
      return ["order pay", "recipient correct", ...links, ...others, ...stop, "order cancel"];
    case "redeemed":
    case "to ship":
      return ["shipment ship", "recipient correct", ...others, ...stop, "order cancel"];
    case "shipped":
      return ["shipment deliver", "shipment correct", "shipment reopen", ...others, erase];
    case "delivered":
      return ["shipment correct", "shipment reopen", ...others, erase];
    case "sent":
      return ["shipment reopen", ...others, erase];
    default:
      return [...data, erase];
  }
}
