// The work list with addresses, for warehouses. docs/shipments.md documents its columns.
import { fullName } from "../../core/values/person-name.ts";
import { countryOf } from "../../core/values/country.ts";
import { englishName, longLines } from "../order/address-text.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { trackingUrlOf } from "../../core/values/tracking.ts";
import { wordsOf } from "../words.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { destinationOf, readWorkList, WORK_LIST_INPUT } from "./work-list.ts";
import { type ListedGift, workListStart } from "./work-list-queries.ts";

/** `shipment upload` reads the first column and the last three. Add new columns before `carrier`. */
export const PICK_LIST_COLUMNS = {
  gift: kinds.gift("Gift"),
  order_number: kinds.order("Order", { beside: "gift" }),
  order_ref_id: kinds.text("Reference", { beside: "gift" }),
  client_id: kinds.client("Client"),
  order_date: kinds.time("Ordered"),
  ready_date: kinds.time("Ready since"),
  delivery: kinds.text("Delivery"),
  vendor: kinds.vendor("Vendor", { beside: "product" }),
  sku: kinds.text("SKU", { beside: "product" }),
  product: kinds.text("Product"),
  variation: kinds.text("Variation", { beside: "product" }),
  name: kinds.text("Name"),
  email: kinds.email("E-mail address", { beside: "name" }),
  phone_number: kinds.text("Phone number", { beside: "name" }),
  address_line_1: kinds.text("Address"),
  address_line_2: kinds.text("Address line 2", { beside: "address_line_1" }),
  suburb: kinds.text("Suburb", { beside: "address_line_1" }),
  state: kinds.text("State", { beside: "address_line_1" }),
  postcode_zipcode: kinds.text("Postcode", { beside: "address_line_1" }),
  country: kinds.text("Country", { beside: "address_line_1" }),
  country_name: kinds.text("Country's name", { beside: "country" }),
  long_lines: kinds.text("Lines over 35 characters", { beside: "address_line_1" }),
  delivery_notes: kinds.lines("Notes"),
  message: kinds.lines("Message"),
  hs_code: kinds.text("HS code", { beside: "product" }),
  origin_country: kinds.text("Made in", { beside: "product" }),
  customs_value: kinds.text("Customs value", { beside: "product" }),
  customs_currency: kinds.text("Currency", { beside: "product" }),
  customs_missing: kinds.text("Missing for customs", { beside: "product" }),
  shipment_status: kinds.status("Status"),
  shipped_date: kinds.time("Shipped", { beside: "shipment_status" }),
  delivered_date: kinds.time("Delivered", { beside: "shipment_status" }),
  problem: kinds.text("What has happened", { beside: "shipment_status" }),
  carrier: kinds.text("Carrier"),
  tracking_number: kinds.text("Tracking number", { beside: "carrier" }),
  tracking_url: kinds.url("Tracking link", { beside: "tracking_number" }),
};

export const shipmentPicklist = list({
  name: "shipment picklist",
  title: "Pick list",
  description:
    "The gifts with their addresses. A warehouse fills in the last columns of the file, from which shipments can then be recorded. The audit log records the gifts that were read.",
  permission: "shipments",
  forVendors: {},
  input: WORK_LIST_INPUT,
  columns: PICK_LIST_COLUMNS,
  empty: "No gifts match.",
  examples: ['--delivery physical --vendor "Hop Lane" --csv --output to-ship.csv'],
  first: workListStart,
  read: readWorkList,
  record: ({ record }, gifts) => {
    const keys = gifts.map(({ orderId, sequence }) => toGiftId(orderId, sequence));
    return record({ type: "gift", keys }, { read: "pick list" });
  },
  row: pickListRow,
});

/** Member states of the European Union, which is one customs area. */
const EU = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK";

const customsAreaOf = (country: string) => (EU.includes(country) ? "EU" : country);

/** A parcel crosses a customs border if it is sent to another area than that of its order, from which it is sent. */
function customsOf(gift: ListedGift) {
  const { hs_code = null, origin_country = null, customs_value = null } = gift.customs ?? {};
  const given = { hs_code, origin_country, customs_value };
  const missing = Object.entries(given).flatMap(([name, each]) => (each === null ? name : []));
  const country = countryOf(destinationOf(gift)) ?? gift.baseLocation;
  const isAbroad = customsAreaOf(country) !== customsAreaOf(gift.baseLocation);
  return {
    ...given,
    customs_currency: customs_value && gift.currency,
    customs_missing: isAbroad ? missing.join(", ") || null : null,
  };
}

/** A parcel needs no e-mail address, and a digital gift no postal address. */
export function pickListRow(gift: ListedGift): kinds.OutputOf<typeof PICK_LIST_COLUMNS> {
  const isDigital = gift.delivery === "digital";
  const address = isDigital ? null : gift.deliveryAddress;
  const country = destinationOf(gift);
  const name = fullName(gift);
  const lines = {
    name,
    "line 1": address?.address_line_1,
    "line 2": address?.address_line_2,
    suburb: address?.suburb,
  };
  return {
    gift: toGiftId(gift.orderId, gift.sequence),
    order_number: gift.orderId,
    order_ref_id: gift.orderRefId || null,
    client_id: gift.clientId || null,
    order_date: gift.orderedAtMs,
    ready_date: gift.readyAtMs,
    delivery: gift.delivery,
    vendor: gift.vendor,
    sku: (gift.variation?.sku ?? "") || gift.productSku,
    product: gift.productName,
    variation:
      gift.variation &&
      gift.variation.options.map(({ name, option }) => `${name}: ${option}`).join(", "),
    name,
    email: (isDigital && gift.email) || null,
    phone_number: isDigital ? null : gift.phoneNumber,
    address_line_1: address?.address_line_1 ?? null,
    address_line_2: address?.address_line_2 ?? null,
    suburb: address?.suburb ?? null,
    state: address?.state ?? null,
    postcode_zipcode: address?.postcode_zipcode ?? null,
    country,
    country_name: countryOf(country) === country ? englishName(country) : null,
    long_lines: address && longLines(lines),
    delivery_notes: isDigital ? null : gift.deliveryNotes,
    message: gift.message,
    ...customsOf(gift),
    shipment_status: gift.status,
    shipped_date: gift.shippedAtMs,
    delivered_date: gift.deliveredAtMs,
    problem: gift.problem ? wordsOf(gift.problem) : gift.isRefused ? "unknown to EasyPost" : null,
    carrier: gift.carrier,
    tracking_number: gift.trackingNumber,
    tracking_url: trackingUrlOf(gift),
  };
}
