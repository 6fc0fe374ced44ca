// The API's operations that manage webhook endpoints. test/features/webhooks/test-event.node.test.ts tests test events.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { findClient } from "../../src/features/clients/queries.ts";
import { createClock } from "../support/clock.ts";
import { broken, watchLog } from "../support/faults.ts";
import { errorOf } from "../support/errors.ts";
import { createClient, orderOf, type TestClient } from "../support/fixtures.ts";
import { createSampleShop, placeOrder } from "../support/orders.ts";
import type {
  DeliveryListResponse,
  RedeliveryResponse,
  WebhookResponse,
  WebhookSecretResponse,
} from "../../src/features/webhooks/contract.ts";
import { lossyQueue } from "../support/delivery.ts";
import { startWorker } from "../support/worker.ts";
import {
  addDelivery,
  addEvents,
  createWebhook,
  deliveryOf,
  insertDelivery,
  listOf,
  newUrl,
  readWebhook,
  setColumns,
} from "../support/webhooks.ts";
import { sql } from "../support/sql.ts";

const worker = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue } });

const post = (client: TestClient, verb: string, body: object) =>
  worker.post(client, `/api/webhook${verb}`, body);

const HOUR_MS = 3_600_000;

/** A new client with an endpoint. */
async function createEndpoint(changes: object = {}) {
  const client = await createClient();
  return { client, ...(await createWebhook(worker, client, changes)) };
}

test("POST /api/webhook creates an endpoint that starts after the client's last event", async () => {
  const { client, product } = await createSampleShop();
  await placeOrder(worker, client, orderOf(product));
  await placeOrder(worker, client, orderOf(product));
  const atMs = Date.parse("2026-03-04T05:06:07.089Z");
  const url = newUrl();
  const body = { url, event_types: ["gift.redeemed", "order.paid"], description: "CRM" };
  const created = await createWebhook(startWorker({ now: () => atMs }), client, body);
  expect(created).toEqual({
    webhook_id: created.webhook_id,
    url,
    description: "CRM",
    event_types: ["gift.redeemed", "order.paid"],
    status: "enabled",
    disabled_reason: null,
    failing_since: null,
    created_at: "2026-03-04T05:06:07.089Z",
    previous_secret_until: null,
    position: 2,
    secret: created.secret,
  });
  const { secret, ...shown } = created;
  expect(await readWebhook(worker, client, created.webhook_id)).toEqual(shown);
  expect(await listOf(worker, client)).toEqual([shown]);
  expect(secret).toMatch(/^whsec_/);
});

test("POST /api/webhook repeated with the same URL, returns the same endpoint and secret, and changes the fields that are set", async () => {
  const client = await createClient();
  const { host } = new URL(newUrl());
  const url = `HTTP://${host}/hooks/../a?b=%7E`;
  const first = await createWebhook(worker, client, { url, event_types: ["order.paid"] });
  expect(first.url).toBe(`http://${host}/a?b=%7E`);
  await addEvents(client.clientId, 3);
  const described = { ...first, description: "new" };
  expect(await createWebhook(worker, client, { url, description: "new" })).toEqual(described);
  expect(await createWebhook(worker, client, { url: first.url })).toEqual(described);
  const event_types = ["order.failed"];
  expect(await createWebhook(worker, client, { url, event_types })).toEqual({
    ...described,
    event_types,
  });
  const cleared = { event_types: null, description: null };
  expect(await createWebhook(worker, client, { url, ...cleared })).toEqual({
    ...first,
    ...cleared,
  });
  expect(await listOf(worker, client)).toHaveLength(1);
});

test("POST /api/webhook sent twice at once, creates one endpoint", async () => {
  const client = await createClient();
  const url = newUrl();
  const both = await Promise.all([1, 2, 3].map(() => createWebhook(worker, client, { url })));
  expect(new Set(both.map(({ secret }) => secret)).size).toBe(1);
  expect(await listOf(worker, client)).toHaveLength(1);
});

test("POST /api/webhook keeps the status of an endpoint that exists", async () => {
  const { client, webhook_id, url } = await createEndpoint();
  await post(client, "/disable", { webhook_id });
  const again = await createWebhook(worker, client, { url });
  expect(again).toMatchObject({ webhook_id, status: "disabled", disabled_reason: "client" });
});

test("POST /api/webhook may have the URL of another client's endpoint, with another secret", async () => {
  const url = newUrl();
  const [one, two] = [
    await createWebhook(worker, await createClient(), { url }),
    await createWebhook(worker, await createClient(), { url }),
  ];
  expect(one.webhook_id).not.toBe(two.webhook_id);
  expect(one.secret).not.toBe(two.secret);
});

test("POST /api/webhook refuses a URL to which nothing is sent", async () => {
  const client = await createClient();
  for (const url of ["https://10.0.0.1/", `${env.PUBLIC_URL}/a`]) {
    expect(errorOf(await post(client, "", { url })).errors).toMatchObject([{ field: "url" }]);
  }
  expect(await listOf(worker, client)).toEqual([]);
});

test("POST /api/webhook creates at most 5 endpoints, also if the requests are sent at once", async () => {
  const client = await createClient();
  const answers = await Promise.all(
    Array.from({ length: 7 }, () => post(client, "", { url: newUrl() })),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(errorOf)).toEqual(
    [1, 2].map(() => expect.objectContaining({ http: 400, code: "validation_error" })),
  );
  const [first, ...others] = await listOf(worker, client);
  expect(others).toHaveLength(4);
  // An existing endpoint can be changed, and a deleted one is not counted.
  await createWebhook(worker, client, { url: first?.url, description: "changed" });
  await post(client, "/delete", { webhook_id: first?.webhook_id });
  await createWebhook(worker, client);
});

test("POST /api/webhook/delete deletes the endpoint, also if it is repeated", async () => {
  const { client, webhook_id, url } = await createEndpoint();
  for (let n = 0; n < 2; n++) {
    const answer = await post(client, "/delete", { webhook_id });
    expect([answer.status, answer.json]).toEqual([200, { status: "success" }]);
  }
  expect(await listOf(worker, client)).toEqual([]);
  const again = await createWebhook(worker, client, { url });
  expect(again.webhook_id).not.toBe(webhook_id);
});

describe("disabling and enabling", () => {
  test("change the status and can be repeated", async () => {
    const { client, webhook_id } = await createEndpoint();
    for (const [verb, status, reason] of [
      ["/disable", "disabled", "client"],
      ["/disable", "disabled", "client"],
      ["/enable", "enabled", null],
      ["/enable", "enabled", null],
    ]) {
      const answer = await post(client, String(verb), { webhook_id });
      expect(answer.status).toBe(200);
      const shown = answer.json as WebhookResponse;
      expect(shown).toMatchObject({ webhook_id, status, disabled_reason: reason });
      expect(await readWebhook(worker, client, webhook_id)).toEqual(shown);
    }
  });

  test("keep the reason why the service has disabled an endpoint", async () => {
    const { client, webhook_id } = await createEndpoint();
    for (const reason of ["gone", "failing", "gone"]) {
      await setColumns(webhook_id, { status: "disabled", disabled_reason: reason });
      const { json } = await post(client, "/disable", { webhook_id });
      expect(json).toMatchObject({ status: "disabled", disabled_reason: reason });
    }
  });

  test.each(["client", "gone", "failing"])(
    "reset the failures of an endpoint that is disabled because of %s",
    async (reason) => {
      const { client, webhook_id } = await createEndpoint();
      await addEvents(client.clientId, 3);
      await setColumns(webhook_id, {
        status: "disabled",
        disabled_reason: reason,
        failures: 9,
        position: 2,
        failing_since_ms: Date.parse("2026-01-02T03:04:05Z"),
        paused_until_ms: Date.now() + HOUR_MS,
      });
      const failing = { failing_since: "2026-01-02T03:04:05.000Z", position: 2 };
      expect(await readWebhook(worker, client, webhook_id)).toMatchObject(failing);
      const { json } = await post(client, "/enable", { webhook_id });
      expect(json).toMatchObject({ status: "enabled", failing_since: null, position: 2 });
      const select = "SELECT failures, paused_until_ms FROM webhooks WHERE id = ?";
      const row = await sql(select, webhook_id).first();
      expect(row).toEqual({ failures: 0, paused_until_ms: null });
    },
  );

  test("make pending deliveries of this endpoint due", async () => {
    const { start, advance } = createClock();
    const clocked = start();
    const client = await createClient();
    const [one, two] = [await createWebhook(clocked, client), await createWebhook(clocked, client)];
    await addEvents(client.clientId, 4);
    const laterMs = Date.now() + 5 * HOUR_MS;
    const pending = { status: "pending", next_attempt_at_ms: laterMs, attempts: 3 } as const;
    await addDelivery(one.webhook_id, 1, pending);
    await addDelivery(one.webhook_id, 2, { ...pending, next_attempt_at_ms: 5 });
    await addDelivery(one.webhook_id, 3);
    await addDelivery(two.webhook_id, 1, pending);
    advance(60_000);
    await clocked.post(client, "/api/webhook/enable", { webhook_id: one.webhook_id });
    const due = await deliveryOf(one.webhook_id, 1);
    expect(due).toMatchObject({ status: "pending", attempts: 3 });
    expect(due?.next_attempt_at_ms).toBeLessThan(laterMs);
    expect(due?.next_attempt_at_ms).toBeGreaterThan(Date.now() + 30_000);
    expect((await deliveryOf(one.webhook_id, 2))?.next_attempt_at_ms).toBe(5);
    expect((await deliveryOf(one.webhook_id, 3))?.next_attempt_at_ms).toBeNull();
    expect((await deliveryOf(two.webhook_id, 1))?.next_attempt_at_ms).toBe(laterMs);
  });
});

test("POST /api/webhook/rotate returns a new secret, and the previous one stays valid for 24 hours", async () => {
  const { start, advance } = createClock();
  const clocked = start();
  const client = await createClient();
  const created = await createWebhook(clocked, client);
  const { webhook_id, url } = created;
  const rotate = async () => {
    const answer = await clocked.post(client, "/api/webhook/rotate", { webhook_id });
    expect(answer.status).toBe(200);
    return answer.json as WebhookSecretResponse;
  };
  const first = await rotate();
  expect(first.secret).not.toBe(created.secret);
  const untilMs = Date.parse(first.previous_secret_until ?? "");
  expect(untilMs).toBeGreaterThan(Date.now() + 23 * HOUR_MS);
  advance(24 * HOUR_MS - 1);
  expect(await createWebhook(clocked, client, { url })).toEqual(first);
  advance(1);
  expect(await readWebhook(clocked, client, webhook_id)).toMatchObject({
    previous_secret_until: null,
  });
});

test("POST /api/webhook/rotate replaces the secret again within 24 hours, and ends the previous one if it must", async () => {
  const { client, webhook_id } = await createEndpoint();
  const rotate = async (changes: object = {}) => {
    const { json } = await post(client, "/rotate", { webhook_id, ...changes });
    return json as WebhookSecretResponse;
  };
  const nonces = () =>
    sql(
      "SELECT secret_nonce, previous_secret_nonce FROM webhooks WHERE id = ?",
      webhook_id,
    ).first();
  const first = await rotate();
  const before = await nonces();
  const second = await rotate();
  expect(second.secret).not.toBe(first.secret);
  expect(second.previous_secret_until).not.toBeNull();
  expect(await nonces()).toMatchObject({ previous_secret_nonce: before?.["secret_nonce"] });
  const third = await rotate({ immediately: true });
  expect(third.secret).not.toBe(second.secret);
  expect(third.previous_secret_until).toBeNull();
  expect(await nonces()).toMatchObject({ previous_secret_nonce: null });
});

async function createLog(count: number) {
  const { client, webhook_id } = await createEndpoint();
  await addEvents(client.clientId, count);
  await env.DB.batch(
    Array.from({ length: count }, (_, index) => insertDelivery(webhook_id, index + 1)),
  );
  const read = async (query = "") => {
    const path = `/api/webhook/deliveries?webhook_id=${String(webhook_id)}${query}`;
    const answer = await worker.get(client, path);
    expect(answer.status, answer.text).toBe(200);
    const { deliveries, next_before } = answer.json as DeliveryListResponse;
    const sequences = deliveries.map(({ sequence }) => sequence);
    return { deliveries, next_before, sequences, meter: answer.meter };
  };
  return { client, webhook_id, read };
}

test("GET /api/webhook/deliveries shows the last attempt for each event", async () => {
  const { client, webhook_id, read } = await createLog(1);
  await addEvents(client.clientId, 1, "order.paid");
  const timeout = {
    status: "pending" as const,
    attempts: 2,
    response_status: null,
    duration_ms: 15_000,
    response_text: "timeout",
  };
  await addDelivery(webhook_id, 2, {
    ...timeout,
    attempted_at_ms: Date.parse("2026-01-02T03:04:05.006Z"),
    next_attempt_at_ms: Date.parse("2026-01-02T03:09:05.006Z"),
  });
  expect((await read()).deliveries).toEqual([
    {
      sequence: 2,
      type: "order.paid",
      ...timeout,
      attempted_at: "2026-01-02T03:04:05.006Z",
      next_attempt_at: "2026-01-02T03:09:05.006Z",
    },
    {
      sequence: 1,
      type: "credit.low",
      status: "delivered",
      attempts: 1,
      attempted_at: "1970-01-01T00:00:01.000Z",
      next_attempt_at: null,
      response_status: 204,
      duration_ms: 12,
      response_text: "",
    },
  ]);
});

test("GET /api/webhook/deliveries shows an event that was never attempted", async () => {
  const { client, webhook_id, read } = await createLog(1);
  await addEvents(client.clientId, 1);
  await setColumns(webhook_id, { position: 2 });
  await post(client, "/redeliver", { webhook_id, sequence: 2 });
  expect((await read()).deliveries[0]).toMatchObject({
    status: "pending",
    attempts: 0,
    attempted_at: null,
    response_status: null,
    duration_ms: null,
    response_text: null,
  });
});

test("GET /api/webhook/deliveries has pages, newest first, without gaps", async () => {
  const { read } = await createLog(5);
  const first = await read("&limit=2");
  expect(first).toMatchObject({ sequences: [5, 4], next_before: 4 });
  const second = await read(`&limit=2&before=${String(first.next_before)}`);
  expect(second).toMatchObject({ sequences: [3, 2], next_before: 2 });
  expect(await read("&limit=2&before=2")).toMatchObject({ sequences: [1], next_before: null });
  expect(await read("&limit=5")).toMatchObject({ next_before: null });
  expect(await read("&before=1")).toMatchObject({ sequences: [], next_before: null });
});

test("GET /api/webhook/deliveries has all deliveries of a status, and reads rows in proportion to them", async () => {
  const { webhook_id, read } = await createLog(1);
  const range = "WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < 205)";
  await env.DB.batch([
    sql(
      `INSERT INTO events (client_id, sequence, type, created_at_ms) ${range}
       SELECT client_id, n, 'credit.low', 0 FROM webhooks, n WHERE id = ? ORDER BY n`,
      webhook_id,
    ),
    sql(
      `INSERT INTO webhook_deliveries (webhook_id, sequence, status, attempts, attempted_at_ms) ${range}
       SELECT ?, n, iif(n % 100 = 3, 'failed', 'delivered'), 1, 1 FROM n`,
      webhook_id,
    ),
  ]);
  for (const [query, sequences, next_before] of [
    ["&status=failed", [203, 103, 3], null],
    ["&status=failed&limit=1", [203], 203],
    ["&status=failed&limit=2&before=203", [103, 3], null],
    ["&status=pending&limit=1", [], null],
  ] as const) {
    const page = await read(query);
    expect(page).toMatchObject({ sequences, next_before });
    expect(page.meter.rowsRead).toBeLessThan(25);
  }
  const page = await read("&limit=10");
  expect(page.meter.roundTrips).toBe(1);
  expect(page.meter.rowsRead).toBeLessThan(60);
});

describe("POST /api/webhook/redeliver", () => {
  async function createRead(position: number, changes: object = {}) {
    const { client, webhook_id } = await createEndpoint(changes);
    await addEvents(client.clientId, 5);
    await setColumns(webhook_id, { position });
    const redeliver = async (events: object) => {
      const answer = await post(client, "/redeliver", { webhook_id, ...events });
      expect(answer.status, answer.text).toBe(200);
      return (answer.json as RedeliveryResponse).webhook;
    };
    return { client, webhook_id, redeliver };
  }

  test("makes one event due, also if it was delivered or has failed before", async () => {
    const { webhook_id, redeliver } = await createRead(5);
    await addDelivery(webhook_id, 2, { status: "failed", attempts: 10, response_status: 500 });
    const before = Date.now();
    for (const sequence of [2, 3, 3]) expect((await redeliver({ sequence })).position).toBe(5);
    for (const [sequence, response_status] of [
      [2, 500],
      [3, null],
    ] as const) {
      const row = await deliveryOf(webhook_id, sequence);
      expect(row).toMatchObject({ status: "pending", attempts: 0, response_status });
      expect(row?.next_attempt_at_ms).toBeGreaterThanOrEqual(before);
      expect(row?.next_attempt_at_ms).toBeLessThanOrEqual(Date.now());
    }
    expect(await deliveryOf(webhook_id, 1)).toBeNull();
    expect(await deliveryOf(webhook_id, 4)).toBeNull();
  });

  test("makes an event due that the filter excludes, and does not repeat an event that has not been sent yet", async () => {
    const excluded = await createRead(2, { event_types: ["order.paid"] });
    for (const sequence of [1, 4]) {
      await excluded.redeliver({ sequence });
      expect(await deliveryOf(excluded.webhook_id, sequence)).toMatchObject({ status: "pending" });
    }
    const included = await createRead(2, { event_types: ["credit.low"] });
    await included.redeliver({ sequence: 3 });
    expect(await deliveryOf(included.webhook_id, 3)).toBeNull();
  });

  test("moves the position back to send all events since one, and never forward", async () => {
    const { redeliver } = await createRead(4);
    expect((await redeliver({ since_sequence: 5 })).position).toBe(4);
    expect((await redeliver({ since_sequence: 3 })).position).toBe(2);
    expect((await redeliver({ since_sequence: 3 })).position).toBe(2);
    expect((await redeliver({ since_sequence: 4 })).position).toBe(2);
    expect((await redeliver({ since_sequence: 1 })).position).toBe(0);
  });

  test("changes nothing while an earlier redelivery of all events since one is sent", async () => {
    const { webhook_id, redeliver } = await createRead(5);
    expect((await redeliver({ since_sequence: 3 })).position).toBe(2);
    for (const position of [3, 4]) {
      await setColumns(webhook_id, { position });
      for (const since_sequence of [1, 3, 4]) {
        expect((await redeliver({ since_sequence })).position).toBe(position);
      }
    }
    await setColumns(webhook_id, { position: 5 });
    expect((await redeliver({ since_sequence: 1 })).position).toBe(0);
  });

  test("refuses events that do not exist and invalid fields, and changes nothing", async () => {
    const { client, webhook_id } = await createRead(5);
    for (const [events, field] of [
      [{ sequence: 6 }, "sequence"],
      [{ since_sequence: 6 }, "since_sequence"],
      [{}, "sequence"],
      [{ sequence: null }, "sequence"],
      [{ sequence: 1, since_sequence: 1 }, "since_sequence"],
      [{ sequence: 0 }, "sequence"],
      [{ since_sequence: "one" }, "since_sequence"],
    ] as const) {
      const error = errorOf(await post(client, "/redeliver", { webhook_id, ...events }));
      expect(error).toMatchObject({ http: 400, code: "validation_error", errors: [{ field }] });
    }
    expect(await readWebhook(worker, client, webhook_id)).toMatchObject({ position: 5 });
    const count = "SELECT count(*) AS n FROM webhook_deliveries WHERE webhook_id = ?";
    expect(await sql(count, webhook_id).first("n")).toBe(0);
  });
});
const REQUESTS: [string, object][] = [
  ["/delete", {}],
  ["/disable", {}],
  ["/enable", {}],
  ["/rotate", {}],
  ["/test", {}],
  ["/redeliver", { sequence: 1 }],
  ["/redeliver", { since_sequence: 1 }],
];

test("an endpoint of another client, and a deleted one, are not found and do not change", async () => {
  const owner = await createClient();
  const other = await createClient();
  await addEvents(other.clientId, 2);
  await addEvents(owner.clientId, 2);
  const { webhook_id } = await createWebhook(worker, owner);
  const deleted = await createWebhook(worker, other);
  await post(other, "/delete", { webhook_id: deleted.webhook_id });
  const before = await env.DB.prepare("SELECT * FROM webhooks").all();
  const missing = errorOf(await post(other, "/enable", { webhook_id: 99_999_999 }));
  expect(missing).toMatchObject({ http: 404, code: "not_found" });
  for (const id of [webhook_id, deleted.webhook_id]) {
    for (const path of ["webhook?", "webhook/deliveries?"]) {
      const answer = await worker.get(other, `/api/${path}webhook_id=${String(id)}`);
      expect(errorOf(answer)).toEqual(missing);
    }
    for (const [verb, fields] of REQUESTS) {
      if (verb === "/delete" && id === deleted.webhook_id) continue;
      expect(errorOf(await post(other, verb, { webhook_id: id, ...fields }))).toEqual(missing);
    }
  }
  expect(await env.DB.prepare("SELECT * FROM webhooks").all()).toMatchObject({
    results: before.results,
  });
  const rows = await sql(
    "SELECT count(*) AS n FROM webhook_deliveries WHERE webhook_id IN (?, ?)",
    webhook_id,
    deleted.webhook_id,
  ).first("n");
  expect(rows).toBe(0);
  expect(await listOf(worker, other)).toEqual([]);
});

test("an endpoint is read and changed in one round trip", async () => {
  const { client, webhook_id } = await createEndpoint();
  await addEvents(client.clientId, 2);
  await setColumns(webhook_id, { position: 2 });
  const id = String(webhook_id);
  // The creation has removed the client's record from the caches.
  await worker.get(client, "/api/credit-balance");
  const costs = [
    await worker.get(client, "/api/webhooks"),
    await worker.get(client, `/api/webhook?webhook_id=${id}`),
    await worker.get(client, `/api/webhook/deliveries?webhook_id=${id}`),
  ].map(({ status, meter }) => [status, meter.roundTrips, meter.rowsWritten, meter.kvWrites]);
  expect(costs).toEqual([
    [200, 1, 0, 0],
    [200, 1, 0, 0],
    [200, 1, 0, 0],
  ]);
  // Changes that affect the cached record of the client delete it from KV.
  for (const [verb, fields, kvWrites] of [
    ["/rotate", { webhook_id }, 0],
    ["/redeliver", { webhook_id, sequence: 1 }, 0],
    ["/redeliver", { webhook_id, since_sequence: 1 }, 0],
    ["", { url: newUrl() }, 1],
    ["/disable", { webhook_id }, 1],
    ["/enable", { webhook_id }, 1],
    ["/delete", { webhook_id }, 1],
  ] as const) {
    const warm = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue } });
    await warm.get(client, "/api/credit-balance");
    const { status, meter } = await warm.post(client, `/api/webhook${verb}`, fields);
    expect([verb, status, meter.roundTrips, meter.kvWrites]).toEqual([verb, 200, 1, kvWrites]);
    expect(meter.rowsWritten).toBeLessThanOrEqual(4);
    expect(meter.rowsRead).toBeLessThanOrEqual(20);
  }
});

test("an endpoint can be created while KV fails", async () => {
  watchLog();
  const client = await createClient();
  const KV = broken(() => Promise.reject(new Error("KV is down"))) as KVNamespace;
  const worker = startWorker({ env: { KV } });
  const answer = await worker.post(client, "/api/webhook", { url: newUrl() });
  expect(answer.status).toBe(200);
  expect(await findClient(env.DB, client.clientId)).not.toBeNull();
});
