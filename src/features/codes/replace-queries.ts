// The statements that replace the code of a gift.
import { batch, type Database, fragment, sql } from "../../platform/db/sql.ts";
import {
  CODE_OBSTACLE,
  CODE_OF_GIFT,
  ENTITLED,
  GIFTS_OF_ORDER,
  HAS_CODE,
  OWED,
  type OwedGifts,
  sendOwedCodes,
} from "./bind-queries.ts";

type Gift = Omit<OwedGifts, "nowMs">;

const SELECT_CODE = sql<Gift, { codeId: number | null }>()`
  SELECT (SELECT c.id ${CODE_OF_GIFT}) AS codeId, ${{ obstacle: CODE_OBSTACLE }} ${GIFTS_OF_ORDER}`;

/** The gift's code, null if none was valid when it became owed, and why it gets no other one. One round trip. */
export const findCodeToReplace = (db: Database, gift: Gift) => SELECT_CODE.first(db, gift);

type Replacement = OwedGifts & { codeId: number | null };

const VOID = sql<Replacement>()`
  UPDATE codes SET voided_at_ms = ${"nowMs"}, void_reason = 'replaced'
  WHERE id = ${"codeId"} AND voided_at_ms IS NULL AND EXISTS (SELECT 1 ${ENTITLED})`;

/** The gift, if its code is void now. */
const WITHOUT_CODE = fragment`${ENTITLED} AND s.fulfilment = 'shipped' AND NOT ${HAS_CODE}`;

const TAKE_STOCK = sql<Gift>()`
  UPDATE stock SET quantity = quantity - 1
  FROM (SELECT s.product_id, coalesce(s.variation_id, 0) AS variation_id ${WITHOUT_CODE} LIMIT 1) n
  WHERE stock.product_id = n.product_id AND stock.variation_id = n.variation_id`;

const UNMARK_SENT = sql<Gift>()`
  UPDATE gifts SET fulfilment = NULL FROM (SELECT s.order_id, s.sequence ${ENTITLED} AND NOT ${HAS_CODE}) n
  WHERE gifts.order_id = n.order_id AND gifts.sequence = n.sequence`;

// Violates `changes_are_current`.
const REQUIRE_CODE = sql<Gift>()`
  UPDATE orders SET updated_at_ms = -1 FROM (SELECT o.id AS order_id ${OWED}) n WHERE orders.id = n.order_id`;

/**
 * Makes the code void, and sends another one. Returns false if `codeId` is not the gift's code any more. If no valid code
 * is free, one of the constraints `stock_not_negative` and `changes_are_current` fails. One transaction, one round trip.
 */
export async function replaceCode(db: Database, replacement: Replacement): Promise<boolean> {
  const { sent } = await batch(db, {
    void: VOID.bind(db, replacement),
    stock: TAKE_STOCK.bind(db, replacement),
    unmarked: UNMARK_SENT.bind(db, replacement),
    ...sendOwedCodes(db, { ...replacement, attemptId: null }),
    code: REQUIRE_CODE.bind(db, replacement),
  });
  return sent.meta.changes > 0;
}
