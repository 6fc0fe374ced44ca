// The checks of the invariants: each finds what was changed by hand, and names it.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { checkAll } from "../../../src/features/health/check.ts";
import { payOrders } from "../../../src/features/lifecycle/payment-queries.ts";
import { MINUTE_MS } from "../../../src/core/values/time.ts";
import {
  addCodesTo,
  codeProduct,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  variableProduct,
} from "../../support/fixtures.ts";
import { accept, changeParcels } from "../../support/gift.ts";
import { differencesOf, force } from "../../support/invariants.ts";
import { addDelivery, createWebhook } from "../../support/webhooks.ts";
import { startWorker } from "../../support/worker.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";

const worker = startWorker();
const simple = simpleProduct({ priceMinor: 1001, shippingMinor: 0 });
const variable = variableProduct();
let client: TestClient;
/** A client with two orders of one gift. */
let other: TestClient;
let otherOrders: number[];
/** Four gifts: the first is redeemed and shipped, the second is cancelled, the others are open. */
let order: number;
let webhook: number;
const coded = codeProduct();
let coding: TestClient;
/** Two gifts: the first is accepted and has a code. */
let codeOrder: number;

beforeAll(async () => {
  client = await createClient({ products: [simple, variable], feeBasisPoints: 0 });
  const body = orderOf(simple, { recipient_details: recipients(4) });
  const { json } = await worker.post(client, "/api/gift-link", body);
  order = json.order_data.order_id;
  await accept(worker, new URL(json.recipient_return[0].gift_url).pathname);
  await worker.post(client, "/api/order/cancel", {
    order_id: order,
    suborder_ids: [order * 1000 + 2],
  });
  await changeParcels("ship", [{ orderId: order, sequence: 1 }]);
  webhook = (await createWebhook(worker, client)).webhook_id;
  await addDelivery(webhook, 1);
  const product = simpleProduct();
  other = await createClient({ products: [product] });
  const place = async () => {
    const placed = await worker.post(other, "/api/order", orderOf(product));
    return placed.json.order_data.order_id as number;
  };
  otherOrders = [await place(), await place()];
  coding = await createClient({ products: [coded] });
  await addCodesTo(coded, 5);
  const two = orderOf(coded, { recipient_details: recipients(2) });
  const placed = (await worker.post(coding, "/api/gift-link", two)).json;
  codeOrder = placed.order_data.order_id;
  await accept(worker, new URL(placed.recipient_return[0].gift_url).pathname);
});

interface Change {
  table: string;
  /** The change, and the change back. Words such as `ORDER` and `CLIENT` are replaced by ids, `"#ORDER"` by a number. */
  change: string | string[];
  back: string | string[];
}

/** The check, the object, the field, the expected value and the found one. */
type Difference = [string, string, string, unknown, unknown];

const inOrder = (...rest: [field: string, expected: unknown, found: unknown]): Difference => [
  "orders",
  "ORDER",
  ...rest,
];

const set = (table: string, where: string, column: string, value: string, old: string) => ({
  table,
  change: `UPDATE ${table} SET ${column} = ${value} WHERE ${where}`,
  back: `UPDATE ${table} SET ${column} = ${old} WHERE ${where}`,
});
const ofOrder = (column: string, value: number, old: number) =>
  set("orders", "id = ORDER", column, String(value), String(old));
const ACCOUNT = "client_id = 'CLIENT' AND currency = 'AUD'";

const CASES: Record<string, [Change, ...Difference[]]> = {
  "a gift too many": [
    {
      table: "gifts",
      change: `INSERT INTO gifts (order_id, sequence, first_name, last_name, email, product_minor, shipping_minor, fee_minor, product_id)
      VALUES (ORDER, 9, 'A', 'B', 'a@example.com', 0, 0, 0, SIMPLE)`,
      back: "DELETE FROM gifts WHERE order_id = ORDER AND sequence = 9",
    },
    inOrder("gifts", 4, 5),
  ],
  "a wrong count of redeemed gifts": [
    ofOrder("redeemed_gifts", 2, 1),
    inOrder("events", [2, 1, 0], [1, 1, 0]),
  ],
  "a wrong count of cancelled gifts": [
    ofOrder("cancelled_gifts", 0, 1),
    inOrder("cancelled_gifts", 1, 0),
    inOrder("events", [1, 0, 0], [1, 1, 0]),
  ],
  "a wrong count of expired gifts": [
    ofOrder("expired_gifts", 1, 0),
    inOrder("expired_gifts", 0, 1),
    inOrder("events", [1, 1, 1], [1, 1, 0]),
  ],
  "a wrong count of shipped gifts": [
    ofOrder("shipped_gifts", 2, 1),
    inOrder("shipped_gifts", 1, 2),
  ],
  "a gift that is marked as shipped and has no shipment": [
    set("gifts", "order_id = ORDER AND sequence = 3", "fulfilment", "'shipped'", "NULL"),
    inOrder("shipped_gifts", 2, 1),
    inOrder("shipments", [1, 3], [1]),
  ],
  "a shipment of a gift that is not marked as shipped": [
    set("gifts", "order_id = ORDER AND sequence = 1", "fulfilment", "NULL", "'shipped'"),
    inOrder("shipped_gifts", 0, 1),
    inOrder("shipments", [], [1]),
  ],
  "a shipment without a gift": [
    {
      table: "shipments",
      change: `INSERT INTO shipments
      (order_id, sequence, client_id, status, shipped_at_ms, updated_at_ms, change_id)
      VALUES (ORDER, 9, 'CLIENT', 'shipped', 1, 1, 'x')`,
      back: "DELETE FROM shipments WHERE order_id = ORDER AND sequence = 9",
    },
    inOrder("shipments", [1], [1, 9]),
  ],
  "a shipment of another client": [
    set("shipments", "order_id = ORDER", "client_id", "'OTHER_CLIENT'", "'CLIENT'"),
    inOrder("shipments", [1], []),
  ],
  "a wrong sum of refunds": [
    ofOrder("refunded_minor", 1000, 1001),
    inOrder("refunded_minor", 1001, 1000),
    inOrder("refunds", 1000, 1001),
  ],
  "a gift of another cost": [
    set(
      "gifts",
      "order_id = ORDER AND sequence = 3",
      "fee_minor",
      "fee_minor + 1",
      "fee_minor - 1",
    ),
    inOrder("costs", [4004, 0, 0], [4004, 0, 1]),
  ],
  "a debit of another amount": [
    set("credit_entries", `${ACCOUNT} AND sequence = 2`, "amount_minor", "-4000", "-4004"),
    inOrder("debit", ["#ORDER", -4004], ["#ORDER", -4000]),
    ["credit_entries", "CLIENT/AUD/2", "balance_minor", 99996000, 99995996],
  ],
  "a debit that its order does not name": [
    ofOrder("debit_sequence", 7, 2),
    inOrder("debit", ["#ORDER", -4004], null),
  ],
  "a refund of another amount": [
    set("credit_entries", `${ACCOUNT} AND sequence = 3`, "amount_minor", "1002", "1001"),
    inOrder("refunds", 1001, 1002),
    ["credit_entries", "CLIENT/AUD/3", "balance_minor", 99996998, 99996997],
  ],
  "a gap in the ledger": [
    {
      ...set("credit_entries", `${ACCOUNT} AND sequence = 3`, "sequence", "4", "3"),
      change: `UPDATE credit_entries SET sequence = 4 WHERE ${ACCOUNT} AND sequence = 3`,
      back: `UPDATE credit_entries SET sequence = 3 WHERE ${ACCOUNT} AND sequence = 4`,
    },
    ["credit_entries", "CLIENT/AUD/4", "previous", 3, 0],
    ["credit_accounts", "CLIENT/AUD", "entries", 4, 3],
  ],
  "a balance that is not that of the last entry": [
    set("credit_accounts", ACCOUNT, "balance_minor", "99996998", "99996997"),
    ["credit_accounts", "CLIENT/AUD", "balance_minor", 99996997, 99996998],
  ],
  "an account without its last entry": [
    set("credit_accounts", ACCOUNT, "entries", "4", "3"),
    ["credit_accounts", "CLIENT/AUD", "entries", 3, 4],
  ],
  "an entry of an order of another account": [
    set("orders", "id = ORDER", "currency", "'USD'", "'AUD'"),
    inOrder("debit", ["#ORDER", -4004], null),
  ],
  "an entry of an order of another client": [
    set("credit_entries", `${ACCOUNT} AND sequence = 2`, "order_id", "OTHER", "ORDER"),
    inOrder("debit", ["#ORDER", -4004], ["#OTHER", -4004]),
  ],
  "an amount that is owed without an entry": [
    set("orders", "id = ORDER", "owed_minor", "5", "NULL"),
    inOrder("owed_minor", null, 5),
  ],
  "an amount that is owed in another currency": [
    {
      table: "invoice_entries",
      change: ["'AUD', 1, 'order', ORDER, 9, 9", "'USD', 1, 'order', ORDER, 7, 7"].map(
        (entry) =>
          `INSERT INTO invoice_entries VALUES ('CLIENT', ${entry}, 0, NULL, 0, NULL, NULL)`,
      ),
      back: "DELETE FROM invoice_entries WHERE client_id = 'CLIENT'",
    },
    inOrder("owed_minor", 9, null),
  ],
  "an event of an order of another client": [
    set("events", "client_id = 'CLIENT' AND sequence = 4", "order_id", "OTHER", "ORDER"),
    ["events", "CLIENT/4", "client", "CLIENT", "OTHER_CLIENT"],
  ],
  "an event of a gift that does not exist": [
    set("events", "client_id = 'CLIENT' AND sequence = 4", "gift_sequence", "7", "1"),
    ["events", "CLIENT/4", "gift", 7, null],
  ],
  "an order without the event of its placement": [
    set("events", "order_id = LATER", "type", "'order.extended'", "'order.paid'"),
    ["orders", "LATER", "placed", "#LATER", null],
  ],
  "a redeemed gift without its event": [
    set(
      "events",
      "client_id = 'CLIENT' AND sequence = 2",
      "type",
      "'gift.renewed'",
      "'gift.redeemed'",
    ),
    inOrder("events", [1, 1, 0], [0, 1, 0]),
  ],
  "an event of a cancellation that the gift does not have": [
    set("events", "client_id = 'CLIENT' AND sequence = 3", "gift_sequence", "1", "2"),
    ["events", "CLIENT/3", "state", "cancelled", "redeemed"],
  ],
  "a webhook endpoint after the last event": [
    set("webhooks", "id = WEBHOOK", "position", "99", "4"),
    ["webhooks", "WEBHOOK", "position", 4, 99],
  ],
  "a delivery of an event that does not exist": [
    set("webhook_deliveries", "webhook_id = WEBHOOK", "sequence", "99", "1"),
    ["webhooks", "WEBHOOK", "last_delivery", 4, 99],
  ],
  "a code that is not in the stock": [
    {
      table: "codes",
      change:
        "INSERT INTO codes (product_id, sealed, key_id, created_at_ms) VALUES (CODED, '', 'more', 0)",
      back: "DELETE FROM codes WHERE key_id = 'more'",
    },
    ["stock", "CODED/0", "quantity", 4, 3],
  ],
  "a gift that was sent without a code": [
    {
      table: "codes",
      change: "UPDATE codes SET voided_at_ms = 1, void_reason = '' WHERE order_id = CODEORDER",
      back: "UPDATE codes SET voided_at_ms = NULL, void_reason = NULL WHERE order_id = CODEORDER",
    },
    ["orders", "CODEORDER", "codes", [1], []],
  ],
  "a variation without stock": [
    {
      ...set("stock", "variation_id = SMALL", "variation_id", "1", "SMALL"),
      change: "UPDATE stock SET variation_id = 1 WHERE variation_id = SMALL",
      back: "UPDATE stock SET variation_id = SMALL WHERE product_id = VARIABLE AND variation_id = 1",
    },
    ["catalogue_entries", "CATALOGUE/1/VARIABLE", "without_stock", [], ["#SMALL"]],
  ],
};

test("orders that are placed and changed during the checks cause no false alarm", async () => {
  const product = simpleProduct({}, { quantity: 10_000 });
  const busy = await createClient({ products: [product] });
  let writing = true;
  const write = async () => {
    for (let count = 0; count < 4; count++) {
      const body = orderOf(product, { recipient_details: recipients(3) });
      const { json } = await worker.post(busy, "/api/gift-link", body);
      const id = json.order_data.order_id as number;
      await accept(worker, new URL(json.recipient_return[0].gift_url).pathname);
      const suborder_ids = [id * 1000 + 2];
      await worker.post(busy, "/api/order/cancel", { order_id: id, suborder_ids });
    }
    writing = false;
  };
  const check = async () => {
    while (writing) expect(await differencesOf([busy])).toEqual([]);
  };
  await Promise.all([write(), write(), check()]);
});

test("an order that is paid by a computer whose clock is late causes no false alarm", async () => {
  const product = simpleProduct();
  const invoiced = await createClient({ products: [product], billing: "invoice" });
  await worker.post(invoiced, "/api/order", orderOf(product));
  const { json } = await worker.post(invoiced, "/api/order", orderOf(product));
  const key = { orderId: json.order_data.order_id as number, ...NO_CLIENT, orderRefId: null };
  await payOrders(env.DB, [
    {
      ...key,
      reference: null,
      owedMinor: null,
      nowMs: Date.now() - MINUTE_MS,
    },
  ]);
  expect(await differencesOf([invoiced])).toEqual([]);
});

describe("a difference is found and named", () => {
  test.for(Object.entries(CASES))("%s", async ([, [{ table, change, back }, ...differences]]) => {
    const [small, large] = variable.product.variations;
    const names: Record<string, string | number | undefined> = {
      OTHER_CLIENT: other.clientId,
      OTHER: otherOrders[0],
      ORDER: order,
      CODED: coded.product.id,
      CODEORDER: codeOrder,
      LATER: otherOrders[1],
      CLIENT: client.clientId,
      WEBHOOK: webhook,
      CATALOGUE: client.catalogueId,
      SIMPLE: simple.product.id,
      VARIABLE: variable.product.id,
      SMALL: small?.id,
      LARGE: large?.id,
    };
    const fill = <T>(value: T): T =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll(/"#([A-Z]+)"/g, (_, name: string) => String(names[name]))
          .replaceAll(/OTHER_CLIENT|[A-Z]{5,}/g, (name) => String(names[name] ?? name)),
      ) as T;
    await force([table], [fill(change)].flat());
    try {
      expect(
        (await differencesOf([client, other, coding])).map((each) => [
          ...[each.check, each.object, each.field, each.expected, each.found],
        ]),
      ).toEqual(fill(differences));
    } finally {
      await force([table], [fill(back)].flat());
    }
  });

  test("and none after all changes back", async () => {
    expect(await differencesOf([client, other, coding])).toEqual([]);
  });
});

test("chunks cover all rows, and read rows in proportion to their size", async () => {
  const many = await createClient({ products: [simple] });
  for (let count = 0; count < 6; count++) {
    const body = orderOf(simple, { recipient_details: recipients(3) });
    await worker.post(many, "/api/gift-link", body);
  }
  const change = (count: number) =>
    `UPDATE orders SET shipped_gifts = ${String(count)} WHERE client_id = '${many.clientId}'`;
  await force(["orders"], [change(1)]);
  const largest = await env.DB.prepare(
    `SELECT max((SELECT max(qty) FROM orders),
       (SELECT max(json_array_length(variations)) FROM product_revisions)) AS n`,
  ).first<number>("n");
  for (const limit of [2, 5]) {
    const found = [];
    for await (const { differences, rowsRead } of checkAll(env.DB, limit)) {
      expect(rowsRead).toBeLessThanOrEqual(limit * (20 + 5 * Number(largest)));
      found.push(...differences.filter(({ clientId }) => clientId === many.clientId));
    }
    expect(found.map(({ field }) => field)).toEqual(Array(6).fill("shipped_gifts"));
  }
  await force(["orders"], [change(0)]);
});
