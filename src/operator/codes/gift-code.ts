// The code of one gift: shows or replaces it.
import { refusal } from "../../core/api-error.ts";
import { giftNumber, splitGiftId } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { readReplaceable, replaceCode } from "../../features/codes/replace-queries.ts";
import { unseal } from "../../features/codes/seal.ts";
import { loadGift } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import { constraintOf } from "../../platform/db/constraint.ts";
import { change, view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readCode } from "./queries.ts";

/** The reading is recorded before the code is read. Three round trips. */
export const codeShow = view({
  name: "code show",
  title: "Code of a gift",
  description: "Anyone who has the code can use it. The audit log records that you read it.",
  permission: "gifts",
  isPersonal: true,
  input: { gift: kinds.gift("Gift"), reason: kinds.reason() },
  examples: ['GO-00042-3 --reason "Ticket 7"'],
  shape: {
    facts: {
      gift: kinds.gift("Gift"),
      code: kinds.text("Code"),
      pin: kinds.text("PIN"),
      url: kinds.url("Link"),
      valid_until: kinds.day("Valid until"),
      given: kinds.from("boundAtMs", kinds.time("Given out")),
      opened: kinds.from("openedAtMs", kinds.time("Opened on the gift page")),
      product: kinds.from("productId", kinds.product("Product")),
      batch: kinds.text("Batch"),
    },
  },
  read: async (context, { gift, reason }) => {
    await loadGift(context.DB, operatorGiftKey(gift));
    await context.record({ type: "gift", keys: [gift] }, { read: "code" }, reason);
    const code = await readCode(context.DB, splitGiftId(gift));
    const content = code && (await unseal(context, code));
    if (!content) throw refusal(`${giftNumber(gift)} has no code, or it was erased.`);
    return { facts: { ...code, ...content, gift, valid_until: redeemByOf(code.expiresAtMs) } };
  },
});

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
    const { clientId } = await loadGift(DB, gift);
    const found = await readReplaceable(DB, gift);
    if (!found) {
      throw refusal(
        `${giftNumber(giftId)} gets no code of the stock. If it is to be sent, give its code to shipment ship.`,
      );
    }
    const what = found.codeId === null ? "give a code to" : "replace the code of";
    return {
      replacement: { ...gift, ...found },
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
