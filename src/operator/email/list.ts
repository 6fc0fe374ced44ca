// The list of e-mails to recipients.
import { emailIs, EMAIL_KINDS, EMAIL_STATUSES } from "../../core/values/email-kinds.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { fullName } from "../../core/values/person-name.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { type ListedEmail, listEmails, NEWEST_EMAIL } from "./queries.ts";

const DEFAULT_DAYS = 7;

/** One round trip, or two with a client. The audit log records the gifts that are shown. */
export const emailList = list({
  name: "email list",
  title: "E-mails",
  description:
    "E-mails that were attempted or have failed since a time, and those that are attempted again, newest first.",
  permission: "view",
  input: {
    client: kinds.optional(kinds.client("Client")),
    since: kinds.optional(
      kinds.time("Since", { hint: `Without it: ${String(DEFAULT_DAYS)} days ago.` }),
    ),
    status: kinds.optional(
      kinds.choice("Status", ["unresolved", "problem", ...EMAIL_STATUSES], {
        hint: "problem: every status except sent and delivered. unresolved: those that did not arrive, and nothing was done about it.",
      }),
    ),
  },
  columns: {
    gift: kinds.gift("Gift"),
    name: kinds.text("Recipient"),
    email: kinds.email("E-mail address", { beside: "name" }),
    kind: kinds.choice("E-mail", EMAIL_KINDS),
    status: kinds.status("Status"),
    reason: kinds.status("Reason", { beside: "status" }),
    client: kinds.from("clientId", kinds.client("Client")),
    attempted: kinds.from("attemptedAtMs", kinds.time("Last attempt")),
    next_attempt: kinds.from("nextAttemptAtMs", kinds.time("Next attempt")),
    attempts: kinds.count("Attempts", { isInFilesOnly: true }),
    message_id: kinds.from("messageId", kinds.text("Message id", { isInFilesOnly: true })),
    actions: kinds.many(kinds.text("What can be done", { isInFilesOnly: true })),
  },
  empty: "No e-mail matches.",
  rowActions: ["recipient correct", "email resend"],
  examples: ["--status problem --since 2026-05-01", "--status bounced --csv"],
  first: () => NEWEST_EMAIL,
  read: ({ DB, nowMs }, { client, since, status }, page) =>
    listEmails(DB, {
      ...page,
      clientId: client ?? null,
      sinceMs: since ?? nowMs - DEFAULT_DAYS * DAY_MS,
      nowMs,
      statuses:
        status === "unresolved"
          ? null
          : EMAIL_STATUSES.filter((each) =>
              status === "problem"
                ? emailIs("isProblem", { status: each })
                : each === (status ?? each),
            ),
    }),
  record: ({ record }, rows) => {
    const keys = rows.map(({ orderId, sequence }) => toGiftId(orderId, sequence));
    return record({ type: "gift", keys: [...new Set(keys)] }, { read: "list" });
  },
  row: (email) => ({
    ...email,
    gift: toGiftId(email.orderId, email.sequence),
    name: fullName(email) || null,
    actions: actionsOf(email),
  }),
});

/** An address that refused an e-mail is corrected first. */
function actionsOf({ status, reason, isUnresolved }: ListedEmail): string[] {
  if (!isUnresolved) return [];
  return status === "failed" && reason !== "invalid_address"
    ? ["email resend"]
    : ["recipient correct"];
}
