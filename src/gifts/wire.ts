// What a gift-link order answers besides the order: one link for each recipient.
import { suborderId, suborderNumber } from "../ids.ts";
import type { PlacedRecipient } from "../orders/store.ts";
import type { GiftLink } from "./answer.ts";

/** `urls` are those of the recipients, in the same order. */
export function recipientsToWire(
  orderId: number,
  recipients: PlacedRecipient[],
  urls: string[],
): GiftLink[] {
  return recipients.map((recipient, index) => ({
    suborder_id: suborderId(orderId, recipient.sequence),
    suborder_number: suborderNumber(orderId, recipient.sequence),
    first_name: recipient.firstName,
    last_name: recipient.lastName,
    email: recipient.email,
    gift_url: urls[index] as string,
  }));
}
