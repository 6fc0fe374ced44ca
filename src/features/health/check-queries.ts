// The invariants of the database that no constraint or trigger keeps, as SQL. Each statement checks a chunk of a table, in
// the order of its primary key. It reads a consistent snapshot, even while orders are placed.
import { statesThat } from "../../core/values/shipment-states.ts";
import { jsonObjectOf } from "../../platform/db/columns.ts";
import { type Fragment, rawSql, sqlOf, sql } from "../../platform/db/sql.ts";
import { IS_FREE_CODE } from "../codes/bind-queries.ts";

/** `after` is a JSON object: the key after which the chunk starts. `limit` is the number of rows of the checked table. */
interface ChunkParams {
  after: string;
  limit: number;
}

/** An object with a difference, or the last row of a full chunk. */
export interface CheckedRow {
  /** JSON object: the columns of the primary key. */
  key: string;
  clientId: string | null;
  /** JSON objects with the same fields. */
  expected: string;
  found: string;
  /** 1 for the last row of a full chunk. The next chunk starts after its key. */
  isLast: 0 | 1;
}

/** The expected and the found value of each field, as SQL. A value that does not apply is null in both. */
type Fields = Record<string, [expected: string, found: string]>;

interface Options {
  /** The SQL of additional columns of `t`. The row is `u`. */
  columns?: Record<string, string>;
  /** The rows with which `t` is compared. */
  joins?: string;
  client?: string;
}

/**
 * Builds the check of the table `name`. In the SQL of the parameters, `t` is a row of the chunk. `key` has the columns of
 * the primary key, each with a value that sorts before the first one.
 */
function check(
  name: string,
  key: Record<string, string | number>,
  fields: Fields,
  { columns = {}, joins = "", client = "t.client_id" }: Options = {},
) {
  const names = Object.keys(key);
  const keyColumns = rawSql<unknown>(String(names));
  const after: Fragment<"after"> = {
    texts: ["", ...names.map((each, index) => ` ->> '${each}'${names[index + 1] ? ", " : ""}`)],
    parts: names.map(() => "after"),
  };
  const keyObject = jsonObjectOf(Object.fromEntries(names.map((each) => [each, `t.${each}`])));
  const valuesOf = (index: 0 | 1) =>
    jsonObjectOf(
      Object.fromEntries(Object.entries(fields).map(([field, sql]) => [field, sql[index]])),
    );
  const more = Object.entries(columns).map(([column, sql]) => `, ${sql} AS ${column}`);
  return {
    name,
    /** The key before the first one. */
    start: JSON.stringify(key),
    statement: sql<ChunkParams, CheckedRow>()`
      WITH t AS MATERIALIZED (
        SELECT *, row_number() OVER (ORDER BY ${keyColumns}) = ${"limit"} AS is_last ${rawSql(more.join(""))}
        FROM (SELECT * FROM ${rawSql(name)}
          WHERE (${keyColumns}) > (${after}) ORDER BY ${keyColumns} LIMIT ${"limit"}) AS u)
      SELECT * FROM (
        SELECT ${rawSql(keyObject)} AS key, ${rawSql(client)} AS clientId, ${rawSql(valuesOf(0))} AS expected,
          ${rawSql(valuesOf(1))} AS found, t.is_last AS isLast
        FROM t ${rawSql(joins)})
      WHERE expected <> found OR isLast`,
  };
}

// `gifts` are the numbers of the order's gifts, and the sequences of those that have left and did not come back. An order
// with a shared link may have fewer rows of gifts than its quantity, because some recipients have not claimed theirs.
// `refunds` are those of the ledgers. `codes` are the gifts that took a code of the stock and are sent, and those of them
// that have one.
// `events` are the numbers of redeemed, cancelled and expired gifts that the events report. An order without
// `placed_sequence` has no events.
const ORDERS = check(
  "orders",
  { id: 0 },
  {
    gifts: ["iif(t.gift_order_method = 'link', t.gifts ->> 'total', t.qty)", "t.gifts ->> 'total'"],
    cancelled_gifts: ["t.gifts ->> 'cancelled'", "t.cancelled_gifts"],
    expired_gifts: ["t.gifts ->> 'expired'", "t.expired_gifts"],
    shipped_gifts: ["t.gifts ->> 'shipped'", "t.shipped_gifts"],
    shipments: [
      "t.gifts -> 'left'",
      `(SELECT json_group_array(h.sequence ORDER BY h.sequence) FROM shipments h
        WHERE h.order_id = t.id AND h.client_id = t.client_id AND h.status IN (${statesThat((state) => state.countsAsShipped)}) AND h.problem IS NULL)`,
    ],
    codes: [
      "t.gifts -> 'coded'",
      `iif(t.gifts -> 'coded' = '[]', json_array(), (SELECT json_group_array(c.sequence ORDER BY c.sequence)
        FROM codes c, json_each(t.gifts, '$.coded') g
        WHERE c.order_id = t.id AND c.sequence = g.value AND c.voided_at_ms IS NULL))`,
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
          count(*) FILTER (WHERE e.type = 'gift.cancelled') + coalesce(sum(e.data ->> '$.cancelledGifts'), 0),
          count(*) FILTER (WHERE e.type = 'gift.expired'))
        FROM events e INDEXED BY events_by_order WHERE e.order_id = t.id AND e.named_elsewhere IS NULL))`,
    ],
    debit: [
      "iif(t.debit_sequence IS NULL, NULL, json_array(t.id, -t.order_total_minor))",
      `(SELECT json_array(e.order_id, e.amount_minor) FROM credit_entries e
        WHERE e.client_id = t.client_id AND e.currency = t.currency AND e.sequence = t.debit_sequence
          AND e.kind = 'order')`,
    ],
    refunded_minor: ["t.gifts ->> 'refunded'", "t.refunded_minor"],
    refunds: [
      "t.refunded_minor",
      `(SELECT coalesce(sum(e.amount_minor), 0) FROM credit_entries e
          WHERE e.order_id = t.id AND e.kind <> 'order')
        - (SELECT coalesce(sum(e.amount_minor), 0) FROM invoice_entries e
          WHERE e.order_id = t.id AND e.kind IN ('cancellation', 'expiry'))`,
    ],
    costs: [
      "iif(t.gift_order_method = 'link', t.gifts -> 'costs', json_array(t.subtotal_minor, t.shipping_cost_minor, t.order_fee_minor))",
      "t.gifts -> 'costs'",
    ],
    owed_minor: [
      `(SELECT sum(e.amount_minor) FROM invoice_entries e
        WHERE e.order_id = t.id AND e.client_id = t.client_id AND e.currency = t.currency)`,
      "t.owed_minor",
    ],
  },
  {
    columns: {
      gifts: `(SELECT json_object('total', count(*), 'cancelled', count(*) FILTER (WHERE redemption_status = 'cancelled'),
          'expired', count(*) FILTER (WHERE redemption_status = 'expired'),
          'costs', json_array(sum(product_minor), sum(shipping_minor), sum(fee_minor)),
          'refunded', coalesce(sum(refunded_minor), 0),
          'shipped', count(*) FILTER (WHERE fulfilment IS NOT NULL),
          'left', json_group_array(sequence ORDER BY sequence) FILTER (WHERE fulfilment = 'shipped'),
          'coded', json_group_array(sequence ORDER BY sequence)
            FILTER (WHERE fulfilment IS NOT NULL AND coalesce(took_stock, u.took_stock) = 2))
        FROM gifts WHERE order_id = u.id)`,
    },
  },
);

// If each entry follows the previous one, and the last one has the account's balance, the balance is the sum of the entries.
const CREDIT_ENTRIES = check(
  "credit_entries",
  { client_id: "", currency: "", sequence: 0 },
  {
    previous: ["t.sequence - 1", "coalesce(p.sequence, 0)"],
    balance_minor: [
      `iif(p.sequence IS NULL AND t.sequence > 1, t.balance_minor,
        coalesce(p.balance_minor, 0) + t.amount_minor)`,
      "t.balance_minor",
    ],
  },
  {
    joins: `LEFT JOIN credit_entries p
      ON p.client_id = t.client_id AND p.currency = t.currency AND p.sequence = t.sequence - 1`,
  },
);

const ACCOUNTS = check(
  "credit_accounts",
  { client_id: "", currency: "" },
  {
    entries: ["coalesce(t.last_entry, 0)", "t.entries"],
    balance_minor: ["coalesce(e.balance_minor, 0)", "t.balance_minor"],
  },
  {
    columns: {
      last_entry: `(SELECT max(e.sequence) FROM credit_entries e
        WHERE e.client_id = u.client_id AND e.currency = u.currency)`,
    },
    joins: `LEFT JOIN credit_entries e
      ON e.client_id = t.client_id AND e.currency = t.currency AND e.sequence = t.last_entry`,
  },
);

// `state` is the final state that an event reports, or null.
const EVENTS = check(
  "events",
  { client_id: "", sequence: 0 },
  {
    client: ["iif(t.order_id IS NULL, NULL, t.client_id)", "o.client_id"],
    gift: ["t.gift_sequence", "s.sequence"],
    // An operator may have cancelled a redeemed gift.
    state: [
      "t.state",
      `CASE WHEN t.state = 'redeemed' AND s.redemption_id IS NOT NULL AND s.redemption_status = 'cancelled' THEN 'redeemed'
        ELSE iif(t.state IS NULL, NULL, coalesce(s.redemption_status, o.status)) END`,
    ],
  },
  {
    columns: {
      state: `CASE type WHEN 'order.failed' THEN 'failed' WHEN 'order.cancelled' THEN 'cancieled'
        WHEN 'gift.redeemed' THEN 'redeemed' WHEN 'gift.cancelled' THEN 'cancelled' WHEN 'gift.expired' THEN 'expired' END`,
    },
    joins: `LEFT JOIN orders o ON o.id = t.order_id
      LEFT JOIN gifts s ON s.order_id = t.order_id AND s.sequence = t.gift_sequence`,
  },
);

const LAST_DELIVERY =
  "(SELECT max(d.sequence) FROM webhook_deliveries d WHERE d.webhook_id = t.id)";

const WEBHOOKS = check(
  "webhooks",
  { id: 0 },
  {
    position: ["min(t.position, t.last_event)", "t.position"],
    last_delivery: [`min(${LAST_DELIVERY}, t.last_event)`, LAST_DELIVERY],
  },
  {
    columns: {
      last_event:
        "(SELECT coalesce(max(e.sequence), 0) FROM events e WHERE e.client_id = u.client_id)",
    },
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
  },
);

// The stock of codes is the number of free ones, without those of gifts that have taken one and did not become owed, or for
// which none was valid then.
const STOCK = check(
  "stock",
  { product_id: 0, variation_id: -1 },
  {
    quantity: [
      "iif(t.code_days IS NULL OR t.quantity IS NULL, NULL, t.free - coalesce(r.gifts, 0))",
      "iif(t.code_days IS NULL, NULL, t.quantity)",
    ],
  },
  {
    columns: {
      free: `iif(code_days IS NULL, NULL, (SELECT count(*) FROM codes c WHERE c.product_id = u.product_id
        AND c.variation_id = u.variation_id AND ${sqlOf(IS_FREE_CODE)}))`,
    },
    joins: `LEFT JOIN (
      SELECT product_id, variation_id, count(*) AS gifts FROM (
        SELECT s.product_id, coalesce(s.variation_id, 0) AS variation_id
        FROM orders o CROSS JOIN gifts s ON s.order_id = o.id AND s.took_stock IS NULL
          AND s.fulfilment IS NULL AND coalesce(s.redemption_status, 'redeemed') = 'redeemed'
        WHERE o.took_stock = 2
        UNION ALL
        SELECT s.product_id, coalesce(s.variation_id, 0) FROM gifts s INDEXED BY redeemed_gifts_to_ship
        WHERE s.redemption_status = 'redeemed' AND s.fulfilment IS NULL AND s.took_stock = 2)
      GROUP BY 1, 2) r ON r.product_id = t.product_id AND r.variation_id = t.variation_id`,
    client: "NULL",
  },
);

export const CHECKS = [
  ORDERS,
  CREDIT_ENTRIES,
  ACCOUNTS,
  EVENTS,
  WEBHOOKS,
  CATALOGUE_ENTRIES,
  STOCK,
];
