// Gifts in D1, as the recipient's page reads and redeems them. Always on the primary: a link is opened as soon
// as it is sent, and what is shown after a redemption is that redemption.
import { JOIN_REVISION, PRODUCT_COLUMNS, type ProductRow, toListed } from "../catalogue/queries.ts";
import type { Address, Branding } from "../db/schema.ts";
import type { Gift, GiftProduct } from "./gift.ts";

/** What a token opens. */
export interface SubOrderKey {
  orderId: number;
  sequence: number;
  /** The order must have this nonce: another order may have got its id after a restore. */
  nonce: string;
}

/** What to read beside the gift itself. */
export interface ViewOptions {
  /** A product the recipient looks at instead of the offered one. */
  productId?: number | null;
  /** How many entries of the catalogue to look through for other gifts, after which product. */
  shelf?: { window: number; after: number | null };
}

export interface GiftView {
  gift: Gift;
  /** What the gift is: the offered product, and after a redemption the chosen one. */
  selected: GiftProduct;
  /** Null when none was asked for, or when the sender's catalogue does not have it. */
  lookedAt: GiftProduct | null;
  /** The next entries that are affordable, the most valuable first; not all of them can be had. */
  shelf: GiftProduct[];
}

export interface Redemption {
  redemptionId: string;
  nowMs: number;
  productId: number;
  variationId: number | null;
  /** The revision that was chosen. */
  revision: string;
  /** Undefined leaves what the sender gave. */
  address: Address | undefined;
  notes: string | undefined;
}

const SELECT_GIFT = `
  SELECT c.name AS sender, o.branding, s.first_name AS firstName, s.email_message AS message,
    o.status AS orderStatus, o.gift_of_choice AS giftOfChoice,
    s.redemption_status AS redemptionStatus, s.redemption_id AS redemptionId,
    s.delivery_address AS deliveryAddress, s.delivery_notes AS deliveryNotes, o.currency,
    o.base_location AS baseLocation, (o.subtotal_minor + o.shipping_cost_minor) / o.qty AS budgetMinor,
    o.product_id AS offeredProductId, o.variation_id AS offeredVariationId,
    s.variation_id AS selectedVariationId
  FROM sub_orders s JOIN orders o ON o.id = s.order_id JOIN clients c ON c.id = o.client_id
  WHERE s.order_id = ?1 AND s.sequence = ?2 AND o.link_nonce = ?3`;

/** From an order to what its sender's catalogue shows now. */
const JOIN_CATALOGUE = `
  JOIN clients c ON c.id = o.client_id JOIN catalogues k ON k.id = c.catalogue_id
  JOIN catalogue_entries e ON e.catalogue_id = k.id AND e.version = k.version`;

const SELECT_SELECTED = `
  SELECT ${PRODUCT_COLUMNS}, r.revision, EXISTS (SELECT 1 FROM catalogues k JOIN catalogue_entries e
      ON e.catalogue_id = k.id AND e.version = k.version
      WHERE k.id = c.catalogue_id AND e.product_id = r.product_id AND e.revision = r.revision) AS current
  FROM sub_orders s JOIN orders o ON o.id = s.order_id JOIN clients c ON c.id = o.client_id
  JOIN product_revisions r
    ON r.product_id = s.product_id AND r.revision = coalesce(s.selected_revision, o.product_revision)
  WHERE s.order_id = ?1 AND s.sequence = ?2`;

const SELECT_LOOKED_AT = `
  SELECT ${PRODUCT_COLUMNS}, r.revision, 1 AS current
  FROM orders o ${JOIN_CATALOGUE} AND e.product_id = ?2 ${JOIN_REVISION} WHERE o.id = ?1`;

// A range of the index by price, however large the catalogue is. The cursor is a product, not its price: the
// recipient reads it in the address bar, and what gifts cost is between sender and shop.
const SELECT_SHELF = `
  SELECT ${PRODUCT_COLUMNS}, r.revision, 1 AS current
  FROM orders o ${JOIN_CATALOGUE} AND e.currency = o.currency AND e.lowest_unit_minor IS NOT NULL
    AND (e.lowest_unit_minor, e.product_id) < (
      coalesce((SELECT a.lowest_unit_minor FROM catalogue_entries a
          WHERE a.catalogue_id = k.id AND a.version = k.version AND a.product_id = ?2),
        (o.subtotal_minor + o.shipping_cost_minor) / o.qty),
      coalesce(?2, ${Number.MAX_SAFE_INTEGER}))
  ${JOIN_REVISION}
  WHERE o.id = ?1 AND o.gift_of_choice = 'Y' AND o.status = 'paid' AND e.product_id <> o.product_id
  ORDER BY e.lowest_unit_minor DESC, e.product_id DESC LIMIT ?3`;

// The one condition on which everything hangs: nobody redeemed it before, it is paid for, and what was chosen
// is the offered gift or can be had now. What a revision says (price, currency, locations) was checked before
// and cannot change; that it is still the catalogue's, and the stock, is decided here.
const REDEEM = `
  UPDATE sub_orders SET redemption_status = 'redeemed', redemption_id = ?3, redeemed_at_ms = ?4,
    product_id = ?5, variation_id = ?6, selected_revision = ?7,
    delivery_address = coalesce(?8, delivery_address), delivery_notes = ?9
  WHERE order_id = ?1 AND sequence = ?2 AND redemption_status IS NULL
    AND EXISTS (SELECT 1 FROM orders o WHERE o.id = ?1 AND o.link_nonce = ?10 AND o.status = 'paid' AND (
      (o.product_id = ?5 AND o.variation_id IS ?6)
      OR (o.gift_of_choice = 'Y'
        AND EXISTS (SELECT 1 FROM clients c JOIN catalogues k ON k.id = c.catalogue_id
          JOIN catalogue_entries e ON e.catalogue_id = k.id AND e.version = k.version
          WHERE c.id = o.client_id AND e.product_id = ?5 AND e.revision = ?7)
        AND EXISTS (SELECT 1 FROM stock WHERE product_id = ?5 AND variation_id = coalesce(?6, 0)
          AND sellable = 1 AND (quantity IS NULL OR quantity >= 1)))))`;

/** This very redemption, if it won and is a swap: of the loser's statements none finds anything. */
const SWAPPED = `
  FROM sub_orders s JOIN orders o ON o.id = s.order_id
  WHERE s.order_id = ?1 AND s.sequence = ?2 AND s.redemption_id = ?3
    AND (s.product_id, coalesce(s.variation_id, 0)) <> (o.product_id, coalesce(o.variation_id, 0))
    AND stock.quantity IS NOT NULL`;

const TAKE_SELECTED = `
  UPDATE stock SET quantity = quantity - 1 ${SWAPPED}
    AND stock.product_id = s.product_id AND stock.variation_id = coalesce(s.variation_id, 0)`;

const RETURN_OFFERED = `
  UPDATE stock SET quantity = quantity + 1 ${SWAPPED}
    AND stock.product_id = o.product_id AND stock.variation_id = coalesce(o.variation_id, 0)
    AND o.took_stock = 1`;

interface GiftRow extends Omit<Gift, "branding" | "deliveryAddress"> {
  branding: string | null;
  deliveryAddress: string | null;
}

interface GiftProductRow extends ProductRow {
  revision: string;
  current: number;
}

/** The gift and what to show with it, or null when there is no such sub-order; one round trip. */
export async function readGift(
  d1: D1Database,
  key: SubOrderKey,
  look: ViewOptions,
): Promise<GiftView | null> {
  return toView(await d1.batch(viewStatements(d1, key, look)));
}

/**
 * Redeems the gift if it is open and the choice can be had, and moves the stock of a swap with it. One batch,
 * one round trip; the view is what came of it: its `redemptionId` says whether this redemption won.
 */
export async function writeRedemption(
  d1: D1Database,
  key: SubOrderKey,
  redemption: Redemption,
  look: ViewOptions,
): Promise<GiftView | null> {
  const own = [key.orderId, key.sequence, redemption.redemptionId];
  const writes = [
    d1
      .prepare(REDEEM)
      .bind(
        ...own,
        redemption.nowMs,
        redemption.productId,
        redemption.variationId,
        redemption.revision,
        redemption.address ? JSON.stringify(redemption.address) : null,
        redemption.notes ?? null,
        key.nonce,
      ),
    d1.prepare(TAKE_SELECTED).bind(...own),
    d1.prepare(RETURN_OFFERED).bind(...own),
  ];
  const results = await d1.batch([...writes, ...viewStatements(d1, key, look)]);
  return toView(results.slice(writes.length));
}

function viewStatements(
  d1: D1Database,
  { orderId, sequence, nonce }: SubOrderKey,
  { productId, shelf }: ViewOptions,
): D1PreparedStatement[] {
  return [
    d1.prepare(SELECT_GIFT).bind(orderId, sequence, nonce),
    d1.prepare(SELECT_SELECTED).bind(orderId, sequence),
    d1.prepare(SELECT_LOOKED_AT).bind(orderId, productId ?? null),
    d1.prepare(SELECT_SHELF).bind(orderId, shelf?.after ?? null, shelf?.window ?? 0),
  ];
}

function toView(results: D1Result[]): GiftView | null {
  const [gifts, selected, lookedAt, shelf] = results as [
    D1Result<GiftRow>,
    D1Result<GiftProductRow>,
    D1Result<GiftProductRow>,
    D1Result<GiftProductRow>,
  ];
  const [gift] = gifts.results;
  const [product] = selected.results;
  if (!gift || !product) return null;
  return {
    gift: {
      ...gift,
      branding: gift.branding === null ? null : (JSON.parse(gift.branding) as Branding),
      deliveryAddress:
        gift.deliveryAddress === null ? null : (JSON.parse(gift.deliveryAddress) as Address),
    },
    selected: toGiftProduct(product),
    lookedAt: lookedAt.results[0] ? toGiftProduct(lookedAt.results[0]) : null,
    shelf: shelf.results.map(toGiftProduct),
  };
}

function toGiftProduct(row: GiftProductRow): GiftProduct {
  return { ...toListed(row), revision: row.revision, current: row.current === 1 };
}
