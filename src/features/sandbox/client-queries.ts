// The statements that create test clients.
import { batch, type Database, fragment, rawSql, statement } from "../../platform/db/statement.ts";
import { additionOf } from "../credentials/queries.ts";
import { type Adjustment, bookingOf } from "../credit/adjust-queries.ts";

export interface NewTestClient extends Omit<Adjustment, "reference" | "note"> {
  parentId: string;
  /** Null for the parent's name. */
  name: string | null;
  /** The maximum number of active test clients of the parent. */
  max: number;
  /** The digest of its credential set. */
  digest: string;
  /** The credential set of the request. */
  usedId: number;
}

/** What a test client has from its parent. */
const SETTINGS = rawSql<never>(`fee_basis_points, default_currency, catalogue_id, branding,
    support_email, may_cancel, redeem_within_days, refund_declined, retain_days, reminder_days,
    notify_shipped, wrap_emails, reply_to, register`);

const ACTIVE_CLIENTS = fragment`
  (SELECT count(*) FROM clients t WHERE t.parent_id = c.id AND t.status = 'active')`;

// The guard of the transaction. The other statements match no row if it inserts no client.
const INSERT_TEST_CLIENT = statement<
  Pick<NewTestClient, "clientId" | "parentId" | "name" | "max" | "nowMs">
>()`
  INSERT INTO clients (id, parent_id, name, billing, created_at_ms, ${SETTINGS})
  SELECT ${"clientId"}, id, coalesce(${"name"}, name), 'credit', ${"nowMs"}, ${SETTINGS}
  FROM clients c
  WHERE id = ${"parentId"} AND parent_id IS NULL AND ${ACTIVE_CLIENTS} < ${"max"}`;

const SELECT_PARENT = statement<
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
