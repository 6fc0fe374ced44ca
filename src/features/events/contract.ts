// The endpoint of the event feed, and the schema of events, which webhooks send too.
import * as z from "zod/mini";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import {
  amountText,
  count,
  currencyCode,
  metadataObject,
  positive,
  queryInteger,
} from "../../core/validation/fields.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { SCOPES } from "../../core/values/scopes.ts";
import { EMAIL_KINDS } from "../../core/values/email-kinds.ts";
import { EVENT_TYPES } from "./event.ts";

/** The maximum number of events on a page. */
export const MAX_PAGE_EVENTS = 500;

const AFTER_RULE = `must be an integer from 0 to ${String(MAX_ID)}, or latest`;

const EventsQuery = lazy(() =>
  z.object({
    after: z._default(z.union([queryInteger(0, MAX_ID), z.literal("latest")], AFTER_RULE), 0),
    limit: z._default(queryInteger(1, MAX_PAGE_EVENTS), 100),
  }),
);

const EventDataResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    // `cancieled` is the interface's spelling.
    order_status: z.optional(z.enum(["failed", "created", "paid", "cancieled"])),
    recipient_count: z.optional(positive()),
    currency: z.optional(currencyCode()),
    order_total: z.optional(amountText()),
    redeem_by: z.optional(z.nullable(z.iso.date())),
    cancelled_count: z.optional(count()),
    suborder_ids: z.optional(z.array(positive())),
    refund: z.optional(amountText()),
    redemption_status: z.optional(z.enum(["redeemed", "cancelled", "expired"])),
    shipment_status: z.optional(z.enum(["open", "shipped", "delivered", "sent"])),
    carrier: z.optional(z.nullable(z.string())),
    tracking_number: z.optional(z.nullable(z.string())),
    tracking_url: z.optional(z.nullable(z.string())),
    product_id: z.optional(positive()),
    variation_id: z.optional(z.nullable(positive())),
    collection: z.optional(z.string()),
    corrected_fields: z.optional(z.array(z.string())),
    email_kind: z.optional(z.enum(EMAIL_KINDS)),
    email_failure: z.optional(z.string()),
    credit_balance: z.optional(amountText()),
    alert_below: z.optional(amountText()),
    credential_id: z.optional(positive()),
    scope: z.optional(z.enum(SCOPES)),
    last_sequence: z.optional(count()),
    metadata: z.optional(metadataObject()),
    external_id: z.optional(z.string()),
    recipient_metadata: z.optional(metadataObject()),
  }),
);

export const EventResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    sequence: count(),
    type: z.enum([...EVENT_TYPES, "webhook.test"]),
    created_at: z.iso.datetime(),
    order_id: z.nullable(positive()),
    order_ref_id: z.nullable(z.string()),
    suborder_id: z.nullable(positive()),
    data: EventDataResponse(),
  }),
);
export type EventResponse = z.infer<ReturnType<typeof EventResponse>>;

export const EventListResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    events: z.array(EventResponse()),
    next_after: count(),
    has_more: z.boolean(),
  }),
);
export type EventListResponse = z.infer<ReturnType<typeof EventListResponse>>;

export const listEvents = endpoint({
  operationId: "listEvents",
  method: "GET",
  path: "/api/events",
  query: EventsQuery,
  near: true,
  response: responseType<typeof EventListResponse>(),
  errors: ["validation_error"],
});
