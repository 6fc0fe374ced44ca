import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { listCatalogues } from "../../../../src/operator/catalogue/queries.ts";
import { setStock } from "../../../../src/operator/catalogue/stock-queries.ts";
import type { ProductWithStock } from "../../../../src/features/catalogue/product.ts";
import type { KeyedProduct } from "../../../../src/operator/catalogue/publish/identity.ts";
import { planPublication } from "../../../../src/operator/catalogue/publish/plan.ts";
import { publish, publishPlan } from "../../../../src/operator/catalogue/publish/publish.ts";
import { SupersededPublication } from "../../../../src/operator/catalogue/publish/staging-queries.ts";
import { meteredD1, newMeter } from "../../../support/counting.ts";
import { forgetClient } from "../../../../src/features/clients/cache.ts";
import {
  addCodesTo,
  balanceOf,
  brokenAccounts,
  codeProduct,
  createClient,
  digitalDelivery,
  orderOf,
  simpleProduct,
  stockOf,
  type TestClient,
  unique,
  variableProduct,
  withStock,
} from "../../../support/fixtures.ts";
import { beforeCurrent, beforePiece, beforeStart, killed } from "./publishing.ts";
import { ProductList } from "../../../support/shapes.ts";
import { startWorker } from "../../../support/worker.ts";

const NOW_MS = 1_000;

const INVALID = { code: "validation_error" };

function republish(client: TestClient, products: ProductWithStock[], stock?: "keep" | "replace") {
  return publish(env.DB, client.catalogue, products, NOW_MS, stock ? { stock } : {});
}

/** The catalogue as a Worker without cached pages serves it. */
async function listed(client: TestClient) {
  await forgetClient(env, client.clientId);
  const answer = await startWorker().get(client, "/api/products?limit=500");
  return ProductList.parse(answer.json);
}

const namesOf = async (client: TestClient) =>
  (await listed(client)).products.map((product) => product.product_name);

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
    for (const pieces of [0, 3]) {
      const dies = publish(beforePiece(pieces, killed), client.catalogue, after, NOW_MS);
      await expect(dies).rejects.toThrow("killed");
      expect(await namesOf(client)).toEqual(["old", "old", "old", "old"]);
    }
    await republish(client, after);
    expect(await namesOf(client)).toEqual(["new", "new", "new", "new"]);
    // The current version and the previous one, and no rows of those that were killed.
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
      onProgress: (count) => {
        written.push(count);
      },
    });
    await expect(earlier).rejects.toThrow(SupersededPublication);
    expect(written).toEqual([1]);
    expect(await namesOf(client)).toEqual(["later"]);
    expect(await rowsOf("catalogue_entries", client.catalogueId)).toBe(2);
    expect(await rowsOf("staged_chunks", client.catalogueId)).toBe(0);
  });

  test("is stopped by a later publication before its version becomes current", async () => {
    const client = await createClient({ products: [simpleProduct({ name: "old" })] });
    const settings = (vendor: string) => ({ settings: { vendor } });
    const later = [simpleProduct({ name: "later" })];
    const d1 = beforeCurrent(() =>
      publish(env.DB, client.catalogue, later, NOW_MS, settings("Later")),
    );
    const earlier = publish(d1, client.catalogue, [simpleProduct()], NOW_MS, settings("Earlier"));
    await expect(earlier).rejects.toThrow(SupersededPublication);
    const [{ settings: kept } = {}] = await listCatalogues(env.DB, client.catalogue);
    expect(kept).toEqual({ vendor: "Later" });
    expect(await namesOf(client)).toEqual(["later"]);
  });

  test("plans again if another publication was completed meanwhile", async () => {
    const [first, second, third] = [simpleProduct(), simpleProduct(), simpleProduct()];
    const client = await createClient({ products: [first] });
    const plan = await planPublication(env.DB, client.catalogue, [third]);
    const d1 = beforeStart(() => republish(client, [first, second]));
    const { comparison } = await publish(d1, client.catalogue, [third], NOW_MS);
    expect([plan.comparison, comparison].map(({ unpublished }) => unpublished.length)).toEqual([
      1, 2,
    ]);
    expect(await publishPlan(env.DB, plan, NOW_MS)).toBeNull();
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

/** Checks that the publication is refused and writes no row. */
async function refused(work: (db: D1Database) => Promise<unknown>, error: object = INVALID) {
  const meter = newMeter();
  await expect(work(meteredD1(env.DB, meter))).rejects.toMatchObject(error);
  expect(meter.rowsWritten).toBe(0);
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
    await refused((db) => publish(db, client.catalogue, [added, wrong], NOW_MS));
    const corrected = variableProduct({ variations: added.product.variations });
    await republish(client, [known, corrected]);
    expect((await listed(client)).total_products).toBe(2);
  });

  test("reserves no ids if two products of the file have the same variation", async () => {
    const first = variableProduct();
    const second = variableProduct({ variations: first.product.variations });
    const name = `catalogue ${String(unique())}`;
    await refused((db) => publish(db, name, [first, second], NOW_MS));
    await publish(env.DB, name, [second], NOW_MS);
  });

  test("assigns no ids or names to a shop's products", async () => {
    const name = `catalogue ${String(unique())}`;
    const [known, added] = [fromShop(simpleProduct(), "id:1"), fromShop(variableProduct(), "id:2")];
    await publish(env.DB, name, [known], NOW_MS);
    await refused((db) => planPublication(db, name, [added]).then(killed), { message: "killed" });
  });

  test("or killed reserves no ids: another catalogue may publish them", async () => {
    const [simple, variable] = [simpleProduct(), variableProduct()];
    const name = `catalogue ${String(unique())}`;
    const dies = publish(beforeCurrent(killed), name, [simple, variable], NOW_MS);
    await expect(dies).rejects.toThrow("killed");
    const totals = { all: 0, physical: 0, digital: 0 };
    const nothing = { totals, clients: 0, publishedAtMs: null };
    expect(await listCatalogues(env.DB, name)).toEqual([
      { id: expect.any(Number) as number, name, version: 0, ...nothing, settings: {} },
    ]);
    const other = variableProduct({ variations: variable.product.variations });
    await publish(env.DB, `catalogue ${String(unique())}`, [simple, other], NOW_MS);
  });
});

describe("of two simultaneous publications", () => {
  const product = simpleProduct();
  const first = variableProduct();
  const sameVariations = variableProduct({ variations: first.product.variations });

  /** Publishes both files, each of which has written all products before one of them becomes current. */
  async function publishBoth(files: ProductWithStock[][], names: string[]) {
    let waiting = 0;
    const both = Promise.withResolvers<undefined>();
    const meet = () => {
      if (++waiting === files.length) both.resolve(undefined);
      return both.promise;
    };
    const publications = files.map((file, n) =>
      publish(beforeCurrent(meet), names[n] ?? "", file, NOW_MS),
    );
    return Promise.allSettled(publications);
  }

  test.each([
    ["product", [product, product]],
    ["variations", [first, sameVariations]],
  ])("with the same new %s one is refused, and its other ids stay free", async (_, shared) => {
    const files = shared.map((each) => [each, simpleProduct(), variableProduct()]);
    const names = files.map(() => `catalogue ${String(unique())}`);
    const done = await publishBoth(files, names);
    expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = done.findIndex(({ status }) => status === "rejected");
    expect(done[lost]).toMatchObject({ reason: expect.any(SupersededPublication) as Error });
    const version = env.DB.prepare("SELECT version FROM catalogues WHERE name = ?");
    expect(await version.bind(names[lost]).first("version")).toBe(0);
    const [, simple = simpleProduct(), variable = variableProduct()] = files[lost] ?? [];
    expect(await stockOf(simple.product.id)).toBeNull();
    expect(await stockOf(variable.product.id)).toBeNull();
    const other = variableProduct({ variations: variable.product.variations });
    await publish(env.DB, `catalogue ${String(unique())}`, [simple, other], NOW_MS);
  });
});

describe("a product of another catalogue", () => {
  test("is refused in both stock modes", async () => {
    const counted = simpleProduct({}, { quantity: 5_000 });
    const owner = await createClient({ products: [counted] });
    const vendor = `catalogue ${String(unique())}`;
    const uncounted = withStock(counted, null);
    for (const stock of ["keep", "replace"] as const) {
      await refused((db) => publish(db, vendor, [uncounted], NOW_MS, { stock }));
    }
    // This also applies after its own catalogue has removed it: cancelled orders still return stock to it.
    await republish(owner, []);
    await refused((db) => publish(db, vendor, [uncounted], NOW_MS));
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
    await refused((db) => publish(db, boutique, [shared], NOW_MS));
  });

  test("keeps its variations, whether it is shared or not", async () => {
    const owned = variableProduct();
    await createClient({ products: [owned] });
    const other = variableProduct({ variations: owned.product.variations });
    const name = `catalogue ${String(unique())}`;
    await refused((db) => publish(db, name, [other], NOW_MS, { shareStock: true }));
  });

  test("is refused with its id and the catalogue's name, also of several owners", async () => {
    const products = [simpleProduct(), simpleProduct(), simpleProduct()];
    const [first, second, third] = products.map(({ product }) => String(product.id));
    const { catalogue: one } = await createClient({ products: products.slice(0, 2) });
    const { catalogue: two } = await createClient({ products: products.slice(2) });
    const names = `product_id ${first}, ${second} (of catalogue ${one}), ${third} (of catalogue ${two})`;
    await refused((db) => publish(db, `catalogue ${String(unique())}`, products, NOW_MS), {
      ...INVALID,
      message: expect.stringContaining(names) as string,
    });
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
      for (let times = 0; times < 4; times++) {
        const name = `take ${String(times)}`;
        await republish(
          client,
          products.map(({ product, stock }) => ({ product: { ...product, name }, stock })),
        );
      }
    })();
    const answers = [];
    for (let n = 0; n < 10; n++) {
      answers.push(
        ...(await Promise.all(
          products.map((product) => worker.post(client, "/api/order", orderOf(product))),
        )),
      );
    }
    await publishing;
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    for (const { product } of products) expect(await stockOf(product.id)).toBe(90);
    expect(await balanceOf(client.clientId)).toBe(before - 20 * 3120);
    expect(await brokenAccounts()).toEqual([]);
  });
});

describe("the stock of a product that is delivered as codes", () => {
  const byHand = (quantity: number | null) =>
    simpleProduct({ delivery: "digital", shippingMinor: 0 }, { quantity });
  const asCodes = ({ product: { id } }: ProductWithStock, codeDays = 30) =>
    codeProduct({ id, digital: digitalDelivery({ delivery: "code", codeDays }) });
  const codeDaysOf = (id: number) =>
    env.DB.prepare("SELECT code_days FROM stock WHERE product_id = ?").bind(id).first("code_days");

  test.each([
    [false, 0, 2],
    [true, null, null],
  ])("is not that of the file (in the sandbox: %j)", async (testCodes, first, withCodes) => {
    const [added, changed, physical] = [codeProduct(), byHand(7), simpleProduct()];
    const { catalogue } = await createClient({ products: [changed] });
    const put = (products: ProductWithStock[], stock: "keep" | "replace") =>
      publish(env.DB, catalogue, products, NOW_MS, { testCodes, stock });
    await put([added, asCodes(changed), physical], "keep");
    expect(await stockOf(added.product.id)).toBe(first);
    expect(await stockOf(changed.product.id)).toBe(first);
    expect(await stockOf(physical.product.id)).toBe(100);
    await addCodesTo(added, 2);
    for (const stock of ["keep", "replace"] as const) {
      const codeDays = stock === "keep" ? 90 : 0;
      const next = withStock(asCodes(added, codeDays), 50, stock === "keep");
      const levels = next.stock.map((level) => ({ ...level, codeDays }));
      const { comparison } = await put(
        [{ ...next, stock: levels }, asCodes(changed), physical],
        stock,
      );
      expect(comparison.changed.flatMap(({ fields }) => fields)).toContain("code_valid_days");
      expect(comparison.changed.flatMap(({ fields }) => fields)).not.toContain("track_inventory");
      expect(await stockOf(added.product.id)).toBe(withCodes);
      expect(await codeDaysOf(added.product.id)).toBe(codeDays);
    }
  });

  test("is not lost to a product that operators send, also if it was not published meanwhile", async () => {
    const codes = codeProduct();
    const client = await createClient({ products: [codes] });
    const { id } = codes.product;
    const manual = simpleProduct({ id, delivery: "digital", shippingMinor: 0 });
    for (const products of [[manual], [withStock(manual, null)], [simpleProduct({ id })]]) {
      const options = { untracked: true };
      await refused((db) => publish(db, client.catalogue, products, NOW_MS, options));
    }
    await republish(client, []);
    await refused((db) => publish(db, client.catalogue, [manual], NOW_MS));
  });

  test("is not ended by a publication that was planned before it began", async () => {
    const item = byHand(null);
    const client = await createClient({ products: [item] });
    const withdrawn = withStock(item, null, false);
    const d1 = beforeCurrent(() =>
      env.DB.prepare("UPDATE stock SET code_days = 30 WHERE product_id = ?")
        .bind(item.product.id)
        .run(),
    );
    await expect(
      publish(d1, client.catalogue, [withdrawn], NOW_MS, { untracked: true }),
    ).rejects.toThrow(SupersededPublication);
    expect(await codeDaysOf(item.product.id)).toBe(30);
  });
});

describe("the tracking of stock of a republished catalogue", () => {
  test("begins and ends as in the file, also if quantities are kept", async () => {
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

  test("stays for each variation that has a quantity, unless the option is set", async () => {
    const [simple, variable] = [simpleProduct(), variableProduct()];
    const [small, large] = variable.stock;
    if (!small || !large) throw new Error("two variations");
    const client = await createClient({ products: [simple, variable] });
    const ended = { ...variable, stock: [small, { ...large, quantity: null }] };
    const refusals = [
      { id: simple.product.id, products: [withStock(simple, null), variable] },
      { id: variable.product.variations[1]?.id, products: [simple, ended] },
    ];
    for (const { id, products } of refusals) {
      const error = { ...INVALID, message: expect.stringContaining(String(id)) as string };
      for (const stock of ["keep", "replace"] as const) {
        await expect(republish(client, products, stock)).rejects.toMatchObject(error);
      }
    }
    expect(await stockOf(simple.product.id)).toBe(100);
    // A sold-out product would be sold without a limit too.
    await republish(client, [withStock(simple, 0), variable], "replace");
    await expect(republish(client, [withStock(simple, null), variable])).rejects.toMatchObject(
      INVALID,
    );
    // The stock of an unpublished product still has a quantity.
    await republish(client, [variable]);
    await expect(republish(client, [withStock(simple, null), variable])).rejects.toMatchObject(
      INVALID,
    );
  });

  test("is not ended by a publication that was planned before a quantity was set", async () => {
    const item = simpleProduct({}, { quantity: null });
    const key = { productId: item.product.id, variationId: 0 };
    const client = await createClient({ products: [item] });
    const plan = await planPublication(env.DB, client.catalogue, [item]);
    await setStock(env.DB, key, 5);
    const counted = publishPlan(env.DB, plan, NOW_MS);
    await expect(counted).rejects.toThrow(SupersededPublication);
    expect(await stockOf(key.productId)).toBe(5);
    await expect(republish(client, [item])).rejects.toMatchObject(INVALID);

    // After its chunk was written, also if other values of the record change.
    await setStock(env.DB, key, null);
    const withdrawn = withStock(item, null, false);
    const d1 = beforeCurrent(() => setStock(env.DB, key, 5));
    await expect(publish(d1, client.catalogue, [withdrawn], NOW_MS)).rejects.toThrow(
      SupersededPublication,
    );
    // A record that the publication does not change keeps the quantity.
    await setStock(env.DB, key, null);
    const later = beforeCurrent(() => setStock(env.DB, key, 5));
    await publish(later, client.catalogue, [item], NOW_MS);
    expect(await stockOf(key.productId)).toBe(5);
  });
});

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
