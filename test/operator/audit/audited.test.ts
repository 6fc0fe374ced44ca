// The audit log is written in the transaction of the change.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { audited, type AuditedChange } from "../../../src/operator/audit/audited.ts";
import { type AuditFilter, listAudit } from "../../../src/operator/audit/queries.ts";
import type { Subjects } from "../../../src/operator/audit/subjects.ts";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import {
  addClient,
  addCredential,
  revokeCredential,
  updateClient,
} from "../../../src/operator/clients/queries.ts";
import { adjustCredit, setCreditAlert } from "../../../src/features/credit/adjust-queries.ts";
import { batch, type Database, statement } from "../../../src/platform/db/statement.ts";
import { changeShipments } from "../../../src/features/fulfilment/change.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import {
  markForRedelivery,
  setDisabled,
  upsertWebhook,
} from "../../../src/features/webhooks/queries.ts";
import { suborderId } from "../../../src/core/values/ids.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { failingBatches, LOST, type When } from "../../support/faults.ts";
import {
  openShop,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  unique,
  withStock,
} from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const CHANGE = {
  actor: "ada",
  action: "a change",
  requestId: null,
  reason: null,
  nowMs: 1_000,
};

const auditedBy = (d1: D1Database, subjects: Subjects[], change: Partial<AuditedChange> = {}) =>
  audited(d1, { ...CHANGE, subjects, ...change });

const byClient = (
  type: "client" | "credential" | "account" | "webhook",
  { clientId }: TestClient,
) => auditedBy(env.DB, [{ type, keys: [clientId] }]);

/** The object of each of the client's entries, oldest first, with its states before and after. */
async function entriesOf({ clientId }: { clientId: string }) {
  const entries = await listAudit(env.DB, { clientId, limit: 10_000 });
  return entries
    .reverse()
    .map(({ subjectType, subject, before, after }) => [`${subjectType} ${subject}`, before, after]);
}

const snapshots = () => env.DB.prepare("SELECT count(*) AS n FROM audit_snapshots").first("n");

async function createOrder(count: number, path = "/api/gift-link") {
  const { product, client } = await openShop(simpleProduct({}, { quantity: 1_000 }));
  const body = orderOf(product, { recipient_details: recipients(count) });
  const { json } = await startWorker().post(client, path, body);
  const orderId = json.order_data.order_id as number;
  return { client, orderId, number: `GO-${String(orderId).padStart(5, "0")}` };
}

const cancelling = (db: Database, orderId: number, suborderIds: number[] | null = null) =>
  cancel(db, {
    ...operatorKey(orderId),
    suborderIds,
    requestId: crypto.randomUUID(),
    nowMs: Date.now(),
  });

const shipping = () => ({ clientId: null, requestId: crypto.randomUUID(), nowMs: Date.now() });

const sequences = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

const OPEN_GIFT = {
  redemptionStatus: null,
  shipment: null,
  corrections: 0,
  linkGeneration: 0,
  expiresAtMs: null,
  sendAtMs: null,
  emailsStopped: null,
  carrier: null,
  shipmentUpdatedAtMs: null,
  erasedAtMs: null,
};
const UPDATED = { shipmentUpdatedAtMs: expect.any(Number) as number };

const RENAME = statement<{ clientId: string; name: string }, { name: string; id: string }>()`
  UPDATE clients SET name = ${"name"} WHERE id = ${"clientId"} RETURNING name, id`;
const SELECT_NAME = statement<{ clientId: string }, { name: string }>()`
  SELECT name FROM clients WHERE id = ${"clientId"}`;

type Write = (db: Database, params: { clientId: string; name: string }) => Promise<unknown>;

/** Each way to write, with what it returns. */
const WRITES: [string, Write, unknown][] = [
  ["statement.first", (db, params) => RENAME.first(db, params), { name: "New" }],
  ["statement.all", (db, params) => RENAME.all(db, params), [{ name: "New" }]],
  ["first with a column", (db, params) => RENAME.bind(db, params).first("name"), "New"],
  ["raw", async (db, params) => (await RENAME.bind(db, params).raw())[0]?.[0], "New"],
  ["run", async (db, params) => (await RENAME.bind(db, params).run()).meta.changes, 1],
  [
    "batch",
    async (db, params) => {
      const { before, update, after } = await batch(db, {
        before: SELECT_NAME.bind(db, params),
        update: RENAME.bind(db, params),
        after: SELECT_NAME.bind(db, params),
      });
      expect(update.meta.changes).toBe(1);
      expect(before.results[0]?.name).not.toBe("New");
      return after.results;
    },
    [{ name: "New" }],
  ],
  [
    "a batch of a session",
    async (db, params) => {
      const session = (db as D1Database).withSession("first-primary");
      const { update } = await batch(session, { update: RENAME.bind(session, params) });
      return update.meta.changes;
    },
    1,
  ],
];

/** A new client as the log shows it. */
const stateOf = ({ clientId, catalogue }: TestClient) => ({
  name: `Company ${clientId}`,
  status: "active",
  billing: "credit",
  feeBasisPoints: 400,
  defaultCurrency: "AUD",
  catalogue,
  branding: null,
  mayCancel: true,
  redeemWithinDays: null,
  refundDeclined: true,
  supportEmail: null,
  retainDays: null,
  reminderDays: 7,
  notifyShipped: false,
  wrapEmails: false,
  replyTo: null,
  register: null,
});

/** A new endpoint as the log shows it. */
const ENDPOINT = {
  status: "enabled",
  disabledReason: null,
  description: "CRM",
  eventTypes: null,
  position: 0,
  failingSinceMs: null,
  pausedUntilMs: null,
};

describe("an audited database", () => {
  test("writes who changed what, with the state before and after", async () => {
    const client = await createClient();
    const { clientId } = client;
    const subjects = [{ type: "client" as const, keys: [clientId] }];
    const db = auditedBy(env.DB, subjects, { action: "client suspend", reason: "unpaid" });
    expect(await updateClient(db, clientId, { status: "suspended" })).toBe(true);
    const state = stateOf(client);
    expect(await listAudit(env.DB, { clientId, limit: 9 })).toEqual([
      {
        id: expect.any(Number),
        createdAtMs: 1_000,
        actor: "ada",
        action: "client suspend",
        requestId: null,
        subjectType: "client",
        subject: clientId,
        clientId,
        orderId: null,
        reason: "unpaid",
        before: state,
        after: { ...state, status: "suspended" },
      },
    ]);
    expect(await snapshots()).toBe(0);
  });

  test.each(WRITES)("returns the caller's own results: %s", async (_, write, expected) => {
    const client = await createClient();
    const params = { clientId: client.clientId, name: "New" };
    const result = await write(byClient("client", client), params);
    if (typeof expected === "object") expect(result).toMatchObject(expected as object);
    else expect(result).toBe(expected);
    expect(await entriesOf(client)).toMatchObject([
      [expect.any(String), expect.anything(), { name: "New" }],
    ]);
  });
});

describe("the log of an audited database", () => {
  test("has no entry if nothing changes, and none for a read", async () => {
    const client = await createClient();
    const { clientId } = client;
    const meter = newMeter();
    const db = auditedBy(meteredD1(env.DB, meter), [{ type: "client", keys: [clientId] }]);
    const name = `Company ${clientId}`;
    expect(await SELECT_NAME.first(db, { clientId })).toEqual({ name });
    const select = SELECT_NAME.bind(db, { clientId });
    await batch(db, { first: select, second: select });
    expect(meter).toMatchObject({ roundTrips: 2, statements: 3 });
    expect(await RENAME.all(db, { clientId, name })).toEqual([{ name, id: clientId }]);
    expect(await RENAME.first(db, { clientId: "no such client", name })).toBeNull();
    expect(meter.roundTrips).toBe(4);
    expect(await entriesOf(client)).toEqual([]);
  });

  test("has no entry if the change fails", async () => {
    const client = await createClient({ creditMinor: 100 });
    const db = byClient("account", client);
    const { clientId } = client;
    const adjustment = { clientId, currency: "AUD" as const, reference: "r", note: null };
    await expect(adjustCredit(db, { ...adjustment, amountMinor: -101, nowMs: 1 })).rejects.toThrow(
      "credit_not_negative",
    );
    expect(await entriesOf(client)).toEqual([]);
    expect(await snapshots()).toBe(0);
  });

  test.each<[When, number]>([
    ["before the commit", 1],
    ["after the commit", 1],
    ["after the commit", 2],
  ])(
    "has one entry if the answer is lost %s, %d times, and the change is retried",
    async (when, times) => {
      // The retry does not wait.
      vi.spyOn(scheduler, "wait").mockResolvedValue();
      const { client, orderId, number } = await createOrder(2);
      const failing = failingBatches(new Error(LOST), when, times);
      const db = auditedBy(failing, [{ type: "order", keys: [orderId] }]);
      expect(await cancelling(db, orderId)).toMatchObject({ changed: true });
      expect(await entriesOf(client)).toMatchObject([
        [`order ${number}`, { status: "paid" }, { status: "cancieled" }],
      ]);
      expect(await snapshots()).toBe(0);
    },
  );

  test("has an entry for each gift, at 12 rows read and 6 written", async () => {
    /** Ships a part of an order that is not shipped yet, and returns the cost. */
    const ship = async (orderId: number, count: number, subjects: Subjects[]) => {
      const meter = newMeter();
      const db = auditedBy(meteredD1(env.DB, meter), subjects);
      const gifts = sequences(count).map((sequence) => ({ orderId, sequence, carrier: "Post" }));
      await changeShipments(db, "ship", gifts, shipping());
      expect(meter.roundTrips).toBe(1);
      return meter;
    };
    for (const count of [20, 100]) {
      const [plain, order] = [
        await createOrder(count, "/api/order"),
        await createOrder(count, "/api/order"),
      ];
      const keys = sequences(count).map((sequence) => suborderId(order.orderId, sequence));
      const before = await ship(plain.orderId, count, []);
      const after = await ship(order.orderId, count, [{ type: "gift", keys }]);
      const entries = await entriesOf(order.client);
      expect(entries).toHaveLength(count);
      expect(entries).toContainEqual([
        `gift ${order.number}-${String(count)}`,
        OPEN_GIFT,
        { ...OPEN_GIFT, ...UPDATED, shipment: "shipped", carrier: "Post" },
      ]);
      expect(after.rowsRead - before.rowsRead).toBeLessThan(12 * count);
      expect(after.rowsWritten - before.rowsWritten).toBe(6 * count + 3);
    }
  });
});

describe("the state of", () => {
  test("a client that is added, and its credential sets, without their values", async () => {
    const { catalogueId } = await createClient();
    const client = { clientId: `client-${String(unique())}` } as TestClient;
    const profile = { name: "N", billing: "invoice", defaultCurrency: "AUD" } as const;
    const terms = { feeBasisPoints: 0, catalogueId, createdAtMs: 1 };
    await addClient(byClient("client", client), { ...profile, ...terms, id: client.clientId });
    const db = byClient("credential", client);
    const secret = { apiKey: "k", apiPassword: "p" };
    const first = await addCredential(db, client.clientId, secret, 5);
    const other = { ...secret, apiKey: "l" };
    const second = await addCredential(db, client.clientId, other, 6);
    await revokeCredential(db, client.clientId, Number(first), 7);
    expect(await revokeCredential(db, client.clientId, Number(first), 8)).toBe(false);
    expect(await entriesOf(client)).toMatchObject([
      [`client ${client.clientId}`, null, { name: "N" }],
      [`credential ${String(first)}`, null, { scope: "admin", createdAtMs: 5, revokedAtMs: null }],
      [`credential ${String(second)}`, null, { createdAtMs: 6, revokedAtMs: null }],
      [
        `credential ${String(first)}`,
        { createdAtMs: 5, revokedAtMs: null },
        { createdAtMs: 5, revokedAtMs: 7 },
      ],
    ]);
    expect(JSON.stringify(await entriesOf(client))).not.toContain("igest");
  });

  test("a credit account: its balance and its alert, once for each reference", async () => {
    const client = await createClient();
    const { clientId } = client;
    const db = byClient("account", client);
    const adjustment = { clientId, reference: "r", note: null, nowMs: 1 };
    for (const currency of ["AUD", "AUD", "EUR"] as const) {
      await adjustCredit(db, { ...adjustment, currency, amountMinor: 500 });
    }
    await setCreditAlert(db, { clientId, currency: "EUR", belowMinor: 9_000 });
    const account = (currency: string) => `account ${clientId} ${currency}`;
    expect(await entriesOf(client)).toEqual([
      [
        account("AUD"),
        { balanceMinor: 100_000_000, alertBelowMinor: null },
        { balanceMinor: 100_000_500, alertBelowMinor: null },
      ],
      [account("EUR"), null, { balanceMinor: 500, alertBelowMinor: null }],
      [
        account("EUR"),
        { balanceMinor: 500, alertBelowMinor: null },
        { balanceMinor: 500, alertBelowMinor: 9_000 },
      ],
    ]);
  });

  test("a webhook endpoint and a delivery, without URLs and secrets", async () => {
    const client = await createClient();
    const { clientId } = client;
    const db = byClient("webhook", client);
    const url = "https://a.example/token";
    const webhook = { clientId, url, description: "CRM", eventTypes: null, nonce: "n", nowMs: 1 };
    const { id = 0 } = (await upsertWebhook(db, webhook)) ?? {};
    await upsertWebhook(db, webhook);
    const key = { clientId, webhookId: id };
    await setDisabled(db, key, "operator");
    await sql(
      "INSERT INTO events (client_id, sequence, type, created_at_ms) VALUES (?, 1, 'credit.low', 1)",
      clientId,
    ).run();
    await sql("UPDATE webhooks SET position = 1 WHERE id = ?", id).run();
    const delivery = auditedBy(env.DB, [{ type: "delivery", keys: [[id, 1]] }]);
    await markForRedelivery(delivery, key, { sequence: 1 }, 9);
    expect(await entriesOf(client)).toEqual([
      [`webhook ${String(id)}`, null, ENDPOINT],
      [
        `webhook ${String(id)}`,
        ENDPOINT,
        { ...ENDPOINT, status: "disabled", disabledReason: "operator" },
      ],
      [`delivery ${String(id)}/1`, null, { status: "pending", attempts: 0, nextAttemptAtMs: 9 }],
    ]);
  });
});

test("the state of a catalogue, when a version becomes current, and the stock of products", async () => {
  const [first, second] = [simpleProduct(), simpleProduct()];
  const catalogue = `catalogue ${String(unique())}`;
  const actor = `operator ${String(unique())}`;
  const db = auditedBy(
    env.DB,
    [
      { type: "catalogue", keys: [catalogue] },
      { type: "stock", keys: [first.product.id] },
    ],
    { actor },
  );
  await publish(db, catalogue, [first], 1, { settings: { currency: "AUD" } });
  const products = [withStock(first, 7, false), second];
  await publish(db, catalogue, products, 2, { stock: "replace" });
  const entries = await listAudit(env.DB, { actor, limit: 9 });
  const stock = String(first.product.id);
  const settings = { currency: "AUD" };
  expect(entries.map((entry) => [entry.subject, entry.before, entry.after]).reverse()).toEqual([
    [catalogue, null, { version: 1, products: 1, settings }],
    [stock, null, { quantity: 100, sellable: true }],
    [catalogue, { version: 1, products: 1, settings }, { version: 2, products: 2, settings }],
    [stock, { quantity: 100, sellable: true }, { quantity: 7, sellable: false }],
  ]);
});

describe("the state in orders of", () => {
  test("an order and its gifts, without the recipients' data and the links", async () => {
    const { client, orderId, number } = await createOrder(2);
    const gift = orderId * 1_000 + 2;
    const db = auditedBy(env.DB, [
      { type: "order", keys: [orderId] },
      { type: "gift", keys: [gift] },
    ]);
    await cancelling(db, orderId, [gift]);
    await cancelling(db, orderId, [gift]);
    const counts = { redeemedGifts: 0, cancelledGifts: 0, expiredGifts: 0, shippedGifts: 0 };
    const amounts = { currency: "AUD", refundedMinor: 0, owedMinor: null };
    const order = { ...counts, ...amounts, status: "paid", expiresAtMs: null };
    expect(await entriesOf(client)).toEqual([
      [`order ${number}`, order, { ...order, cancelledGifts: 1, refundedMinor: 3120 }],
      [`gift ${number}-2`, OPEN_GIFT, { ...OPEN_GIFT, redemptionStatus: "cancelled" }],
    ]);
    const found = await listAudit(env.DB, { orderId, limit: 9 });
    expect(found.map((entry) => [entry.orderId, entry.clientId])).toEqual([
      [orderId, client.clientId],
      [orderId, client.clientId],
    ]);
  });

  test("a shipment that is shipped, corrected, delivered and opened again, without its tracking", async () => {
    const { client, orderId } = await createOrder(1, "/api/order");
    const db = auditedBy(env.DB, [{ type: "gift", keys: [orderId * 1_000 + 1] }]);
    const gift = { orderId, sequence: 1 };
    const parcel = { ...gift, carrier: "Post", trackingNumber: "1", trackingUrl: null };
    const corrected = { ...parcel, trackingNumber: "2", trackingUrl: "https://post.example/2" };
    for (const [step, given] of [
      ["ship", parcel],
      ["ship", parcel],
      ["correct", corrected],
      ["deliver", parcel],
      ["deliver", parcel],
      ["reopen", parcel],
    ] as const) {
      await changeShipments(db, step, [given], shipping());
    }
    const shipped = { ...OPEN_GIFT, ...UPDATED, shipment: "shipped", carrier: "Post" };
    const states = (await entriesOf(client)).map(([, before, after]) => [before, after]);
    expect(states).toEqual([
      [OPEN_GIFT, shipped],
      [shipped, shipped],
      [shipped, { ...shipped, shipment: "delivered" }],
      [{ ...shipped, shipment: "delivered" }, OPEN_GIFT],
    ]);
  });
});

describe("the list of the audit log", () => {
  test("filters by client, order, name and time, newest first", async () => {
    const client = await createClient();
    const { clientId } = client;
    const actor = `operator ${String(unique())}`;
    for (const [n, atMs] of [3_000, 1_000, 2_000, 2_000].entries()) {
      const db = auditedBy(env.DB, [{ type: "client", keys: [clientId] }], { actor, nowMs: atMs });
      await updateClient(db, clientId, { name: String(n) });
    }
    const names = async (filter: Partial<AuditFilter>) =>
      (await listAudit(env.DB, { limit: 9, ...filter })).map(({ after }) => after?.["name"]);
    expect(await names({ clientId })).toEqual(["0", "3", "2", "1"]);
    expect(await names({ actor, limit: 2 })).toEqual(["0", "3"]);
    expect(await names({ clientId, actor: "nobody" })).toEqual([]);
    expect(await names({ clientId, sinceMs: 2_000 })).toEqual(["0", "3", "2"]);
    expect(await names({ clientId, untilMs: 2_000 })).toEqual(["1"]);
    expect(await names({ actor, sinceMs: 1_001, untilMs: 3_000 })).toEqual(["3", "2"]);
    expect(await names({ clientId, orderId: 1 })).toEqual([]);
  });

  test("reads rows in proportion to what it shows, with 2,000 entries", async () => {
    const { client, orderId } = await createOrder(1);
    const { clientId } = client;
    const actor = `operator ${String(unique())}`;
    // The times are long after those of other tests.
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       INSERT INTO audit_entries (created_at_ms, actor, action, subject_type, subject, client_id,
         order_id, after)
       SELECT 9000000000000 + i, iif(i % 100 = 0, ?1, 'other'), 'a', 'client', 's',
         iif(i % 50 = 0, ?2, NULL), iif(i % 200 = 0, ?3, NULL), '{}' FROM n`,
    )
      .bind(actor, clientId, orderId)
      .run();
    const MAX_ROWS = 41;
    const some: [Partial<AuditFilter>, number][] = [
      [{}, 20],
      [{ clientId }, 20],
      [{ orderId }, 10],
      [{ actor }, 20],
      [{ actor, sinceMs: 9000000001000, untilMs: 9000000001500 }, 5],
      [{ sinceMs: 9000000000100, untilMs: 9000000000120 }, 20],
      [{ clientId, untilMs: 9000000000101 }, 2],
      [{ clientId, actor }, 20],
      [{ clientId, actor: "other" }, 20],
      [{ clientId, orderId, actor }, 10],
    ];
    for (const [filter, shown] of some) {
      const meter = newMeter();
      const found = await listAudit(meteredD1(env.DB, meter), { limit: 20, ...filter });
      expect([filter, found.length]).toEqual([filter, shown]);
      expect([filter, Math.max(meter.rowsRead, MAX_ROWS)]).toEqual([filter, MAX_ROWS]);
    }
  });
});
