// The list of e-mails to recipients.
import { EMAIL_STATUSES } from "../../core/values/email-kinds.ts";
import { suborderId } from "../../core/values/ids.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { requireClient } from "../clients/require-client.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, textsOf } from "../declaration/pages.ts";
import { listEmails } from "./queries.ts";

const DEFAULT_DAYS = 7;

/** Addresses are not shown, so the reading is not recorded. One round trip, or two with a client. */
export const emailList = list({
  name: "email list",
  title: "E-mails",
  description:
    "E-mails that were attempted or have failed since a time, and those that are attempted again, newest first.",
  permission: "view",
  input: {
    client: kinds.optional(kinds.client("Client")),
    since: kinds.optional(
      kinds.time("Since (UTC)", { hint: `Without it: ${String(DEFAULT_DAYS)} days ago.` }),
    ),
    status: kinds.optional(
      kinds.choice("Status", ["problem", ...EMAIL_STATUSES], {
        hint: "problem: every status except sent and delivered.",
      }),
    ),
  },
  columns: {
    gift: kinds.gift("Gift"),
    client: kinds.client("Client"),
    kind: kinds.text("E-mail"),
    status: kinds.status("Status"),
    reason: kinds.text("Reason", { beside: "status" }),
    attempts: kinds.count("Attempts"),
    attempted: kinds.time("Last attempt"),
    next_attempt: kinds.time("Next attempt"),
    message_id: kinds.text("Message id"),
  },
  empty: "No e-mail matches.",
  examples: ["--status problem --since 2026-05-01", "--status bounced --csv"],
  page: async ({ DB, nowMs }, { client, since, status }, { after, limit }) => {
    if (client !== undefined) await requireClient(DB, client);
    const found = await listEmails(DB, {
      clientId: client ?? null,
      sinceMs: since ?? nowMs - DEFAULT_DAYS * DAY_MS,
      nowMs,
      statuses: EMAIL_STATUSES.filter((each) =>
        status === "problem" ? each !== "sent" && each !== "delivered" : each === (status ?? each),
      ),
      after: textsOf(after, 4)?.map(Number),
      // One more shows whether there is a next page.
      limit: limit + 1,
    });
    const { shown, next } = pageOf(found, limit, (email) => [
      email.attemptedAtMs,
      email.orderId,
      email.sequence,
      email.number,
    ]);
    return {
      rows: shown.map((email) => ({
        gift: suborderId(email.orderId, email.sequence),
        client: email.clientId,
        kind: email.kind,
        status: email.status,
        reason: email.reason,
        attempts: email.attempts,
        attempted: email.attemptedAtMs,
        next_attempt: email.nextAttemptAtMs,
        message_id: email.messageId,
      })),
      next,
    };
  },
});
