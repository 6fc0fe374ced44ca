// Replaces the code of a gift.
import { refusal } from "../../core/api-error.ts";
import { giftNumber } from "../../core/values/ids.ts";
import { findCodeToReplace, replaceCode } from "../../features/codes/replace-queries.ts";
import { OBSTACLES } from "../../features/fulfilment/obstacles.ts";
import { requireGiftToChange } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import { constraintOf } from "../../platform/db/constraint.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";

/** One transaction. */
export const codeReplace = change({
  name: "code replace",
  title: "Replace the code",
  description:
    "The present code becomes void here, but not at its supplier. A new one is sent by e-mail, unless the client delivers codes or the last e-mail came back. A gift that still waits for a code gets its first one.",
  permission: "gifts",
  isFinal: true,
  input: { gift: kinds.gift("Gift") },
  examples: ['GO-00042-3 --reason "Ticket 9"'],
  plan: async ({ DB }, { gift: giftId }) => {
    const gift = { ...operatorGiftKey(giftId), orderRefId: null };
    const { clientId } = await requireGiftToChange(DB, gift);
    const { codeId = null, obstacle = "notFromStock" } = (await findCodeToReplace(DB, gift)) ?? {};
    if (obstacle) throw refusal(`${giftNumber(giftId)} ${OBSTACLES[obstacle]}.`);
    const what = codeId === null ? "give a code to" : "replace the code of";
    return {
      replacement: { ...gift, codeId },
      will: `${what} ${giftNumber(giftId)} of ${clientId}`,
      subjects: [{ type: "gift", keys: [giftId] }],
    };
  },
  run: async ({ DB, nowMs }, { replacement }) => {
    try {
      if (await replaceCode(DB, { ...replacement, nowMs })) return { text: "It has a new code." };
    } catch (error) {
      const name = constraintOf(error) ?? "";
      if (!["stock_not_negative", "changes_are_current"].includes(name)) throw error;
      throw refusal("no valid code of its product is free. Upload codes first.");
    }
    throw refusal("its code has changed meanwhile.");
  },
});
