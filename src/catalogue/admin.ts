// Catalogues for the operator's commands: lists, numbers of products, and the changes of a version.
import { and, asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { catalogues, catalogueVersions, clients } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

/** All catalogues, sorted by name. If `name` is given, only this catalogue. */
export async function listCatalogues(d1: D1Database, name?: string) {
  const db = drizzle(d1);
  const rows = await db
    .select({
      id: catalogues.id,
      name: catalogues.name,
      version: catalogues.version,
      total: catalogueVersions.totalProducts,
      physical: catalogueVersions.totalPhysical,
      digital: catalogueVersions.totalDigital,
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
    .where(name === undefined ? undefined : eq(catalogues.name, name))
    .orderBy(asc(catalogues.name));
  return rows.map((row) => ({
    ...row,
    total: row.total ?? 0,
    physical: row.physical ?? 0,
    digital: row.digital ?? 0,
    settings: row.settings ?? {},
  }));
}

const COUNT_TRACKED = statement<{ name: string }, { count: number }>()`
  SELECT count(*) AS count FROM catalogues c
  CROSS JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
  WHERE c.name = ${"name"} AND EXISTS (
    SELECT 1 FROM stock s WHERE s.product_id = e.product_id AND s.quantity IS NOT NULL)`;

/** The number of products in the current version whose stock is tracked. */
export async function countTracked(d1: D1Database, name: string): Promise<number> {
  const row = await COUNT_TRACKED.first(d1, { name });
  return row?.count ?? 0;
}

export interface VersionChanges {
  added: number;
  changed: number;
  unpublished: number;
}

// LEFT JOIN, because SQLite does not reorder its tables: each entry of the previous version is looked up in the new
// one.
const SELECT_CHANGES = statement<{ name: string; version: number }, VersionChanges>()`
  WITH version AS (
    SELECT c.id, new.version AS new, new.total_products AS total,
      old.version AS old, coalesce(old.total_products, 0) AS totalBefore
    FROM catalogues c
    JOIN catalogue_versions new ON new.catalogue_id = c.id AND new.version = ${"version"}
    LEFT JOIN catalogue_versions old ON old.catalogue_id = c.id AND old.version =
      (SELECT max(version) FROM catalogue_versions
       WHERE catalogue_id = c.id AND version < ${"version"})
    WHERE c.name = ${"name"})
  SELECT v.total - count(n.product_id) AS added,
    count(*) FILTER (WHERE n.revision <> o.revision) AS changed,
    v.totalBefore - count(n.product_id) AS unpublished
  FROM version v
  LEFT JOIN catalogue_entries o ON o.catalogue_id = v.id AND o.version = v.old
  LEFT JOIN catalogue_entries n
    ON n.catalogue_id = v.id AND n.version = v.new AND n.product_id = o.product_id`;

/** The changes of a version, compared with the version before it. */
export async function readChanges(
  d1: D1Database,
  name: string,
  version: number,
): Promise<VersionChanges> {
  const changes = await SELECT_CHANGES.first(d1, { name, version });
  if (!changes) throw new Error("D1 returned no row");
  return changes;
}
