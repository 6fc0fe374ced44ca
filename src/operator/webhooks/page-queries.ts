// Pages of the webhook endpoints of all clients.
import { columnsOf } from "../../platform/db/columns.ts";
import type { WebhookDeliveries, Webhooks } from "../../platform/db/schema.ts";
import { type Database, expression, type RowOf, statement } from "../../platform/db/statement.ts";
import type { DisabledReason } from "../../features/webhooks/webhook.ts";

const w = columnsOf<Webhooks>("w");
const d = columnsOf<WebhookDeliveries>("d");

const ENDPOINT = {
  ...w("id", "clientId", "url", "failingSinceMs", "position"),
  status: expression<"enabled" | "disabled">()`w.status`,
  disabledReason: expression<DisabledReason | null>()`w.disabled_reason`,
  lastSequence: expression<number>()`(SELECT coalesce(max(e.sequence), 0) FROM events e
    WHERE e.client_id = w.client_id)`,
  /** Of the last attempt for the newest event. All are null if there is none. */
  ...d("attemptedAtMs", "responseStatus"),
  responseText: expression<string | null>()`substr(d.response_text, 1, 60)`,
};

export type EndpointOnPage = RowOf<typeof ENDPOINT>;

export interface WebhookPage {
  clientId: string | null;
  /** Only endpoints that fail, or that are disabled because they did. */
  failing: boolean;
  /** The endpoints after this one. */
  after: { clientId: string; id: number } | null;
  limit: number;
}

type PageParams = Pick<WebhookPage, "clientId" | "limit"> & {
  failing: number;
  afterClient: string;
  afterId: number;
};

const SELECT_PAGE = statement<PageParams>()`
  SELECT ${ENDPOINT} FROM webhooks w
  LEFT JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.sequence = (
    SELECT x.sequence FROM webhook_deliveries x
    WHERE x.webhook_id = w.id AND x.attempts > 0 ORDER BY x.sequence DESC LIMIT 1)
  WHERE w.status <> 'deleted' AND (w.client_id, w.id) > (${"afterClient"}, ${"afterId"})
    AND (${"clientId"} IS NULL OR w.client_id = ${"clientId"})
    AND (NOT ${"failing"} OR w.failing_since_ms IS NOT NULL OR w.disabled_reason IN ('failing', 'gone'))
  ORDER BY w.client_id, w.id LIMIT ${"limit"}`;

/** By client, without deleted endpoints. A client has at most `MAX_WEBHOOKS`. One round trip. */
export const listWebhookPage = (
  db: Database,
  { after, failing, ...page }: WebhookPage,
): Promise<EndpointOnPage[]> =>
  SELECT_PAGE.all(db, {
    ...page,
    failing: Number(failing),
    afterClient: after?.clientId ?? "",
    afterId: after?.id ?? 0,
  });
