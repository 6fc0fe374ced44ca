// Lists catalogues for the operator's commands.
import { and, asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { catalogues, catalogueVersions, clients } from "../../platform/db/schema.ts";

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
