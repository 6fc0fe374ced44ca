// What a gift-link order answers besides the order: one link for each recipient.
import { suborderId, suborderNumber } from "../values/ids.ts";
import type { GiftLinkRequest } from "../orders/wire.ts";
import type { GiftLink } from "./answer.ts";

/**
 * `urls` are those of the recipients, in the same order. A repetition brings the recipients that were placed, or
 * it would not be the same request: nobody need read them back.
 */
export function recipientsToWire(
  orderId: number,
  recipients: GiftLinkRequest["recipient_details"],
  urls: string[],
): GiftLink[] {
  return recipients.map((recipient, index) => ({
    suborder_id: suborderId(orderId, index + 1),
    suborder_number: suborderNumber(orderId, index + 1),
    first_name: recipient.first_name,
    last_name: recipient.last_name,
    email: recipient.email,
    gift_url: urls[index] as string,
  }));
}
