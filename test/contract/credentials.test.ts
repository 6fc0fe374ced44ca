// The endpoints with which clients manage their credentials, and what the scopes permit.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { DAY_MS, formatDay, SECOND_MS } from "../../src/core/values/time.ts";
import { FEATURES } from "../../src/docs/features.ts";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { createClock } from "../support/clock.ts";
import { createReceivingWebhook } from "../support/delivery.ts";
import { errorOf } from "../support/errors.ts";
import { eventsOf } from "../support/events.ts";
import { deadDatabase } from "../support/faults.ts";
import { createClient, openShop, orderOf, type TestClient } from "../support/fixtures.ts";
import type {
  CredentialListResponse,
  NewCredentialResponse,
} from "../../src/features/credentials/contract.ts";
import { sql } from "../support/sql.ts";
import { databaseState } from "../support/state.ts";
import { type Credentials, startWorker, type TestWorker, visible } from "../support/worker.ts";

const worker = startWorker();

type Scope = "read" | "order" | "admin";

/** A new set of the client, with which requests can be sent at once. */
async function create(caller: TestClient, scope: Scope) {
  const { status, text, json } = await worker.post(caller, "/api/credential", { scope });
  expect(status, text).toBe(200);
  const set = json as NewCredentialResponse;
  const { api_key: apiKey, api_password: apiPassword } = set;
  return { ...set, caller: { clientId: caller.clientId, apiKey, apiPassword } };
}

const revoke = (caller: Credentials, credential_id: number) =>
  worker.post(caller, "/api/credential/revoke", { credential_id });

const listOf = async (caller: Credentials) =>
  ((await worker.get(caller, "/api/credentials")).json as CredentialListResponse).credentials;

test("a rotation creates a set, and revokes the one before", async () => {
  const client = await createClient();
  const [first] = await listOf(client);
  expect(first).toMatchObject({ scope: "admin", current: true });
  const second = await create(client, "admin");
  expect(second.scope).toBe("admin");
  expect(await listOf(second.caller)).toEqual([
    { ...first, current: false },
    {
      credential_id: second.credential_id,
      name: null,
      last_used_on: null,
      scope: "admin",
      limits: null,
      budget: null,
      own: false,
      api_key_end: second.caller.apiKey.slice(-4),
      created_at: second.created_at,
      current: true,
    },
  ]);
  const revoked = await revoke(second.caller, Number(first?.credential_id));
  expect(revoked.json).toMatchObject({ created_at: first?.created_at });
  const state = await databaseState();
  const repeated = await revoke(second.caller, Number(first?.credential_id));
  expect(repeated.text).toBe(revoked.text);
  expect(await databaseState()).toEqual(state);
  expect((await worker.get(client, "/api/credentials")).status).toBe(401);
  expect(await listOf(second.caller)).toHaveLength(1);
});

test("a rotation is reported by an event, and by the audit log with the set that was used, without secrets", async () => {
  const client = await createClient();
  const [first] = await listOf(client);
  const { credential_id, api_key, api_password } = await create(client, "order");
  await revoke(client, credential_id);
  await revoke(client, credential_id);
  const data = { credential_id, scope: "order" };
  expect(await eventsOf(client)).toMatchObject([
    { sequence: 1, type: "credential.created", data },
    { sequence: 2, type: "credential.revoked", data },
  ]);
  const entries = await listAudit(env.DB, { clientId: client.clientId, limit: 9 });
  const by = {
    actor: "API",
    subjectType: "credential",
    subject: String(credential_id),
    reason: `with set ${String(first?.credential_id)}`,
  };
  const state = { scope: "order", createdAtMs: expect.any(Number) as number };
  expect(entries).toMatchObject([
    {
      ...by,
      action: "credential revoke",
      before: { ...state, revokedAtMs: null },
      after: { ...state, revokedAtMs: expect.any(Number) as number },
    },
    { ...by, action: "credential create", before: null, after: { ...state, revokedAtMs: null } },
  ]);
  const { results } = await sql("SELECT * FROM credentials").all();
  const { results: events } = await sql("SELECT * FROM events").all();
  const stored = JSON.stringify([entries, results, events]);
  for (const secret of [api_key, api_password]) expect(stored).not.toContain(secret);
});

test("a set has a name, and the day of its last use, which is written once a day", async () => {
  const client = await createClient();
  const clock = createClock();
  const isolate = clock.start();
  const { json } = await isolate.post(client, "/api/credential", { scope: "read", name: "CRM" });
  const {
    credential_id,
    api_key: apiKey,
    api_password: apiPassword,
  } = json as NewCredentialResponse;
  const caller = { clientId: client.clientId, apiKey, apiPassword };
  const written = async (worker: TestWorker) =>
    (await worker.get(caller, "/api/credit-balance")).meter.rowsWritten;
  const shown = async () =>
    (await listOf(client)).find((set) => set.credential_id === credential_id);
  expect(await shown()).toMatchObject({ name: "CRM", last_used_on: null });
  expect([await written(isolate), await written(isolate)]).toEqual([1, 0]);
  expect(await written(clock.start())).toBe(0);
  expect(await shown()).toMatchObject({ last_used_on: formatDay(clock.nowMs()) });
  clock.advance(DAY_MS);
  expect([await written(isolate), await written(isolate)]).toEqual([1, 0]);
  expect(await shown()).toMatchObject({ last_used_on: formatDay(clock.nowMs()) });
  expect(await eventsOf(client)).toHaveLength(1);
});

test("a request succeeds if the day of the last use cannot be written", async () => {
  const client = await createClient();
  const { caller } = await create(client, "read");
  const path = "/api/products";
  await worker.get(client, path);
  const broken = startWorker({ env: { DB: deadDatabase() } });
  expect((await broken.get(caller, path)).status).toBe(200);
});

describe("a set", () => {
  test("is refused if the client has 20, also if several are requested at once", async () => {
    const client = await createClient();
    const answers = await Promise.all(
      Array.from({ length: 21 }, () => worker.post(client, "/api/credential", { scope: "read" })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    const refusals = answers.filter(({ status }) => status !== 200).map(errorOf);
    expect(refusals.map(({ http, code }) => [http, code])).toEqual([
      [409, "not_allowed_in_state"],
      [409, "not_allowed_in_state"],
    ]);
    expect(await listOf(client)).toHaveLength(20);
    expect(await eventsOf(client)).toHaveLength(19);
  });

  test("cannot be revoked if it is the last one with the scope admin, also by two requests at once", async () => {
    const client = await createClient();
    await create(client, "order");
    const second = await create(client, "admin");
    const [first] = await listOf(client);
    const answers = await Promise.all([
      revoke(client, second.credential_id),
      revoke(second.caller, Number(first?.credential_id)),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const [remaining, last] =
      answers[0].status === 200
        ? [client, Number(first?.credential_id)]
        : [{ ...client, ...second.caller }, second.credential_id];
    expect(errorOf(await revoke(remaining, last))).toMatchObject({ code: "not_allowed_in_state" });
    expect((await listOf(remaining)).map(({ scope }) => scope).sort()).toEqual(["admin", "order"]);
    const events = (await eventsOf(remaining)).map(({ type }) => type);
    expect(events.filter((type) => type === "credential.revoked")).toHaveLength(1);
  });

  test("of another client is neither shown nor revoked", async () => {
    const [client, other] = [await createClient(), await createClient()];
    const theirs = await create(other, "read");
    const state = await databaseState();
    const never = await revoke(client, 99_999_999);
    expect(never.status).toBe(404);
    expect(visible(await revoke(client, theirs.credential_id))).toEqual(visible(never));
    expect(await databaseState()).toEqual(state);
    expect(await listOf(client)).toHaveLength(1);
  });
});

const operations = FEATURES.flatMap(({ operations }) => operations.map(({ endpoint }) => endpoint));

describe.each([
  ["a revoked set", "UPDATE credentials SET revoked_at_ms = 1 WHERE client_id = ?", 401],
  ["a suspended client", "UPDATE clients SET status = 'suspended' WHERE id = ?", 403],
] as const)("%s whose record is still cached", (_name, block, status) => {
  const admin = operations.filter(({ scope }) => scope === "admin").map(({ path }) => path);

  test.each(admin)("changes nothing with POST %s, and learns no secret", async (path) => {
    const client = await createClient();
    const { id: webhook_id, url } = await createReceivingWebhook(client);
    const [{ credential_id } = { credential_id: 0 }] = await listOf(client);
    await sql(block, client.clientId).run();
    const read = () => worker.get(client, "/api/credit-balance");
    expect((await read()).status).toBe(200);
    const before = await accessRows(client);
    const ids = { webhook_id, credential_id, client_id: client.clientId };
    const body = { ...ids, url, scope: "admin", sequence: 1, limits: [] };
    const answer = await worker.post(client, path, body);
    expect(answer.status, answer.text).toBe(status);
    expect(await accessRows(client)).toEqual(before);
    // The cached record is dropped.
    expect((await read()).text).toBe(answer.text);
  });
});

/** The client's rows that requests with the scope `admin` change. */
const accessRows = ({ clientId }: TestClient) =>
  Promise.all(
    ["credentials", "webhooks", "events", "audit_entries"].map(
      async (table) =>
        (await sql(`SELECT * FROM ${table} WHERE client_id = ?`, clientId).all()).results,
    ),
  );

test("an order may still be placed with a revoked set for a minute", async () => {
  const { product, client } = await openShop();
  const clock = createClock();
  const isolate = clock.start();
  const place = async () => (await isolate.post(client, "/api/order", orderOf(product))).status;
  expect(await place()).toBe(200);
  await sql("UPDATE credentials SET revoked_at_ms = 1 WHERE client_id = ?", client.clientId).run();
  expect(await place()).toBe(200);
  clock.advance(60 * SECOND_MS);
  expect(await place()).toBe(401);
});

describe("a scope", () => {
  const ADMIN = /^\/api\/(webhook|credential|sandbox\/client)\b/;
  /** Its messages contain gift links. */
  const EMAILS = "/api/sandbox/emails";
  const neededFor = (method: string, path: string): Scope =>
    path === EMAILS
      ? "order"
      : method === "GET" || path === "/api/quote"
        ? "read"
        : ADMIN.test(path)
          ? "admin"
          : "order";

  test("permits exactly its operations, and a refusal changes nothing", async () => {
    const client = await createClient();
    const sets = {
      read: (await create(client, "read")).caller,
      order: (await create(client, "order")).caller,
      admin: client,
    };
    const state = await databaseState();
    // No operation accepts this body.
    const isPermitted = async (scope: Scope, method: string, path: string) => {
      const { status, json } = await (method === "GET"
        ? worker.get(sets[scope], path)
        : worker.post(sets[scope], path, { name: 1 }));
      return status !== 403 || json.code !== "insufficient_scope";
    };
    const scopes = ["read", "order", "admin"] as const;
    for (const { method, path } of operations) {
      const needed = scopes.indexOf(neededFor(method, path));
      for (const [rank, scope] of scopes.entries()) {
        const permitted = await isPermitted(scope, method, path);
        expect([method, path, scope, permitted]).toEqual([method, path, scope, rank >= needed]);
      }
    }
    expect(await databaseState()).toEqual(state);
  });

  test("read shows the recipients without their gift links", async () => {
    const { product, client } = await openShop();
    const { caller } = await create(client, "read");
    const { json } = await worker.post(client, "/api/gift-link", orderOf(product));
    const { email, gift_url } = json.recipient_return[0] as Record<string, string>;
    for (const path of [
      `/api/order?order_id=${String(json.order_data.order_id)}&include=details`,
      "/api/orders?expand=recipients",
      `/api/recipients?email=${String(email)}`,
    ]) {
      expect((await worker.get(client, path)).text).toContain(gift_url);
      const { status, text } = await worker.get(caller, path);
      expect([status, text.includes(String(email))]).toEqual([200, true]);
      expect(text).not.toMatch(/gift_url|\/redeem\//);
    }
  });

  test("costs no round trip, and read shows no secret of a webhook endpoint", async () => {
    const { product, client } = await openShop();
    const { caller } = await create(client, "read");
    const url = `https://${client.clientId}.example/`;
    const { json } = await worker.post(client, "/api/webhook", { url });
    await worker.get(caller, "/api/webhooks");
    const { meter, status } = await worker.post(caller, "/api/order", orderOf(product));
    expect([status, meter.roundTrips]).toEqual([403, 0]);
    const shown = await Promise.all(
      ["/api/webhooks", `/api/webhook?webhook_id=${String(json.webhook_id)}`].map((path) =>
        worker.get(caller, path),
      ),
    );
    expect(shown.map(({ status }) => status)).toEqual([200, 200]);
    expect(shown.map(({ text }) => text).join()).not.toContain("whsec_");
    const rotation = { webhook_id: json.webhook_id as number };
    expect((await worker.post(caller, "/api/webhook/rotate", rotation)).status).toBe(403);
  });
});

test("the requests cost one round trip each, and a creation writes at most 9 rows", async () => {
  const client = await createClient();
  await listOf(client);
  const { meter } = await worker.get(client, "/api/credentials");
  expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  expect(meter.rowsRead).toBeLessThanOrEqual(2);
  const fresh = startWorker();
  await fresh.get(client, "/api/credit-balance");
  const created = await fresh.post(client, "/api/credential", { scope: "read" });
  expect(created.meter.roundTrips).toBe(1);
  expect(created.meter.rowsWritten).toBeLessThanOrEqual(9);
  const set = created.json as NewCredentialResponse;
  await fresh.get(client, "/api/credit-balance");
  const revoked = await fresh.post(client, "/api/credential/revoke", {
    credential_id: set.credential_id,
  });
  expect([revoked.status, revoked.meter.roundTrips]).toEqual([200, 1]);
  expect(revoked.meter.rowsWritten).toBeLessThanOrEqual(9);
  expect(revoked.meter.rowsRead).toBeLessThanOrEqual(40);
});
