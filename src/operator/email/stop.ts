// Stops the e-mails about a gift.
import { STOPPED_REASONS } from "../../features/email/request.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import { giftOf, requireEmailGift } from "./email-gift.ts";
import { stopEmailsForGood } from "./queries.ts";

interface Stopping {
  /** The sub-order's id. */
  giftId: number;
}

/** The gift can still be accepted with its link. One transaction. */
export const STOP_EMAILS: Change<
  Stopping,
  PlannedChange & Stopping,
  { suborder: string; emailsStopped: "stopped" }
> = {
  action: "email stop",
  plan: async ({ DB }, { giftId }) => {
    const { key, number, subjects } = giftOf(giftId);
    const { clientId, emailsStopped } = await requireEmailGift(DB, key);
    if (emailsStopped === "stopped" || emailsStopped === "unsubscribed") {
      throw new Refusal(
        `the e-mails of ${number} are stopped already: ${STOPPED_REASONS[emailsStopped]}. Nothing was changed.`,
      );
    }
    const description = `stop the e-mails about ${number} of ${clientId} for good`;
    return { giftId, description, subjects };
  },
  run: async ({ DB }, { giftId }) => {
    const { key, number } = giftOf(giftId);
    await stopEmailsForGood(DB, key);
    return { suborder: number, emailsStopped: "stopped" };
  },
};
