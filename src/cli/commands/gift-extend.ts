// `gift extend`: changes the last day of a single gift.
import type { Command } from "../command.ts";
import type { Bindings } from "../../platform/env.ts";
import { extendGift } from "../../operator/lifecycle/extend.ts";
import { endedReason } from "../../features/lifecycle/gift-state.ts";
import { readLinkedGift } from "../../features/lifecycle/renewal-queries.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { Refusal } from "../errors.ts";
import { suborderIdOf } from "../options.ts";
import { printChange, runChange } from "../run.ts";
import { lastDayOption } from "./order-extend.ts";

export function extendGiftCommand(gift: Command): void {
  gift
    .command("extend <sub-order>")
    .description("change the last day of a single open gift; an expired gift stays expired")
    .requiredOption("--redeem-by <date>", "the last day on which the gift can be accepted")
    .details(
      `
The other gifts of the order keep their last day. "order extend" changes it for all gifts of an order, also for this one.

Example:
  npm run ops -- gift extend GO-00042-3 --redeem-by 2027-03-31`,
    )
    .action(async (suborder, options, command) => {
      const id = suborderIdOf(suborder, "<sub-order>");
      const key = splitSuborderId(id);
      const number = suborderNumber(key.orderId, key.sequence);
      const redeemBy = lastDayOption(options.redeemBy);
      /** The gift, if it can be extended. Errors: `Refusal`. */
      const requireOpen = async (DB: D1Database) => {
        const gift = await readLinkedGift(DB, { clientId: null, ...key });
        if (!gift) throw new Refusal(`there is no gift ${number} with a link.`);
        const reason =
          gift.redemptionStatus === "redeemed" ? "it is redeemed" : endedReason(gift, Date.now());
        if (reason !== null) throw new Refusal(`${number} cannot be extended: ${reason}.`);
        return gift;
      };
      const plan = async ({ DB }: Bindings) => {
        const { clientId, expiresAtMs } = await requireOpen(DB);
        const present = redeemByOf(expiresAtMs) ?? "none";
        return {
          description: `set the last day of ${number} of ${clientId} from ${present} to ${redeemBy}`,
          subjects: [{ type: "gift" as const, keys: [id] }],
        };
      };
      await runChange(command, plan, async ({ DB }) => {
        if (!(await extendGift(DB, key, redeemBy, Date.now()))) {
          await requireOpen(DB);
          throw new Refusal(`${number} can be accepted until ${redeemBy} already.`);
        }
        const outcome = { suborder: number, redeemBy };
        printChange(command, outcome, `${number} can be accepted until ${redeemBy}.`);
      });
    });
}
