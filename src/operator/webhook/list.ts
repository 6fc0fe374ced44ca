// The webhook endpoints of all clients.
import { LAST_CLIENT_ID } from "../../core/values/ids.ts";
import { shownUrl } from "../../features/webhooks/url.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listWebhookPage } from "./queries.ts";

export const webhookRow = (endpoint: Awaited<ReturnType<typeof listWebhookPage>>[number]) => ({
  ...endpoint,
  events: endpoint.eventTypes?.join(", ") ?? "all",
  address: shownUrl(endpoint.url),
});

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
    webhook: kinds.from("id", kinds.webhook("Webhook")),
    client: kinds.from("clientId", kinds.client("Client")),
    description: kinds.text("Description"),
    status: kinds.status("Status"),
    reason: kinds.from("disabledReason", kinds.text("Disabled because", { beside: "status" })),
    failing_since: kinds.from("failingSinceMs", kinds.time("Failing since")),
    waiting: kinds.count("Waiting events"),
    events: kinds.text("Events"),
    last_attempt: kinds.from("attemptedAtMs", kinds.time("Last attempt")),
    answer: kinds.from("responseStatus", kinds.count("Answer")),
    answer_text: kinds.from("responseText", kinds.text("Text", { beside: "answer" })),
    address: kinds.text("URL"),
  },
  empty: "No endpoint matches.",
  examples: ["--show failing", "--client acme"],
  first: () => ({ clientId: "", id: 0 }),
  read: ({ DB }, { client, show }, { after, limit }) =>
    listWebhookPage(DB, show ?? "all", {
      id: after.id,
      clientId: client ?? after.clientId,
      lastClientId: client ?? LAST_CLIENT_ID,
      limit,
    }),
  row: webhookRow,
});
