// The invariants of the database, as SQL. Each statement checks a chunk of a table, in the order of its primary key.
// A statement reads a consistent snapshot, even while orders are placed (DECISIONS.md: Invariants are checked in chunks).
import { type Fragment, rawSql, type Statement, statement } from "../../platform/db/statement.ts";
import { RESTORE_ROOM } from "../events/event.ts";

interface ChunkParams {
  /** JSON array: the key after which the chunk starts. */
  after: string;
  /** The maximum size of the chunk, unless its first row is larger. */
  limit: number;
}

interface HistoryParams {
  after: string;
  /** The maximum size of a chunk with more than one client: ledger entries and events. */
  history: number;
  /** A client with more orders has a chunk of its own. */
  orders: number;
  /** A client with more ledger entries and events, or with more orders, is skipped. */
  largest: number;
}

/** An object with a difference, or the last row of a full chunk. */
export interface CheckedRow {
  /** JSON array. */
  key: string;
  clientId: string | null;
  /** JSON objects with the same fields. */
  expected: string;
  found: string;
  /** Null, or JSON array: the key after which the next chunk starts. */
  next: string | null;
}

export interface Check {
  /** The table. */
  name: string;
  /** JSON array: the key before the first one. */
  start: string;
  statement: Pick<Statement<ChunkParams & HistoryParams, CheckedRow>, "bind">;
}

/** The expected and the found value of each field, as SQL. A value that does not apply is null in both. */
type Fields = Record<string, [expected: string, found: string]>;

function valuesOf(fields: Fields, index: 0 | 1): Fragment<never> {
  const values = Object.entries(fields).map(([name, each]) => `'${name}', ${each[index]}`);
  return rawSql(`json_object(${String(values)})`);
}

/**
 * Builds the check of the table `name`. In the SQL of the parameters, `t` is a row of the chunk, with the additional
 * column `more`. In the SQL of `more`, the row is `u`. `key` has the columns of the primary key, each with a value that
 * sorts before the first one. `joins` adds the rows with which `t` is compared. `size` is what a row counts towards the
 * size of a chunk.
 */
function check(
  name: string,
  key: Record<string, string | number>,
  fields: Fields,
  { more = "0", joins = "", client = "t.client_id", size = "1" } = {},
): Check {
  const names = Object.keys(key);
  const columns = rawSql(String(names));
  const after: Fragment<"after"> = {
    texts: ["", ...names.map((_, index) => ` ->> ${index}${names[index + 1] ? ", " : ""}`)],
    parts: names.map(() => "after"),
  };
  return {
    name,
    start: JSON.stringify(Object.values(key)),
    statement: statement<ChunkParams, CheckedRow>()`
      WITH t AS MATERIALIZED (
        SELECT *, number = ${"limit"} OR size_with_next > ${"limit"} AS is_last, ${rawSql(more)} AS more
        FROM (SELECT *, row_number() OVER (ORDER BY ${columns}) AS number,
            sum(share) OVER (ORDER BY ${columns} ROWS UNBOUNDED PRECEDING) AS size,
            sum(share) OVER (ORDER BY ${columns} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING)
              AS size_with_next
          FROM (SELECT *, ${rawSql(size)} AS share FROM ${rawSql(name)}
            WHERE (${columns}) > (${after}) ORDER BY ${columns} LIMIT ${"limit"}))
          AS u
        WHERE size <= ${"limit"} OR number = 1)
      SELECT key, clientId, expected, found, iif(is_last, key, NULL) AS next FROM (
        SELECT json_array(${rawSql(String(names.map((column) => `t.${column}`)))}) AS key, is_last,
          ${rawSql(client)} AS clientId, ${valuesOf(fields, 0)} AS expected, ${valuesOf(fields, 1)} AS found
        FROM t ${rawSql(joins)})
      WHERE expected <> found OR is_last`,
  };
}

/** The part of an order's total that belongs to its cancelled and expired gifts. */
const ENDED_SHARE = "t.order_total_minor * (t.cancelled_gifts + t.expired_gifts) / t.qty";

// `more` is a JSON array: the numbers of all, redeemed, cancelled and expired sub-orders, the sequences of the shipped
// ones, and the number of declined ones. An imported order with a shared link may have fewer sub-orders than gifts,
// because some recipients have not claimed theirs. A declined gift returns its credit only if the client's settings at
// that time allowed it, so only the largest possible refund is known.
const ORDERS = check(
  "orders",
  { id: 0 },
  {
    sub_orders: ["iif(t.gift_order_method = 'link', t.more ->> 0, t.qty)", "t.more ->> 0"],
    redeemed_gifts: ["t.more ->> 1", "t.redeemed_gifts"],
    cancelled_gifts: ["t.more ->> 2", "t.cancelled_gifts"],
    expired_gifts: ["t.more ->> 3", "t.expired_gifts"],
    shipped_gifts: ["json_array_length(t.more, '$[4]')", "t.shipped_gifts"],
    shipments: [
      "t.more -> 4",
      `(SELECT json_group_array(h.sequence ORDER BY h.sequence) FROM shipments h
        WHERE h.order_id = t.id AND h.status <> 'open')`,
    ],
    finished: [
      `t.status = 'paid' AND t.cancelled_gifts + t.expired_gifts
        + iif(t.gift_order_method = 'api-purchase', t.shipped_gifts, t.redeemed_gifts) = t.qty`,
      "t.finished",
    ],
    debit: [
      "iif(t.debit_sequence IS NULL, NULL, json_array(t.id, -t.order_total_minor))",
      `(SELECT json_array(e.order_id, e.amount_minor) FROM credit_entries e
        WHERE e.client_id = t.client_id AND e.currency = t.currency AND e.sequence = t.debit_sequence
          AND e.kind = 'order')`,
    ],
    refunded_minor: [
      `iif(t.debit_sequence IS NULL, 0,
        iif(t.more ->> 5, min(t.refunded_minor, ${ENDED_SHARE}), ${ENDED_SHARE}))`,
      "t.refunded_minor",
    ],
  },
  {
    more: `(SELECT json_array(count(*), count(*) FILTER (WHERE redemption_status = 'redeemed'),
        count(*) FILTER (WHERE redemption_status = 'cancelled'), count(*) FILTER (WHERE redemption_status = 'expired'),
        json_group_array(sequence ORDER BY sequence) FILTER (WHERE has_shipment), count(declined_at_ms))
      FROM sub_orders WHERE order_id = u.id)`,
    size: "qty",
  },
);

const SHIPMENTS = check(
  "shipments",
  { order_id: 0, sequence: 0 },
  {
    sub_order: ["t.sequence", "s.sequence"],
    client: ["o.client_id", "t.client_id"],
    has_shipment: ["t.status <> 'open'", "s.has_shipment"],
  },
  {
    joins: `LEFT JOIN orders o ON o.id = t.order_id
      LEFT JOIN sub_orders s ON s.order_id = t.order_id AND s.sequence = t.sequence`,
  },
);

// If each entry follows the previous one, and the last one has the account's balance, the balance is the sum.
const ENTRIES = check(
  "credit_entries",
  { client_id: "", currency: "", sequence: 0 },
  {
    previous: ["t.sequence - 1", "coalesce(p.sequence, 0)"],
    balance_minor: [
      `iif(p.sequence IS NULL AND t.sequence > 1, t.balance_minor,
        coalesce(p.balance_minor, 0) + t.amount_minor)`,
      "t.balance_minor",
    ],
    account_of_order: [
      "iif(t.order_id IS NULL, NULL, t.client_id || ' ' || t.currency)",
      "o.client_id || ' ' || o.currency",
    ],
    debit_of_order: [
      "iif(t.kind = 'order', t.sequence, NULL)",
      "iif(t.kind = 'order', o.debit_sequence, NULL)",
    ],
  },
  {
    joins: `LEFT JOIN credit_entries p
        ON p.client_id = t.client_id AND p.currency = t.currency AND p.sequence = t.sequence - 1
      LEFT JOIN orders o ON o.id = t.order_id`,
  },
);

// `more` is the sequence of the last entry.
const ACCOUNTS = check(
  "credit_accounts",
  { client_id: "", currency: "" },
  {
    entries: ["coalesce(t.more, 0)", "t.entries"],
    balance_minor: ["coalesce(e.balance_minor, 0)", "t.balance_minor"],
  },
  {
    more: `(SELECT max(e.sequence) FROM credit_entries e
      WHERE e.client_id = u.client_id AND e.currency = u.currency)`,
    joins: `LEFT JOIN credit_entries e
      ON e.client_id = t.client_id AND e.currency = t.currency AND e.sequence = t.more`,
  },
);

// The ledger of orders on invoice.
const INVOICES = check(
  "invoice_entries",
  { client_id: "", currency: "", sequence: 0 },
  {
    previous: ["t.sequence - 1", "coalesce(p.sequence, 0)"],
    owed_minor: [
      `iif(p.sequence IS NULL AND t.sequence > 1, t.unpaid_minor - t.to_refund_minor,
        coalesce(p.unpaid_minor - p.to_refund_minor, 0) + t.amount_minor)`,
      "t.unpaid_minor - t.to_refund_minor",
    ],
    account_of_order: ["t.client_id || ' ' || t.currency", "o.client_id || ' ' || o.currency"],
  },
  {
    joins: `LEFT JOIN invoice_entries p
        ON p.client_id = t.client_id AND p.currency = t.currency AND p.sequence = t.sequence - 1
      LEFT JOIN orders o ON o.id = t.order_id`,
  },
);

// There is a gap before `data.restored`. `more` is the final state that an event reports, or null.
const EVENTS = check(
  "events",
  { client_id: "", sequence: 0 },
  {
    previous: [
      "iif(t.type = 'data.restored', NULL, t.sequence - 1)",
      "iif(t.type = 'data.restored', NULL, coalesce(p.sequence, 0))",
    ],
    client: ["iif(t.order_id IS NULL, NULL, t.client_id)", "o.client_id"],
    sub_order: ["t.suborder_sequence", "s.sequence"],
    // The operator may have cancelled a redeemed gift.
    state: [
      "t.more",
      `iif(t.more IS NULL, NULL, iif(t.more = 'redeemed' AND s.redemption_id IS NOT NULL
        AND s.redemption_status = 'cancelled', 'redeemed', coalesce(s.redemption_status, o.status)))`,
    ],
  },
  {
    more: `CASE type WHEN 'order.failed' THEN 'failed' WHEN 'order.cancelled' THEN 'cancieled'
      WHEN 'gift.redeemed' THEN 'redeemed' WHEN 'gift.cancelled' THEN 'cancelled'
      WHEN 'gift.declined' THEN 'cancelled' WHEN 'gift.expired' THEN 'expired' END`,
    joins: `LEFT JOIN events p ON p.client_id = t.client_id AND p.sequence = t.sequence - 1
      LEFT JOIN orders o ON o.id = t.order_id
      LEFT JOIN sub_orders s ON s.order_id = t.order_id AND s.sequence = t.suborder_sequence`,
  },
);

// `more` is the sequence of the client's last event.
const WEBHOOKS = check(
  "webhooks",
  { id: 0 },
  { position: ["min(t.position, t.more)", "t.position"] },
  {
    more: `(SELECT coalesce(max(e.sequence), 0) FROM events e WHERE e.client_id = u.client_id)`,
  },
);

const DELIVERIES = check(
  "webhook_deliveries",
  { webhook_id: 0, sequence: 0 },
  { event: ["t.sequence", "e.sequence"] },
  {
    joins: `LEFT JOIN webhooks w ON w.id = t.webhook_id
      LEFT JOIN events e ON e.client_id = w.client_id AND e.sequence = t.sequence`,
    client: "w.client_id",
  },
);

// Each product in the current and the previous version of a catalogue has stock records: one for variation 0 if it is a
// simple product, otherwise one for each variation. A version that is being published has no stock yet.
const ENTRIES_OF_CATALOGUES = check(
  "catalogue_entries",
  { catalogue_id: 0, version: 0, product_id: 0 },
  {
    without_stock: [
      "json_array()",
      `(SELECT json_group_array(v.value) FROM json_each(iif(r.product_type = 'simple', '[0]',
          (SELECT json_group_array(x.value ->> '$.id') FROM json_each(r.variations) x))) v
        WHERE c.version IS NOT NULL AND NOT EXISTS (SELECT 1 FROM stock s
          WHERE s.product_id = t.product_id AND s.variation_id = v.value))`,
    ],
    negative_stock: [
      "0",
      "(SELECT count(*) FROM stock s WHERE s.product_id = t.product_id AND s.quantity < 0)",
    ],
  },
  {
    joins: `LEFT JOIN catalogue_versions c ON c.catalogue_id = t.catalogue_id AND c.version = t.version
      LEFT JOIN product_revisions r ON r.product_id = t.product_id AND r.revision = t.revision`,
    client: "NULL",
    size: `(SELECT max(1, json_array_length(r.variations)) FROM product_revisions r
      WHERE r.product_id = catalogue_entries.product_id AND r.revision = catalogue_entries.revision)`,
  },
);

/** `has_events`: the order was placed after the event log was introduced. */
const HISTORY: Fields = {
  refunded_minor: ["coalesce(amount_minor, 0)", "refunded_minor"],
  owed_minor: ["invoiced_minor", "owed_minor"],
  ...Object.fromEntries(
    Object.entries({
      placed: ["1", "placed"],
      redeemed: ["redeemed_gifts", "redeemed"],
      cancelled: ["cancelled_gifts", "cancelled"],
      expired: ["expired_gifts", "expired"],
    }).map(([name, [expected, found]]) => [
      name,
      [`iif(has_events, ${expected}, NULL)`, `iif(has_events, coalesce(${found}, 0), NULL)`],
    ]),
  ),
};

// Compares each order with its events and its ledger entries. Neither events nor ledger entries have an index by order,
// because each placement would have to write it. So the check reads all events and ledger entries of a client, and a
// chunk has several clients only if they have few of them. The number of a client's events is estimated from the
// sequence of the last one, without the multiple of RESTORE_ROOM that a restore without an export has left. The entries of orders on invoice are
// not counted, because nearly all of them have an event. A client
// with few events may have many orders: imported orders and those from before the event log have no events. The event of
// a later payment has the time of another clock, which may be before that of the placement.
const HISTORIES: Check = {
  name: "clients",
  start: '[""]',
  statement: statement<HistoryParams, CheckedRow>()`
    WITH sized AS (
      SELECT id, (SELECT coalesce(max(sequence), 0) % ${rawSql(String(RESTORE_ROOM))} FROM events
          WHERE client_id = clients.id)
        + (SELECT coalesce(sum(entries), 0) FROM credit_accounts WHERE client_id = clients.id) AS size,
        EXISTS (SELECT 1 FROM orders WHERE client_id = clients.id
          LIMIT 1 OFFSET ${"orders"}) AS has_many_orders
      FROM clients WHERE id > ${"after"} ->> 0 ORDER BY id LIMIT 20),
    summed AS (SELECT *, sum(iif(has_many_orders, ${"history"}, size)) OVER (ORDER BY id) AS total,
        row_number() OVER (ORDER BY id) AS number FROM sized),
    chunk AS MATERIALIZED (
      SELECT id, iif(size <= ${"largest"}, NOT EXISTS (
          SELECT 1 FROM orders WHERE client_id = summed.id LIMIT 1 OFFSET ${"largest"}), 0) AS is_compared
      FROM summed WHERE total <= ${"history"} OR number = 1),
    reported AS (
      SELECT e.order_id,
        min(e.created_at_ms) FILTER (WHERE e.type IN ('order.created', 'order.paid')) AS first_ms,
        max(e.created_at_ms) FILTER (WHERE e.type IN ('order.created', 'order.paid')) AS last_ms,
        sum(e.type = 'gift.redeemed') - sum(coalesce(e.data ->> '$.redeemedGifts', 0)) AS redeemed, sum(e.type = 'gift.expired') AS expired,
        sum(iif(e.type IN ('gift.cancelled', 'gift.declined'), 1, coalesce(e.data ->> '$.cancelledGifts', 0)))
          AS cancelled
      FROM chunk c CROSS JOIN events e ON e.client_id = c.id
      WHERE c.is_compared AND e.order_id IS NOT NULL GROUP BY e.order_id),
    refunded AS (
      SELECT e.order_id, sum(e.amount_minor) AS amount_minor
      FROM chunk c CROSS JOIN credit_entries e ON e.client_id = c.id
      WHERE c.is_compared AND e.order_id IS NOT NULL AND e.kind <> 'order' GROUP BY e.order_id),
    invoiced AS (
      SELECT e.order_id, sum(e.amount_minor) AS invoiced_minor
      FROM chunk c CROSS JOIN invoice_entries e ON e.client_id = c.id
      WHERE c.is_compared GROUP BY e.order_id),
    compared AS (
      SELECT o.*, n.redeemed, n.expired, n.cancelled, r.amount_minor, i.invoiced_minor,
        o.created_at_ms IN (n.first_ms, n.last_ms) AS placed,
        o.placement_id IS NOT NULL AND o.id >= min(iif(o.created_at_ms IN (n.first_ms, n.last_ms), o.id, NULL))
          OVER (PARTITION BY o.client_id) AS has_events
      FROM chunk c CROSS JOIN orders o ON o.client_id = c.id
      LEFT JOIN reported n ON n.order_id = o.id
      LEFT JOIN refunded r ON r.order_id = o.id
      LEFT JOIN invoiced i ON i.order_id = o.id
      WHERE c.is_compared)
    SELECT * FROM (
      SELECT json_array(client_id, id) AS key, client_id AS clientId,
        ${valuesOf(HISTORY, 0)} AS expected, ${valuesOf(HISTORY, 1)} AS found, NULL AS next
      FROM compared)
    WHERE expected <> found
    UNION ALL SELECT '[]', NULL, '{}', '{}', json_array(max(id)) FROM chunk HAVING count(*) > 0`,
};

export const CHECKS: readonly Check[] = [
  ...[ORDERS, SHIPMENTS, ENTRIES, ACCOUNTS, INVOICES, EVENTS, WEBHOOKS, DELIVERIES],
  ...[ENTRIES_OF_CATALOGUES, HISTORIES],
];
