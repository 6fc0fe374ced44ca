// Shows the e-mails that the sandbox does not send, and reports about them as their receivers would.
import { ApiError } from "../../core/api-error.ts";
import { splitSuborderId } from "../../core/values/ids.ts";
import { addressDigest } from "../email/address-digest.ts";
import { readEmails, type SentEmail } from "../orders/email-queries.ts";
import { saveReports } from "../email/report-queries.ts";
import type { SandboxEmailEventRequest } from "./contract.ts";
import type { SandboxContext } from "./control.ts";
import { findClientGift } from "./queries.ts";

/** The e-mails of the client's gift, oldest first. Two round trips. Errors: `not_found`. */
export async function readOwnEmails(
  { d1, clientId, nowMs }: SandboxContext,
  suborderId: number,
): Promise<SentEmail[]> {
  const gift = await findClientGift(d1, clientId, suborderId);
  if (!gift) throw new ApiError("not_found", "You have no such gift.");
  return (await readEmails(d1, { ...splitSuborderId(suborderId), nowMs })).sent;
}

/** The reasons that the e-mail service gives. */
const REASONS = { bounced: "hard_bounce", rejected: "suppressed", complained: "complaint" };

/**
 * Reports about the last e-mail of the gift. Returns it afterwards. Errors: `not_found`, and `not_allowed_in_state` if no
 * e-mail was sent.
 */
export async function reportEmail(
  context: SandboxContext,
  { suborder_id: suborderId, event: status }: SandboxEmailEventRequest,
): Promise<SentEmail> {
  const email = (await readOwnEmails(context, suborderId)).findLast(({ messageId }) => messageId);
  if (!email?.messageId) {
    throw new ApiError("not_allowed_in_state", "No e-mail about the gift was sent.");
  }
  const { messageId, message } = email;
  const complaintDigest =
    status === "complained" && message ? await addressDigest(message.to, context.clientId) : null;
  const reason = status in REASONS ? REASONS[status as keyof typeof REASONS] : null;
  const recipient = message && message.to.toLowerCase();
  const report = { messageId, status, reason, recipient, complaintDigest };
  await saveReports(context.d1, [report], context.nowMs);
  const [after] = (await readOwnEmails(context, suborderId)).filter(
    (each) => each.messageId === messageId,
  );
  return after ?? email;
}
