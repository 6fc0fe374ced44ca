// The endpoint of shipments, with the schemas of its request and response.
import * as z from "zod/mini";
import { component, field, parameter, parameters } from "../../core/validation/described.ts";
import { endpoint } from "../../platform/http/endpoint.ts";
import {
  giftNumberSchema,
  MAX_CURSOR_LENGTH,
  orderNumberField,
  referenceOrNull,
} from "../orders/contract.ts";
import { orderNumberText, orderReference } from "../orders/selection.ts";
import {
  exactlyOne,
  positive,
  queryId,
  queryInteger,
  queryTime,
  requiredText,
} from "../../core/validation/fields.ts";
import { CARRIER_STATUSES } from "../../core/values/carrier-answer.ts";
import { shipmentProblem } from "../events/contract.ts";
import { SHIPMENT_STATUSES } from "../../core/values/shipment-states.ts";

export const ShipmentsQuery = parameters(
  () => ({
    order_id: parameter`${z.optional(queryId())} The order's id. ${42}`,
    order_number: parameter`${z.optional(orderNumberText())} The order's number. ${"GO-00042"}`,
    order_ref_id: parameter`${z.optional(orderReference())} Your own reference for the order, exactly as you sent it. ${"spring-2026-0001"}`,
    updated_from: parameter`${z.optional(queryTime())} Only shipments that changed at this time or later: a day in UTC, or an RFC 3339 timestamp with \`Z\` or an offset. Write the \`+\` of an offset as \`%2B\`. It stays the same in all requests of a list. ${"2026-09-01"}`,
    limit: parameter`${z._default(queryInteger(1, 500), 100)} Maximum number of shipments on the page, at most 500. ${100}`,
    cursor: parameter`${z.optional(requiredText(MAX_CURSOR_LENGTH))} The \`next_cursor\` of the previous response to the same request. Leave it out for the first page. ${"eyJ1cGRhdGVkQXRNcyI6MTc4OTk2MzkyOTQ4MCwib3JkZXJJZCI6NDIsInNlcXVlbmNlIjoxLCJmaWx0ZXJzIjpbWyJ1cGRhdGVkX2Zyb20iLDE3ODgyMjA4MDAwMDBdXX0"}`,
  }),
  exactlyOne("order_id", "order_number", "order_ref_id", "updated_from"),
);
export type ShipmentsQuery = z.infer<ReturnType<typeof ShipmentsQuery>>;

const nullableText = () => z.nullable(z.string());
const nullableTime = () => z.nullable(z.iso.datetime());

export const ShipmentResponse = component("Shipment", () => ({
  _: "The shipment of a gift. Ids are numbers.",
  suborder_id: field`${positive()} Identifies the gift.`,
  suborder_number: giftNumberSchema(),
  order_id: field`${positive()} Identifies the order.`,
  order_number: orderNumberField(),
  order_ref_id: referenceOrNull(),
  external_id: field`${nullableText()} Your own id of the recipient. Null if there is none.`,
  shipment_status: field`${z.enum(SHIPMENT_STATUSES)} \`open\`: the gift is being prepared. \`shipped\`: the parcel has left. \`delivered\`: the parcel has arrived. \`sent\`: a digital gift was sent. \`returned\`: the parcel came back, also if its gift was cancelled afterwards. \`failed\`: the parcel did not arrive.`,
  carrier: field`${nullableText()} The company that carries the parcel. Null if it is not recorded.`,
  tracking_number: field`${nullableText()} The carrier's number of the parcel. Null if it is not recorded.`,
  tracking_url: field`${nullableText()} The carrier's page about the parcel, which begins with \`https://\`. Null if it is not recorded.`,
  other_tracking_urls: field`${z.array(z.string())} The carrier's pages about the other parcels, if the gift is sent in several: \`tracking_number\` then has their numbers, with commas between them.`,
  shipped_at: field`${nullableTime()} When the parcel was shipped or the digital gift was sent, in UTC. Null if \`shipment_status\` is \`open\`.`,
  delivered_at: field`${nullableTime()} When the parcel was delivered, in UTC. Null if it was not. A delivered parcel may be returned later.`,
  shipment_problem: field`${shipmentProblem()} Why the parcel is \`returned\` or \`failed\`. Otherwise null.`,
  carrier_status: field`${z.nullable(z.enum(CARRIER_STATUSES))} What the carrier last reported, if we receive its reports. \`exception\`: a delay, or an attempt that failed. Of several parcels, the one that is least far. Null if nothing is known.`,
  expected_delivery: field`${z.nullable(z.iso.date())} The day on which the carrier expects to deliver. Of several parcels, the last one. Null if it is unknown.`,
  updated_at: field`${nullableTime()} When the shipment last changed, in UTC. It is later than the times of all earlier changes of your shipments. Null if the gift was never shipped or sent.`,
}));
export type ShipmentResponse = z.infer<ReturnType<typeof ShipmentResponse>>;

export const ShipmentListResponse = component("ShipmentList", () => ({
  _: "A page of shipments.",
  status: z.literal("success"),
  shipments: field`${z.array(ShipmentResponse())} The shipments of this page.`,
  next_cursor: field`${nullableText()} The \`cursor\` of the next request. With \`updated_from\` it is always set, also on the last page: save it to read later changes. For an order, it is null on the last page.`,
  has_more: field`${z.boolean()} True if there are more shipments now. Then read the next page at once.`,
}));
export type ShipmentListResponse = z.infer<ReturnType<typeof ShipmentListResponse>>;

export const listShipments = endpoint({
  operationId: "listShipments",
  method: "GET",
  forOwn: true,
  path: "/api/shipments",
  query: ShipmentsQuery,
  near: true,
  response: ShipmentListResponse,
  errors: ["validation_error", "not_found"],
});
