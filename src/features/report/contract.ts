// The endpoint of the report.
import * as z from "zod/mini";
import { component, field, parameter, parameters } from "../../core/validation/described.ts";
import {
  amountTextField,
  countField,
  currencyCode,
  queryTime,
} from "../../core/validation/fields.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { endpoint } from "../../platform/http/endpoint.ts";

export const REPORT_GROUPS = ["campaign", "product", "month", "credential", "country"] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];

export const MAX_REPORT_DAYS = 366;

export const PERIOD_RULE = `must be after from, and at most ${String(MAX_REPORT_DAYS)} days later`;
/** Whether the period is too long, or has no time. */
export const isTooLong = (from: number, to: number): boolean =>
  to <= from || to - from > MAX_REPORT_DAYS * DAY_MS;

const period = z.superRefine<{ from: number; to: number }>(({ from, to }, context) => {
  if (isTooLong(from, to)) context.addIssue({ code: "custom", path: ["to"], message: PERIOD_RULE });
});

export const ReportQuery = parameters(
  () => ({
    from: parameter`${queryTime()} The orders that were placed at this time or later: a day in UTC, or an RFC 3339 timestamp. ${"2026-09-01"}`,
    to: parameter`${queryTime()} The orders that were placed before this time, at most 366 days after \`from\`. ${"2026-10-01"}`,
    group_by: parameter`${z._default(z.enum(REPORT_GROUPS), "month")} What each group has in common: the \`campaign\`, the offered \`product\`, the \`month\` of the placement in UTC, the \`credential\` set that placed the orders, or the \`country\` (\`base_location\`). ${"campaign"}`,
    format: parameter`${z._default(z.enum(["json", "csv"]), "json")} \`csv\` for a table with the fields of the groups as columns. ${"csv"}`,
  }),
  period,
);

export const ReportGroupResponse = component("ReportGroup", () => ({
  _: "The orders of a group in one currency that were placed in the period, with everything that has happened to them until now.",
  group: field`${z.nullable(z.string())} The campaign, the id of the product, the month such as \`2026-09\`, the id of the credential set, or the country. Null for orders without a campaign, or that no credential set has placed.`,
  currency: field`${currencyCode()} ISO 4217 code of the orders and of all amounts.`,
  orders: field`${countField()} The orders, also failed and cancelled ones.`,
  gifts: field`${countField()} Their gifts. Each is accepted, declined, cancelled, expired or still open, or was bought outright.`,
  emails_delivered: field`${countField()} The e-mails to recipients that the receiving servers have reported as delivered.`,
  emails_bounced: field`${countField()} The e-mails that the receiving servers have refused.`,
  opened: field`${countField()} The gifts that their recipients have opened, as far as this was recorded.`,
  accepted: field`${countField()} The gifts that are accepted.`,
  declined: field`${countField()} The gifts that are declined, also those that can still be taken back.`,
  cancelled: field`${countField()} The gifts that are cancelled, without the declined ones.`,
  expired: field`${countField()} The gifts that are expired.`,
  shipped: field`${countField()} The gifts that are shipped or sent, also those that arrived or came back since.`,
  delivered: field`${countField()} The gifts whose parcels have arrived.`,
  returned: field`${countField()} The gifts whose parcels came back.`,
  spent: field`${amountTextField()} The totals of the orders, as they were taken from your credit or invoiced.`,
  refunded: field`${amountTextField()} What was returned of it, or is not owed any more, because gifts have ended. \`spent\` less \`refunded\` is the sum of the orders' entries in your ledgers.`,
  outstanding: field`${amountTextField()} What the gifts cost that are neither accepted nor ended: what would be returned if all of them were cancelled now.`,
}));

export const ReportResponse = component("Report", () => ({
  _: "The groups of the report, in ascending order.",
  status: z.literal("success"),
  from: field`${z.iso.datetime()} The beginning of the period, in UTC.`,
  to: field`${z.iso.datetime()} Its end, exclusive.`,
  group_by: field`${z.enum(REPORT_GROUPS)} As in the request.`,
  groups: field`${z.array(ReportGroupResponse())} One for each group and currency. Empty without orders.`,
}));
export type ReportResponse = z.infer<ReturnType<typeof ReportResponse>>;

export const getReport = endpoint({
  operationId: "getReport",
  method: "GET",
  path: "/api/report",
  query: ReportQuery,
  near: true,
  forOwn: true,
  response: ReportResponse,
  errors: ["validation_error"],
});
