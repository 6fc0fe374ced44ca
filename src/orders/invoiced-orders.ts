// Orders on invoice, for the operator's statements: orders of the API that were not paid from credit.
import { fragment, statement } from "../db/statement.ts";
import { shareOfGifts } from "../values/money.ts";
import type { Order } from "./order.ts";

/** The number of orders that one call reads. */
const PAGE_ORDERS = 5_000;

interface InvoicedParams {
  clientId: string;
  /** Null for all currencies. */
  currency: string | null;
  afterMs: number;
  afterId: number;
  /** Exclusive. */
  toMs: number;
  limit: number;
}

/** An order on invoice, in its current state. Amounts in minor units. */
export interface InvoicedOrder {
  id: number;
  orderRefId: string | null;
  giftOrderMethod: Order["giftOrderMethod"];
  status: Order["status"];
  currency: string;
  qty: number;
  feeMinor: number;
  totalMinor: number;
  /** The number of cancelled and expired gifts. Without declined gifts if the client pays for them. */
  endedQty: number;
  /** The share of the total of these gifts. */
  endedMinor: number;
  createdAtMs: number;
}

const STATES = {
  created: fragment`o.status = 'created' AND o.finished = 0`,
  open: fragment`o.status = 'paid' AND o.finished = 0`,
  finished: fragment`o.status = 'paid' AND o.finished = 1`,
  failed: fragment`o.status = 'failed' AND o.finished = 0`,
  cancelled: fragment`o.status = 'cancieled' AND o.finished = 0`,
};

/** Orders of the API. Imported orders were paid in the online store. */
const METHODS = {
  purchase: fragment`o.gift_order_method = 'api-purchase'`,
  giftLink: fragment`o.gift_order_method = 'api-giftlink'`,
};

type Condition = (typeof STATES)[keyof typeof STATES];

/**
 * The number of gifts of order `o` that have ended and that the client does not pay for. Declined gifts are among them
 * if the client gets a refund for them (DECISIONS.md: A client without the refund of declined gifts pays for them).
 */
const ENDED_QTY = fragment`
  (o.cancelled_gifts + o.expired_gifts - iif(o.cancelled_gifts > 0 AND (
      SELECT refund_declined FROM clients WHERE id = ${"clientId"}) = 0,
    (SELECT count(*) FROM sub_orders s WHERE s.order_id = o.id AND s.declined_at_ms IS NOT NULL), 0))`;

const rangeOf = (state: Condition, method: Condition) => fragment`
  SELECT o.id, o.order_ref_id AS orderRefId, o.gift_order_method AS giftOrderMethod, o.status,
    o.currency, o.qty, o.order_fee_minor AS feeMinor, o.order_total_minor AS totalMinor,
    ${ENDED_QTY} AS endedQty, o.created_at_ms AS createdAtMs
  FROM orders o
  WHERE o.client_id = ${"clientId"} AND ${state} AND ${method}
    AND (o.created_at_ms, o.id) > (${"afterMs"}, ${"afterId"}) AND o.created_at_ms < ${"toMs"}
    AND o.debit_sequence IS NULL AND (${"currency"} IS NULL OR o.currency = ${"currency"})`;

/** D1 allows five terms in a compound SELECT, and counts those of a subquery separately. */
const rangesOf = (state: Condition) => fragment`
  SELECT * FROM (${rangeOf(state, METHODS.purchase)} UNION ALL ${rangeOf(state, METHODS.giftLink)})`;

// SQLite merges the ranges, as for the list of orders (DECISIONS.md: The list of orders merges ranges of one index).
const SELECT_INVOICED = statement<InvoicedParams, Omit<InvoicedOrder, "endedMinor">>()`
  ${rangesOf(STATES.created)} UNION ALL ${rangesOf(STATES.open)}
  UNION ALL ${rangesOf(STATES.finished)} UNION ALL ${rangesOf(STATES.failed)}
  UNION ALL ${rangesOf(STATES.cancelled)}
  ORDER BY createdAtMs, id LIMIT ${"limit"}`;

export interface InvoicedFilter {
  /** Placed at this time or later. */
  fromMs: number;
  /** Placed before this time. */
  toMs: number;
  currency?: string | undefined;
}

/**
 * The client's orders on invoice that were placed in the period, oldest first, in pages of at most `pageOrders`. One
 * round trip for each page.
 */
export async function* readInvoicedOrders(
  d1: D1Database,
  clientId: string,
  { fromMs, toMs, currency }: InvoicedFilter,
  pageOrders = PAGE_ORDERS,
): AsyncGenerator<InvoicedOrder[]> {
  // Ids are positive, so this is before the first order of the period.
  let after = { afterMs: fromMs, afterId: 0 };
  for (;;) {
    const limit = pageOrders;
    const params = { clientId, currency: currency ?? null, ...after, toMs, limit };
    const rows = await SELECT_INVOICED.all(d1, params);
    // Rounded as a refund to credit is (DECISIONS.md: Refunds do not depend on the order of cancellations).
    const page = rows.map((row) => ({
      ...row,
      endedMinor: shareOfGifts(row.totalMinor, row.endedQty, row.qty),
    }));
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    after = { afterMs: last.createdAtMs, afterId: last.id };
  }
}
