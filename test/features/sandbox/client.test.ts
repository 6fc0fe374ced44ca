// POST /api/sandbox/client.
import { env } from "cloudflare:workers";
import { getTableColumns } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../../src/core/values/time.ts";
import { MAX_TEST_CLIENTS } from "../../../src/features/sandbox/test-client.ts";
import { CLIENT_SETTINGS } from "../../../src/operator/client/settings.ts";
import { columnName } from "../../../src/platform/db/columns.ts";
import { listClients, updateClient } from "../../../src/operator/client/queries.ts";
import { clients } from "../../../src/platform/db/schema.ts";
import { ALL_SQL } from "../../../src/platform/db/sql.ts";
import { createClock } from "../../support/clock.ts";
import { errorOf } from "../../support/errors.ts";
import { typesOf } from "../../support/events.ts";
import {
  brokenAccounts,
  createClient,
  openShop,
  orderOf,
  type TestClient,
} from "../../support/fixtures.ts";
import { differencesOf } from "../../support/invariants.ts";
import type { CreditEntryListResponse } from "../../../src/features/credit/contract.ts";
import type {
  SandboxClientListResponse,
  SandboxClientResponse,
} from "../../../src/features/sandbox/contract.ts";
import { sql } from "../../support/sql.ts";
import { databaseState } from "../../support/state.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

const send = (client: TestClient, body: object = {}) =>
  worker.post(client, "/api/sandbox/client", body);

async function create(client: TestClient, body: object = {}) {
  const answer = await send(client, body);
  expect(answer.status, answer.text).toBe(200);
  const created = answer.json as SandboxClientResponse;
  const { client_id: clientId, api_key: apiKey, api_password: apiPassword } = created;
  return { created, own: { ...client, clientId, apiKey, apiPassword } };
}

/** Adds test clients, so that the client has `active` of them. */
const addTestClients = (parentId: string, active: number) =>
  sql(
    `INSERT INTO clients (id, parent_id, name, billing, fee_basis_points, default_currency, catalogue_id,
       created_at_ms)
     WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?2)
     SELECT id || '-t-' || n, id, name, billing, fee_basis_points, default_currency, catalogue_id, 0
     FROM clients, number WHERE id = ?1`,
    parentId,
    active,
  ).run();

const settingsOf = (clientId: string) =>
  sql("SELECT * FROM clients WHERE id = ?", clientId).first();

describe("a test client", () => {
  test("orders with its own credentials and credit, and sees nothing of its parent", async () => {
    const { client, product } = await openShop();
    await worker.post(client, "/api/order", orderOf(product));

    const { created, own } = await create(client);

    expect(created).toMatchObject({
      billing: "credit",
      credit_balance: 1_000_000_000,
      currency: "AUD",
    });
    expect(created.remaining_clients).toBe(MAX_TEST_CLIENTS - 1);
    expect((await worker.get(own, "/api/orders")).json.orders).toEqual([]);
    expect(await typesOf(own)).toEqual([]);
    const { json } = await worker.post(own, "/api/order", orderOf(product));
    expect(json).toMatchObject({ status: "success" });
    const entries = (await worker.get(own, "/api/credit-entries")).json as CreditEntryListResponse;
    expect(entries.credit_entries.map(({ kind }) => kind)).toEqual(["top_up", "order"]);
    expect(await typesOf(own)).toEqual(["order.paid"]);
    expect(await differencesOf([own])).toEqual([]);
    expect(await brokenAccounts()).toEqual([]);
  });

  test("has the settings of its parent, except its name, billing and clock", async () => {
    const client = await createClient({
      billing: "invoice",
      currency: "JPY",
      feeBasisPoints: 415,
      mayCancel: false,
      redeemWithinDays: 30,
      refundDeclined: false,
      supportEmail: "help@example.com",
      privacyUrl: "https://example.com/privacy",
      retainDays: 90,
      reminderDays: 5,
      notifyShipped: true,
      wrapEmails: false,
      chooseVariation: false,
      trackOpened: false,
      replyTo: "gifts@example.com",
      register: "informal",
    });
    await worker.post(client, "/api/sandbox/clock", { advance: "P1D" });

    const { created } = await create(client, { name: "Nightly tests" });

    expect(created).toMatchObject({ credit_balance: 1_000_000_000, currency: "JPY" });
    expect(await settingsOf(created.client_id)).toEqual({
      ...(await settingsOf(client.clientId)),
      id: created.client_id,
      parent_id: client.clientId,
      name: "Nightly tests",
      billing: "credit",
      clock_ms: 0,
      created_at_ms: expect.any(Number) as number,
    });
  });

  test("has each column of the schema that is no part of the client itself, and operators set it", () => {
    const [names = ""] = ALL_SQL.flatMap(
      ({ text }) => /INSERT INTO clients \((id, parent_id[^)]*)/.exec(text)?.[1] ?? [],
    );
    const columns = Object.values(getTableColumns(clients)).map(({ name }) => name);
    // The status, the clock and the registration of parcels begin anew.
    const missing = columns.filter((name) => !names.split(/,\s*/).includes(name));
    expect(missing).toEqual(["status", "clock_ms", "registered_until"]);
    const settings = Object.values(CLIENT_SETTINGS).map(({ column }) => columnName(column));
    const fixed = columns.filter((name) => !settings.includes(name) && !missing.includes(name));
    expect(fixed).toEqual(["id", "catalogue_id", "parent_id", "created_at_ms"]);
  });

  test("of a client with the longest id has an id of 64 characters, which authenticates", async () => {
    const client = await createClient({ id: "c".repeat(64) });
    const { created, own } = await create(client);
    expect(created.client_id).toMatch(/^c{53}-t-[0-9a-f]{8}$/);
    expect((await worker.get(own, "/api/credit-balance")).status).toBe(200);
  });

  test("cannot create clients", async () => {
    const parent = await createClient();
    const { own } = await create(parent);
    const before = await databaseState();
    expect(errorOf(await send(own)).code).toBe("not_allowed_in_state");
    expect(await databaseState()).toEqual(before);
  });

  test.each(["null", "a\nb", "tests.example.com"])("is refused with the name %j", async (name) => {
    const client = await createClient();
    const answer = await send(client, { name });
    expect(errorOf(answer)).toMatchObject({ http: 400, errors: [{ field: "name" }] });
    expect(answer.meter.rowsWritten).toBe(0);
  });

  test("is suspended while its parent is", async () => {
    const clock = createClock();
    const clocked = clock.start();
    const parent = await createClient();
    const { own } = await create(parent);
    const statusAfter = async (change: "suspended" | "active") => {
      await updateClient(env.DB, parent.clientId, { status: change });
      clock.advance(MINUTE_MS);
      const [row] = await listClients(env.DB, { id: own.clientId });
      const { status } = await clocked.get(own, "/api/credit-balance");
      return [status, row?.status];
    };
    expect((await clocked.get(own, "/api/credit-balance")).status).toBe(200);
    expect(await statusAfter("suspended")).toEqual([403, "suspended"]);
    expect(await statusAfter("active")).toEqual([200, "active"]);
  });
});

test("an order of a client that pays by invoice is not paid", async () => {
  const { client, product } = await openShop();
  const { created, own } = await create(client, { billing: "invoice" });
  expect(created.billing).toBe("invoice");
  const { headers } = await worker.post(own, "/api/order", orderOf(product));
  expect(headers.get("Regalo-Order-Status")).toBe("created");
  expect(errorOf(await send(client, { billing: "cash" })).errors).toMatchObject([
    { field: "billing" },
  ]);
});

describe("a removed test client", () => {
  const remove = (client: TestClient, client_id: string) =>
    worker.post(client, "/api/sandbox/client/remove", { client_id });
  const listed = async (client: TestClient) => {
    const { json } = await worker.get(client, "/api/sandbox/clients");
    return (json as SandboxClientListResponse).clients.map(({ client_id }) => client_id);
  };

  test("is refused, is not listed and frees a place, also after its parent was suspended", async () => {
    const clock = createClock();
    const parent = await createClient();
    const [first, second] = [await create(parent), await create(parent, { name: "Second" })];
    const [firstId, secondId] = [first.own.clientId, second.own.clientId];
    expect(await listed(parent)).toEqual([firstId, secondId]);
    expect(await listed(first.own)).toEqual([]);

    const removed = await remove(parent, firstId);
    expect(removed.json).toMatchObject({ clients: [{ client_id: secondId, name: "Second" }] });
    expect(removed.meter.roundTrips).toBe(1);
    const before = await databaseState();
    expect((await remove(parent, firstId)).status).toBe(200);
    expect(await databaseState()).toEqual(before);
    await updateClient(env.DB, parent.clientId, { status: "suspended" });
    await updateClient(env.DB, parent.clientId, { status: "active" });
    expect(await listed(parent)).toEqual([secondId]);
    clock.advance(MINUTE_MS);
    expect((await clock.start().get(first.own, "/api/credit-balance")).status).toBe(401);
    expect((await clock.start().get(second.own, "/api/credit-balance")).status).toBe(200);
    const entries = sql("SELECT action FROM audit_entries WHERE client_id = ?", firstId);
    expect((await entries.all()).results.at(-1)).toEqual({ action: "credential revoke" });
    expect((await create(parent)).created.remaining_clients).toBe(MAX_TEST_CLIENTS - 2);
  });

  test("is one of the client's own", async () => {
    const [parent, other] = [await createClient(), await createClient()];
    const { own } = await create(parent);
    const before = await databaseState();
    for (const [client, id] of [
      [other, own.clientId],
      [own, own.clientId],
      [parent, parent.clientId],
      [parent, other.clientId],
    ] as const) {
      expect(errorOf(await remove(client, id)).code).toBe("not_found");
    }
    expect(await databaseState()).toEqual(before);
  });
});

describe("the limit", () => {
  test("permits one of two requests at once for the last client, in one round trip each", async () => {
    const client = await createClient();
    await worker.get(client, "/api/credit-balance");
    await addTestClients(client.clientId, MAX_TEST_CLIENTS - 1);

    const answers = await Promise.all([send(client), send(client)]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.map(({ meter }) => meter.roundTrips)).toEqual([1, 1]);
    const before = await databaseState();
    expect(errorOf(await send(client)).code).toBe("not_allowed_in_state");
    expect(await databaseState()).toEqual(before);
  });

  test("does not count clients that the operator has suspended, or those of other clients", async () => {
    const [client, other] = [await createClient(), await createClient()];
    await addTestClients(client.clientId, MAX_TEST_CLIENTS);
    await addTestClients(other.clientId, MAX_TEST_CLIENTS - 1);
    expect((await create(other)).created.remaining_clients).toBe(0);
    await updateClient(env.DB, `${client.clientId}-t-1`, { status: "suspended" });
    expect((await create(client)).created.remaining_clients).toBe(0);
  });
});
