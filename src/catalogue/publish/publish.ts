// Publishing a catalogue: a new version is written beside the current one, in pieces of any number, and then
// becomes current in one step. Killed half-way, it has changed nothing that a reader sees and claimed no id; run
// again, it completes, since revisions are named by their content, and it clears away what the killed one left.
import type { CatalogueSettings } from "../../db/schema.ts";
import { sha256Hex } from "../../values/digest.ts";
import type { SourceName } from "./identity.ts";
import type { SourceProduct } from "../import/source.ts";
import {
  planProducts,
  planSources,
  type PlanOptions,
  type PublicationPlan,
  type PublishedProduct,
} from "./plan.ts";
import {
  deleteDeadVersions,
  makeCurrent,
  productStatements,
  stageChunk,
  type Staged,
  type StockMode,
  SupersededPublication,
} from "./staging.ts";

export interface PublishOptions extends PlanOptions {
  stock?: StockMode;
  /** Remembered with the catalogue when the version becomes current; without any they stay. */
  settings?: CatalogueSettings;
  /** Called with the plan before anything is written; throws to refuse it. */
  confirm?: (plan: PublicationPlan) => void | Promise<void>;
  /** Called after each piece with the number of products written so far. */
  onProgress?: (written: number) => void;
}

/** Bytes of JSON in one value: far below the 2 MB that D1 takes, and few enough statements. */
const PIECE_BYTES = 500_000;

/** Publishes what a file holds, and returns the version. Errors: as `planSources` and `publishPlan`. */
export function publishSources(
  d1: D1Database,
  catalogueName: string,
  sources: readonly SourceProduct[],
  nowMs: number,
  options: PublishOptions = {},
): Promise<number> {
  return publishPlan(d1, () => planSources(d1, catalogueName, sources, options), nowMs, options);
}

/** Publishes products in ascending order of id. Errors: as `planProducts` and `publishPlan`. */
export function publish(
  d1: D1Database,
  catalogueName: string,
  products: readonly PublishedProduct[],
  nowMs: number,
  options: PublishOptions = {},
): Promise<number> {
  return publishPlan(d1, () => planProducts(d1, catalogueName, products, options), nowMs, options);
}

/**
 * Makes the plan's products the catalogue's current version and returns its number. It is planned again when another
 * publication of the catalogue was completed since. Errors: `SupersededPublication`.
 */
async function publishPlan(
  d1: D1Database,
  makePlan: () => Promise<PublicationPlan>,
  nowMs: number,
  { stock = "keep", settings, confirm, onProgress }: PublishOptions,
): Promise<number> {
  let plan: PublicationPlan;
  let staged: Staged | null;
  do {
    plan = await makePlan();
    await confirm?.(plan);
    staged = await start(d1, plan);
  } while (!staged);

  await deleteDeadVersions(d1, staged.id, staged.version - 1);
  const { products, names } = await giveIds(d1, plan);

  let written = 0;
  for await (const rows of pieces(toRows(products))) {
    const [sent] = await d1.batch(productStatements(d1, staged, stock, `[${rows.join()}]`));
    if (sent?.meta.changes === 0) throw new SupersededPublication();
    written += rows.length;
    onProgress?.(written);
  }
  let sequence = 0;
  for await (const rows of pieces(names.map((name) => JSON.stringify(name)))) {
    const { meta } = await stageChunk(d1, staged, "names", ++sequence, `[${rows.join()}]`).run();
    if (meta.changes === 0) throw new SupersededPublication();
  }
  await makeCurrent(d1, staged, { ...plan, products }, { stock, settings, nowMs });
  await deleteDeadVersions(d1, staged.id, staged.version);
  return staged.version;
}

/** Begins a version; null when the current version is not the plan's any more. */
function start(
  d1: D1Database,
  { catalogueName, currentVersion }: PublicationPlan,
): Promise<Staged | null> {
  return d1
    .prepare(
      `INSERT INTO catalogues (name, staged_version) VALUES (?1, 1)
       ON CONFLICT (name) DO UPDATE SET staged_version = staged_version + 1 WHERE version = ?2
       RETURNING id, staged_version AS version`,
    )
    .bind(catalogueName, currentVersion)
    .first<Staged>();
}

/** The plan's products and names, with ids for those that have none yet. */
async function giveIds(
  d1: D1Database,
  { products, names }: PublicationPlan,
): Promise<Pick<PublicationPlan, "products" | "names">> {
  const isNew = ({ id }: { id: number }) => id < 0;
  const newProducts = products.filter(({ product }) => isNew(product)).length;
  const newVariations = products.flatMap(({ product }) => product.variations.filter(isNew)).length;
  if (newProducts + newVariations === 0) return { products, names };

  const lastIds = await d1.batch<{ id: number }>(
    (["products", "variations"] as const).map((table) =>
      d1
        .prepare(
          `UPDATE id_sequences
           SET last_id = max(last_id, (SELECT coalesce(max(id), 0) FROM ${table})) + ?1
           WHERE name = '${table}' RETURNING last_id AS id`,
        )
        .bind(table === "products" ? newProducts : newVariations),
    ),
  );
  const [lastProduct = 0, lastVariation = 0] = lastIds.map(({ results }) => results[0]?.id);
  // -1 is the first of them.
  const productId = (id: number) => (id < 0 ? lastProduct - newProducts - id : id);
  const variationId = (id: number) => (id < 0 ? lastVariation - newVariations - id : id);
  return {
    products: products.map(({ product, stock }) => ({
      product: {
        ...product,
        id: productId(product.id),
        variations: product.variations.map((variation) => ({
          ...variation,
          id: variationId(variation.id),
        })),
      },
      stock: stock.map((level) => ({ ...level, variationId: variationId(level.variationId) })),
    })),
    names: names.map(([key, product, variation]): SourceName => [
      key,
      productId(product),
      variationId(variation),
    ]),
  };
}

/** Each product as a row of JSON, for `productStatements`. */
async function* toRows(products: readonly PublishedProduct[]): AsyncGenerator<string> {
  const counted = { physical: 0, digital: 0 };
  for (const [index, { product, stock }] of products.entries()) {
    yield JSON.stringify({
      position: index + 1,
      deliveryPosition: ++counted[product.delivery],
      revision: await revisionOf(product),
      product,
      stock,
    });
  }
}

/** Digest of a product's content; 64 bits tell the revisions of one product apart. */
async function revisionOf(product: PublishedProduct["product"]): Promise<string> {
  return (await sha256Hex(JSON.stringify(product))).slice(0, 16);
}

const encoder = new TextEncoder();

/** The rows in pieces that one statement can take. */
async function* pieces(rows: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[]> {
  let piece: string[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const size = encoder.encode(row).length;
    if (piece.length > 0 && bytes + size > PIECE_BYTES) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(row);
    bytes += size;
  }
  if (piece.length > 0) yield piece;
}
