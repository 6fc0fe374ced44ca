// The statements that create, list and remove test clients.
import { batch, type Database, fragment, rawSql, type RowOf, sql } from "../../platform/db/sql.ts";
import { client } from "../../platform/db/tables.ts";
import { additionOf, INSERT_REVOKED } from "../credentials/queries.ts";
import { type Adjustment, bookingOf } from "../credit/adjust-queries.ts";

export interface NewTestClient extends Omit<Adjustment, "reference" | "note"> {
  parentId: string;
  billing: "credit" | "invoice";
  /** Null for the parent's name. */
  name: string | null;
  /** The maximum number of active test clients of the parent. */
  max: number;
  /** The digest of its credential set, and the last characters of its key. */
  digest: string;
  keyEnd: string;
  /** The credential set of the request. */
  usedId: number;
}

/** What a test client has from its parent. */
const SETTINGS = rawSql<never>(`fee_basis_points, default_currency, catalogue_id, branding,
    support_email, privacy_url, may_cancel, redeem_within_days, refund_declined,
    final_after_days, retain_days, reminder_days, notify_accepted, notify_shipped, send_codes, wrap_emails, choose_variation,
    track_opened, reply_to, register, legal_name, billing_address, tax_number, purchase_order`);

const ACTIVE_CLIENTS = fragment`
  (SELECT count(*) FROM clients t WHERE t.parent_id = c.id AND t.status = 'active')`;

// The guard of the transaction. The other statements match no row if it inserts no client.
const INSERT_TEST_CLIENT = sql<
  Pick<NewTestClient, "clientId" | "parentId" | "name" | "billing" | "max" | "nowMs">
>()`
  INSERT INTO clients (id, parent_id, name, billing, created_at_ms, ${SETTINGS})
  SELECT ${"clientId"}, id, coalesce(${"name"}, name), ${"billing"}, ${"nowMs"}, ${SETTINGS}
  FROM clients c
  WHERE id = ${"parentId"} AND parent_id IS NULL AND ${ACTIVE_CLIENTS} < ${"max"}`;

const SELECT_PARENT = sql<
  { parentId: string },
  { grandparentId: string | null; activeClients: number }
>()`
  SELECT c.parent_id AS grandparentId, ${ACTIVE_CLIENTS} AS activeClients
  FROM clients c WHERE c.id = ${"parentId"}`;

/**
 * Creates the client with a credential set and credit, unless the parent is a test client itself or has the maximum
 * number. One transaction, one round trip.
 */
export async function insertTestClient(db: Database, client: NewTestClient) {
  const { inserted, parent } = await batch(db, {
    inserted: INSERT_TEST_CLIENT.bind(db, client),
    ...additionOf(db, { ...client, scope: "admin", limits: null }),
    ...bookingOf(db, { ...client, reference: "test client", note: null }),
    parent: SELECT_PARENT.bind(db, client),
  });
  return { isCreated: inserted.meta.changes > 0, ...parent.results[0] };
}

const LISTED = client("id", "name", "billing", "createdAtMs");
export type ListedTestClient = RowOf<typeof LISTED>;

const SELECT_TEST_CLIENTS = sql<{ parentId: string }>()`
  SELECT ${LISTED} FROM clients c
  WHERE c.parent_id = ${"parentId"} AND c.status = 'active' ORDER BY c.created_at_ms, c.id`;

/** The active test clients of a client, oldest first. One round trip. */
export const readTestClients = (db: Database, parentId: string): Promise<ListedTestClient[]> =>
  SELECT_TEST_CLIENTS.all(db, { parentId });

interface Removal {
  clientId: string;
  parentId: string;
  /** The credential set of the request. */
  usedId: number;
  nowMs: number;
}

const SUSPEND = sql<Pick<Removal, "clientId" | "parentId">>()`
  UPDATE clients SET status = 'suspended' WHERE id = ${"clientId"} AND parent_id = ${"parentId"}`;

const ITS_SETS = fragment`
  FROM credentials s JOIN clients c ON c.id = s.client_id
  WHERE c.id = ${"clientId"} AND c.parent_id = ${"parentId"} AND s.revoked_at_ms IS NULL`;

const INSERT_REVOKED_ENTRIES = sql<Removal>()`
  ${INSERT_REVOKED} ${ITS_SETS}`;

const REVOKE_ITS_SETS = sql<Omit<Removal, "usedId">>()`
  UPDATE credentials SET revoked_at_ms = ${"nowMs"} WHERE id IN (SELECT s.id ${ITS_SETS})`;

/** Removes a test client. Null if the client never had it, and otherwise its test clients. One transaction. */
export async function removeTestClient(
  db: Database,
  removal: Removal,
): Promise<ListedTestClient[] | null> {
  const { suspended, clients } = await batch(db, {
    suspended: SUSPEND.bind(db, removal),
    entries: INSERT_REVOKED_ENTRIES.bind(db, removal),
    sets: REVOKE_ITS_SETS.bind(db, removal),
    clients: SELECT_TEST_CLIENTS.bind(db, removal),
  });
  return suspended.meta.changes > 0 ? clients.results : null;
}
