// The statement that reads a client's record.
import { type Json, jsonObject, parseJson } from "../../platform/db/columns.ts";
import {
  type Database,
  expression,
  type Fragment,
  fragment,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { client } from "../../platform/db/tables.ts";
import type { Client, ClientCredential } from "./profile.ts";

// A catalogue has no version until it is published for the first time. `status <> 'deleted'` is the condition of the
// index webhooks_by_url.

/** The settings that a placement uses. */
export const PLACEMENT_SETTINGS = {
  ...client("billing", "feeBasisPoints", "catalogueId"),
  ...client("branding", "redeemWithinDays", "sendCodes"),
};

type PlacingField = "id" | "catalogue" | "webhookIds" | keyof typeof PLACEMENT_SETTINGS;
/** The client of a placement, without other settings. */
export type PlacingClient = Pick<Client, PlacingField & keyof Client>;

export const CLIENT_COLUMNS = {
  ...PLACEMENT_SETTINGS,
  ...client("defaultCurrency", "status", "mayCancel"),
  version: expression<number>()`catalogues.version`,
  all: expression<number>()`coalesce(v.total_products, 0)`,
  physical: expression<number>()`coalesce(v.total_physical, 0)`,
  digital: expression<number>()`coalesce(v.total_digital, 0)`,
  credentials: expression<Json<ClientCredential[]>>()`(SELECT json_group_array(
      json_object('id', id, 'digest', secret_digest, 'scope', scope, 'own', own, 'lastUsedOn', last_used_on))
    FROM credentials WHERE client_id = c.id AND revoked_at_ms IS NULL)`,
  webhookIds: expression<Json<number[]>>()`(SELECT json_group_array(id) FROM webhooks
    WHERE client_id = c.id AND status <> 'deleted' AND status = 'enabled')`,
};

const FROM_CLIENT = fragment`
  FROM clients c JOIN catalogues ON catalogues.id = c.catalogue_id
  LEFT JOIN catalogue_versions v ON v.catalogue_id = catalogues.id AND v.version = catalogues.version
  WHERE c.id = ${"clientId"}`;

const SELECT_CLIENT = sql<{ clientId: string }>()`SELECT ${CLIENT_COLUMNS} ${FROM_CLIENT}`;

/** What a placement uses of the client and its set, as JSON. Null if the client or the set may not place orders. */
export const usedByPlacement = <Name extends string>(set: Fragment<Name>) =>
  expression<string | null>()`
  (SELECT json_array(s.secret_digest, ${jsonObject("clients", PLACEMENT_SETTINGS)})
    FROM credentials s JOIN clients c ON c.id = s.client_id
    WHERE s.client_id = ${"clientId"} AND ${set} AND s.revoked_at_ms IS NULL
      AND s.scope <> 'read' AND c.status = 'active')`;

const USED = usedByPlacement(fragment`s.secret_digest = ${"secretDigest"}`);

/** The client's record, and what a placement uses of it. */
export const SELECT_FOR_PLACEMENT = sql<{ clientId: string; secretDigest: string }>()`
  SELECT ${{ ...CLIENT_COLUMNS, used: USED }} ${FROM_CLIENT}`;

/** The client's record, or null. One round trip. */
export async function findClient(db: Database, id: string): Promise<Client | null> {
  const row = await SELECT_CLIENT.first(db, { clientId: id });
  return row && toClient(id, row);
}

export function toClient(id: string, row: RowOf<typeof CLIENT_COLUMNS>): Client {
  const { catalogueId, version, all, physical, digital, ...client } = row;
  return {
    id,
    ...client,
    mayCancel: client.mayCancel === 1,
    sendCodes: client.sendCodes === 1,
    catalogue: { id: catalogueId, version, totals: { all, physical, digital } },
    branding: parseJson(client.branding),
    credentials: parseJson(client.credentials),
    webhookIds: parseJson(client.webhookIds),
  };
}

export interface CredentialUse {
  clientId: string;
  credentialId: number;
  /** In UTC. */
  day: string;
}

const SET_DAY = fragment`
  UPDATE credentials SET last_used_on = ${"day"}
  WHERE id = ${"credentialId"} AND client_id = ${"clientId"}`;

/** Triggers abort the transaction if the set is revoked or the client is suspended. */
export const USE_CREDENTIAL = sql<CredentialUse>()`${SET_DAY}`;

/** Matches a set once a day, and only an active one. */
export const RECORD_USE = sql<CredentialUse>()`
  ${SET_DAY} AND last_used_on IS NOT ${"day"} AND revoked_at_ms IS NULL
    AND (SELECT status FROM clients WHERE id = ${"clientId"}) = 'active'`;
