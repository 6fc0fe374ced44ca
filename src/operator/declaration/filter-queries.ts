// Whether what the filters of a list name exists.
import { notFound } from "../../core/api-error.ts";
import { type Database, sql } from "../../platform/db/sql.ts";

const FIND = sql<{ client: string; catalogue: string }, { client: number; catalogue: number }>()`
  SELECT EXISTS (SELECT 1 FROM clients WHERE id = ${"client"}) AS client,
    EXISTS (SELECT 1 FROM catalogues WHERE name = ${"catalogue"}) AS catalogue`;

/** Errors: `not_found` for a client or a catalogue that does not exist. No round trip without them. */
export async function requireFilters(
  db: Database,
  { client, catalogue }: { client?: unknown; catalogue?: unknown },
): Promise<void> {
  const named = Object.entries({ client, catalogue }).filter(([, value]) => value !== undefined);
  if (named.length === 0) return;
  const found = await FIND.first(db, { client: String(client), catalogue: String(catalogue) });
  const missing = named.find(([kind]) => found?.[kind as "client" | "catalogue"] !== 1);
  if (missing) throw notFound(`there is no ${missing.join(" ")}.`);
}
