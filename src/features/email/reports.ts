// Reports about sent e-mails: the events of the sending domain. They arrive in a queue, in any order and more than once.
// https://developers.cloudflare.com/email-service/platform/event-subscriptions/
import { retrying } from "../../platform/db/faults.ts";
import type { Bindings } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { addressDigest } from "./address-digest.ts";
import { type EmailReport, saveReports } from "./report-queries.ts";

/**
 * The id of a message is stored after it was sent, so a report may come earlier. A message that is unknown after this
 * number of attempts is from another sender of the domain.
 */
const MAX_ATTEMPTS = 4;
const UNKNOWN_DELAY_SECONDS = 60;

/** Stores the reports and acknowledges them. Invalid ones are logged and acknowledged. One round trip. */
export async function receiveReports(
  messages: readonly Message[],
  env: Pick<Bindings, "DB">,
  now: () => number,
): Promise<void> {
  const reports = new Map<Message, EmailReport>();
  for (const message of messages) {
    const report = await reportOf(message.body);
    if (report) reports.set(message, report);
    else message.ack();
  }
  if (reports.size === 0) return;
  const unknown = await retrying(() => saveReports(env.DB, [...reports.values()], now()));
  for (const [message, { messageId }] of reports) {
    if (unknown.has(messageId) && message.attempts < MAX_ATTEMPTS) {
      message.retry({ delaySeconds: UNKNOWN_DELAY_SECONDS });
    } else message.ack();
  }
}

/** The parts of an event that are used. Each may be missing or have another type. */
interface SendingEvent {
  type?: unknown;
  payload?: {
    messageId?: unknown;
    recipient?: unknown;
    bounce?: { type?: unknown };
    rejection?: { reason?: unknown };
  };
}

const TYPE =
  /^cf\.email\.sending\.message\.(delivered|deferred|bounced|failed|rejected|complained)$/;

/** Null if the event is invalid or its type unknown. */
async function reportOf(body: unknown): Promise<EmailReport | null> {
  const { type, payload } = (body ?? {}) as SendingEvent;
  const { messageId, recipient, bounce, rejection } = payload ?? {};
  const status = TYPE.exec(String(type))?.[1] as EmailReport["status"] | undefined;
  if (!status || typeof messageId !== "string" || messageId === "") {
    // Only the type is logged, and only if it is a name: an invalid event may contain an address anywhere.
    const logged = /^[\w.]{1,100}$/.test(String(type)) ? type : null;
    logFault("email.report_invalid", "the event is invalid or its type unknown", { type: logged });
    return null;
  }
  // The reason in the event may contain the address, so only its class is stored.
  const reasons: Partial<Record<EmailReport["status"], string>> = {
    bounced: bounce?.type === "soft" ? "soft_bounce" : "hard_bounce",
    failed: "undeliverable",
    rejected: rejection?.reason === "suppressed" ? "suppressed" : "refused",
    complained: "complaint",
  };
  const address = typeof recipient === "string" ? recipient : null;
  const hasComplained = status === "complained" && address !== null;
  return {
    messageId,
    status,
    reason: reasons[status] ?? null,
    recipient: address && address.trim().toLowerCase(),
    complaintDigest: hasComplained ? await addressDigest(address) : null,
  };
}
