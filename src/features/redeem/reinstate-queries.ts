// The statements that open a declined or expired gift again, and take its stock and credit again.
import { STOCK_KIND } from "../catalogue/stock-kind.ts";
import { insertInvoiceEntry } from "../credit/invoice-queries.ts";
import { changeBalance, insertCreditEntry } from "../credit/queries.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { REINSTATEMENT_OBSTACLE } from "../fulfilment/obstacles.ts";
import { ORDER_UPDATED_AT, REINSTATED_SHARE } from "../lifecycle/queries.ts";
import { GIFT_EXPIRY, INVITE_AT } from "../schedule/queries.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { Gifts, Orders } from "../../platform/db/schema.ts";
import { type Database, expression, fragment, sql } from "../../platform/db/sql.ts";

interface ReinstatedKey {
  orderId: number;
  sequence: number;
  /** Unique for each attempt. The other statements of the batch select the gift by it. */
  reinstatementId: string;
}

interface TimedKey extends ReinstatedKey {
  /** The new end of an expired gift. Null for a declined one. */
  expiresAtMs: number | null;
  nowMs: number;
}

export interface Reinstatement extends TimedKey {
  /** The gift may have been reinstated and declined again since it was read. */
  declinedAtMs: number | null;
}

// The outbox corrects the next e-mail, if the invitation was sent.
const REINSTATE = sql<Reinstatement>()`
  UPDATE gifts AS s SET redemption_status = NULL, declined_at_ms = NULL, ending_id = ${"reinstatementId"},
    decline_is_free = coalesce(s.decline_is_free, 1), expires_at_ms = coalesce(${"expiresAtMs"}, s.expires_at_ms),
    next_email = iif(${INVITE_AT} IS NULL, NULL, 'invitation'), next_email_ms = ${INVITE_AT}
  FROM orders o JOIN clients c ON c.id = o.client_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND o.id = s.order_id
    AND s.declined_at_ms IS ${"declinedAtMs"} AND (${REINSTATEMENT_OBSTACLE}) IS NULL`;

/** The gift that REINSTATE has opened in this batch. */
const REINSTATED = fragment`
  FROM gifts s JOIN orders o ON o.id = s.order_id AND s.order_id = ${"orderId"}
    AND s.sequence = ${"sequence"} AND s.ending_id = ${"reinstatementId"}`;

const TAKE_STOCK = sql<ReinstatedKey>()`
  UPDATE stock SET quantity = quantity - 1 ${REINSTATED}
  WHERE stock.product_id = s.product_id AND stock.variation_id = coalesce(s.variation_id, 0)
    AND o.took_stock = ${STOCK_KIND} AND stock.quantity IS NOT NULL`;

/** The entries of the refund are reversed by entries of the same kind. */
const ENTRY_KIND = fragment`iif(${"expiresAtMs"} IS NULL, 'cancellation', 'expiry')`;

const INSERT_INVOICE_ENTRY = sql<TimedKey>()`
  ${insertInvoiceEntry(fragment`
    SELECT o.client_id, o.currency, ${ENTRY_KIND} AS kind, o.id AS order_id, ${REINSTATED_SHARE} AS amount_minor,
      o.owed_minor, NULL AS reference, ${"nowMs"} AS created_at_ms
    ${REINSTATED} WHERE o.owed_minor IS NOT NULL AND ${REINSTATED_SHARE} > 0`)}`;

/** What the account of the order's client pays, as a negative amount. No row if it pays nothing. */
const PAID = fragment`
  SELECT o.id AS order_id, o.client_id, o.currency, -${REINSTATED_SHARE} AS amount
  ${REINSTATED} WHERE o.debit_sequence IS NOT NULL AND ${REINSTATED_SHARE} > 0`;

const DEBIT_ACCOUNT = sql<ReinstatedKey>()`${changeBalance(PAID)}`;

const INSERT_REINSTATED_EVENT = sql<TimedKey>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'gift.reinstated', o.id, s.sequence,
    json_patch('{}', json_object('chargeMinor', s.refunded_minor,
      'expiresAtMs', ${"expiresAtMs"})), ${"nowMs"} ${REINSTATED}`;

const INSERT_LEDGER_ENTRY = sql<TimedKey>()`
  ${insertCreditEntry(ENTRY_KIND, PAID)}`;

// The cron handler computes the next check of the order.
const REOPEN_ORDER = sql<TimedKey>()`
  UPDATE orders AS o SET status = 'paid', finished = 0,
    cancelled_gifts = o.cancelled_gifts - (${"expiresAtMs"} IS NULL),
    expired_gifts = o.expired_gifts - (${"expiresAtMs"} IS NOT NULL),
    refunded_minor = o.refunded_minor - s.refunded_minor, owed_minor = o.owed_minor + s.refunded_minor,
    next_expiry_check_ms = iif(${GIFT_EXPIRY} IS NULL, o.next_expiry_check_ms, ${"nowMs"}),
    updated_at_ms = ${ORDER_UPDATED_AT}
  FROM (SELECT s.order_id, s.expires_at_ms, s.refunded_minor ${REINSTATED}) s WHERE o.id = s.order_id`;

const FORGET_REFUND = sql<ReinstatedKey>()`
  UPDATE gifts SET refunded_minor = 0 WHERE order_id = ${"orderId"} AND sequence = ${"sequence"}
    AND ending_id = ${"reinstatementId"}`;

const STATE = {
  obstacle: REINSTATEMENT_OBSTACLE,
  declinedAtMs: columnsOf<Gifts>("s")("declinedAtMs").declinedAtMs,
  ...columnsOf<Orders>("o")("currency", "owedMinor"),
  chargeMinor: expression<number>()`${REINSTATED_SHARE}`,
};

const SELECT_STATE = sql<Omit<TimedKey, "reinstatementId">>()`
  SELECT ${STATE} FROM gifts s JOIN orders o ON o.id = s.order_id JOIN clients c ON c.id = o.client_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"}`;

/** What opening the gift again depends on, and what it costs. Null if there is no such gift. One round trip. */
export const readReinstatement = (db: Database, gift: Omit<TimedKey, "reinstatementId">) =>
  SELECT_STATE.first(db, gift);

/** Opens the declined or expired gift again, unless there is an obstacle. One transaction, one round trip. */
export const writeReinstatement = (db: Database, gift: Reinstatement) =>
  db.batch([
    REINSTATE.bind(db, gift),
    TAKE_STOCK.bind(db, gift),
    INSERT_INVOICE_ENTRY.bind(db, gift),
    DEBIT_ACCOUNT.bind(db, gift),
    INSERT_REINSTATED_EVENT.bind(db, gift),
    REOPEN_ORDER.bind(db, gift),
    INSERT_LEDGER_ENTRY.bind(db, gift),
    FORGET_REFUND.bind(db, gift),
  ]);
