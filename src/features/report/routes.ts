// The handler of the report.
import { ownerOf } from "../clients/authenticate.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { getReport } from "./contract.ts";
import { readReport } from "./queries.ts";
import { reportCsv, reportResponse } from "./response.ts";

export const reportRoutes = () =>
  routes(
    handle(
      getReport,
      async (c, { query: { from: fromMs, to: toMs, group_by: groupBy, format } }) => {
        const period = { fromMs, toMs, groupBy };
        const rows = await readReport(c.env.DB, ownerOf(c), period);
        const report = reportResponse(rows, period);
        // The results of tools are JSON.
        if (format === "json" || c.get("isOfTool")) return report;
        c.header("Content-Type", "text/csv; charset=utf-8");
        c.header("Content-Disposition", 'attachment; filename="report.csv"');
        return c.body(reportCsv(report));
      },
    ),
  );
