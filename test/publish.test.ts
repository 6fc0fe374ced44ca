import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { publish, type PublishedProduct } from "../src/catalogue/publish.ts";
import { forgetClient } from "../src/clients/store.ts";
import {
  balanceOf,
  brokenAccounts,
  mintClient,
  type MintedClient,
  orderOf,
  simpleProduct,
  stockOf,
  unique,
  variableProduct,
  withStock,
} from "./support/mint.ts";
import { startWorker } from "./support/worker.ts";

const NOW_MS = 1_000;

const byId = (products: PublishedProduct[]) =>
  products.toSorted((a, b) => a.product.id - b.product.id);

function republish(client: MintedClient, products: PublishedProduct[], stock?: "keep" | "replace") {
  return publish(env.DB, client.catalogue, byId(products), NOW_MS, stock ? { stock } : {});
}

/** The catalogue as a Worker shows it that has not seen it before. */
async function listed(client: MintedClient) {
  await forgetClient(env.KV, client.clientId);
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

/** The database as a publisher sees it who is killed after `pieces` of the catalogue. */
function dyingAfter(pieces: number): D1Database {
  let left = pieces;
  return new Proxy(env.DB, {
    get(target, name) {
      if (name !== "batch") return (target[name as "prepare"] as () => unknown).bind(target);
      return (statements: D1PreparedStatement[]) => {
        // Pieces are the batches with the catalogue's rows in them: five statements and a check.
        if (statements.length === 6 && left-- === 0) throw new Error("killed");
        return target.batch(statements);
      };
    },
  });
}

/** So large that each is a piece of its own; a simple product's attributes are carried, but not shown. */
const heavy = (name: string, id?: number) =>
  simpleProduct({
    name,
    attributes: [{ id: 1, name: "Weight", options: ["x".repeat(300_000)] }],
    ...(id !== undefined && { id }),
  });

describe("publishing a catalogue again", () => {
  test("leaves readers the old one whole when it is killed, and completes when it runs again", async () => {
    const before = [1, 2, 3, 4].map(() => heavy("old"));
    const client = await mintClient({ products: before });
    const after = before.map(({ product }) => heavy("new", product.id));
    for (const pieces of [0, 1, 3]) {
      const killed = publish(dyingAfter(pieces), client.catalogue, after, NOW_MS);
      await expect(killed).rejects.toThrow("killed");
      const { products } = await listed(client);
      expect(products.map((product) => product.product_name)).toEqual(["old", "old", "old", "old"]);
    }
    await republish(client, after);
    const { products } = await listed(client);
    expect(products.map((product) => product.product_name)).toEqual(["new", "new", "new", "new"]);
    // The current version and the one before; nothing of the three killed ones.
    expect(await rowsOf("catalogue_entries", client.catalogueId)).toBe(8);
  });

  test("keeps two versions only, however often it happens", async () => {
    const products = [simpleProduct(), simpleProduct()];
    const client = await mintClient({ products });
    for (let times = 0; times < 4; times++) await republish(client, products, "replace");
    expect(await rowsOf("catalogue_versions", client.catalogueId)).toBe(2);
    expect(await rowsOf("catalogue_entries", client.catalogueId)).toBe(4);
    expect(await rowsOf("staged_stock", client.catalogueId)).toBe(0);
  });

  test("lets the later start win over one that is still being written", async () => {
    const old = heavy("old");
    const client = await mintClient({ products: [old] });
    let later: Promise<number> | undefined;
    const earlier = publish(
      env.DB,
      client.catalogue,
      [heavy("earlier"), heavy("earlier")],
      NOW_MS,
      {
        onProgress: () => {
          later ??= republish(client, [heavy("later")]);
        },
      },
    );
    await expect(earlier).rejects.toThrow("started later");
    await later;
    const { products } = await listed(client);
    expect(products.map((product) => product.product_name)).toEqual(["later"]);
  });

  test("unpublishes what is missing, and old orders still show it", async () => {
    const [stays, goes] = [simpleProduct(), simpleProduct()];
    const client = await mintClient({ products: [stays, goes] });
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

  test("reports its progress up to the whole", async () => {
    const seen: number[] = [];
    await publish(env.DB, `catalogue ${String(unique())}`, byId([heavy("a"), heavy("b")]), NOW_MS, {
      onProgress: (written) => seen.push(written),
    });
    expect(seen).toEqual([1, 2]);
  });

  test("refuses a variation that is another product's", async () => {
    const first = variableProduct();
    const client = await mintClient({ products: [first] });
    const second = variableProduct({ variations: first.product.variations });
    await expect(republish(client, [first, second])).rejects.toMatchObject({
      code: "validation_error",
    });
    expect((await listed(client)).total_products).toBe(1);
  });
});

describe("stock of a catalogue that is published again", () => {
  test("is what orders left when it is kept, which is the default", async () => {
    const minted = simpleProduct();
    const client = await mintClient({ products: [minted] });
    await startWorker().post(client, "/api/order", orderOf(minted));
    await republish(client, [minted]);
    expect(await stockOf(minted.product.id)).toBe(99);
    await republish(client, [withStock(minted, 500)], "keep");
    expect(await stockOf(minted.product.id)).toBe(99);
  });

  test("is what the source says when it is replaced, for known and new products", async () => {
    const [known, added] = [simpleProduct(), simpleProduct()];
    const client = await mintClient({ products: [known] });
    await startWorker().post(client, "/api/order", orderOf(known));
    await republish(client, [withStock(known, 40), withStock(added, 7)], "replace");
    expect(await stockOf(known.product.id)).toBe(40);
    expect(await stockOf(added.product.id)).toBe(7);
  });

  test("of a new product is that of the publication that made it current, not of one that was killed", async () => {
    const known = simpleProduct();
    const client = await mintClient({ products: [known] });
    const added = simpleProduct({}, { quantity: 500 });
    const dies = publish(env.DB, client.catalogue, byId([known, added]), NOW_MS, {
      onProgress: () => {
        throw new Error("killed");
      },
    });
    await expect(dies).rejects.toThrow("killed");
    expect(await stockOf(added.product.id)).toBeNull();
    await republish(client, [known, withStock(added, 5)]);
    expect(await stockOf(added.product.id)).toBe(5);
  });

  test("is not replaced before the version is current", async () => {
    const minted = heavy("old");
    const client = await mintClient({ products: [minted] });
    const next = [withStock(minted, 3), heavy("second"), heavy("third")];
    const killed = publish(dyingAfter(2), client.catalogue, next, NOW_MS, { stock: "replace" });
    await expect(killed).rejects.toThrow("killed");
    expect(await stockOf(minted.product.id)).toBe(100);
    // Nor by a later publication that keeps it.
    await republish(client, next, "keep");
    expect(await stockOf(minted.product.id)).toBe(100);
  });

  test("becomes tracked, untracked and unsellable as the source says, also when it is kept", async () => {
    const minted = simpleProduct();
    const client = await mintClient({ products: [minted] });
    await republish(client, [withStock(minted, null)]);
    expect(await stockOf(minted.product.id)).toBeNull();
    await republish(client, [withStock(minted, 12)]);
    expect(await stockOf(minted.product.id)).toBe(12);
    await republish(client, [withStock(minted, 80, false)]);
    expect(await stockOf(minted.product.id)).toBe(12);
    const [shown] = (await listed(client)).products;
    expect(shown?.stock_status).toBe("out_of_stock");
  });

  test("no longer counts a variation that is gone", async () => {
    const minted = variableProduct();
    const client = await mintClient({ products: [minted] });
    const [small] = minted.product.variations;
    const [level] = minted.stock;
    if (!small || !level) throw new Error("a variable product has variations");
    const less = { product: { ...minted.product, variations: [small] }, stock: [level] };
    await republish(client, [less]);
    const [shown] = (await listed(client)).products;
    expect(shown?.stock_qty).toBe("100");
  });

  test("and the ledger add up when orders are placed meanwhile", async () => {
    const products = [simpleProduct(), simpleProduct()];
    const client = await mintClient({ products });
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
    for (let round = 0; round < 20; round++) {
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
