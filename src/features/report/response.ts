// Maps the groups of a report to the responses that report/contract.ts defines.
import { csvRow } from "../../core/csv-output.ts";
import { formatAmount } from "../../core/values/money.ts";
import { ReportGroupResponse, type ReportResponse } from "./contract.ts";
import type { ReportPeriod, ReportRow } from "./queries.ts";

export const reportResponse = (
  rows: readonly ReportRow[],
  { fromMs, toMs, groupBy }: ReportPeriod,
): ReportResponse => ({
  status: "success",
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
  group_by: groupBy,
  groups: rows.map((row) => {
    const { group, currency, orders, gifts, emailsDelivered, emailsBounced, ...others } = row;
    const { spentMinor, refundedMinor, outstandingMinor, ...counts } = others;
    return {
      group: group === null ? null : String(group),
      currency,
      orders,
      gifts,
      emails_delivered: emailsDelivered,
      emails_bounced: emailsBounced,
      ...counts,
      spent: formatAmount(spentMinor, currency),
      refunded: formatAmount(refundedMinor, currency),
      outstanding: formatAmount(outstandingMinor, currency),
    };
  }),
});

/** The groups as CSV, with the fields as columns. */
export function reportCsv({ groups }: ReportResponse): string {
  const columns = Object.keys(ReportGroupResponse().shape) as (keyof (typeof groups)[number])[];
  return [columns, ...groups.map((group) => columns.map((column) => group[column]))]
    .map((cells) => csvRow(cells))
    .join("");
}
