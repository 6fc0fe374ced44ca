// The endpoint of shipments, with the schemas of its request and response.
import * as z from "zod/mini";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import { MAX_CURSOR_LENGTH, orderNumber, suborderNumber } from "../orders/contract.ts";
import { orderNumberText, orderReference } from "../orders/selection.ts";
import {
  exactlyOne,
  positive,
  queryId,
  queryInteger,
  queryTime,
  requiredText,
} from "../../core/validation/fields.ts";
import { SHIPMENT_STATUSES } from "../../core/values/shipment-states.ts";

/** The maximum number of shipments on a page. */
export const MAX_PAGE_SHIPMENTS = 500;

export const ShipmentsQuery = lazy(() =>
  z
    .object({
      order_id: z.optional(queryId()),
      order_number: z.optional(orderNumberText()),
      order_ref_id: z.optional(orderReference()),
      updated_from: z.optional(queryTime()),
      limit: z._default(queryInteger(1, MAX_PAGE_SHIPMENTS), 100),
      cursor: z.optional(requiredText(MAX_CURSOR_LENGTH)),
    })
    .check(exactlyOne("order_id", "order_number", "order_ref_id", "updated_from")),
);
export type ShipmentsQuery = z.infer<ReturnType<typeof ShipmentsQuery>>;

const nullableText = () => z.nullable(z.string());
const nullableTime = () => z.nullable(z.iso.datetime());

export const ShipmentResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    suborder_id: positive(),
    suborder_number: suborderNumber(),
    order_id: positive(),
    order_number: orderNumber(),
    order_ref_id: nullableText(),
    external_id: nullableText(),
    shipment_status: z.enum(SHIPMENT_STATUSES),
    carrier: nullableText(),
    tracking_number: nullableText(),
    tracking_url: nullableText(),
    shipped_at: nullableTime(),
    delivered_at: nullableTime(),
    updated_at: nullableTime(),
  }),
);
export type ShipmentResponse = z.infer<ReturnType<typeof ShipmentResponse>>;

export const ShipmentListResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    shipments: z.array(ShipmentResponse()),
    next_cursor: nullableText(),
    has_more: z.boolean(),
  }),
);
export type ShipmentListResponse = z.infer<ReturnType<typeof ShipmentListResponse>>;

export const listShipments = endpoint({
  operationId: "listShipments",
  method: "GET",
  path: "/api/shipments",
  query: ShipmentsQuery,
  near: true,
  response: responseType<typeof ShipmentListResponse>(),
  errors: ["validation_error", "not_found"],
});
