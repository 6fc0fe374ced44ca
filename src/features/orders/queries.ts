// The statements that place and read orders.
import type { Currency } from "../../core/values/iso.ts";
import type { Product, Variation } from "../catalogue/product.ts";
import { insertColumns, type Json, jsonObject, parseJson } from "../../platform/db/columns.ts";
import type { Orders } from "../../platform/db/schema.ts";
import {
  batch,
  type Bound,
  type Database,
  expression,
  type Fragment,
  fragment,
  rawSql,
  type RowOf,
  sql,
  sqlOf,
  writeAndRead,
} from "../../platform/db/sql.ts";
import { TAKEN_STOCK } from "../catalogue/stock-kind.ts";
import { sendOwedCodes } from "../codes/bind-queries.ts";
import { OWNED, type Owner } from "../clients/own.ts";
import type { Client } from "../clients/profile.ts";
import { SELECT_FOR_PLACEMENT, toClient, usedByPlacement } from "../clients/queries.ts";
import {
  countSpending,
  type LimitState,
  limitStatesOf,
  WITHIN_LIMITS,
} from "../credentials/limit-queries.ts";
import { insertInvoiceEntry } from "../credit/invoice-queries.ts";
import { changeBalance, insertCreditEntry } from "../credit/queries.ts";
import { nextSequenceOf } from "../events/queries.ts";
import { ORDER_ID } from "../events/subject-queries.ts";
import type { Offer } from "./offers.ts";
import {
  ORDER_METHODS,
  ORDER_STATUSES,
  type Gift,
  GIFT_COLUMNS,
  type LinkOrigin,
  NEW_GIFT,
  type NewGift,
  type Order,
  ORDER_COLUMNS,
  type OrderFacts,
  PLACED_COLUMNS,
  type PlacedOrder,
  type Totals,
} from "./order.ts";
import { codeTerm } from "./search-terms.ts";
import type { SelectedOrder } from "./selection.ts";

/** Joins gift `s` of order `o` with the revision of the product that the recipient gets. */
export const JOIN_RECEIVED_REVISION = fragment`
  JOIN product_revisions r
    ON r.product_id = s.product_id AND r.revision = coalesce(s.selected_revision, o.product_revision)`;

/** `vendor` is the `nameKey` of a vendor, or null for all vendors. */
export interface OfVendor {
  vendor: string | null;
}

/** Revision `r` is of a product of this vendor. */
export const OF_VENDOR = fragment`(${"vendor"} IS NULL OR r.vendor_key = ${"vendor"})`;

const listed = (values: readonly string[]) => rawSql<never>(`('${values.join("', '")}')`);

/** All values of the first columns of an index by status, so that a range of it is read for each of them. */
export const ANY_STATUS = listed(ORDER_STATUSES);
export const ANY_METHOD = listed(ORDER_METHODS);

/** Some gifts of order `o` are open. The index orders_with_open_gifts has the same condition. */
export const SOME_ARE_OPEN = fragment`
  o.qty > o.redeemed_gifts + o.cancelled_gifts + o.expired_gifts`;

/** Identifies the order of a request, and the rows that it is checked against. */
export interface PlacementKey extends FactsKey {
  orderRefId: string;
}

/** Identifies the order and the rows. Without ids of the catalogue and the credential set, the digest selects both. */
type OutcomeKey = { [Name in keyof FactsKey]: FactsKey[Name] | null } & {
  orderRefId: string | null;
  secretDigest?: string | null;
  nowMs: number;
};

/** Identifies the rows that a new order or a quote is checked against. */
export interface FactsKey {
  /** The credential set of the request. Its limits apply. Null for the demo data. */
  credentialId: number | null;
  clientId: string;
  catalogueId: number;
  productId: number;
  variationId: number | null;
  currency: Currency;
}

/** The columns of a new order with values from its request. */
const NEW_ORDER = insertColumns("orders", [
  "clientId",
  "orderRefId",
  "placementId",
  "requestDigest",
  "campaign",
  "credentialId",
  "giftOrderMethod",
  "status",
  "giftOfChoice",
  "collectionId",
  "brandingSelected",
  "branding",
  "senderName",
  "productId",
  "variationId",
  "productRevision",
  "baseLocation",
  "currency",
  "productPriceMinor",
  "qty",
  "subtotalMinor",
  "shippingCostMinor",
  "orderFeeMinor",
  "orderTotalMinor",
  "linkNonce",
  "linkKeyId",
  "sendAtMs",
  "sendCodes",
  "metadata",
  "expiresAtMs",
  "nextExpiryCheckMs",
  "createdAtMs",
]);

type StoredAsGiven =
  | ("campaign" | "giftOfChoice" | "collectionId" | "senderName" | "branding" | "baseLocation")
  | ("productRevision" | "metadata" | "createdAtMs" | "expiresAtMs" | "nextExpiryCheckMs");

export interface NewOrder
  extends PlacementKey, LinkOrigin, Totals, Pick<Orders["$inferSelect"], StoredAsGiven> {
  /**
   * Unique for each attempt. The other statements of the batch select the order by it, so they change no other order.
   */
  placementId: string;
  requestDigest: string;
  giftOrderMethod: "api-purchase" | "api-giftlink";
  status: "paid" | "created";
  brandingSelected: "platform" | "company";
  /** From when the recipients are invited by e-mail. Null if the partner sends the links. */
  sendAtMs: number | null;
  /** 1 if recipients get the codes of digital gifts by e-mail. */
  sendCodes: 0 | 1;
  isDigital: boolean;
  gifts: NewGift[];
  /** `usedByPlacement` of a replica. No order is inserted unless the primary has the same. */
  used?: string | undefined;
}

/** `branding` and `metadata` are JSON. */
type NewOrderColumns = Omit<NewOrder, "branding" | "metadata" | "gifts" | "isDigital" | "used"> &
  Record<"branding" | "metadata" | "used", string | null>;

// The guard: the reference is new, the revision is current, stock, credit and limits suffice, and the client is as it was
// used. If the guard does not hold, no order is inserted, and the other statements of the batch match no row.
const INSERT_ORDER = sql<NewOrderColumns>()`
  INSERT INTO orders (${NEW_ORDER.names}, email_template, took_stock, debit_sequence, placed_sequence,
    owed_minor)
  SELECT ${NEW_ORDER.parameters}, 'generic',
    (SELECT ${TAKEN_STOCK} FROM stock k
     WHERE k.product_id = ${"productId"} AND k.variation_id = coalesce(${"variationId"}, 0)),
    CASE WHEN ${"status"} = 'paid' THEN (SELECT entries + 1 FROM credit_accounts
      WHERE client_id = ${"clientId"} AND currency = ${"currency"}) END,
    ${nextSequenceOf(fragment`${"clientId"}`)},
    CASE WHEN ${"status"} = 'created' THEN ${"orderTotalMinor"} END
  WHERE NOT EXISTS (SELECT 1 FROM orders
      WHERE client_id = ${"clientId"} AND order_ref_id = ${"orderRefId"})
    AND EXISTS (SELECT 1 FROM catalogues c JOIN catalogue_entries e
        ON e.catalogue_id = c.id AND e.version = c.version
      WHERE c.id = ${"catalogueId"} AND e.product_id = ${"productId"} AND e.revision = ${"productRevision"})
    AND EXISTS (SELECT 1 FROM stock
      WHERE product_id = ${"productId"} AND variation_id = coalesce(${"variationId"}, 0)
        AND sellable = 1 AND (quantity IS NULL OR quantity >= ${"qty"}))
    AND (${"status"} = 'created' OR ${"orderTotalMinor"} = 0 OR EXISTS (SELECT 1 FROM credit_accounts
      WHERE client_id = ${"clientId"} AND currency = ${"currency"}
        AND balance_minor >= ${"orderTotalMinor"}))
    AND ${WITHIN_LIMITS}
    AND (${"used"} IS NULL OR ${usedByPlacement(fragment`s.id = ${"credentialId"}`)} = ${"used"})`;

type InsertedKey = Pick<NewOrder, "clientId" | "orderRefId" | "placementId">;

/** Matches the order that INSERT_ORDER has inserted in this batch. Matches no row if it has inserted none. */
const INSERTED = fragment`
  o.client_id = ${"clientId"} AND o.order_ref_id = ${"orderRefId"} AND o.placement_id = ${"placementId"}`;

const TAKE_STOCK = sql<InsertedKey>()`
  UPDATE stock SET quantity = quantity - o.qty FROM orders o
  WHERE ${INSERTED} AND stock.product_id = o.product_id
    AND stock.variation_id = coalesce(o.variation_id, 0) AND stock.quantity IS NOT NULL`;

const GIFT_VALUES = insertColumns("gifts", NEW_GIFT);

/** `gifts` is JSON: NewGift[]. */
const INSERT_GIFTS = sql<InsertedKey & { gifts: string }>()`
  INSERT INTO gifts (order_id, sequence, client_id, product_id, variation_id, ${GIFT_VALUES.names})
  SELECT o.id, r.key + 1, o.client_id, o.product_id, o.variation_id, ${GIFT_VALUES.valuesOf("r.value")}
  FROM orders o, json_each(${"gifts"}) r WHERE ${INSERTED}`;

/** `gifts` is JSON: NewGift[]. `term` is the reference's. */
const INSERT_TERMS = sql<
  InsertedKey & Record<"gifts" | "term", string> & { campaignTerm: string | null }
>()`
  INSERT OR IGNORE INTO search_terms (term, client_id, order_id, sequence, kind)
  SELECT ${"term"}, o.client_id, o.id, 0, 'order_ref_id' FROM orders o WHERE ${INSERTED}
  UNION ALL
  SELECT ${"campaignTerm"}, o.client_id, o.id, 0, 'campaign' FROM orders o
  WHERE ${"campaignTerm"} IS NOT NULL AND ${INSERTED}
  UNION ALL
  SELECT t.value, o.client_id, o.id, r.key + 1, c.key
  FROM orders o CROSS JOIN json_each(${"gifts"}) r CROSS JOIN json_each(r.value, '$.searchTerms') c
    CROSS JOIN json_each(c.value) t
  WHERE ${INSERTED}`;

/** Replaces the terms of the given columns, which are JSON: SearchTerms. Null removes those of a column. */
export const patchTerms = <Name extends string>(terms: Fragment<Name>) => fragment`
  search_terms = json_patch(coalesce(search_terms, '{}'), ${terms})`;

export const PATCH_TERMS = patchTerms(fragment`${"searchTerms"}`);

const DEBIT = fragment`
  SELECT o.id AS order_id, o.client_id, o.currency, -o.order_total_minor AS amount FROM orders o WHERE ${INSERTED}`;

const DEBIT_ACCOUNT = sql<InsertedKey>()`${changeBalance(DEBIT)}`;

const INSERT_LEDGER_ENTRY = sql<InsertedKey & { nowMs: number }>()`
  ${insertCreditEntry(fragment`'order'`, DEBIT)}`;

const INSERT_INVOICE_ENTRY = sql<InsertedKey>()`
  ${insertInvoiceEntry(fragment`
    SELECT o.client_id, o.currency, 'order' AS kind, o.id AS order_id,
      o.order_total_minor AS amount_minor, 0 AS owed_minor, NULL AS reference, o.created_at_ms
    FROM orders o WHERE ${INSERTED}`)}`;

const COUNT_SPENDING = sql<InsertedKey>()`
  ${countSpending(INSERTED)}`;

const INSERT_ORDER_EVENT = sql<InsertedKey>()`
  INSERT INTO events (client_id, sequence, type, order_id, gift_sequence, data, created_at_ms,
    named_elsewhere)
  SELECT o.client_id, o.placed_sequence, 'order.' || o.status, o.id, NULL,
    json_patch('{}', json_object('expiresAtMs', o.expires_at_ms, 'credentialId', o.credential_id)),
    o.created_at_ms, 1
  FROM orders o WHERE ${INSERTED}`;

interface FactsRow extends Omit<Offer, "locations" | "variations"> {
  id: null;
  locations: string;
  variations: string;
  quantity: number | null;
  sellable: number | null;
  balanceMinor: number | null;
}

/** The limits of the credential set. */
const LIMITS = {
  limits: limitStatesOf(fragment`coalesce(${"credentialId"}, (SELECT id FROM credentials
  WHERE client_id = ${"clientId"} AND secret_digest = ${"secretDigest"} AND revoked_at_ms IS NULL))`),
};

type OutcomeRow = (PlacedOrder | FactsRow | { id: null; revision: null }) & RowOf<typeof LIMITS>;

// Returns exactly one row: the order if it exists, otherwise the facts that a new order is checked against.
// A quote has no reference: null matches no order.
const SELECT_OUTCOME = sql<Required<OutcomeKey>, OutcomeRow>()`
  SELECT ${rawSql<never>(sqlOf(PLACED_COLUMNS))}, coalesce(o.currency, r.currency) AS currency,
    e.revision, r.delivery, r.price_minor AS priceMinor,
    r.shipping_minor AS shippingMinor, r.locations, r.variations, s.quantity, s.sellable,
    CASE WHEN o.id IS NULL THEN
      (SELECT balance_minor FROM credit_accounts
       WHERE client_id = ${"clientId"} AND currency = ${"currency"})
    END AS balanceMinor, ${LIMITS}
  FROM (SELECT 1)
  LEFT JOIN orders o ON o.client_id = ${"clientId"} AND o.order_ref_id = ${"orderRefId"}
  LEFT JOIN catalogues c ON o.id IS NULL
    AND c.id = coalesce(${"catalogueId"}, (SELECT catalogue_id FROM clients WHERE id = ${"clientId"}))
  LEFT JOIN catalogue_entries e
    ON e.catalogue_id = c.id AND e.version = c.version AND e.product_id = ${"productId"}
  LEFT JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision
  LEFT JOIN stock s ON s.product_id = r.product_id AND s.variation_id = coalesce(${"variationId"}, 0)`;

/** `limits` are those of the credential set after the placement. */
export type PlacementOutcome = { limits: LimitState[] | null } & (
  { order: PlacedOrder } | { order: null; facts: Required<OrderFacts> }
);

/** Inserts the order if its guard holds, and reads the outcome. One transaction on the primary, one round trip. */
export const insertOrder = (db: Database, order: NewOrder): Promise<PlacementOutcome> =>
  readOutcome(db, order, order.createdAtMs, bindOrder(db, order));

/** The statements that insert the order if its guard holds. They are one transaction. */
export function bindOrder(db: Database, order: NewOrder): Bound<never>[] {
  const { branding, metadata, campaign, createdAtMs: nowMs, placementId: attemptId } = order;
  const campaignTerm = campaign && codeTerm(campaign);
  const columns = {
    ...order,
    branding: branding && JSON.stringify(branding),
    metadata: metadata && JSON.stringify(metadata),
  };
  const gifts = JSON.stringify(order.gifts);
  return [
    INSERT_ORDER.bind(db, { ...columns, used: order.used ?? null }),
    TAKE_STOCK.bind(db, order),
    INSERT_GIFTS.bind(db, { ...columns, gifts }),
    INSERT_TERMS.bind(db, { ...columns, gifts, term: codeTerm(order.orderRefId), campaignTerm }),
    ...(order.status === "paid"
      ? [DEBIT_ACCOUNT.bind(db, order), INSERT_LEDGER_ENTRY.bind(db, { ...order, nowMs })]
      : [INSERT_INVOICE_ENTRY.bind(db, order)]),
    COUNT_SPENDING.bind(db, order),
    INSERT_ORDER_EVENT.bind(db, order),
    ...(order.isDigital && order.status === "paid" && order.giftOrderMethod === "api-purchase"
      ? Object.values(
          sendOwedCodes(db, { ...order, orderId: null, sequence: null, nowMs, attemptId }),
        )
      : []),
  ];
}

/**
 * Reads the order if it exists, otherwise the facts that a new order is checked against, after the writes. One transaction,
 * one round trip.
 */
export async function readOutcome(
  db: Database,
  key: Omit<OutcomeKey, "nowMs">,
  nowMs: number,
  writes: readonly Bound<never>[] = [],
): Promise<PlacementOutcome> {
  const read = SELECT_OUTCOME.bind(db, { secretDigest: null, ...key, nowMs });
  return toOutcome(await writeAndRead(db, writes, read));
}

/** Reads the facts that a quote is checked against. One round trip. */
export async function readFacts(
  db: Database,
  key: FactsKey,
  nowMs: number,
): Promise<Required<OrderFacts>> {
  const outcome = await readOutcome(db, { ...key, orderRefId: null }, nowMs);
  if (outcome.order) throw new Error("an order without a reference was found");
  return outcome.facts;
}

/** What a replica has for a placement. */
export interface NearPlacement {
  client: Client;
  used: string;
  outcome: PlacementOutcome;
}

/** Null unless the client is active and has a set of this digest that may place orders. One round trip. */
export async function readNearPlacement(
  db: Database,
  key: Pick<PlacementKey, "clientId" | "productId" | "orderRefId"> & { secretDigest: string },
  nowMs: number,
): Promise<NearPlacement | null> {
  // Stock and balance are not needed, because the primary decides on them.
  const unknown = { credentialId: null, catalogueId: null, variationId: null, currency: null };
  const { clients, outcomes } = await batch(db, {
    clients: SELECT_FOR_PLACEMENT.bind(db, key),
    outcomes: SELECT_OUTCOME.bind(db, { ...key, ...unknown, nowMs }),
  });
  const [row] = clients.results;
  if (!row?.used) return null;
  const { used, ...columns } = row;
  const client = toClient(key.clientId, columns);
  return { client, used, outcome: toOutcome(outcomes.results) };
}

function toOutcome([row]: OutcomeRow[]): PlacementOutcome {
  if (!row) throw new Error("D1 returned no row");
  const limits = parseJson(row.limits);
  return row.id === null
    ? { order: null, facts: { ...toFacts(row), limits }, limits }
    : { order: row, limits };
}

function toFacts(row: Exclude<OutcomeRow, PlacedOrder>): Omit<Required<OrderFacts>, "limits"> {
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

// The gifts are JSON in the order's rows, which takes half the time of a second statement. A row has at most fifty of
// them, so that it stays below D1's limit of 2 MB.
const GIFTS = expression<Json<Gift[]>>()`
  json_group_array(${jsonObject("gifts", GIFT_COLUMNS)} ORDER BY s.sequence)
    FILTER (WHERE s.order_id IS NOT NULL)`;

const SELECT_ORDER = sql<Owner & SelectedOrder>()`
  SELECT ${{ ...ORDER_COLUMNS, gifts: GIFTS }}
  FROM orders o LEFT JOIN gifts s ON s.order_id = o.id
  WHERE ${OWNED} AND o.id = ${ORDER_ID} GROUP BY s.sequence / 50 ORDER BY s.sequence / 50`;

/** The owner's selected order, and its gifts in ascending order, or null. One round trip. */
export async function findOrder(
  db: Database,
  key: Owner & SelectedOrder,
): Promise<{ order: Order; gifts: Gift[] } | null> {
  const [first, ...others] = await SELECT_ORDER.all(db, key);
  if (!first) return null;
  const { gifts, branding, metadata, ...columns } = first;
  return {
    order: { ...columns, branding: parseJson(branding), metadata: parseJson(metadata) },
    gifts: [gifts, ...others.map((row) => row.gifts)].flatMap((json) => parseJson(json)),
  };
}
