// Stops the e-mails about a gift.
import { refusal } from "../../core/api-error.ts";
import { isAddressRefused } from "../../core/values/email-kinds.ts";
import { giftNumber, splitGiftId } from "../../core/values/ids.ts";
import { STOPPED_REASONS } from "../../features/lifecycle/send.ts";
import { requireGiftToChange, requireLink } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { stopEmailsForGood } from "./queries.ts";

/** The gift can still be accepted with its link. One transaction. */
export const emailStop = change({
  name: "email stop",
  title: "Stop the e-mails",
  description:
    "No further e-mails are sent about the gift, also not after its link is replaced. It can still be accepted.",
  permission: "gifts",
  isFinal: true,
  input: { gift: kinds.gift("Gift") },
  examples: ['GO-00042-3 --reason "Ticket 8"'],
  plan: async ({ DB }, { gift }) => {
    const found = await requireGiftToChange(DB, operatorGiftKey(gift));
    requireLink(found);
    const { clientId, emailsStopped } = found;
    const number = giftNumber(gift);
    if (emailsStopped !== null && !isAddressRefused(emailsStopped)) {
      throw refusal(
        `the e-mails of ${number} are stopped already: ${STOPPED_REASONS[emailsStopped]}. Nothing was changed.`,
      );
    }
    return {
      gift,
      will: `stop the e-mails about ${number} of ${clientId} for good`,
      subjects: [{ type: "gift", keys: [gift] }],
    };
  },
  run: async ({ DB }, { gift }) => {
    await stopEmailsForGood(DB, splitGiftId(gift));
    return { text: `No further e-mails are sent about ${giftNumber(gift)}.` };
  },
});
