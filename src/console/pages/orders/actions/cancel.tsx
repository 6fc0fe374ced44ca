// The pages that cancel an order or a gift.
import { orderNumber, splitSuborderId } from "../../../../core/values/ids.ts";
import { amountWithCode } from "../../../../core/values/money.ts";
import { numbersOf } from "../../../../features/lifecycle/cancel.ts";
import { CANCEL_ORDER, type OrderCancelled } from "../../../../operator/lifecycle/cancel-order.ts";
import type { ActionOf } from "../../../actions/action.ts";
import type { SubmittedForm } from "../../../router.ts";
import { GIFT_ACTIONS } from "../../../texts/gifts.ts";
import { CANCEL, ORDER_ACTIONS } from "../../../texts/orders.ts";
import { giftIdOf, giftTarget } from "../gift-target.ts";
import { orderIdOf, orderTarget } from "../order-target.ts";

const COMMON = {
  permission: "gifts",
  change: CANCEL_ORDER,
  isFinal: true,
  fields: () => [
    {
      name: "redeemed",
      type: "checkbox" as const,
      label: CANCEL.redeemed,
      hint: CANCEL.redeemedHint,
    },
  ],
  done: (outcome: OrderCancelled) => <Cancelled outcome={outcome} />,
} as const;

const isRedeemedToo = ({ values }: SubmittedForm) => values["redeemed"] !== undefined;

export const cancelOrder: ActionOf<typeof CANCEL_ORDER> = {
  ...COMMON,
  title: ORDER_ACTIONS.cancel,
  target: orderTarget,
  input: (form, c) => ({
    orderId: orderIdOf(c),
    suborderIds: null,
    withRedeemed: isRedeemedToo(form),
  }),
};

export const cancelGift: ActionOf<typeof CANCEL_ORDER> = {
  ...COMMON,
  title: GIFT_ACTIONS.cancel,
  target: giftTarget,
  input: (form, c) => {
    const giftId = giftIdOf(c);
    const { orderId } = splitSuborderId(giftId);
    return { orderId, suborderIds: [giftId], withRedeemed: isRedeemedToo(form) };
  },
};

function Cancelled({
  outcome: { order, ended, returnedMinor, redeemed, shipped },
}: {
  outcome: OrderCancelled;
}) {
  const amount = (minor: number) => amountWithCode(minor, order.currency);
  const { refundedMinor, owedMinor } = order;
  const gifts = (label: string, some: OrderCancelled["ended"]) =>
    some.length > 0 && (
      <p>
        {label} {numbersOf(order, some)}.
      </p>
    );
  return (
    <>
      {gifts(CANCEL.cancelled, ended)}
      {refundedMinor > 0 && <p>{CANCEL.returned(amount(returnedMinor), amount(refundedMinor))}</p>}
      {owedMinor !== null && owedMinor < 0 && <p>{CANCEL.owed(amount(-owedMinor))}</p>}
      {gifts(CANCEL.redeemedKept, redeemed)}
      {gifts(CANCEL.shippedKept, shipped)}
      {order.status === "cancieled" && <p>{CANCEL.orderCancelled(orderNumber(order.id))}</p>}
    </>
  );
}
