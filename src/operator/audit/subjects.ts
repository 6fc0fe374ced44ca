// The objects whose changes the audit log records, and their states.
import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { JOIN_CODE } from "../../features/codes/bind-queries.ts";
import { CREDENTIAL_STATE } from "../../features/credentials/queries.ts";
import { AUDIT_MARKS } from "../../platform/db/audited-columns.ts";
import { jsonObjectOf } from "../../platform/db/columns.ts";
import {
  catalogues,
  collections,
  clients,
  codes,
  creditAccounts,
  orders,
  shipments,
  statements,
  stock,
  gifts,
  vendors,
  webhookDeliveries,
  webhooks,
} from "../../platform/db/schema.ts";
import { type Fragment, fragment, rawSql } from "../../platform/db/sql.ts";
import { JOIN_SHIPMENT } from "../../platform/db/tables.ts";

/**
 * The types of objects, with the key that selects them. A key may select several objects, such as all credential sets of
 * a client. Only those that change get an entry, including those that the change creates.
 */
interface SubjectKeys {
  /** A client's id. */
  client: string;
  /** A client's id, for all its credential sets. */
  credential: string;
  /** A client's id, for its credit accounts in all currencies. */
  account: string;
  /** A client's id, for all its webhook endpoints. */
  webhook: string;
  /** The id of a webhook endpoint and the sequence of an event. */
  delivery: [webhookId: number, sequence: number];
  /** An order's id. */
  order: number;
  /** A gift's id. */
  gift: number;
  /** A catalogue's name. */
  catalogue: string;
  /** A catalogue's name, for its collections. */
  collection: string;
  /** The `nameKey` of a vendor. */
  vendor: string;
  /** A product's id, for its stock and that of its variations. */
  stock: number;
  /** A month such as `2026-11`, for all its numbered statements. */
  statement: string;
  /** The name of the environment, for the last ids of its database. */
  database: string;
}

export type SubjectType = keyof SubjectKeys;

/** Objects of one type. */
export type Subjects = {
  [Type in SubjectType]: { type: Type; keys: readonly SubjectKeys[Type][] };
}[SubjectType];

/** The SQL of the values of the audited columns of the table that a query calls `alias`. */
const auditedColumns = (table: SQLiteTable, alias: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([key]) => AUDIT_MARKS[getTableName(table)]?.[key] === "audited")
      .map(([key, { name, dataType }]) => {
        const value = `${alias}.${name}`;
        if (dataType === "json") return [key, `json(${value})`];
        if (dataType !== "boolean") return [key, value];
        return [key, `json(CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)`];
      }),
  );

const stateOf = (values: Record<string, string>) => rawSql(`${jsonObjectOf(values)} AS state`);

/**
 * For each type, the objects that the JSON array `keys` selects, each with its name, its client and order, and its state,
 * without personal data and secrets. The cost is linear in the number of objects.
 */
export const STATES: Record<SubjectType, Fragment<"keys">> = {
  client: fragment`
    SELECT c.id AS subject, c.id AS client_id, NULL AS order_id,
      ${stateOf({ ...auditedColumns(clients, "c"), catalogue: "g.name" })}
    FROM json_each(${"keys"}) k CROSS JOIN clients c ON c.id = k.value
    CROSS JOIN catalogues g ON g.id = c.catalogue_id`,

  credential: fragment`
    SELECT cast(s.id AS TEXT) AS subject, s.client_id AS client_id, NULL AS order_id,
      ${CREDENTIAL_STATE} AS state
    FROM json_each(${"keys"}) k CROSS JOIN credentials s ON s.client_id = k.value`,

  account: fragment`
    SELECT a.client_id || ' ' || a.currency AS subject, a.client_id AS client_id, NULL AS order_id,
      ${stateOf(auditedColumns(creditAccounts, "a"))}
    FROM json_each(${"keys"}) k CROSS JOIN credit_accounts a ON a.client_id = k.value`,

  webhook: fragment`
    SELECT cast(w.id AS TEXT) AS subject, w.client_id AS client_id, NULL AS order_id,
      ${stateOf(auditedColumns(webhooks, "w"))}
    FROM json_each(${"keys"}) k CROSS JOIN webhooks w ON w.client_id = k.value`,

  delivery: fragment`
    SELECT w.id || '/' || d.sequence AS subject, w.client_id AS client_id, NULL AS order_id,
      ${stateOf(auditedColumns(webhookDeliveries, "d"))}
    FROM json_each(${"keys"}) k CROSS JOIN webhooks w ON w.id = k.value ->> 0
    CROSS JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.sequence = k.value ->> 1`,

  order: fragment`
    SELECT printf('GO-%05d', o.id) AS subject, o.client_id AS client_id, o.id AS order_id,
      ${stateOf({ ...auditedColumns(orders, "o"), notes: "json_array_length(o.staff_notes)" })}
    FROM json_each(${"keys"}) k CROSS JOIN orders o ON o.id = k.value`,

  // An open shipment may have a row or none, so it is null. The tracking of a parcel leads to its recipient and is not
  // part of the state. A correction of it changes the time of the shipment. Neither is the recipient's data.
  gift: fragment`
    SELECT printf('GO-%05d-%d', s.order_id, s.sequence) AS subject, o.client_id AS client_id,
      o.id AS order_id, ${stateOf({
        ...auditedColumns(gifts, "s"),
        ...auditedColumns(shipments, "h"),
        ...auditedColumns(codes, "c"),
        notes: "json_array_length(s.staff_notes)",
        shipment: "nullif(h.status, 'open')",
        shipmentUpdatedAtMs: "iif(h.status = 'open', NULL, h.updated_at_ms)",
      })}
    FROM json_each(${"keys"}) k
    CROSS JOIN gifts s ON s.order_id = k.value / 1000 AND s.sequence = k.value % 1000
    CROSS JOIN orders o ON o.id = s.order_id ${JOIN_SHIPMENT} ${JOIN_CODE}`,

  // A version that is being staged is not part of the state. Staging therefore leaves no entry.
  catalogue: fragment`
    SELECT c.name AS subject, NULL AS client_id, NULL AS order_id,
      ${stateOf({ ...auditedColumns(catalogues, "c"), products: "v.total_products" })}
    FROM json_each(${"keys"}) k CROSS JOIN catalogues c ON c.name = k.value
    LEFT JOIN catalogue_versions v ON v.catalogue_id = c.id AND v.version = c.version`,

  collection: fragment`
    SELECT c.name || '/' || l.id AS subject, NULL AS client_id, NULL AS order_id,
      ${stateOf(auditedColumns(collections, "l"))}
    FROM json_each(${"keys"}) k CROSS JOIN catalogues c ON c.name = k.value
    CROSS JOIN collections l ON l.catalogue_id = c.id`,

  vendor: fragment`
    SELECT v.name AS subject, NULL AS client_id, NULL AS order_id, ${stateOf(auditedColumns(vendors, "v"))}
    FROM json_each(${"keys"}) k CROSS JOIN vendors v ON v.name_key = k.value`,

  stock: fragment`
    SELECT s.product_id || iif(s.variation_id = 0, '', '/' || s.variation_id) AS subject,
      NULL AS client_id, NULL AS order_id, ${stateOf(auditedColumns(stock, "s"))}
    FROM json_each(${"keys"}) k CROSS JOIN stock s ON s.product_id = k.value`,

  statement: fragment`
    SELECT printf('%s-%05d', t.series, t.number) AS subject, t.client_id AS client_id, NULL AS order_id,
      ${stateOf(auditedColumns(statements, "t"))}
    FROM json_each(${"keys"}) k CROSS JOIN statements t
      ON t.series = substr(k.value, 1, 4) AND t.month = k.value`,

  database: fragment`
    SELECT k.value AS subject, NULL AS client_id, NULL AS order_id, json_object(
      'reservedIds', (SELECT json_group_object(name, last_id ORDER BY name) FROM id_sequences)) AS state
    FROM json_each(${"keys"}) k`,
};
