// Samples of the operations of catalogues and stock.
import { collect, PICKS } from "../../support/collections.ts";
import { openShop, simpleProduct, unique, variableProduct } from "../../support/fixtures.ts";
import { fileOf, shopFile, tracked } from "../catalogue/published.ts";
import { openOperatorApi } from "../operator-api.ts";
import type { Samples } from "./sample.ts";

async function newCatalogue(): Promise<string> {
  const catalogue = `sample ${String(unique())}`;
  await (await openOperatorApi()).run("catalogue add", { name: catalogue, currency: "AUD" });
  return catalogue;
}

async function newCollection() {
  const { client, product } = await openShop();
  await collect(client, [product]);
  return { catalogue: client.catalogue, product: product.product };
}

async function newCollectionKey() {
  return { catalogue: (await newCollection()).catalogue, collection: PICKS, reason: "Outdated" };
}

const newProduct = async () => (await openShop(simpleProduct({}, { quantity: 5 }))).product.product;

export const CATALOGUE_SAMPLES: Samples = {
  "catalogue list": () => Promise.resolve({}),
  "catalogue show": async () => ({ catalogue: await newCatalogue() }),
  "catalogue add": () =>
    Promise.resolve({ name: `sample ${String(unique())}`, locations: ["AU", "NZ"] }),
  "catalogue publish": async () => ({
    catalogue: await newCatalogue(),
    file: shopFile(tracked(2)),
    stock: "replace",
    vendor: "Acme",
  }),
  "collection list": async () => ({ catalogue: (await newCollection()).catalogue }),
  "collection set": async () => {
    const { catalogue, product } = await newCollection();
    return {
      catalogue,
      collection: "picks",
      name: "Wellness",
      products: [String(product.id)],
      text: "A quiet evening",
      language: "de",
    };
  },
  "collection remove": newCollectionKey,
  "stock list": async () => ({ catalogue: (await openShop()).client.catalogue, below: 1_000 }),
  "stock show": async () => ({ product: String((await newProduct()).id) }),
  "stock set": async () => {
    const { product } = (await openShop(variableProduct())).product;
    const variation = product.variations[0]?.id;
    return { product: String(product.id), variation, quantity: 7, reason: "Stocktaking" };
  },
  "stock adjust": async () => ({
    product: String((await newProduct()).id),
    pieces: -3,
    reason: "Broken",
  }),
  "stock upload": async () => ({
    file: fileOf(`product,quantity\n${String((await newProduct()).id)},9\n`, "counts.csv"),
    reason: "Stocktaking",
  }),
};
