// The columns of the work list in CSV and JSON. docs/shipments.md documents them. Add new ones before
// `carrier`.
import { orderNumber, suborderNumber } from "../../core/values/ids.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import { destinationOf } from "./work-list.ts";
import type { ListedGift } from "./work-list-queries.ts";

type Write = (gift: ListedGift) => string | null;

const ifPhysical =
  (write: Write) =>
  (gift: ListedGift): string | null =>
    gift.delivery === "physical" ? write(gift) : null;

/** The columns that `shipment ship --file` reads are the first one and the last three. */
const COLUMNS = {
  suborder_number: ({ orderId, sequence }) => suborderNumber(orderId, sequence),
  order_number: ({ orderId }) => orderNumber(orderId),
  order_ref_id: ({ orderRefId }) => orderRefId,
  client_id: ({ clientId }) => clientId,
  order_date: ({ orderedAtMs }) => formatDateTime(orderedAtMs),
  ready_date: ({ readyAtMs }) => formatDateTime(readyAtMs),
  delivery: ({ delivery }) => delivery,
  vendor: ({ vendor }) => vendor,
  sku: ({ variation, productSku }) => (variation?.sku ?? "") || productSku,
  product: ({ productName }) => productName,
  variation: ({ variation }) =>
    variation && variation.options.map(({ name, option }) => `${name}: ${option}`).join(", "),
  name: ({ firstName, lastName }) => `${firstName} ${lastName}`,
  // A parcel needs no e-mail address.
  email: ({ delivery, email }) => (delivery === "digital" ? email : null),
  phone_number: ifPhysical(({ phoneNumber }) => phoneNumber),
  address_line_1: ifPhysical(({ deliveryAddress }) => deliveryAddress?.address_line_1 ?? null),
  address_line_2: ifPhysical(({ deliveryAddress }) => deliveryAddress?.address_line_2 ?? null),
  suburb: ifPhysical(({ deliveryAddress }) => deliveryAddress?.suburb ?? null),
  state: ifPhysical(({ deliveryAddress }) => deliveryAddress?.state ?? null),
  postcode_zipcode: ifPhysical(({ deliveryAddress }) => deliveryAddress?.postcode_zipcode ?? null),
  country: destinationOf,
  delivery_notes: ifPhysical(({ deliveryNotes }) => deliveryNotes),
  message: ({ message }) => message,
  shipment_status: ({ status }) => status,
  shipped_date: ({ shippedAtMs }) => optionalDateTime(shippedAtMs),
  delivered_date: ({ deliveredAtMs }) => optionalDateTime(deliveredAtMs),
  carrier: ({ carrier }) => carrier,
  tracking_number: ({ trackingNumber }) => trackingNumber,
  tracking_url: ({ trackingUrl }) => trackingUrl,
} satisfies Record<string, Write>;

type PickListColumn = keyof typeof COLUMNS;

export type PickListRow = { [Column in PickListColumn]: ReturnType<(typeof COLUMNS)[Column]> };

export const PICK_LIST_COLUMNS = Object.keys(COLUMNS) as PickListColumn[];

export function pickListRow(gift: ListedGift): PickListRow {
  return Object.fromEntries(
    Object.entries(COLUMNS).map(([name, write]) => [name, write(gift)]),
  ) as PickListRow;
}
