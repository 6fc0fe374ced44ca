// Exports everything that is stored about the recipients of gifts.
import { ORDER_METHODS } from "../../features/orders/order.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import { trackingUrlOf } from "../../core/values/tracking.ts";
import { parseJson } from "../../platform/db/columns.ts";
import type { EarlierTracking } from "../../platform/db/schema.ts";
import { customList } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { METHOD_TEXT } from "../words.ts";
import { pageOf, positionIn } from "../declaration/pages.ts";
import { leftOut, PERSON, requireGifts } from "./person.ts";
import { MAX_GIFTS, readStored, type StoredGift } from "./queries.ts";

export const EXPORT_COLUMNS = {
  gift: kinds.gift("Gift"),
  order: kinds.from("orderId", kinds.order("Order")),
  client: kinds.from("clientId", kinds.client("Client")),
  company: kinds.text("Company"),
  reference: kinds.from("orderRefId", kinds.text("Reference")),
  placed: kinds.from("orderedAtMs", kinds.time("Placed")),
  order_status: kinds.from("orderStatus", kinds.status("Status of the order")),
  method: kinds.from("giftOrderMethod", kinds.choice("Method", ORDER_METHODS, METHOD_TEXT)),
  sender_name: kinds.from("senderName", kinds.text("Sender")),
  link_message: kinds.from("linkMessage", kinds.lines("Message of the sender")),
  order_metadata: kinds.json("Metadata of the order"),
  product: kinds.text("Product"),
  first_name: kinds.from("firstName", kinds.text("First name")),
  last_name: kinds.from("lastName", kinds.text("Last name")),
  email: kinds.email("E-mail address"),
  delivery_email: kinds.from("deliveryEmail", kinds.email("E-mail address for the delivery")),
  phone_number: kinds.from("phoneNumber", kinds.text("Phone number")),
  language: kinds.text("Language"),
  external_id: kinds.from("externalId", kinds.text("External id")),
  metadata: kinds.json("Metadata"),
  search_terms: kinds.json("Search terms"),
  message: kinds.from("emailMessage", kinds.lines("Message")),
  address_line_1: kinds.text("Street and number"),
  address_line_2: kinds.text("Unit or company"),
  suburb: kinds.text("Suburb or city"),
  state: kinds.text("State or province"),
  postcode_zipcode: kinds.text("Postcode"),
  country: kinds.text("Country"),
  delivery_notes: kinds.from("deliveryNotes", kinds.lines("Notes for the delivery")),
  status: kinds.from("redemptionStatus", kinds.status("Status")),
  opened: kinds.from("openedAtMs", kinds.time("Opened")),
  redeemed: kinds.from("redeemedAtMs", kinds.time("Accepted")),
  declined: kinds.from("declinedAtMs", kinds.time("Declined")),
  thank_you: kinds.from("thankYou", kinds.lines("Thank-you note")),
  thanked: kinds.from("thankedAtMs", kinds.time("Thanked")),
  shipment: kinds.from("shipmentStatus", kinds.status("Shipment")),
  carrier: kinds.text("Carrier"),
  tracking_number: kinds.from("trackingNumber", kinds.text("Tracking number")),
  tracking_url: kinds.from("trackingUrl", kinds.url("Tracking")),
  shipped: kinds.from("shippedAtMs", kinds.time("Shipped")),
  delivered: kinds.from("deliveredAtMs", kinds.time("Delivered")),
  problem: kinds.text("What has happened"),
  earlier_tracking: kinds.json("Earlier tracking"),
  carrier_answers: kinds.json("Reports of the carrier"),
  codes: kinds.count("Codes"),
  code_valid_until: kinds.day("Code valid until"),
  staff_notes: kinds.json("Notes of the staff"),
  order_staff_notes: kinds.json("Notes of the staff on the order"),
  erased: kinds.from("erasedAtMs", kinds.time("Erased")),
};

const FIRST = { orderId: 0, sequence: 0 };

/** Each page is recorded before it is read. Five round trips for a page. */
export const recipientExport = customList({
  name: "recipient export",
  title: "Export the recipient's data",
  description:
    "Everything that is stored about the recipient of each gift, newest orders first. It contains the number of codes, and no code: `code show` shows one. The audit log records the export. A region has only its own gifts.",
  permission: "gifts",
  isPersonal: true,
  input: { ...PERSON, reason: kinds.reason() },
  columns: EXPORT_COLUMNS,
  actions: ["recipient show"],
  examples: [
    '--email ada@example.com --reason "Request 17" --json --output ada.json',
    'GO-00042-3 --reason "Request 17" --csv',
  ],
  page: async (context, { reason, ...person }, { after, limit }) => {
    const { DB, record } = context;
    const last = positionIn(FIRST, after);
    const size = Math.min(limit, MAX_GIFTS);
    const found = await requireGifts(DB, person, {
      before: after === undefined ? null : toGiftId(last.orderId, last.sequence),
      // One more shows whether there is a next page.
      limit: size + 1,
    });
    const { shown, next } = pageOf(FIRST, found, size);
    const ids = shown.map(({ id }) => id);
    await record({ type: "gift", keys: ids }, { exported: true }, reason);
    const stored = await readStored(DB, { ids, clientId: person.client ?? null });
    return { rows: stored.map(exportRow), next, ...(await leftOut(DB, person, shown)) };
  },
});

export function exportRow(stored: StoredGift) {
  const address = parseJson(stored.deliveryAddress);
  return {
    ...stored,
    gift: toGiftId(stored.orderId, stored.sequence),
    order_metadata: parseJson(stored.orderMetadata),
    metadata: parseJson(stored.metadata),
    search_terms: parseJson(stored.searchTerms),
    staff_notes: parseJson(stored.staffNotes),
    order_staff_notes: parseJson(stored.orderStaffNotes),
    address_line_1: address?.address_line_1 ?? null,
    address_line_2: address?.address_line_2 ?? null,
    suburb: address?.suburb ?? null,
    state: address?.state ?? null,
    postcode_zipcode: address?.postcode_zipcode ?? null,
    country: address?.country ?? null,
    trackingUrl: trackingUrlOf(stored),
    earlier_tracking: earlierTracking(parseJson(stored.earlierTracking)),
    carrier_answers: parseJson(stored.carrierAnswers),
    code_valid_until: redeemByOf(stored.codeExpiresAtMs),
  };
}

/** The tracking of a shipment that `correct` and `reopen` have replaced, oldest first. */
const earlierTracking = (stored: readonly EarlierTracking[] | null) =>
  (stored ?? []).map((each) => ({
    status: each.status,
    problem: each.problem,
    carrier: each.carrier,
    tracking_number: each.trackingNumber,
    tracking_url: trackingUrlOf(each),
    shipped_date: formatDateTime(each.shippedAtMs),
    delivered_date: optionalDateTime(each.deliveredAtMs),
    replaced_date: formatDateTime(each.replacedAtMs),
  }));
