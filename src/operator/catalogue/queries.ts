// Lists and adds catalogues.
import { notFound } from "../../core/api-error.ts";
import { and, asc, eq, gt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import {
  catalogues,
  type CatalogueSettings,
  catalogueVersions,
  clients,
} from "../../platform/db/schema.ts";
import { type Database, sql } from "../../platform/db/sql.ts";

interface Page {
  /** Only catalogues with a later name. */
  after: string;
  limit: number;
}

/** All catalogues or a page of them, sorted by name. If `name` is given, only this catalogue. */
export async function listCatalogues(d1: D1Database, name?: string, page?: Page) {
  const db = drizzle(d1);
  const query = db
    .select({
      id: catalogues.id,
      name: catalogues.name,
      version: catalogues.version,
      totals: {
        all: catalogueVersions.totalProducts,
        physical: catalogueVersions.totalPhysical,
        digital: catalogueVersions.totalDigital,
      },
      clients: db.$count(clients, eq(clients.catalogueId, catalogues.id)),
      /** Null if nothing has been published. */
      publishedAtMs: catalogueVersions.publishedAtMs,
      settings: catalogues.settings,
    })
    .from(catalogues)
    .leftJoin(
      catalogueVersions,
      and(
        eq(catalogueVersions.catalogueId, catalogues.id),
        eq(catalogueVersions.version, catalogues.version),
      ),
    )
    .where(
      and(
        name === undefined ? undefined : eq(catalogues.name, name),
        page && gt(catalogues.name, page.after),
      ),
    )
    .orderBy(asc(catalogues.name));
  const rows = await (page ? query.limit(page.limit) : query);
  return rows.map((row) => ({
    ...row,
    totals: row.totals ?? { all: 0, physical: 0, digital: 0 },
    settings: row.settings ?? {},
  }));
}

/** Errors: `not_found` if there is no such catalogue. */
export async function requireCatalogue(d1: D1Database, name: string) {
  const [catalogue] = await listCatalogues(d1, name);
  if (!catalogue) throw notFound(`there is no catalogue ${name}.`);
  return catalogue;
}

interface PublishedVersion {
  version: number;
  all: number;
  physical: number;
  digital: number;
  publishedAtMs: number;
  publishedBy: string | null;
  fileName: string | null;
  raised: number;
  lowered: number;
}

const SELECT_VERSIONS = sql<{ catalogueId: number }, PublishedVersion>()`
  SELECT version, total_products AS "all", total_physical AS physical, total_digital AS digital,
    published_at_ms AS publishedAtMs, published_by AS publishedBy, file_name AS fileName,
    raised_prices AS raised, lowered_prices AS lowered
  FROM catalogue_versions WHERE catalogue_id = ${"catalogueId"} ORDER BY version DESC`;

/** The current version and the one before it. Earlier ones are deleted. One round trip. */
export const listVersions = (db: Database, catalogueId: number): Promise<PublishedVersion[]> =>
  SELECT_VERSIONS.all(db, { catalogueId });

/** Adds a catalogue without products. Returns false if there is one with this name. */
export async function addCatalogue(
  d1: D1Database,
  name: string,
  settings: CatalogueSettings,
): Promise<boolean> {
  const { meta } = await drizzle(d1)
    .insert(catalogues)
    .values({ name, settings: Object.keys(settings).length > 0 ? settings : null })
    .onConflictDoNothing();
  return meta.changes > 0;
}
