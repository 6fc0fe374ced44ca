// The gift whose e-mails an operator is going to change.
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { Refusal } from "../refusal.ts";
import { type EmailGift, readEmailGift } from "./queries.ts";

/** Errors: `Refusal` if there is no such gift with a link. */
export async function requireEmailGift(
  db: D1Database,
  key: { orderId: number; sequence: number },
): Promise<EmailGift> {
  const gift = await readEmailGift(db, key);
  if (!gift) throw unknownGift(suborderNumber(key.orderId, key.sequence));
  return gift;
}

export const unknownGift = (number: string) =>
  new Refusal(`there is no gift ${number} with a link.`);

/** The key, the number and the subjects of the gift with this id. */
export function giftOf(giftId: number) {
  const key = splitSuborderId(giftId);
  const number = suborderNumber(key.orderId, key.sequence);
  return { key, number, subjects: [{ type: "gift" as const, keys: [giftId] }] };
}
