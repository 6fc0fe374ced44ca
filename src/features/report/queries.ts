// The statements of the report. The orders of the period are ranges of an index, and each order and its gifts, shipments and
// e-mails are ranges of their tables: the rows read are linear in them, whatever other orders there are.
import { validationError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { Orders } from "../../platform/db/schema.ts";
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
import { RETURNED } from "../lifecycle/queries.ts";
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

/** The number of rows of another table about order `o`. */
const countOf = (rows: string, counted = "*") =>
  rawSql<number>(`(SELECT count(${counted}) FROM ${rows} AND x.order_id = o.id)`);

// Only orders with a cancelled gift have a declined one.
const DECLINED = fragment`iif(o.cancelled_gifts = 0, 0, ${countOf("gifts x WHERE true", "x.declined_at_ms")})`;

/** The counters, in the order of the columns of a report. */
const REPORT_COUNTS = {
  orders: expression<number>()`count(*)`,
  gifts: sumOf(fragment`o.qty`),
  emailsDelivered: sumOf(countOf("emails x WHERE x.status IN ('delivered', 'complained')")),
  emailsBounced: sumOf(countOf("emails x WHERE x.status IN ('bounced', 'rejected')")),
  opened: sumOf(countOf("gifts x WHERE true", "x.opened_at_ms")),
  accepted: sumOf(fragment`o.redeemed_gifts`),
  declined: sumOf(DECLINED),
  cancelled: sumOf(fragment`o.cancelled_gifts - ${DECLINED}`),
  expired: sumOf(fragment`o.expired_gifts`),
  shipped: sumOf(fragment`o.shipped_gifts`),
  delivered: sumOf(countOf("shipments x WHERE x.status = 'delivered'")),
  returned: sumOf(countOf("shipments x WHERE x.status = 'returned'")),
};

/** Whether order `o` has entries in a ledger. */
export const IS_BILLED = fragment`(o.debit_sequence IS NOT NULL OR o.owed_minor IS NOT NULL)`;

const REPORT_AMOUNTS = {
  spentMinor: sumOf(fragment`iif(${IS_BILLED}, o.order_total_minor, 0)`),
  refundedMinor: sumOf(RETURNED),
  // Rounded as the refund of the open gifts would be.
  outstandingMinor: sumOf(fragment`iif(${IS_BILLED} AND o.status IN ('created', 'paid')
      AND o.gift_order_method <> 'api-purchase',
    o.order_total_minor * (o.qty - o.redeemed_gifts) / o.qty
      - o.order_total_minor * (o.cancelled_gifts + o.expired_gifts) / o.qty, 0)`),
};

const REPORT = {
  group: expression<string | number | null>()`CASE ${"groupBy"} WHEN 'campaign' THEN o.campaign
    WHEN 'product' THEN o.product_id WHEN 'credential' THEN o.credential_id WHEN 'country' THEN o.base_location
    ELSE strftime('%Y-%m', o.created_at_ms / 1000, 'unixepoch') END`,
  ...columnsOf<Orders>("o")("currency"),
  ...REPORT_COUNTS,
  ...REPORT_AMOUNTS,
};

export type ReportRow = RowOf<typeof REPORT> & { currency: Currency };

/** Follows the conditions on the first columns of the index. */
const IN_PERIOD = fragment`
  o.status IN ${ANY_STATUS} AND o.gift_order_method IN ${ANY_METHOD}
    AND o.created_at_ms >= ${"fromMs"} AND o.created_at_ms < ${"toMs"}`;

const GROUPED = fragment`${IN_PERIOD} GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${"limit"}`;

const SELECT_CLIENT_REPORT = sql<ReportParams & Owner>()`
  SELECT ${REPORT} FROM orders o INDEXED BY orders_by_status
  WHERE ${OWNED} AND ${GROUPED}`;

const SELECT_REPORT = sql<ReportParams>()`
  SELECT ${REPORT} FROM orders o INDEXED BY orders_by_status_and_time WHERE ${GROUPED}`;

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
