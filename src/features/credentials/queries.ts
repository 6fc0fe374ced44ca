// The statements that manage credential sets. Clients and operators use the same ones.
import { columnsOf, jsonObject } from "../../platform/db/columns.ts";
import { lastIdOf } from "../../platform/db/last-id.ts";
import type { Credentials } from "../../platform/db/schema.ts";
import { batch, type Database, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import type { Scope } from "../../core/values/scopes.ts";
import type { Owner } from "../clients/own.ts";
import { limitStatesOf, recountSpending } from "./limit-queries.ts";
import { INSERT_EVENT, nextSequenceOf } from "../events/queries.ts";

/** The maximum number of active sets of a client. */
export const MAX_CREDENTIALS = 20;

const s = columnsOf<Credentials>("s");
const COLUMNS = {
  ...s("id", "name", "scope", "createdAtMs", "revokedAtMs", "lastUsedOn"),
  ...s("budget", "own", "keyEnd"),
  limits: limitStatesOf(fragment`s.id`),
};
export type Credential = RowOf<typeof COLUMNS>;

/** The state of set `s` in the audit log: the audited columns of the schema, which is not part of the Worker. */
export const CREDENTIAL_STATE = jsonObject(
  "credentials",
  s("scope", "createdAtMs", "revokedAtMs", "own", "budget", "limits"),
);

interface Request {
  clientId: string;
  /** The set of the client's request. Null for an operator, whose database writes the entry of the audit log. */
  usedId: number | null;
  nowMs: number;
}

export type NewCredential = Request & {
  digest: string;
  scope: Scope;
  name: string | null;
  /** JSON: SpendingLimit[]. */
  limits: string | null;
  /** The last characters of its key. */
  keyEnd: string;
  budget?: string | null | undefined;
  own?: boolean | undefined;
};
type NewLimits = Request & { credentialId: number; limits: string | null };
type Revocation = Request & { credentialId: number };

const SELECT_ACTIVE = sql<Owner & { nowMs: number }>()`
  SELECT ${COLUMNS} FROM credentials s
  WHERE s.client_id = ${"clientId"} AND s.revoked_at_ms IS NULL AND s.id = coalesce(${"ownId"}, s.id)
  ORDER BY s.id`;

const INSERT_CREDENTIAL = sql<
  Omit<NewCredential, "usedId" | "own" | "budget"> & {
    own: 0 | 1;
    budget: string | null;
    max: number;
  }
>()`
  INSERT INTO credentials (id, client_id, secret_digest, key_end, scope, name, limits, budget, own,
    created_at_ms)
  SELECT ${lastIdOf("credentials")} + 1, c.id, ${"digest"}, ${"keyEnd"}, ${"scope"}, ${"name"}, ${"limits"}, ${"budget"},
    ${"own"}, ${"nowMs"} FROM clients c
  WHERE c.id = ${"clientId"} AND ${"max"} > (SELECT count(*) FROM credentials a
    WHERE a.client_id = c.id AND a.revoked_at_ms IS NULL)`;

// The digest is that of random values, so only the set of this transaction has it.
const NEW_SET = fragment`
  FROM credentials s WHERE s.client_id = ${"clientId"} AND s.secret_digest = ${"digest"}`;

// A client that calls the API keeps a set with which it can manage the others.
const REVOCABLE_SET = fragment`
  FROM credentials s WHERE s.id = ${"credentialId"} AND s.client_id = ${"clientId"}
    AND s.revoked_at_ms IS NULL
    AND (${"usedId"} IS NULL OR s.scope <> 'admin' OR EXISTS (SELECT 1 FROM credentials a
      WHERE a.client_id = s.client_id AND a.revoked_at_ms IS NULL AND a.scope = 'admin' AND a.id <> s.id))`;

const SELECT_NEW = sql<Pick<NewCredential, "clientId" | "digest" | "nowMs">>()`
  SELECT ${COLUMNS} ${NEW_SET}`;

const EVENT_VALUES = fragment`NULL, NULL,
  json_object('credentialId', s.id, 'scope', s.scope), ${"nowMs"}`;

const NEXT_SEQUENCE_OF_SET = nextSequenceOf(fragment`s.client_id`);

// The first set of a client is a part of adding the client.
const INSERT_CREATED_EVENT = sql<Pick<NewCredential, "clientId" | "digest" | "nowMs">>()`
  ${INSERT_EVENT}
  SELECT s.client_id, ${NEXT_SEQUENCE_OF_SET}, 'credential.created', ${EVENT_VALUES} ${NEW_SET}
    AND EXISTS (SELECT 1 FROM credentials f WHERE f.client_id = s.client_id AND f.id < s.id)`;

const INSERT_REVOKED_EVENT = sql<Revocation>()`
  ${INSERT_EVENT}
  SELECT s.client_id, ${NEXT_SEQUENCE_OF_SET}, 'credential.revoked', ${EVENT_VALUES} ${REVOCABLE_SET}`;

/** The entry of a set `s` that a client has changed. */
const INSERT_ENTRY = fragment`
  INSERT INTO audit_entries
    (created_at_ms, actor, reason, subject_type, subject, client_id, action, before, after)
  SELECT ${"nowMs"}, 'API', printf('with set %d', ${"usedId"}), 'credential', cast(s.id AS TEXT), s.client_id`;

const INSERT_CREATED_ENTRY = sql<Request & { digest: string }>()`
  ${INSERT_ENTRY}, 'credential create', NULL, ${CREDENTIAL_STATE}
  ${NEW_SET} AND ${"usedId"} IS NOT NULL`;

/** The entry of an active set `s` that a client revokes. */
export const INSERT_REVOKED = fragment`
  ${INSERT_ENTRY}, 'credential revoke', ${CREDENTIAL_STATE},
    json_set(${CREDENTIAL_STATE}, '$.revokedAtMs', cast(${"nowMs"} AS INTEGER))`;

const INSERT_REVOKED_ENTRY = sql<Revocation>()`
  ${INSERT_REVOKED} ${REVOCABLE_SET} AND ${"usedId"} IS NOT NULL`;

/** An active set for orders whose limits differ. */
const LIMITED_SET = fragment`
  FROM credentials s WHERE s.id = ${"credentialId"} AND s.client_id = ${"clientId"}
    AND s.revoked_at_ms IS NULL AND s.scope = 'order' AND s.limits IS NOT ${"limits"}`;

const INSERT_LIMITS_EVENT = sql<Omit<NewLimits, "usedId">>()`
  ${INSERT_EVENT}
  SELECT s.client_id, ${NEXT_SEQUENCE_OF_SET}, 'credential.limited', ${EVENT_VALUES} ${LIMITED_SET}`;

const INSERT_LIMITS_ENTRY = sql<NewLimits>()`
  ${INSERT_ENTRY}, 'credential limit', ${CREDENTIAL_STATE},
    json_set(${CREDENTIAL_STATE}, '$.limits', json(${"limits"}))
  ${LIMITED_SET} AND ${"usedId"} IS NOT NULL`;

const RECOUNT_SPENDING = sql<Omit<NewLimits, "usedId">>()`${recountSpending(LIMITED_SET)}`;

const SET_LIMITS = sql<Omit<NewLimits, "usedId" | "nowMs">>()`
  UPDATE credentials SET limits = ${"limits"} WHERE id IN (SELECT s.id ${LIMITED_SET})`;

const REVOKE = sql<Revocation>()`
  UPDATE credentials SET revoked_at_ms = ${"nowMs"} WHERE id IN (SELECT s.id ${REVOCABLE_SET})`;

const SELECT_SET = sql<Omit<Revocation, "usedId">>()`
  SELECT ${COLUMNS} FROM credentials s WHERE s.id = ${"credentialId"} AND s.client_id = ${"clientId"}`;

/** The active sets that the request may see, oldest first. One round trip. */
export const listActive = (db: Database, owner: Owner, nowMs: number): Promise<Credential[]> =>
  SELECT_ACTIVE.all(db, { ...owner, nowMs });

/** The statements that add a set, if the client exists and does not have the maximum number. */
export const additionOf = (db: Database, { budget = null, own, ...set }: NewCredential) => ({
  set: INSERT_CREDENTIAL.bind(db, { ...set, budget, own: own ? 1 : 0, max: MAX_CREDENTIALS }),
  setEvent: INSERT_CREATED_EVENT.bind(db, set),
  setEntry: INSERT_CREATED_ENTRY.bind(db, set),
  created: SELECT_NEW.bind(db, set),
});

/** Adds a set. Null if the client has the maximum number. One transaction, one round trip. */
export async function insertCredential(
  db: Database,
  set: NewCredential,
): Promise<Credential | null> {
  const { created } = await batch(db, additionOf(db, set));
  return created.results[0] ?? null;
}

/**
 * Replaces the limits of an active set for orders. What it has spent stays. Returns the set afterwards, or null if the
 * client has never had it. One transaction, one round trip.
 */
export async function setLimits(db: Database, change: NewLimits): Promise<Credential | null> {
  const { found } = await batch(db, {
    event: INSERT_LIMITS_EVENT.bind(db, change),
    entry: INSERT_LIMITS_ENTRY.bind(db, change),
    spending: RECOUNT_SPENDING.bind(db, change),
    written: SET_LIMITS.bind(db, change),
    found: SELECT_SET.bind(db, change),
  });
  return found.results[0] ?? null;
}

/**
 * Revokes a set. Returns the set afterwards, or null if the client has never had it. It is still active if it is the
 * last one with the scope `admin` and the client sends the request. One transaction, one round trip.
 */
export async function markRevoked(
  db: Database,
  revocation: Revocation,
): Promise<{ set: Credential | null; isChanged: boolean }> {
  // The last write is the revocation, so that all of them select the same set.
  const { revoked, found } = await batch(db, {
    event: INSERT_REVOKED_EVENT.bind(db, revocation),
    entry: INSERT_REVOKED_ENTRY.bind(db, revocation),
    revoked: REVOKE.bind(db, revocation),
    found: SELECT_SET.bind(db, revocation),
  });
  return { set: found.results[0] ?? null, isChanged: revoked.meta.changes === 1 };
}
