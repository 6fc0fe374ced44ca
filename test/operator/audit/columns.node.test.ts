// Each column of each table is in a state of the audit log, or is listed here with the reason why not.
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { STATES } from "../../../src/operator/audit/subjects.ts";
import * as schema from "../../../src/platform/db/schema.ts";
import { type Fragment, sqlOf } from "../../../src/platform/db/statement.ts";

const NAME = "names the object";
const ONCE = "written with the row, and never changed";
const RESULT = "follows from what is in the state";
const WORKER = "changed by the Worker, not by operators";
const SECRET = "an entry contains no secrets";
const PERSONAL =
  "an entry contains no personal data; the state shows that it was changed or erased";

const UNAUDITED_COLUMNS: Record<string, Record<string, string>> = {
  catalogues: { [NAME]: "id", [WORKER]: "sold_out", "not visible to anybody": "staged_version" },
  catalogue_versions: {
    [NAME]: "catalogue_id version",
    [ONCE]: "total_physical total_digital published_at_ms",
  },
  stock: { [NAME]: "product_id variation_id" },
  clients: {
    "the name of the catalogue is in the state": "catalogue_id",
    [WORKER]: "clock_ms",
    [ONCE]: "parent_id created_at_ms",
  },
  credentials: {
    [NAME]: "id client_id",
    [SECRET]: "secret_digest",
    [PERSONAL]: "name",
    [WORKER]: "last_used_on",
  },
  credit_accounts: { [NAME]: "client_id currency", [RESULT]: "entries alerted" },
  webhooks: {
    [NAME]: "id client_id",
    [SECRET]: "url secret_nonce previous_secret_nonce previous_secret_until_ms",
    [RESULT]: "failures redelivery_from redelivery_until",
    [WORKER]: "lease_id lease_until_ms",
    [ONCE]: "created_at_ms",
  },
  webhook_deliveries: {
    [NAME]: "webhook_id sequence",
    [WORKER]: "attempted_at_ms response_status duration_ms response_text",
  },
  orders: {
    [NAME]: "id client_id",
    [ONCE]: `order_ref_id placement_id request_digest gift_order_method gift_of_choice branding_selected
      branding email_template product_id variation_id product_revision base_location product_price_minor qty
      subtotal_minor shipping_cost_minor order_fee_minor order_total_minor link_how_many_times link_url
      link_nonce link_key_id send_at_ms debit_sequence placed_sequence created_at_ms`,
    [RESULT]: "took_stock finished next_expiry_check_ms expiry_checked_ms updated_at_ms",
    [PERSONAL]: "sender_name link_message metadata erased_at_ms",
  },
  sub_orders: {
    [NAME]: "order_id sequence client_id",
    [PERSONAL]: `first_name last_name email phone_number language email_message delivery_address
      delivery_notes delivery_email external_id metadata thank_you thanked_at_ms search_terms`,
    [RESULT]: "took_stock ending_id has_shipment",
    [WORKER]:
      "product_id variation_id selected_revision redeemed_at_ms redemption_id declined_at_ms next_email next_email_ms",
  },
  shipments: {
    [NAME]: "order_id sequence client_id",
    [PERSONAL]: "tracking_number tracking_url earlier_tracking",
    [RESULT]: "shipped_at_ms delivered_at_ms change_id",
  },
};

/** Tables without a state. */
const UNAUDITED_TABLES: Record<string, string> = {
  "the state of a catalogue has its version": `products variations product_revisions catalogue_entries
    catalogue_index product_sources product_changes staged_stock staged_chunks`,
  "rows are never changed, and are a record themselves": `credit_entries invoice_entries events audit_entries
    email_complaints`,
  [WORKER]: `availability_changes sold_out_products health emails email_outbox audit_snapshots`,
  "it has terms of other columns": "search_terms",
  "only a restore changes it, and its state has all names": "id_sequences",
};

const wordsOf = (texts: Record<string, string>) =>
  Object.values(texts).flatMap((text) => text.split(/\s+/));

/** The columns in the state of an object, such as `clients.name`. */
function columnsIn(state: Fragment): string[] {
  const sql = sqlOf(state as Fragment<never>);
  const sources = [...sql.matchAll(/(?:FROM|JOIN) (\w+) (\w)\b/g)];
  const tables = new Map(sources.map(([, table, alias]) => [alias, table]));
  const [, object = ""] = /json_object\(([^]*)\) AS state/.exec(sql) ?? [];
  return [...object.matchAll(/\b(\w)\.(\w+)/g)].map(
    ([, alias, column]) => `${tables.get(alias) ?? ""}.${column ?? ""}`,
  );
}

const audited = new Set(Object.values(STATES).flatMap(columnsIn));

const tables = Object.values(schema)
  .filter((exported) => is(exported, SQLiteTable))
  .map(getTableConfig);

test.each(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)] as const))(
  "%s has no other column outside of the audit log",
  (name, columns) => {
    if (wordsOf(UNAUDITED_TABLES).includes(name)) return;
    const unaudited = columns.filter((column) => !audited.has(`${name}.${column}`));
    expect(unaudited.sort()).toEqual(wordsOf(UNAUDITED_COLUMNS[name] ?? {}).sort());
  },
);

test("no table without a state is a table with one", () => {
  const listed = [...Object.keys(UNAUDITED_COLUMNS), ...wordsOf(UNAUDITED_TABLES)];
  expect(listed.sort()).toEqual(tables.map(({ name }) => name).sort());
});
