// The statements that swap an accepted gift for another product.
import { LOOK_NOW } from "../../features/events/subject-queries.ts";
import { bindEnding, type Ending } from "../../features/lifecycle/queries.ts";
import { bindOrder, type NewOrder } from "../../features/orders/queries.ts";
import { constraintOf } from "../../platform/db/constraint.ts";
import { type Database, fragment, sql } from "../../platform/db/sql.ts";

const SELECT_NAME = sql<{ productId: number; revision: string }, { name: string }>()`
  SELECT content ->> '$.name' AS name FROM product_revisions
  WHERE product_id = ${"productId"} AND revision = ${"revision"}`;

/** The product's name in this revision. One round trip. */
export const readProductName = async (db: Database, productId: number, revision: string) =>
  (await SELECT_NAME.first(db, { productId, revision }))?.name ?? `product ${String(productId)}`;

interface SwapKey {
  orderId: number;
  endingId: string;
  clientId: string;
  orderRefId: string;
}

// A set that is restricted to its own orders has the new one too. Its limits do not count it.
const KEEP_CREDENTIAL_SET = sql<SwapKey>()`
  UPDATE orders SET credential_id = (SELECT o.credential_id FROM orders o WHERE o.id = ${"orderId"})
  WHERE client_id = ${"clientId"} AND order_ref_id = ${"orderRefId"} AND placement_id = ${"endingId"}`;

/** The id of the new order, which has one gift. */
const NEW_ORDER = fragment`
  (SELECT id FROM orders WHERE client_id = ${"clientId"} AND order_ref_id = ${"orderRefId"}
    AND placement_id = ${"endingId"})`;

const NAME_NEW_GIFT = sql<SwapKey>()`
  UPDATE gifts SET swapped_to = ${NEW_ORDER} * 1000 + 1
  WHERE order_id = ${"orderId"} AND ending_id = ${"endingId"}`;

// The recipient gets an e-mail, unless the e-mails about the first gift are stopped.
const NAME_OLD_GIFT = sql<SwapKey & { nowMs: number }>()`
  UPDATE gifts AS n SET swapped_from = w.gift, emails_stopped = w.emails_stopped, next_email_ms = ${LOOK_NOW}
  FROM (SELECT s.order_id * 1000 + s.sequence AS gift, s.emails_stopped FROM gifts s
    WHERE s.order_id = ${"orderId"} AND s.ending_id = ${"endingId"}) w
  WHERE n.order_id = ${NEW_ORDER} AND n.sequence = 1`;

// The last statement. Unless the gift has ended and the order is placed, the constraint `changes_are_current` fails, and the
// transaction is rolled back.
const REQUIRE_BOTH = sql<SwapKey>()`
  UPDATE orders AS o SET updated_at_ms = iif(
    EXISTS (SELECT 1 FROM gifts s WHERE s.order_id = o.id AND s.ending_id = ${"endingId"})
      AND EXISTS (SELECT 1 FROM orders n WHERE n.client_id = ${"clientId"}
        AND n.order_ref_id = ${"orderRefId"} AND n.placement_id = ${"endingId"}),
    o.updated_at_ms, -1)
  WHERE o.id = ${"orderId"}`;

/** Ends the gift and places the order, or changes nothing and returns false. One transaction, one round trip. */
export async function writeSwap(
  db: Database,
  orderId: number,
  ending: Ending,
  order: NewOrder,
): Promise<boolean> {
  const { endingId } = ending;
  const { clientId, orderRefId } = order;
  const key = { orderId, endingId, clientId, orderRefId };
  try {
    await db.batch([
      ...Object.values(bindEnding(db, ending)),
      ...bindOrder(db, order),
      KEEP_CREDENTIAL_SET.bind(db, key),
      NAME_NEW_GIFT.bind(db, key),
      NAME_OLD_GIFT.bind(db, { ...key, nowMs: ending.nowMs }),
      REQUIRE_BOTH.bind(db, key),
    ]);
    return true;
  } catch (error) {
    if (constraintOf(error) === "changes_are_current") return false;
    throw error;
  }
}
