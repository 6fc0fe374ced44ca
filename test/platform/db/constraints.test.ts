// The constraints of the schema: each has a case here, apart from foreign keys.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { isUndelivered, SHIPMENT_STATUSES } from "../../../src/core/values/shipment-states.ts";
import { MAX_RENEWALS } from "../../../src/features/lifecycle/gift-state.ts";
import { createClient, orderOf, simpleProduct, variableProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

/** Rows for the cases: a client with a catalogue, and an order that it paid from its credit. */
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

/** All cases have the same rows, because every statement is rolled back. */
let rows: Awaited<ReturnType<typeof createRows>>;
beforeAll(async () => {
  rows = await createRows();
});

/** Statements, in which ":order" and other names stand for the values of the rows. */
interface Case {
  /** Statements that run before the others. */
  given?: string[];
  /** Statements that violate this constraint and no other. */
  refused: string[];
  /** Statements at the limit that the constraint permits. */
  taken?: string[];
}

const change =
  (table: string, where: string) =>
  (...assignments: string[]) =>
    assignments.map((set) => `UPDATE ${table} SET ${set} WHERE ${where}`);
const order = change("orders", "id = :order");
const gift = change("gifts", "order_id = :order");
const client = change("clients", "id = :client");
/** Adds the row of a set's spending with these amounts and limits. */
const spending = (amounts: string) =>
  `INSERT INTO credential_spending VALUES (:client, 'Shop', 'AUD', '2027-01-31', ${amounts})`;
const credentials = change("credentials", "client_id = :client");
const stock = change("stock", "product_id = :simple");
const catalogue = change("catalogues", "id = :catalogue");
const version = change("catalogue_versions", "catalogue_id = :catalogue");
const simpleRevision = change("product_revisions", "product_id = :simple");
const variableRevision = change("product_revisions", "product_id = :variable");
const account = change("credit_accounts", "client_id = :client");
const creditEntry = change("credit_entries", "client_id = :client");
const invoice = change("invoice_entries", "client_id = :client");
const changedEvent = change("events", "client_id = :client");
const audited = change("audit_entries", "client_id = :client");
const webhook = change("webhooks", "client_id = :client");
const delivery = change(
  "webhook_deliveries",
  "webhook_id = (SELECT id FROM webhooks WHERE client_id = :client)",
);
const emailOf = change("emails", "order_id = :order");
const staged = (quantity: string, sellable: string) =>
  `INSERT INTO staged_stock (catalogue_id, version, product_id, variation_id, quantity, sellable)
   VALUES (:catalogue, 2, :simple, 0, ${quantity}, ${sellable})`;
/** An entry after the account's three: the initial credit and the orders' debits. */
const ledger = (
  kind: string,
  orderId: string,
  reference: string,
  sequence = 4,
  amountMinor = 1,
  timeMs = "9e12",
) =>
  `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
     order_id, reference, created_at_ms)
   VALUES (:client, 'AUD', ${String(sequence)}, ${kind}, ${String(amountMinor)}, 0, ${orderId},
     ${reference}, ${timeMs})`;
/** The order counts a refund of 1. */
const COUNTED = "UPDATE orders SET refunded_minor = 1 WHERE id = :order";
const refundOf = (amountMinor: number) =>
  ledger("'cancellation'", ":order", "NULL", 4, amountMinor);
/** The first entries of a client on invoice: an order for 100 and another change of what is owed for it. */
const invoiceEntry = ({
  sequence = 1,
  kind = "'order'",
  order = ":order",
  amount = 100,
  unpaid = 100,
  refund = 0,
  reference = "NULL",
  timeMs = 1,
} = {}) =>
  `INSERT INTO invoice_entries (client_id, currency, sequence, kind, order_id, amount_minor,
      unpaid_minor, to_refund_minor, reference, created_at_ms)
    VALUES (:client, 'AUD', ${String(sequence)}, ${kind}, ${order}, ${String(amount)},
      ${String(unpaid)}, ${String(refund)}, ${reference}, ${String(timeMs)})`;
const withInvoice = [invoiceEntry()];
const statement = ({ number = 1, client = ":client" } = {}) =>
  `INSERT INTO statements (series, number, client_id, currency, month, to_ms, sender, addressee, created_at_ms)
   VALUES ('1970', ${String(number)}, ${client}, 'AUD', '1970-0${String(number)}', 5 + ${String(number)}, 'a', 'b', 9)`;
/** The same entry with a value date. */
const valued = (entry: string, valueMs: number) =>
  entry
    .replace("created_at_ms)", "created_at_ms, value_at_ms)")
    .replace(/\)$/, `, ${String(valueMs)})`);
/** The same entry with a row of a bank's file. */
const lined = (entry: string) =>
  entry.replace("created_at_ms)", "created_at_ms, bank_line)").replace(/\)$/, ", 'a')");
/** An event after the client's two: each order has one. */
const event = ({ sequence = 3, order = ":order", data = "NULL" } = {}) =>
  `INSERT INTO events (client_id, sequence, type, order_id, data, created_at_ms)
   VALUES (:client, ${String(sequence)}, 'order.paid', ${order}, ${data}, 1)`;
const giftEvent = (orderId: string) =>
  `INSERT INTO events (client_id, sequence, type, order_id, gift_sequence, created_at_ms)
   VALUES (:client, 3, 'gift.redeemed', ${orderId}, 1, 1)`;
const insertWebhook = (url = "https://a.example", status = "enabled") =>
  `INSERT INTO webhooks (client_id, url, status, secret_nonce, position, created_at_ms)
   VALUES (:client, '${url}', '${status}', 'nonce', 0, 1)`;
const withWebhook = [insertWebhook()];
const withDelivery = [
  insertWebhook(),
  `INSERT INTO webhook_deliveries (webhook_id, sequence, status, attempts)
   SELECT id, 1, 'delivered', 1 FROM webhooks WHERE client_id = :client`,
];
const shipment = ({
  order = ":order",
  status = "shipped",
  shippedAt = "1",
  deliveredAt = "NULL",
  carrier = "NULL",
  problem = "NULL",
} = {}) =>
  `INSERT INTO shipments (order_id, sequence, client_id, status, carrier, shipped_at_ms,
     delivered_at_ms, problem, updated_at_ms, change_id)
   VALUES (${order}, 1, :client, '${status}', ${carrier}, ${shippedAt}, ${deliveredAt}, ${problem}, 1, 'change')`;
const email = ({ sequence = 1, number = 1, message = "NULL" } = {}) =>
  `INSERT INTO emails (order_id, sequence, number, kind, status, due_ms, link_generation, attempts,
     attempted_at_ms, message_id)
   VALUES (:order, ${String(sequence)}, ${String(number)}, 'invitation', 'sent', 1, 0, 1, 1, ${message})`;
const CODE = {
  product: ":simple",
  fingerprint: "NULL",
  order: "NULL",
  sequence: "NULL",
  bound: "NULL",
  opened: "NULL",
  voided: "NULL",
  reason: "NULL",
};
const BOUND = { order: ":order", sequence: "1", bound: "1" };
const VOID = { voided: "2", reason: "'lost'" };
const code = (changes: Partial<typeof CODE> = {}) =>
  `INSERT INTO codes (product_id, fingerprint, order_id, sequence, bound_at_ms, opened_at_ms,
     voided_at_ms, void_reason, sealed, key_id, created_at_ms)
   VALUES (${Object.values({ ...CODE, ...changes }).join(", ")}, '', 'key', 1)`;
const codeOf = change("codes", "product_id = :simple");
const AUDIT = {
  type: "client",
  before: "NULL",
  after: "'{}'",
  client: ":client",
  order: "NULL",
  request: "NULL",
};
const audit = (changes: Partial<typeof AUDIT> = {}) => {
  const { type, before, after, client, order, request } = { ...AUDIT, ...changes };
  return `INSERT INTO audit_entries (created_at_ms, actor, action, request_id, subject_type,
     subject, client_id, order_id, before, after)
   VALUES (1, 'ada', 'client set', ${request}, '${type}', 'acme', ${client}, ${order}, ${before}, ${after})`;
};
/** The statement for a client that does not exist. */
const ofNobody = (sql: string) => sql.replace(":client", "'missing-client'");

/** The columns of an erased recipient. */
const ERASED_RECIPIENT: Record<string, string> = {
  first_name: "'Erased'",
  last_name: "'recipient'",
  email: "''",
  phone_number: "NULL",
  email_message: "NULL",
  delivery_address: "NULL",
  delivery_notes: "NULL",
  external_id: "NULL",
  metadata: "NULL",
  language: "NULL",
  delivery_email: "NULL",
  thank_you: "NULL",
  search_terms: "NULL",
};
const assignments = (columns: Record<string, string>) =>
  Object.entries({ ...columns, erased_at_ms: "1" })
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");

/** The column of the row refuses the first values, and accepts the others, which are at the limit. */
const column = (
  name: string,
  row: ReturnType<typeof change>,
  refused: string[],
  taken: string[],
): Case => ({
  refused: row(...refused.map((value) => `${name} = ${value}`)),
  taken: row(...taken.map((value) => `${name} = ${value}`)),
});

/** Each of "values" is accepted, and any other value is refused. */
const oneOf = (name: string, row: ReturnType<typeof change>, values: string[]): Case =>
  column(
    name,
    row,
    ["'other'", "''"],
    values.map((value) => `'${value}'`),
  );

const CHECKS: Record<string, Case> = {
  catalogue_version_was_staged: {
    refused: catalogue("version = staged_version + 1", "version = -1"),
    taken: catalogue("version = 0", "version = staged_version"),
  },
  totals_add_up: {
    refused: version(
      "total_products = total_products + 1",
      "total_physical = total_physical + 1",
      "total_digital = total_digital - 1",
    ),
    taken: version("total_products = total_products + 1, total_digital = total_digital + 1"),
  },
  only_simple_products_have_a_price: {
    refused: [...simpleRevision("price_minor = NULL"), ...variableRevision("price_minor = 1")],
  },
  price_not_negative: {
    refused: [
      ...simpleRevision("price_minor = -1", "shipping_minor = -1"),
      ...variableRevision("shipping_minor = -1"),
    ],
    taken: simpleRevision("price_minor = 0, shipping_minor = 0"),
  },
  stock_not_negative: column("quantity", stock, ["-1"], ["0", "NULL"]),
  only_sets_for_orders_have_limits: {
    refused: [...credentials("scope = 'admin', limits = '[]'", "scope = 'order', limits = 'x'")],
    taken: credentials("scope = 'order', limits = '[]'", "scope = 'admin', limits = NULL"),
  },
  only_sets_for_orders_are_restricted: {
    refused: credentials(
      "scope = 'admin', own = 1",
      "scope = 'read', budget = 'Shop'",
      "scope = 'order', own = 2",
    ),
    taken: credentials("scope = 'order', own = 1, budget = 'Shop'"),
  },
  spending_stays_within_its_limits: {
    refused: [spending("101, 101, 100, NULL"), spending("50, 101, NULL, 100")],
    taken: [spending("100, 100, 100, 100"), spending("999, 999, NULL, NULL")],
  },
  changes_are_current: {
    refused: order("updated_at_ms = -1"),
    taken: order("updated_at_ms = 0"),
  },
  order_status_known: oneOf("status", order, ["failed", "created", "paid", "cancieled"]),
  gift_order_method_known: oneOf("gift_order_method", order, [
    ...["email", "direct", "link", "api-purchase", "api-giftlink"],
  ]),
  qty_positive: {
    refused: order(
      "qty = 0, subtotal_minor = 0, order_total_minor = shipping_cost_minor + order_fee_minor",
    ),
    taken: order("qty = 1"),
  },
  subtotal_adds_up: {
    refused: order(
      "subtotal_minor = subtotal_minor + 1, order_total_minor = order_total_minor + 1",
      "qty = 2",
    ),
    taken: order(
      "qty = 2, subtotal_minor = 2 * subtotal_minor, order_total_minor = order_total_minor + subtotal_minor",
    ),
  },
  order_total_adds_up: {
    refused: order(
      "order_total_minor = order_total_minor + 1",
      "shipping_cost_minor = shipping_cost_minor - 1",
      "order_fee_minor = order_fee_minor + 1",
    ),
    taken: order("order_fee_minor = 0, order_total_minor = subtotal_minor + shipping_cost_minor"),
  },
  api_orders_carry_their_reference: {
    refused: ["api-purchase", "api-giftlink"].flatMap((method) =>
      ["order_ref_id", "placement_id", "request_digest"].flatMap((column) =>
        order(`gift_order_method = '${method}', ${column} = NULL`),
      ),
    ),
    taken: order(
      "gift_order_method = 'link', order_ref_id = NULL, placement_id = NULL, request_digest = NULL",
    ),
  },
  gift_link_orders_have_a_nonce: {
    refused: order("link_nonce = NULL"),
    taken: order("gift_order_method = 'api-purchase', link_nonce = NULL"),
  },
  took_stock_known: column("took_stock", order, ["-1", "3"], ["0", "1", "2"]),
  code_is_bound_with_its_time: {
    refused: [
      ...["order", "sequence", "bound"].map((name) => code({ ...BOUND, [name]: "NULL" })),
      code({ opened: "1" }),
    ],
    taken: [code(), code({ ...BOUND, opened: "1" })],
  },
  void_codes_have_a_reason: {
    refused: [code({ ...VOID, reason: "NULL" }), code({ ...VOID, voided: "NULL" })],
    taken: [code(VOID)],
  },
  sequence_in_range: column("sequence", gift, ["0", "1000"], ["999", "1"]),
  redemption_status_known: oneOf("redemption_status", gift, ["redeemed", "cancelled", "expired"]),
  credit_not_negative: column("balance_minor", account, ["-1"], ["0"]),
  entry_kind_known: {
    given: [COUNTED],
    refused: [ledger("'other'", ":order", "NULL")],
    taken: [ledger("'cancellation'", ":order", "NULL"), ledger("'expiry'", ":order", "NULL")],
  },
  entry_has_its_source: {
    refused: [
      ledger("'adjustment'", "NULL", "NULL"),
      ledger("'adjustment'", ":order", "'a'"),
      ledger("'adjustment'", ":order", "NULL"),
      ledger("'cancellation'", ":order", "'a'"),
      ledger("'cancellation'", "NULL", "'a'"),
      ledger("'cancellation'", "NULL", "NULL"),
    ],
    taken: [ledger("'adjustment'", "NULL", "'a'")],
  },
  staged_stock_not_negative: {
    refused: [staged("-1", "1")],
    taken: [staged("0", "1")],
  },
  last_id_in_range: {
    refused: [
      "UPDATE id_sequences SET last_id = -1",
      "UPDATE id_sequences SET last_id = 9007199254740992",
    ],
    taken: ["UPDATE id_sequences SET last_id = 9007199254740991"],
  },
  gift_events_have_an_order: {
    refused: [giftEvent("NULL")],
    taken: [giftEvent(":order"), event({ order: "NULL" })],
  },
  disabled_webhooks_have_a_reason: {
    given: withWebhook,
    refused: webhook("status = 'disabled'"),
  },
  pending_deliveries_have_a_next_attempt: {
    given: withDelivery,
    refused: delivery(
      "status = 'pending'",
      "next_attempt_at_ms = 1",
      "status = 'failed', next_attempt_at_ms = 1",
    ),
  },
  // The order has one recipient.
  closed_gifts_in_range: {
    refused: order(
      "redeemed_gifts = -1",
      "cancelled_gifts = -1",
      "expired_gifts = -1",
      "redeemed_gifts = 2",
      "expired_gifts = 2",
      "redeemed_gifts = 1, cancelled_gifts = 1",
      "redeemed_gifts = 2, cancelled_gifts = -1",
      "redeemed_gifts = 1, expired_gifts = 1",
      "cancelled_gifts = 1, expired_gifts = 1",
    ),
    taken: order("redeemed_gifts = 1", "cancelled_gifts = 1", "expired_gifts = 1"),
  },
  refunds_do_not_exceed_the_total: {
    refused: order("refunded_minor = -1", "refunded_minor = order_total_minor + 1"),
    taken: order("refunded_minor = order_total_minor"),
  },
  link_generation_in_range: column(
    "link_generation",
    gift,
    ["-1", String(MAX_RENEWALS + 1)],
    [String(MAX_RENEWALS)],
  ),
  shipment_status_known: {
    refused: [shipment({ status: "" }), shipment({ status: "Sent" })],
    taken: SHIPMENT_STATUSES.map((status) =>
      shipment({
        status,
        ...(status === "open" && { shippedAt: "NULL" }),
        ...(status === "delivered" && { deliveredAt: "1" }),
        ...(isUndelivered(status) && { problem: "'lost'" }),
      }),
    ),
  },
  undelivered_parcels_have_a_problem: {
    refused: [shipment({ status: "failed" }), shipment({ problem: "'lost'" })],
    taken: [shipment({ status: "returned", problem: "'refused'", deliveredAt: "2" })],
  },
  shipment_has_its_time: {
    refused: [shipment({ status: "open" }), shipment({ shippedAt: "NULL" })],
    taken: [shipment({ status: "open", shippedAt: "NULL" })],
  },
  delivery_has_its_time: {
    refused: [
      shipment({ status: "delivered" }),
      shipment({ deliveredAt: "2" }),
      shipment({ status: "sent", deliveredAt: "2" }),
    ],
    taken: [shipment({ status: "delivered", deliveredAt: "2" })],
  },
  only_parcels_have_tracking: {
    refused: [
      shipment({ status: "sent", carrier: "'DHL'" }),
      ...["tracking_number", "tracking_url"].map((column) =>
        shipment({ status: "sent", carrier: "'x'" }).replace("carrier,", `${column},`),
      ),
    ],
    taken: [shipment({ carrier: "'DHL'" })],
  },
  shipped_gifts_do_not_end: {
    refused: gift(
      "fulfilment = 'open'",
      "fulfilment = 'undelivered', redemption_status = 'cancelled'",
      "fulfilment = 'shipped', redemption_status = 'cancelled'",
      "fulfilment = 'shipped', redemption_status = 'expired'",
    ),
    taken: gift(
      "fulfilment = 'shipped'",
      "fulfilment = 'shipped', redemption_status = 'redeemed', redeemed_at_ms = 1",
      "redemption_status = 'cancelled'",
    ),
  },
  shipped_gifts_in_range: column("shipped_gifts", order, ["-1", "2"], ["1"]),
  redeemed_gifts_are_thanked_for: {
    refused: gift(
      "thank_you = 'Thanks', thanked_at_ms = 1, redemption_status = 'cancelled'",
      "thank_you = 'Thanks', redemption_status = 'redeemed', redeemed_at_ms = 1",
      "thanked_at_ms = 1, redemption_status = 'redeemed', redeemed_at_ms = 1",
    ),
    taken: gift(
      "thank_you = 'Thanks', thanked_at_ms = 1, redemption_status = 'redeemed', redeemed_at_ms = 1",
    ),
  },
  declined_gifts_are_cancelled: {
    refused: gift(
      "declined_at_ms = 1, redemption_status = 'expired'",
      "declined_at_ms = 1, redemption_status = 'redeemed', redeemed_at_ms = 1",
    ),
    taken: gift("declined_at_ms = 1, redemption_status = 'cancelled'"),
  },
  erased_recipients_have_no_data: {
    refused: [
      ...gift("erased_at_ms = 1"),
      ...Object.keys(ERASED_RECIPIENT).flatMap((column) => {
        const values = { ...ERASED_RECIPIENT, [column]: "'{}'" };
        // A note needs its time and a redeemed gift.
        const note = "thanked_at_ms = 1, redemption_status = 'redeemed', redeemed_at_ms = 1";
        return gift(assignments(values) + (column === "thank_you" ? `, ${note}` : ""));
      }),
    ],
    taken: gift(assignments(ERASED_RECIPIENT)),
  },
  erased_orders_have_no_data: {
    refused: order(
      "erased_at_ms = 1, sender_name = 'Ada'",
      "erased_at_ms = 1, link_message = 'Hello'",
      "erased_at_ms = 1, metadata = '{}'",
    ),
    taken: order("erased_at_ms = 1"),
  },
  audited_states_differ: {
    refused: [audit({ before: "'{}'" }), audit({ before: "NULL", after: "NULL" })],
    taken: [audit({ before: `'{"a":1}'` })],
  },
  invoice_entry_kind_known: {
    refused: [invoiceEntry({ kind: "'adjustment'" })],
    taken: [invoiceEntry({ kind: "'expiry'", amount: -100, unpaid: 0, refund: 100 })],
  },
  invoice_sums_not_negative: {
    given: withInvoice,
    refused: [
      invoiceEntry({ sequence: 2, amount: -101, unpaid: -1 }),
      invoiceEntry({ sequence: 2, amount: 1, unpaid: 100, refund: -1 }),
    ],
    taken: [invoiceEntry({ sequence: 2, amount: -100, unpaid: 0 })],
  },
  invoice_reference_of_money: {
    refused: [
      invoiceEntry({ reference: "'T-1'" }),
      invoiceEntry({ kind: "'expiry'", reference: "'T-1'", amount: -100, unpaid: 0, refund: 100 }),
    ],
    taken: [invoiceEntry({ kind: "'payment'", reference: "'T-1'" })],
  },
  invoice_bank_line_is_of_payment: {
    refused: [lined(invoiceEntry({ kind: "'refund'" }))],
    taken: [lined(invoiceEntry({ kind: "'payment'" }))],
  },
  credit_value_is_not_later: {
    refused: [
      valued(ledger("'adjustment'", "NULL", "'a'"), 9e12 + 1),
      valued(ledger("'expiry'", ":order", "NULL"), 1),
    ],
    taken: [valued(ledger("'adjustment'", "NULL", "'a'"), 9e12)],
  },
  invoice_value_is_not_later: {
    refused: [
      valued(invoiceEntry({ kind: "'payment'" }), 2),
      valued(invoiceEntry({ kind: "'refund'" }), 1),
    ],
    taken: [valued(invoiceEntry({ kind: "'payment'" }), 1)],
  },
  health_is_one_row: { refused: ["INSERT INTO health (id) VALUES (2)"] },
  gift_costs_not_negative: ["product_minor", "shipping_minor", "fee_minor"]
    .map((name) => column(name, gift, ["-1"], ["0"]))
    .reduce((all, each) => ({ ...all, refused: [all.refused, each.refused].flat() })),
  ended_gifts_return_at_most_their_cost: {
    refused: gift(
      "refunded_minor = 1",
      ...["-1", "3121"].map((minor) => `redemption_status = 'expired', refunded_minor = ${minor}`),
    ),
    taken: gift("refunded_minor = 0", "redemption_status = 'cancelled', refunded_minor = 3120"),
  },
  refunds_are_positive: {
    given: [COUNTED],
    refused: [refundOf(0), refundOf(-1)],
    taken: [refundOf(1)],
  },
  invoices_are_reduced: {
    given: withInvoice,
    refused: [0, 1].map((amount) =>
      invoiceEntry({ sequence: 2, kind: "'expiry'", amount, unpaid: 100 + amount }),
    ),
    taken: [invoiceEntry({ sequence: 2, kind: "'expiry'", amount: -1, unpaid: 99 })],
  },
  gift_took_stock_known: column("took_stock", gift, ["-1", "3"], ["0", "1", "2", "NULL"]),
  email_retries_have_a_time: {
    given: [email()],
    refused: emailOf("status = 'retry'", "next_attempt_at_ms = 1"),
    taken: emailOf("status = 'retry', next_attempt_at_ms = 1"),
  },
  outbox_is_one_row: { refused: ["INSERT INTO email_outbox (id) VALUES (2)"] },
};

/** A second product whose revision has the same name as that of the simple product. */
const twinRevision = [
  "INSERT INTO products (id) VALUES (:unusedProduct)",
  `INSERT INTO product_revisions (product_id, revision, product_type, delivery, currency,
     price_minor, shipping_minor, locations, variations, content)
   SELECT :unusedProduct, revision, product_type, delivery, currency, price_minor,
     shipping_minor, locations, variations, content
   FROM product_revisions WHERE product_id = :simple`,
];
const twinEntry = (position: string, deliveryPosition: string) =>
  `INSERT INTO catalogue_entries (catalogue_id, version, position, product_id, revision, delivery,
     delivery_position, changed_at_ms, currency, lowest_unit_minor)
   SELECT catalogue_id, version, ${position}, :unusedProduct, revision, delivery,
     ${deliveryPosition}, changed_at_ms, currency, lowest_unit_minor
   FROM catalogue_entries WHERE product_id = :simple`;
const twinEntryBehind = [twinEntry("position + 100", "delivery_position + 100")];

/** Unique indexes by their columns, without primary keys. */
const UNIQUE: Record<string, Case> = {
  "emails.message_id": {
    given: [email({ message: "'a'" })],
    refused: [email({ number: 2, message: "'a'" })],
    taken: [email({ number: 2, message: "'b'" }), email({ number: 3 }), email({ number: 4 })],
  },
  "codes.fingerprint": {
    given: [code({ fingerprint: "'a'" })],
    refused: [code({ product: ":variable", fingerprint: "'a'" })],
    taken: [code({ fingerprint: "'b'" }), code()],
  },
  "index 'codes_by_gift'": {
    given: [code(BOUND), code({ ...BOUND, ...VOID }), code()],
    refused: [code({ ...BOUND, product: ":variable" })],
    taken: [code({ ...BOUND, ...VOID }), code()],
  },
  "index 'audit_entries_by_request_id'": {
    given: [audit({ request: "'a'" }), audit({ type: "account", request: "'a'" })],
    refused: [audit({ request: "'a'" })],
    taken: [
      audit({ request: "'b'" }),
      audit(),
      audit(),
      audit({ type: "account", request: "'a'" }),
    ],
  },
  "vendors.name_key": {
    given: ["INSERT INTO vendors (name, name_key) VALUES ('Hop Lane', 'hop lane')"],
    refused: ["INSERT INTO vendors (name, name_key) VALUES ('HOP lane', 'hop lane')"],
  },
  "catalogues.name": {
    refused: ["INSERT INTO catalogues (name) SELECT name FROM catalogues WHERE id = :catalogue"],
  },
  "catalogue_entries.catalogue_id, catalogue_entries.version, catalogue_entries.position, catalogue_entries.revision, catalogue_entries.changed_at_ms":
    {
      given: twinRevision,
      refused: [twinEntry("position", "delivery_position + 100")],
      taken: twinEntryBehind,
    },
  "catalogue_entries.catalogue_id, catalogue_entries.version, catalogue_entries.delivery, catalogue_entries.delivery_position, catalogue_entries.revision, catalogue_entries.changed_at_ms":
    {
      given: twinRevision,
      refused: [twinEntry("position + 100", "delivery_position")],
      taken: twinEntryBehind,
    },
  "orders.client_id, orders.order_ref_id": {
    refused: [
      `UPDATE orders SET order_ref_id = (SELECT order_ref_id FROM orders WHERE id = :order)
       WHERE id = :laterOrder`,
    ],
  },
  "credit_entries.client_id, credit_entries.currency, credit_entries.reference": {
    refused: [ledger("'adjustment'", "NULL", "'initial credit'")],
    taken: [ledger("'adjustment'", "NULL", "'another'")],
  },
  // Endpoints that are not deleted.
  "webhooks.client_id, webhooks.url": {
    given: withWebhook,
    refused: [insertWebhook()],
    taken: [insertWebhook("https://b.example"), insertWebhook("https://a.example", "deleted")],
  },
};

/** A copy of the order under this id. */
const orderWithId = (id: number) =>
  `INSERT INTO orders (id, client_id, gift_order_method, status, gift_of_choice, branding_selected,
     email_template, product_id, product_revision, base_location, currency, product_price_minor, qty,
     subtotal_minor, shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms)
   SELECT ${String(id)}, client_id, 'direct', status, gift_of_choice, branding_selected,
     email_template, product_id, product_revision, base_location, currency, product_price_minor, qty,
     subtotal_minor, shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms
   FROM orders WHERE id = :order`;

const REFUSING_TRIGGERS: Record<string, Case> = {
  order_id_in_range: {
    refused: [orderWithId(9_007_199_254_740)],
    taken: [orderWithId(9_007_199_254_739)],
  },
  bound_codes_stay_bound: {
    given: [code(BOUND)],
    refused: codeOf(
      "order_id = :laterOrder",
      "sequence = 2",
      "order_id = NULL, sequence = NULL, bound_at_ms = NULL",
    ),
    taken: codeOf("order_id = :order", "voided_at_ms = 2, void_reason = 'lost'"),
  },
  void_codes_stay_void: {
    given: [code(VOID)],
    refused: codeOf(
      "voided_at_ms = NULL, void_reason = NULL",
      "order_id = :order, sequence = 1, bound_at_ms = 1",
    ),
    taken: codeOf("voided_at_ms = 3", "sealed = ''"),
  },
  revoked_credentials_are_not_used: {
    given: credentials("revoked_at_ms = 1"),
    refused: credentials("last_used_on = '2027-01-31'", "last_used_on = last_used_on"),
    taken: credentials("revoked_at_ms = 2"),
  },
  suspended_clients_use_no_credentials: {
    given: client("status = 'suspended'"),
    refused: credentials("last_used_on = '2027-01-31'", "last_used_on = last_used_on"),
    taken: credentials("revoked_at_ms = 1"),
  },
  statement_numbers_have_no_gaps: {
    given: [statement()],
    refused: [statement({ number: 3 }), statement()],
    taken: [statement({ number: 2 })],
  },
  statements_are_never_changed: {
    given: [statement()],
    refused: ["UPDATE statements SET sender = 'c'"],
  },
  statements_are_never_deleted: { given: [statement()], refused: ["DELETE FROM statements"] },
  credit_of_closed_months_stays: {
    given: [statement()],
    refused: [valued(ledger("'adjustment'", "NULL", "'a'"), 5)],
    taken: [valued(ledger("'adjustment'", "NULL", "'a'"), 6)],
  },
  invoices_of_closed_months_stay: {
    given: [statement()],
    refused: [valued(invoiceEntry({ kind: "'payment'", timeMs: 9 }), 5)],
    taken: [valued(invoiceEntry({ kind: "'payment'", timeMs: 9 }), 6)],
  },
  credit_entries_are_never_changed: {
    refused: creditEntry("note = 'changed'", "amount_minor = amount_minor"),
  },
  credit_entries_are_in_order_of_time: {
    refused: [ledger("'adjustment'", "NULL", "'a'", 4, 0, "1")],
    taken: [ledger("'adjustment'", "NULL", "'a'")],
  },
  credit_entries_are_never_deleted: {
    refused: ["DELETE FROM credit_entries WHERE client_id = :client"],
  },
  order_is_debited_once: {
    given: order("debit_sequence = 4"),
    refused: [
      ledger("'order'", ":order", "NULL", 5),
      ledger("'order'", ":laterOrder", "NULL"),
      ledger("'order'", ":order", "NULL").replace("'AUD'", "'USD'"),
      ofNobody(ledger("'order'", ":order", "NULL")),
    ],
    taken: [ledger("'order'", ":order", "NULL")],
  },
  refunds_are_added_up: {
    given: ["UPDATE orders SET refunded_minor = 3120 WHERE id = :order"],
    refused: [
      ledger("'cancellation'", ":order", "NULL").replace("'AUD'", "'USD'"),
      ofNobody(ledger("'expiry'", ":order", "NULL")),
      ...[refundOf(3119), refundOf(3121)],
    ],
    taken: [refundOf(3120)],
  },
  events_follow_each_other: {
    refused: [0, 2, 4].map((sequence) => event({ sequence })),
    taken: [event()],
  },
  events_are_never_changed: { refused: changedEvent("data = '{}'", "type = type") },
  events_are_never_deleted: { refused: ["DELETE FROM events WHERE client_id = :client"] },
  invoice_entries_add_up: {
    given: withInvoice,
    refused: [
      ...[1, 3].map((sequence) => invoiceEntry({ sequence, unpaid: 200 })),
      invoiceEntry({ sequence: 2, unpaid: 199 }),
      invoiceEntry({ sequence: 2, unpaid: 200, refund: 1 }),
    ],
    taken: [invoiceEntry({ sequence: 2, unpaid: 200 })],
  },
  invoice_entries_are_never_changed: {
    given: withInvoice,
    refused: invoice("reference = NULL", "amount_minor = 1"),
  },
  invoice_entries_are_in_order_of_time: {
    given: withInvoice,
    refused: [invoiceEntry({ sequence: 2, unpaid: 200, timeMs: 0 })],
    taken: [invoiceEntry({ sequence: 2, unpaid: 200 })],
  },
  invoice_entries_are_never_deleted: {
    given: withInvoice,
    refused: ["DELETE FROM invoice_entries WHERE client_id = :client"],
  },
  audit_entries_are_never_changed: {
    given: [audit()],
    refused: audited("actor = 'eve'", "after = after"),
  },
  audit_entries_are_never_deleted: {
    given: [audit()],
    refused: ["DELETE FROM audit_entries WHERE client_id = :client"],
  },
};

const ALL = [
  ...casesOf(CHECKS, (name) => `CHECK constraint failed: ${name}`),
  ...casesOf(UNIQUE, (columns) => `UNIQUE constraint failed: ${columns}`),
  ...casesOf(REFUSING_TRIGGERS, (name) => name),
];

function casesOf(cases: Record<string, Case>, messageOf: (name: string) => string) {
  return Object.entries(cases).map(([name, each]) => ({ name, message: messageOf(name), ...each }));
}

/** Fails if the previous statement changed a row, so that the batch is rolled back. */
const ROLL_BACK = "SELECT json(iif(changes() > 0, 'roll back', '{}'))";

/** Executes the statements in one transaction, with the values of the rows. */
const batch = (...statements: string[]) =>
  env.DB.batch(
    statements.map((sql) =>
      env.DB.prepare(
        sql.replace(/:([a-z]+)/gi, (_, name: keyof typeof rows) => String(rows[name])),
      ),
    ),
  );

describe("the database refuses to break", () => {
  test.each(ALL)("$name", async ({ message, given = [], refused, taken = [] }) => {
    for (const sql of refused) {
      // The message ends with SQLite's name for the kind of constraint.
      await expect(batch(...given, sql), sql).rejects.toThrow(new RegExp(`${message}(?::|$)`));
    }
    for (const sql of taken) {
      await expect(batch(...given, sql, ROLL_BACK), sql).rejects.toThrow("malformed JSON");
    }
  });
});

test("the database refuses what refers to nothing", async () => {
  for (const { given = [], sql } of [
    { sql: code({ ...BOUND, sequence: "9" }) },
    { sql: event({ order: "-1" }) },
    { sql: invoiceEntry({ order: "-1" }) },
    { sql: ledger("'cancellation'", "-1", "NULL"), given: [COUNTED] },
  ]) {
    await expect(batch(...given, sql), sql).rejects.toThrow("FOREIGN KEY constraint failed");
  }
});

describe("every constraint of the schema has a case here", () => {
  const names = async (sql: string) =>
    (await env.DB.prepare(sql).all<{ name: string }>()).results.map(({ name }) => name).sort();
  const TABLES = `(SELECT name, sql FROM sqlite_master WHERE type = 'table'
    AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name <> 'd1_migrations')`;

  test("each CHECK, all of which have names", async () => {
    const definitions = (await names(`SELECT sql AS name FROM ${TABLES}`)).join("\n");
    const checks = [...definitions.matchAll(/(?:CONSTRAINT (\w+)\s+)?CHECK\b/g)];
    expect(checks.map(([, name = ""]) => name).sort()).toEqual(Object.keys(CHECKS).sort());
  });

  test("each unique index", async () => {
    const unique = await names(
      `SELECT iif(count(*) = count(c.name), group_concat(t.name || '.' || c.name, ', ' ORDER BY c.seqno),
         format('index ''%s''', i.name)) AS name
       FROM ${TABLES} t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
       WHERE i."unique" AND i.origin <> 'pk' GROUP BY i.name`,
    );
    expect(unique).toEqual(Object.keys(UNIQUE).sort());
  });

  test("each trigger", async () => {
    const triggers = await names("SELECT name FROM sqlite_master WHERE type = 'trigger'");
    expect(triggers).toEqual(
      [
        ...Object.keys(REFUSING_TRIGGERS),
        "cancelled_redemptions_are_uncounted",
        "changed_gifts_are_found",
        "undelivered_gifts_are_marked",
        "undone_shipments_are_uncounted",
        "test_clients_have_the_status_of_their_parent",
        "ended_gifts_get_no_emails",
        "gifts_expire_with_their_order",
        "new_stock_is_not_available",
        "stock_is_available_or_not",
        "void_codes_leave_the_stock",
        "redeemed_gifts_are_counted",
      ].sort(),
    );
  });
});
