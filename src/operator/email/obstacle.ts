// Why no e-mails about a gift are sent.
import { formatDateTime } from "../../core/values/time.ts";
import { hasComplaint } from "../../features/email/outbox/claim-queries.ts";
import { STOPPED_REASONS } from "../../features/email/request.ts";
import { isSandbox } from "../../platform/configuration.ts";
import type { OperatorBindings } from "../declaration/declare.ts";
import type { EmailGift } from "./queries.ts";

/**
 * Why no e-mails about the gift are sent at present, apart from its status. Null if there is no such reason. At most one
 * round trip.
 */
export async function emailObstacle(
  env: OperatorBindings,
  gift: EmailGift,
  nowMs: number,
): Promise<string | null> {
  const { emailsStopped, clientStatus, pausedUntilMs } = gift;
  if (env.EMAIL_FROM === "") return "e-mails are switched off in this environment";
  if (emailsStopped) return STOPPED_REASONS[emailsStopped];
  if (gift.inviteAtMs === null) return "the client sends the link";
  if (await hasComplaint(env.DB, gift, isSandbox(env)))
    return "the owner of the address has reported an e-mail as spam";
  if (clientStatus === "suspended") return "the client is suspended";
  if (pausedUntilMs === null || pausedUntilMs <= nowMs) return null;
  return `${String(gift.pauseCode)} of the e-mail service: nothing is sent until ${formatDateTime(pausedUntilMs)}`;
}
