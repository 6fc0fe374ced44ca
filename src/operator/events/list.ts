// What clients were told about their orders.
import { EVENT_TYPES } from "../../features/events/event.ts";
import { validationError } from "../../core/api-error.ts";
import { eventResponse } from "../../features/events/response.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, textsOf } from "../declaration/pages.ts";
import { listClientEvents } from "./queries.ts";

/** One round trip. */
export const eventList = list({
  name: "event list",
  title: "Events",
  description: "The events of a client or of an order and its gifts, newest first.",
  permission: "view",
  input: {
    client: kinds.optional(kinds.client("Client")),
    order: kinds.optional(kinds.order("Order")),
    since: kinds.optional(kinds.id("From this event on")),
  },
  columns: {
    event: kinds.id("Event"),
    created: kinds.time("Created"),
    type: kinds.choice("Type", EVENT_TYPES),
    order: kinds.order("Order"),
    gift: kinds.gift("Gift"),
    reference: kinds.text("Reference"),
    data: kinds.json("Data"),
  },
  empty: "There are no events.",
  examples: ["--client acme", "--order GO-00042", "--client acme --since 1 --csv"],
  page: async ({ DB }, { client, order, since }, { after, limit }) => {
    if (client === undefined && order === undefined) {
      throw validationError([{ field: "client", message: "or order is required" }]);
    }
    const [before] = textsOf(after, 1) ?? [];
    const found = await listClientEvents(DB, {
      clientId: client,
      orderId: order,
      since,
      before: before === undefined ? undefined : Number(before),
      limit: limit + 1,
    });
    const { shown, next } = pageOf(found, limit, ({ sequence }) => [sequence]);
    return {
      rows: shown.map((event) => {
        const { suborder_id: gift, data } = eventResponse(event);
        return {
          event: event.sequence,
          created: event.createdAtMs,
          type: event.type,
          order: event.orderId,
          gift,
          reference: event.orderRefId,
          data,
        };
      }),
      next,
    };
  },
});
