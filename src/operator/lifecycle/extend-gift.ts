// Changes the last day of a single gift.
import { validationError } from "../../core/api-error.ts";
import { giftNumber, splitSuborderId } from "../../core/values/ids.ts";
import { redeemByOf, redeemByRange } from "../../core/values/redeem-by.ts";
import { extendGift } from "../../features/lifecycle/extend.ts";
import { endedReason } from "../../features/lifecycle/gift-state.ts";
import { type LinkedGift, readLinkedGift } from "../../features/lifecycle/renewal-queries.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { NotFound, Refusal } from "../refusal.ts";

/** Sets the last day of a single gift, which applies until its order gets another one. One transaction. */
export const giftExtend = change({
  name: "gift extend",
  title: "Change the last day",
  description: "The other gifts of the order keep theirs. An expired gift stays expired.",
  permission: "gifts",
  input: {
    gift: kinds.gift("Gift"),
    redeem_by: kinds.day("Last day (UTC)"),
  },
  examples: ["GO-00042-1 --redeem-by 2027-01-31"],
  present: async ({ DB, nowMs }, { gift = 0 }) => ({
    redeem_by: redeemByOf((await requireOpen(DB, gift, nowMs)).expiresAtMs) ?? undefined,
  }),
  plan: async ({ DB, nowMs }, { gift, redeem_by: redeemBy }) => {
    checkLastDay(redeemBy, nowMs);
    const { clientId, expiresAtMs } = await requireOpen(DB, gift, nowMs);
    const present = redeemByOf(expiresAtMs);
    const number = giftNumber(gift);
    if (present === redeemBy) throw unchanged(number, redeemBy);
    return {
      gift,
      redeemBy,
      will: `set the last day of ${number} of ${clientId} to ${redeemBy}`,
      changes: [{ label: "Last day", before: present, after: redeemBy }],
      subjects: [{ type: "gift", keys: [gift] }],
    };
  },
  run: async ({ DB, nowMs }, { gift, redeemBy }) => {
    if (!(await extendGift(DB, splitSuborderId(gift), redeemBy, nowMs))) {
      await requireOpen(DB, gift, nowMs);
      throw unchanged(giftNumber(gift), redeemBy);
    }
    return { text: `${giftNumber(gift)} can be accepted until ${redeemBy}.` };
  },
});

/** Errors: `validation_error` for the input `redeem_by`. */
export function checkLastDay(redeemBy: string, nowMs: number): void {
  const { first, last } = redeemByRange(nowMs);
  if (redeemBy >= first && redeemBy <= last) return;
  const message = `must be a day from ${first} to ${last}`;
  throw validationError([{ field: "redeem_by", message }]);
}

const unchanged = (number: string, redeemBy: string) =>
  new Refusal(`${number} can be accepted until ${redeemBy} already.`);

async function requireOpen(d1: D1Database, giftId: number, nowMs: number): Promise<LinkedGift> {
  const gift = await readLinkedGift(d1, { clientId: null, ...splitSuborderId(giftId) });
  if (!gift) throw new NotFound(`there is no gift ${giftNumber(giftId)} with a link.`);
  const reason = gift.redemptionStatus === "redeemed" ? "it is redeemed" : endedReason(gift, nowMs);
  if (reason !== null) {
    throw new Refusal(`${giftNumber(giftId)} cannot be extended: ${reason}.`);
  }
  return gift;
}
