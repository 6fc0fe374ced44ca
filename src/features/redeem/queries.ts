// The statements that read and redeem gifts and store thank-you notes. A gift may be read from a replica.
import { JOIN_REVISION, PRODUCT_COLUMNS, toProductWithStock } from "../catalogue/queries.ts";
import { STOCK_KIND, TAKEN_STOCK } from "../catalogue/stock-kind.ts";
import type { Translations } from "../catalogue/product.ts";
import { PLATFORM_BRANDING } from "../clients/profile.ts";
import { carrierAnswerOf } from "../../core/values/carrier-answer.ts";
import { formatDay } from "../../core/values/time.ts";
import { type Json, parseJson, toJson } from "../../platform/db/columns.ts";
import {
  batch,
  type Database,
  type Fragment,
  fragment,
  type Results,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { JOIN_SHIPMENT, revision } from "../../platform/db/tables.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { LOOK_NOW } from "../events/subject-queries.ts";
import { sendOwedCodes } from "../codes/bind-queries.ts";
import { IS_MAILED } from "../schedule/queries.ts";
import { type ReadOrder, SELECT_FOR_CHANGE } from "../lifecycle/change-queries.ts";
import { canReinstate, IS_OPEN, stateOf } from "../lifecycle/gift-state.ts";
import { NO_CLIENT } from "../lifecycle/order-key.ts";
import { JOIN_RECEIVED_REVISION, PATCH_TERMS } from "../orders/queries.ts";
import { searchTermsOf } from "../orders/search-terms.ts";
import type { DeliveryInput } from "./delivery.ts";
import { type GiftProduct, type GiftView, PAGE_GIFT_COLUMNS } from "../pages/gift.ts";

/** The gift of a link. */
export interface LinkedGiftKey {
  orderId: number;
  sequence: number;
  /** The order's nonce. After a database restore, another order may have the same id. */
  nonce: string;
  /** The generation of the link. Only the gift's present generation may be redeemed. */
  generation: number;
}

/** What to read besides the gift. */
export interface ViewOptions {
  /** Another product that the recipient views. */
  productId?: number | null;
  /** The number of catalogue entries to read for other gifts. */
  window?: number;
}

interface GiftAndWebhooks {
  /** Null if there is no such gift. */
  view: GiftView | null;
  /** The enabled webhook endpoints of the gift's client. */
  webhookIds: number[];
}

/** Where the gift is sent. The recipient is part of `corrections`. */
type DeliveredTo = Omit<DeliveryInput, "recipient">;

interface Redemption extends DeliveredTo {
  redemptionId: string;
  nowMs: number;
  productId: number;
  variationId: number | null;
  /** The chosen revision. */
  revision: string;
  /** The corrected fields of the recipient. */
  corrections: Record<string, string | null>;
  isDigital: boolean;
  tracksOpening?: boolean | undefined;
}

/** Whether two revisions of a product differ in their translations only, whose digest follows a hyphen. */
const sameContent = <A extends string, B extends string>(
  a: Fragment<A>,
  b: Fragment<B>,
) => fragment`
  substr(${a} || '-', 1, instr(${a} || '-', '-')) = substr(${b} || '-', 1, instr(${b} || '-', '-'))`;

const GIFT_PRODUCT = { ...PRODUCT_COLUMNS, ...revision("revision", "translations") };

type GiftProductRow = RowOf<typeof GIFT_PRODUCT> & { current: number };

const SELECT_GIFT = sql<Omit<LinkedGiftKey, "generation">>()`
  SELECT ${PAGE_GIFT_COLUMNS}
  FROM gifts s JOIN orders o ON o.id = s.order_id JOIN clients c ON c.id = o.client_id ${JOIN_SHIPMENT}
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND o.link_nonce = ${"nonce"}`;

/** Joins an order with the entries of its sender's current catalogue. */
const JOIN_CATALOGUE = fragment`
  JOIN clients c ON c.id = o.client_id JOIN catalogues k ON k.id = c.catalogue_id
  JOIN catalogue_entries e ON e.catalogue_id = k.id AND e.version = k.version`;

/** Entry `e` is another product than the offered one of order `o`, and the recipient may choose what it costs. */
const IS_AFFORDABLE = fragment`
  o.gift_of_choice = 'Y' AND o.status = 'paid' AND e.product_id <> o.product_id AND e.currency = o.currency
    AND e.lowest_unit_minor <= (o.subtotal_minor + o.shipping_cost_minor) / o.qty`;

/** Entry `e` may be chosen in order `o`: it is the offered product, or in the order's collection, if it has one. */
const IN_COLLECTION = fragment`
  (o.collection_id IS NULL OR e.product_id = o.product_id
    OR EXISTS (SELECT 1 FROM collections l, json_each(l.products) p
      WHERE l.catalogue_id = k.id AND l.id = o.collection_id AND p.value = e.product_id))`;

const SELECT_SELECTED = sql<Pick<LinkedGiftKey, "orderId" | "sequence">, { current: number }>()`
  SELECT ${GIFT_PRODUCT}, EXISTS (SELECT 1
      FROM catalogues k JOIN catalogue_entries e ON e.catalogue_id = k.id AND e.version = k.version
      WHERE k.id = c.catalogue_id AND e.product_id = r.product_id
        AND ${sameContent(fragment`e.revision`, fragment`r.revision`)}) AS current
  FROM gifts s JOIN orders o ON o.id = s.order_id JOIN clients c ON c.id = o.client_id
  ${JOIN_RECEIVED_REVISION}
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"}`;

const SELECT_VIEWED = sql<{ orderId: number; productId: number | null }, { current: number }>()`
  SELECT ${GIFT_PRODUCT}, 1 AS current
  FROM orders o ${JOIN_CATALOGUE} AND e.product_id = ${"productId"} ${JOIN_REVISION}
  WHERE o.id = ${"orderId"} AND ${IN_COLLECTION}`;

// Reads a range of the index by price, so its cost does not depend on the size of the catalogue.
const SELECT_OTHERS = sql<{ orderId: number; limit: number }, { current: number }>()`
  SELECT ${GIFT_PRODUCT}, 1 AS current
  FROM orders o ${JOIN_CATALOGUE} ${JOIN_REVISION}
  WHERE o.id = ${"orderId"} AND o.collection_id IS NULL AND ${IS_AFFORDABLE}
  ORDER BY e.lowest_unit_minor DESC, e.product_id DESC LIMIT ${"limit"}`;

// The products of the order's collection, or of `ids`, in this order. The cost is linear in their number.
const SELECT_COLLECTED = sql<
  { orderId: number; ids: string | null; limit: number },
  { current: number }
>()`
  SELECT ${GIFT_PRODUCT}, 1 AS current
  FROM orders o JOIN clients c ON c.id = o.client_id JOIN catalogues k ON k.id = c.catalogue_id
  LEFT JOIN collections l ON l.catalogue_id = k.id AND l.id = o.collection_id
  CROSS JOIN json_each(coalesce(${"ids"}, l.products)) p
  CROSS JOIN catalogue_entries e
    ON e.catalogue_id = k.id AND e.version = k.version AND e.product_id = p.value
  ${JOIN_REVISION}
  WHERE o.id = ${"orderId"} AND ${IS_AFFORDABLE}
  ORDER BY p.key LIMIT ${"limit"}`;

/** The catalogue from which a recipient chooses. */
interface GiftSource {
  id: number;
  version: number;
  /** The products of the order's collection. Null without one. */
  collected: Json<number[]> | null;
}

// No row if the recipient cannot choose.
const SELECT_SOURCE = sql<{ orderId: number }, GiftSource>()`
  SELECT k.id, k.version, iif(o.collection_id IS NULL, NULL, coalesce((SELECT l.products
      FROM collections l WHERE l.catalogue_id = k.id AND l.id = o.collection_id), '[]')) AS collected
  FROM orders o JOIN clients c ON c.id = o.client_id JOIN catalogues k ON k.id = c.catalogue_id
  WHERE o.id = ${"orderId"} AND o.gift_of_choice = 'Y' AND o.status = 'paid' AND k.version > 0`;

type RedemptionColumns = LinkedGiftKey &
  Omit<Redemption, keyof DeliveredTo | "corrections" | "isDigital" | "tracksOpening"> &
  Record<keyof DeliveredTo, string | null> & {
    /** JSON: the corrected fields, by the names of their columns. */
    corrections: string;
    searchTerms: string;
  };

/** Gift `s` of order `o` has this link as its present one, and its recipient's data was not erased. */
const HAS_LINK = fragment`
  s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND o.id = s.order_id
    AND s.link_generation = ${"generation"} AND o.link_nonce = ${"nonce"} AND s.erased_at_ms IS NULL`;

// The guard: the gift is open, the link is its present one, and the choice is the offered product or a product that is in
// the current catalogue and in stock: with a gift of choice, or if it is a variation of the offered product and the client
// permits that. Price, currency and locations are checked before, because a revision never
// changes. The trigger `redeemed_gifts_are_counted` updates the order.
const REDEEM = sql<RedemptionColumns>()`
  UPDATE gifts AS s SET redemption_status = 'redeemed', redemption_id = ${"redemptionId"},
    redeemed_at_ms = ${"nowMs"}, product_id = ${"productId"}, variation_id = ${"variationId"},
    selected_revision = ${"revision"}, delivery_address = coalesce(${"address"}, delivery_address),
    delivery_notes = ${"notes"}, delivery_email = ${"email"},
    first_name = coalesce(${"corrections"} ->> '$.first_name', first_name),
    last_name = coalesce(${"corrections"} ->> '$.last_name', last_name),
    phone_number = iif(json_type(${"corrections"}, '$.phone_number') IS NULL, phone_number,
      ${"corrections"} ->> '$.phone_number'),
    corrections = corrections + (${"corrections"} <> '{}'), ${PATCH_TERMS},
    send_at_ms = min(s.send_at_ms, ${"nowMs"}), next_email_ms = iif(${IS_MAILED}, ${LOOK_NOW}, NULL),
    emails_stopped = iif(${"email"} IS NOT NULL AND emails_stopped = 'bounced', NULL, emails_stopped),
    took_stock = (SELECT ${TAKEN_STOCK} FROM stock k
      WHERE k.product_id = ${"productId"} AND k.variation_id = coalesce(${"variationId"}, 0)
        AND (k.product_id, k.variation_id) <> (o.product_id, coalesce(o.variation_id, 0)))
  FROM orders o WHERE ${HAS_LINK} AND ${IS_OPEN} AND (
        (o.product_id = ${"productId"} AND o.variation_id IS ${"variationId"})
        OR (EXISTS (SELECT 1 FROM clients c JOIN catalogues k ON k.id = c.catalogue_id
            JOIN catalogue_entries e ON e.catalogue_id = k.id AND e.version = k.version
            WHERE c.id = o.client_id AND e.product_id = ${"productId"} AND ${IN_COLLECTION}
              AND (o.gift_of_choice = 'Y' OR (c.choose_variation = 1 AND o.product_id = ${"productId"}))
              AND ${sameContent(fragment`e.revision`, fragment`${"revision"}`)})
          AND EXISTS (SELECT 1 FROM stock
            WHERE product_id = ${"productId"} AND variation_id = coalesce(${"variationId"}, 0)
              AND sellable = 1 AND (quantity IS NULL OR quantity >= 1))))`;

interface RedeemedKey extends Pick<LinkedGiftKey, "orderId" | "sequence"> {
  redemptionId: string;
}

interface RedeemedEvent extends RedeemedKey {
  corrections: string;
}

/** Matches the gift that REDEEM has updated in this batch, if its product is not the offered one. */
const SWAPPED = fragment`
  FROM gifts s JOIN orders o ON o.id = s.order_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND s.redemption_id = ${"redemptionId"}
    AND (s.product_id, coalesce(s.variation_id, 0)) <> (o.product_id, coalesce(o.variation_id, 0))
    AND stock.quantity IS NOT NULL`;

const TAKE_SELECTED = sql<RedeemedKey>()`
  UPDATE stock SET quantity = quantity - 1 ${SWAPPED}
    AND stock.product_id = s.product_id AND stock.variation_id = coalesce(s.variation_id, 0)`;

const RETURN_OFFERED = sql<RedeemedKey>()`
  UPDATE stock SET quantity = quantity + 1 ${SWAPPED}
    AND stock.product_id = o.product_id AND stock.variation_id = coalesce(o.variation_id, 0)
    AND o.took_stock = ${STOCK_KIND}`;

const INSERT_REDEEMED_EVENT = sql<RedeemedEvent>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'gift.redeemed', o.id, s.sequence,
    json_object('productId', s.product_id, 'variationId', s.variation_id,
      'correctedFields', (SELECT json_group_array(key) FROM json_each(${"corrections"}))),
    s.redeemed_at_ms
  FROM gifts s JOIN orders o ON o.id = s.order_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"}
    AND s.redemption_id = ${"redemptionId"}`;

/** The enabled webhook endpoints of the order's client. `status <> 'deleted'` is the condition of the index. */
const SELECT_WEBHOOKS = sql<{ orderId: number }, { id: number }>()`
  SELECT w.id FROM orders o JOIN webhooks w
    ON w.client_id = o.client_id AND w.status <> 'deleted' AND w.status = 'enabled'
  WHERE o.id = ${"orderId"}`;

// The guard: the gift was not opened before, and its client sees when gifts are opened.
const NOT_OPENED = fragment`
  ${HAS_LINK} AND s.opened_at_ms IS NULL
    AND EXISTS (SELECT 1 FROM clients c WHERE c.id = o.client_id AND c.track_opened = 1)`;

// Before OPEN_GIFT, after which the guard no longer holds.
const INSERT_OPENED_EVENT = sql<LinkedGiftKey & { nowMs: number }>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'gift.opened', o.id, s.sequence, NULL, ${"nowMs"}
  FROM gifts s, orders o WHERE ${NOT_OPENED}`;

const OPEN_GIFT = sql<LinkedGiftKey & { nowMs: number }>()`
  UPDATE gifts AS s SET opened_at_ms = ${"nowMs"} FROM orders o WHERE ${NOT_OPENED}`;

type NoteKey = LinkedGiftKey & { nowMs: number };

// The guard: the gift is redeemed, and has no note.
const THANKABLE = fragment`${HAS_LINK} AND s.redemption_status = 'redeemed' AND s.thank_you IS NULL`;

// Before INSERT_NOTE, after which the guard no longer holds.
const INSERT_THANKED_EVENT = sql<NoteKey>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'gift.thanked', o.id, s.sequence, NULL, ${"nowMs"}
  FROM gifts s, orders o WHERE ${THANKABLE}`;

const INSERT_NOTE = sql<NoteKey & { note: string }>()`
  UPDATE gifts AS s SET thank_you = ${"note"}, thanked_at_ms = ${"nowMs"} FROM orders o WHERE ${THANKABLE}`;

const OPEN_CODE = sql<LinkedGiftKey & { nowMs: number }>()`
  UPDATE codes SET opened_at_ms = ${"nowMs"}
  WHERE order_id = ${"orderId"} AND sequence = ${"sequence"} AND voided_at_ms IS NULL AND opened_at_ms IS NULL
    AND EXISTS (SELECT 1 FROM gifts s, orders o WHERE ${HAS_LINK})`;

/** The gift with the products to show, or null if there is no such gift. One round trip. */
export async function findGift(
  db: Database,
  key: LinkedGiftKey,
  options: ViewOptions,
  nowMs: number,
): Promise<GiftView | null> {
  return toView(await batch(db, viewSql(db, key, options)), { ...key, nowMs });
}

/** The gift, and from what its recipient chooses: null if the recipient cannot. One round trip. */
export async function findGiftAndSource(db: Database, key: LinkedGiftKey, nowMs: number) {
  const { source, ...results } = await batch(db, {
    ...viewSql(db, key, {}),
    source: SELECT_SOURCE.bind(db, key),
  });
  const [found] = source.results;
  return {
    view: toView(results, { ...key, nowMs }),
    source: found ? { ...found, collected: parseJson(found.collected) } : null,
  };
}

/** Those of the products that are in the catalogue, in this order. One round trip. */
export async function readListedGifts(db: Database, orderId: number, ids: number[]) {
  const rows = await SELECT_COLLECTED.all(db, { orderId, ids: toJson(ids), limit: ids.length });
  return rows.map(toGiftProduct);
}

/**
 * Redeems the gift if it is open and the choice is available, and moves the stock if the recipient chose another
 * product. One transaction, one round trip. The redemption succeeded if the returned gift has its `redemptionId`.
 */
export async function writeRedemption(
  db: Database,
  key: LinkedGiftKey,
  redemption: Redemption,
  options: ViewOptions,
): Promise<GiftAndWebhooks> {
  const columns = {
    ...key,
    ...redemption,
    corrections: toJson(redemption.corrections),
    address: redemption.address ? toJson(redemption.address) : null,
    notes: redemption.notes ?? null,
    email: redemption.email ?? null,
    searchTerms: toJson(
      searchTermsOf({ ...redemption.corrections, delivery_email: redemption.email }),
    ),
  };
  const { nowMs, redemptionId: attemptId } = redemption;
  const owed = { ...key, clientId: null, orderRefId: null, nowMs, attemptId };
  const results = await batch(db, {
    ...(redemption.tracksOpening && openingSql(db, columns)),
    redeem: REDEEM.bind(db, columns),
    takeStock: TAKE_SELECTED.bind(db, columns),
    returnStock: RETURN_OFFERED.bind(db, columns),
    event: INSERT_REDEEMED_EVENT.bind(db, columns),
    ...(redemption.isDigital && sendOwedCodes(db, owed)),
    webhooks: SELECT_WEBHOOKS.bind(db, columns),
    ...viewSql(db, key, options),
  });
  return toGiftAndWebhooks(results, { ...key, nowMs });
}

/**
 * Stores the recipient's note to the sender, if the gift is redeemed and has no note. One transaction, one round trip.
 */
export async function writeNote(
  db: Database,
  key: LinkedGiftKey,
  { note, nowMs }: { note: string; nowMs: number },
): Promise<GiftAndWebhooks> {
  const columns = { ...key, note, nowMs };
  const results = await batch(db, {
    event: INSERT_THANKED_EVENT.bind(db, columns),
    note: INSERT_NOTE.bind(db, columns),
    webhooks: SELECT_WEBHOOKS.bind(db, key),
    ...viewSql(db, key, {}),
  });
  return toGiftAndWebhooks(results, { ...key, nowMs });
}

/**
 * Stores when the gift was first opened, and returns the webhook endpoints for its event: none if it was opened before. One
 * transaction, one round trip.
 */
export async function writeOpening(
  db: Database,
  key: LinkedGiftKey,
  nowMs: number,
): Promise<number[]> {
  const { opened, webhooks } = await batch(db, {
    ...openingSql(db, { ...key, nowMs }),
    webhooks: SELECT_WEBHOOKS.bind(db, key),
  });
  return opened.meta.changes > 0 ? webhooks.results.map(({ id }) => id) : [];
}

/** Stores when the gift's code was first seen, and reads the gift. Safe to repeat. One transaction, one round trip. */
export async function openCode(
  db: Database,
  key: LinkedGiftKey,
  nowMs: number,
): Promise<GiftView | null> {
  const results = await batch(db, {
    opened: OPEN_CODE.bind(db, { ...key, nowMs }),
    ...viewSql(db, key, {}),
  });
  return toView(results, { ...key, nowMs });
}

/** With what a change of the gift depends on. Also stores that the gift is opened, if it `tracksOpening`. One round trip. */
export async function readGiftToChange(
  db: Database,
  key: LinkedGiftKey,
  nowMs: number,
  tracksOpening = false,
): Promise<GiftAndWebhooks & { read: Json<ReadOrder> | undefined }> {
  const results = await batch(db, {
    ...(tracksOpening && openingSql(db, { ...key, nowMs })),
    webhooks: SELECT_WEBHOOKS.bind(db, key),
    ...viewSql(db, key, {}),
    read: SELECT_FOR_CHANGE.bind(db, { ...key, ...NO_CLIENT }),
  });
  return { ...toGiftAndWebhooks(results, { ...key, nowMs }), read: results.read.results[0]?.read };
}

const openingSql = (db: Database, params: LinkedGiftKey & { nowMs: number }) => ({
  openedEvent: INSERT_OPENED_EVENT.bind(db, params),
  opened: OPEN_GIFT.bind(db, params),
});

function viewSql(
  db: Database,
  { orderId, sequence, nonce }: LinkedGiftKey,
  { productId, window: limit = 0 }: ViewOptions,
) {
  return {
    gift: SELECT_GIFT.bind(db, { orderId, sequence, nonce }),
    selected: SELECT_SELECTED.bind(db, { orderId, sequence }),
    viewed: SELECT_VIEWED.bind(db, { orderId, productId: productId ?? null }),
    others: SELECT_OTHERS.bind(db, { orderId, limit }),
    collected: SELECT_COLLECTED.bind(db, { orderId, ids: null, limit }),
  };
}

type ViewResults = Results<ReturnType<typeof viewSql>>;

function toView(
  { gift: gifts, selected, viewed, others, collected }: ViewResults,
  at: { generation: number; nowMs: number },
): GiftView | null {
  const [gift] = gifts.results;
  const [product] = selected.results;
  if (!gift || !product) return null;
  const branding = parseJson(gift.branding);
  const answer = carrierAnswerOf(gift.trackingNumber, parseJson(gift.carrierAnswers));
  // A day in the past is not shown.
  if ((answer.expectedOn ?? "") < formatDay(at.nowMs)) answer.expectedOn = null;
  return {
    gift: {
      ...gift,
      state: stateOf(gift, at),
      branding: branding ? { ...branding, company: gift.company } : PLATFORM_BRANDING,
      deliveryAddress: parseJson(gift.deliveryAddress),
      collection: parseJson(gift.collection),
      code: parseJson(gift.code),
      successor: parseJson(gift.successor),
      carrierAnswer: answer,
    },
    canReinstate: canReinstate(gift, at.nowMs),
    selected: toGiftProduct(product),
    viewed: viewed.results[0] ? toGiftProduct(viewed.results[0]) : null,
    others: [...others.results, ...collected.results].map(toGiftProduct),
  };
}

function toGiftAndWebhooks(
  results: ViewResults & { webhooks: D1Result<{ id: number }> },
  at: { generation: number; nowMs: number },
): GiftAndWebhooks {
  return { view: toView(results, at), webhookIds: results.webhooks.results.map(({ id }) => id) };
}

function toGiftProduct({ revision, current, translations, ...row }: GiftProductRow): GiftProduct {
  const { product, stock } = toProductWithStock(row);
  if (translations !== null) product.translations = JSON.parse(translations) as Translations;
  return { product, stock, revision, current: current === 1 };
}
