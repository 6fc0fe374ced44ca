// The statements that find the orders and gifts of the sandbox controls.
import type { Address } from "../db/schema.ts";
import { type Database, statement } from "../db/statement.ts";
import type { Order, SubOrder } from "../orders/order.ts";
import { splitSuborderId } from "../values/ids.ts";

const SELECT_ORDER_ID = statement<{ clientId: string; orderRefId: string }, { id: number }>()`
  SELECT id FROM orders WHERE client_id = ${"clientId"} AND order_ref_id = ${"orderRefId"}`;

/** The id of the client's order with this reference, or null. One round trip. */
export async function findOrderId(
  db: Database,
  clientId: string,
  orderRefId: string,
): Promise<number | null> {
  return (await SELECT_ORDER_ID.first(db, { clientId, orderRefId }))?.id ?? null;
}

/** A gift, with the columns that identify its present link and prefill its page. */
export interface LinkedGift extends Pick<SubOrder, "sequence" | "redemptionStatus"> {
  orderId: number;
  orderStatus: Order["status"];
  /** Null for an order without links. */
  nonce: string | null;
  generation: number;
  offeredVariationId: number | null;
  baseLocation: string;
  /** Null if the order has no address for this recipient. */
  deliveryAddress: Address | null;
}

type LinkedGiftRow = Omit<LinkedGift, "deliveryAddress"> & { deliveryAddress: string | null };

const SELECT_LINKED_GIFT = statement<
  { clientId: string; orderId: number; sequence: number },
  LinkedGiftRow
>()`
  SELECT s.order_id AS orderId, s.sequence, s.redemption_status AS redemptionStatus,
    o.status AS orderStatus, o.link_nonce AS nonce, s.link_generation AS generation,
    o.variation_id AS offeredVariationId, o.base_location AS baseLocation,
    s.delivery_address AS deliveryAddress
  FROM sub_orders s JOIN orders o ON o.id = s.order_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND o.client_id = ${"clientId"}`;

/** The client's gift with this sub-order id, or null. One round trip. */
export async function findLinkedGift(
  db: Database,
  clientId: string,
  suborderId: number,
): Promise<LinkedGift | null> {
  const row = await SELECT_LINKED_GIFT.first(db, { clientId, ...splitSuborderId(suborderId) });
  if (!row) return null;
  const { deliveryAddress } = row;
  return {
    ...row,
    deliveryAddress: deliveryAddress === null ? null : (JSON.parse(deliveryAddress) as Address),
  };
}
