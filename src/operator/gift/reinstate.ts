// Opens a declined gift again. `gift extend` does the same with an expired one.
import { refusal } from "../../core/api-error.ts";
import { giftNumber, splitGiftId } from "../../core/values/ids.ts";
import { amountText } from "../../core/values/money.ts";
import { OBSTACLES } from "../../features/fulfilment/obstacles.ts";
import { requireGiftToChange } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import { openAgain } from "../../features/redeem/decline.ts";
import { readReinstatement } from "../../features/redeem/reinstate-queries.ts";
import { change, type PlanContext, type RunContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";

/** Takes what the decline has returned. One transaction. */
export const giftReinstate = change({
  name: "gift reinstate",
  title: "Open the declined gift again",
  description: "Within seven days, as its recipient can. Its stock and credit are taken again.",
  permission: "gifts",
  input: { gift: kinds.gift("Gift") },
  examples: ["GO-00042-4"],
  plan: (context, { gift }) => planReinstatement(context, gift, null),
  run: async (context, plan) => {
    await runReinstatement(context, plan);
    return { text: `${giftNumber(plan.giftId)} can be accepted again.` };
  },
});

/** `expiresAtMs`: the new end of an expired gift. Null for a declined one. Errors: `not_found`, `not_allowed_in_state`. */
export async function planReinstatement(
  { DB, nowMs }: Pick<PlanContext, "DB" | "nowMs">,
  giftId: number,
  expiresAtMs: number | null,
) {
  const { clientId } = await requireGiftToChange(DB, operatorGiftKey(giftId));
  const read = await readReinstatement(DB, { ...splitGiftId(giftId), expiresAtMs, nowMs });
  const { obstacle = null, declinedAtMs = null, owedMinor = null } = read ?? {};
  if (!read || obstacle !== null) {
    throw refusal(`${giftNumber(giftId)} ${OBSTACLES[obstacle ?? "notDeclined"]}.`);
  }
  const amount = amountText(read.chargeMinor, read.currency);
  return {
    giftId,
    declinedAtMs,
    expiresAtMs,
    will: `open ${giftNumber(giftId)} of ${clientId} again, and take its stock and ${amount} ${owedMinor === null ? "of credit" : "of its payment"}`,
    subjects: [{ type: "gift" as const, keys: [giftId] }],
  };
}

/** Errors: `not_allowed_in_state` if the gift has changed since it was planned. */
export async function runReinstatement(
  { DB, nowMs, requestId }: RunContext,
  { giftId, declinedAtMs, expiresAtMs }: Awaited<ReturnType<typeof planReinstatement>>,
): Promise<void> {
  await openAgain(DB, { ...splitGiftId(giftId), declinedAtMs, expiresAtMs, requestId, nowMs });
  const after = await requireGiftToChange(DB, operatorGiftKey(giftId));
  const isOpen = after.redemptionStatus === null;
  if (!isOpen || (expiresAtMs ?? after.expiresAtMs) !== after.expiresAtMs)
    throw refusal(`${giftNumber(giftId)} has changed meanwhile.`);
}
