// A list as CSV, with all of its pages.
import type { AnyList } from "../../operator/declaration/declare.ts";
import { readList, type ShownPage } from "../../operator/declaration/execute.ts";
import { csvCells, csvHeader } from "../../operator/declaration/show.ts";
import { csvRow } from "../../operator/files/csv-output.ts";
import { logFault } from "../../platform/log.ts";
import { contextOf } from "../context.ts";
import type { ConsoleContext } from "../environment.ts";

const ROWS_PER_PAGE = 1_000;

/** The answer is written page by page. An error after the first page aborts it, and is logged. */
export async function csvResponse(
  c: ConsoleContext,
  list: AnyList,
  input: Record<string, unknown>,
  start: string | undefined,
): Promise<Response> {
  const read = (after: string | undefined) =>
    readList(contextOf(c), list, input, { after, limit: ROWS_PER_PAGE });
  const { columns } = list;
  const first = await read(start);
  const textOfPage = ({ rows }: ShownPage) =>
    rows.map((row) => csvRow(csvCells(columns, row))).join("");
  const encoder = new TextEncoder();
  let next: string | null = first.next;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode(csvRow(csvHeader(columns)) + textOfPage(first)));
      if (next === null) controller.close();
    },
    pull: async (controller) => {
      const page = await read(next ?? undefined).catch((error: unknown) => {
        logFault("request.failed", error, { requestId: c.get("requestId"), action: list.name });
        throw error;
      });
      ({ next } = page);
      controller.enqueue(encoder.encode(textOfPage(page)));
      if (next === null) controller.close();
    },
  });
  const name = list.name.replaceAll(" ", "-");
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
    },
  });
}
