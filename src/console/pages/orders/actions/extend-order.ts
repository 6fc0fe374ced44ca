// The page that changes the last day of an order's gifts.
import { EXTEND_ORDER, extendedText } from "../../../../operator/lifecycle/extend-order.ts";
import type { ActionOf } from "../../../actions/action.ts";
import { EXTEND, ORDER_ACTIONS } from "../../../texts/orders.ts";
import { orderIdOf, orderTarget } from "../order-target.ts";
import { lastDayOf } from "./last-day.ts";

export const extendOrder: ActionOf<typeof EXTEND_ORDER> = {
  permission: "gifts",
  change: EXTEND_ORDER,
  title: ORDER_ACTIONS.extend,
  target: orderTarget,
  fields: () => [
    { name: "redeem_by", type: "date", label: EXTEND.redeemBy, hint: EXTEND.redeemByHint },
  ],
  input: (form, c) => ({
    orderId: orderIdOf(c),
    redeemBy: form.values["redeem_by"] ? lastDayOf(form, c.get("nowMs")) : null,
  }),
  done: extendedText,
};
