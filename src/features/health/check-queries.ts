// The invariants of the database, as SQL. Each statement checks a chunk of a table, in the order of its primary key.
// A statement reads a consistent snapshot, even while orders are placed (DECISIONS.md: Invariants are checked in chunks).
import { type Fragment, fragment, rawSql, statement } from "../../platform/db/statement.ts";

/** How much a chunk reads. */
export interface ChunkSize {
  /** Rows of the table that is checked, or sub-orders of orders, or variations of products, unless the first has more. */
  limit: number;
  /** The ledgers of a client are skipped if one of them, or the orders of the client, have more rows. */
  largest: number;
}

/** `after` is a JSON array: the key after which the chunk starts. */
type ChunkParams = ChunkSize & { after: string };

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

/** The expected and the found value of each field, as SQL. A value that does not apply is null in both. */
type Fields = Record<string, [expected: string, found: string]>;

function valuesOf(fields: Fields, index: 0 | 1): Fragment<never> {
  const values = Object.entries(fields).map(([name, each]) => `'${name}', ${each[index]}`);
  return rawSql(`json_object(${String(values)})`);
}

interface Options {
  /** The SQL of the additional column `more`. The row is `u`. */
  more?: Fragment<"largest">;
  /** The rows with which `t` is compared. */
  joins?: string;
  client?: string;
  /** What a row counts towards the size of a chunk, at least 1. */
  size?: string;
}

/**
 * Builds the check of the table `name`. In the SQL of the parameters, `t` is a row of the chunk. `key` has the columns of
 * the primary key, each with a value that sorts before the first one.
 */
function check(
  name: string,
  key: Record<string, string | number>,
  fields: Fields,
  { more = rawSql("0"), joins = "", client = "t.client_id", size = "1" }: Options = {},
) {
  const names = Object.keys(key);
  const columns = rawSql<unknown>(String(names));
  const after: Fragment<"after"> = {
    texts: ["", ...names.map((_, index) => ` ->> ${index}${names[index + 1] ? ", " : ""}`)],
    parts: names.map(() => "after"),
  };
  return {
    name,
    /** JSON array: the key before the first one. */
    start: JSON.stringify(Object.values(key)),
    statement: statement<ChunkParams, CheckedRow>()`
      WITH t AS MATERIALIZED (
        SELECT *, size + next_share > ${"limit"} AS is_last, ${more} AS more
        FROM (SELECT *, sum(share) OVER (ORDER BY ${columns}) AS size,
            lead(share, 1, 1) OVER (ORDER BY ${columns}) AS next_share
          FROM (SELECT *, ${rawSql(size)} AS share FROM ${rawSql(name)}
            WHERE (${columns}) > (${after}) ORDER BY ${columns} LIMIT ${"limit"})) AS u
        WHERE size <= ${"limit"} OR size = share)
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
// ones, and the number of declined ones. An order with a shared link may have fewer sub-orders than gifts,
// because some recipients have not claimed theirs. A declined gift returns its credit only if the client's settings at
// that time allowed it, so only the largest possible refund is known. `events` are the numbers of redeemed, cancelled and
// expired gifts that the events report. An order without `placed_sequence` has no events.
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
        WHERE h.order_id = t.id AND h.client_id = t.client_id AND h.status <> 'open')`,
    ],
    placed: [
      "iif(t.placed_sequence IS NULL, NULL, t.id)",
      `(SELECT e.order_id FROM events e WHERE e.client_id = t.client_id
        AND e.sequence = t.placed_sequence AND e.type IN ('order.created', 'order.paid'))`,
    ],
    events: [
      `iif(t.placed_sequence IS NULL, NULL,
        json_array(t.redeemed_gifts, t.cancelled_gifts, t.expired_gifts))`,
      `iif(t.placed_sequence IS NULL, NULL, (SELECT json_array(
          count(*) FILTER (WHERE e.type = 'gift.redeemed') - coalesce(sum(e.data ->> '$.redeemedGifts'), 0),
          count(*) FILTER (WHERE e.type IN ('gift.cancelled', 'gift.declined'))
            + coalesce(sum(e.data ->> '$.cancelledGifts'), 0),
          count(*) FILTER (WHERE e.type = 'gift.expired'))
        FROM events e INDEXED BY events_by_order WHERE e.order_id = t.id AND e.named_elsewhere IS NULL))`,
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
    more: fragment`(SELECT json_array(count(*), count(*) FILTER (WHERE redemption_status = 'redeemed'),
        count(*) FILTER (WHERE redemption_status = 'cancelled'), count(*) FILTER (WHERE redemption_status = 'expired'),
        json_group_array(sequence ORDER BY sequence) FILTER (WHERE has_shipment), count(declined_at_ms))
      FROM sub_orders WHERE order_id = u.id)`,
    size: "qty",
  },
);

/**
 * If each entry follows the previous one, and the last one has the account's balance, the balance is the sum of the
 * entries. `balanceOf` is the SQL of the balance after an entry.
 */
const checkLedger = (
  name: string,
  field: string,
  balanceOf: (entry: "t" | "p") => string,
  fields: Fields = {},
) =>
  check(
    name,
    { client_id: "", currency: "", sequence: 0 },
    {
      previous: ["t.sequence - 1", "coalesce(p.sequence, 0)"],
      [field]: [
        `iif(p.sequence IS NULL AND t.sequence > 1, ${balanceOf("t")},
          coalesce(${balanceOf("p")}, 0) + t.amount_minor)`,
        balanceOf("t"),
      ],
      account_of_order: [
        "iif(t.order_id IS NULL, NULL, t.client_id || ' ' || t.currency)",
        "o.client_id || ' ' || o.currency",
      ],
      ...fields,
    },
    {
      joins: `LEFT JOIN ${name} p
          ON p.client_id = t.client_id AND p.currency = t.currency AND p.sequence = t.sequence - 1
        LEFT JOIN orders o ON o.id = t.order_id`,
    },
  );

const CREDIT_ENTRIES = checkLedger(
  "credit_entries",
  "balance_minor",
  (each) => `${each}.balance_minor`,
  {
    debit_of_order: [
      "iif(t.kind = 'order', t.sequence, NULL)",
      "iif(t.kind = 'order', o.debit_sequence, NULL)",
    ],
  },
);

/** The ledger of orders on invoice. */
const INVOICE_ENTRIES = checkLedger(
  "invoice_entries",
  "owed_minor",
  (each) => `${each}.unpaid_minor - ${each}.to_refund_minor`,
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
    more: fragment`(SELECT max(e.sequence) FROM credit_entries e
      WHERE e.client_id = u.client_id AND e.currency = u.currency)`,
    joins: `LEFT JOIN credit_entries e
      ON e.client_id = t.client_id AND e.currency = t.currency AND e.sequence = t.more`,
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
    more: fragment`CASE type WHEN 'order.failed' THEN 'failed' WHEN 'order.cancelled' THEN 'cancieled'
      WHEN 'gift.redeemed' THEN 'redeemed' WHEN 'gift.cancelled' THEN 'cancelled'
      WHEN 'gift.declined' THEN 'cancelled' WHEN 'gift.expired' THEN 'expired' END`,
    joins: `LEFT JOIN events p ON p.client_id = t.client_id AND p.sequence = t.sequence - 1
      LEFT JOIN orders o ON o.id = t.order_id
      LEFT JOIN sub_orders s ON s.order_id = t.order_id AND s.sequence = t.suborder_sequence`,
  },
);

const LAST_DELIVERY =
  "(SELECT max(d.sequence) FROM webhook_deliveries d WHERE d.webhook_id = t.id)";

// `more` is the sequence of the client's last event.
const WEBHOOKS = check(
  "webhooks",
  { id: 0 },
  {
    position: ["min(t.position, t.more)", "t.position"],
    last_delivery: [`min(${LAST_DELIVERY}, t.more)`, LAST_DELIVERY],
  },
  {
    more: fragment`(SELECT coalesce(max(e.sequence), 0) FROM events e WHERE e.client_id = u.client_id)`,
  },
);

// Each product in the current and the previous version of a catalogue has stock records: one for variation 0 if it is a
// simple product, otherwise one for each variation. A version that is being published has no stock yet.
const CATALOGUE_ENTRIES = check(
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
  },
  {
    joins: `LEFT JOIN catalogue_versions c ON c.catalogue_id = t.catalogue_id AND c.version = t.version
      LEFT JOIN product_revisions r ON r.product_id = t.product_id AND r.revision = t.revision`,
    client: "NULL",
    size: `(SELECT max(1, json_array_length(r.variations)) FROM product_revisions r
      WHERE r.product_id = catalogue_entries.product_id AND r.revision = catalogue_entries.revision)`,
  },
);

/** Client `u` has at most `largest` rows in the table. */
const isSmall = (table: string) => fragment`
  NOT EXISTS (SELECT 1 FROM ${rawSql(table)} WHERE client_id = u.id LIMIT 1 OFFSET ${"largest"})`;

/** The sums of the entries of each order in a ledger of client `t`. */
const sumsIn = (ledger: string) => `(
  SELECT e.order_id, sum(e.amount_minor) FILTER (WHERE e.kind <> 'order') AS refunds, sum(e.amount_minor) AS total
  FROM t CROSS JOIN ${ledger} e ON e.client_id = t.id
  WHERE e.order_id IS NOT NULL GROUP BY e.order_id)`;

// Compares what each order was refunded and what is owed for it with the ledgers. They have no index by order, because
// each placement would have to write it. So a chunk reads the ledgers of one client. `more` is whether they are small.
const CLIENT_LEDGERS = check(
  "clients",
  { id: "" },
  {
    refunded_minor: ["json_array()", "json(d.refunded)"],
    owed_minor: ["json_array()", "json(d.owed)"],
  },
  {
    more: fragment`${isSmall("orders")} AND ${isSmall("credit_entries")} AND ${isSmall("invoice_entries")}`,
    joins: `JOIN (
      SELECT json_group_array(o.id) FILTER (WHERE o.refunded_minor <> coalesce(c.refunds, 0)) AS refunded,
        json_group_array(o.id) FILTER (WHERE o.owed_minor IS NOT i.total) AS owed
      FROM t CROSS JOIN orders o ON o.client_id = t.id
      LEFT JOIN ${sumsIn("credit_entries")} c ON c.order_id = o.id
      LEFT JOIN ${sumsIn("invoice_entries")} i ON i.order_id = o.id
      WHERE t.more) d`,
    client: "t.id",
    // Larger than every chunk.
    size: "1e9",
  },
);

export const CHECKS = [
  ORDERS,
  CREDIT_ENTRIES,
  ACCOUNTS,
  INVOICE_ENTRIES,
  EVENTS,
  WEBHOOKS,
  CATALOGUE_ENTRIES,
  CLIENT_LEDGERS,
];
