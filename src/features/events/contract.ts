// The endpoint of the event feed, and the schema of events, which webhooks send too.
import * as z from "zod/mini";
import { component, field, parameter, parameters } from "../../core/validation/described.ts";
import { endpoint } from "../../platform/http/endpoint.ts";
import {
  amountTextField,
  countField,
  currencyCode,
  metadataObject,
  positive,
  queryInteger,
} from "../../core/validation/fields.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { SHIPMENT_PROBLEMS, SHIPMENT_STATUSES } from "../../core/values/shipment-states.ts";
import { SCOPES } from "../../core/values/scopes.ts";
import { EMAIL_KINDS } from "../../core/values/email-kinds.ts";
import { DECLINE_REASONS, EVENT_TYPES } from "./event.ts";

/** Why a parcel is returned or failed. */
export const shipmentProblem = () => z.nullable(z.enum(SHIPMENT_PROBLEMS));

const AFTER_RULE = `must be an integer from 0 to ${String(MAX_ID)}, or latest`;

const EventsQuery = parameters(() => ({
  after: parameter`${z._default(z.union([queryInteger(0, MAX_ID), z.literal("latest")], AFTER_RULE), 0)} The \`sequence\` of the last event that you have. The default, 0, is the beginning of the feed. \`latest\` is its end: the response has no events, and \`next_after\` is the \`sequence\` of your last event. ${0}`,
  limit: parameter`${z._default(queryInteger(1, 500), 100)} Maximum number of events in the response, at most 500. ${100}`,
}));

const EventDataResponse = component("EventData", () => ({
  _: "Details of an event.",
  // `cancieled` is the interface's spelling.
  order_status: field`${z.optional(z.enum(["failed", "created", "paid", "cancieled"]))} The order's status after the event. Only in events \`order.*\` except \`order.extended\`.`,
  recipient_count: field`${z.optional(positive())} Number of recipients of the order. Only in events \`order.*\` except \`order.extended\`.`,
  currency: field`${z.optional(currencyCode())} ISO 4217 code of the currency of all amounts. Only in events with amounts.`,
  order_total: field`${z.optional(amountTextField())} The order's total. Only in events \`order.*\` except \`order.extended\`.`,
  redeem_by: field`${z.optional(z.nullable(z.iso.date()))} The last day on which the gifts can be accepted. Null if they do not expire. In \`order.extended\`, \`gift.extended\` and \`gift.expiring\`, and in \`order.created\` and \`order.paid\` if the order was placed with it.`,
  cancelled_count: field`${z.optional(countField())} Number of gifts that were cancelled with the order. 0 if its last gifts expired. Only in \`order.failed\` and \`order.cancelled\`.`,
  suborder_ids: field`${z.optional(z.array(positive()))} The gifts that were cancelled with the order, in ascending order. They have no \`gift.cancelled\`. Only in \`order.failed\` and \`order.cancelled\`.`,
  refund: field`${z.optional(amountTextField())} What this change returned to your credit or, for an order on invoice, what you no longer owe or get back. The refunds in all events of an order add up to its \`refunded\`. Only in \`order.failed\`, \`order.cancelled\`, \`gift.cancelled\` and \`gift.expired\`.`,
  final_at: field`${z.optional(z.iso.datetime())} When the declined gift is cancelled, with its refund, unless its recipient takes that back before. Only in \`gift.declined\`.`,
  decline_reason: field`${z.optional(z.enum(DECLINE_REASONS))} Why the recipient declined: gifts are not allowed, the gift does not suit, it is meant for somebody else, or another reason. In \`gift.declined\`, if the recipient was asked.`,
  redemption_status: field`${z.optional(z.enum(["redeemed", "cancelled", "expired"]))} The sub-order's status after the event. Only in \`gift.redeemed\`, \`gift.cancelled\` and \`gift.expired\`.`,
  shipment_status: field`${z.optional(z.enum(SHIPMENT_STATUSES))} The shipment's status after the event. Only in \`gift.shipped\`, \`gift.delivered\`, \`gift.returned\`, \`gift.failed\`, \`gift.sent\` and \`gift.reopened\`.`,
  carrier: field`${z.optional(z.nullable(z.string()))} The company that carries the parcel. Null if it is not recorded. It is the present value, which may be corrected after the event. Only in \`gift.shipped\` and \`gift.delivered\`.`,
  tracking_number: field`${z.optional(z.nullable(z.string()))} The carrier's number of the parcel. Null if it is not recorded. It is the present value, as of \`carrier\`. Also in \`gift.returned\` and \`gift.failed\`.`,
  tracking_url: field`${z.optional(z.nullable(z.string()))} The carrier's page about the parcel, which begins with \`https://\`. Null if it is not recorded. It is the present value, as of \`carrier\`.`,
  shipment_problem: field`${z.optional(shipmentProblem())} Why the parcel is \`returned\` or \`failed\`. It is the present value: null if the gift is shipped again since. Only in \`gift.returned\` and \`gift.failed\`.`,
  product_id: field`${z.optional(positive())} The product that the recipient gets, or that the event is about. Only in \`gift.redeemed\` and \`product.*\`.`,
  variation_id: field`${z.optional(z.nullable(positive()))} The variation that the recipient gets, or whose \`variation_stock_status\` has changed. Null for a \`simple\` product, and if the event is about the product as a whole. Only in \`gift.redeemed\`, \`product.sold_out\` and \`product.available\`.`,
  collection: field`${z.optional(z.string())} The collection that the event is about. Only in \`collection.*\`.`,
  corrected_fields: field`${z.optional(z.array(z.string()))} The names of the fields that were corrected, as in POST /api/order/correct. GET /api/order returns their values. In \`gift.corrected\`, and in \`gift.redeemed\` if the recipient corrected \`first_name\`, \`last_name\` or \`phone_number\`.`,
  email_kind: field`${z.optional(z.enum(EMAIL_KINDS))} The kind of the e-mail, as in GET /api/order. Only in \`gift.email_sent\` and \`gift.email_failed\`.`,
  email_failure: field`${z.optional(z.string())} The class of the failure, such as \`hard_bounce\` or \`suppressed\`. Only in \`gift.email_failed\`.`,
  credit_balance: field`${z.optional(amountTextField())} Your balance when the event was created. Only in \`credit.low\`.`,
  alert_below: field`${z.optional(amountTextField())} The amount of the alert. Only in \`credit.low\`.`,
  credential_id: field`${z.optional(positive())} The credential set. In \`credential.…\` events, and in events of orders and gifts the set with which you have made the change.`,
  scope: field`${z.optional(z.enum(SCOPES))} Its scope. Only in \`credential.…\` events.`,
  last_sequence: field`${z.optional(countField())} The sequence of the last event that is still valid. 0 if none is. The sequences between it and this event are not used again. Only in \`data.restored\`.`,
  campaign: field`${z.optional(z.string())} The order's \`campaign\`. Only in events of orders and gifts, if there is one.`,
  metadata: field`${z.optional(metadataObject())} The order's \`metadata\`. Only in events of orders and gifts, if there is any.`,
  external_id: field`${z.optional(z.string())} Your own id of the recipient. Only in events of one gift, if there is one.`,
  recipient_metadata: field`${z.optional(metadataObject())} The recipient's \`metadata\`. Only in events of one gift, if there is any.`,
}));

export const EventResponse = component("Event", () => ({
  _: "Something that happened to one of your orders, gifts or credit accounts, or to a product of your catalogue. An event does not change, except for the tracking of a parcel and what the erasure of a recipient removes.",
  sequence: field`${countField()} The event's position in your feed. Your first event has 1, the next one 2, and so on. There is a gap only before a \`data.restored\`. 0 if \`type\` is \`webhook.test\`, because that event is not in the feed.`,
  // docs.ts describes the types.
  type: z.enum([...EVENT_TYPES, "webhook.test"]),
  created_at: field`${z.iso.datetime()} When it happened, in UTC.`,
  order_id: field`${z.nullable(positive())} The order. Null if the event is not about an order.`,
  order_ref_id: field`${z.nullable(z.string())} Your own reference of the order. Null for orders of Regalo's online store, and if the event is not about an order.`,
  suborder_id: field`${z.nullable(positive())} The sub-order. Null if the event is not about one gift.`,
  data: field`${EventDataResponse()} Details. \`type\` determines which of its fields are present.`,
}));
export type EventResponse = z.infer<ReturnType<typeof EventResponse>>;

export const EventListResponse = component("EventList", () => ({
  _: "Events in ascending order of `sequence`.",
  status: z.literal("success"),
  events: field`${z.array(EventResponse())} The events. Empty if there are none after \`after\`.`,
  next_after: field`${countField()} The \`sequence\` of the last of these events. Send it as \`after\` in the next request. With credentials that are restricted to their own orders, it may be later. If the list is empty, it is the \`after\` of this request, or the \`sequence\` of your last event for \`latest\`.`,
  has_more: field`${z.boolean()} True if there are more events after these. Then read the next page at once.`,
}));
export type EventListResponse = z.infer<ReturnType<typeof EventListResponse>>;

export const listEvents = endpoint({
  operationId: "listEvents",
  method: "GET",
  forOwn: true,
  path: "/api/events",
  query: EventsQuery,
  near: true,
  response: EventListResponse,
  errors: ["validation_error"],
});
