// The audit log is written in the transaction of the change.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { auditedDatabase, type AuditedChange } from "../../../src/operator/audit/audited.ts";
import { type AuditFilter, listAudit } from "../../../src/operator/audit/queries.ts";
import type { Subjects } from "../../../src/operator/audit/subjects.ts";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { addCatalogue } from "../../../src/operator/catalogue/queries.ts";
import { addClient, addCredential, updateClient } from "../../../src/operator/client/queries.ts";
import { markRevoked } from "../../../src/features/credentials/queries.ts";
import { adjustCredit } from "../../../src/features/credit/adjust-queries.ts";
import { batch, type Database, sql } from "../../../src/platform/db/sql.ts";
import { changeShipments } from "../../../src/features/fulfilment/change.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { toGiftId } from "../../../src/core/values/ids.ts";
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
import { startWorker } from "../../support/worker.ts";

const CHANGE = {
  actor: "ada",
  action: "a change",
  requestId: null,
  reason: null,
  nowMs: 1_000,
};

const auditedBy = (d1: D1Database, subjects: Subjects[], change: Partial<AuditedChange> = {}) =>
  auditedDatabase(d1, { ...CHANGE, subjects, ...change });

const byClient = (type: "client" | "credential" | "account", { clientId }: TestClient) =>
  auditedBy(env.DB, [{ type, keys: [clientId] }]);

type State = Record<string, unknown> | null;

/** The fields that differ, with their values before and after. Missing fields are null. */
const difference = (before: State, after: State) =>
  Object.fromEntries(
    Object.entries(after ?? {})
      .map(([name, value]) => [name, [before?.[name] ?? null, value]] as const)
      .filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to)),
  );

/** The object of each entry, oldest first, with the fields that differ. */
const changesIn = (entries: Awaited<ReturnType<typeof listAudit>>) =>
  entries
    .toReversed()
    .map(({ subjectType, subject, before, after }) => [
      `${subjectType} ${subject}`,
      difference(before, after),
    ]);

const entriesOf = ({ clientId }: { clientId: string }) =>
  listAudit(env.DB, { clientId, limit: 10_000 });

const changesOf = async (client: { clientId: string }) => changesIn(await entriesOf(client));

const snapshots = () => env.DB.prepare("SELECT count(*) AS n FROM audit_snapshots").first("n");

async function createOrder(count: number, path = "/api/gift-link") {
  const { product, client } = await openShop(simpleProduct({}, { quantity: 1_000 }));
  const body = orderOf(product, { recipient_details: recipients(count) });
  const { json } = await startWorker().post(client, path, body);
  const orderId = json.order_data.order_id as number;
  return { client, orderId, number: `GO-${String(orderId).padStart(5, "0")}` };
}

const cancelling = (db: Database, orderId: number, giftIds: number[] | null = null) =>
  cancel(db, {
    ...operatorKey(orderId),
    giftIds,
    requestId: crypto.randomUUID(),
    nowMs: Date.now(),
  });

const shipping = () => ({ clientId: null, requestId: crypto.randomUUID(), nowMs: Date.now() });

const sequences = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

/** What the first shipment changes. */
const SHIPPED = {
  carrier: [null, "Post"],
  shipment: [null, "shipped"],
  shipmentUpdatedAtMs: [null, expect.any(Number)],
};

const RENAME = sql<{ clientId: string; name: string }, { name: string; id: string }>()`
  UPDATE clients SET name = ${"name"} WHERE id = ${"clientId"} RETURNING name, id`;
const SELECT_NAME = sql<{ clientId: string }, { name: string }>()`
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

describe("an audited database", () => {
  test("writes who changed what, with the state before and after", async () => {
    const client = await createClient();
    const { clientId } = client;
    const subjects = [{ type: "client" as const, keys: [clientId] }];
    const db = auditedBy(env.DB, subjects, { action: "client suspend", reason: "unpaid" });
    expect(await updateClient(db, clientId, { status: "suspended" })).toBe(true);
    expect(await entriesOf(client)).toEqual([
      {
        id: expect.any(Number),
        createdAtMs: 1_000,
        actor: "ada",
        action: "client suspend",
        requestId: null,
        requestFingerprint: null,
        subjectType: "client",
        subject: clientId,
        clientId,
        orderId: null,
        reason: "unpaid",
        before: expect.objectContaining({ status: "active", mayCancel: true, branding: null }),
        after: expect.objectContaining({ status: "suspended", mayCancel: true, branding: null }),
        // No event.
        firstEvent: 1,
        lastEvent: 0,
      },
    ]);
    expect(await changesOf(client)).toEqual([
      [`client ${clientId}`, { status: ["active", "suspended"] }],
    ]);
    expect(await snapshots()).toBe(0);
  });

  test.each(WRITES)("returns the caller's own results: %s", async (_, write, expected) => {
    const client = await createClient();
    const params = { clientId: client.clientId, name: "New" };
    const result = await write(byClient("client", client), params);
    if (typeof expected === "object") expect(result).toMatchObject(expected as object);
    else expect(result).toBe(expected);
    const name = [`Company ${client.clientId}`, "New"];
    expect(await changesOf(client)).toEqual([[`client ${client.clientId}`, { name }]]);
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
      expect(await changesOf(client)).toMatchObject([
        [`order ${number}`, { status: ["paid", "cancieled"] }],
      ]);
      expect(await snapshots()).toBe(0);
    },
  );

  test("has an entry for each gift, at 14 rows read and 6 written", async () => {
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
      const keys = sequences(count).map((sequence) => toGiftId(order.orderId, sequence));
      const before = await ship(plain.orderId, count, []);
      const after = await ship(order.orderId, count, [{ type: "gift", keys }]);
      const changes = await changesOf(order.client);
      expect(changes).toHaveLength(count);
      expect(changes).toContainEqual([`gift ${order.number}-${String(count)}`, SHIPPED]);
      expect(after.rowsRead - before.rowsRead).toBeLessThan(14 * count);
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
    const key = { clientId: client.clientId, credentialId: Number(first), usedId: null };
    await markRevoked(db, { ...key, nowMs: 7 });
    expect((await markRevoked(db, { ...key, nowMs: 8 })).isChanged).toBe(false);
    expect(await changesOf(client)).toMatchObject([
      [`client ${client.clientId}`, { name: [null, "N"] }],
      [`credential ${String(first)}`, { scope: [null, "admin"], createdAtMs: [null, 5] }],
      [`credential ${String(second)}`, { createdAtMs: [null, 6] }],
      [`credential ${String(first)}`, { revokedAtMs: [null, 7] }],
    ]);
    expect(JSON.stringify(await entriesOf(client))).not.toContain("igest");
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
  await addCatalogue(env.DB, catalogue, {});
  await publish(db, catalogue, [first], 1, { settings: { currency: "AUD" } });
  const products = [withStock(first, 7, false), second];
  await publish(db, catalogue, products, 2, { stock: "replace" });
  const stock = `stock ${String(first.product.id)}`;
  expect(changesIn(await listAudit(env.DB, { actor, limit: 9 }))).toEqual([
    [
      `catalogue ${catalogue}`,
      { version: [0, 1], products: [null, 1], settings: [null, { currency: "AUD" }] },
    ],
    [stock, { quantity: [null, 100], sellable: [null, true] }],
    [`catalogue ${catalogue}`, { version: [1, 2], products: [1, 2] }],
    [stock, { quantity: [100, 7], sellable: [true, false] }],
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
    expect(await changesOf(client)).toEqual([
      [`order ${number}`, { cancelledGifts: [0, 1], refundedMinor: [0, 3120] }],
      [`gift ${number}-2`, { redemptionStatus: [null, "cancelled"], refundedMinor: [0, 3120] }],
    ]);
    expect(JSON.stringify(await entriesOf(client))).not.toMatch(/@|First|Last|https:|message/);
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
    const steps = [
      ["ship", parcel],
      ["ship", parcel],
      ["correct", corrected],
      ["deliver", parcel],
      ["deliver", parcel],
      ["reopen", parcel],
    ] as const;
    for (const [n, [step, given]] of steps.entries()) {
      await changeShipments(db, step, [given], { ...shipping(), nowMs: n + 1 });
    }
    expect((await changesOf(client)).map(([, changed]) => changed)).toEqual([
      { ...SHIPPED, shipmentUpdatedAtMs: [null, 1] },
      { shipmentUpdatedAtMs: [1, 3] },
      { shipment: ["shipped", "delivered"], shipmentUpdatedAtMs: [3, 4] },
      { carrier: ["Post", null], shipment: ["delivered", null], shipmentUpdatedAtMs: [4, null] },
    ]);
  });
});

describe("the list of the audit log", () => {
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
