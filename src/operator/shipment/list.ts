// The gifts to ship of all clients, or the shipments that were recorded.
import type { ShipmentStatus } from "../../core/values/shipment-states.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import { list, type ReadContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import {
  readRecordedCount,
  readToShipCounts,
  LATE_AFTER_MS,
  MAX_COUNTED,
} from "./count-queries.ts";
import { pickListRow } from "./picklist.ts";
import { readWorkList, WORK_LIST_INPUT } from "./work-list.ts";
import { workListStart } from "./work-list-queries.ts";

const FILES = ["shipment picklist", "shipment upload", "vendor list"];
const CORRECTIONS = ["shipment correct", "shipment return", "shipment fail"];

const OF_SEVERAL = ["shipment ship", "shipment deliver"];

/** Vendors have no page of a gift, so the list also offers them what that page offers. */
const NEXT_STEPS: Record<ShipmentStatus, readonly string[]> = {
  open: ["shipment ship"],
  shipped: ["shipment deliver", ...CORRECTIONS],
  delivered: CORRECTIONS,
  sent: [],
  returned: ["shipment reship"],
  failed: ["shipment reship"],
};

/** Three round trips, of which two are simultaneous. */
export const shipmentList = list({
  name: "shipment list",
  title: "Shipments",
  description:
    "A gift is to be shipped from its acceptance, or in an order of POST /api/order from the payment, until it is shipped or sent. The audit log records the gifts that were read.",
  permission: "view",
  forVendors: {},
  input: WORK_LIST_INPUT,
  columns: {
    gift: kinds.gift("Gift"),
    name: kinds.text("Recipient"),
    city: kinds.from("suburb", kinds.text("City", { beside: "name" })),
    country: kinds.text("Country", { beside: "name" }),
    product: kinds.text("Product"),
    variation: kinds.text("Variation", { beside: "product" }),
    sku: kinds.text("SKU", { beside: "product" }),
    vendor: kinds.vendor("Vendor"),
    delivery: kinds.text("Delivery", { beside: "vendor" }),
    client: kinds.from("client_id", kinds.client("Client")),
    reference: kinds.from("order_ref_id", kinds.text("Reference", { beside: "client" })),
    ready: kinds.from("ready_date", kinds.time("Ready since")),
    shipped: kinds.from("shipped_date", kinds.time("Shipped")),
    delivered: kinds.from("delivered_date", kinds.time("Delivered")),
    carrier: kinds.text("Carrier"),
    tracking_number: kinds.text("Tracking number", { beside: "carrier" }),
    problem: kinds.text("What has happened", { beside: "delivered" }),
  },
  empty: "No gifts match.",
  actions: FILES,
  rowActions: [...new Set(Object.values(NEXT_STEPS).flat())],
  examples: ['--vendor "Hop Lane" --older-than 2d', "--status shipped --since 2026-11-01"],
  first: workListStart,
  read: readWorkList,
  offered: ({ status }, { vendor }) => [
    ...FILES,
    ...NEXT_STEPS[status].filter((name) => vendor !== undefined || OF_SEVERAL.includes(name)),
  ],
  text: (context, { status, ...filters }) => {
    const isFiltered = Object.values(filters).some((value) => value !== undefined);
    return isFiltered ? Promise.resolve(null) : totalText(context, status);
  },
  record: ({ record }, gifts) => {
    const keys = gifts.map(({ orderId, sequence }) => toGiftId(orderId, sequence));
    return record({ type: "gift", keys }, { read: "shipment list" });
  },
  row: (gift) => ({ ...pickListRow(gift) }),
});

/** The vendors that a sentence names. */
const MAX_NAMED = 20;

async function totalText(
  { DB: db, nowMs, user }: ReadContext,
  status: kinds.InputOf<typeof WORK_LIST_INPUT>["status"],
): Promise<string | null> {
  const countText = (count: number) =>
    count > MAX_COUNTED
      ? `More than ${plural(MAX_COUNTED, "gift")} are`
      : `${plural(count, "gift")} ${count === 1 ? "is" : "are"}`;
  if (status !== "open") {
    if (user.vendor !== undefined) return null;
    const count = await readRecordedCount(db, status);
    return count === 0 ? null : `${countText(count)} ${status}.`;
  }
  const { vendor = null } = user;
  const vendors = await readToShipCounts(db, nowMs - LATE_AFTER_MS, vendor);
  const sumOf = (key: "toShip" | "late") => vendors.reduce((sum, each) => sum + each[key], 0);
  const [toShip, late] = [sumOf("toShip"), sumOf("late")];
  const atLeast = toShip > MAX_COUNTED ? "at least " : "";
  const lateText =
    late === 0
      ? ""
      : `, ${atLeast}${late.toLocaleString("en")} of them for more than two days already`;
  if (toShip === 0) return null;
  const text = `${countText(toShip)} to be shipped${lateText}.`;
  if (vendor !== null) return text;
  const counts = vendors.map((each) => `${each.vendor} ${each.toShip.toLocaleString("en")}`);
  const named = counts.slice(0, MAX_NAMED).join(", ") + (counts.length > MAX_NAMED ? "…" : "");
  return `${text} By vendor: ${atLeast}${named}.`;
}
