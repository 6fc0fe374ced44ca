// The statement that reads a client's record.
import type { Branding } from "../../platform/db/schema.ts";
import { type Database, statement } from "../../platform/db/statement.ts";
import type { Client, ProductTotals } from "./profile.ts";

interface ClientRow
  extends
    ProductTotals,
    Pick<Client, "status" | "billing" | "feeBasisPoints" | "defaultCurrency" | "redeemWithinDays"> {
  mayCancel: number;
  catalogueId: number;
  version: number;
  branding: string | null;
  secretDigests: string;
  webhookIds: string;
}

// A catalogue has no version until it is published for the first time. `status <> 'deleted'` is the condition of the
// index webhooks_by_url.
const SELECT_CLIENT = statement<{ id: string }, ClientRow>()`
  SELECT c.status, c.billing, c.fee_basis_points AS feeBasisPoints,
    c.default_currency AS defaultCurrency, c.branding, c.catalogue_id AS catalogueId,
    c.may_cancel AS mayCancel, c.redeem_within_days AS redeemWithinDays,
    catalogues.version, coalesce(v.total_products, 0) AS "all",
    coalesce(v.total_physical, 0) AS physical, coalesce(v.total_digital, 0) AS digital,
    (SELECT json_group_array(secret_digest) FROM credentials
     WHERE client_id = c.id AND revoked_at_ms IS NULL) AS secretDigests,
    (SELECT json_group_array(id) FROM webhooks
     WHERE client_id = c.id AND status <> 'deleted' AND status = 'enabled') AS webhookIds
  FROM clients c JOIN catalogues ON catalogues.id = c.catalogue_id
  LEFT JOIN catalogue_versions v ON v.catalogue_id = catalogues.id AND v.version = catalogues.version
  WHERE c.id = ${"id"}`;

/** The client's record, or null. One round trip. */
export async function findClient(db: Database, id: string): Promise<Client | null> {
  const row = await SELECT_CLIENT.first(db, { id });
  if (!row) return null;
  const {
    catalogueId,
    version,
    all,
    physical,
    digital,
    branding,
    secretDigests,
    webhookIds,
    mayCancel,
    ...rest
  } = row;
  return {
    id,
    ...rest,
    mayCancel: mayCancel === 1,
    catalogue: { id: catalogueId, version, totals: { all, physical, digital } },
    branding: JSON.parse(branding ?? "null") as Branding | null,
    secretDigests: JSON.parse(secretDigests) as string[],
    webhookIds: JSON.parse(webhookIds) as number[],
  };
}
