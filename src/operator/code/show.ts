// The code of one gift.
import { refusal } from "../../core/api-error.ts";
import { giftNumber, splitGiftId } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { unseal } from "../../features/codes/seal.ts";
import { requireGiftToChange } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { findCode } from "./queries.ts";

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
    await requireGiftToChange(context.DB, operatorGiftKey(gift));
    await context.record({ type: "gift", keys: [gift] }, { read: "code" }, reason);
    const code = await findCode(context.DB, splitGiftId(gift));
    const content = code && (await unseal(context, code));
    if (!content) throw refusal(`${giftNumber(gift)} has no code, or it was erased.`);
    return { facts: { ...code, ...content, gift, valid_until: redeemByOf(code.expiresAtMs) } };
  },
});
