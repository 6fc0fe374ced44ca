// The statements of the report. The orders of the period are ranges of an index, and each order and its gifts, shipments and
// e-mails are ranges of their tables, each of which is read once: the rows read are linear in them, whatever other orders
// there are.
import { validationError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import {
  type Database,
  expression,
  type Fragment,
  fragment,
  rawSql,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { OWNED, type Owner } from "../clients/own.ts";
import { GIFT_REFUND } from "../lifecycle/gift-end.ts";
import { ANY_METHOD, ANY_STATUS } from "../orders/queries.ts";
import type { ReportGroup } from "./contract.ts";

/** A longer report is refused, because sums of a part of the groups would not be those of the period. */
const MAX_REPORT_ROWS = 1_000;

export interface ReportPeriod {
  /** An order belongs to the period in which it was placed, with everything that happened to it until now. */
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  groupBy: ReportGroup;
}

type ReportParams = ReportPeriod & { limit: number };

const sumOf = (ofOrder: Fragment<never>) => expression<number>()`sum(${ofOrder})`;

const of = (status: string) => `count(*) FILTER (WHERE x.status IN (${status}))`;

/** Whether order `o` has entries in a ledger. Other orders have cost nothing. */
export const IS_BILLED = fragment`(o.debit_sequence IS NOT NULL OR o.owed_minor IS NOT NULL)`;

/** Order `o` with what is counted of its e-mails, shipments and gifts, as JSON. */
const COUNTED = fragment`SELECT o.*, ${IS_BILLED} AS is_billed,
  (SELECT json_array(${rawSql(of("'delivered', 'complained'"))}, ${rawSql(of("'bounced', 'rejected'"))})
    FROM emails x WHERE x.order_id = o.id) AS of_emails,
  (SELECT json_array(${rawSql(of("'delivered'"))}, ${rawSql(of("'returned'"))})
    FROM shipments x WHERE x.order_id = o.id) AS of_shipments,
  (SELECT json_array(count(s.opened_at_ms), count(s.declined_at_ms), total(iif(s.redemption_status IS NULL, ${GIFT_REFUND}, 0)),
      count(*) FILTER (WHERE s.redemption_status = 'cancelled' AND s.declined_at_ms IS NULL))
    FROM gifts s WHERE s.order_id = o.id) AS of_gifts
  FROM orders o`;

/** The counters, with the names and in the order of the fields of the response. */
const REPORT_COUNTS = {
  orders: expression<number>()`count(*)`,
  gifts: sumOf(fragment`qty`),
  emails_delivered: sumOf(fragment`of_emails ->> 0`),
  emails_bounced: sumOf(fragment`of_emails ->> 1`),
  opened: sumOf(fragment`of_gifts ->> 0`),
  accepted: sumOf(fragment`redeemed_gifts`),
  declined: sumOf(fragment`of_gifts ->> 1`),
  cancelled: sumOf(fragment`of_gifts ->> 3`),
  expired: sumOf(fragment`expired_gifts`),
  shipped: sumOf(fragment`shipped_gifts`),
  delivered: sumOf(fragment`of_shipments ->> 0`),
  returned: sumOf(fragment`of_shipments ->> 1`),
};

const REPORT_AMOUNTS = {
  spentMinor: sumOf(fragment`iif(is_billed, order_total_minor, 0)`),
  refundedMinor: sumOf(fragment`refunded_minor`),
  outstandingMinor:
    sumOf(fragment`iif(status IN ('created', 'paid') AND gift_order_method <> 'api-purchase',
    of_gifts ->> 2, 0)`),
};

/** What the orders of a group have in common. */
const GROUPS: Record<ReportGroup, string> = {
  campaign: "campaign",
  product: "product_id",
  month: "strftime('%Y-%m', created_at_ms / 1000, 'unixepoch')",
  credential: "credential_id",
  country: "base_location",
};
const CASES = Object.entries(GROUPS).map(([name, column]) => `WHEN '${name}' THEN ${column}`);

const REPORT = {
  group: expression<string | number | null>()`CASE ${"groupBy"} ${rawSql(CASES.join(" "))} END`,
  currency: expression<Currency>()`currency`,
  ...REPORT_COUNTS,
  ...REPORT_AMOUNTS,
};

export type ReportRow = RowOf<typeof REPORT>;

/** Follows the conditions on the first columns of the index. */
const IN_PERIOD = fragment`
  o.status IN ${ANY_STATUS} AND o.gift_order_method IN ${ANY_METHOD}
    AND o.created_at_ms >= ${"fromMs"} AND o.created_at_ms < ${"toMs"}`;

// Without `LIMIT -1`, SQLite would flatten the inner SELECT, and read the rows of an order again for each count.
const GROUPED = fragment`${IN_PERIOD} LIMIT -1) GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${"limit"}`;

const SELECT_CLIENT_REPORT = sql<ReportParams & Owner>()`
  SELECT ${REPORT} FROM (${COUNTED} INDEXED BY orders_by_status WHERE ${OWNED} AND ${GROUPED}`;

const SELECT_REPORT = sql<ReportParams>()`
  SELECT ${REPORT} FROM (${COUNTED} INDEXED BY orders_by_status_and_time WHERE ${GROUPED}`;

/**
 * The report of the owner or, with null, of all clients. Errors: `validation_error` if it has too many groups. One round trip.
 */
export async function readReport(
  db: Database,
  owner: Owner | null,
  period: ReportPeriod,
): Promise<ReportRow[]> {
  const params = { ...period, limit: MAX_REPORT_ROWS + 1 };
  const rows =
    owner === null
      ? await SELECT_REPORT.all(db, params)
      : await SELECT_CLIENT_REPORT.all(db, { ...params, ...owner });
  if (rows.length <= MAX_REPORT_ROWS) return rows;
  const message = `must be earlier: the report has more than ${MAX_REPORT_ROWS.toLocaleString("en")} groups`;
  throw validationError([{ field: "to", message }]);
}

const dayOf = (row: "o" | "v") =>
  rawSql<string>(`strftime('%Y-%m-%d', ${row}.created_at_ms / 1000, 'unixepoch')`);

const OF_DAY = {
  day: dayOf("o"),
  orders: REPORT_COUNTS.orders,
  accepted: REPORT_COUNTS.accepted,
  shipped: REPORT_COUNTS.shipped,
  failures: expression<number>()`0`,
};

export type DayCounts = RowOf<typeof OF_DAY>;

const SELECT_DAYS = sql<Pick<ReportPeriod, "fromMs" | "toMs">, DayCounts>()`
  SELECT day, sum(orders) AS orders, sum(accepted) AS accepted, sum(shipped) AS shipped, sum(failures) AS failures
  FROM (SELECT ${OF_DAY} FROM orders o INDEXED BY orders_by_status_and_time WHERE ${IN_PERIOD} GROUP BY 1
    UNION ALL SELECT ${dayOf("v")}, 0, 0, 0, count(*) FROM events v INDEXED BY failed_emails_by_time
    WHERE v.type = 'gift.email_failed' AND v.created_at_ms >= ${"fromMs"} AND v.created_at_ms < ${"toMs"}
    GROUP BY 1) GROUP BY 1`;

/** The orders of each day in UTC with their gifts as they are now, and the e-mails that failed on it. One round trip. */
export const readDays = (db: Database, period: Pick<ReportPeriod, "fromMs" | "toMs">) =>
  SELECT_DAYS.all(db, period);
