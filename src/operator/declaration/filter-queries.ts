// Whether what the filters of a list name exists.
import { notFound } from "../../core/api-error.ts";
import { type Database, sql } from "../../platform/db/sql.ts";

type Filter = "client" | "catalogue" | "vendor";

const FIND = sql<Record<Filter, string>, Record<Filter, number>>()`
  SELECT EXISTS (SELECT 1 FROM clients WHERE id = ${"client"}) AS client,
    EXISTS (SELECT 1 FROM catalogues WHERE name = ${"catalogue"}) AS catalogue,
    EXISTS (SELECT 1 FROM vendors WHERE name_key = ${"vendor"}) AS vendor`;

/** Errors: `not_found` for a client, a catalogue or a vendor that does not exist. No round trip without them. */
export async function requireFilters(
  db: Database,
  { client, catalogue, vendor }: { [Name in Filter]?: unknown },
): Promise<void> {
  const given = { client, catalogue, vendor };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  if (named.length === 0) return;
  const found = await FIND.first(db, {
    client: String(client),
    catalogue: String(catalogue),
    vendor: String(vendor),
  });
  const missing = named.find(([kind]) => found?.[kind as Filter] !== 1);
  if (missing) throw notFound(`there is no ${missing.join(" ")}.`);
}
