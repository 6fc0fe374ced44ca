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
  groups: rows.map(({ group, spentMinor, refundedMinor, outstandingMinor, ...row }) => ({
    group: group === null ? null : String(group),
    ...row,
    spent: formatAmount(spentMinor, row.currency),
    refunded: formatAmount(refundedMinor, row.currency),
    outstanding: formatAmount(outstandingMinor, row.currency),
  })),
});

/** The groups as CSV, with the fields as columns. */
export function reportCsv({ groups }: ReportResponse): string {
  const columns = Object.keys(ReportGroupResponse().shape) as (keyof (typeof groups)[number])[];
  return [columns, ...groups.map((group) => columns.map((column) => group[column]))]
    .map((cells) => csvRow(cells))
    .join("");
}
