// The files that are generated from the OpenAPI document for programs, and the rules of the generator.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { referenceFiles } from "../../src/docs/page/files.ts";
import type { OpenApi } from "../../src/docs/page/openapi.ts";

const DOCUMENT = openapi as unknown as OpenApi;
const CHANGELOG = readFileSync("src/docs/changelog.md", "utf8");
const FILES = referenceFiles(DOCUMENT, CHANGELOG);
const textOf = (path: string) => FILES[path] ?? expect.fail(`there is no file ${path}`);

const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    ...operation,
    request: `${method.toUpperCase()} ${path}`,
  })),
);

/** The document with another text of the guide. */
const withGuide = (description: string): OpenApi => ({
  ...DOCUMENT,
  info: { ...DOCUMENT.info, description },
});

describe("the pages", () => {
  test("have a place for every operation and field, and for every link", () => {
    const ids = (path: string) =>
      [...textOf(path).matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
    expect(ids("/docs/orders.html")).toEqual(
      expect.arrayContaining([
        "placeOrder",
        "placeOrder.recipient_details.delivery_address.postcode_zipcode",
        "placeOrder.200.order_totals.order_total",
        "getOrder.include",
      ]),
    );
    expect(ids("/docs.html")).toEqual(
      expect.arrayContaining(["errors", "errors.out_of_stock", "event-types.gift.redeemed"]),
    );
    const entries = JSON.parse(textOf("/docs/search.json")) as { url: string }[];
    for (const { url } of entries) {
      const [path = "", id = ""] = url.split("#");
      expect(ids(`${path}.html`), url).toContain(id);
    }
  });

  test("cannot be generated with a link to an unknown place, or with an id twice", () => {
    const generate = (guide: string) => () => referenceFiles(withGuide(guide), CHANGELOG);
    expect(generate("See [errors](#erors).")).toThrow("erors");
    expect(generate("## Errors\n\n## Errors")).toThrow("errors");
  });

  test("show defaults and null in one way", () => {
    const types = [...textOf("/docs/orders.html").matchAll(/<span class="type">(.*?)<\/span>/g)];
    const shown = types.map(([, type = ""]) => type);
    expect(shown).toContain("Y or N or null, default N");
    expect(shown).toContain("string or null");
    expect(shown.filter((type) => /null(?!$|,| or )|,null/.test(type))).toEqual([]);
  });

  test("have a row and an example for each type of event", () => {
    const types = openapi.components.schemas.Event.properties.type["x-extensible-enum"];
    for (const type of types) {
      expect(textOf("/docs.html")).toContain(`<tr id="event-types.${type}">`);
      expect(textOf("/docs/webhooks.html")).toContain(`<details id="receiveEvent.${type}">`);
    }
  });
});

describe("the Markdown files", () => {
  test("are linked in /llms.txt, with every operation", () => {
    const index = textOf("/llms.txt");
    expect(index).toMatch(/^# Regalo\n\n> .+\n\n## /);
    for (const [, path = ""] of index.matchAll(/\]\((.+?)\)/g)) {
      if (path !== "/openapi.json") textOf(path);
    }
    for (const { operationId, summary, request } of OPERATIONS) {
      expect(index).toContain(`- [${summary}](/docs/${operationId}.md): ${request}`);
    }
  });

  test("contain the texts, fields, errors and samples of the operation", () => {
    for (const { operationId, description, "x-codeSamples": samples = [] } of OPERATIONS) {
      const text = textOf(`/docs/${operationId}.md`);
      for (const { source } of samples) expect(text).toContain(source);
      expect(text).toContain(description.split("\n")[0]?.split("](")[0]);
    }
    const order = textOf("/docs/placeOrder.md");
    expect(order).toContain("    - `country` (");
    expect(order).toMatch(/^- 4\d\d `variation_required`: /m);
    expect(order).toContain('"product_price": 64');
  });

  test("have links to files that exist", () => {
    for (const [path, text] of Object.entries(FILES)) {
      if (!path.endsWith(".md")) continue;
      for (const [, file = ""] of text.matchAll(/\]\((\/docs\/[^)#]+\.md)/g)) textOf(file);
      expect(text, path).not.toContain("<!--");
    }
  });
});

test("the changelog for partners is a page", () => {
  const titles = [...CHANGELOG.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title);
  expect(titles).not.toEqual([]);
  for (const title of titles) expect(textOf("/docs/changelog.html")).toContain(title);
});
