// Samples of the operations of catalogues and stock.
import { openShop, simpleProduct, unique, variableProduct } from "../../support/fixtures.ts";
import { fileOf, shopFile, tracked } from "../catalogue/published.ts";
import { openOperatorApi } from "../operator-api.ts";
import type { Samples } from "./sample.ts";

async function newCatalogue(): Promise<string> {
  const catalogue = `sample ${String(unique())}`;
  await (await openOperatorApi()).run("catalogue add", { name: catalogue, currency: "AUD" });
  return catalogue;
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
