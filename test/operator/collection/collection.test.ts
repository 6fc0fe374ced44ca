// The operations `collection list`, `collection set` and `collection remove`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { startWorker } from "../../support/worker.ts";
import { createClient, orderOf, simpleProduct, type TestProduct } from "../../support/fixtures.ts";
import { placeGiftLink } from "../../support/orders.ts";
import { openCatalogue, shopFile } from "../catalogue/published.ts";
import { openOperatorApi } from "../operator-api.ts";

const api = await openOperatorApi();
const worker = startWorker();

async function newCatalogue(products: TestProduct[]) {
  const client = await createClient({ products });
  const set = { catalogue: client.catalogue, collection: "wellness", name: "Wellness" };
  return { client, catalogue: client.catalogue, set };
}
const idsOf = (products: TestProduct[]) => products.map(({ product }) => String(product.id));

test("sets a collection, replaces it and removes it", async () => {
  const [soap, oil, tea] = [
    simpleProduct({ name: "Soap", categories: ["Bath"] }),
    simpleProduct({ name: "Oil", categories: ["Bath"] }),
    simpleProduct({ name: "Tea", categories: ["Air"] }),
  ] as const;
  const { client, catalogue, set } = await newCatalogue([soap, oil, tea]);
  const input = {
    ...set,
    products: [...idsOf([soap]), oil.product.sku, ...idsOf([tea, soap])],
    text: "A quiet evening",
  };
  expect((await api.plan("collection set", input)).will).toContain("add the collection wellness");
  await api.run("collection set", input);
  for (const [language, texts] of [
    ["pt-br", { text: "Uma noite, só para você" }],
    ["de", { name: "Wohlbefinden" }],
    ["fr", { name: "Bien-être" }],
    ["fr", { name: null }],
  ] as const) {
    await api.run("collection set", { catalogue, collection: "wellness", language, ...texts });
  }
  const products = idsOf([tea, oil, soap]).join(", ");
  const { rows } = await api.list("collection list", { catalogue });
  expect(rows).toEqual([
    {
      collection: "wellness",
      name: "Wellness",
      text: "A quiet evening",
      languages: "pt-BR, de",
      products,
    },
  ]);
  const listed = async () => (await worker.get(client, "/api/collections")).json.collections;
  expect(await listed()).toMatchObject([{ collection: "wellness", product_count: 3 }]);

  const changed = { ...set, name: "Calm", text: null, products: idsOf([tea]) };
  expect((await api.plan("collection set", changed)).changes).toEqual([
    { label: "Name", before: "Wellness", after: "Calm" },
    { label: "Text", before: "A quiet evening", after: null },
    { label: "Products", before: products, after: String(tea.product.id) },
  ]);
  await api.run("collection set", changed);
  expect(await listed()).toMatchObject([{ name: "Calm", description: "", product_count: 1 }]);
  const choosing = { gift_of_choice: "Y", collection: "wellness" };
  await placeGiftLink(worker, client, orderOf(soap, choosing));
  await placeGiftLink(worker, client, orderOf(tea));
  const remove = { catalogue, collection: "wellness", reason: "Outdated" };
  const { will } = await api.plan("collection set", { ...set, products: idsOf([oil]) });
  const plans = [will, (await api.plan("collection remove", remove)).will];
  for (const each of plans) expect(each).toContain("affects 1 open gift of 1 order of 1 client");
  await api.run("collection remove", remove);
  expect(await listed()).toEqual([]);
  expect(await api.refusal("collection remove", remove)).toMatchObject({ status: 404 });
  const entries = (await listAudit(env.DB, { limit: 50 })).filter(
    ({ subject }) => subject === `${catalogue}/wellness`,
  );
  const kinds = entries.map(
    ({ before, after }) => `${before ? "before" : ""}/${after ? "after" : ""}`,
  );
  expect([kinds[0], kinds.at(-1), new Set(kinds).size]).toEqual(["before/", "/after", 3]);
});

test("refuses what is not in the catalogue, and new collections without a name, products, or with a language", async () => {
  const product = simpleProduct();
  const { set } = await newCatalogue([product]);
  const foreign = simpleProduct();
  await createClient({ products: [foreign] });
  for (const [field, changes] of [
    ["products", { products: idsOf([foreign]) }],
    ["products", { products: ["no such key"] }],
    ["products", { products: [foreign.product.sku] }],
    ["products", { products: undefined }],
    ["name", { name: undefined }],
    ["collection", { collection: "Not an id" }],
    ["language", { language: "de" }],
    ["language", { language: "no language" }],
  ] as const) {
    const input = { ...set, products: idsOf([product]), ...changes };
    expect(await api.refusal("collection set", input), JSON.stringify(changes)).toMatchObject({
      fields: [field],
    });
  }
});

test("warns of countries to which nothing of it ships", async () => {
  const [here, there] = [
    simpleProduct({ locations: ["AU"] }),
    simpleProduct({ locations: ["NZ", "AU"] }),
  ];
  const { set } = await newCatalogue([here, there]);
  const warningsOf = async (products: TestProduct[]) =>
    (await api.plan("collection set", { ...set, products: idsOf(products) })).warnings;
  expect((await warningsOf([here])).join()).toContain("NZ");
  expect(await warningsOf([here, there])).toEqual([]);
});

test("costs rows that are linear in the catalogue", async () => {
  const products = Array.from({ length: 40 }, () => simpleProduct());
  const { set } = await newCatalogue(products);
  const { meter } = await api.call("collection set", { ...set, products: idsOf(products) });
  // Each entry with its revision.
  expect(meter.rowsRead).toBeLessThan(2 * 40 + 20);
});

test("has products of a shop by their keys, and is named by a publication that removes them", async () => {
  const rows = ["MUG", "CUP"].map((SKU) => ({ SKU, Name: SKU }));
  const catalogue = await openCatalogue(api, rows);
  const input = {
    catalogue,
    collection: "wellness",
    name: "Wellness",
    products: ["MUG", "sku:CUP"],
  };
  await api.run("collection set", input);
  const file = shopFile(rows.slice(1));
  const { warnings } = await api.plan("catalogue publish", { catalogue, file });
  expect(warnings).toContain("The collection wellness loses 1 of 2 products.");
});
