// Gives a message to the e-mail service, and classifies its errors.
// https://developers.cloudflare.com/email-service/
import { own } from "../../../core/values/own.ts";
import { HOUR_MS, MINUTE_MS } from "../../../core/values/time.ts";
import { isSandbox } from "../../../platform/configuration.ts";
import type { Bindings } from "../../../platform/env.ts";
import { logFault } from "../../../platform/log.ts";
import type { EmailMessage } from "../email.ts";

/** What has become of an e-mail. */
export interface SendResult {
  /** `held`: the service refuses all e-mails for some time. `retry`: another attempt may succeed. `failed`: none will. */
  outcome: "sent" | "held" | "retry" | "failed";
  messageId?: string;
  /** The message, if it is to be stored. */
  message?: EmailMessage;
  /** The class of a failure, without personal data. For `held`, the code of the error. */
  reason?: string;
}

/**
 * How long nothing is sent after these errors, because the next e-mail would be refused too. Doubled with each refusal
 * that follows.
 */
export const HOLDS: Record<string, number> = {
  E_RATE_LIMIT_EXCEEDED: MINUTE_MS,
  E_DAILY_LIMIT_EXCEEDED: HOUR_MS,
  E_SENDER_NOT_VERIFIED: 10 * MINUTE_MS,
  E_SENDER_DOMAIN_NOT_AVAILABLE: 10 * MINUTE_MS,
  // The account or the binding may send to certain addresses only.
  E_RECIPIENT_NOT_ALLOWED: 10 * MINUTE_MS,
};

/** The classes of errors after which no further attempt is made. After all others, the cause may be corrected. */
const FAILURES: Record<string, string> = {
  E_RECIPIENT_SUPPRESSED: "suppressed",
  E_VALIDATION_ERROR: "invalid_address",
};

/** Sends the message. In the sandbox and locally nothing leaves: the message is stored with its outcome. Never throws. */
export async function sendEmail(
  env: Pick<Bindings, "EMAIL" | "ENVIRONMENT">,
  message: EmailMessage,
): Promise<SendResult> {
  if (isSandbox(env)) {
    return { outcome: "sent", messageId: `sandbox-${crypto.randomUUID()}`, message };
  }
  try {
    if (!env.EMAIL) throw new Error("EMAIL is missing");
    const { messageId } = await env.EMAIL.send(message);
    return { outcome: "sent", messageId };
  } catch (error) {
    const { code = "", name } = error as Error & { code?: string };
    // The message may contain the address.
    logFault("email.refused", code || name);
    if (Object.hasOwn(HOLDS, code)) return { outcome: "held", reason: code };
    const reason = own(FAILURES, code);
    return reason ? { outcome: "failed", reason } : { outcome: "retry", reason: "service_error" };
  }
}
