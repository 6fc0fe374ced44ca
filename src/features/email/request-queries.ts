// The statements that ask for an invitation.
import { columnsOf, type Json, type Parsed, parseJson } from "../../platform/db/columns.ts";
import type { Orders, SubOrders } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  fragment,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { STATE_COLUMNS } from "../lifecycle/gift-state.ts";
import type { GiftKey } from "../lifecycle/order-key.ts";
import { GIFT_EXPIRY } from "../orders/queries.ts";

interface InvitationRequest extends GiftKey {
  sendAtMs: number;
  nowMs: number;
}

interface RequestParams extends InvitationRequest {
  /** Invitations after this time count for the limit. */
  sinceMs: number;
  limit: number;
}

/** The invitations of sub-order `s` that were sent recently. */
const RECENT = fragment`
  FROM emails e WHERE e.order_id = s.order_id AND e.sequence = s.sequence AND e.kind = 'invitation'
    AND e.status NOT IN ('retry', 'failed') AND e.attempted_at_ms > ${"sinceMs"}`;

const COLUMNS = {
  ...STATE_COLUMNS,
  ...columnsOf<Orders>("o")("clientId"),
  ...columnsOf<SubOrders>("s")("email", "emailsStopped", "sendAtMs"),
  recentMs: expression<Json<number[]>>()`(SELECT json_group_array(e.attempted_at_ms) ${RECENT})`,
};

/** A gift of a gift-link order. */
export type InvitedGift = Parsed<RowOf<typeof COLUMNS>>;

const FROM_GIFT = fragment`
  FROM sub_orders s JOIN orders o ON o.id = s.order_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"}
    AND (${"clientId"} IS NULL OR o.client_id = ${"clientId"})
    AND o.gift_order_method = 'api-giftlink' AND o.link_nonce IS NOT NULL`;

// The guard: the gift is open or unpaid, its recipient gets e-mails, and the limit is not reached.
const INVITABLE = fragment`
  ${FROM_GIFT} AND s.erased_at_ms IS NULL AND s.emails_stopped IS NULL AND s.redemption_status IS NULL
    AND o.status IN ('created', 'paid') AND coalesce(${GIFT_EXPIRY}, ${"sendAtMs"} + 1) > ${"sendAtMs"}
    AND (SELECT count(*) ${RECENT}) < ${"limit"}`;

// The payment plans the e-mail of an unpaid order. An e-mail that is due before the invitation stays planned.
const SET_SEND_AT = statement<RequestParams>()`
  UPDATE sub_orders AS s SET send_at_ms = ${"sendAtMs"},
    next_email = iif(p.status = 'paid', 'invitation', NULL), next_email_ms = iif(p.status = 'paid', ${"nowMs"}, NULL)
  FROM orders p WHERE p.id = s.order_id
    AND s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND EXISTS (SELECT 1 ${INVITABLE})`;

type ReadParams = GiftKey & Pick<RequestParams, "sinceMs">;

const SELECT_GIFT = statement<ReadParams>()`SELECT ${COLUMNS} ${FROM_GIFT}`;

/** The gift, or null if the client has no such gift. One round trip. */
export async function readInvitedGift(
  db: Database,
  params: ReadParams,
): Promise<InvitedGift | null> {
  const gift = await SELECT_GIFT.first(db, params);
  return gift && { ...gift, recentMs: parseJson(gift.recentMs) };
}

/**
 * Sets the time of the invitation, if the gift's state and the limit allow it. Returns the gift afterwards, or null if the
 * client has no such gift. One transaction, one round trip.
 */
export async function writeInvitation(
  db: Database,
  params: RequestParams,
): Promise<{ gift: InvitedGift; changed: boolean } | null> {
  const { update, gifts } = await batch(db, {
    update: SET_SEND_AT.bind(db, params),
    gifts: SELECT_GIFT.bind(db, params),
  });
  const [gift] = gifts.results;
  if (!gift) return null;
  return {
    gift: { ...gift, recentMs: parseJson(gift.recentMs) },
    changed: update.meta.changes === 1,
  };
}
