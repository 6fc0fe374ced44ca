// The files for partners that are generated from the OpenAPI document, and the patterns in the published schemas.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { referenceFiles } from "../../src/docs/files.ts";
import { DOCUMENT, PLACES } from "./places.ts";
import path from "node:path";
import { RE2JS } from "re2js";

const FILES = referenceFiles(DOCUMENT, readFileSync("src/docs/changelog.md", "utf8"));
const textOf = (path: string) => FILES[path] ?? expect.fail(`there is no file ${path}`);

/** The fragments that a page has. */
const placesOf = (path: string) =>
  path === "/docs/reference"
    ? PLACES.map(({ place }) => place)
    : [...textOf(`${path}.html`).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

test("the links of the guide, the changelog and the document lead to pages and places that exist", () => {
  const links = ["/docs", "/docs/changelog"].flatMap((page) =>
    [...textOf(`${page}.html`).matchAll(/href="(\/docs)?([^"#]*)#([^"]+)"/g)].map(
      ([, docs, rest = "", place]) => [docs ? docs + rest : page, place] as const,
    ),
  );
  const inDocument = JSON.stringify({ ...DOCUMENT, info: {} }).matchAll(
    /\]\((\/[^)#]*)?#([^)]+)\)/g,
  );
  expect(links.length).toBeGreaterThan(50);
  for (const [page, place] of links) expect(placesOf(page), place).toContain(place);
  for (const [, page = "", place] of inDocument) expect(placesOf(page), place).toContain(place);
  const ids = placesOf("/docs");
  expect(new Set(ids).size).toBe(ids.length);
});

test("/llms.txt lists all operations, and Markdown files have no broken links", () => {
  const paths = Object.entries(FILES).flatMap(([path, text]) =>
    /\.(md|txt)$/.test(path) ? [...text.matchAll(/\]\((\/docs[^)#]*)/g)].map(([, to]) => to) : [],
  );
  for (const path of paths) textOf(path ?? "");
  for (const { operationId } of PLACES) {
    expect(textOf("/llms.txt")).toContain(`](/docs/${operationId}.md)`);
  }
});

test("the Markdown of an operation has its fields, errors, samples and examples", () => {
  const text = textOf("/docs/placeOrder.md");
  expect(text).toMatch(/^ {4}- `country` \(string, at most 100 characters or null\): /m);
  expect(text).toMatch(/^`variation_required`: /m);
  expect(text).toContain('"product_price": 64');
  expect(text).toContain(DOCUMENT.paths["/api/order"]?.["post"]?.["x-codeSamples"]?.[0]?.source);
});

const SCHEMAS = ["public/openapi.json", "public/docs/mcp-tools.json"];

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

test.each(SCHEMAS)("the patterns in %s compile in every engine, and match whole texts", (file) => {
  const patterns = [...new Set(patternsIn(readJson(file)))];
  for (const pattern of patterns) {
    expect(() => RE2JS.compile(pattern), pattern).not.toThrow();
    expect(() => new RegExp(pattern, "u"), pattern).not.toThrow();
    expect(pattern).toMatch(/^\^.*\$$/s);
    expect(pattern).not.toMatch(NOT_COMMON);
  }
});
