// The list of e-mails to recipients.
import { emailIs, EMAIL_STATUSES } from "../../core/values/email-kinds.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listEmails } from "./queries.ts";

const DEFAULT_DAYS = 7;

/** Only a reading of addresses is recorded. One round trip, or two with a client. */
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
    addresses: kinds.withDefault(
      kinds.flag("With the addresses", { hint: "The audit log then records the reading." }),
      false,
    ),
  },
  columns: {
    gift: kinds.gift("Gift"),
    client: kinds.from("clientId", kinds.client("Client")),
    email: kinds.email("E-mail address"),
    kind: kinds.text("E-mail"),
    status: kinds.status("Status"),
    reason: kinds.text("Reason", { beside: "status" }),
    attempts: kinds.count("Attempts"),
    attempted: kinds.from("attemptedAtMs", kinds.time("Last attempt")),
    next_attempt: kinds.from("nextAttemptAtMs", kinds.time("Next attempt")),
    message_id: kinds.from("messageId", kinds.text("Message id")),
  },
  empty: "No e-mail matches.",
  rowActions: ["email resend", "gift renew"],
  examples: ["--status problem --since 2026-05-01", "--status bounced --addresses --csv"],
  order: { attemptedAtMs: Number, orderId: Number, sequence: Number, number: Number },
  read: ({ DB, nowMs }, { client, since, status, addresses }, page) =>
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
      showsAddresses: addresses,
    }),
  record: async ({ record }, rows) => {
    const keys = rows
      .filter(({ email }) => email !== null)
      .map(({ orderId, sequence }) => toGiftId(orderId, sequence));
    if (keys.length > 0) await record({ type: "gift", keys: [...new Set(keys)] }, { read: "list" });
  },
  row: (email) => ({ ...email, gift: toGiftId(email.orderId, email.sequence) }),
});
