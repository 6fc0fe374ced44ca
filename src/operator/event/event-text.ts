// Events of orders and gifts as sentences.
import type { ClientEvent } from "../../features/events/queries.ts";
import type { Tracking } from "../../core/values/tracking.ts";
import type { Currency } from "../../core/values/iso.ts";
import { amountText } from "../../core/values/money.ts";
import { plural } from "../../core/values/plural.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { wordsOf, wordsOfName } from "../words.ts";

/** What has happened, as a sentence without its full stop. */
export function eventText(event: ClientEvent): string {
  const { type, data, currency, qty, orderTotalMinor } = event;
  const order = `order of ${plural(qty ?? 0, "gift")}`;
  const amount = (minor: number | null | undefined) => amountText(minor ?? 0, currency as Currency);
  const returned = data.refundMinor ? `, and ${amount(data.refundMinor)} was refunded` : "";
  const price = orderTotalMinor ? ` for ${amount(orderTotalMinor)}` : "";
  const cancelled = data.cancelledGifts ? ` with ${plural(data.cancelledGifts, "gift")}` : "";
  const lastDay = redeemByOf(data.expiresAtMs ?? null) ?? "none";
  const corrected = fieldsText(data.correctedFields);
  switch (type) {
    case "order.created":
      return `The ${order}${price} was placed`;
    case "order.paid":
      return `The ${order}${price} was paid`;
    case "order.failed":
      return `The order has failed${cancelled}${returned}`;
    case "order.cancelled":
      return `The order was cancelled${cancelled}${returned}`;
    case "order.extended":
      return `The last day of the order was set to ${lastDay}`;
    case "gift.extended":
      return `The last day was set to ${lastDay}`;
    case "gift.opened":
      return "The recipient opened the gift";
    case "gift.redeemed":
      return `The recipient accepted the gift${corrected && `, and corrected ${corrected}`}`;
    case "gift.thanked":
      return "The recipient wrote a thank-you note";
    case "gift.declined":
      return `The recipient declined the gift${data.declineReason ? ` (${wordsOf(data.declineReason)})` : ""}`;
    case "gift.reinstated":
      return "The recipient took back that the gift was declined";
    case "gift.cancelled":
      return `The gift was cancelled${returned}`;
    case "gift.expiring":
      return `The gift is about to expire. Its last day is ${lastDay}`;
    case "gift.expired":
      return `The gift expired${returned}`;
    case "gift.corrected":
      return `The recipient was corrected: ${corrected}`;
    case "gift.renewed":
      return "The link was replaced";
    case "gift.shipped":
      return `The gift was shipped${trackingText(event)}`;
    case "gift.delivered":
      return "The gift was delivered";
    case "gift.returned":
      return `The parcel came back${shipmentProblemText(event)}`;
    case "gift.failed":
      return `The parcel did not arrive${shipmentProblemText(event)}`;
    case "gift.sent":
      return "The digital gift was sent";
    case "gift.reopened":
      return "The shipment was reopened";
    // Events of e-mails have their own entries, and the others are not of an order.
    case "gift.email_sent":
    case "gift.email_failed":
    case "credit.low":
    case "credential.created":
    case "credential.limited":
    case "credential.revoked":
    case "product.added":
    case "product.changed":
    case "product.removed":
    case "collection.changed":
    case "collection.removed":
    case "product.sold_out":
    case "product.available":
    case "data.restored":
      return type;
  }
}

/** Such as `the first name and the phone number`. Empty for none. */
function fieldsText(fields: readonly string[] = []): string {
  const names = fields.map((field) => `the ${wordsOfName(field)}`);
  return names.length < 2
    ? (names[0] ?? "")
    : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** `: refused`, or an empty text: the parcel may have been shipped again since. */
export const shipmentProblemText = ({ problem }: { problem: string | null }): string =>
  problem === null ? "" : `: ${wordsOf(problem)}`;

/** ` with DHL, tracking number JD0146`, or an empty text. */
export const trackingText = ({ carrier, trackingNumber }: Tracking): string =>
  [carrier && ` with ${carrier}`, trackingNumber && ` tracking number ${trackingNumber}`]
    .filter(Boolean)
    .join(",");
