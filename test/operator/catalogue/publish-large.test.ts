// A file of the maximum number of products is published within the limits of a request.
import { expect, test } from "vitest";
import { runs } from "../../support/runs.ts";
import { openOperatorApi } from "../operator-api.ts";
import { shopifyFile } from "./import/shop-files.ts";
import { addCatalogue, fileOf, versionOf } from "./published.ts";

const PUBLISH = "catalogue publish";

/** D1's limit for the queries of a request, if it counts those of a batch one by one. */
const MAX_QUERIES = 1_000;

/** A Shopify export whose products have three rows each, with different words. */
function largeFile(count: number, title: string): File {
  const rows = Array.from({ length: count }, (_, n) => {
    const words = Array.from(
      { length: 90 },
      (_each, i) => `word${String((n * 31 + i * i) % 20_000)}`,
    );
    return ["S", "M", "L"].map((size) => ({
      Handle: `product-${String(n)}`,
      "Option1 Value": size,
      "Variant SKU": `SKU-${String(n)}-${size}`,
      "Variant Price": "10.00",
      "Variant Inventory Tracker": "shopify",
      "Variant Inventory Qty": "5",
      ...(size === "S" && {
        Title: `${title} ${String(n)}`,
        "Body (HTML)": `<p>${words.join(" ")}</p>`,
        "Option1 Name": "Size",
      }),
    }));
  });
  return fileOf(shopifyFile(rows.flat()));
}

test("publishes many products with three variations each, and then other names of all", async () => {
  const count = runs(10_000, 40);
  const api = await openOperatorApi(["engineer"]);
  const catalogue = await addCatalogue(api);
  for (const [version, title] of ["First", "Second"].entries()) {
    const input = { catalogue, file: largeFile(count, title) };
    const planned = await api.call(PUBLISH, input);
    expect(planned.html.length).toBeLessThan(60_000);
    expect(planned.meter.statements).toBeLessThan(MAX_QUERIES / 10);
    const { digest, facts } = JSON.parse(planned.html);
    expect(facts).toMatchObject(version === 0 ? { added: count } : { changed: count });
    const query = { digest, request_id: crypto.randomUUID() };
    const done = await api.call(PUBLISH, input, query);
    expect(done.status, done.html).toBe(200);
    expect(done.meter.statements).toBeLessThan(MAX_QUERIES);
  }
  expect(await versionOf(api, catalogue)).toBe(2);
}, 300_000);
