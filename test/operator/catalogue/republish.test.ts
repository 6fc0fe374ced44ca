// The operation `catalogue republish`, which undoes a publication.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { unique } from "../../support/fixtures.ts";
import { openOperatorApi } from "../operator-api.ts";
import { OWN_PRODUCT } from "./import/shop-files.ts";
import { addCatalogue, fileOf, openCatalogue, shopFile, tracked, versionOf } from "./published.ts";

const api = await openOperatorApi(["engineer"]);

const [PUBLISH, REPUBLISH] = ["catalogue publish", "catalogue republish"];

/** The revisions of a version by product. */
const revisionsOf = async (catalogue: string, version: number) => {
  const { results } = await env.DB.prepare(
    `SELECT e.product_id, e.revision FROM catalogue_entries e JOIN catalogues c ON c.id = e.catalogue_id
     WHERE c.name = ? AND e.version = ? ORDER BY e.position`,
  )
    .bind(catalogue, version)
    .all();
  return results;
};

test("makes the products of the version before the current one the next version", async () => {
  const rows = tracked(4);
  const catalogue = await openCatalogue(api, rows);
  const wrong = rows.slice(0, 3).map((row) => ({ ...row, "Regular price": "1.00" }));
  const input = { catalogue, file: shopFile(wrong), allow_large_changes: true };
  await api.run(PUBLISH, input);
  const before = await revisionsOf(catalogue, 1);
  const plan = await api.plan(REPUBLISH, { catalogue, version: 1 });
  expect(plan.facts).toMatchObject({ products: 4, added: 1, changed: 3, raised: 3 });
  expect(plan.lists["prices"]).toHaveLength(3);
  await api.run(REPUBLISH, { catalogue, version: 1 });
  expect(await versionOf(api, catalogue)).toBe(3);
  expect(await revisionsOf(catalogue, 3)).toEqual(before);
  const [entry] = await listAudit(env.DB, { limit: 20 });
  expect(entry).toMatchObject({ action: REPUBLISH, subject: catalogue, after: { version: 3 } });
  const { lists } = await api.view("catalogue show", { catalogue });
  const change = { by: entry?.actor, products: 4, physical: 4, digital: 0 };
  expect(lists["versions"]).toMatchObject([
    { ...change, version: 3, file: "version 1", raised: 3, lowered: 0, actions: [] },
    {
      ...change,
      version: 2,
      file: "products.csv",
      products: 3,
      physical: 3,
      lowered: 3,
      actions: [REPUBLISH],
    },
  ]);
  await api.run(REPUBLISH, { catalogue, version: 2 });
  expect((await revisionsOf(catalogue, 4)).length).toBe(3);
});

test("keeps translations, codes and customs, so that products that are the same do not change", async () => {
  const catalogue = await addCatalogue(api, { language: "en" });
  const own = {
    ...OWN_PRODUCT,
    product_id: 700_000 + unique(),
    featured_image: "/a.svg",
    product_vendor: { ...OWN_PRODUCT.product_vendor, logo: "/b.svg" },
    translations: { de: { product_name: "Die Vase" } },
  };
  const publish = (products: object[]) =>
    api.run(PUBLISH, { catalogue, file: fileOf(JSON.stringify(products), "own.json") });
  const codes = { digital_physical: "digital", digital_delivery: "code", shipping_cost: 0 };
  const voucher = { ...own, ...codes, product_id: 710_000 + unique() };
  await publish([own, voucher]);
  await publish([own, voucher]);
  const plan = await api.plan(REPUBLISH, { catalogue, version: 1 });
  expect(plan.facts).toEqual({ products: 2, added: 0, changed: 0, unpublished: 0, unchanged: 2 });
  await api.run(REPUBLISH, { catalogue, version: 1 });
  expect(await revisionsOf(catalogue, 3)).toEqual(await revisionsOf(catalogue, 2));
});

test("refuses the current version, and one that is not kept", async () => {
  const catalogue = await openCatalogue(api, tracked(1));
  for (const version of [1, 2]) {
    expect((await api.refusal(REPUBLISH, { catalogue, version })).code).toBe("refused");
  }
});
