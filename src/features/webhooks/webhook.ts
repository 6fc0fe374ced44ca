// The limits and the states of partners' webhook endpoints and of their deliveries.
import { HOUR_MS } from "../../core/values/time.ts";

/** The maximum number of endpoints of a client, without deleted ones. */
export const MAX_WEBHOOKS = 5;

/** How long the previous secret stays valid after a rotation. */
export const PREVIOUS_SECRET_MS = 24 * HOUR_MS;

/** `gone`: the endpoint's response was 410. `failing`: no attempt has succeeded for 5 days. */
export const DISABLED_REASONS = ["client", "gone", "failing"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
