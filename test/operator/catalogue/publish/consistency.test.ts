import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { publish } from "../../../../src/operator/catalogue/publish/publish.ts";
import { forgetClient } from "../../../../src/features/clients/cache.ts";
import { createClient, simpleProduct } from "../../../support/fixtures.ts";
import { startWorker } from "../../../support/worker.ts";

describe("a catalogue published while its pages are read", () => {
  test("has products of one version on every page", async () => {
    const products = Array.from({ length: 40 }, () => simpleProduct({ name: "edition 1" }));
    const edition = (n: number) =>
      products.map(({ product, stock }) => ({
        product: { ...product, name: `edition ${String(n)}` },
        stock,
      }));
    const client = await createClient({ products });
    const seen = new Set<string>();
    for (let n = 2; n <= 4; n++) {
      const read = async (limit: number) => {
        // A new isolate without the cached client reads the version that is current at that time.
        await forgetClient(env, client.clientId);
        const { json } = await startWorker().get(client, `/api/products?limit=${String(limit)}`);
        expect(json.total_products).toBe(40);
        expect(json.products).toHaveLength(limit);
        const names = new Set(json.products.map((p: { product_name: string }) => p.product_name));
        expect(names.size).toBe(1);
        seen.add([...names].join());
      };
      await Promise.all([
        publish(env.DB, client.catalogue, edition(n), Date.now()),
        ...Array.from({ length: 6 }, (_, index) => read(20 + index)),
      ]);
    }
    expect(seen.size).toBeGreaterThan(1);
  });
});
