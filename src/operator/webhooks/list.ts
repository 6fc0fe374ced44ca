// The webhook endpoints of all clients.
import { parseJson } from "../../platform/db/columns.ts";
import { shownUrl } from "../../features/webhooks/url.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, textsOf } from "../declaration/pages.ts";
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
    reason: kinds.text("Disabled because", { beside: "status" }),
    failing_since: kinds.time("Failing since"),
    waiting: kinds.count("Waiting events"),
    events: kinds.text("Events"),
    last_attempt: kinds.time("Last attempt"),
    answer: kinds.count("Answer"),
    answer_text: kinds.text("Text", { beside: "answer" }),
    address: kinds.text("URL"),
  },
  empty: "No endpoint matches.",
  examples: ["--show failing", "--client acme"],
  page: async ({ DB }, { client = null, show }, { after, limit }) => {
    const [lastClient = "", lastId] = textsOf(after, 2) ?? [];
    const found = await listWebhookPage(DB, {
      clientId: client,
      shown: show ?? "all",
      after: lastId === undefined ? null : { clientId: lastClient, id: Number(lastId) },
      limit: limit + 1,
    });
    const { shown, next } = pageOf(found, limit, ({ clientId, id }) => [clientId, id]);
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
      next,
    };
  },
});
