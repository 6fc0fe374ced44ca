// Changes the last day of a single gift.
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { endedReason } from "../../features/lifecycle/gift-state.ts";
import { type LinkedGift, readLinkedGift } from "../../features/lifecycle/renewal-queries.ts";
import { extendGift } from "../../features/lifecycle/extend.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";

interface GiftExtension {
  /** The sub-order's id. */
  giftId: number;
  /** A day that `redeemByRange` contains. */
  redeemBy: string;
}

type Plan = PlannedChange & GiftExtension;

/** Sets the last day of a single gift, which applies until its order gets another one. One transaction. */
export const EXTEND_GIFT: Change<GiftExtension, Plan, { suborder: string; redeemBy: string }> = {
  action: "gift extend",
  plan: async ({ DB }, { giftId, redeemBy }, nowMs) => {
    const { clientId, expiresAtMs } = await requireOpen(DB, giftId, nowMs);
    const present = redeemByOf(expiresAtMs) ?? "none";
    const number = numberOf(giftId);
    if (present === redeemBy) throw unchanged(number, redeemBy);
    return {
      giftId,
      redeemBy,
      description: `set the last day of ${number} of ${clientId} from ${present} to ${redeemBy}`,
      subjects: [{ type: "gift", keys: [giftId] }],
    };
  },
  run: async ({ DB }, { giftId, redeemBy }, nowMs) => {
    if (!(await extendGift(DB, splitSuborderId(giftId), redeemBy, nowMs))) {
      await requireOpen(DB, giftId, nowMs);
      throw unchanged(numberOf(giftId), redeemBy);
    }
    return { suborder: numberOf(giftId), redeemBy };
  },
};

const numberOf = (giftId: number) => {
  const { orderId, sequence } = splitSuborderId(giftId);
  return suborderNumber(orderId, sequence);
};

const unchanged = (number: string, redeemBy: string) =>
  new Refusal(`${number} can be accepted until ${redeemBy} already.`);

async function requireOpen(d1: D1Database, giftId: number, nowMs: number): Promise<LinkedGift> {
  const gift = await readLinkedGift(d1, { clientId: null, ...splitSuborderId(giftId) });
  if (!gift) throw new Refusal(`there is no gift ${numberOf(giftId)} with a link.`);
  const reason = gift.redemptionStatus === "redeemed" ? "it is redeemed" : endedReason(gift, nowMs);
  if (reason !== null) {
    throw new Refusal(`${numberOf(giftId)} cannot be extended: ${reason}.`);
  }
  return gift;
}
