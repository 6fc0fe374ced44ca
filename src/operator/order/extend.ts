// Changes the last day of an order's gifts.
import { refusal } from "../../core/api-error.ts";
import { orderNumber, toGiftId } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { requireOrderToChange } from "../../features/lifecycle/change.ts";
import { decideExtension, extend, requireLastDay } from "../../features/lifecycle/extend.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { requireOrder } from "./queries.ts";
import { NO_CLIENT } from "../../features/lifecycle/order-key.ts";

/** Sets the last day of all gifts that are neither accepted nor ended. One transaction. */
export const orderExtend = change({
  name: "order extend",
  title: "Change the last day of all gifts",
  description:
    "Also of gifts that have a last day of their own, or whose last day has just passed. Gifts that have ended stay as they are.",
  permission: "gifts",
  input: {
    order: kinds.order("Order"),
    redeem_by: kinds.nullable(
      kinds.day("Last day (UTC)", { hint: "Without one, gifts get the last day of their order." }),
    ),
  },
  examples: ["GO-00042 --redeem-by 2027-03-31", "GO-00042 --redeem-by none"],
  result: {
    facts: {
      last_day: kinds.day("Last day"),
      open: kinds.count("Open gifts"),
    },
  },
  present: async ({ DB }, { order = 0 }) => ({
    redeem_by: redeemByOf((await requireOrder(DB, order)).expiresAtMs),
  }),
  plan: async ({ DB, nowMs }, { order: orderId, redeem_by }) => {
    const order = await requireOrderToChange(DB, { ...NO_CLIENT, orderId, sequence: null });
    const { clientId, expiresAtMs, gifts } = order;
    const present = redeemByOf(expiresAtMs);
    const redeemBy = redeem_by === undefined ? present : redeem_by;
    if (redeemBy !== null) requireLastDay(redeemBy, nowMs);
    decideExtension(order, { orderId, redeemBy, nowMs });
    return {
      orderId,
      redeemBy,
      will: `change the last day of ${plural(gifts.length, "open gift")} of order ${orderNumber(orderId)} of ${clientId}`,
      changes: [{ label: "Last day", before: present, after: redeemBy }],
      // Without the number of open gifts, because recipients accept gifts meanwhile.
      confirms: [present, redeemBy],
      subjects: [
        { type: "order", keys: [orderId] },
        { type: "gift", keys: gifts.map(({ sequence }) => toGiftId(orderId, sequence)) },
      ],
    };
  },
  run: async ({ DB, nowMs }, { orderId, redeemBy }) => {
    const number = orderNumber(orderId);
    const { order, changed } = await extend(DB, { ...NO_CLIENT, orderId }, redeemBy, nowMs);
    if (!changed) throw refusal(`the gifts of ${number} ${lastDayText(redeemBy)} already.`);
    return {
      text: `The gifts of ${number} ${lastDayText(redeemBy)}.`,
      facts: { last_day: redeemBy, open: order.gifts.length },
    };
  },
});

const lastDayText = (redeemBy: string | null) =>
  redeemBy === null ? "do not expire" : `can be accepted until ${redeemBy}`;
