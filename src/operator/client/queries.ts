// Clients and their credentials, for the operator's commands.
import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  sql as drizzleSql,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { catalogues, clients, credentials } from "../../platform/db/schema.ts";
import { type Database, fragment, sql } from "../../platform/db/sql.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { IS_SETTLED, isOlder } from "../../features/privacy/queries.ts";
import { secretDigest } from "../../features/clients/credentials.ts";
import { keyEndOf } from "../../features/credentials/create.ts";
import { insertCredential, MAX_CREDENTIALS } from "../../features/credentials/queries.ts";

export type NewClient = typeof clients.$inferInsert;
export type ClientChanges = Partial<Omit<NewClient, "id" | "createdAtMs">>;

/** Adds the client. `false` if its id is taken. */
export async function addClient(d1: D1Database, client: NewClient): Promise<boolean> {
  const { meta } = await drizzle(d1).insert(clients).values(client).onConflictDoNothing().run();
  return meta.changes === 1;
}

/**
 * Updates the client. `false` if there is no such client. The caller must invalidate its cached record with
 * `invalidated`.
 */
export async function updateClient(
  d1: D1Database,
  id: string,
  changes: ClientChanges,
): Promise<boolean> {
  const { meta } = await drizzle(d1).update(clients).set(changes).where(eq(clients.id, id)).run();
  // A trigger may also change the status of test clients.
  return meta.changes > 0;
}

interface ClientFilter {
  id?: string;
  /** Only clients with a greater id. */
  after?: string | undefined;
  /** Only clients with an account below its alert. */
  hasLowCredit?: boolean | undefined;
  limit?: number;
}

/** Clients by id, with the name of the catalogue and the number of active credential sets. */
export async function listClients(
  d1: D1Database,
  { id, after, hasLowCredit = false, limit = -1 }: ClientFilter = {},
) {
  return drizzle(d1)
    .select({
      ...getTableColumns(clients),
      // Two columns called name would be one in a result that is read by name.
      catalogue: drizzleSql<string>`${catalogues.name}`.as("catalogue"),
      activeCredentials: count(credentials.id),
    })
    .from(clients)
    .innerJoin(catalogues, eq(catalogues.id, clients.catalogueId))
    .leftJoin(
      credentials,
      and(eq(credentials.clientId, clients.id), isNull(credentials.revokedAtMs)),
    )
    .where(
      and(
        id === undefined ? undefined : eq(clients.id, id),
        after === undefined ? undefined : gt(clients.id, after),
        hasLowCredit
          ? drizzleSql`${clients.id} IN (SELECT a.client_id FROM credit_accounts a
              WHERE a.alert_below_minor IS NOT NULL AND a.balance_minor < a.alert_below_minor)`
          : undefined,
      ),
    )
    .groupBy(clients.id)
    .orderBy(asc(clients.id))
    .limit(limit);
}

/** All clients by their ids. One round trip. */
export async function listAddressees(d1: D1Database) {
  const { id, name, billingAddress, taxNumber } = clients;
  const rows = await drizzle(d1).select({ id, name, billingAddress, taxNumber }).from(clients);
  return new Map(rows.map((client) => [client.id, client]));
}

/** A catalogue, and whether it has products in the currency. */
export const SELECT_CATALOGUE = sql<
  Record<"name" | "currency", string>,
  { id: number; hasCurrency: 0 | 1 }
>()`
  SELECT k.id, EXISTS (SELECT 1 FROM catalogue_entries e WHERE e.catalogue_id = k.id
    AND e.version = k.version AND e.currency = ${"currency"}) AS hasCurrency
  FROM catalogues k WHERE k.name = ${"name"}`;

/** Adds a set with the scope `admin`. Returns its id, or null if the client has the maximum number already. */
export async function addCredential(
  d1: D1Database,
  clientId: string,
  { apiKey, apiPassword }: { apiKey: string; apiPassword: string },
  nowMs: number,
): Promise<number | null> {
  const digest = await secretDigest(apiKey, apiPassword);
  const keyEnd = keyEndOf(apiKey);
  const set = { clientId, digest, keyEnd, scope: "admin" as const, name: null, limits: null };
  return (await insertCredential(d1, { ...set, usedId: null, nowMs }))?.id ?? null;
}

/** Revoked sets are listed up to this number. */
const MAX_REVOKED = 50;

/** A client's active credential sets, oldest first, and the latest revoked ones, newest first. Their values are not stored. */
export async function listClientCredentials(d1: D1Database, clientId: string) {
  return drizzle(d1)
    .select({
      id: credentials.id,
      name: credentials.name,
      scope: credentials.scope,
      createdAtMs: credentials.createdAtMs,
      revokedAtMs: credentials.revokedAtMs,
      lastUsedOn: credentials.lastUsedOn,
      limits: credentials.limits,
      budget: credentials.budget,
      own: credentials.own,
      keyEnd: credentials.keyEnd,
    })
    .from(credentials)
    .where(eq(credentials.clientId, clientId))
    .orderBy(
      isNotNull(credentials.revokedAtMs),
      drizzleSql`iif(${credentials.revokedAtMs} IS NULL, ${credentials.id}, -${credentials.id})`,
    )
    .limit(MAX_CREDENTIALS + MAX_REVOKED);
}

interface DueParams {
  clientId: string;
  retainDays: number;
  nowMs: number;
  dayMs: number;
  limit: number;
}

const COUNT_DUE = sql<DueParams, { orders: number }>()`
  SELECT count(*) AS orders FROM (
    SELECT 1 FROM orders o INDEXED BY orders_to_erase
    WHERE o.client_id = ${"clientId"} AND ${IS_SETTLED} AND ${isOlder(fragment`${"retainDays"}`)}
    LIMIT ${"limit"})`;

/** The number of the client's orders that this retention period would erase, at most `limit`. One round trip. */
export async function readDueCount(
  db: Database,
  params: Omit<DueParams, "dayMs">,
): Promise<number> {
  return (await COUNT_DUE.first(db, { ...params, dayMs: DAY_MS }))?.orders ?? 0;
}
