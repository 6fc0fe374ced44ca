// Shows the e-mails that the sandbox does not send, and simulates the reports about them.
import { refusal } from "../../core/api-error.ts";
import { splitGiftId } from "../../core/values/ids.ts";
import { addressDigest } from "../email/address-digest.ts";
import { readSentEmails, type SentEmail } from "../schedule/queries.ts";
import { saveReports } from "../email/report-queries.ts";
import { requireOwnGift, type SandboxContext } from "./control.ts";

/** The e-mails of the client's gift, oldest first. Two round trips. Errors: `not_found`. */
export async function readOwnEmails(context: SandboxContext, giftId: number): Promise<SentEmail[]> {
  await requireOwnGift(context, giftId);
  return readSentEmails(context.d1, splitGiftId(giftId));
}

/** The reasons that the e-mail service gives. */
const REASONS = {
  delivered: null,
  deferred: null,
  bounced: "hard_bounce",
  rejected: "suppressed",
  complained: "complaint",
};
export type SimulatedReport = keyof typeof REASONS;

/** Stores a report about the last e-mail of the gift. Errors: `not_found`, and `not_allowed_in_state` if none was sent. */
export async function reportEmail(
  context: SandboxContext,
  giftId: number,
  status: SimulatedReport,
): Promise<void> {
  const emails = await readOwnEmails(context, giftId);
  const { messageId, message } = emails.findLast((email) => email.messageId) ?? {};
  if (!messageId) throw refusal("No e-mail about the gift was sent.");
  const complaintDigest =
    status === "complained" && message ? await addressDigest(message.to, context.clientId) : null;
  const recipient = message?.to.toLowerCase() ?? null;
  const report = { messageId, status, reason: REASONS[status], recipient, complaintDigest };
  await saveReports(context.d1, [report], context.nowMs);
}
