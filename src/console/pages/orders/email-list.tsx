// E-mails to recipients that bounced or failed.
import { EMAIL_STATUSES } from "../../../core/values/email-kinds.ts";
import { DAY_MS } from "../../../core/values/time.ts";
import { listEmails } from "../../../operator/email/queries.ts";
import type { ConsoleContext } from "../../environment.ts";
import { EMAILS } from "../../texts/emails.ts";
import { Filters } from "../../ui/form.tsx";
import type { Page } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { oneOf, optionsOf } from "./filters.ts";
import { ColouredStatus, giftNumber } from "./shown.tsx";

const LIMIT = 50;
const DAYS = 7;

/** One round trip. Addresses are not shown, so the page is not recorded in the audit log. */
export async function emailList(c: ConsoleContext): Promise<Page> {
  const { client = "", ...query } = c.req.query();
  const nowMs = c.get("nowMs");
  const status = oneOf(EMAIL_STATUSES, query["status"]);
  const found = await listEmails(c.env.DB, {
    clientId: client || null,
    nowMs,
    sinceMs: nowMs - DAYS * DAY_MS,
    limit: LIMIT + 1,
    statuses: EMAIL_STATUSES.filter((each) =>
      status === null ? each !== "sent" && each !== "delivered" : each === status,
    ),
  });
  return {
    title: EMAILS.title,
    content: (
      <>
        <p>{EMAILS.intro(DAYS)}</p>
        <Filters
          fields={[
            { name: "client", type: "text", label: EMAILS.client, value: client },
            {
              name: "status",
              type: "select",
              label: EMAILS.status,
              value: status,
              options: optionsOf(EMAILS.problem, EMAIL_STATUSES),
            },
          ]}
        />
        {found.length > LIMIT && <p>{EMAILS.more}</p>}
        <Table
          caption={EMAILS.caption}
          rows={found.slice(0, LIMIT)}
          empty={EMAILS.empty}
          columns={[
            {
              label: EMAILS.gift,
              cell: (email) => (
                <a href={`/gift/show?gift=${giftNumber(email)}`}>{giftNumber(email)}</a>
              ),
            },
            {
              label: EMAILS.client,
              cell: ({ clientId }) => clientId,
              sortBy: ({ clientId }) => clientId,
            },
            { label: EMAILS.kind, cell: ({ kind }) => kind },
            {
              label: EMAILS.status,
              cell: (email) => <ColouredStatus text={email.status} />,
              sortBy: (email) => email.status,
            },
            { label: EMAILS.reason, cell: ({ reason }) => reason },
            { label: EMAILS.attempts, isNumber: true, cell: ({ attempts }) => attempts },
            { label: EMAILS.attempted, cell: ({ attemptedAtMs: ms }) => <Time ms={ms} /> },
            { label: EMAILS.next, cell: ({ nextAttemptAtMs: ms }) => ms && <Time ms={ms} /> },
          ]}
        />
      </>
    ),
  };
}
