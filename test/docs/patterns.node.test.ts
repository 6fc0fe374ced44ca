// The patterns in the published schemas: clients in other languages compile them.
import { readFileSync } from "node:fs";
import path from "node:path";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";

const FILES = ["public/openapi.json", "public/docs/mcp-tools.json", "docs/operator-api.json"];

function patternsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === "pattern" && typeof each === "string" ? [each] : patternsIn(each),
  );
}

const readJson = (file: string): unknown =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../..", file), "utf8"));

/** What engines without backtracking, or without Unicode's properties, do not have. */
const NOT_COMMON = /\(\?(?!:)|\\[pPkbBuxc]|\\\d/;

test.each(FILES)("the patterns in %s compile in every engine, and match whole texts", (file) => {
  const patterns = [...new Set(patternsIn(readJson(file)))];
  for (const pattern of patterns) {
    expect(() => RE2JS.compile(pattern), pattern).not.toThrow();
    expect(() => new RegExp(pattern, "u"), pattern).not.toThrow();
    expect(pattern).toMatch(/^\^.*\$$/s);
    expect(pattern).not.toMatch(NOT_COMMON);
  }
});
