// Catalogues as their operator sees them: which there are, and what a publication has changed.
import type { CatalogueSettings } from "../db/schema.ts";

export interface CatalogueOverview {
  id: number;
  name: string;
  version: number;
  total: number;
  physical: number;
  digital: number;
  clients: number;
  /** Null when nothing was ever published. */
  publishedAtMs: number | null;
  settings: CatalogueSettings;
}

/** All catalogues by name, or the one of this name. */
export async function listCatalogues(
  d1: D1Database,
  name: string | null = null,
): Promise<CatalogueOverview[]> {
  const { results } = await d1
    .prepare(
      `SELECT c.id, c.name, c.version, coalesce(v.total_products, 0) AS total,
         coalesce(v.total_physical, 0) AS physical, coalesce(v.total_digital, 0) AS digital,
         (SELECT count(*) FROM clients WHERE catalogue_id = c.id) AS clients,
         v.published_at_ms AS publishedAtMs, coalesce(c.settings, '{}') AS settings
       FROM catalogues c
       LEFT JOIN catalogue_versions v ON v.catalogue_id = c.id AND v.version = c.version
       WHERE ?1 IS NULL OR c.name = ?1 ORDER BY c.name`,
    )
    .bind(name)
    .all<CatalogueOverview & { settings: string }>();
  return results.map((row) => ({
    ...row,
    settings: JSON.parse(row.settings) as CatalogueSettings,
  }));
}

/** How many products of the catalogue's current version have stock that is counted. */
export async function countTracked(d1: D1Database, catalogueName: string): Promise<number> {
  const n = await d1
    .prepare(
      `SELECT count(*) AS n FROM catalogues c
       CROSS JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
       WHERE c.name = ?1 AND EXISTS (
         SELECT 1 FROM stock s WHERE s.product_id = e.product_id AND s.quantity IS NOT NULL)`,
    )
    .bind(catalogueName)
    .first<number>("n");
  return n ?? 0;
}

export interface Changes {
  added: number;
  changed: number;
  unpublished: number;
}

/** What readers find different in this version from the one that it followed. */
export async function readChanges(
  d1: D1Database,
  catalogueName: string,
  version: number,
): Promise<Changes> {
  const found = await d1
    .prepare(
      // LEFT JOIN keeps the order of the loops: each old entry is looked up once in the new version.
      `WITH version AS (
         SELECT c.id, new.version AS new, new.total_products AS total,
           old.version AS old, coalesce(old.total_products, 0) AS totalBefore
         FROM catalogues c
         JOIN catalogue_versions new ON new.catalogue_id = c.id AND new.version = ?2
         LEFT JOIN catalogue_versions old ON old.catalogue_id = c.id AND old.version =
           (SELECT max(version) FROM catalogue_versions WHERE catalogue_id = c.id AND version < ?2)
         WHERE c.name = ?1)
       SELECT v.total - count(n.product_id) AS added,
         count(*) FILTER (WHERE n.revision <> o.revision) AS changed,
         v.totalBefore - count(n.product_id) AS unpublished
       FROM version v
       LEFT JOIN catalogue_entries o ON o.catalogue_id = v.id AND o.version = v.old
       LEFT JOIN catalogue_entries n
         ON n.catalogue_id = v.id AND n.version = v.new AND n.product_id = o.product_id`,
    )
    .bind(catalogueName, version)
    .first<Changes>();
  if (!found) throw new Error("a count always has a row");
  return found;
}
