// Cancels orders and single gifts, for clients and for the operator.
import { ApiError, validationError } from "../../core/api-error.ts";
import type { Database } from "../../platform/db/sql.ts";
import { orderNumber, toGiftId, toGiftNumber } from "../../core/values/ids.ts";
import { shortList } from "../../core/values/plural.ts";
import type { OrderKey } from "./order-key.ts";
import { endGifts, type EndingOutcome, type EndingRequest } from "./end.ts";
import { type OrderGift, type OrderState, waivedBy } from "./queries.ts";

export interface Cancellation
  extends
    OrderKey,
    Pick<EndingRequest, "giftIds" | "withRedeemed" | "undelivered" | "requestId" | "nowMs"> {}

/** The order after a cancellation. */
export interface Cancelled extends EndingOutcome {
  /** The named gifts, otherwise all gifts of the order. */
  gifts: OrderGift[];
  /** The refund of `ended`, in minor units. */
  returnedMinor: number;
}

/**
 * Cancels the named gifts, or the order with all its open gifts, and returns their stock and credit. A gift or an order
 * that is cancelled already is not refused, so the request is safe to repeat. With `withRedeemed`, redeemed gifts that are
 * not shipped are cancelled too, and with `undelivered` those whose parcel is returned or failed, also in an order that was
 * cancelled before. Errors: `not_found`, `not_cancellable`, `validation_error`, and then nothing has changed. One round
 * trip.
 */
export async function cancel(db: Database, cancellation: Cancellation): Promise<Cancelled> {
  const outcome = await endGifts(db, { ...cancellation, kind: "cancel" });
  const { order, ended } = outcome;
  const { giftIds } = cancellation;
  // Gifts that have ended are no obstacle, so these checks pass after a successful cancellation.
  if (!giftIds && order.status !== "cancieled")
    throw notCancellable(orderNumber(order.id), reasonOf(order));
  return {
    ...outcome,
    gifts: giftIds ? requireCancellable(order, giftIds, cancellation) : order.gifts,
    returnedMinor: ended.reduce((sum, { refundedMinor }) => sum + refundedMinor, 0),
  };
}

const notCancellable = (subject: string, reason: string) =>
  new ApiError("not_cancellable", `${subject} cannot be cancelled, because ${reason}.`);

function reasonOf({ status, gifts }: OrderState): string {
  const [obstacle, ...others] = new Set(gifts.map((gift) => gift.obstacle));
  if (status === "failed") return "it has failed";
  if (others.length === 0 && (obstacle === "redeemed" || obstacle === "shipped"))
    return `all its gifts are ${obstacle}`;
  return "none of its gifts is open";
}

/** Why gifts cannot be cancelled. `are` begins the reason, such as `they are`. Null for those that have ended already. */
const reasonOfGifts = (are: string): Record<NonNullable<OrderGift["obstacle"]>, string | null> => ({
  redeemed: `${are} redeemed`,
  shipped: `${are} shipped`,
  undelivered: `${are} returned or failed`,
  orderFailed: "the order has failed",
  orderCancelled: "the order is cancelled",
  ended: null,
});

/** The named gifts. Errors: `validation_error` for gifts of other orders, `not_cancellable`. */
export function requireCancellable(
  order: OrderState,
  giftIds: number[],
  request: Parameters<typeof waivedBy>[0],
): OrderGift[] {
  const known = new Set(order.gifts.map(({ sequence }) => toGiftId(order.id, sequence)));
  const message = `must be a sub-order of ${orderNumber(order.id)}`;
  const unknown = giftIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `suborder_ids[${String(index)}]`, message }],
  );
  if (unknown.length > 0) throw validationError(unknown);

  const named = order.gifts.filter(({ sequence }) =>
    giftIds.includes(toGiftId(order.id, sequence)),
  );
  const byObstacle = Map.groupBy(named, ({ obstacle }) => obstacle ?? "ended");
  for (const [obstacle, gifts] of byObstacle) {
    const reason = reasonOfGifts(gifts.length === 1 ? "it is" : "they are")[obstacle];
    if (reason === null || waivedBy(request).includes(obstacle)) continue;
    throw notCancellable(numbersOf(order, gifts), `${reason}. Nothing was changed`);
  }
  return named;
}

const MAX_NUMBERS = 10;

/** `GO-00042-1, GO-00042-2`, at most ten of them. */
export const numbersOf = (
  { id }: Pick<OrderState, "id">,
  gifts: Pick<OrderGift, "sequence">[],
): string =>
  shortList(
    gifts.map(({ sequence }) => toGiftNumber(id, sequence)),
    MAX_NUMBERS,
  );
