// What happens to an order after it was placed: the operator's three verbs (decision 8). Each is one batch
// whose every statement asks for the state it starts from, so that of two at once one finds nothing to do.

export type Transition = "pay" | "fail" | "cancel";

const STEPS = {
  pay: { from: ["created"], to: "paid" },
  fail: { from: ["created"], to: "failed" },
  cancel: { from: ["created", "paid"], to: "cancieled" },
} as const;

export interface TransitionOutcome {
  /** False when the order was in no state that allows it: then nothing has happened. */
  changed: boolean;
  status: "failed" | "created" | "paid" | "cancieled";
  /** Recipients who have redeemed their gift. */
  redeemed: number;
  qty: number;
  currency: string;
  /** What a cancellation has ever returned to the client's account, in minor units. */
  returnedMinor: number;
}

const REDEEMED = `(SELECT count(*) FROM sub_orders
  WHERE order_id = o.id AND redemption_status = 'redeemed')`;

/** The order while it may still take this step. */
const OPEN = `o.id = ?1 AND o.status IN (SELECT value FROM json_each(?2))`;

/** Ending an order takes back what has not gone out: with everything redeemed there is nothing to end. */
const ENDABLE = `${OPEN} AND o.qty > ${REDEEMED}`;

/** What took no stock when it was placed returns none: orders of the store, and of what was not tracked then. */
const RETURN_STOCK = `
  UPDATE stock SET quantity = quantity + back.pieces
  FROM (SELECT s.product_id, coalesce(s.variation_id, 0) AS variation_id, count(*) AS pieces
    FROM orders o JOIN sub_orders s ON s.order_id = o.id AND s.redemption_status IS NULL
    WHERE ${ENDABLE} AND o.took_stock = 1
    GROUP BY s.product_id, coalesce(s.variation_id, 0)) back
  WHERE stock.product_id = back.product_id AND stock.variation_id = back.variation_id
    AND stock.quantity IS NOT NULL`;

/** What comes back of an order paid from credit: all, or the share of the gifts not redeemed (decision 30). */
const RETURNED = `
  SELECT o.id AS order_id, o.client_id, o.currency,
    o.order_total_minor * (o.qty - ${REDEEMED}) / o.qty AS amount
  FROM orders o JOIN credit_entries e ON e.order_id = o.id AND e.kind = 'order'
  WHERE ${ENDABLE}`;

const CREDIT_ACCOUNT = `
  UPDATE credit_accounts SET balance_minor = balance_minor + back.amount, entries = entries + 1
  FROM (${RETURNED}) back
  WHERE credit_accounts.client_id = back.client_id AND credit_accounts.currency = back.currency`;

const INSERT_LEDGER_ENTRY = `
  INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
    order_id, created_at_ms)
  SELECT a.client_id, a.currency, a.entries, 'cancellation', back.amount, a.balance_minor,
    back.order_id, ?3
  FROM (${RETURNED}) back
  JOIN credit_accounts a ON a.client_id = back.client_id AND a.currency = back.currency`;

const CLOSE_SUB_ORDERS = `
  UPDATE sub_orders SET redemption_status = 'cancelled'
  WHERE redemption_status IS NULL AND order_id IN (SELECT o.id FROM orders o WHERE ${ENDABLE})`;

const SELECT_OUTCOME = `
  SELECT o.status, o.qty, o.currency, ${REDEEMED} AS redeemed,
    coalesce((SELECT amount_minor FROM credit_entries
      WHERE order_id = o.id AND kind = 'cancellation'), 0) AS returnedMinor
  FROM orders o WHERE o.id = ?1`;

/**
 * Takes the step if the order's state allows it, exactly once; null when there is no such order. `fail` and
 * `cancel` return stock and credit of every gift that is not redeemed, and close those gifts; redeemed ones
 * have gone out and stay paid for.
 */
export async function transition(
  d1: D1Database,
  orderId: number,
  step: Transition,
  nowMs: number,
): Promise<TransitionOutcome | null> {
  const { from, to } = STEPS[step];
  const state = [orderId, JSON.stringify(from)];
  const ends = step !== "pay";
  const results = await d1.batch([
    ...(ends
      ? [
          d1.prepare(RETURN_STOCK).bind(...state),
          d1.prepare(CREDIT_ACCOUNT).bind(...state),
          d1.prepare(INSERT_LEDGER_ENTRY).bind(...state, nowMs),
          d1.prepare(CLOSE_SUB_ORDERS).bind(...state),
        ]
      : []),
    // The order itself goes last: until then all statements see the state it comes from.
    d1
      .prepare(`UPDATE orders AS o SET status = ?3 WHERE ${ends ? ENDABLE : OPEN}`)
      .bind(...state, to),
    d1.prepare(SELECT_OUTCOME).bind(orderId),
  ]);
  const [outcome] = (results.at(-1) as D1Result<Omit<TransitionOutcome, "changed">>).results;
  return outcome ? { ...outcome, changed: results.at(-2)?.meta.changes === 1 } : null;
}
