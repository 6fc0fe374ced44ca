// The report of a client or of all clients.
import { validationError } from "../../core/api-error.ts";
import { DAY_MS } from "../../core/values/time.ts";
import {
  isTooLong,
  MAX_REPORT_DAYS,
  PERIOD_RULE,
  REPORT_GROUPS,
} from "../../features/report/contract.ts";
import { readReport, type ReportRow } from "../../features/report/queries.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";

/** The steps of gifts, from an order to the delivery. */
const STEPS = [
  ["Ordered", "gifts"],
  ["E-mails delivered", "emails_delivered"],
  ["E-mails bounced", "emails_bounced"],
  ["Opened", "opened"],
  ["Accepted", "accepted"],
  ["Shipped", "shipped"],
  ["Delivered", "delivered"],
  ["Returned", "returned"],
] as const satisfies [string, keyof ReportRow][];

/** The page has no place for it in each group. */
const inFiles = (label: string) => kinds.count(label, { isInFilesOnly: true });

/** One round trip. */
export const reportShow = view({
  name: "report",
  title: "Report",
  description:
    "What became of the orders that were placed in a period, with everything that happened to them until now, and what they cost. Spent less refunded is the sum of their entries in the ledgers. The amount of open gifts would be returned if they were cancelled now.",
  permission: "view",
  input: {
    group_by: kinds.withDefault(kinds.choice("By", REPORT_GROUPS), "month"),
    from: kinds.optional(
      kinds.time("Placed since", { hint: `Without it, ${String(MAX_REPORT_DAYS)} days before.` }),
    ),
    to: kinds.optional(kinds.time("Placed before")),
    client: kinds.optional(kinds.client("Client")),
  },
  examples: ["--group-by product --from 2026-09-01 --to 2026-10-01"],
  shape: {
    lists: {
      funnel: {
        title: "What became of the gifts",
        bars: "gifts",
        columns: { step: kinds.text("Gifts"), gifts: kinds.count("Number") },
      },
      groups: {
        title: "Gifts and amounts",
        bars: "gifts",
        empty: "No order was placed in this period.",
        columns: {
          group: kinds.text("Group"),
          orders: inFiles("Orders"),
          gifts: kinds.count("Gifts"),
          emails_delivered: inFiles("E-mails delivered"),
          emails_bounced: inFiles("E-mails bounced"),
          opened: kinds.count("Opened"),
          accepted: kinds.count("Accepted"),
          declined: kinds.count("Declined"),
          cancelled: kinds.count("Cancelled"),
          expired: kinds.count("Expired"),
          shipped: kinds.count("Shipped"),
          delivered: kinds.count("Delivered"),
          returned: inFiles("Returned"),
          spent: kinds.money("Spent", { hasSum: true }),
          refunded: kinds.money("Refunded", { hasSum: true }),
          outstanding: kinds.money("Amount of open gifts", { hasSum: true }),
        },
      },
    },
  },
  read: async ({ DB, nowMs }, { group_by: groupBy, to = nowMs, client: clientId, ...input }) => {
    const { from = to - MAX_REPORT_DAYS * DAY_MS } = input;
    if (isTooLong(from, to)) throw validationError([{ field: "to", message: PERIOD_RULE }]);
    const rows = await readReport(DB, clientId === undefined ? null : { clientId, ownId: null }, {
      fromMs: from,
      toMs: to,
      groupBy,
    });
    const sumOf = (name: (typeof STEPS)[number][1]) =>
      rows.reduce((sum, row) => sum + row[name], 0);
    return {
      lists: {
        funnel: STEPS.map(([step, name]) => ({ step, gifts: sumOf(name) })),
        groups: rows.map(groupRow),
      },
    };
  },
});

const groupRow = ({ group, currency, spentMinor, refundedMinor, ...row }: ReportRow) => ({
  ...row,
  group: group === null ? null : String(group),
  spent: { minor: spentMinor, currency },
  refunded: { minor: refundedMinor, currency },
  outstanding: { minor: row.outstandingMinor, currency },
});
