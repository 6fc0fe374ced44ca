// Changes the last day of an order's gifts.
import { orderNumber, suborderId } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { extend } from "../../features/lifecycle/extend.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { Refusal } from "../refusal.ts";
import { checkLastDay } from "./extend-gift.ts";
import { requireOrder, unknownOrder } from "./queries.ts";

/** Sets the last day of all open gifts. Expired gifts stay expired. One transaction. */
export const orderExtend = change({
  name: "order extend",
  title: "Change the last day of all gifts",
  description: "Also of gifts that have a last day of their own. Expired gifts stay expired.",
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
      expired: kinds.count("Expired gifts, unchanged"),
    },
  },
  present: async ({ DB }, { order = 0 }) => ({
    redeem_by: redeemByOf((await requireOrder(DB, order)).expiresAtMs),
  }),
  plan: async ({ DB, nowMs }, { order: orderId, redeem_by }) => {
    const order = await requireOrder(DB, orderId);
    const { clientId, giftOrderMethod, openGifts, expiresAtMs } = order;
    if (giftOrderMethod !== "api-giftlink") throw noLinks(orderId);
    if (openGifts.length === 0) throw noOpenGift(orderId);
    const present = redeemByOf(expiresAtMs);
    const redeemBy = redeem_by === undefined ? present : redeem_by;
    if (redeemBy !== null) checkLastDay(redeemBy, nowMs);
    const gifts = plural(openGifts.length, "open gift");
    return {
      orderId,
      redeemBy,
      will: `change the last day of ${gifts} of order ${orderNumber(orderId)} of ${clientId}`,
      changes: [{ label: "Last day", before: present, after: redeemBy }],
      subjects: [
        { type: "order", keys: [orderId] },
        { type: "gift", keys: openGifts.map((sequence) => suborderId(orderId, sequence)) },
      ],
    };
  },
  run: async ({ DB, nowMs }, { orderId, redeemBy }) => {
    const order = orderNumber(orderId);
    const outcome = await extend(DB, orderId, redeemBy, nowMs);
    if (!outcome) throw unknownOrder(orderId);
    const { result, openGifts: open, expiredGifts: expired } = outcome;
    switch (result) {
      case "not a gift-link order":
        throw noLinks(orderId);
      case "expired":
        throw new Refusal(`the gifts of ${order} have expired. Expired gifts stay expired.`);
      case "no open gift":
        throw noOpenGift(orderId);
      case "unchanged":
        throw new Refusal(`the gifts of ${order} ${lastDayText(redeemBy)} already.`);
      case "extended":
        return {
          text: `The gifts of ${order} ${lastDayText(redeemBy)}.`,
          facts: { last_day: redeemBy, open, expired: expired || null },
        };
    }
  },
});

const noLinks = (orderId: number) =>
  new Refusal(`${orderNumber(orderId)} has no gift links, so its gifts do not expire.`);

const noOpenGift = (orderId: number) =>
  new Refusal(`${orderNumber(orderId)} has no open gift. Expired gifts stay expired.`);

const lastDayText = (redeemBy: string | null) =>
  redeemBy === null ? "do not expire" : `can be accepted until ${redeemBy}`;
