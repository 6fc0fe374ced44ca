// Pages of the webhook endpoints of all clients.
import { LAST_CLIENT_ID } from "../../core/values/ids.ts";
import { columnsOf, type Json } from "../../platform/db/columns.ts";
import type { WebhookDeliveries, Webhooks } from "../../platform/db/schema.ts";
import {
  type Database,
  expression,
  type Fragment,
  fragment,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { lastSequenceOf } from "../../features/events/queries.ts";
import type { DisabledReason } from "../../features/webhooks/webhook.ts";

const w = columnsOf<Webhooks>("w");
const d = columnsOf<WebhookDeliveries>("d");

const ENDPOINT = {
  ...w("id", "clientId", "url", "description", "failingSinceMs", "position"),
  status: expression<"enabled" | "disabled">()`w.status`,
  eventTypes: expression<Json<string[]> | null>()`w.event_types`,
  disabledReason: expression<DisabledReason | null>()`w.disabled_reason`,
  lastSequence: expression<number>()`${lastSequenceOf(fragment`w.client_id`)}`,
  /** Of the last attempt for the newest event. All are null if there is none. */
  ...d("attemptedAtMs", "responseStatus"),
  responseText: expression<string | null>()`substr(d.response_text, 1, 60)`,
};

export type EndpointOnPage = RowOf<typeof ENDPOINT>;

interface WebhookPage {
  clientId: string | null;
  shown: keyof typeof SELECT;
  /** The endpoints after this one. */
  after: { clientId: string; id: number } | undefined;
  limit: number;
}

interface PageParams {
  afterClient: string;
  afterId: number;
  lastClient: string;
  limit: number;
}

// A range of the index webhooks_by_client, or of failing_webhooks, whose condition is the same.
const selectPage = (condition: Fragment<never>) => statement<PageParams>()`
  SELECT ${ENDPOINT} FROM webhooks w
  LEFT JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.sequence = (
    SELECT x.sequence FROM webhook_deliveries x
    WHERE x.webhook_id = w.id AND x.attempts > 0 ORDER BY x.sequence DESC LIMIT 1)
  WHERE w.status <> 'deleted' AND (w.client_id, w.id) > (${"afterClient"}, ${"afterId"})
    AND w.client_id <= ${"lastClient"} AND ${condition}
  ORDER BY w.client_id, w.id LIMIT ${"limit"}`;

const SELECT = {
  all: selectPage(fragment`1`),
  enabled: selectPage(fragment`w.status = 'enabled'`),
  disabled: selectPage(fragment`w.status = 'disabled'`),
  /** Endpoints that fail, or that are disabled because they did. */
  failing: selectPage(fragment`(w.failing_since_ms IS NOT NULL
    OR w.disabled_reason = 'failing' OR w.disabled_reason = 'gone')`),
};

/** By client, without deleted endpoints. One round trip. */
export const listWebhookPage = (
  db: Database,
  { clientId, shown, after, limit }: WebhookPage,
): Promise<EndpointOnPage[]> =>
  SELECT[shown].all(db, {
    afterClient: clientId ?? after?.clientId ?? "",
    afterId: after?.id ?? 0,
    lastClient: clientId ?? LAST_CLIENT_ID,
    limit,
  });
