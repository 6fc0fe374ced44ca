// Every field of GET /api/products and GET /api/product.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import {
  createClient,
  simpleProduct,
  type TestClient,
  type TestProduct,
  variableProduct,
} from "../support/fixtures.ts";
import { forgetClient } from "../../src/features/clients/cache.ts";
import { publish } from "../../src/operator/catalogue/publish/publish.ts";
import { ProductList, SimpleProduct, VariableProduct } from "../support/shapes.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker();

/** The fields in responses that all products without changes have in common. */
const shownAlike = {
  product_description: "<p>Made by hand.</p>\n<p>In small numbers.</p>",
  product_short_description: "Made by hand.",
  digital_physical: "physical",
  featured_image: `${env.PUBLIC_URL}/images/products/product.svg`,
  additional_images: ["https://images.example/second.jpg"],
  product_vendor: {
    name: "A Vendor",
    bio: "<p>Since 1999.</p>",
    logo: `${env.PUBLIC_URL}/images/vendors/vendor.svg`,
    shipping_info: null,
    returns_info: "",
  },
  shipping_cost: 5,
  shipping_details: { weight: "0.5", length: "10", width: "10", height: "5" },
  available_location: [],
};

function shownSimple({ product }: ReturnType<typeof simpleProduct>) {
  return {
    ...shownAlike,
    product_id: product.id,
    product_sku: product.sku,
    product_name: product.name,
    product_type: "simple",
    price: "25.00",
    price_currency: "AUD",
    track_inventory: "Y",
    stock_status: "in_stock",
    stock_qty: "100",
  };
}

function shownVariable({ product }: ReturnType<typeof variableProduct>) {
  const [small, large] = product.variations.map(({ id, sku }, index) => ({
    id,
    sku,
    price: ["20.00", "30.00"][index],
    price_currency: "AUD",
    variation_qty: "100",
    variation_stock_status: "in_stock",
    options: [{ id: 1, name: "Size", option: ["S", "L"][index] }],
  }));
  return {
    ...shownAlike,
    product_id: product.id,
    product_sku: product.sku,
    product_name: product.name,
    product_type: "variable",
    attributes: [{ id: 1, name: "Size", option: ["S", "L"] }],
    variations: [small, large],
    track_inventory: "Y",
    stock_status: "in_stock",
    stock_qty: "200",
  };
}

async function listProducts(client: TestClient, query = "") {
  const answer = await worker.get(client, `/api/products${query}`);
  expect(answer.status).toBe(200);
  return ProductList.parse(answer.json);
}

/** The product of a client with only this product. */
async function showProduct(product: TestProduct) {
  const client = await createClient({ products: [product] });
  const path = `/api/product?product_id=${String(product.product.id)}`;
  const { status, headers, json } = await worker.get(client, path);
  expect([status, headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
  return json as unknown;
}

describe("GET /api/products", () => {
  test("shows every field of simple and variable products", async () => {
    const simple = simpleProduct();
    const variable = variableProduct();
    const client = await createClient({ products: [simple, variable] });
    const answer = await worker.get(client, "/api/products");
    expect(ProductList.parse(answer.json)).toEqual({
      total_products: 2,
      total_products_in_query: 2,
      current_page: 1,
      total_pages: 1,
      products: [shownSimple(simple), shownVariable(variable)],
    });
    expect(answer.headers.get("Content-Type")).toBe("application/json");
    expect(answer.headers.get("Cache-Control")).toBe("private, no-cache");
  });

  test("include=details shows a change of the categories alone, in the list and of one product, for 0 round trips if cached", async () => {
    const { product, stock } = simpleProduct({ categories: ["Home > Candles"] });
    const client = await createClient({ products: [{ product, stock }] });
    const one = `/api/product?product_id=${String(product.id)}&include=details`;
    const readBoth = async (isolate = worker) => {
      const { json: list } = await isolate.get(client, "/api/products?include=details");
      expect(list.products).toEqual([(await isolate.get(client, one)).json]);
      return ProductList.parse(list).products[0];
    };
    const before = await readBoth();
    expect(before).toMatchObject({ categories: ["Home > Candles"], vendor: "A Vendor" });
    const { meter } = await worker.get(client, "/api/products?include=details");
    expect(meter.roundTrips).toBe(0);
    const moved = { product: { ...product, categories: ["Food"] }, stock };
    await publish(env.DB, client.catalogue, [moved], Date.parse("2035-01-01"));
    await forgetClient(env, client.clientId);
    const after = await readBoth(startWorker());
    const updated_at = "2035-01-01T00:00:00.000Z";
    expect(after).toEqual({ ...before, categories: ["Food"], updated_at });
    const refused = await worker.get(client, "/api/products?include=detail");
    expect([refused.status, refused.json.errors[0].field]).toEqual([400, "include"]);
  });

  test("returns the pages of the catalogue in order, and empty pages past its end", async () => {
    const products = Array.from({ length: 5 }, () => simpleProduct());
    const client = await createClient({ products });
    const ids = products.map(({ product }) => product.id);
    const pages = [
      { page: 1, shown: ids.slice(0, 2) },
      { page: 2, shown: ids.slice(2, 4) },
      { page: 3, shown: ids.slice(4) },
      { page: 4, shown: [] },
      { page: 1_000_000_000, shown: [] },
    ];
    for (const { page, shown } of pages) {
      const list = await listProducts(client, `?product_type=&limit=2&page=${String(page)}`);
      expect(list.products.map((product) => product.product_id)).toEqual(shown);
      expect(list).toMatchObject({
        total_products: 5,
        total_products_in_query: shown.length,
        current_page: page,
        total_pages: 3,
      });
    }
  });

  test("returns 200 products by default, and at most 500", async () => {
    const products = Array.from({ length: 501 }, () => simpleProduct());
    const client = await createClient({ products });
    expect(await listProducts(client)).toMatchObject({
      total_products: 501,
      total_products_in_query: 200,
      total_pages: 3,
    });
    expect(await listProducts(client, "?limit=500")).toMatchObject({
      total_products_in_query: 500,
      total_pages: 2,
    });
  });
});

describe("GET /api/product", () => {
  test("shows every field of a simple product, with a price and without attributes and variations", async () => {
    const product = simpleProduct();
    expect(SimpleProduct.parse(await showProduct(product))).toEqual(shownSimple(product));
  });

  test("shows every field of a variable product, with attributes and variations and without a price", async () => {
    const product = variableProduct();
    expect(VariableProduct.parse(await showProduct(product))).toEqual(shownVariable(product));
  });

  test.for([
    [{ quantity: null }, ["N", "in_stock", ""]],
    [{ quantity: 0 }, ["Y", "out_of_stock", "0"]],
    [{ quantity: null, sellable: false }, ["N", "out_of_stock", ""]],
  ] as const)("shows the stock %j", async ([level, [tracked, status, qty]]) => {
    expect(SimpleProduct.parse(await showProduct(simpleProduct({}, level)))).toMatchObject({
      track_inventory: tracked,
      stock_status: status,
      stock_qty: qty,
    });
  });

  test("shows the stock of each variation, and their sum as the product's stock", async () => {
    const product = variableProduct();
    for (const [index, level] of product.stock.entries()) level.quantity = [0, 7][index] ?? 0;
    expect(VariableProduct.parse(await showProduct(product))).toMatchObject({
      stock_status: "in_stock",
      stock_qty: "7",
      variations: [
        { variation_qty: "0", variation_stock_status: "out_of_stock" },
        { variation_qty: "7", variation_stock_status: "in_stock" },
      ],
    });
  });

  test("shows empty texts, locations, and prices and shipping costs with cents", async () => {
    const product = simpleProduct({
      sku: "",
      shortDescription: "",
      priceMinor: 5,
      currency: "GBP",
      shippingMinor: 1295,
      locations: ["GB", "IE"],
      additionalImages: [],
      delivery: "digital",
    });
    expect(SimpleProduct.parse(await showProduct(product))).toMatchObject({
      product_sku: "",
      product_short_description: "",
      price: "0.05",
      price_currency: "GBP",
      shipping_cost: 12.95,
      available_location: ["GB", "IE"],
      additional_images: [],
      digital_physical: "digital",
    });
  });
});
