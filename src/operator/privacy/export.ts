// Exports everything that is stored about the recipients of gifts.
import { suborderId } from "../../core/values/ids.ts";
import { parseJson } from "../../platform/db/columns.ts";
import { customList } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, positionIn } from "../declaration/pages.ts";
import { earlierTracking } from "../fulfilment/earlier-tracking.ts";
import { PERSON, selectGifts } from "./person.ts";
import { readStored, type StoredRecipient } from "./queries.ts";
import { MAX_GIFTS } from "./recipients.ts";

export const EXPORT_COLUMNS = {
  gift: kinds.gift("Gift"),
  order: kinds.order("Order"),
  client: kinds.client("Client"),
  company: kinds.text("Company"),
  reference: kinds.text("Reference"),
  placed: kinds.time("Placed"),
  order_status: kinds.status("Status of the order"),
  method: kinds.text("Method"),
  sender_name: kinds.text("Sender"),
  link_message: kinds.lines("Message of the sender"),
  order_metadata: kinds.json("Metadata of the order"),
  product: kinds.text("Product"),
  first_name: kinds.text("First name"),
  last_name: kinds.text("Last name"),
  email: kinds.email("E-mail address"),
  delivery_email: kinds.email("E-mail address for the delivery"),
  phone_number: kinds.text("Phone number"),
  language: kinds.text("Language"),
  external_id: kinds.text("External id"),
  metadata: kinds.json("Metadata"),
  search_terms: kinds.json("Search terms"),
  message: kinds.lines("Message"),
  address_line_1: kinds.text("Street and number"),
  address_line_2: kinds.text("Unit or company"),
  suburb: kinds.text("Suburb or city"),
  state: kinds.text("State or province"),
  postcode_zipcode: kinds.text("Postcode"),
  country: kinds.text("Country"),
  delivery_notes: kinds.lines("Notes for the delivery"),
  status: kinds.status("Status"),
  redeemed: kinds.time("Redeemed"),
  declined: kinds.time("Declined"),
  thank_you: kinds.lines("Thank-you note"),
  thanked: kinds.time("Thanked"),
  shipment: kinds.status("Shipment"),
  carrier: kinds.text("Carrier"),
  tracking_number: kinds.text("Tracking number"),
  tracking_url: kinds.url("Tracking"),
  shipped: kinds.time("Shipped"),
  delivered: kinds.time("Delivered"),
  earlier_tracking: kinds.json("Earlier tracking"),
  erased: kinds.time("Erased"),
};

const ORDER = { orderId: Number, sequence: Number };

/** Each page is recorded before it is read. Four round trips for a page. */
export const recipientExport = customList({
  name: "recipient export",
  title: "Export the recipient's data",
  description:
    "Everything that is stored about the recipient of each gift, newest orders first. The audit log records the export.",
  permission: "gifts",
  isPersonal: true,
  input: { ...PERSON, reason: kinds.reason() },
  columns: EXPORT_COLUMNS,
  examples: [
    '--email ada@example.com --reason "Request 17" --json --output ada.json',
    'GO-00042-3 --reason "Request 17" --csv',
  ],
  page: async ({ DB, record }, { reason, ...person }, { after, limit }) => {
    const last = positionIn(ORDER, after);
    const size = Math.min(limit, MAX_GIFTS);
    const found = await selectGifts(DB, person, {
      before: last ? suborderId(last.orderId, last.sequence) : null,
      // One more shows whether there is a next page.
      limit: size + 1,
    });
    const { shown, next } = pageOf(ORDER, found, size);
    const ids = shown.map(({ id }) => id);
    await record({ type: "gift", keys: ids }, { exported: true }, reason);
    const stored = await readStored(DB, { ids, clientId: person.client ?? null });
    return { rows: stored.map(exportRow), next };
  },
});

/** The values of the columns. */
export function exportRow(stored: StoredRecipient) {
  const { orderId, sequence, deliveryAddress } = stored;
  const address = parseJson(deliveryAddress);
  return {
    gift: suborderId(orderId, sequence),
    order: orderId,
    client: stored.clientId,
    company: stored.company,
    reference: stored.orderRefId,
    placed: stored.orderedAtMs,
    order_status: stored.orderStatus,
    method: stored.giftOrderMethod,
    sender_name: stored.senderName,
    link_message: stored.linkMessage,
    order_metadata: parseJson(stored.orderMetadata),
    product: stored.product,
    first_name: stored.firstName,
    last_name: stored.lastName,
    email: stored.email,
    delivery_email: stored.deliveryEmail,
    phone_number: stored.phoneNumber,
    language: stored.language,
    external_id: stored.externalId,
    metadata: parseJson(stored.metadata),
    search_terms: parseJson(stored.searchTerms),
    message: stored.emailMessage,
    address_line_1: address?.address_line_1 ?? null,
    address_line_2: address?.address_line_2 ?? null,
    suburb: address?.suburb ?? null,
    state: address?.state ?? null,
    postcode_zipcode: address?.postcode_zipcode ?? null,
    country: address?.country ?? null,
    delivery_notes: stored.deliveryNotes,
    status: stored.redemptionStatus,
    redeemed: stored.redeemedAtMs,
    declined: stored.declinedAtMs,
    thank_you: stored.thankYou,
    thanked: stored.thankedAtMs,
    shipment: stored.shipmentStatus,
    carrier: stored.carrier,
    tracking_number: stored.trackingNumber,
    tracking_url: stored.trackingUrl,
    shipped: stored.shippedAtMs,
    delivered: stored.deliveredAtMs,
    earlier_tracking: earlierTracking(stored.earlierTracking),
    erased: stored.erasedAtMs,
  };
}
