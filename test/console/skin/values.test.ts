// Texts of partners and recipients in pages, terminals and CSV files.
import { jsx } from "hono/jsx";
import { expect, test } from "vitest";
import { rowsText } from "../../../src/cli/operations/print.ts";
import { Value } from "../../../src/console/skin/value.tsx";
import { type View, ViewProvider } from "../../../src/console/ui/view.tsx";
import type { JsonValue, KindType } from "../../../src/operator/declaration/kinds.ts";
import { csvCells } from "../../../src/operator/declaration/show.ts";
import { csvRow } from "../../../src/core/csv-output.ts";

const HOSTILE = '=1+1<img src=x onerror="alert(1)">\u001b[31m\u202ejavascript:alert(1)';

const view = { user: { name: "", roles: ["viewer"] } } as unknown as View;

const htmlOf = (type: KindType, value: JsonValue) =>
  String(jsx(ViewProvider, { value: view }, jsx(Value, { field: { type }, value })));

const TEXTS: KindType[] = [
  ...(["text", "lines", "client", "catalogue", "email", "url", "status"] as const),
  ...(["choice", "secret", "order", "gift"] as const),
];

test.each(TEXTS)("a hostile %s is only text", (type) => {
  const columns = { value: { type, label: "Value" } };
  const html = htmlOf(type, HOSTILE);
  expect(html).not.toContain("<img");
  expect(html).not.toMatch(/href="javascript|onerror="/);
  const terminal = rowsText(columns, [{ value: HOSTILE }]);
  expect(terminal).not.toContain("\u001b");
  expect(terminal).not.toContain("\u202e");
  expect(csvRow(csvCells(columns, { value: HOSTILE }))).toMatch(/^"'=1\+1/);
});

test("objects lead to their pages, and addresses of other kinds than http are no links", () => {
  expect(htmlOf("order", "GO-00042")).toContain('href="/order/show?order=GO-00042"');
  expect(htmlOf("url", "https://example.com/a?b=c")).toContain('href="https://example.com/a?b=c"');
  expect(htmlOf("url", "data:text/html,x")).not.toContain("href");
});
