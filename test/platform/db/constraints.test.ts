// The constraints of the schema: each has a case here.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { createClient, orderOf, simpleProduct, variableProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

/** Rows that a case may change: a client with a catalogue, and an order that it paid from its credit. */
async function createRows() {
  const [simple, variable] = [simpleProduct(), variableProduct()];
  const client = await createClient({ products: [simple, variable] });
  const worker = startWorker();
  const place = async () => {
    const { json } = await worker.post(client, "/api/gift-link", orderOf(simple));
    return (json.order_data as { order_id: number }).order_id;
  };
  return {
    client: `'${client.clientId}'`,
    catalogue: client.catalogueId,
    order: await place(),
    laterOrder: await place(),
    simple: simple.product.id,
    variable: variable.product.id,
    variation: Number(variable.product.variations[0]?.id),
    unusedProduct: simpleProduct().product.id,
  };
}
type Rows = Awaited<ReturnType<typeof createRows>>;

interface Case {
  /** Statements that run before the others. */
  given?: (rows: Rows) => string[];
  /** Statements that violate this constraint and no other. */
  refused: (rows: Rows) => string[];
  /** Statements at the limit that the constraint permits. */
  taken?: (rows: Rows) => string[];
}

const change = (table: string, where: string) => (set: string) =>
  `UPDATE ${table} SET ${set} WHERE ${where}`;
const order = ({ order: id }: Rows) => change("orders", `id = ${String(id)}`);
const subOrder = ({ order: id }: Rows) => change("sub_orders", `order_id = ${String(id)}`);
const client = ({ client: id }: Rows) => change("clients", `id = ${id}`);
const stock = ({ simple }: Rows) => change("stock", `product_id = ${String(simple)}`);
const catalogue = ({ catalogue: id }: Rows) => change("catalogues", `id = ${String(id)}`);
const version = (rows: Rows) =>
  change("catalogue_versions", `catalogue_id = ${String(rows.catalogue)}`);
const revision = (product: number) =>
  change("product_revisions", `product_id = ${String(product)}`);
const entry = ({ simple }: Rows) => change("catalogue_entries", `product_id = ${String(simple)}`);
const staged = ({ catalogue, simple }: Rows, quantity: string, sellable: string) =>
  `INSERT INTO staged_stock (catalogue_id, version, product_id, variation_id, quantity, sellable)
   VALUES (${String(catalogue)}, 2, ${String(simple)}, 0, ${quantity}, ${sellable})`;
const chunk = ({ catalogue }: Rows, kind: string) =>
  `INSERT INTO staged_chunks (catalogue_id, version, kind, sequence, content)
   VALUES (${String(catalogue)}, 2, '${kind}', 0, '[]')`;
/** An entry after the account's three: the initial credit and the orders' debits. */
const ledger = (rows: Rows, kind: string, orderId: string, reference: string, sequence = 4) =>
  `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
     order_id, reference, created_at_ms)
   VALUES (${rows.client}, 'AUD', ${String(sequence)}, ${kind}, 0, 0, ${orderId}, ${reference}, 1)`;
const refundOf = (rows: Rows, amountMinor: number) =>
  ledger(rows, "'cancellation'", String(rows.order), "NULL").replace(
    ", 0, 0,",
    `, ${String(amountMinor)}, 0,`,
  );
/** The first entries of a client on invoice: an order for 100 and another change of what is owed for it. */
const invoiceEntry = (
  rows: Rows,
  columns: Partial<
    Record<
      "sequence" | "kind" | "order" | "amount" | "unpaid" | "refund" | "reference",
      string | number
    >
  > = {},
) => {
  const { sequence, kind, order, amount, unpaid, refund, reference } = {
    ...{ sequence: 1, kind: "'order'", order: rows.order, amount: 100, unpaid: 100, refund: 0 },
    ...{ reference: "NULL", ...columns },
  };
  return `INSERT INTO invoice_entries (client_id, currency, sequence, kind, order_id, amount_minor,
      unpaid_minor, to_refund_minor, reference, created_at_ms)
    VALUES (${rows.client}, 'AUD', ${String(sequence)}, ${kind}, ${String(order)}, ${String(amount)},
      ${String(unpaid)}, ${String(refund)}, ${reference}, 1)`;
};
const withInvoice = (rows: Rows) => [invoiceEntry(rows)];
const account = ({ client: id }: Rows) => change("credit_accounts", `client_id = ${id}`);
/** An event after the client's two: each order has one. */
const event = (rows: Rows, columns: { sequence?: number; order?: string; data?: string } = {}) =>
  `INSERT INTO events (client_id, sequence, type, order_id, data, created_at_ms)
   VALUES (${rows.client}, ${String(columns.sequence ?? 3)}, 'order.paid',
     ${columns.order ?? String(rows.order)}, ${columns.data ?? "NULL"}, 1)`;
const giftEvent = (rows: Rows, orderId: string) =>
  `INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, created_at_ms)
   VALUES (${rows.client}, 3, 'gift.redeemed', ${orderId}, 1, 1)`;
const insertWebhook = ({ client: id }: Rows, url = "https://a.example", status = "enabled") =>
  `INSERT INTO webhooks (client_id, url, status, secret_nonce, position, created_at_ms)
   VALUES (${id}, '${url}', '${status}', 'nonce', 0, 1)`;
const webhook = ({ client: id }: Rows) => change("webhooks", `client_id = ${id}`);
const ofWebhook = ({ client: id }: Rows) =>
  `webhook_id = (SELECT id FROM webhooks WHERE client_id = ${id})`;
const delivery = (rows: Rows) => change("webhook_deliveries", ofWebhook(rows));
const shipment = (
  rows: Rows,
  columns: Partial<
    Record<"order" | "status" | "shippedAt" | "deliveredAt" | "carrier", string>
  > = {},
) =>
  `INSERT INTO shipments (order_id, sequence, client_id, status, carrier, shipped_at_ms,
     delivered_at_ms, updated_at_ms, change_id)
   VALUES (${columns.order ?? String(rows.order)}, 1, ${rows.client}, '${columns.status ?? "shipped"}',
     ${columns.carrier ?? "NULL"}, ${columns.shippedAt ?? "1"}, ${columns.deliveredAt ?? "NULL"}, 1, 'change')`;
const shipmentOf = ({ order: id }: Rows) => change("shipments", `order_id = ${String(id)}`);
const withWebhook = (rows: Rows) => [insertWebhook(rows)];
const withDelivery = (rows: Rows) => [
  insertWebhook(rows),
  `INSERT INTO webhook_deliveries (webhook_id, sequence, status, attempts)
   SELECT id, 1, 'delivered', 1 FROM webhooks WHERE client_id = ${rows.client}`,
];
const audit = (
  { client: id }: Rows,
  { before = "NULL", after = "'{}'", client: clientId = id, order: orderId = "NULL" } = {},
) =>
  `INSERT INTO audit_entries (created_at_ms, actor, action, subject_type, subject, client_id,
     order_id, before, after)
   VALUES (1, 'ada', 'client set', 'client', 'acme', ${clientId}, ${orderId}, ${before}, ${after})`;
const snapshot = (subjects: string) =>
  `INSERT INTO audit_snapshots (subject_type, subjects) VALUES ('client', ${subjects})`;

/** The columns of an erased recipient. */
const ERASED_RECIPIENT: Record<string, string> = {
  ...{ first_name: "'Erased'", last_name: "'recipient'", email: "''", phone_number: "NULL" },
  ...{ email_message: "NULL", delivery_address: "NULL", delivery_notes: "NULL" },
  ...{ external_id: "NULL", metadata: "NULL", language: "NULL", delivery_email: "NULL" },
  thank_you: "NULL",
};
const assignments = (columns: Record<string, string>) =>
  Object.entries({ ...columns, erased_at_ms: "1" })
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");

/** Each of `values` is accepted, and any other value is refused. */
const oneOf = (
  column: string,
  rowOf: (rows: Rows) => (set: string) => string,
  values: string[],
) => ({
  refused: (rows: Rows) => [rowOf(rows)(`${column} = 'other'`), rowOf(rows)(`${column} = ''`)],
  taken: (rows: Rows) => values.map((value) => rowOf(rows)(`${column} = '${value}'`)),
});

const CHECKS: Record<string, Case> = {
  catalogue_version_was_staged: {
    refused: (rows) => [
      catalogue(rows)("version = staged_version + 1"),
      catalogue(rows)("version = -1"),
    ],
    taken: (rows) => [catalogue(rows)("version = 0"), catalogue(rows)("version = staged_version")],
  },
  settings_are_json: {
    refused: (rows) => [catalogue(rows)("settings = '{'")],
    taken: (rows) => [catalogue(rows)("settings = '{}'"), catalogue(rows)("settings = NULL")],
  },
  totals_add_up: {
    refused: (rows) => [
      version(rows)("total_products = total_products + 1"),
      version(rows)("total_physical = total_physical + 1"),
      version(rows)("total_digital = total_digital - 1"),
    ],
    taken: (rows) => [
      version(rows)("total_products = total_products + 1, total_digital = total_digital + 1"),
    ],
  },
  product_type_known: {
    refused: ({ simple, variable }) => [
      revision(variable)("product_type = 'other'"),
      revision(simple)("product_type = 'Simple', price_minor = NULL"),
    ],
    taken: ({ simple }) => [revision(simple)("product_type = 'variable', price_minor = NULL")],
  },
  delivery_known: oneOf("delivery", ({ simple }) => revision(simple), ["digital", "physical"]),
  only_simple_products_have_a_price: {
    refused: ({ simple, variable }) => [
      revision(simple)("price_minor = NULL"),
      revision(variable)("price_minor = 1"),
    ],
  },
  price_not_negative: {
    refused: ({ simple, variable }) => [
      revision(simple)("price_minor = -1"),
      revision(simple)("shipping_minor = -1"),
      revision(variable)("shipping_minor = -1"),
    ],
    taken: ({ simple }) => [revision(simple)("price_minor = 0, shipping_minor = 0")],
  },
  stock_not_negative: {
    refused: (rows) => [stock(rows)("quantity = -1")],
    taken: (rows) => [stock(rows)("quantity = 0"), stock(rows)("quantity = NULL")],
  },
  sellable_is_boolean: {
    refused: (rows) => [stock(rows)("sellable = 2"), stock(rows)("sellable = -1")],
    taken: (rows) => [stock(rows)("sellable = 0"), stock(rows)("sellable = 1")],
  },
  client_status_known: oneOf("status", client, ["suspended", "active"]),
  billing_known: oneOf("billing", client, ["invoice", "credit"]),
  fee_is_a_share: {
    refused: (rows) => [
      client(rows)("fee_basis_points = -1"),
      client(rows)("fee_basis_points = 10001"),
    ],
    taken: (rows) => [
      client(rows)("fee_basis_points = 0"),
      client(rows)("fee_basis_points = 10000"),
    ],
  },
  order_status_known: oneOf("status", order, ["failed", "created", "paid", "cancieled"]),
  gift_order_method_known: oneOf("gift_order_method", order, [
    ...["email", "direct", "link", "api-purchase", "api-giftlink"],
  ]),
  gift_of_choice_known: oneOf("gift_of_choice", order, ["Y", "N"]),
  branding_selected_known: oneOf("branding_selected", order, ["platform", "company", "custom"]),
  email_template_known: oneOf("email_template", order, [
    ...["celebration", "generic", "sympathy", "christmas"],
  ]),
  qty_positive: {
    refused: (rows) => [
      order(rows)(
        "qty = 0, subtotal_minor = 0, order_total_minor = shipping_cost_minor + order_fee_minor",
      ),
    ],
    taken: (rows) => [order(rows)("qty = 1")],
  },
  subtotal_adds_up: {
    refused: (rows) => [
      order(rows)("subtotal_minor = subtotal_minor + 1, order_total_minor = order_total_minor + 1"),
      order(rows)("qty = 2"),
    ],
    taken: (rows) => [
      order(rows)(
        "qty = 2, subtotal_minor = 2 * subtotal_minor, order_total_minor = order_total_minor + subtotal_minor",
      ),
    ],
  },
  order_total_adds_up: {
    refused: (rows) => [
      order(rows)("order_total_minor = order_total_minor + 1"),
      order(rows)("shipping_cost_minor = shipping_cost_minor - 1"),
      order(rows)("order_fee_minor = order_fee_minor + 1"),
    ],
    taken: (rows) => [
      order(rows)("order_fee_minor = 0, order_total_minor = subtotal_minor + shipping_cost_minor"),
    ],
  },
  api_orders_carry_their_reference: {
    refused: (rows) =>
      ["api-purchase", "api-giftlink"].flatMap((method) =>
        ["order_ref_id", "placement_id", "request_digest"].map((column) =>
          order(rows)(`gift_order_method = '${method}', ${column} = NULL`),
        ),
      ),
    taken: (rows) => [
      order(rows)(
        "gift_order_method = 'link', order_ref_id = NULL, placement_id = NULL, request_digest = NULL",
      ),
    ],
  },
  gift_link_orders_have_a_nonce: {
    refused: (rows) => [order(rows)("link_nonce = NULL")],
    taken: (rows) => [order(rows)("gift_order_method = 'api-purchase', link_nonce = NULL")],
  },
  took_stock_is_boolean: {
    refused: (rows) => [order(rows)("took_stock = 2"), order(rows)("took_stock = -1")],
    taken: (rows) => [order(rows)("took_stock = 0"), order(rows)("took_stock = 1")],
  },
  sequence_in_range: {
    refused: (rows) => [subOrder(rows)("sequence = 0"), subOrder(rows)("sequence = 1000")],
    taken: (rows) => [subOrder(rows)("sequence = 999"), subOrder(rows)("sequence = 1")],
  },
  redemption_status_known: oneOf("redemption_status", subOrder, [
    "redeemed",
    "cancelled",
    "expired",
  ]),
  credit_not_negative: {
    refused: (rows) => [
      `UPDATE credit_accounts SET balance_minor = -1 WHERE client_id = ${rows.client}`,
    ],
    taken: (rows) => [
      `UPDATE credit_accounts SET balance_minor = 0 WHERE client_id = ${rows.client}`,
    ],
  },
  entry_kind_known: {
    refused: (rows) => [ledger(rows, "'other'", String(rows.order), "NULL")],
    taken: (rows) => [
      ledger(rows, "'cancellation'", String(rows.order), "NULL"),
      ledger(rows, "'expiry'", String(rows.order), "NULL"),
    ],
  },
  entry_has_its_source: {
    refused: (rows) => [
      ledger(rows, "'adjustment'", "NULL", "NULL"),
      ledger(rows, "'adjustment'", String(rows.order), "'a'"),
      ledger(rows, "'adjustment'", String(rows.order), "NULL"),
      ledger(rows, "'cancellation'", String(rows.order), "'a'"),
      ledger(rows, "'cancellation'", "NULL", "'a'"),
      ledger(rows, "'cancellation'", "NULL", "NULL"),
    ],
    taken: (rows) => [ledger(rows, "'adjustment'", "NULL", "'a'")],
  },
  staged_stock_not_negative: {
    refused: (rows) => [staged(rows, "-1", "1")],
    taken: (rows) => [staged(rows, "0", "1")],
  },
  staged_sellable_is_boolean: {
    refused: (rows) => [staged(rows, "NULL", "2"), staged(rows, "NULL", "-1")],
    taken: (rows) => [staged(rows, "NULL", "0")],
  },
  chunk_kind_known: {
    refused: (rows) => [chunk(rows, "other"), chunk(rows, "")],
    taken: (rows) => [chunk(rows, "products"), chunk(rows, "names")],
  },
  last_id_in_range: {
    refused: () => [
      "UPDATE id_sequences SET last_id = -1",
      "UPDATE id_sequences SET last_id = 9007199254740992",
    ],
    taken: () => ["UPDATE id_sequences SET last_id = 9007199254740991"],
  },
  event_data_is_json: {
    refused: (rows) => [event(rows, { data: "'{'" })],
    taken: (rows) => [event(rows, { data: "'{}'" }), event(rows)],
  },
  gift_events_have_an_order: {
    refused: (rows) => [giftEvent(rows, "NULL")],
    taken: (rows) => [giftEvent(rows, String(rows.order)), event(rows, { order: "NULL" })],
  },
  webhook_status_known: {
    given: withWebhook,
    refused: (rows) => [webhook(rows)("status = 'other'"), webhook(rows)("status = ''")],
    taken: (rows) => [
      webhook(rows)("status = 'enabled'"),
      webhook(rows)("status = 'deleted'"),
      webhook(rows)("status = 'disabled', disabled_reason = 'failing'"),
    ],
  },
  disabled_webhooks_have_a_reason: {
    given: withWebhook,
    refused: (rows) => [webhook(rows)("status = 'disabled'")],
  },
  event_types_are_json: {
    given: withWebhook,
    refused: (rows) => [webhook(rows)("event_types = '['")],
    taken: (rows) => [webhook(rows)("event_types = '[]'"), webhook(rows)("event_types = NULL")],
  },
  delivery_status_known: {
    given: withDelivery,
    refused: (rows) => [delivery(rows)("status = 'other'"), delivery(rows)("status = ''")],
    taken: (rows) => [
      delivery(rows)("status = 'failed'"),
      delivery(rows)("status = 'delivered'"),
      delivery(rows)("status = 'pending', next_attempt_at_ms = 1"),
    ],
  },
  pending_deliveries_have_a_next_attempt: {
    given: withDelivery,
    refused: (rows) => [
      delivery(rows)("status = 'pending'"),
      delivery(rows)("next_attempt_at_ms = 1"),
      delivery(rows)("status = 'failed', next_attempt_at_ms = 1"),
    ],
  },
  // The order has one recipient.
  closed_gifts_in_range: {
    refused: (rows) => [
      order(rows)("redeemed_gifts = -1"),
      order(rows)("cancelled_gifts = -1"),
      order(rows)("expired_gifts = -1"),
      order(rows)("redeemed_gifts = 2"),
      order(rows)("expired_gifts = 2"),
      order(rows)("redeemed_gifts = 1, cancelled_gifts = 1"),
      order(rows)("redeemed_gifts = 2, cancelled_gifts = -1"),
      order(rows)("redeemed_gifts = 1, expired_gifts = 1"),
      order(rows)("cancelled_gifts = 1, expired_gifts = 1"),
    ],
    taken: (rows) => [
      order(rows)("redeemed_gifts = 1"),
      order(rows)("cancelled_gifts = 1"),
      order(rows)("expired_gifts = 1"),
    ],
  },
  refunds_do_not_exceed_the_total: {
    refused: (rows) => [
      order(rows)("refunded_minor = -1"),
      order(rows)("refunded_minor = order_total_minor + 1"),
    ],
    taken: (rows) => [order(rows)("refunded_minor = order_total_minor")],
  },
  order_metadata_is_json: {
    refused: (rows) => [order(rows)("metadata = '{'"), order(rows)("metadata = ''")],
    taken: (rows) => [order(rows)("metadata = '{}'"), order(rows)("metadata = NULL")],
  },
  recipient_metadata_is_json: {
    refused: (rows) => [subOrder(rows)("metadata = '{'")],
    taken: (rows) => [subOrder(rows)("metadata = '{}'"), subOrder(rows)("metadata = NULL")],
  },
  link_generation_in_range: {
    refused: (rows) => [
      subOrder(rows)("link_generation = -1"),
      subOrder(rows)("link_generation = 1000"),
    ],
    taken: (rows) => [subOrder(rows)("link_generation = 999")],
  },
  shipment_status_known: {
    refused: (rows) => [shipment(rows, { status: "" }), shipment(rows, { status: "Sent" })],
    taken: (rows) => [shipment(rows), shipment(rows, { status: "sent" })],
  },
  shipment_has_its_time: {
    refused: (rows) => [shipment(rows, { status: "open" }), shipment(rows, { shippedAt: "NULL" })],
    taken: (rows) => [shipment(rows, { status: "open", shippedAt: "NULL" })],
  },
  delivery_has_its_time: {
    refused: (rows) => [
      shipment(rows, { status: "delivered" }),
      shipment(rows, { deliveredAt: "2" }),
      shipment(rows, { status: "sent", deliveredAt: "2" }),
    ],
    taken: (rows) => [shipment(rows, { status: "delivered", deliveredAt: "2" })],
  },
  only_parcels_have_tracking: {
    refused: (rows) => [
      shipment(rows, { status: "sent", carrier: "'DHL'" }),
      ...["tracking_number", "tracking_url"].map((column) =>
        shipment(rows, { status: "sent", carrier: "'x'" }).replace("carrier,", `${column},`),
      ),
    ],
    taken: (rows) => [shipment(rows, { carrier: "'DHL'" })],
  },
  shipped_gifts_do_not_end: {
    refused: (rows) => [
      subOrder(rows)("has_shipment = 2"),
      subOrder(rows)("has_shipment = -1"),
      subOrder(rows)("has_shipment = 1, redemption_status = 'cancelled'"),
      subOrder(rows)("has_shipment = 1, redemption_status = 'expired'"),
    ],
    taken: (rows) => [
      subOrder(rows)("has_shipment = 1"),
      subOrder(rows)("has_shipment = 1, redemption_status = 'redeemed', redeemed_at_ms = 1"),
      subOrder(rows)("redemption_status = 'cancelled'"),
    ],
  },
  shipped_gifts_in_range: {
    refused: (rows) => [order(rows)("shipped_gifts = -1"), order(rows)("shipped_gifts = 2")],
    taken: (rows) => [order(rows)("shipped_gifts = 1")],
  },
  only_paid_orders_are_finished: {
    refused: (rows) => [
      order(rows)("finished = 2"),
      order(rows)("finished = -1"),
      ...["failed", "created", "cancieled"].map((status) =>
        order(rows)(`finished = 1, status = '${status}'`),
      ),
    ],
    taken: (rows) => [order(rows)("finished = 1")],
  },
  may_cancel_is_boolean: {
    refused: (rows) => [client(rows)("may_cancel = 2"), client(rows)("may_cancel = -1")],
    taken: (rows) => [client(rows)("may_cancel = 0")],
  },
  refund_declined_is_boolean: {
    refused: (rows) => [client(rows)("refund_declined = 2"), client(rows)("refund_declined = -1")],
    taken: (rows) => [client(rows)("refund_declined = 0")],
  },
  redeemed_gifts_are_thanked_for: {
    refused: (rows) => [
      subOrder(rows)("thank_you = 'Thanks', thanked_at_ms = 1, redemption_status = 'cancelled'"),
      subOrder(rows)("thank_you = 'Thanks', redemption_status = 'redeemed', redeemed_at_ms = 1"),
      subOrder(rows)("thanked_at_ms = 1, redemption_status = 'redeemed', redeemed_at_ms = 1"),
    ],
    taken: (rows) => [
      subOrder(rows)(
        "thank_you = 'Thanks', thanked_at_ms = 1, redemption_status = 'redeemed', redeemed_at_ms = 1",
      ),
    ],
  },
  declined_gifts_are_cancelled: {
    refused: (rows) => [
      subOrder(rows)("declined_at_ms = 1, redemption_status = 'expired'"),
      subOrder(rows)("declined_at_ms = 1, redemption_status = 'redeemed', redeemed_at_ms = 1"),
    ],
    taken: (rows) => [subOrder(rows)("declined_at_ms = 1, redemption_status = 'cancelled'")],
  },
  erased_recipients_have_no_data: {
    refused: (rows) => [
      subOrder(rows)("erased_at_ms = 1"),
      ...Object.keys(ERASED_RECIPIENT).map((column) => {
        const values = { ...ERASED_RECIPIENT, [column]: "'{}'" };
        // A note needs its time and a redeemed gift.
        const note = "thanked_at_ms = 1, redemption_status = 'redeemed', redeemed_at_ms = 1";
        return subOrder(rows)(assignments(values) + (column === "thank_you" ? `, ${note}` : ""));
      }),
    ],
    taken: (rows) => [subOrder(rows)(assignments(ERASED_RECIPIENT))],
  },
  erased_orders_have_no_data: {
    refused: (rows) => [
      order(rows)("erased_at_ms = 1, sender_name = 'Ada'"),
      order(rows)("erased_at_ms = 1, link_message = 'Hello'"),
      order(rows)("erased_at_ms = 1, metadata = '{}'"),
    ],
    taken: (rows) => [order(rows)("erased_at_ms = 1")],
  },
  retain_days_in_range: {
    refused: (rows) => [client(rows)("retain_days = 29"), client(rows)("retain_days = 3651")],
    taken: (rows) => [
      client(rows)("retain_days = 30"),
      client(rows)("retain_days = 3650"),
      client(rows)("retain_days = NULL"),
    ],
  },
  redeem_within_five_years: {
    refused: (rows) => [
      client(rows)("redeem_within_days = 0"),
      client(rows)("redeem_within_days = 1827"),
    ],
    taken: (rows) => [
      client(rows)("redeem_within_days = 1"),
      client(rows)("redeem_within_days = 1826"),
      client(rows)("redeem_within_days = NULL"),
    ],
  },
  alerted_is_boolean: {
    refused: (rows) => [account(rows)("alerted = 2"), account(rows)("alerted = -1")],
    taken: (rows) => [account(rows)("alerted = 1"), account(rows)("alerted = 0")],
  },
  audited_states_are_json: {
    refused: (rows) => [
      audit(rows, { before: "'{'" }),
      audit(rows, { after: "'{'" }),
      audit(rows, { before: "'{'", after: "NULL" }),
    ],
    taken: (rows) => [audit(rows), audit(rows, { before: "'{}'", after: "NULL" })],
  },
  audited_states_differ: {
    refused: (rows) => [
      audit(rows, { before: "'{}'" }),
      audit(rows, { before: "NULL", after: "NULL" }),
    ],
    taken: (rows) => [audit(rows, { before: `'{"a":1}'` })],
  },
  invoice_entry_kind_known: {
    refused: (rows) => [invoiceEntry(rows, { kind: "'adjustment'" })],
    taken: (rows) => [invoiceEntry(rows, { kind: "'expiry'" })],
  },
  invoice_sums_not_negative: {
    given: withInvoice,
    refused: (rows) => [
      invoiceEntry(rows, { sequence: 2, amount: -101, unpaid: -1 }),
      invoiceEntry(rows, { sequence: 2, amount: 1, unpaid: 100, refund: -1 }),
    ],
    taken: (rows) => [invoiceEntry(rows, { sequence: 2, amount: -100, unpaid: 0 })],
  },
  invoice_reference_of_money: {
    refused: (rows) => [
      invoiceEntry(rows, { reference: "'T-1'" }),
      invoiceEntry(rows, { kind: "'expiry'", reference: "'T-1'" }),
    ],
    taken: (rows) => [invoiceEntry(rows, { kind: "'payment'", reference: "'T-1'" })],
  },
  health_is_one_row: { refused: () => ["INSERT INTO health (id) VALUES (2)"] },
  choice_took_stock_is_boolean: {
    refused: (rows) => [subOrder(rows)("took_stock = 2")],
    taken: (rows) => ["0", "1", "NULL"].map((value) => subOrder(rows)(`took_stock = ${value}`)),
  },
  earlier_tracking_is_json: {
    given: (rows) => [shipment(rows)],
    refused: (rows) => [shipmentOf(rows)("earlier_tracking = '['")],
    taken: (rows) => [shipmentOf(rows)("earlier_tracking = '[]'")],
  },
  rounds_are_json: {
    refused: () => ["UPDATE health SET round = '['", "UPDATE health SET last_round = '['"],
    taken: () => ["UPDATE health SET last_round = NULL"],
  },
  audit_snapshots_are_json: { refused: () => [snapshot("'['")], taken: () => [snapshot("'[]'")] },
};

/** A second product whose revision has the same name as that of the simple product. */
const twinRevision = ({ simple, unusedProduct }: Rows) => [
  `INSERT INTO products (id) VALUES (${String(unusedProduct)})`,
  `INSERT INTO product_revisions (product_id, revision, product_type, delivery, currency,
     price_minor, shipping_minor, locations, variations, content)
   SELECT ${String(unusedProduct)}, revision, product_type, delivery, currency, price_minor,
     shipping_minor, locations, variations, content
   FROM product_revisions WHERE product_id = ${String(simple)}`,
];
const twinEntry = ({ simple, unusedProduct }: Rows, position: string, deliveryPosition: string) =>
  `INSERT INTO catalogue_entries (catalogue_id, version, position, product_id, revision, delivery,
     delivery_position)
   SELECT catalogue_id, version, ${position}, ${String(unusedProduct)}, revision, delivery,
     ${deliveryPosition}
   FROM catalogue_entries WHERE product_id = ${String(simple)}`;
const twinEntryBehind = (rows: Rows) => [
  twinEntry(rows, "position + 100", "delivery_position + 100"),
];

/** Unique indexes by their columns, without primary keys. */
const UNIQUE: Record<string, Case> = {
  "catalogues.name": {
    refused: (rows) => [
      `INSERT INTO catalogues (name) SELECT name FROM catalogues WHERE id = ${String(rows.catalogue)}`,
    ],
  },
  "catalogue_entries.catalogue_id, catalogue_entries.version, catalogue_entries.position, catalogue_entries.revision":
    {
      given: twinRevision,
      refused: (rows) => [twinEntry(rows, "position", "delivery_position + 100")],
      taken: twinEntryBehind,
    },
  "catalogue_entries.catalogue_id, catalogue_entries.version, catalogue_entries.delivery, catalogue_entries.delivery_position, catalogue_entries.revision":
    {
      given: twinRevision,
      refused: (rows) => [twinEntry(rows, "position + 100", "delivery_position")],
      taken: twinEntryBehind,
    },
  "orders.client_id, orders.order_ref_id": {
    refused: ({ order: id, laterOrder }) => [
      `UPDATE orders SET order_ref_id = (SELECT order_ref_id FROM orders WHERE id = ${String(id)})
       WHERE id = ${String(laterOrder)}`,
    ],
  },
  "credit_entries.client_id, credit_entries.currency, credit_entries.reference": {
    refused: (rows) => [ledger(rows, "'adjustment'", "NULL", "'initial credit'")],
    taken: (rows) => [ledger(rows, "'adjustment'", "NULL", "'another'")],
  },
  // Cancellations only.
  // Endpoints that are not deleted.
  "webhooks.client_id, webhooks.url": {
    given: withWebhook,
    refused: (rows) => [insertWebhook(rows)],
    taken: (rows) => [
      insertWebhook(rows, "https://b.example"),
      insertWebhook(rows, "https://a.example", "deleted"),
    ],
  },
};

const FOREIGN_KEYS: Record<string, Case> = {
  "catalogue_versions (catalogue_id) -> catalogues": {
    refused: (rows) => [version(rows)("catalogue_id = -1")],
  },
  "variations (product_id) -> products": {
    refused: ({ variation }) => [
      `UPDATE variations SET product_id = -1 WHERE id = ${String(variation)}`,
    ],
  },
  "product_revisions (product_id) -> products": {
    refused: (rows) => twinRevision(rows).slice(1),
  },
  "catalogue_entries (catalogue_id) -> catalogues": {
    refused: (rows) => [entry(rows)("catalogue_id = -1")],
  },
  "catalogue_entries (product_id, revision) -> product_revisions": {
    refused: (rows) => [
      entry(rows)("revision = 'none'"),
      entry(rows)(`product_id = ${String(rows.unusedProduct)}`),
    ],
  },
  "stock (product_id) -> products": { refused: (rows) => [stock(rows)("product_id = -1")] },
  "clients (catalogue_id) -> catalogues": {
    refused: (rows) => [client(rows)("catalogue_id = -1")],
  },
  "shipments (order_id) -> orders": { refused: (rows) => [shipment(rows, { order: "-1" })] },
  "credentials (client_id) -> clients": {
    refused: (rows) => [
      `UPDATE credentials SET client_id = 'missing-client' WHERE client_id = ${rows.client}`,
    ],
  },
  "orders (client_id) -> clients": {
    refused: (rows) => [order(rows)("client_id = 'missing-client'")],
  },
  "orders (product_id) -> products": { refused: (rows) => [order(rows)("product_id = -1")] },
  "orders (variation_id) -> variations": { refused: (rows) => [order(rows)("variation_id = -1")] },
  "orders (product_id, product_revision) -> product_revisions": {
    refused: (rows) => [
      order(rows)("product_revision = 'none'"),
      order(rows)(`product_id = ${String(rows.variable)}`),
    ],
  },
  "sub_orders (order_id) -> orders": { refused: (rows) => [subOrder(rows)("order_id = -1")] },
  "sub_orders (product_id) -> products": { refused: (rows) => [subOrder(rows)("product_id = -1")] },
  "sub_orders (variation_id) -> variations": {
    refused: (rows) => [subOrder(rows)("variation_id = -1")],
  },
  "credit_accounts (client_id) -> clients": {
    refused: () => [
      "INSERT INTO credit_accounts (client_id, currency, balance_minor, entries) VALUES ('missing-client', 'AUD', 0, 0)",
    ],
  },
  "credit_entries (client_id, currency) -> credit_accounts": {
    refused: (rows) => [
      ledger(rows, "'adjustment'", "NULL", "'a'").replace("'AUD'", "'EUR'"),
      ledger(rows, "'adjustment'", "NULL", "'a'").replace(rows.client, "'missing-client'"),
    ],
  },
  "credit_entries (order_id) -> orders": {
    refused: (rows) => [ledger(rows, "'cancellation'", "-1", "NULL")],
  },
  "product_sources (catalogue_id) -> catalogues": {
    refused: ({ simple }) => [
      `INSERT INTO product_sources (catalogue_id, source_key, product_id) VALUES (-1, 'a', ${String(simple)})`,
    ],
  },
  "staged_stock (catalogue_id) -> catalogues": {
    refused: (rows) => [staged({ ...rows, catalogue: -1 }, "NULL", "1")],
  },
  "staged_chunks (catalogue_id) -> catalogues": {
    refused: (rows) => [chunk({ ...rows, catalogue: -1 }, "names")],
  },
  "products (catalogue_id) -> catalogues": {
    refused: ({ simple }) => [`UPDATE products SET catalogue_id = -1 WHERE id = ${String(simple)}`],
  },
  "events (client_id) -> clients": {
    refused: (rows) => [event({ ...rows, client: "'missing-client'" }, { sequence: 1 })],
  },
  "events (order_id) -> orders": { refused: (rows) => [event(rows, { order: "-1" })] },
  "invoice_entries (client_id) -> clients": {
    refused: (rows) => [invoiceEntry({ ...rows, client: "'missing-client'" })],
  },
  "invoice_entries (order_id) -> orders": {
    refused: (rows) => [invoiceEntry(rows, { order: -1 })],
  },
  "webhooks (client_id) -> clients": {
    refused: (rows) => [insertWebhook({ ...rows, client: "'missing-client'" })],
  },
  "webhook_deliveries (webhook_id) -> webhooks": {
    given: withDelivery,
    refused: (rows) => [delivery(rows)("webhook_id = -1")],
  },
  "audit_entries (client_id) -> clients": {
    refused: (rows) => [audit(rows, { client: "'missing-client'" })],
    taken: (rows) => [audit(rows, { client: "NULL" })],
  },
  "audit_entries (order_id) -> orders": {
    refused: (rows) => [audit(rows, { order: "-1" })],
    taken: (rows) => [audit(rows, { order: String(rows.order) })],
  },
};

/** A copy of the order under this id. */
const orderWithId = ({ order: from }: Rows, id: number) =>
  `INSERT INTO orders (id, client_id, gift_order_method, status, gift_of_choice, branding_selected,
     email_template, product_id, product_revision, base_location, currency, product_price_minor, qty,
     subtotal_minor, shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms)
   SELECT ${String(id)}, client_id, 'direct', status, gift_of_choice, branding_selected,
     email_template, product_id, product_revision, base_location, currency, product_price_minor, qty,
     subtotal_minor, shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms
   FROM orders WHERE id = ${String(from)}`;

const REFUSING_TRIGGERS: Record<string, Case> = {
  order_id_in_range: {
    refused: (rows) => [orderWithId(rows, 9_007_199_254_740)],
    taken: (rows) => [orderWithId(rows, 9_007_199_254_739)],
  },
  credit_entries_are_never_changed: {
    refused: (rows) => [
      `UPDATE credit_entries SET note = 'changed' WHERE client_id = ${rows.client}`,
      `UPDATE credit_entries SET amount_minor = amount_minor WHERE client_id = ${rows.client}`,
    ],
  },
  credit_entries_are_never_deleted: {
    refused: (rows) => [`DELETE FROM credit_entries WHERE client_id = ${rows.client}`],
  },
  order_is_debited_once: {
    given: (rows) => [order(rows)("debit_sequence = 4")],
    refused: (rows) => [
      ledger(rows, "'order'", String(rows.order), "NULL", 5),
      ledger(rows, "'order'", String(rows.laterOrder), "NULL"),
      ledger(rows, "'order'", String(rows.order), "NULL").replace("'AUD'", "'USD'"),
      ledger({ ...rows, client: "'missing-client'" }, "'order'", String(rows.order), "NULL"),
    ],
    taken: (rows) => [ledger(rows, "'order'", String(rows.order), "NULL")],
  },
  refunds_are_added_up: {
    refused: (rows) => [
      ledger(rows, "'cancellation'", String(rows.order), "NULL").replace("'AUD'", "'USD'"),
      ledger({ ...rows, client: "'missing-client'" }, "'expiry'", String(rows.order), "NULL"),
      refundOf(rows, 3121),
    ],
    taken: (rows) => [refundOf(rows, 3120)],
  },
  events_follow_each_other: {
    refused: (rows) => [0, 2, 4].map((sequence) => event(rows, { sequence })),
    taken: (rows) => [event(rows)],
  },
  events_are_never_changed: {
    refused: (rows) => [
      `UPDATE events SET data = '{}' WHERE client_id = ${rows.client}`,
      `UPDATE events SET type = type WHERE client_id = ${rows.client}`,
    ],
  },
  events_are_never_deleted: {
    refused: (rows) => [`DELETE FROM events WHERE client_id = ${rows.client}`],
  },
  invoice_entries_add_up: {
    given: withInvoice,
    refused: (rows) => [
      ...[1, 3].map((sequence) => invoiceEntry(rows, { sequence, unpaid: 200 })),
      invoiceEntry(rows, { sequence: 2, unpaid: 199 }),
      invoiceEntry(rows, { sequence: 2, unpaid: 200, refund: 1 }),
    ],
    taken: (rows) => [invoiceEntry(rows, { sequence: 2, unpaid: 200 })],
  },
  invoice_entries_are_never_changed: {
    given: withInvoice,
    refused: (rows) => [
      `UPDATE invoice_entries SET reference = NULL WHERE client_id = ${rows.client}`,
      `UPDATE invoice_entries SET amount_minor = 1 WHERE client_id = ${rows.client}`,
    ],
  },
  invoice_entries_are_never_deleted: {
    given: withInvoice,
    refused: (rows) => [`DELETE FROM invoice_entries WHERE client_id = ${rows.client}`],
  },
  audit_entries_are_never_changed: {
    given: (rows) => [audit(rows)],
    refused: (rows) => [
      `UPDATE audit_entries SET actor = 'eve' WHERE client_id = ${rows.client}`,
      `UPDATE audit_entries SET after = after WHERE client_id = ${rows.client}`,
    ],
  },
  audit_entries_are_never_deleted: {
    given: (rows) => [audit(rows)],
    refused: (rows) => [`DELETE FROM audit_entries WHERE client_id = ${rows.client}`],
  },
};

const ALL = [
  ...casesOf(CHECKS, (name) => `CHECK constraint failed: ${name}`),
  ...casesOf(UNIQUE, (columns) => `UNIQUE constraint failed: ${columns}`),
  ...casesOf(FOREIGN_KEYS, () => "FOREIGN KEY constraint failed"),
  ...casesOf(REFUSING_TRIGGERS, (name) => name),
];

function casesOf(cases: Record<string, Case>, messageOf: (name: string) => string) {
  return Object.entries(cases).map(([name, each]) => ({ name, message: messageOf(name), ...each }));
}

/** Fails if the previous statement changed a row, so that the batch is rolled back. */
const ROLL_BACK = "SELECT json(iif(changes() > 0, 'roll back', '{}'))";

const batch = (...statements: string[]) =>
  env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));

describe("the database refuses to break", () => {
  test.each(ALL)("$name", async ({ message, given, refused, taken }) => {
    const rows = await createRows();
    const before = given?.(rows) ?? [];
    for (const sql of refused(rows)) {
      // The message ends with SQLite's name for the kind of constraint.
      await expect(batch(...before, sql), sql).rejects.toThrow(new RegExp(`${message}(?::|$)`));
    }
    for (const sql of taken?.(rows) ?? []) {
      await expect(batch(...before, sql, ROLL_BACK), sql).rejects.toThrow("malformed JSON");
    }
  });
});

describe("a new entry of a catalogue", () => {
  const entriesOf = async (catalogueId: number) => {
    const { results } = await env.DB.prepare(
      `SELECT version, product_id AS id, currency, lowest_unit_minor AS lowest
       FROM catalogue_entries WHERE catalogue_id = ? ORDER BY version, position`,
    )
      .bind(catalogueId)
      .all();
    return results;
  };

  test("gets its product's currency and lowest price", async () => {
    const { catalogue: id, simple, variable } = await createRows();
    expect(await entriesOf(id)).toEqual([
      { version: 1, id: simple, currency: "AUD", lowest: 3000 },
      { version: 1, id: variable, currency: "AUD", lowest: 2500 },
    ]);
  });

  test("does not change entries of other versions or catalogues", async () => {
    const product = simpleProduct();
    const { id } = product.product;
    const costing = (priceMinor: number) => ({
      ...product,
      product: { ...product.product, priceMinor },
    });
    const other = await createClient({ products: [costing(1000)] });
    const client = await createClient({ products: [product] });
    await publish(env.DB, client.catalogue, [costing(9000)], 1);
    expect(await entriesOf(other.catalogueId)).toEqual([
      { version: 1, id, currency: "AUD", lowest: 1500 },
    ]);
    expect(await entriesOf(client.catalogueId)).toEqual([
      { version: 1, id, currency: "AUD", lowest: 3000 },
      { version: 2, id, currency: "AUD", lowest: 9500 },
    ]);
  });
});

describe("every constraint of the schema has a case here", () => {
  const names = async (sql: string) =>
    (await env.DB.prepare(sql).all<{ name: string }>()).results.map(({ name }) => name).sort();
  const TABLES = `(SELECT name, sql FROM sqlite_master WHERE type = 'table'
    AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name <> 'd1_migrations')`;

  test("each CHECK, all of which have names", async () => {
    const definitions = (await names(`SELECT sql AS name FROM ${TABLES}`)).join("\n");
    const checks = [...definitions.matchAll(/(?:CONSTRAINT (\w+)\s+)?CHECK\b/g)];
    expect(checks.map(([, name]) => name).sort()).toEqual(Object.keys(CHECKS).sort());
  });

  test("each unique index", async () => {
    const unique = await names(
      `SELECT group_concat(t.name || '.' || c.name, ', ' ORDER BY c.seqno) AS name
       FROM ${TABLES} t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
       WHERE i."unique" AND i.origin <> 'pk' GROUP BY i.name`,
    );
    expect(unique).toEqual(Object.keys(UNIQUE).sort());
  });

  test("each foreign key", async () => {
    const keys = await names(
      `SELECT t.name || ' (' || group_concat(k."from", ', ' ORDER BY k.seq) || ') -> ' || k."table"
         AS name
       FROM ${TABLES} t, pragma_foreign_key_list(t.name) k GROUP BY t.name, k.id`,
    );
    expect(keys).toEqual(Object.keys(FOREIGN_KEYS).sort());
  });

  test("each trigger", async () => {
    const triggers = await names("SELECT name FROM sqlite_master WHERE type = 'trigger'");
    expect(triggers).toEqual(
      [
        ...Object.keys(REFUSING_TRIGGERS),
        "cancelled_redemptions_are_uncounted",
        "catalogue_entries_learn_their_price",
        "finished_orders_are_marked",
        "gifts_expire_with_their_order",
        "redeemed_gifts_are_counted",
      ].sort(),
    );
  });
});
