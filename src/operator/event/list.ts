// What clients were told about their orders.
import { EVENT_TYPES } from "../../features/events/event.ts";
import { notFound, validationError } from "../../core/api-error.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { eventResponse } from "../../features/events/response.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listClientEvents } from "./queries.ts";

/** The values of recipients and of partners. */
const PERSONAL = [
  "metadata",
  "externalId",
  "recipientMetadata",
  "trackingNumber",
  "trackingUrl",
] as const;

/** One round trip, and others if there are no events, or for the readings of personal data. */
export const eventList = list({
  name: "event list",
  title: "Events",
  description: "The events of a client or of an order and its gifts, newest first.",
  permission: "view",
  input: {
    client: kinds.optional(kinds.client("Client")),
    order: kinds.optional(
      kinds.orderOrGift("Order", { hint: "With its gifts, also by the number of one." }),
    ),
    since: kinds.optional(kinds.id("From this event on")),
  },
  columns: {
    event: kinds.from("sequence", kinds.id("Event")),
    created: kinds.from("createdAtMs", kinds.time("Created")),
    type: kinds.choice("Type", EVENT_TYPES),
    order: kinds.from("orderId", kinds.order("Order")),
    gift: kinds.gift("Gift"),
    reference: kinds.from("orderRefId", kinds.text("Reference")),
    data: kinds.json("Data"),
  },
  empty: "There are no events.",
  examples: ["--client acme", "--order GO-00042", "--client acme --since 1 --csv"],
  first: () => ({ sequence: Number.MAX_SAFE_INTEGER }),
  read: async ({ DB }, { client, order, since }, page) => {
    if (client === undefined && order === undefined) {
      throw validationError([{ field: "client", message: "or order is required" }]);
    }
    const found = await listClientEvents(DB, { ...page, clientId: client, orderId: order, since });
    // Each order has an event.
    if (found.length === 0 && order !== undefined && (client ?? since) === undefined) {
      throw notFound(`there is no order ${orderNumber(order)}.`);
    }
    return found;
  },
  record: async ({ record }, events) => {
    const orders = events
      .filter((event) => PERSONAL.some((name) => event[name] !== null))
      .flatMap(({ orderId }) => orderId ?? []);
    if (orders.length === 0) return;
    await record({ type: "order", keys: [...new Set(orders)] }, { read: "events" });
  },
  row: (event) => {
    const { suborder_id: gift, data } = eventResponse(event);
    return { ...event, gift, data };
  },
});
