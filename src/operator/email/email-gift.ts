// The gift whose e-mails an operator is going to change.
import { suborderNumber } from "../../core/values/ids.ts";
import { NotFound } from "../refusal.ts";
import { type EmailGift, readEmailGift } from "./queries.ts";

/** Errors: `NotFound` if there is no such gift with a link. */
export async function requireEmailGift(
  db: D1Database,
  key: { orderId: number; sequence: number },
): Promise<EmailGift> {
  const gift = await readEmailGift(db, key);
  if (!gift) throw unknownGift(suborderNumber(key.orderId, key.sequence));
  return gift;
}

export const unknownGift = (number: string) =>
  new NotFound(`there is no gift ${number} with a link.`);
