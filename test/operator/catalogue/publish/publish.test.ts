import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { listCatalogues } from "../../../../src/operator/catalogue/queries.ts";
import { setStock } from "../../../../src/operator/catalogue/stock.ts";
import type { ProductWithStock } from "../../../../src/features/catalogue/product.ts";
import type { KeyedProduct } from "../../../../src/operator/catalogue/publish/identity.ts";
import { publish } from "../../../../src/operator/catalogue/publish/publish.ts";
import { forgetClient } from "../../../../src/features/clients/cache.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  type TestClient,
  orderOf,
  simpleProduct,
  stockOf,
  unique,
  variableProduct,
  withStock,
} from "../../../support/fixtures.ts";
import { beforeCurrent, beforePiece, killed } from "./publishing.ts";
import { startWorker } from "../../../support/worker.ts";

const NOW_MS = 1_000;

function republish(client: TestClient, products: ProductWithStock[], stock?: "keep" | "replace") {
  return publish(env.DB, client.catalogue, products, NOW_MS, stock ? { stock } : {});
}

/** The catalogue as a Worker without cached pages serves it. */
async function listed(client: TestClient) {
  await forgetClient(env, client.clientId);
  const answer = await startWorker().get(client, "/api/products?limit=500");
  return answer.json as {
    total_products: number;
    products: {
      product_id: number;
      product_name: string;
      stock_qty: string;
      stock_status: string;
    }[];
  };
}

async function rowsOf(table: string, catalogueId: number): Promise<number | null> {
  return env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE catalogue_id = ?`)
    .bind(catalogueId)
    .first<number>("n");
}

/** A product that fills a chunk of the publication. The attributes of simple products are stored but not shown. */
const heavy = (name: string, id?: number) =>
  simpleProduct({
    name,
    attributes: [{ id: 1, name: "Weight", options: ["x".repeat(300_000)] }],
    ...(id !== undefined && { id }),
  });

describe("publishing a catalogue again", () => {
  test("serves the complete old version if it is killed, and completes when it runs again", async () => {
    const before = [1, 2, 3, 4].map(() => heavy("old"));
    const client = await createClient({ products: before });
    const after = before.map(({ product }) => heavy("new", product.id));
    for (const pieces of [0, 1, 3]) {
      const dies = publish(beforePiece(pieces, killed), client.catalogue, after, NOW_MS);
      await expect(dies).rejects.toThrow("killed");
      const { products } = await listed(client);
      expect(products.map((product) => product.product_name)).toEqual(["old", "old", "old", "old"]);
    }
    await republish(client, after);
    const { products } = await listed(client);
    expect(products.map((product) => product.product_name)).toEqual(["new", "new", "new", "new"]);
    // The current version and the previous one, and no rows of the three killed ones.
    expect(await rowsOf("catalogue_entries", client.catalogueId)).toBe(8);
  });

  test("keeps only two versions", async () => {
    const products = [simpleProduct(), simpleProduct()];
    const client = await createClient({ products });
    for (let times = 0; times < 4; times++) await republish(client, products, "replace");
    expect(await rowsOf("catalogue_versions", client.catalogueId)).toBe(2);
    expect(await rowsOf("catalogue_entries", client.catalogueId)).toBe(4);
    expect(await rowsOf("catalogue_index", client.catalogueId)).toBe(2);
    expect(await rowsOf("staged_stock", client.catalogueId)).toBe(0);
  });

  test("is stopped by a later publication while it is being written", async () => {
    const client = await createClient({ products: [heavy("old")] });
    const products = ["earlier", "earlier", "earlier"].map((name) => heavy(name));
    const written: number[] = [];
    const d1 = beforePiece(1, () => republish(client, [heavy("later")]));
    const earlier = publish(d1, client.catalogue, products, NOW_MS, {
      onProgress: (count) => written.push(count),
    });
    await expect(earlier).rejects.toThrow("started later");
    expect(written).toEqual([1]);
    expect((await listed(client)).products).toMatchObject([{ product_name: "later" }]);
    expect(await rowsOf("catalogue_entries", client.catalogueId)).toBe(2);
    expect(await rowsOf("staged_chunks", client.catalogueId)).toBe(0);
  });

  test("is stopped by a later publication before its version becomes current", async () => {
    const client = await createClient({ products: [simpleProduct({ name: "old" })] });
    const d1 = beforeCurrent(() => republish(client, [simpleProduct({ name: "later" })]));
    const earlier = publish(d1, client.catalogue, [simpleProduct()], NOW_MS);
    await expect(earlier).rejects.toThrow("started later");
    expect((await listed(client)).products).toMatchObject([{ product_name: "later" }]);
  });

  test("plans again if another publication was completed meanwhile", async () => {
    const [first, second, third] = [simpleProduct(), simpleProduct(), simpleProduct()];
    const client = await createClient({ products: [first] });
    const plans: number[] = [];
    await publish(env.DB, client.catalogue, [third], NOW_MS, {
      confirm: async ({ comparison: { unpublished } }) => {
        if (plans.push(unpublished.length) === 1) await republish(client, [first, second]);
      },
    });
    expect(plans).toEqual([1, 2]);
    expect((await listed(client)).products).toMatchObject([{ product_id: third.product.id }]);
  });

  test("unpublishes missing products, which old orders still show", async () => {
    const [stays, goes] = [simpleProduct(), simpleProduct()];
    const client = await createClient({ products: [stays, goes] });
    const worker = startWorker();
    const placed = await worker.post(client, "/api/order", orderOf(goes));
    await republish(client, [stays]);
    const { products } = await listed(client);
    expect(products.map((product) => product.product_id)).toEqual([stays.product.id]);
    const refused = await worker.post(client, "/api/order", orderOf(goes));
    expect(refused.json).toMatchObject({ code: "product_not_found" });
    const { order_data } = placed.json as { order_data: { order_id: number } };
    const found = await worker.get(client, `/api/order?order_id=${String(order_data.order_id)}`);
    expect(found.json).toMatchObject({
      product_offered: { product_id: String(goes.product.id) },
    });
  });
});

const TABLES =
  "products variations product_revisions product_sources id_sequences catalogues catalogue_versions " +
  "catalogue_entries stock staged_stock staged_chunks";

/** Every row that publishing may change. */
async function snapshot() {
  const names = TABLES.split(" ");
  const results = await env.DB.batch(names.map((name) => env.DB.prepare(`SELECT * FROM ${name}`)));
  return Object.fromEntries(names.map((name, index) => [name, results[index]?.results]));
}

/** Checks that the publication is refused for this reason and changes no row. */
async function refused(
  work: () => Promise<unknown>,
  reason: string,
  error: object = { code: "validation_error" },
) {
  const before = await snapshot();
  await expect(work()).rejects.toMatchObject({
    ...error,
    message: expect.stringContaining(reason) as string,
  });
  expect(await snapshot()).toEqual(before);
}

/** The product as a shop's file describes it. */
const fromShop = (product: ProductWithStock, key: string): KeyedProduct => ({
  ...product,
  keys: [key],
  variationKeys: product.product.variations.map(({ sku }) => [`${key} ${sku}`]),
});

describe("a publication that is refused", () => {
  test("reserves no variation ids: the corrected file can be published", async () => {
    const known = variableProduct();
    const client = await createClient({ products: [known] });
    const wrong = variableProduct({ variations: known.product.variations });
    const added = variableProduct();
    await refused(
      () => republish(client, [added, wrong]),
      `belongs to product ${String(known.product.id)} of catalogue ${client.catalogue}`,
    );
    const corrected = variableProduct({ variations: added.product.variations });
    await republish(client, [known, corrected]);
    expect((await listed(client)).total_products).toBe(2);
  });

  test("reserves no ids if two products of the file have the same variation", async () => {
    const first = variableProduct();
    const second = variableProduct({ variations: first.product.variations });
    const name = `catalogue ${String(unique())}`;
    await refused(() => publish(env.DB, name, [first, second], NOW_MS), "belongs to product");
    await publish(env.DB, name, [second], NOW_MS);
  });

  test("assigns no ids or names to a shop's products", async () => {
    const name = `catalogue ${String(unique())}`;
    const [known, added] = [fromShop(simpleProduct(), "id:1"), fromShop(variableProduct(), "id:2")];
    await publish(env.DB, name, [known], NOW_MS);
    await refused(
      () =>
        publish(env.DB, name, [added], NOW_MS, {
          confirm: () => {
            throw new Error("No, thank you");
          },
        }),
      "No, thank you",
      {},
    );
  });

  test("or killed reserves no ids: another catalogue may publish them", async () => {
    const [simple, variable] = [simpleProduct(), variableProduct()];
    const name = `catalogue ${String(unique())}`;
    const dies = publish(beforeCurrent(killed), name, [simple, variable], NOW_MS);
    await expect(dies).rejects.toThrow("killed");
    const nothing = { total: 0, physical: 0, digital: 0, clients: 0, publishedAtMs: null };
    expect(await listCatalogues(env.DB, name)).toEqual([
      { id: expect.any(Number) as number, name, version: 0, ...nothing, settings: {} },
    ]);
    const other = variableProduct({ variations: variable.product.variations });
    await publish(env.DB, `catalogue ${String(unique())}`, [simple, other], NOW_MS);
  });

  test("is one of two simultaneous publications with the same new ids", async () => {
    for (const products of [
      () => {
        const product = simpleProduct();
        return [[product], [product]] as const;
      },
      () => {
        const first = variableProduct();
        return [[first], [variableProduct({ variations: first.product.variations })]] as const;
      },
    ]) {
      const own = [0, 1].map(() => ({ simple: simpleProduct(), variable: variableProduct() }));
      const [a, b] = products().map((list, index) => [...list, ...Object.values(own[index] ?? {})]);
      if (!a || !b) throw new Error("two files");
      const names = [a, b].map(() => `catalogue ${String(unique())}`);
      // Both publications have written all products before one of them becomes current.
      let waiting = 0;
      const both = Promise.withResolvers<undefined>();
      const meet = () => {
        if (++waiting === 2) both.resolve(undefined);
        return both.promise;
      };
      const done = await Promise.allSettled(
        [a, b].map((list, index) => publish(beforeCurrent(meet), names[index] ?? "", list, NOW_MS)),
      );
      expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const lost = done.findIndex(({ status }) => status === "rejected");
      expect(done[lost]).toMatchObject({
        reason: { message: expect.stringContaining("at the same time") as string },
      });
      const version = env.DB.prepare("SELECT version FROM catalogues WHERE name = ?");
      expect(await version.bind(names[lost]).first("version")).toBe(0);
      // What the other did not bring is still free.
      const { simple, variable } = own[lost] ?? {};
      if (!simple || !variable) throw new Error("two products");
      const stock = env.DB.prepare("SELECT 1 FROM stock WHERE product_id IN (?, ?)");
      expect(await stock.bind(simple.product.id, variable.product.id).first()).toBeNull();
      const other = variableProduct({ variations: variable.product.variations });
      await publish(env.DB, `catalogue ${String(unique())}`, [simple, other], NOW_MS);
    }
  });
});

describe("a product of another catalogue", () => {
  test("is refused in both stock modes, with its id and the catalogue's name", async () => {
    const counted = simpleProduct({}, { quantity: 5_000 });
    const owner = await createClient({ products: [counted] });
    const vendor = `catalogue ${String(unique())}`;
    const uncounted = withStock(counted, null);
    for (const stock of ["keep", "replace"] as const) {
      await refused(
        () => publish(env.DB, vendor, [uncounted], NOW_MS, { stock }),
        `product_id ${String(counted.product.id)} (of catalogue ${owner.catalogue})`,
      );
    }
    // This also applies after its own catalogue has removed it: cancelled orders still return stock to it.
    await republish(owner, []);
    await refused(() => publish(env.DB, vendor, [uncounted], NOW_MS), "share the stock");
    expect(await stockOf(counted.product.id)).toBe(5_000);
  });

  test("is shared if the option is set, and in later publications", async () => {
    const shared = simpleProduct();
    const owner = await createClient({ products: [shared] });
    const boutique = `catalogue ${String(unique())}`;
    await publish(env.DB, boutique, [shared], NOW_MS, { shareStock: true });
    await publish(env.DB, boutique, [withStock(shared, 7)], NOW_MS, { stock: "replace" });
    expect(await stockOf(shared.product.id)).toBe(7);
    await republish(owner, [shared]);
    // After it was removed, the option is required again.
    await publish(env.DB, boutique, [], NOW_MS);
    await refused(() => publish(env.DB, boutique, [shared], NOW_MS), "share the stock");
  });

  test("keeps its variations, whether it is shared or not", async () => {
    const owned = variableProduct();
    const owner = await createClient({ products: [owned] });
    const other = variableProduct({ variations: owned.product.variations });
    await refused(
      () => publish(env.DB, `catalogue ${String(unique())}`, [other], NOW_MS, { shareStock: true }),
      `of catalogue ${owner.catalogue}`,
    );
  });

  test("is one of several owners': the message names each", async () => {
    const products = [simpleProduct(), simpleProduct(), simpleProduct()];
    const [first, second, third] = products.map(({ product }) => String(product.id));
    const { catalogue: one } = await createClient({ products: products.slice(0, 2) });
    const { catalogue: two } = await createClient({ products: products.slice(2) });
    await refused(
      () => publish(env.DB, `catalogue ${String(unique())}`, products, NOW_MS),
      `product_id ${first}, ${second} (of catalogue ${one}), ${third} (of catalogue ${two}): `,
    );
  });
});

describe("stock of a republished catalogue", () => {
  test("keeps the quantity that orders have left, by default", async () => {
    const item = simpleProduct();
    const client = await createClient({ products: [item] });
    await startWorker().post(client, "/api/order", orderOf(item));
    await republish(client, [item]);
    expect(await stockOf(item.product.id)).toBe(99);
    await republish(client, [withStock(item, 500)], "keep");
    expect(await stockOf(item.product.id)).toBe(99);
  });

  test("has the quantity of the file in the mode replace, for known and new products", async () => {
    const [known, added] = [simpleProduct(), simpleProduct()];
    const client = await createClient({ products: [known] });
    await startWorker().post(client, "/api/order", orderOf(known));
    await republish(client, [withStock(known, 40), withStock(added, 7)], "replace");
    expect(await stockOf(known.product.id)).toBe(40);
    expect(await stockOf(added.product.id)).toBe(7);
  });

  test("of a new product has the quantity of the completed publication, not of a killed one", async () => {
    const known = simpleProduct();
    const client = await createClient({ products: [known] });
    const added = simpleProduct({}, { quantity: 500 });
    const dies = publish(env.DB, client.catalogue, [known, added], NOW_MS, {
      onProgress: killed,
    });
    await expect(dies).rejects.toThrow("killed");
    expect(await stockOf(added.product.id)).toBeNull();
    await republish(client, [known, withStock(added, 5)]);
    expect(await stockOf(added.product.id)).toBe(5);
  });

  test("is not replaced before the version becomes current", async () => {
    const item = heavy("old");
    const client = await createClient({ products: [item] });
    const next = [withStock(item, 3), heavy("second"), heavy("third")];
    const dies = publish(beforePiece(2, killed), client.catalogue, next, NOW_MS, {
      stock: "replace",
    });
    await expect(dies).rejects.toThrow("killed");
    expect(await stockOf(item.product.id)).toBe(100);
    // A later publication that keeps quantities does not replace them either.
    await republish(client, next, "keep");
    expect(await stockOf(item.product.id)).toBe(100);
  });

  test("becomes tracked, untracked or unsellable as in the file, also if quantities are kept", async () => {
    const item = simpleProduct();
    const client = await createClient({ products: [item] });
    await publish(env.DB, client.catalogue, [withStock(item, null)], NOW_MS, { untracked: true });
    expect(await stockOf(item.product.id)).toBeNull();
    await republish(client, [withStock(item, 12)]);
    expect(await stockOf(item.product.id)).toBe(12);
    await republish(client, [withStock(item, 80, false)]);
    expect(await stockOf(item.product.id)).toBe(12);
    const [shown] = (await listed(client)).products;
    expect(shown?.stock_status).toBe("out_of_stock");
  });

  test("stays tracked, of each variation that has a quantity, unless the option is set", async () => {
    const [simple, variable] = [simpleProduct(), variableProduct()];
    const { id, variations } = variable.product;
    const [small, large] = variable.stock;
    if (!small || !large) throw new Error("two variations");
    const client = await createClient({ products: [simple, variable] });
    const refusals = {
      [`1 product that the file does not track: ${String(simple.product.id)} ${simple.product.name}`]:
        [withStock(simple, null), variable],
      [`${String(id)} ${variable.product.name} (100 left of variation ${String(variations[1]?.id)}).`]:
        [simple, { ...variable, stock: [small, { ...large, quantity: null }] }],
    };
    for (const [message, products] of Object.entries(refusals)) {
      for (const stock of ["keep", "replace"] as const) {
        await expect(republish(client, products, stock)).rejects.toThrow(message);
      }
    }
    expect(await stockOf(simple.product.id)).toBe(100);
    // A sold-out product would be sold without a limit too.
    await republish(client, [withStock(simple, 0), variable], "replace");
    await expect(republish(client, [withStock(simple, null), variable])).rejects.toThrow(
      "(0 left)",
    );
    // The stock of an unpublished product still has a quantity.
    await republish(client, [variable]);
    await expect(republish(client, [withStock(simple, null), variable])).rejects.toThrow(
      "(0 left)",
    );
  });

  test("is not ended by a publication that was planned before a quantity was set", async () => {
    const item = simpleProduct({}, { quantity: null });
    const key = { productId: item.product.id, variationId: 0 };
    const client = await createClient({ products: [item] });
    const counted = publish(env.DB, client.catalogue, [item], NOW_MS, {
      confirm: async () => {
        await setStock(env.DB, key, 5);
      },
    });
    await expect(counted).rejects.toThrow("at the same time. Run this publication again.");
    expect(await stockOf(key.productId)).toBe(5);
    await expect(republish(client, [item])).rejects.toThrow("(5 left)");

    // After its chunk was written, also if other values of the record change.
    await setStock(env.DB, key, null);
    const withdrawn = withStock(item, null, false);
    const d1 = beforeCurrent(() => setStock(env.DB, key, 5));
    await expect(publish(d1, client.catalogue, [withdrawn], NOW_MS)).rejects.toThrow("at the same");
    // A record that the publication does not change keeps the quantity.
    await setStock(env.DB, key, null);
    const later = beforeCurrent(() => setStock(env.DB, key, 5));
    await publish(later, client.catalogue, [item], NOW_MS);
    expect(await stockOf(key.productId)).toBe(5);
  });

  test("does not include removed variations", async () => {
    const item = variableProduct();
    const client = await createClient({ products: [item] });
    const [small] = item.product.variations;
    const [level] = item.stock;
    if (!small || !level) throw new Error("a variable product has variations");
    const less = { product: { ...item.product, variations: [small] }, stock: [level] };
    await republish(client, [less]);
    const [shown] = (await listed(client)).products;
    expect(shown?.stock_qty).toBe("100");
  });

  test("and the ledger are consistent with orders that are placed meanwhile", async () => {
    const products = [simpleProduct(), simpleProduct()];
    const client = await createClient({ products });
    const before = await balanceOf(client.clientId);
    const worker = startWorker();
    const publishing = (async () => {
      for (let times = 0; times < 8; times++) {
        const name = `take ${String(times)}`;
        await republish(
          client,
          products.map(({ product, stock }) => ({ product: { ...product, name }, stock })),
        );
      }
    })();
    const answers = [];
    for (let n = 0; n < 20; n++) {
      answers.push(
        ...(await Promise.all(
          products.map((product) => worker.post(client, "/api/order", orderOf(product))),
        )),
      );
    }
    await publishing;
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    for (const { product } of products) expect(await stockOf(product.id)).toBe(80);
    expect(await balanceOf(client.clientId)).toBe(before - 40 * 3120);
    expect(await brokenAccounts()).toEqual([]);
  });
});
