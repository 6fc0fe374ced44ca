// Causes events of a gift that its recipient or the operator causes in production.
import { validationError } from "../../core/api-error.ts";
import { splitSuborderId } from "../../core/values/ids.ts";
import { redeemByRange } from "../../core/values/redeem-by.ts";
import { extend, extendGift } from "../lifecycle/extend.ts";
import { type GiftState, stateOf } from "../lifecycle/gift-state.ts";
import { decline } from "../redeem/decline.ts";
import { thank } from "../redeem/thank.ts";
import { reopenGift } from "./change-shipment.ts";
import type { SandboxGiftEventRequest } from "./contract.ts";
import { giftWithLink, notAllowed, ownGift, type SandboxContext } from "./control.ts";
import type { ClientGift } from "./queries.ts";

const NOTE = "Thank you!";

/** In which states of the gift an event has happened, and the verb of its refusal. */
const STEPS: Record<Step, { states: readonly GiftState[]; verb: string }> = {
  "gift.declined": { states: ["declined"], verb: "be declined" },
  "gift.thanked": { states: ["redeemed"], verb: "be thanked for" },
};
type Step = "gift.declined" | "gift.thanked";

/**
 * Causes the event, unless it has happened. Returns the gift afterwards. Errors: `not_found`, `not_allowed_in_state`, and
 * `validation_error` for an extension without a valid day.
 */
export async function causeGiftEvent(
  context: SandboxContext,
  { suborder_id: suborderId, event, redeem_by: redeemBy }: SandboxGiftEventRequest,
): Promise<ClientGift> {
  if (event === "gift.reopened") {
    await reopenGift(context, suborderId);
    return ownGift(context, suborderId);
  }
  const { d1, nowMs } = context;
  const { nonce, linkGeneration: generation } = await giftWithLink(context, suborderId);
  const key = { ...splitSuborderId(suborderId), nonce, generation };
  if (event === "gift.declined") await decline({ ...context, near: d1 }, key);
  else if (event === "gift.thanked") await thank({ ...context, near: d1 }, key, NOTE);
  else {
    const owned = { ...key, clientId: context.clientId };
    const day = checkDay(redeemBy, nowMs);
    await (event === "gift.extended" ? extendGift : extend)(d1, owned, day, nowMs);
    return ownGift(context, suborderId);
  }
  const gift = await ownGift(context, suborderId);
  const state = stateOf(gift, { generation, nowMs });
  const { states, verb } = STEPS[event];
  if (!states.includes(state)) throw notAllowed(verb, state);
  return gift;
}

function checkDay(day: string | undefined, nowMs: number): string {
  const { first, last } = redeemByRange(nowMs);
  if (day !== undefined && day >= first && day <= last) return day;
  throw validationError([
    { field: "redeem_by", message: `must be a day from ${first} to ${last}` },
  ]);
}
