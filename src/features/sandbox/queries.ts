// The statements that find gifts and insert events of products for the sandbox controls.
import { splitGiftId } from "../../core/values/ids.ts";
import { type Parsed, parseJson } from "../../platform/db/columns.ts";
import { type Database, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import { gift, order, revision } from "../../platform/db/tables.ts";
import { INSERT_EVENT, nextSequenceOf } from "../events/queries.ts";
import { STATE_COLUMNS } from "../lifecycle/gift-state.ts";
import { JOIN_RECEIVED_REVISION } from "../orders/queries.ts";

const COLUMNS = {
  ...STATE_COLUMNS,
  ...gift("orderId", "sequence", "deliveryAddress", "deliveryNotes"),
  offeredVariationId: order("variationId").variationId,
  ...order("baseLocation", "giftOrderMethod"),
  nonce: order("linkNonce").linkNonce,
  ...revision("delivery"),
};

/** A gift, with the columns that identify its present link and prefill its page. */
export type ClientGift = Parsed<RowOf<typeof COLUMNS>>;

const SELECT_CLIENT_GIFT = sql<{ clientId: string; orderId: number; sequence: number }>()`
  SELECT ${COLUMNS}
  FROM gifts s JOIN orders o ON o.id = s.order_id ${JOIN_RECEIVED_REVISION}
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND o.client_id = ${"clientId"}`;

/** The client's gift with this id, or null. One round trip. */
export async function findClientGift(
  db: Database,
  clientId: string,
  giftId: number,
): Promise<ClientGift | null> {
  const row = await SELECT_CLIENT_GIFT.first(db, { clientId, ...splitGiftId(giftId) });
  return row && { ...row, deliveryAddress: parseJson(row.deliveryAddress) };
}

interface NewEvent {
  clientId: string;
  productId: number;
  type: string;
  nowMs: number;
}

const INSERT_PRODUCT_EVENT = sql<NewEvent, { sequence: number }>()`
  ${INSERT_EVENT}
  SELECT c.id, ${nextSequenceOf(fragment`c.id`)}, ${"type"}, NULL, NULL,
    json_object('productId', e.product_id), ${"nowMs"}
  FROM clients c JOIN catalogues l ON l.id = c.catalogue_id
  JOIN catalogue_entries e ON e.catalogue_id = l.id AND e.version = l.version
    AND e.product_id = ${"productId"}
  WHERE c.id = ${"clientId"}
  RETURNING sequence`;

/** False if the client's catalogue has no such product. One round trip. */
export async function insertProductEvent(db: Database, event: NewEvent): Promise<boolean> {
  return (await INSERT_PRODUCT_EVENT.first(db, event)) !== null;
}
