// The pages of webhooks.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { disableWebhook, enableWebhook, redeliver } from "./webhook-actions.tsx";
import { webhookPage } from "./webhook-detail.tsx";
import { webhookListPage } from "./webhook-list.tsx";

export const operationPages = createRoutes()
  .get("/webhooks", "view", webhookListPage)
  .get("/webhooks/:webhook", "view", webhookPage);

addAction(operationPages, "/webhooks/:webhook/enable", enableWebhook);
addAction(operationPages, "/webhooks/:webhook/disable", disableWebhook);
addAction(operationPages, "/webhooks/:webhook/redeliver", redeliver);
