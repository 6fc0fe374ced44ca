// A partner's webhook endpoint, and its delivery log.
import type { EventType } from "../events/event.ts";
import { HOUR_MS } from "../../core/values/time.ts";

/** The maximum number of endpoints of a client, without deleted ones. */
export const MAX_WEBHOOKS = 5;

/** How long the previous secret stays valid after a rotation. */
export const PREVIOUS_SECRET_MS = 24 * HOUR_MS;

/** `gone`: the endpoint's response was 410. `failing`: no attempt has succeeded for 5 days. */
export const DISABLED_REASONS = ["client", "operator", "gone", "failing"] as const;
type DisabledReason = (typeof DISABLED_REASONS)[number];

export interface Webhook extends WebhookNonces {
  clientId: string;
  url: string;
  description: string | null;
  /** Null means all types. */
  eventTypes: EventType[] | null;
  status: "enabled" | "disabled";
  disabledReason: DisabledReason | null;
  /** The time of the first of the consecutive failed attempts. */
  failingSinceMs: number | null;
  /** The sequence of the last event that was attempted or is excluded by `eventTypes`. */
  position: number;
  createdAtMs: number;
}

/** The columns from which an endpoint's secrets are derived. */
export interface WebhookNonces {
  id: number;
  secretNonce: string;
  previousSecretNonce: string | null;
  previousSecretUntilMs: number | null;
}

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The last attempt to send an event to an endpoint. */
export interface Delivery {
  sequence: number;
  type: EventType;
  status: DeliveryStatus;
  attempts: number;
  attemptedAtMs: number | null;
  nextAttemptAtMs: number | null;
  responseStatus: number | null;
  durationMs: number | null;
  responseText: string | null;
}
