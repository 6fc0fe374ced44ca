import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { meteredD1, newMeter } from "../../../support/counting.ts";
import type { KeyedProduct } from "../../../../src/operator/catalogue/publish/identity.ts";
import { publish } from "../../../../src/operator/catalogue/publish/publish.ts";
import { MAX_ID } from "../../../../src/core/values/ids.ts";
import { simpleProduct, unique, variableProduct } from "../../../support/fixtures.ts";

const catalogueName = () => `shop ${String(unique())}`;

function source(keys: string[], variationKeys: string[][] = []): KeyedProduct {
  if (variationKeys.length === 0) return { ...simpleProduct(), keys, variationKeys };
  const { product, stock } = variableProduct();
  const each = <Item>(items: Item[]) => variationKeys.flatMap(() => items.slice(0, 1));
  const variations = each(product.variations);
  return { product: { ...product, variations }, stock: each(stock), keys, variationKeys };
}

/** Publishes the file. */
async function idsOf(name: string, sources: KeyedProduct[]) {
  await publish(env.DB, name, sources, 1);
  return listedIds(name);
}

/** The ids of the catalogue's products, in the order of the catalogue. */
async function listedIds(name: string) {
  const { results } = await env.DB.prepare(
    `SELECT r.product_id AS id, r.variations FROM catalogues c
     JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
     JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision
     WHERE c.name = ? ORDER BY e.position`,
  )
    .bind(name)
    .all<{ id: number; variations: string }>();
  return results.map(({ id, variations }) => ({
    id,
    variations: (JSON.parse(variations) as { id: number }[]).map((variation) => variation.id),
  }));
}

describe("a shop's product", () => {
  test("keeps its ids when its file is published again", async () => {
    const shop = catalogueName();
    const file = [source(["id:1"]), source(["id:2"], [["id:21"], ["id:22"]]), source(["sku:C"])];
    const first = await idsOf(shop, file);
    expect(await idsOf(shop, file)).toEqual(first);
    // In another order, without one product and with a new one, the others keep their ids.
    const again = await idsOf(shop, [source(["id:9"]), source(["sku:C"]), source(["id:1"])]);
    expect(again.map(({ id }) => id).slice(0, 2)).toEqual([first[0]?.id, first[2]?.id]);
    expect(again).toHaveLength(3);
  });

  test("is found among more names than one answer of the database holds", async () => {
    const shop = catalogueName();
    const file = [source(["a:1"]), source(["z:2"])];
    const first = await idsOf(shop, file);
    await env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6000)
       INSERT INTO product_sources (catalogue_id, source_key, product_id)
       SELECT c.id, 'm:' || n, ?2 FROM numbers, catalogues c WHERE c.name = ?1`,
    )
      .bind(shop, first[0]?.id)
      .run();
    const meter = newMeter();
    await publish(meteredD1(env.DB, meter), shop, file, 1);
    expect(await listedIds(shop)).toEqual(first);
    expect(meter.rowsRead).toBeLessThan(2 * 6_000);

    // A file with its own ids has no source keys, so the catalogue's are not read.
    const ownIds = newMeter();
    await publish(meteredD1(env.DB, ownIds), shop, [source([]), source([])], 1);
    expect(ownIds.rowsRead).toBeLessThan(500);
  });

  test("is identified by the shop's id, and by its SKU if that id is new", async () => {
    const shop = catalogueName();
    const [first] = await idsOf(shop, [source(["id:1", "sku:A"])]);
    expect(await idsOf(shop, [source(["id:1", "sku:B"])])).toEqual([first]);
    expect(await idsOf(shop, [source(["id:7", "sku:B"])])).toEqual([first]);
    expect(await idsOf(shop, [source(["sku:B"])])).toEqual([first]);
  });

  test("keeps its identity if another product takes over its SKU", async () => {
    const shop = catalogueName();
    const [first] = await idsOf(shop, [source(["id:1", "sku:A"])]);
    for (const file of [
      [source(["sku:A"]), source(["id:1", "sku:B"])],
      [source(["id:1", "sku:B"]), source(["id:2", "sku:A"])],
    ]) {
      const ids = (await idsOf(shop, file)).map(({ id }) => id);
      expect(new Set(ids).size).toBe(2);
    }
    expect((await idsOf(shop, [source(["id:2", "sku:A"])]))[0]?.id).not.toBe(first?.id);
  });

  test("is a new product if its name belonged to a variation before", async () => {
    const shop = catalogueName();
    const [before] = await idsOf(shop, [source(["id:1"], [["id:5"], ["id:6"]])]);
    const after = await idsOf(shop, [source(["id:1"], [["id:6"]]), source(["id:5"])]);
    expect(after[0]).toEqual({ id: before?.id, variations: [before?.variations[1]] });
    expect(after[1]?.id).not.toBe(before?.id);
  });

  test("gets a new id for a variation that belonged to another product", async () => {
    const shop = catalogueName();
    const [one] = await idsOf(shop, [source(["id:1"], [["id:5"]])]);
    const [, two] = await idsOf(shop, [source(["id:1"], [["id:6"]]), source(["id:2"], [["id:5"]])]);
    expect(two?.variations[0]).not.toBe(one?.variations[0]);
  });
});

describe("a new product of a shop", () => {
  test("shares no id with products of other catalogues or of files with ids", async () => {
    const own = simpleProduct();
    await publish(env.DB, catalogueName(), [own], 1);
    const file = [source(["id:1"], [["id:2"]]), source(["id:3"])];
    const [one, other] = [await idsOf(catalogueName(), file), await idsOf(catalogueName(), file)];
    const ids = [...one, ...other].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(Math.min(...ids)).toBeGreaterThan(10_000_000);
  });

  test("gets one id if two publications of the same new file run at once", async () => {
    const shop = catalogueName();
    const file = Array.from({ length: 20 }, (_, n) => source([`id:${String(n)}`]));
    const done = await Promise.allSettled([idsOf(shop, file), idsOf(shop, file)]);
    expect(done.some(({ status }) => status === "fulfilled")).toBe(true);
    const listed = await listedIds(shop);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(20);
    expect(await idsOf(shop, file)).toEqual(listed);
  });

  test("gets different ids than another shop's product that is published at the same time", async () => {
    const file = [source(["id:1"], [["id:2"]]), source(["id:3"])];
    const lists = await Promise.all(Array.from({ length: 4 }, () => idsOf(catalogueName(), file)));
    expect(new Set(lists.flat().map(({ id }) => id)).size).toBe(8);
    expect(new Set(lists.flat().flatMap(({ variations }) => variations)).size).toBe(4);
  });

  test("gets the ids after the last one given, in the order of the file", async () => {
    const lastId = async (table: string) => {
      const last = env.DB.prepare("SELECT last_id FROM id_sequences WHERE name = ?").bind(table);
      return Number(await last.first("last_id"));
    };
    await idsOf(catalogueName(), [source(["id:1"], [["id:2"]])]);
    const [product, variation] = [await lastId("products"), await lastId("variations")];
    const file = [source(["id:1"], [["id:2"], ["id:3"]]), source(["id:4"], [["id:5"]])];
    expect(await idsOf(catalogueName(), file)).toEqual([
      { id: product + 1, variations: [variation + 1, variation + 2] },
      { id: product + 2, variations: [variation + 3] },
    ]);
    expect([await lastId("products"), await lastId("variations")]).toEqual([
      product + 2,
      variation + 3,
    ]);
  });

  test("gets an id above the largest one of a file with ids", async () => {
    const largest = simpleProduct({ id: 999_999_999_999_999 });
    await publish(env.DB, catalogueName(), [largest], 1);
    const [added] = await idsOf(catalogueName(), [source(["id:1"])]);
    expect(added?.id).toBeGreaterThan(999_999_999_999_999);
    expect(added?.id).toBeLessThan(MAX_ID);
  });
});
