// The state of a gift in words, what is wrong with it, and what can be done.
import { EMAIL_FACTS, emailIs } from "../../core/values/email-kinds.ts";
import { giftNumber, toGiftId } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { DAY_MS, formatDay } from "../../core/values/time.ts";
import { OBSTACLES } from "../../features/fulfilment/obstacles.ts";
import { invitationRefusal } from "../../features/lifecycle/send.ts";
import type { SentEmail } from "../../features/schedule/queries.ts";
import { wordsOf } from "../words.ts";
import { shipmentProblemText, trackingText } from "../event/event-text.ts";
import { invitationMs, isWrongAddress, type Sending, whenText } from "../email/sending.ts";
import { emailText } from "../order/timeline.ts";
import { agoText } from "../../core/values/ago.ts";
import type { OpenedGift } from "../order/open-order-queries.ts";
import { recipientName } from "../order/address-text.ts";

/** A parcel that takes longer is worth asking the carrier for. */
const LONG_DELIVERY_MS = 10 * DAY_MS;

interface GiftState {
  gift: OpenedGift;
  /** The e-mails that were sent or attempted, oldest first. */
  sent: readonly SentEmail[];
  /** Null without a link. */
  sending: Sending | null;
  /** Why no e-mails about the gift are sent at present, although its recipient was to be invited. */
  noEmails: string | null;
  nowMs: number;
}

/** The person and the gift. */
export const headlineOf = (gift: OpenedGift): string => {
  const name = recipientName(gift);
  const number = giftNumber(toGiftId(gift.orderId, gift.sequence));
  return `${name === "erased" || name === "" ? number : name} · ${gift.productName}`;
};

/** One sentence of what has become of the gift. */
export function stateText(state: GiftState): string {
  const { gift, nowMs } = state;
  const ago = (ms: number | null) => (ms === null ? "" : ` ${agoText(ms, nowMs)}`);
  const lastDay = redeemByOf(gift.expiresAtMs);
  const until = lastDay === null ? "" : ` It can be accepted until ${lastDay}.`;
  switch (gift.state) {
    case "open":
      return linkText(state) + until;
    case "redeemed":
      return `Accepted${ago(gift.redeemedAtMs)}, and to be shipped.`;
    case "to ship":
      return "Paid, and to be shipped.";
    case "shipped":
      return `Shipped${trackingText(gift)}${ago(gift.shippedAtMs)}. The delivery is not recorded yet.`;
    case "delivered":
      return `Delivered${ago(gift.deliveredAtMs)}${trackingText(gift)}.`;
    case "returned":
      return `The parcel came back${shipmentProblemText(gift)}. Correct the address if it is wrong. Then ship the gift again, or cancel it.`;
    case "delivery failed":
      return `The parcel did not arrive${shipmentProblemText(gift)}. Ship the gift again, or cancel it.`;
    case "sent": {
      const code = state.sent.findLast(({ kind }) => kind === "code");
      const email = code ? ` ${emailText(code, ago(code.attemptedAtMs))}.` : "";
      return `The digital gift was sent${ago(gift.shippedAtMs)}.${email}`;
    }
    case "unpaid":
      return `The order is not paid yet.${until}`;
    case "failed":
      return "The order has failed. Nothing is sent.";
    case "declined":
      return `The recipient declined the gift${ago(gift.declinedAtMs)}.${finalText(gift)}`;
    case "erased":
      return `The personal data of the recipient was erased${ago(gift.erasedAtMs)}.`;
    case "expired":
      return `Expired. The last day was ${lastDay ?? "passed"}.${finalText(gift)}`;
    case "cancelled":
      return "Cancelled.";
  }
}

/** When a closed gift ends. */
const finalText = ({ redemptionStatus, finalAtMs }: OpenedGift) =>
  redemptionStatus === null && finalAtMs !== null
    ? ` Its stock and credit are held until ${formatDay(finalAtMs)}.`
    : "";

/** What has become of the present link, and when it is to be sent. */
function linkText(state: GiftState): string {
  const { sending, noEmails } = state;
  const atMs = sending && invitationMs(sending);
  if (!sending || noEmails !== null || atMs === null) return sentText(state);
  return `${sentText(state)} The link is to be sent by e-mail ${whenText(sending, atMs)}.`;
}

/** The last e-mail with the present link to the present address. */
function sentText({ gift, sent, nowMs }: GiftState): string {
  const withLinks = sent.filter(({ kind }) => EMAIL_FACTS[kind].brings === "link");
  if (withLinks.length === 0) return "Not accepted yet.";
  const withLink = withLinks.filter(({ linkGeneration }) => linkGeneration === gift.linkGeneration);
  if (withLink.length === 0) {
    return "The link was replaced, and the present one was not sent by e-mail.";
  }
  const last = withLink.findLast(({ addressChanged }) => !addressChanged);
  if (!last) {
    return "The e-mail address was replaced, and the link was not sent to the present one.";
  }
  const text = emailText(last, ` ${agoText(last.attemptedAtMs, nowMs)}`);
  return emailIs("isProblem", last) ? `${text}.` : `${text}. The gift is not accepted yet.`;
}

/** Whether the operator can send the link. */
const canSend = ({ sending, nowMs }: GiftState): boolean =>
  sending?.obstacle === null &&
  invitationRefusal(sending.gift, { sendAtMs: nowMs, nowMs }) === null;

/** What is wrong, with what to do. */
export function warningsOf({ gift, sent, noEmails, nowMs }: GiftState): string[] {
  const { state } = gift;
  const last = sent.at(-1);
  const reason = last?.reason ? `: ${wordsOf(last.reason)}` : "";
  const isOpen = state === "open" || state === "unpaid";
  const isUntold = state === "shipped" && isBounced(gift);
  const isWithoutCode = gift.codeObstacle === null && (state === "redeemed" || state === "to ship");
  const isLate = state === "shipped" && nowMs - (gift.shippedAtMs ?? nowMs) > LONG_DELIVERY_MS;
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
    ...(state === "sent" && isBounced(gift)
      ? [
          `The e-mail with the code came back${reason}. Correct the e-mail address. The code is then sent to it.`,
        ]
      : []),
    ...(isWithoutCode
      ? ["It waits for a code, because none was valid. Upload codes, then use code replace."]
      : []),
    ...(gift.reshipObstacle === "outOfStock"
      ? [`It cannot be shipped again, because it ${OBSTACLES.outOfStock}.`]
      : []),
    ...(isLate
      ? ["The parcel takes longer than usual. Ask the carrier about it with the tracking number."]
      : []),
  ];
}

const isBounced = ({ emailsStopped }: OpenedGift) => emailsStopped === "bounced";

/** The names of the changes that are possible, the most likely one first. */
export function actionsOf(giftState: GiftState): string[] {
  const { gift, sending } = giftState;
  const hasLinks = sending !== null;
  const { state } = gift;
  if (gift.erasedAtMs !== null) return state === "shipped" ? ["shipment deliver"] : [];
  const renew = hasLinks ? ["gift renew"] : [];
  const links = hasLinks ? [...(canSend(giftState) ? ["email resend"] : []), "gift extend"] : [];
  const stop = hasLinks && gift.emailsStopped === null ? ["email stop"] : [];
  const data = ["gift note", "recipient show", "recipient export"];
  const others = [...renew, ...data];
  const erase = "recipient erase";
  const correct = "recipient correct";
  const reship = gift.reshipObstacle === null ? ["shipment reship"] : [];
  const replace = gift.codeObstacle === null ? ["code replace"] : [];
  const [ship = "shipment ship"] = replace;
  const problems = ["shipment return", "shipment fail"];
  const ofParcel = ["shipment correct", ...problems, "shipment reopen"];
  switch (state) {
    case "open":
      return isBounced(gift) || (sending && isWrongAddress(sending))
        ? ["recipient correct", ...links, ...others, ...stop, "order cancel"]
        : [...links, "recipient correct", ...others, ...stop, "order cancel"];
    case "unpaid":
      return ["order pay", "recipient correct", ...links, ...others, ...stop, "order cancel"];
    case "redeemed":
    case "to ship":
      return [ship, "recipient correct", "gift swap", ...others, ...stop, "order cancel"];
    case "shipped":
      return ["shipment deliver", ...ofParcel, ...data, erase];
    case "delivered":
      return [...ofParcel, ...data, erase];
    case "returned":
    case "delivery failed":
      return [
        ...(gift.problem === "address_unknown" ? [correct, ...reship] : [...reship, correct]),
        "order cancel",
        "shipment deliver",
        ...problems,
        "shipment reopen",
        ...data,
      ];
    case "sent":
      return [
        isBounced(gift) ? "recipient correct" : "email resend",
        ...["code show", ...replace, "shipment reopen", ...others, erase],
      ];
    case "declined":
    case "expired":
      return gift.redemptionStatus === null
        ? ["gift extend", "order cancel", ...data]
        : [...data, erase];
    case "failed":
    case "erased":
    case "cancelled":
      return [...data, erase];
  }
}
