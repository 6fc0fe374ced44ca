// Opens a declined gift again.
import { refusal } from "../../core/api-error.ts";
import { giftNumber } from "../../core/values/ids.ts";
import { OBSTACLES } from "../../features/fulfilment/obstacles.ts";
import { requireGiftToChange } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import { reinstate } from "../../features/redeem/decline.ts";
import { findGift } from "../../features/redeem/queries.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";

/** Takes what the decline has returned. One transaction. */
export const giftReinstate = change({
  name: "gift reinstate",
  title: "Open the declined gift again",
  description: "Within seven days, as its recipient can. Its stock and credit are taken again.",
  permission: "gifts",
  input: { gift: kinds.gift("Gift") },
  examples: ["GO-00042-4"],
  plan: async ({ DB, nowMs }, { gift: giftId }) => {
    const gift = await requireGiftToChange(DB, operatorGiftKey(giftId));
    const { orderId, sequence, linkNonce: nonce, linkGeneration: generation } = gift;
    const key = { orderId, sequence, nonce: nonce ?? "", generation };
    const view = await findGift(DB, key, {}, nowMs);
    const obstacle = view ? view.obstacle : "notDeclined";
    if (obstacle) throw refusal(`${giftNumber(giftId)} ${OBSTACLES[obstacle]}.`);
    const will = `open ${giftNumber(giftId)} of ${gift.clientId} again, and take its stock and credit`;
    return { giftId, key, will, subjects: [{ type: "gift", keys: [giftId] }] };
  },
  run: async ({ DB, nowMs, requestId }, { giftId, key }) => {
    await reinstate({ d1: DB, near: DB, nowMs, requestId }, key);
    const { redemptionStatus } = await requireGiftToChange(DB, operatorGiftKey(giftId));
    if (redemptionStatus !== null) throw refusal(`${giftNumber(giftId)} has changed meanwhile.`);
    return { text: `${giftNumber(giftId)} can be accepted again.` };
  },
});
