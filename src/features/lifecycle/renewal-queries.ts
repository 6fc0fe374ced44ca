// The statements that renew the link of a gift.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Orders, SubOrders } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  fragment,
  rawSql,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { INVITE_AT } from "../orders/email-queries.ts";
import { PATCH_TERMS } from "../orders/queries.ts";
import { searchTermsOf } from "../orders/search-terms.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { STATE_COLUMNS } from "./gift-state.ts";
import type { GiftKey } from "./order-key.ts";
import { IS_NOT_ENDED, ORDER_UPDATED_AT } from "./queries.ts";

export interface Renewal extends GiftKey {
  /** The generation and the nonce of the link to replace. Null to replace any link. */
  generation: number | null;
  nonce: string | null;
  /** The corrected values of the recipient. Null for those that do not change. */
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  nowMs: number;
}

const COLUMNS = {
  ...STATE_COLUMNS,
  ...columnsOf<Orders>("o")("clientId", "linkNonce", "linkKeyId"),
  ...columnsOf<SubOrders>("s")("firstName", "lastName", "email", "nextEmail"),
};

/** A gift of a gift-link order. */
export type LinkedGift = RowOf<typeof COLUMNS>;

/** The number of renewals of a link. The CHECK `link_generation_in_range` has the same limit. */
export const MAX_RENEWALS = 999;

/** The gift with its order, if the order is the client's and has gift links. */
const FROM_GIFT = fragment`
  FROM sub_orders s JOIN orders o ON o.id = s.order_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"}
    AND (${"clientId"} IS NULL OR o.client_id = ${"clientId"})
    AND o.gift_order_method = 'api-giftlink' AND o.link_nonce IS NOT NULL`;

// The guard of each statement: the gift is open, unpaid or redeemed, its recipient's data was not erased, and the link
// to replace is the present one. The statement that changes the generation is the last one, so the guard has the same
// result in all of them.
const RENEWABLE = fragment`
  ${FROM_GIFT}
    AND ${IS_NOT_ENDED} AND s.link_generation < ${rawSql(String(MAX_RENEWALS))}
    AND (${"generation"} IS NULL
      OR (s.link_generation = ${"generation"} AND o.link_nonce = ${"nonce"}))`;

type RenewableParams = Omit<Renewal, "firstName" | "lastName" | "email">;

const INSERT_RENEWED_EVENT = statement<RenewableParams>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'gift.renewed', o.id, s.sequence, NULL, ${"nowMs"}
  ${RENEWABLE}`;

const TOUCH_ORDER = statement<RenewableParams>()`
  UPDATE orders AS o SET updated_at_ms = ${ORDER_UPDATED_AT}
  WHERE o.id = ${"orderId"} AND EXISTS (SELECT 1 ${RENEWABLE})`;

/** The recipient is invited by e-mail, and the address is corrected. */
const IS_READDRESSED = fragment`${RENEWABLE} AND ${"email"} IS NOT NULL AND ${INVITE_AT} IS NOT NULL`;

// The new link is sent to a corrected address, if the recipient was invited or is about to be. Another address gets e-mails
// again after a bounce or a complaint.
const RENEW_LINK = statement<Renewal & { searchTerms: string }>()`
  UPDATE sub_orders AS g SET link_generation = link_generation + 1,
    send_at_ms = coalesce((SELECT ${"nowMs"} ${IS_READDRESSED} AND ${INVITE_AT} <= ${"nowMs"}), g.send_at_ms),
    next_email = coalesce(g.next_email, (SELECT 'invitation' ${IS_READDRESSED})),
    next_email_ms = coalesce((SELECT ${"nowMs"} ${IS_READDRESSED}), g.next_email_ms),
    emails_stopped = iif(${"email"} <> email AND emails_stopped IN ('bounced', 'complained'), NULL, emails_stopped),
    first_name = coalesce(${"firstName"}, first_name),
    last_name = coalesce(${"lastName"}, last_name), email = coalesce(${"email"}, email),
    ${PATCH_TERMS}
  WHERE order_id = ${"orderId"} AND sequence = ${"sequence"} AND EXISTS (SELECT 1 ${RENEWABLE})`;

const SELECT_LINKED_GIFT = statement<GiftKey>()`SELECT ${COLUMNS} ${FROM_GIFT}`;

/** The gift, or null if the client has no such gift. One round trip. */
export function readLinkedGift(db: Database, key: GiftKey): Promise<LinkedGift | null> {
  return SELECT_LINKED_GIFT.first(db, key);
}

/**
 * Increments the generation of the link if the gift's state allows it and the link to replace is the present one. Returns
 * the gift afterwards, or null if the client has no such gift. One transaction, one round trip.
 */
export async function writeRenewal(
  db: Database,
  renewal: Renewal,
): Promise<{ gift: LinkedGift; renewed: boolean } | null> {
  const { firstName, lastName, email } = renewal;
  const terms = searchTermsOf({
    first_name: firstName ?? undefined,
    last_name: lastName ?? undefined,
    email: email ?? undefined,
  });
  const { update, gifts } = await batch(db, {
    event: INSERT_RENEWED_EVENT.bind(db, renewal),
    order: TOUCH_ORDER.bind(db, renewal),
    update: RENEW_LINK.bind(db, { ...renewal, searchTerms: JSON.stringify(terms) }),
    gifts: SELECT_LINKED_GIFT.bind(db, renewal),
  });
  const [gift] = gifts.results;
  return gift ? { gift, renewed: update.meta.changes > 0 } : null;
}
