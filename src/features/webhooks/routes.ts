// The handlers that manage webhook endpoints.
import type { Context } from "hono";
import { ApiError, validationError } from "../../core/api-error.ts";
import type { ClientCache } from "../clients/cache.ts";
import type { AppEnv } from "../../platform/http/context.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  saveWebhook,
  testWebhook,
  type WebhookSecretResponse,
} from "./contract.ts";
import {
  findWebhook,
  listClientWebhooks,
  markForRedelivery,
  markWebhookDeleted,
  readDeliveries,
  rotateNonce,
  setDisabled,
  setEnabled,
  upsertWebhook,
  type Webhook,
  type WebhookKey,
} from "./queries.ts";
import { nudgeAfterResponse } from "./nudge.ts";
import { deliveryListResponse, webhookListResponse, webhookResponse } from "./response.ts";
import { newNonce, webhookSecret } from "./secret.ts";
import { sendTestEvent } from "./send-test.ts";
import { normalUrl, webhookUrlProblem } from "./url.ts";
import { MAX_WEBHOOKS, PREVIOUS_SECRET_MS } from "./webhook.ts";

export const webhookRoutes = (clients: ClientCache) => {
  /** The cached record of the client contains its enabled endpoints. */
  const forgetRecord = (c: Context<AppEnv>) => {
    c.executionCtx.waitUntil(clients.forget(c.get("client").id, c.env));
  };

  return routes(
    handle(listWebhooks, async (c) => {
      const webhooks = await listClientWebhooks(c.env.DB, c.get("client").id);
      return webhookListResponse(webhooks, c.get("nowMs"));
    }),

    handle(getWebhook, async (c, { query }) => {
      const webhook = await findWebhook(c.env.DB, keyOf(c, query));
      return webhookResponse(webhook ?? refuseUnknown(), c.get("nowMs"));
    }),

    handle(saveWebhook, async (c, { body }) => {
      const problem = webhookUrlProblem(body.url, c.env);
      if (problem !== null) throw validationError([{ field: "url", message: problem }]);
      const webhook = await upsertWebhook(c.env.DB, {
        clientId: c.get("client").id,
        url: normalUrl(body.url),
        description: body.description,
        eventTypes: body.event_types,
        nonce: newNonce(),
        nowMs: c.get("nowMs"),
      });
      if (!webhook) throw validationError([{ field: "url", message: LIMIT_RULE }]);
      forgetRecord(c);
      return withSecret(c, webhook);
    }),

    handle(deleteWebhook, async (c, { body }) => {
      if (!(await markWebhookDeleted(c.env.DB, keyOf(c, body)))) refuseUnknown();
      forgetRecord(c);
      return { status: "success" as const };
    }),

    handle(disableWebhook, async (c, { body }) => {
      const webhook = (await setDisabled(c.env.DB, keyOf(c, body))) ?? refuseUnknown();
      forgetRecord(c);
      return webhookResponse(webhook, c.get("nowMs"));
    }),

    handle(enableWebhook, async (c, { body }) => {
      const nowMs = c.get("nowMs");
      const webhook = (await setEnabled(c.env.DB, keyOf(c, body), nowMs)) ?? refuseUnknown();
      forgetRecord(c);
      nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, [webhook.id]);
      return webhookResponse(webhook, nowMs);
    }),

    handle(rotateWebhookSecret, async (c, { body }) => {
      const untilMs = body.immediately ? null : c.get("nowMs") + PREVIOUS_SECRET_MS;
      const webhook = await rotateNonce(c.env.DB, keyOf(c, body), newNonce(), untilMs);
      return withSecret(c, webhook ?? refuseUnknown());
    }),

    handle(testWebhook, async (c, { body }) => {
      const webhook = (await findWebhook(c.env.DB, keyOf(c, body))) ?? refuseUnknown();
      // The duration is measured with the real clock.
      return sendTestEvent(webhook, c.env, c.get("requestId"), Date.now);
    }),

    handle(listDeliveries, async (c, { query }) => {
      const { status = null, before = MAX_ID, limit } = query;
      const page = await readDeliveries(c.env.DB, { ...keyOf(c, query), status, before, limit });
      const { deliveries, nextBefore } = page ?? refuseUnknown();
      return deliveryListResponse(deliveries, nextBefore);
    }),

    handle(redeliver, async (c, { body }) => {
      const { sequence, since_sequence: sinceSequence } = body;
      const nowMs = c.get("nowMs");
      const events = { sequence, sinceSequence };
      const marked = await markForRedelivery(c.env.DB, keyOf(c, body), events, nowMs);
      const { webhook, last } = marked ?? refuseUnknown();
      if ((sequence ?? sinceSequence ?? 0) > last) {
        const field = sequence === undefined ? "since_sequence" : "sequence";
        const message = `must not be greater than the sequence of your last event, ${String(last)}`;
        throw validationError([{ field, message }]);
      }
      nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, [webhook.id]);
      return { status: "success" as const, webhook: webhookResponse(webhook, nowMs) };
    }),
  );
};

const LIMIT_RULE =
  `must be the URL of one of your endpoints, because you have ${String(MAX_WEBHOOKS)}, ` +
  "the maximum number. Delete one to add another";

function keyOf(c: Context<AppEnv>, { webhook_id: webhookId }: { webhook_id: number }): WebhookKey {
  return { clientId: c.get("client").id, webhookId };
}

function refuseUnknown(): never {
  throw new ApiError("not_found", "You have no such webhook endpoint.");
}

async function withSecret(c: Context<AppEnv>, webhook: Webhook): Promise<WebhookSecretResponse> {
  const secret = await webhookSecret(c.env.WEBHOOK_SECRET, webhook.id, webhook.secretNonce);
  return { ...webhookResponse(webhook, c.get("nowMs")), secret };
}
