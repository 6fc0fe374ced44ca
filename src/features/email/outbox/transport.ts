// Gives a message to the e-mail service, and classifies its errors.
// https://developers.cloudflare.com/email-service/
import { within } from "../../../core/deadline.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../core/values/time.ts";
import { isSandbox } from "../../../platform/configuration.ts";
import type { Bindings } from "../../../platform/env.ts";
import { logFault } from "../../../platform/log.ts";
import type { EmailMessage } from "../email.ts";

const SEND_DEADLINE_MS = 10 * SECOND_MS;

/**
 * `held`: the service refuses all e-mails for some time. `retry`: another attempt may succeed. `failed`: none will; `reason`
 * is the class of the failure, without personal data.
 */
export type SendResult =
  | { kind: "sent"; messageId: string }
  | { kind: "held"; code: string }
  | { kind: "retry"; reason: string }
  | { kind: "failed"; reason: string };

/** How long nothing is sent after these errors, doubled with each refusal that follows. */
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
  if (isSandbox(env)) return { kind: "sent", messageId: `sandbox-${crypto.randomUUID()}` };
  try {
    if (!env.EMAIL) throw new Error("EMAIL is missing");
    const { messageId } = await within(
      SEND_DEADLINE_MS,
      "The e-mail service",
      env.EMAIL.send(message),
    );
    return { kind: "sent", messageId };
  } catch (error) {
    const { code = "" } = error as { code?: string };
    // The text of the service may contain the recipient's address.
    logFault("email.refused", String(error).replace(/\S+@\S+/g, "(address)"), {
      reason: code,
    });
    if (Object.hasOwn(HOLDS, code)) return { kind: "held", code };
    const failure = FAILURES[code];
    return failure
      ? { kind: "failed", reason: failure }
      : { kind: "retry", reason: "service_error" };
  }
}
