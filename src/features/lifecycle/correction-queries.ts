// The statements that correct the data of a recipient.
import type { Product } from "../catalogue/product.ts";
import { columnsOf, type Parsed, parseJson } from "../../platform/db/columns.ts";
import type { Orders, ProductRevisions, SubOrders } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  fragment,
  rawSql,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { INVITE_AT } from "../orders/email-queries.ts";
import { JOIN_RECEIVED_REVISION, PATCH_TERMS } from "../orders/queries.ts";
import { searchTermsOf } from "../orders/search-terms.ts";
import { STATE_COLUMNS } from "./gift-state.ts";
import type { GiftKey } from "./order-key.ts";
import { IS_NOT_ENDED, ORDER_UPDATED_AT } from "./queries.ts";

const s = columnsOf<SubOrders>("s");

/** The gift link of a recipient who corrects an accepted gift. */
export interface CorrectingLink {
  linkNonce: string;
  linkGeneration: number;
}

/** For the partner and the operator. */
export const NO_LINK = { linkNonce: null, linkGeneration: null };

/** After this many corrections of a gift, including those by partners and operators, its recipient can make no more. */
export const MAX_CORRECTIONS_BY_LINK = 10;

export interface CorrectionParams extends GiftKey {
  linkNonce: string | null;
  linkGeneration: number | null;
  /** JSON: the given fields. Their names are those of the columns. */
  fields: string;
  /** 1 if the address has all fields that a delivery needs, or if there is none. */
  isComplete: number;
  /** 0 if a field of the address is not valid in its country. */
  isValid: number;
  /** The country of the address: its code, or a text that names no country. Null if there is none. */
  country: string | null;
  nowMs: number;
}

const COLUMNS = {
  ...STATE_COLUMNS,
  ...columnsOf<Orders>("o")("clientId", "giftOrderMethod"),
  ...s(
    "firstName",
    "lastName",
    "email",
    "phoneNumber",
    "emailMessage",
    "productId",
    "emailsStopped",
  ),
  ...s(
    "deliveryAddress",
    "deliveryNotes",
    "deliveryEmail",
    "hasShipment",
    "corrections",
    "nextEmail",
  ),
  ...columnsOf<ProductRevisions>("r")("delivery", "locations"),
};

/** A gift with its recipient, and the columns that determine whether it can be corrected. */
export type CorrectableGift = Omit<Parsed<RowOf<typeof COLUMNS>>, "hasShipment" | "locations"> & {
  hasShipment: boolean;
  locations: Product["locations"];
};

const FROM_GIFT = fragment`
  FROM sub_orders s JOIN orders o ON o.id = s.order_id ${JOIN_RECEIVED_REVISION}
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"}
    AND (${"clientId"} IS NULL OR o.client_id = ${"clientId"})
    AND (${"linkNonce"} IS NULL OR (o.link_nonce = ${"linkNonce"}
      AND s.link_generation = ${"linkGeneration"} AND s.redemption_status = 'redeemed'))`;

/** The names of the given fields that differ from the recipient's present data. */
const CORRECTED_FIELDS = fragment`
  (SELECT json_group_array(f.key) FROM json_each(${"fields"}) f WHERE f.value IS NOT json_object(
    'first_name', s.first_name, 'last_name', s.last_name, 'email', s.email,
    'phone_number', s.phone_number, 'delivery_address', json(s.delivery_address),
    'delivery_notes', s.delivery_notes, 'delivery_email', s.delivery_email) ->> f.key)`;

// The guard of each statement: a field differs, the gift is neither shipped nor ended, and the rules of problemsOf() in
// correct.ts hold. The statement that changes the fields is the last one, so the guard has the same result in all of them.
const CORRECTABLE = fragment`
  ${FROM_GIFT}
    AND s.has_shipment = 0 AND ${IS_NOT_ENDED}
    AND (${"linkNonce"} IS NULL OR s.corrections < ${rawSql(String(MAX_CORRECTIONS_BY_LINK))})
    AND coalesce(${"fields"} ->> '$.first_name', s.first_name)
      || coalesce(${"fields"} ->> '$.last_name', s.last_name) <> ''
    AND ${"isValid"} = 1
    AND (${"isComplete"} = 1 OR r.delivery = 'digital'
      OR (${"clientId"} IS NOT NULL AND o.gift_order_method <> 'api-purchase' AND s.redemption_status IS NULL))
    AND (${"country"} IS NULL OR r.locations = '[]'
      OR ${"country"} IN (SELECT value FROM json_each(r.locations)))
    AND (${"fields"} -> '$.delivery_email' IS NULL
      OR (r.delivery = 'digital' AND s.redemption_status = 'redeemed'))
    AND ${CORRECTED_FIELDS} <> '[]'`;

const INSERT_CORRECTED_EVENT = statement<CorrectionParams>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'gift.corrected', o.id, s.sequence,
    json_object('correctedFields', json(${CORRECTED_FIELDS})), ${"nowMs"}
  ${CORRECTABLE}`;

const TOUCH_ORDER = statement<CorrectionParams>()`
  UPDATE orders AS o SET updated_at_ms = ${ORDER_UPDATED_AT}
  WHERE o.id = ${"orderId"} AND EXISTS (SELECT 1 ${CORRECTABLE})`;

/** Another address has its own limit of e-mails, and gets e-mails again after a bounce or a complaint. After a bounce, it gets the invitation. */
const READDRESSED = fragment`
  ${CORRECTABLE} AND ${"fields"} ->> '$.email' <> s.email AND ${INVITE_AT} IS NOT NULL`;

const CORRECT = statement<CorrectionParams & { searchTerms: string }>()`
  UPDATE sub_orders AS g SET corrections = corrections + 1,
    send_at_ms = iif(emails_stopped = 'bounced' AND EXISTS (SELECT 1 ${READDRESSED}), ${"nowMs"}, send_at_ms),
    next_email = coalesce(g.next_email, (SELECT 'reminder' ${READDRESSED})),
    next_email_ms = coalesce((SELECT ${"nowMs"} ${READDRESSED}), g.next_email_ms),
    emails_stopped = iif(${"fields"} ->> '$.email' <> email AND emails_stopped IN ('bounced', 'complained'),
      NULL, emails_stopped),
    first_name = coalesce(${"fields"} ->> '$.first_name', first_name),
    last_name = coalesce(${"fields"} ->> '$.last_name', last_name),
    email = coalesce(${"fields"} ->> '$.email', email),
    phone_number = coalesce(${"fields"} ->> '$.phone_number', phone_number),
    delivery_address = coalesce(${"fields"} -> '$.delivery_address', delivery_address),
    delivery_notes = iif(json_type(${"fields"}, '$.delivery_notes') IS NULL, delivery_notes,
      ${"fields"} ->> '$.delivery_notes'),
    delivery_email = coalesce(${"fields"} ->> '$.delivery_email', delivery_email),
    ${PATCH_TERMS}
  WHERE order_id = ${"orderId"} AND sequence = ${"sequence"} AND EXISTS (SELECT 1 ${CORRECTABLE})`;

const SELECT_GIFT = statement<
  Omit<CorrectionParams, "isComplete" | "isValid" | "country" | "nowMs">
>()`
  SELECT ${{ ...COLUMNS, isSame: expression<0 | 1>()`${CORRECTED_FIELDS} = '[]'` }}
  ${FROM_GIFT}`;

type GiftRow = RowOf<typeof COLUMNS> & { isSame: 0 | 1 };

export interface CorrectionState {
  gift: CorrectableGift;
  /** Whether the recipient has the given values. */
  isSame: boolean;
}

/** The gift, or null if the client has no such gift. One round trip. */
export async function readCorrection(
  db: Database,
  params: CorrectionParams,
): Promise<CorrectionState | null> {
  return toState(await SELECT_GIFT.all(db, params));
}

/**
 * Corrects the given fields if a value differs, the gift's state allows it and the values are valid for it. Returns the
 * gift afterwards, or null if the client has no such gift. One transaction, one round trip.
 */
export async function writeCorrection(
  db: Database,
  params: CorrectionParams,
): Promise<(CorrectionState & { corrected: boolean }) | null> {
  const fields = JSON.parse(params.fields) as Record<string, unknown>;
  const { update, gifts } = await batch(db, {
    event: INSERT_CORRECTED_EVENT.bind(db, params),
    order: TOUCH_ORDER.bind(db, params),
    update: CORRECT.bind(db, { ...params, searchTerms: JSON.stringify(searchTermsOf(fields)) }),
    gifts: SELECT_GIFT.bind(db, params),
  });
  const state = toState(gifts.results);
  return state && { ...state, corrected: update.meta.changes > 0 };
}

function toState([row]: GiftRow[]): CorrectionState | null {
  if (!row) return null;
  const { deliveryAddress, hasShipment, locations, isSame, ...columns } = row;
  return {
    gift: {
      ...columns,
      deliveryAddress: parseJson(deliveryAddress),
      hasShipment: hasShipment === 1,
      locations: JSON.parse(locations) as Product["locations"],
    },
    isSame: isSame === 1,
  };
}
