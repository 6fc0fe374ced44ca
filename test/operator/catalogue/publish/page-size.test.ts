import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { checkPageSizes } from "../../../../src/operator/catalogue/publish/page-size.ts";
import type { Product } from "../../../../src/features/catalogue/product.ts";
import { publish } from "../../../../src/operator/catalogue/publish/publish.ts";
import { createClient, simpleProduct, unique } from "../../../support/fixtures.ts";
import { startWorker } from "../../../support/worker.ts";

const MAX_PAGE_BYTES = 8_000_000;

const products = (count: number, description: string, changes: Partial<Product> = {}) =>
  Array.from({ length: count }, () => simpleProduct({ description, ...changes }).product);

/** Products of 200 kB each: 39 of them fit on a page, 40 do not. */
const large = (count: number, changes?: Partial<Product>) =>
  products(count, "x".repeat(200_000), changes);

describe("a page of the product list", () => {
  test("is at most as large as publishing permits", async () => {
    const wide = products(52, "お".repeat(50_000)).map((product, index) => ({
      product: { ...product, featuredImage: `/images/${String(index)}.svg` },
      stock: [{ variationId: 0, quantity: 999_999_999, sellable: false }],
    }));
    const client = await createClient({ products: wide });
    const { status, text } = await startWorker().get(client, "/api/products?limit=500");
    expect(status).toBe(200);
    const bytes = new TextEncoder().encode(text).length;
    expect(bytes).toBeGreaterThan(MAX_PAGE_BYTES * 0.95);
    expect(bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES);
  });

  test("that would be too large is refused by publishing, with the sizes and the largest products", async () => {
    const list = [
      ...large(39, { name: "Novel" }),
      ...products(3, "short"),
      ...products(1, "x".repeat(250_000), { name: "Atlas" }),
    ];
    const name = `catalogue ${String(unique())}`;
    const published = publish(
      env.DB,
      name,
      list.map((product) => ({ product, stock: [] })),
      1,
    );
    await expect(published).rejects.toMatchObject({
      code: "validation_error",
      message: expect.stringMatching(
        /^The 43 largest products .* 8\.1 MB.* 8\.0 MB.* Atlas \(251 kB\), Novel \(201 kB\), Novel \(201 kB\)\.$/,
      ) as string,
    });
    const found = env.DB.prepare("SELECT id FROM catalogues WHERE name = ?").bind(name).first();
    expect(await found).toBeNull();
  });

  test("consists of any 500 products, because of the filters", () => {
    const list = [...large(20), ...products(2_000, ""), ...large(20)];
    expect(() => {
      checkPageSizes(list);
    }).toThrow("500 largest products");
    checkPageSizes(list.slice(5));
  });
});
