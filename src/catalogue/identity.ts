// Which product a shop's row is: the names it had before lead to the id it has, new ones get a new id. So a
// catalogue that is published again keeps its product_ids and variation ids (decision 33).
import type { SourceProduct } from "./import/source.ts";
import type { ProductWire } from "./import/product.ts";

/** Ids below are for catalogue files that bring their own: no id that is given out here meets one of them. */
const FIRST_GIVEN_ID = 10_000_001;

/** Names in one statement, and rows in one answer. */
const CHUNK = 5_000;

interface Identity {
  productId: number;
  /** 0 for a product. */
  variationId: number;
}

/**
 * The products with their ids, in ascending order of product_id. Ids are given out before anything is
 * published, and stay with their names when it is not: running again finds them.
 */
export async function identify(
  d1: D1Database,
  catalogueName: string,
  sources: readonly SourceProduct[],
): Promise<ProductWire[]> {
  const named = sources.filter(({ keys }) => keys.length > 0);
  const products = sources.filter(({ keys }) => keys.length === 0).map(({ product }) => product);
  if (named.length > 0) products.push(...(await identifyNamed(d1, catalogueName, named)));
  return products.sort((a, b) => a.product_id - b.product_id);
}

async function identifyNamed(
  d1: D1Database,
  catalogueName: string,
  sources: readonly SourceProduct[],
): Promise<ProductWire[]> {
  const [, selected] = await d1.batch<{ id: number }>([
    d1.prepare("INSERT OR IGNORE INTO catalogues (name) VALUES (?1)").bind(catalogueName),
    d1.prepare("SELECT id FROM catalogues WHERE name = ?1").bind(catalogueName),
  ]);
  const catalogueId = selected?.results[0]?.id;
  if (catalogueId === undefined) throw new Error(`catalogue ${catalogueName} is not there`);
  const known = await readNames(d1, catalogueId);

  const productIds = match(
    sources.map(({ keys }) => keys),
    (key) => {
      const identity = known.get(key);
      return identity?.variationId === 0 ? identity.productId : undefined;
    },
  );
  const newProducts = indexesOfUnknown(productIds);
  const unknown = (keys: string[] | undefined, productId: number): Unknown => {
    const key = keys?.[0] ?? "";
    return { key, productId, moved: known.has(key) };
  };
  const given = await giveIds(
    d1,
    catalogueId,
    "products",
    newProducts.map((index) => unknown(sources[index]?.keys, 0)),
  );
  for (const [n, index] of newProducts.entries()) productIds[index] = given[n];

  const owners = sources.flatMap(({ variationKeys }, index) =>
    variationKeys.map((keys) => ({ keys, productId: productIds[index] ?? 0 })),
  );
  const owned = new Map<string, number>();
  for (const { keys, productId } of owners) for (const key of keys) owned.set(key, productId);
  const variationIds = match(
    owners.map(({ keys }) => keys),
    (key) => {
      const identity = known.get(key);
      // What moved to another product is another variation: orders of the old one keep what they had.
      return identity && identity.variationId > 0 && identity.productId === owned.get(key)
        ? identity.variationId
        : undefined;
    },
  );
  const newVariations = indexesOfUnknown(variationIds);
  const givenVariations = await giveIds(
    d1,
    catalogueId,
    "variations",
    newVariations.map((index) => unknown(owners[index]?.keys, owners[index]?.productId ?? 0)),
  );
  for (const [n, index] of newVariations.entries()) variationIds[index] = givenVariations[n];

  const names: [string, Identity][] = [
    ...sources.flatMap(({ keys }, index) =>
      keys.map((key): [string, Identity] => [
        key,
        { productId: productIds[index] ?? 0, variationId: 0 },
      ]),
    ),
    ...owners.flatMap(({ keys, productId }, index) =>
      keys.map((key): [string, Identity] => [
        key,
        { productId, variationId: variationIds[index] ?? 0 },
      ]),
    ),
  ];
  await writeNames(d1, catalogueId, names, known);

  let next = 0;
  return sources.map(({ product }, index) => ({
    ...product,
    product_id: productIds[index] ?? 0,
    ...(product.variations && {
      variations: product.variations.map((variation) => ({
        ...variation,
        id: variationIds[next++] ?? 0,
      })),
    }),
  }));
}

/** Every name the catalogue has ever had, by pages. */
async function readNames(d1: D1Database, catalogueId: number): Promise<Map<string, Identity>> {
  const names = new Map<string, Identity>();
  let after = "";
  for (;;) {
    const { results } = await d1
      .prepare(
        `SELECT source_key AS key, product_id AS productId, variation_id AS variationId
         FROM product_sources WHERE catalogue_id = ?1 AND source_key > ?2
         ORDER BY source_key LIMIT ?3`,
      )
      .bind(catalogueId, after, CHUNK)
      .all<Identity & { key: string }>();
    for (const { key, productId, variationId } of results) {
      names.set(key, { productId, variationId });
    }
    const last = results.at(-1);
    if (!last || results.length < CHUNK) return names;
    after = last.key;
  }
}

/**
 * The id of each row: that of its firmest known name. A firm name goes before any other row's weaker one, and
 * no id is taken twice: a SKU that has moved to another row leads to nothing.
 */
function match(
  rows: readonly string[][],
  idOf: (key: string) => number | undefined,
): (number | undefined)[] {
  const ids: (number | undefined)[] = rows.map(() => undefined);
  const taken = new Set<number>();
  const ranks = rows.reduce((most, keys) => Math.max(most, keys.length), 0);
  for (let rank = 0; rank < ranks; rank++) {
    for (const [index, keys] of rows.entries()) {
      // A row without the firmest name waits until those that have it are served.
      const key = keys[rank - (ranks - keys.length)];
      if (key === undefined || ids[index] !== undefined) continue;
      const id = idOf(key);
      if (id === undefined || taken.has(id)) continue;
      ids[index] = id;
      taken.add(id);
    }
  }
  return ids;
}

const indexesOfUnknown = (ids: readonly (number | undefined)[]) =>
  ids.flatMap((id, index) => (id === undefined ? [index] : []));

interface Unknown {
  key: string;
  /** Whose variation it is; 0 for a product. */
  productId: number;
  /** The name is known, but no longer leads to this row: it is taken from what it led to. */
  moved: boolean;
}

/**
 * Gives each row the next free id and its firmest name, in one transaction a piece; returns the ids in order.
 * A name that another publisher has given an id meanwhile keeps that one.
 */
async function giveIds(
  d1: D1Database,
  catalogueId: number,
  table: "products" | "variations",
  rows: readonly Unknown[],
): Promise<number[]> {
  const isProduct = table === "products";
  const freeId = `max(${String(FIRST_GIVEN_ID - 1)}, (SELECT coalesce(max(id), 0) FROM ${table}))
    + row_number() OVER (ORDER BY r.key)`;
  const ids: number[] = [];
  for (let start = 0; start < rows.length; start += CHUNK) {
    const json = JSON.stringify(rows.slice(start, start + CHUNK));
    const results = await d1.batch<{ id: number }>([
      d1
        .prepare(
          `INSERT INTO product_sources (catalogue_id, source_key, product_id, variation_id)
           SELECT ?1, r.value ->> '$.key',
             ${isProduct ? `${freeId}, 0` : `r.value ->> '$.productId', ${freeId}`}
           FROM json_each(?2) r WHERE r.value ->> '$.moved' OR NOT EXISTS (
             SELECT 1 FROM product_sources s
             WHERE s.catalogue_id = ?1 AND s.source_key = r.value ->> '$.key')
           ON CONFLICT (catalogue_id, source_key) DO UPDATE
             SET product_id = excluded.product_id, variation_id = excluded.variation_id`,
        )
        .bind(catalogueId, json),
      d1
        .prepare(
          isProduct
            ? `INSERT OR IGNORE INTO products (id)
               SELECT s.product_id FROM json_each(?2) r JOIN product_sources s
                 ON s.catalogue_id = ?1 AND s.source_key = r.value ->> '$.key'`
            : `INSERT OR IGNORE INTO variations (id, product_id)
               SELECT s.variation_id, s.product_id FROM json_each(?2) r JOIN product_sources s
                 ON s.catalogue_id = ?1 AND s.source_key = r.value ->> '$.key'`,
        )
        .bind(catalogueId, json),
      d1
        .prepare(
          `SELECT ${isProduct ? "s.product_id" : "s.variation_id"} AS id
           FROM json_each(?2) r JOIN product_sources s
             ON s.catalogue_id = ?1 AND s.source_key = r.value ->> '$.key'
           ORDER BY r.key`,
        )
        .bind(catalogueId, json),
    ]);
    ids.push(...(results.at(-1)?.results ?? []).map(({ id }) => id));
  }
  return ids;
}

/** Every name leads to where it is found in this file, also the weaker ones that led nowhere so far. */
async function writeNames(
  d1: D1Database,
  catalogueId: number,
  names: [string, Identity][],
  known: Map<string, Identity>,
): Promise<void> {
  const changed = names.filter(([key, { productId, variationId }]) => {
    const before = known.get(key);
    return before?.productId !== productId || before.variationId !== variationId;
  });
  for (let start = 0; start < changed.length; start += CHUNK) {
    await d1
      .prepare(
        `INSERT INTO product_sources (catalogue_id, source_key, product_id, variation_id)
         SELECT ?1, r.value ->> 0, r.value ->> '$[1].productId', r.value ->> '$[1].variationId'
         FROM json_each(?2) r WHERE true
         ON CONFLICT (catalogue_id, source_key) DO UPDATE
           SET product_id = excluded.product_id, variation_id = excluded.variation_id`,
      )
      .bind(catalogueId, JSON.stringify(changed.slice(start, start + CHUNK)))
      .run();
  }
}
