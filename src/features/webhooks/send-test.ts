// Sends a test event to an endpoint.
import type { Bindings } from "../../platform/env.ts";
import type { EventResponse } from "../events/contract.ts";
import type { WebhookTestResponse } from "./contract.ts";
import { sendEvent } from "./delivery/send.ts";
import type { Webhook } from "./queries.ts";
import { activeSecrets } from "./secret.ts";

/** An event that is not in the event log. Its sequence is 0. */
export function testEvent(nowMs: number): EventResponse {
  return {
    sequence: 0,
    type: "webhook.test",
    created_at: new Date(nowMs).toISOString(),
    order_id: null,
    order_ref_id: null,
    suborder_id: null,
    data: {},
  };
}

/**
 * Sends the test event once, also to a disabled endpoint, and returns the outcome. It is not logged as a delivery.
 * `requestId` makes the id of the message unique.
 */
export async function sendTestEvent(
  webhook: Webhook,
  env: Pick<Bindings, "ENVIRONMENT" | "PUBLIC_URL" | "WEBHOOK_SECRET">,
  requestId: string,
  now: () => number,
): Promise<WebhookTestResponse> {
  const request = {
    url: webhook.url,
    secrets: await activeSecrets(env.WEBHOOK_SECRET, webhook, now()),
    id: `test_${requestId}`,
    body: JSON.stringify(testEvent(now())),
  };
  const result = await sendEvent(request, env, now);
  return {
    status: "success",
    delivered: result.delivered,
    response_status: result.responseStatus,
    duration_ms: result.durationMs,
    response_text: result.text,
  };
}
