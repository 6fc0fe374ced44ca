// Describes the endpoint of the report.
import { SAMPLE_ORDER } from "../events/docs.ts";
import { type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { getReport } from "./contract.ts";
import { reportResponse } from "./response.ts";

export const reportDocs: FeatureDocs = {
  tag: { name: "Report", description: "What your gifts have cost, and what became of them." },

  operations: [
    operation(getReport, {
      summary: "Report on a period",
      description: `Returns what became of the orders that were placed in a period, in groups, and what they have cost. An
order belongs to the period in which it was placed, with everything that has happened to it until now: a gift of September
that is accepted in October counts as accepted in September. The numbers of a past period therefore still change. Groups of
orders in several currencies are returned once for each currency.

A report has at most 1,000 groups. If it would have more, the response is \`validation_error\`: ask for a shorter period.`,
      sample: ["from", "to", "group_by"],
      returns: "The report, as JSON or as CSV.",
      otherContent: { "text/csv": { schema: { type: "string" } } },
      responses: {
        report: reportResponse(
          [
            {
              group: "Spring 2026",
              currency: "AUD",
              orders: 1,
              gifts: 2,
              emails_delivered: 2,
              emails_bounced: 0,
              opened: 2,
              accepted: 1,
              declined: 0,
              cancelled: 0,
              expired: 0,
              shipped: 1,
              delivered: 0,
              returned: 0,
              spentMinor: SAMPLE_ORDER.orderTotalMinor,
              refundedMinor: 0,
              outstandingMinor: SAMPLE_ORDER.orderTotalMinor / 2,
            },
          ],
          {
            fromMs: Date.parse("2026-09-01T00:00:00Z"),
            toMs: Date.parse("2026-10-01T00:00:00Z"),
            groupBy: "campaign",
          },
        ),
      },
    }),
  ],
};
