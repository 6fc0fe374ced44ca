// Orders in D1. Placing is one batch (one transaction, one round trip) that carries its own guard, written as
// SQL: the guard is the point of it.
import type { Address, Branding } from "../db/schema.ts";
import type { Product, Variation } from "../catalogue/product.ts";
import type { Offer } from "./offers.ts";
import type { LinkOrigin, PlacedOrder, Totals } from "./order.ts";

/** The state an order is decided on, as the primary has it. No offer: not in the catalogue. */
export interface Terms {
  offer: Offer | null;
  /** Null when the product or variation has no stock record; quantity null when it is not tracked. */
  stock: { quantity: number | null; sellable: boolean } | null;
  balanceMinor: number;
}

export type PlacementOutcome = { order: PlacedOrder } | { order: null; terms: Terms };

/** What identifies a placement and its terms, whether it is written or only looked at. */
export interface PlacementKey {
  clientId: string;
  orderRefId: string;
  catalogueId: number;
  productId: number;
  variationId: number | null;
  currency: string;
}

export interface NewOrder extends PlacementKey, LinkOrigin {
  /** New for each attempt: the batch knows its own order by it, and so never acts on another's. */
  placementId: string;
  requestDigest: string;
  method: "api-purchase" | "api-giftlink";
  status: "paid" | "created";
  giftOfChoice: "Y" | "N";
  brandingSelected: "platform" | "company";
  branding: Branding | null;
  baseLocation: string;
  revision: string;
  totals: Totals;
  recipients: NewRecipient[];
  nowMs: number;
}

export interface NewRecipient {
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string | undefined;
  emailMessage: string | undefined;
  deliveryAddress: Address | undefined;
}

// The guard: the reference is new, the revision is still current, stock and credit suffice. Where it does not
// hold nothing is inserted, and the statements after it find no order of this placement to act on.
const INSERT_ORDER = `
  INSERT INTO orders (client_id, order_ref_id, placement_id, request_digest, gift_order_method, status,
    gift_of_choice, branding_selected, branding, email_template, product_id, variation_id,
    product_revision, base_location, currency, product_price_minor, qty, subtotal_minor,
    shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms, link_nonce, link_key_id,
    took_stock)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'generic', ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
    ?19, ?20, ?21, ?23, ?24, (SELECT quantity IS NOT NULL FROM stock
      WHERE product_id = ?10 AND variation_id = coalesce(?11, 0))
  WHERE NOT EXISTS (SELECT 1 FROM orders WHERE client_id = ?1 AND order_ref_id = ?2)
    AND EXISTS (SELECT 1 FROM catalogues c JOIN catalogue_entries e
      ON e.catalogue_id = c.id AND e.version = c.version
      WHERE c.id = ?22 AND e.product_id = ?10 AND e.revision = ?12)
    AND EXISTS (SELECT 1 FROM stock WHERE product_id = ?10 AND variation_id = coalesce(?11, 0)
      AND sellable = 1 AND (quantity IS NULL OR quantity >= ?16))
    AND (?6 = 'created' OR ?20 = 0 OR EXISTS (SELECT 1 FROM credit_accounts
      WHERE client_id = ?1 AND currency = ?14 AND balance_minor >= ?20))`;

/** The order of this very placement: none in a replay, and none when the guard refused. */
const PLACED = `o.client_id = ?1 AND o.order_ref_id = ?2 AND o.placement_id = ?3`;

const TAKE_STOCK = `
  UPDATE stock SET quantity = quantity - o.qty FROM orders o
  WHERE ${PLACED} AND stock.product_id = o.product_id
    AND stock.variation_id = coalesce(o.variation_id, 0) AND stock.quantity IS NOT NULL`;

const INSERT_SUB_ORDERS = `
  INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, phone_number,
    email_message, delivery_address, product_id, variation_id)
  SELECT o.id, r.key + 1, r.value ->> '$.firstName', r.value ->> '$.lastName', r.value ->> '$.email',
    r.value ->> '$.phoneNumber', r.value ->> '$.emailMessage', r.value -> '$.deliveryAddress',
    o.product_id, o.variation_id
  FROM orders o, json_each(?4) r WHERE ${PLACED}`;

const DEBIT_ACCOUNT = `
  UPDATE credit_accounts SET balance_minor = balance_minor - o.order_total_minor, entries = entries + 1
  FROM orders o WHERE ${PLACED}
    AND credit_accounts.client_id = o.client_id AND credit_accounts.currency = o.currency`;

const INSERT_LEDGER_ENTRY = `
  INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
    order_id, created_at_ms)
  SELECT a.client_id, a.currency, a.entries, 'order', -o.order_total_minor, a.balance_minor, o.id,
    o.created_at_ms
  FROM orders o JOIN credit_accounts a ON a.client_id = o.client_id AND a.currency = o.currency
  WHERE ${PLACED}`;

// The order there is or, only where there is none, the terms there are. Always one row.
const SELECT_OUTCOME = `
  SELECT o.id, o.placement_id AS placementId, o.request_digest AS requestDigest,
    o.product_price_minor AS productPriceMinor, o.qty, o.subtotal_minor AS subtotalMinor,
    o.shipping_cost_minor AS shippingCostMinor, o.order_fee_minor AS orderFeeMinor,
    o.order_total_minor AS orderTotalMinor, o.link_nonce AS linkNonce, o.link_key_id AS linkKeyId,
    coalesce(o.currency, r.currency) AS currency,
    e.revision, r.delivery, r.price_minor AS priceMinor,
    r.shipping_minor AS shippingMinor, r.locations, r.variations, s.quantity, s.sellable,
    CASE WHEN o.id IS NULL THEN
      (SELECT balance_minor FROM credit_accounts WHERE client_id = ?1 AND currency = ?6)
    END AS balanceMinor
  FROM (SELECT 1)
  LEFT JOIN orders o ON o.client_id = ?1 AND o.order_ref_id = ?2
  LEFT JOIN catalogues c ON o.id IS NULL AND c.id = ?3
  LEFT JOIN catalogue_entries e
    ON e.catalogue_id = c.id AND e.version = c.version AND e.product_id = ?4
  LEFT JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision
  LEFT JOIN stock s ON s.product_id = r.product_id AND s.variation_id = ?5`;

interface TermsRow extends Omit<Offer, "locations" | "variations"> {
  id: null;
  locations: string;
  variations: string;
  quantity: number | null;
  sellable: number | null;
  balanceMinor: number | null;
}

type OutcomeRow = PlacedOrder | TermsRow | { id: null; revision: null };

/** What a database and one of its sessions have in common. */
type Queryable = Pick<D1DatabaseSession, "prepare" | "batch">;

/** Places the order if its guard holds. Either way the outcome is what the primary says; one round trip. */
export async function writeOrder(d1: D1Database, order: NewOrder): Promise<PlacementOutcome> {
  const { totals } = order;
  const placed = [order.clientId, order.orderRefId, order.placementId];
  return readOutcome(d1, order, [
    d1
      .prepare(INSERT_ORDER)
      .bind(
        ...placed,
        order.requestDigest,
        order.method,
        order.status,
        order.giftOfChoice,
        order.brandingSelected,
        order.branding && JSON.stringify(order.branding),
        order.productId,
        order.variationId,
        order.revision,
        order.baseLocation,
        order.currency,
        totals.productPriceMinor,
        totals.qty,
        totals.subtotalMinor,
        totals.shippingCostMinor,
        totals.orderFeeMinor,
        totals.orderTotalMinor,
        order.nowMs,
        order.catalogueId,
        order.linkNonce,
        order.linkKeyId,
      ),
    d1.prepare(TAKE_STOCK).bind(...placed),
    d1.prepare(INSERT_SUB_ORDERS).bind(...placed, JSON.stringify(order.recipients)),
    ...(order.status === "paid"
      ? [d1.prepare(DEBIT_ACCOUNT).bind(...placed), d1.prepare(INSERT_LEDGER_ENTRY).bind(...placed)]
      : []),
  ]);
}

/** The order there is, or the terms there are; after `writes` if there are any. One round trip. */
export async function readOutcome(
  db: Queryable,
  key: PlacementKey,
  writes: D1PreparedStatement[] = [],
): Promise<PlacementOutcome> {
  const look = db
    .prepare(SELECT_OUTCOME)
    .bind(
      key.clientId,
      key.orderRefId,
      key.catalogueId,
      key.productId,
      key.variationId ?? 0,
      key.currency,
    );
  const results = await db.batch<OutcomeRow>([...writes, look]);
  const row = results.at(-1)?.results[0];
  if (!row) throw new Error("D1 answered no row");
  return row.id === null ? { order: null, terms: toTerms(row) } : { order: row };
}

function toTerms(row: Exclude<OutcomeRow, PlacedOrder>): Terms {
  if (row.revision === null) return { offer: null, stock: null, balanceMinor: 0 };
  const { revision, delivery, currency, priceMinor, shippingMinor } = row;
  const { quantity, sellable, balanceMinor, locations, variations } = row;
  return {
    offer: {
      revision,
      delivery,
      currency,
      priceMinor,
      shippingMinor,
      locations: JSON.parse(locations) as Product["locations"],
      variations: JSON.parse(variations) as Variation[],
    },
    stock: sellable === null ? null : { quantity, sellable: sellable === 1 },
    balanceMinor: balanceMinor ?? 0,
  };
}
