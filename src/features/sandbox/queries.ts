// The statement that finds the gifts of the sandbox controls.
import type { Address } from "../../platform/db/schema.ts";
import { type Database, statement } from "../../platform/db/statement.ts";
import type { Order, SubOrder } from "../orders/order.ts";
import { splitSuborderId } from "../../core/values/ids.ts";

/** A gift, with the columns that identify its present link and prefill its page. */
export interface ClientGift extends Pick<SubOrder, "sequence" | "redemptionStatus"> {
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

type ClientGiftRow = Omit<ClientGift, "deliveryAddress"> & { deliveryAddress: string | null };

const SELECT_CLIENT_GIFT = statement<
  { clientId: string; orderId: number; sequence: number },
  ClientGiftRow
>()`
  SELECT s.order_id AS orderId, s.sequence, s.redemption_status AS redemptionStatus,
    o.status AS orderStatus, o.link_nonce AS nonce, s.link_generation AS generation,
    o.variation_id AS offeredVariationId, o.base_location AS baseLocation,
    s.delivery_address AS deliveryAddress
  FROM sub_orders s JOIN orders o ON o.id = s.order_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND o.client_id = ${"clientId"}`;

/** The client's gift with this sub-order id, or null. One round trip. */
export async function findClientGift(
  db: Database,
  clientId: string,
  suborderId: number,
): Promise<ClientGift | null> {
  const row = await SELECT_CLIENT_GIFT.first(db, { clientId, ...splitSuborderId(suborderId) });
  if (!row) return null;
  const { deliveryAddress } = row;
  return {
    ...row,
    deliveryAddress: deliveryAddress === null ? null : (JSON.parse(deliveryAddress) as Address),
  };
}
