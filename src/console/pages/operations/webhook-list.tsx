// The webhook endpoints of all clients.
import { parseId } from "../../../core/values/ids.ts";
import { shownUrl } from "../../../operator/webhooks/find.ts";
import { type EndpointOnPage, listWebhookPage } from "../../../operator/webhooks/page-queries.ts";
import type { ConsoleContext } from "../../environment.ts";
import { COMMON } from "../../texts/common.ts";
import { WEBHOOKS } from "../../texts/webhooks.ts";
import { Filters } from "../../ui/form.tsx";
import type { Page } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { Status, Time } from "../../ui/values.tsx";

const PAGE_ROWS = 50;

export async function webhookListPage(c: ConsoleContext): Promise<Page> {
  const { client = "", show = "", after = "" } = c.req.query();
  const rows = await listWebhookPage(c.env.DB, {
    clientId: client.trim() || null,
    failing: show === "failing",
    after: positionOf(after),
    limit: PAGE_ROWS + 1,
  });
  const shown = rows.slice(0, PAGE_ROWS);
  const last = rows.length > PAGE_ROWS ? shown.at(-1) : undefined;
  const content = (
    <>
      <Filters
        fields={[
          { name: "client", type: "text", label: WEBHOOKS.client, value: client },
          {
            name: "show",
            type: "select",
            label: WEBHOOKS.show,
            value: show,
            options: { "": COMMON.all, failing: WEBHOOKS.failingOnly },
          },
        ]}
      />
      <WebhookTable rows={shown} next={last ? `${last.clientId}/${String(last.id)}` : null} />
    </>
  );
  return { title: WEBHOOKS.title, content };
}

/** `acme/12` */
function positionOf(text: string): { clientId: string; id: number } | null {
  const slash = text.lastIndexOf("/");
  const id = parseId(text.slice(slash + 1));
  return slash < 0 || id === undefined ? null : { clientId: text.slice(0, slash), id };
}

const WebhookTable = ({ rows, next }: { rows: EndpointOnPage[]; next: string | null }) => (
  <Table
    caption={WEBHOOKS.caption}
    rows={rows}
    next={next}
    empty={WEBHOOKS.empty}
    columns={[
      {
        label: WEBHOOKS.webhook,
        cell: ({ id }) => <a href={`/webhooks/${String(id)}`}>{id}</a>,
        isNumber: true,
      },
      { label: WEBHOOKS.client, cell: ({ clientId }) => clientId },
      {
        label: WEBHOOKS.status,
        cell: (each) => <EndpointStatus {...each} />,
        sortBy: ({ status, disabledReason }) => `${status} ${disabledReason ?? ""}`,
      },
      {
        label: WEBHOOKS.failingSince,
        cell: ({ failingSinceMs }) => <Time ms={failingSinceMs} />,
        sortBy: ({ failingSinceMs }) => failingSinceMs,
      },
      {
        label: WEBHOOKS.waiting,
        cell: (each) => waitingEvents(each),
        sortBy: waitingEvents,
        isNumber: true,
      },
      { label: WEBHOOKS.lastAttempt, cell: ({ attemptedAtMs }) => <Time ms={attemptedAtMs} /> },
      {
        label: WEBHOOKS.answer,
        cell: ({ attemptedAtMs, responseStatus, responseText }) =>
          attemptedAtMs === null
            ? null
            : `${String(responseStatus ?? WEBHOOKS.noAnswer)} ${responseText ?? ""}`,
      },
      { label: WEBHOOKS.url, cell: ({ url }) => shownUrl(url) },
    ]}
  />
);

/** The number of events that the endpoint has not been sent yet. */
export const waitingEvents = (webhook: Pick<EndpointOnPage, "lastSequence" | "position">) =>
  webhook.lastSequence - webhook.position;

interface EndpointState {
  status: string;
  disabledReason: string | null;
  failingSinceMs: number | null;
}

export function EndpointStatus({ status, disabledReason, failingSinceMs }: EndpointState) {
  if (disabledReason !== null) return <Status text={`${status}: ${disabledReason}`} tone="bad" />;
  return <Status text={status} tone={failingSinceMs === null ? "good" : "warning"} />;
}
