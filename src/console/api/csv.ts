// A list as CSV, with all of its pages.
import { formatDay } from "../../core/values/time.ts";
import type { AnyList } from "../../operator/declaration/declare.ts";
import { readList, type ShownPage } from "../../operator/declaration/execute.ts";
import { type Fields, KINDS } from "../../operator/declaration/kinds.ts";
import type { JsonRow } from "../../operator/declaration/output.ts";
import { csvCells, csvHeader } from "../../operator/declaration/show.ts";
import { BYTE_ORDER_MARK, type CsvFormat, csvRow } from "../../core/csv-output.ts";
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
  format: CsvFormat = "csv",
): Promise<Response> {
  const read = (after: string | undefined) =>
    readList(contextOf(c), list, input, { after, limit: ROWS_PER_PAGE });
  const { columns } = list;
  const first = await read(start);
  const textOfPage = ({ rows }: ShownPage) =>
    rows.map((row) => csvRow(csvCells(columns, row), format)).join("");
  const mark = format === "excel" ? BYTE_ORDER_MARK : "";
  const encoder = new TextEncoder();
  let next: string | null = first.next;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode(mark + csvRow(csvHeader(columns)) + textOfPage(first)));
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
  return new Response(body, { headers: fileHeaders(fileName(list, input, c.get("nowMs"))) });
}

/** A file of rows that are known. */
export const csvOfRows = (columns: Fields, rows: readonly JsonRow[], name: string): Response =>
  new Response(
    csvRow(csvHeader(columns)) + rows.map((row) => csvRow(csvCells(columns, row))).join(""),
    { headers: fileHeaders(`${name}.csv`) },
  );

const fileHeaders = (name: string) => ({
  "Content-Type": "text/csv; charset=utf-8",
  "Content-Disposition": `attachment; filename="${name}"`,
});

/** Such as `statement-entries-acme-2026-05.csv`. Without a month, the name has the day. */
function fileName({ name, input: fields }: AnyList, input: Record<string, unknown>, nowMs: number) {
  const named = Object.entries(fields).filter(
    ([key, { type }]) => KINDS[type].inFileName && typeof input[key] === "string",
  );
  const hasMonth = named.some(([, { type }]) => KINDS[type].inFileName === "month");
  const parts = [
    name,
    ...named.map(([key]) => input[key]),
    ...(hasMonth ? [] : [formatDay(nowMs)]),
  ];
  return `${parts.join("-").replace(/[^A-Za-z0-9]+/g, "-")}.csv`;
}
