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
      `WITH version AS (SELECT c.id, ?2 AS new, coalesce(max(v.version), 0) AS old
         FROM catalogues c LEFT JOIN catalogue_versions v
           ON v.catalogue_id = c.id AND v.version < ?2
         WHERE c.name = ?1 GROUP BY c.id),
       new AS (SELECT e.product_id, e.revision FROM version JOIN catalogue_entries e
         ON e.catalogue_id = version.id AND e.version = version.new),
       old AS (SELECT e.product_id, e.revision FROM version JOIN catalogue_entries e
         ON e.catalogue_id = version.id AND e.version = version.old)
       SELECT
         (SELECT count(*) FROM new LEFT JOIN old USING (product_id)
            WHERE old.product_id IS NULL) AS added,
         (SELECT count(*) FROM new JOIN old USING (product_id)
            WHERE new.revision <> old.revision) AS changed,
         (SELECT count(*) FROM old LEFT JOIN new USING (product_id)
            WHERE new.product_id IS NULL) AS unpublished`,
    )
    .bind(catalogueName, version)
    .first<Changes>();
  if (!found) throw new Error("a count always has a row");
  return found;
}
