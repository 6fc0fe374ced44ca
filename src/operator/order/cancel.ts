// Cancels an order, or some of its gifts.
import { refusal, validationError } from "../../core/api-error.ts";
import { orderNumber, splitGiftId, toGiftId } from "../../core/values/ids.ts";
import { amountText } from "../../core/values/money.ts";
import { plural } from "../../core/values/plural.ts";
import { cancel, numbersOf, requireCancellable } from "../../features/lifecycle/cancel.ts";
import {
  type Ending,
  type OrderGift,
  type OrderState,
  waivedBy,
} from "../../features/lifecycle/queries.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";
import { statusLabel } from "../../features/orders/status-label.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { requireOrder } from "./queries.ts";

const ADVICE =
  " Accepted gifts, and gifts with an undelivered parcel, are cancelled only if you choose to.";

type Ends = Pick<Ending, "giftIds" | "withRedeemed" | "undelivered">;

/** Cancels open gifts, and returns their stock and credit. One transaction. */
export const orderCancel = change({
  name: "order cancel",
  title: "Cancel gifts",
  description:
    "Cancels all open gifts of the order, or the named ones, and returns their stock and credit. To correct an address instead, correct the recipient.",
  permission: "gifts",
  isFinal: true,
  input: {
    order: kinds.order("Order"),
    gift: kinds.optional(
      kinds.many(kinds.gift("Gifts", { hint: "Without any, all open gifts of the order." })),
    ),
    redeemed: kinds.withDefault(
      kinds.flag("Accepted gifts too", {
        hint: "Such as gifts that cannot be delivered. Only gifts that are not shipped. Their thank-you notes are deleted.",
      }),
      false,
    ),
    undelivered: kinds.optional(
      kinds.choice("Gifts with a returned or failed parcel too", ["restock", "write-off"], {
        hint: "restock: their pieces return to the stock. write-off: they do not.",
      }),
    ),
    keep_shipping: kinds.withDefault(
      kinds.flag("Keep the shipping cost", {
        hint: "Of returned and failed parcels. It is then not refunded.",
      }),
      false,
    ),
  },
  examples: [
    'GO-00042 --reason "Ticket 7"',
    'GO-00042 GO-00042-1 GO-00042-3 --redeemed --reason "Ticket 7"',
    'GO-00042 GO-00042-2 --undelivered write-off --keep-shipping --reason "Ticket 7"',
  ],
  result: {
    facts: {
      order: kinds.order("Order"),
      status: kinds.status("Status"),
      refunded: kinds.money("Refunded"),
      refunded_in_total: kinds.money("Refunded in total"),
      to_be_paid: kinds.money("To be paid"),
      to_be_refunded: kinds.money("To be refunded"),
    },
    lists: {
      gifts: {
        title: "Gifts",
        columns: { gift: kinds.gift("Gift"), result: kinds.text("Result") },
      },
    },
  },
  present: async ({ DB }, { order: orderId = 0, gift }) => {
    const order = await requireOrder(DB, orderId);
    const giftIds = gift ?? null;
    const obstacles = requireGifts(order, { giftIds, ...ON_CHOICE }).map((each) => each.obstacle);
    return { redeemed: !obstacles.includes(null) && obstacles.includes("redeemed") };
  },
  plan: async ({ DB }, { order: orderId, gift, redeemed: withRedeemed, ...input }) => {
    const keepsShipping = input.keep_shipping;
    if (keepsShipping && input.undelivered === undefined)
      throw validationError([{ field: "keep_shipping", message: "needs undelivered" }]);
    const restocks = input.undelivered === "restock";
    const undelivered = input.undelivered && { restocks, keepsShipping };
    const order = await requireOrder(DB, orderId);
    const giftIds = gift === undefined ? null : [...new Set(gift)];
    const cancellation = { orderId, giftIds, withRedeemed, undelivered };
    requireGifts(order, cancellation);
    return {
      cancellation,
      will: describe(order, cancellation),
      subjects: [
        { type: "order", keys: [orderId] },
        { type: "gift", keys: giftIds ?? [] },
      ],
    };
  },
  run: async ({ DB, nowMs }, { cancellation }) => {
    const { orderId, ...ends } = cancellation;
    const request = { ...operatorKey(orderId), ...ends, requestId: crypto.randomUUID(), nowMs };
    const { order, changed, ended, returnedMinor, gifts } = await cancel(DB, request);
    const { id, currency, owedMinor, refundedMinor, status } = order;
    if (!changed) {
      const subject = ends.giftIds
        ? "these gifts are cancelled or expired"
        : `${orderNumber(id)} is ${statusLabel(status)}`;
      throw refusal(`${subject} already. Nothing was changed.`);
    }
    const money = (minor: number) => ({ minor, currency });
    const kept = gifts.filter(({ obstacle }) => obstacle !== null && obstacle !== "ended");
    return {
      text: [
        ...(ended.length > 0 ? [`Cancelled: ${numbersOf(order, ended)}.`] : []),
        ...(status === "cancieled" ? [`${orderNumber(id)} is cancelled.`] : []),
      ].join(" "),
      facts: {
        order: id,
        status,
        refunded: refundedMinor > 0 ? money(returnedMinor) : null,
        refunded_in_total: refundedMinor > 0 ? money(refundedMinor) : null,
        to_be_paid: owedMinor !== null && owedMinor > 0 ? money(owedMinor) : null,
        to_be_refunded: owedMinor !== null && owedMinor < 0 ? money(-owedMinor) : null,
      },
      lists: {
        gifts: [
          ...ended.map(({ sequence }) => ({ gift: toGiftId(id, sequence), result: "cancelled" })),
          ...kept.map(({ sequence, obstacle }) => ({
            gift: toGiftId(id, sequence),
            result: `${String(obstacle)}, unchanged`,
          })),
        ],
      },
    };
  },
});

/** The gifts that the cancellation ends. */
const giftsToEnd = ({ id, gifts }: OrderState, { giftIds, ...waiver }: Ends) =>
  gifts.filter(
    ({ sequence, obstacle }) =>
      (obstacle === null || waivedBy(waiver).includes(obstacle)) &&
      (giftIds?.includes(toGiftId(id, sequence)) ?? true),
  );

/** The accepted and undelivered gifts that are cancelled only if the operator chooses to. */
const ON_CHOICE = { withRedeemed: true, undelivered: { restocks: false, keepsShipping: false } };

/** Errors: `validation_error` for gifts of other orders, `not_cancellable`, and `not_allowed_in_state` if none is left. */
function requireGifts(order: OrderState, cancellation: Ends) {
  const { giftIds } = cancellation;
  const number = orderNumber(order.id);
  if (giftIds?.some((id) => splitGiftId(id).orderId !== order.id)) {
    throw validationError([{ field: "gift", message: `must be gifts of ${number}` }]);
  }
  const found = giftsToEnd(order, cancellation);
  if (found.length > 0) {
    if (giftIds) requireCancellable(order, giftIds, cancellation);
    return found;
  }
  const gifts = giftIds ? "these gifts" : "its gifts";
  throw refusal(
    `${number} is ${statusLabel(order.status)}, and none of ${gifts} can be cancelled.` +
      (giftsToEnd(order, { giftIds, ...ON_CHOICE }).length > 0 ? ADVICE : ""),
  );
}

function describe(order: OrderState, cancellation: Ends): string {
  const { giftIds, withRedeemed, undelivered } = cancellation;
  const { id, clientId, status, currency, owedMinor } = order;
  const named = giftIds?.map(splitGiftId);
  const gifts = giftsToEnd(order, cancellation);
  const countOf = (wanted: OrderGift["obstacle"]) =>
    gifts.filter(({ obstacle }) => obstacle === wanted).length;
  const minor = gifts.map(({ obstacle, refundMinor, shippingMinor }) =>
    obstacle === "undelivered" && undelivered?.keepsShipping
      ? Math.max(0, refundMinor - shippingMinor)
      : refundMinor,
  );
  const backMinor = minor.reduce((sum, each) => sum + each, 0);
  const amount = amountText(backMinor, currency);
  const consequence =
    owedMinor === null
      ? `and return ${amount} of credit`
      : status === "created"
        ? `and reduce the unpaid amount by ${amount}`
        : `after which ${amount} must be refunded`;
  return (
    `cancel ${named || countOf(null) === 1 ? "" : "all "}${plural(countOf(null), "open gift")}` +
    (withRedeemed ? ` and ${plural(countOf("redeemed"), "accepted gift")}` : "") +
    (undelivered
      ? ` and ${plural(countOf("undelivered"), "gift")} with an undelivered parcel (${undelivered.restocks ? "back to the stock" : "written off"})`
      : "") +
    (named ? ` (${numbersOf(order, named)})` : "") +
    ` of order ${orderNumber(id)} of ${clientId}` +
    (backMinor === 0 ? "" : `, ${consequence}`)
  );
}
