// The webhook endpoints of all clients.
import { validationError } from "../../core/api-error.ts";
import { parseJson } from "../../platform/db/columns.ts";
import { shownUrl } from "../../features/webhooks/url.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { eventTypesText } from "./find.ts";
import { listWebhookPage } from "./page-queries.ts";

/** One round trip. */
export const webhookList = list({
  name: "webhook list",
  title: "Webhooks",
  permission: "view",
  input: {
    client: kinds.optional(kinds.client("Client")),
    show: kinds.optional(
      kinds.choice("Endpoints", ["enabled", "disabled", "failing"], {
        hint: "failing also shows endpoints that are disabled because they failed.",
      }),
    ),
  },
  columns: {
    webhook: kinds.webhook("Webhook"),
    client: kinds.client("Client"),
    status: kinds.status("Status"),
    reason: kinds.text("Disabled because"),
    failing_since: kinds.time("Failing since"),
    waiting: kinds.count("Waiting events"),
    events: kinds.text("Events"),
    last_attempt: kinds.time("Last attempt"),
    answer: kinds.count("Answer"),
    answer_text: kinds.text("Text"),
    address: kinds.text("URL"),
  },
  empty: "No endpoint matches.",
  examples: ["--show failing", "--client acme"],
  page: async ({ DB }, { client = null, show }, { after, limit }) => {
    const found = await listWebhookPage(DB, {
      clientId: client,
      shown: show ?? "all",
      after: positionOf(after),
      limit: limit + 1,
    });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      rows: shown.map((each) => ({
        webhook: each.id,
        client: each.clientId,
        status: each.status,
        reason: each.disabledReason,
        failing_since: each.failingSinceMs,
        waiting: each.lastSequence - each.position,
        events: eventTypesText(parseJson(each.eventTypes)),
        last_attempt: each.attemptedAtMs,
        answer: each.responseStatus,
        answer_text: each.responseText,
        address: shownUrl(each.url),
      })),
      next: last ? `${last.clientId}_${String(last.id)}` : null,
    };
  },
});

/** `acme_12` */
function positionOf(after: string | undefined): { clientId: string; id: number } | null {
  if (after === undefined) return null;
  const [, clientId = "", id] = /^(.+)_(\d{1,15})$/.exec(after) ?? [];
  if (id !== undefined) return { clientId, id: Number(id) };
  throw validationError([{ field: "after", message: "must be the `next` of a page" }]);
}
