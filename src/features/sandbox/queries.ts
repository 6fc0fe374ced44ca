// The statement that finds the gifts of the sandbox controls.
import { splitSuborderId } from "../../core/values/ids.ts";
import { columnsOf, type Parsed, parseJson } from "../../platform/db/columns.ts";
import type { Orders, SubOrders } from "../../platform/db/schema.ts";
import { type Database, type RowOf, statement } from "../../platform/db/statement.ts";
import { STATE_COLUMNS } from "../lifecycle/gift-state.ts";

const o = columnsOf<Orders>("o");
const s = columnsOf<SubOrders>("s");

const COLUMNS = {
  ...STATE_COLUMNS,
  ...s("orderId", "sequence", "deliveryAddress", "deliveryNotes"),
  offeredVariationId: o("variationId").variationId,
  ...o("baseLocation"),
  nonce: o("linkNonce").linkNonce,
};

/** A gift, with the columns that identify its present link and prefill its page. */
export type ClientGift = Parsed<RowOf<typeof COLUMNS>>;

const SELECT_CLIENT_GIFT = statement<{ clientId: string; orderId: number; sequence: number }>()`
  SELECT ${COLUMNS}
  FROM sub_orders s JOIN orders o ON o.id = s.order_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND o.client_id = ${"clientId"}`;

/** The client's gift with this sub-order id, or null. One round trip. */
export async function findClientGift(
  db: Database,
  clientId: string,
  suborderId: number,
): Promise<ClientGift | null> {
  const row = await SELECT_CLIENT_GIFT.first(db, { clientId, ...splitSuborderId(suborderId) });
  return row && { ...row, deliveryAddress: parseJson(row.deliveryAddress) };
}
