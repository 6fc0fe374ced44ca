// The statements of changes whose rule depends only on an order and some of its gifts. They read these rows, and write only if
// the rows are still the same.
import type { Product } from "../catalogue/product.ts";
import { isWaiting } from "../../core/values/email-kinds.ts";
import { columnName, type Json, jsonObject, type Parsed } from "../../platform/db/columns.ts";
import { constraintOf } from "../../platform/db/constraint.ts";
import { type Database, expression, rawSql, type RowOf, sql } from "../../platform/db/sql.ts";
import { client, gift, order, revision } from "../../platform/db/tables.ts";
import type { EventData, EventType } from "../events/event.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { CODE_OF_GIFT } from "../codes/bind-queries.ts";
import { bindSchedule } from "../schedule/plan-queries.ts";
import { JOIN_MAILED_GIFT, MAILED_GIFT_COLUMNS, type MailedGift } from "../schedule/queries.ts";
import { JOIN_RECEIVED_REVISION } from "../orders/queries.ts";
import { searchTermsOf } from "../orders/search-terms.ts";
import { type Changer, EXISTS_FOR_CHANGER } from "./order-key.ts";
import { ORDER_UPDATED_AT } from "../events/subject-queries.ts";

/** The columns of a single gift for its change, with the tables of JOIN_MAILED_GIFT and its revision `r`. */
export const CHANGING_GIFT_COLUMNS = {
  ...MAILED_GIFT_COLUMNS,
  ...gift("firstName", "lastName", "email", "phoneNumber", "emailMessage", "productId"),
  ...gift("deliveryAddress", "deliveryNotes", "deliveryEmail", "corrections"),
  ...order("clientId", "linkNonce", "linkKeyId"),
  offeredVariationId: order("variationId").variationId,
  ...revision("delivery"),
  codeOpenedAtMs: expression<number | null>()`(SELECT c.opened_at_ms ${CODE_OF_GIFT})`,
  clientStatus: client("status").status,
  ...client("finalAfterDays"),
  /** Until when no e-mail is sent, and the code with which the e-mail service has refused. */
  pausedUntilMs: expression<number | null>()`(SELECT paused_until_ms FROM email_outbox)`,
  pauseCode: expression<string | null>()`(SELECT fault FROM email_outbox)`,
  locations: expression<Json<Product["locations"]>>()`json(r.locations)`,
};

/** A gift as it was read, with its order and its e-mails. */
export type ChangingGift = Parsed<RowOf<typeof CHANGING_GIFT_COLUMNS>>;

const ORDER = order("clientId", "giftOrderMethod", "linkNonce", "linkKeyId", "expiresAtMs");

/**
 * An order as it was read, with the gifts that a change concerns: a single one, or all open ones without their texts, which
 * would exceed the largest value of D1.
 */
export type ReadOrder = RowOf<typeof ORDER> & { gifts: (MailedGift | ChangingGift)[] };

export interface ChangeKey {
  orderId: number;
  /** Null for all open gifts of the order. */
  sequence: number | null;
}

/** The order and the gifts as a JSON text, which is the same as long as none of these values changes. */
const READ = expression<
  Json<ReadOrder>
>()`(SELECT json_set(${jsonObject("orders", ORDER)}, '$.gifts',
  (SELECT json_group_array(json(iif(${"sequence"} IS NULL, ${jsonObject("gifts", MAILED_GIFT_COLUMNS)},
      ${jsonObject("gifts", CHANGING_GIFT_COLUMNS)})) ORDER BY s.sequence)
    FROM gifts s ${JOIN_MAILED_GIFT} ${JOIN_RECEIVED_REVISION}
    WHERE s.order_id = ${"orderId"}
      AND s.sequence BETWEEN coalesce(${"sequence"}, 1) AND coalesce(${"sequence"}, 999)
      AND (${"sequence"} IS NOT NULL OR s.redemption_status IS NULL)))
  FROM orders o WHERE o.id = ${"orderId"})`;

/** No row if the client has no such order. */
export const SELECT_FOR_CHANGE = sql<ChangeKey & Omit<Changer, "credentialId">>()`
  SELECT ${{ read: READ }} FROM orders o
  WHERE o.id = ${"orderId"} AND ${EXISTS_FOR_CHANGER}`;

/** The columns of a gift that changes set. None of them is indexed, so a column that is set to its value costs no row. */
const SETTABLE = [
  ...(["firstName", "lastName", "email", "phoneNumber"] as const),
  ...(["deliveryAddress", "deliveryNotes", "deliveryEmail", "corrections"] as const),
  ...(["linkGeneration", "sendAtMs", "expiresAtMs", "declinedAtMs", "emailsStopped"] as const),
];

/** New values of a gift. Those that are left out stay. */
type GiftValues = Partial<Pick<ChangingGift & { sendAtMs: number }, (typeof SETTABLE)[number]>>;

/** The decision of a change. It is written in one transaction, together with the next e-mails of the gifts. */
export interface OrderChange {
  /** New values of the gift. Only for the change of a single gift. */
  values?: GiftValues;
  /** One for each change that partners can see. */
  events?: readonly { type: EventType; data: EventData | null }[];
  /** The new last day of all open gifts of the order. */
  expiresAtMs?: number | null;
  /** When the cron handler checks the order, unless it does so earlier: the check may be that of another gift. */
  nextCheckMs?: number | null;
}

type Key = ChangeKey & { nowMs: number };

// The first statement of each change. If a value has changed since it was read, the constraint `changes_are_current` fails,
// and the transaction is rolled back. An invitation does not count as a change of its order.
const REQUIRE_CURRENT = sql<Key & { read: string; counts: number }>()`
  UPDATE orders AS o SET updated_at_ms = iif(${READ} = ${"read"},
    iif(${"counts"} = 1, ${ORDER_UPDATED_AT}, o.updated_at_ms), -1)
  WHERE o.id = ${"orderId"}`;

const SET_VALUES = sql<ChangeKey & { values: string; searchTerms: string }>()`
  UPDATE gifts SET ${rawSql(
    [...SETTABLE, "credentialId" as const]
      .map(
        (name) => `${columnName(name)} = iif(v.value -> '$.${name}' IS NULL,
    ${columnName(name)}, v.value ->> '$.${name}')`,
      )
      .join(", "),
  )},
    search_terms = iif(${"searchTerms"} = '{}', search_terms,
      json_patch(coalesce(search_terms, '{}'), ${"searchTerms"}))
  FROM (SELECT ${"values"} AS value) v
  WHERE order_id = ${"orderId"} AND sequence = ${"sequence"}`;

const INSERT_CHANGE_EVENT = sql<Key & { type: EventType; data: string | null }>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, ${"type"}, o.id, ${"sequence"}, ${"data"}, ${"nowMs"}
  FROM orders o WHERE o.id = ${"orderId"}`;

// A trigger removes the last days of single gifts.
const EXTEND_ORDER = sql<Pick<ChangeKey, "orderId"> & { expiresAtMs: number | null }>()`
  UPDATE orders SET expires_at_ms = ${"expiresAtMs"} WHERE id = ${"orderId"}`;

const CHECK_EARLIER = sql<Pick<ChangeKey, "orderId"> & { nextCheckMs: number }>()`
  UPDATE orders SET next_expiry_check_ms = min(coalesce(next_expiry_check_ms, ${"nextCheckMs"}), ${"nextCheckMs"})
  WHERE id = ${"orderId"}`;

/** The gift after the change, as far as its e-mails depend on it. */
function changedGift(
  gift: MailedGift | ChangingGift,
  { values = {}, expiresAtMs }: OrderChange,
): MailedGift | ChangingGift {
  const { sendAtMs = gift.inviteAtMs, deliveryAddress } = values;
  const isReaddressed =
    "email" in gift && values.email !== undefined && values.email !== gift.email;
  return {
    ...gift,
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...values,
    inviteAtMs: gift.giftOrderMethod === "api-purchase" ? null : sendAtMs,
    addressCountry: deliveryAddress ? (deliveryAddress.country ?? null) : gift.addressCountry,
    // The trigger `ended_gifts_get_no_emails` deletes what waits for the earlier address.
    emails: gift.emails.filter((email) => !(isReaddressed && isWaiting(email))),
  };
}

/**
 * Writes the change of the order that was read, and returns its gifts afterwards. Null, and nothing changes, if the order or
 * one of its gifts has changed since. One transaction, one round trip.
 */
export async function writeChange(
  db: Database,
  { orderId, sequence, nowMs, credentialId }: Key & Pick<Changer, "credentialId">,
  { read, gifts }: { read: Json<ReadOrder>; gifts: ReadOrder["gifts"] },
  change: OrderChange,
): Promise<ReadOrder["gifts"] | null> {
  const { values, events = [], expiresAtMs, nextCheckMs = null } = change;
  const key = { orderId, sequence };
  const after = gifts.map((gift) => changedGift(gift, change));
  const named = Object.entries(values ?? {}).map(([name, value]) => [columnName(name), value]);
  const searchTerms = JSON.stringify(
    searchTermsOf(Object.fromEntries(named) as Record<string, unknown>),
  );
  const changer = credentialId === null ? {} : { credentialId };
  const stored = { ...values, ...changer };
  const noted = events.map(({ type, data }) => ({
    type,
    data: JSON.stringify({ ...data, ...changer }),
  }));
  const statements = [
    REQUIRE_CURRENT.bind(db, { ...key, nowMs, read, counts: Math.min(events.length, 1) }),
    ...(values
      ? [SET_VALUES.bind(db, { ...key, values: JSON.stringify(stored), searchTerms })]
      : []),
    ...noted.map((event) => INSERT_CHANGE_EVENT.bind(db, { ...key, nowMs, ...event })),
    ...(expiresAtMs === undefined ? [] : [EXTEND_ORDER.bind(db, { orderId, expiresAtMs })]),
    ...(nextCheckMs === null ? [] : [CHECK_EARLIER.bind(db, { orderId, nextCheckMs })]),
    bindSchedule(db, after, { nowMs, leaseId: null }),
  ];
  try {
    await db.batch(statements);
    return after;
  } catch (error) {
    if (constraintOf(error) === "changes_are_current") return null;
    throw error;
  }
}
