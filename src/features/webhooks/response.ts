// Maps webhook endpoints and deliveries to the responses that webhooks/contract.ts defines.
import { optionalTimestamp } from "../../core/values/time.ts";
import type {
  DeliveryListResponse,
  DeliveryResponse,
  WebhookListResponse,
  WebhookResponse,
} from "./contract.ts";
import type { WebhookDelivery, Webhook } from "./queries.ts";

export function webhookResponse(webhook: Webhook, nowMs: number): WebhookResponse {
  const { previousSecretUntilMs: untilMs } = webhook;
  return {
    webhook_id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    event_types: webhook.eventTypes,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    failing_since: optionalTimestamp(webhook.failingSinceMs),
    created_at: new Date(webhook.createdAtMs).toISOString(),
    previous_secret_until: untilMs !== null && untilMs > nowMs ? optionalTimestamp(untilMs) : null,
    position: webhook.position,
  };
}

export function webhookListResponse(webhooks: Webhook[], nowMs: number): WebhookListResponse {
  return {
    status: "success",
    webhooks: webhooks.map((webhook) => webhookResponse(webhook, nowMs)),
  };
}

export function deliveryListResponse(
  deliveries: WebhookDelivery[],
  nextBefore: number | null,
): DeliveryListResponse {
  return {
    status: "success",
    deliveries: deliveries.map(deliveryResponse),
    next_before: nextBefore,
  };
}

function deliveryResponse(delivery: WebhookDelivery): DeliveryResponse {
  return {
    sequence: delivery.sequence,
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts,
    attempted_at: optionalTimestamp(delivery.attemptedAtMs),
    next_attempt_at: optionalTimestamp(delivery.nextAttemptAtMs),
    response_status: delivery.responseStatus,
    duration_ms: delivery.durationMs,
    response_text: delivery.responseText,
  };
}
