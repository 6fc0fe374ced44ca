// Cancels orders and single gifts, for clients and for the operator.
import { ApiError, validationError } from "../../core/api-error.ts";
import type { Database } from "../../platform/db/statement.ts";
import { orderNumber, suborderId, suborderNumber } from "../../core/values/ids.ts";
import type { OrderKey } from "./order-key.ts";
import { endGifts, type EndingOutcome, type EndingRequest } from "./end.ts";
import type { OrderGift, OrderState } from "./queries.ts";
import { refundOf } from "./refund.ts";

export interface Cancellation
  extends OrderKey, Pick<EndingRequest, "suborderIds" | "withRedeemed" | "requestId" | "nowMs"> {}

/** The order after a cancellation. */
export interface Cancelled extends EndingOutcome {
  /** The named gifts, otherwise all gifts of the order. */
  gifts: OrderGift[];
  /** The refund of `ended`, in minor units. */
  returnedMinor: number;
}

/**
 * Cancels the named gifts, or the order with all its open gifts, and returns their stock and credit. Returns the reason
 * if the cancellation is refused, and then nothing has changed. A gift or an order that is cancelled already is not
 * refused, so the request is safe to repeat. With `withRedeemed`, redeemed gifts that are not shipped are cancelled too,
 * also those of an order that was cancelled before. One round trip, two for such an order.
 */
export async function cancel(
  db: Database,
  cancellation: Cancellation,
): Promise<Cancelled | ApiError> {
  let outcome = await endGifts(db, { ...cancellation, kind: "cancel" });
  const { suborderIds, withRedeemed = false } = cancellation;
  if (withRedeemed && outcome?.changed === false && outcome.order.status === "cancieled") {
    outcome = await endGifts(db, { ...cancellation, kind: "cancelRest" });
  }
  if (!outcome) return new ApiError("not_found", "You have no such order.");
  const { order, ended, changed } = outcome;
  const refusal = suborderIds
    ? refusalOfGifts(order, suborderIds, withRedeemed)
    : refusalOfOrder(order, withRedeemed);
  if (refusal) return refusal;
  const endedBefore = order.cancelledGifts + order.expiredGifts - ended.length;
  return {
    order,
    gifts: suborderIds ? namedGifts(order, suborderIds) : order.gifts,
    ended,
    changed,
    returnedMinor: refundOf(order, endedBefore, ended.length),
  };
}

function refusalOfOrder({ id, status, gifts }: OrderState, withRedeemed: boolean): ApiError | null {
  if (status === "cancieled") return null;
  const reason =
    status === "failed"
      ? "it has failed"
      : !withRedeemed && gifts.every(({ redemptionStatus }) => redemptionStatus === "redeemed")
        ? "all its gifts are redeemed"
        : gifts.every(({ hasShipment }) => hasShipment)
          ? "all its gifts are shipped"
          : "none of its gifts is open";
  return new ApiError(
    "not_cancellable",
    `${orderNumber(id)} cannot be cancelled, because ${reason}.`,
  );
}

function refusalOfGifts(
  order: OrderState,
  suborderIds: number[],
  withRedeemed: boolean,
): ApiError | null {
  const known = new Set(order.gifts.map(({ sequence }) => suborderId(order.id, sequence)));
  const unknown = suborderIds.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            field: `suborder_ids[${String(index)}]`,
            message: `must be a sub-order of ${orderNumber(order.id)}`,
          },
        ],
  );
  if (unknown.length > 0) return validationError(unknown);

  const named = namedGifts(order, suborderIds);
  const refuse = (refused: OrderGift[], reason: string) =>
    new ApiError(
      "not_cancellable",
      `${numbersOf(order, refused)} cannot be cancelled, because ${reason}. Nothing was changed.`,
    );
  const redeemed = named.filter(({ redemptionStatus }) => redemptionStatus === "redeemed");
  if (redeemed.length > 0 && !withRedeemed) {
    return refuse(redeemed, redeemed.length === 1 ? "it is redeemed" : "they are redeemed");
  }
  const shipped = named.filter(({ hasShipment }) => hasShipment);
  if (shipped.length > 0) {
    return refuse(shipped, shipped.length === 1 ? "it is shipped" : "they are shipped");
  }
  // Orders of the online store that have failed or were cancelled may have open gifts.
  const open = [...named.filter(({ redemptionStatus }) => redemptionStatus === null), ...redeemed];
  if (open.length === 0) return null;
  return refuse(open, `the order ${order.status === "failed" ? "has failed" : "is cancelled"}`);
}

function namedGifts({ id, gifts }: OrderState, suborderIds: number[]): OrderGift[] {
  const named = new Set(suborderIds);
  return gifts.filter(({ sequence }) => named.has(suborderId(id, sequence)));
}

const MAX_NUMBERS = 10;

/** `GO-00042-1, GO-00042-2`, at most ten of them. */
export function numbersOf(
  { id }: Pick<OrderState, "id">,
  gifts: Pick<OrderGift, "sequence">[],
): string {
  const numbers = gifts.slice(0, MAX_NUMBERS).map(({ sequence }) => suborderNumber(id, sequence));
  const more = gifts.length - numbers.length;
  return numbers.join(", ") + (more > 0 ? ` and ${String(more)} more` : "");
}
