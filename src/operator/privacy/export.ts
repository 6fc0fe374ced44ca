// The columns of an export of personal data, in JSON and CSV.
import { parseJson } from "../../platform/db/columns.ts";
import type { Address } from "../../platform/db/schema.ts";
import { earlierTracking } from "../fulfilment/earlier-tracking.ts";
import { orderNumber, suborderNumber } from "../../core/values/ids.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import type { StoredRecipient } from "./queries.ts";

type Write = (stored: StoredRecipient) => string | object | null;

const addressField =
  (field: keyof Address) =>
  ({ deliveryAddress }: StoredRecipient) =>
    parseJson(deliveryAddress)?.[field] ?? null;

const COLUMNS = {
  suborder_number: ({ orderId, sequence }) => suborderNumber(orderId, sequence),
  order_number: ({ orderId }) => orderNumber(orderId),
  client_id: ({ clientId }) => clientId,
  company: ({ company }) => company,
  order_ref_id: ({ orderRefId }) => orderRefId,
  order_date: ({ orderedAtMs }) => formatDateTime(orderedAtMs),
  order_status: ({ orderStatus }) => orderStatus,
  gift_order_method: ({ giftOrderMethod }) => giftOrderMethod,
  sender_name: ({ senderName }) => senderName,
  link_message: ({ linkMessage }) => linkMessage,
  order_metadata: ({ orderMetadata }) => parseJson(orderMetadata),
  product: ({ product }) => product,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
  email: ({ email }) => email,
  delivery_email: ({ deliveryEmail }) => deliveryEmail,
  phone_number: ({ phoneNumber }) => phoneNumber,
  language: ({ language }) => language,
  external_id: ({ externalId }) => externalId,
  metadata: ({ metadata }) => parseJson(metadata),
  search_terms: ({ searchTerms }) => parseJson(searchTerms),
  message: ({ emailMessage }) => emailMessage,
  address_line_1: addressField("address_line_1"),
  address_line_2: addressField("address_line_2"),
  suburb: addressField("suburb"),
  state: addressField("state"),
  postcode_zipcode: addressField("postcode_zipcode"),
  country: addressField("country"),
  delivery_notes: ({ deliveryNotes }) => deliveryNotes,
  redemption_status: ({ redemptionStatus }) => redemptionStatus,
  redeemed_date: ({ redeemedAtMs }) => optionalDateTime(redeemedAtMs),
  declined_date: ({ declinedAtMs }) => optionalDateTime(declinedAtMs),
  thank_you: ({ thankYou }) => thankYou,
  thanked_date: ({ thankedAtMs }) => optionalDateTime(thankedAtMs),
  shipment_status: ({ shipmentStatus }) => shipmentStatus,
  carrier: ({ carrier }) => carrier,
  tracking_number: ({ trackingNumber }) => trackingNumber,
  tracking_url: ({ trackingUrl }) => trackingUrl,
  shipped_date: ({ shippedAtMs }) => optionalDateTime(shippedAtMs),
  delivered_date: ({ deliveredAtMs }) => optionalDateTime(deliveredAtMs),
  earlier_tracking: ({ earlierTracking: json }) => earlierTracking(json),
  erased_date: ({ erasedAtMs }) => optionalDateTime(erasedAtMs),
} satisfies Record<string, Write>;

type ExportColumn = keyof typeof COLUMNS;

export type ExportRow = { [Column in ExportColumn]: ReturnType<(typeof COLUMNS)[Column]> };

export const EXPORT_COLUMNS = Object.keys(COLUMNS) as ExportColumn[];

export function exportRow(stored: StoredRecipient): ExportRow {
  return Object.fromEntries(
    Object.entries(COLUMNS).map(([name, write]) => [name, write(stored)]),
  ) as ExportRow;
}
