// Shows the e-mails that the sandbox does not send, and simulates the reports about them.
import { ApiError } from "../../core/api-error.ts";
import { splitSuborderId } from "../../core/values/ids.ts";
import { addressDigest } from "../email/address-digest.ts";
import { readEmails, type SentEmail } from "../orders/email-queries.ts";
import { saveReports } from "../email/report-queries.ts";
import type { SandboxEmailEventRequest } from "./contract.ts";
import { ownGift, type SandboxContext } from "./control.ts";

/** The e-mails of the client's gift, oldest first. Two round trips. Errors: `not_found`. */
export async function readOwnEmails(
  context: SandboxContext,
  suborderId: number,
): Promise<SentEmail[]> {
  await ownGift(context, suborderId);
  return (await readEmails(context.d1, splitSuborderId(suborderId))).sent;
}

/** The reasons that the e-mail service gives. */
const REASONS = {
  delivered: null,
  deferred: null,
  bounced: "hard_bounce",
  rejected: "suppressed",
  complained: "complaint",
};

/**
 * Stores a report about the last e-mail of the gift. Returns the e-mail afterwards. Errors: `not_found`, and
 * `not_allowed_in_state` if no e-mail was sent.
 */
export async function reportEmail(
  context: SandboxContext,
  { suborder_id: suborderId, event: status }: SandboxEmailEventRequest,
): Promise<SentEmail> {
  const lastSent = async () =>
    (await readOwnEmails(context, suborderId)).findLast(({ messageId }) => messageId);
  const email = await lastSent();
  if (!email?.messageId) {
    throw new ApiError("not_allowed_in_state", "No e-mail about the gift was sent.");
  }
  const { messageId, message } = email;
  const complaintDigest =
    status === "complained" && message ? await addressDigest(message.to, context.clientId) : null;
  const recipient = message && message.to.toLowerCase();
  const report = { messageId, status, reason: REASONS[status], recipient, complaintDigest };
  await saveReports(context.d1, [report], context.nowMs);
  return (await lastSent()) ?? email;
}
