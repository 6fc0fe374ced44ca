// Catalogues that the operator API has published from the files of shops.
import { env } from "cloudflare:workers";
import { unique } from "../../support/fixtures.ts";
import type { Product } from "../../../src/features/catalogue/product.ts";
import type { OperatorApi } from "../operator-api.ts";
import { wooCommerceFile } from "./import/shop-files.ts";

type Rows = Parameters<typeof wooCommerceFile>[0];

export const fileOf = (text: string, name = "products.csv") => new File([text], name);

export const shopFile = (rows: Rows) => fileOf(wooCommerceFile(rows));

/** Rows with five pieces each. */
export const tracked = (count: number, changes: Rows[number] = {}): Rows =>
  Array.from({ length: count }, () => ({ Stock: "5", ...changes }));

/** A catalogue with these settings, without products. */
export async function addCatalogue(
  api: OperatorApi,
  settings: Readonly<Record<string, unknown>> = { currency: "AUD", shipping: "9.50" },
): Promise<string> {
  const catalogue = `shop ${String(unique())} & Söhne?`;
  await api.run("catalogue add", { name: catalogue, ...settings });
  return catalogue;
}

/** A catalogue with the products of a WooCommerce shop. */
export async function openCatalogue(
  api: OperatorApi,
  rows: Rows,
  settings?: Readonly<Record<string, unknown>>,
): Promise<string> {
  const catalogue = await addCatalogue(api, settings);
  await api.run("catalogue publish", { catalogue, file: shopFile(rows) });
  return catalogue;
}

/** The published products in the database, in their order. */
export async function publishedIn(catalogue: string) {
  const { results } = await env.DB.prepare(
    `SELECT e.product_id AS id, r.shipping_minor AS shippingMinor, r.locations, r.content, s.quantity
     FROM catalogues c
     JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
     JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision
     JOIN stock s ON s.product_id = e.product_id
     WHERE c.name = ? ORDER BY e.position`,
  )
    .bind(catalogue)
    .all<{
      id: number;
      shippingMinor: number;
      locations: string;
      content: string;
      quantity: number | null;
    }>();
  return results.map(({ content, ...row }) => {
    const { name, featuredImage, vendor, digital } = JSON.parse(content) as Product;
    const delivery = digital?.delivery;
    return { ...row, name, delivery, image: featuredImage, vendor: vendor.name, logo: vendor.logo };
  });
}

export const quantitiesIn = async (catalogue: string) =>
  (await publishedIn(catalogue)).map(({ quantity }) => quantity);

export const versionOf = async (api: OperatorApi, catalogue: string) =>
  (await api.view("catalogue show", { catalogue })).facts["version"];
