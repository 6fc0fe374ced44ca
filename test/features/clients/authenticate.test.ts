// Credentials on every route: which requests are refused, and how soon a change takes effect.
import { beforeAll, describe, expect, test, vi } from "vitest";
import { secretDigest } from "../../../src/features/clients/credentials.ts";
import { SECOND_MS } from "../../../src/core/values/time.ts";
import {
  createClient,
  createCredentials,
  orderOf,
  simpleProduct,
  type TestClient,
} from "../../support/fixtures.ts";
import { ErrorBody } from "../../support/shapes.ts";
import { databaseState } from "../../support/state.ts";
import { authHeaders, type Credentials, startWorker, visible } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

const worker = startWorker();

const ROUTES = [
  ["GET", "/api/products"],
  ["GET", "/api/product?product_id=1"],
  ["POST", "/api/order"],
  ["POST", "/api/gift-link"],
  ["GET", "/api/order?order_id=1"],
  ["GET", "/api/credit-balance"],
  // Without credentials, unknown paths and methods get the same response as the others.
  ["DELETE", "/api/order"],
  ["GET", "/api/nothing"],
] as const;

async function revoke({ clientId, apiKey, apiPassword }: Credentials): Promise<void> {
  await sql(
    "UPDATE credentials SET revoked_at_ms = 1 WHERE client_id = ? AND secret_digest = ?",
    clientId,
    await secretDigest(apiKey, apiPassword),
  ).run();
}

async function suspend({ clientId }: Credentials): Promise<void> {
  await sql("UPDATE clients SET status = 'suspended' WHERE id = ?", clientId).run();
}

test.for(ROUTES)("%s %s needs valid credentials of an active client", async ([method, path]) => {
  const [client, revoked, suspended] = await Promise.all([1, 2, 3].map(() => createClient()));
  if (!client || !revoked || !suspended) throw new Error("three clients");
  await revoke(revoked);
  await suspend(suspended);
  const wrong = { ...client, apiPassword: "wrong" };
  const statuses = [];
  for (const headers of [{}, ...[wrong, revoked, suspended, client].map(authHeaders)]) {
    statuses.push((await worker.fetch(path, { method, headers })).status);
  }
  expect(statuses.slice(0, 4)).toEqual([401, 401, 401, 403]);
  expect([401, 403]).not.toContain(statuses[4]);
});

/** Headers without valid credentials of the client, by what is wrong with them. */
async function strangersOf(
  client: TestClient,
  other: TestClient,
  revoked: Credentials,
): Promise<Record<string, Record<string, string>>> {
  const good = authHeaders(client);
  return {
    "wrong API-KEY": { ...good, "API-KEY": "wrong" },
    "wrong API-PASSWORD": { ...good, "API-PASSWORD": "wrong" },
    "longer API-PASSWORD": { ...good, "API-PASSWORD": `${client.apiPassword}x` },
    // The concatenation of key and password is the same.
    "password's first letter at the key's end": authHeaders({
      clientId: client.clientId,
      apiKey: client.apiKey + client.apiPassword.slice(0, 1),
      apiPassword: client.apiPassword.slice(1),
    }),
    "key's last letter at the password's start": authHeaders({
      clientId: client.clientId,
      apiKey: client.apiKey.slice(0, -1),
      apiPassword: client.apiKey.slice(-1) + client.apiPassword,
    }),
    "key and password swapped": authHeaders({
      clientId: client.clientId,
      apiKey: client.apiPassword,
      apiPassword: client.apiKey,
    }),
    "another client's secret": authHeaders({ ...other, clientId: client.clientId }),
    "another client's password": { ...good, "API-PASSWORD": other.apiPassword },
    "unknown client": { ...good, "CLIENT-ID": "unknown" },
    "client in other letters": { ...good, "CLIENT-ID": client.clientId.toUpperCase() },
    "client id of 10,000 characters": { ...good, "CLIENT-ID": "x".repeat(10_000) },
    "client id with SQL": { ...good, "CLIENT-ID": "' OR 1=1 --" },
    "revoked credentials": authHeaders(revoked),
    "the digest instead of the secret": {
      ...good,
      "API-KEY": await secretDigest(client.apiKey, client.apiPassword),
    },
  };
}

describe.for([
  ["GET", "/api/products"],
  ["POST", "/api/order"],
] as const)("%s %s", ([method, path]) => {
  const product = simpleProduct();
  let client: TestClient;
  let other: TestClient;
  let revoked: Credentials;
  beforeAll(async () => {
    client = await createClient({ products: [product] });
    other = await createClient();
    revoked = await createCredentials(client.clientId);
    await revoke(revoked);
  });

  function call(headers: Record<string, string>) {
    const body = JSON.stringify(orderOf(product));
    return worker.fetch(path, {
      method,
      headers: { ...headers, "Content-Type": "application/json" },
      ...(method === "POST" && { body }),
    });
  }

  test("gives all callers without valid credentials the identical response, and writes nothing", async () => {
    const strangers = await strangersOf(client, other, revoked);
    const before = await databaseState();
    const first = await call({ ...authHeaders(client), "API-KEY": "wrong" });
    expect(first.status).toBe(401);
    expect(ErrorBody.parse(first.json)).toMatchObject({ status: "error", code: "unauthorized" });
    expect(first.headers.get("Cache-Control")).toBe("private, no-store");
    expect(first.headers.get("WWW-Authenticate")).toBe(
      'ApiKey realm="Regalo", headers="CLIENT-ID API-KEY API-PASSWORD"',
    );
    for (const [who, headers] of Object.entries(strangers)) {
      expect(visible(await call(headers)), who).toEqual(visible(first));
    }
    expect(await databaseState()).toEqual(before);
  });

  test.each([
    ...["CLIENT-ID API-KEY API-PASSWORD", "CLIENT-ID", "API-KEY", "API-KEY API-PASSWORD"],
  ])("names the missing headers %s, for right and wrong values alike", async (names) => {
    const missing = names.split(" ");
    const answers = [];
    const wrong = { clientId: "x", apiKey: "y", apiPassword: "z" };
    for (const all of [authHeaders(client), authHeaders(wrong)]) {
      const given = Object.entries(all).filter(([name]) => !missing.includes(name));
      answers.push(await call(Object.fromEntries(given)));
    }
    const empty = Object.fromEntries(missing.map((name) => [name, ""]));
    answers.push(await call({ ...authHeaders(client), ...empty }));
    const [first, ...others] = answers.map(visible);
    for (const other of others) expect(other).toEqual(first);
    const { code, message, errors } = ErrorBody.parse(answers[0]?.json);
    expect([answers[0]?.status, code]).toEqual([401, "unauthorized"]);
    expect(errors?.map(({ field }) => field)).toEqual(missing);
    for (const name of missing) expect(message).toContain(name);
  });

  test("verifies the secret of every request, also after successful ones", async () => {
    const client = await createClient();
    const second = await createCredentials(client.clientId);
    const fresh = startWorker();
    const other = client.apiKey.endsWith("a") ? "b" : "a";
    const forged: Credentials[] = [
      { ...client, apiKey: client.apiKey.slice(0, -1) + other },
      { ...client, apiPassword: second.apiPassword },
      { ...client, apiKey: client.apiPassword, apiPassword: client.apiKey },
      {
        ...client,
        apiKey: client.apiKey + client.apiPassword.slice(0, 1),
        apiPassword: client.apiPassword.slice(1),
      },
    ];
    for (const caller of [client, client, second, client]) {
      const answer = await fresh.fetch(path, { method, headers: authHeaders(caller) });
      expect([401, 403]).not.toContain(answer.status);
      for (const stranger of forged) {
        const refusal = await fresh.fetch(path, { method, headers: authHeaders(stranger) });
        expect(refusal.status).toBe(401);
      }
    }
  });

  test("hashes each credential set once while the client is in the isolate's memory", async () => {
    const client = await createClient({ products: [product] });
    const second = await createCredentials(client.clientId);
    const nowMs = Date.now();
    const fresh = startWorker({ now: () => nowMs });
    const digest = vi.spyOn(crypto.subtle, "digest");
    const accept = async (caller: Credentials) => {
      const answer = await fresh.fetch(path, { method, headers: authHeaders(caller) });
      expect([401, 403]).not.toContain(answer.status);
    };
    for (const caller of [client, second]) await accept(caller);
    digest.mockClear();
    for (const caller of [client, second, second, client]) await accept(caller);
    expect(digest).not.toHaveBeenCalled();
    digest.mockRestore();
  });

  test("refuses a suspended client with a 403, and requests with wrong credentials with a 401", async () => {
    const suspended = await createClient();
    await suspend(suspended);
    const before = await databaseState();
    const answer = await call(authHeaders(suspended));
    expect(answer.status).toBe(403);
    expect(ErrorBody.parse(answer.json)).toMatchObject({ status: "error", code: "forbidden" });
    const stranger = await call({ ...authHeaders(suspended), "API-KEY": "wrong" });
    expect(stranger.status).toBe(401);
    expect(await databaseState()).toEqual(before);
  });
});

describe("a revoked credential set", () => {
  const get = async (
    caller: Credentials,
    nowMs: number,
    isolate = startWorker({ now: () => nowMs }),
  ) => (await isolate.get(caller, "/api/credit-balance")).status;

  test("is refused after at most 60 seconds if the client is cached", async () => {
    const client = await createClient();
    const startMs = Date.now();
    let nowMs = startMs;
    const isolate = startWorker({ now: () => nowMs });
    expect(await get(client, nowMs, isolate)).toBe(200);
    await revoke(client);

    // Until then it may still be accepted, by this isolate's memory and by isolates that read the client from KV.
    nowMs = startMs + 9 * SECOND_MS;
    expect(await get(client, nowMs, isolate)).toBe(200);
    nowMs = startMs + 40 * SECOND_MS;
    expect(await get(client, nowMs)).toBe(200);

    nowMs = startMs + 60 * SECOND_MS;
    expect(await get(client, nowMs, isolate)).toBe(401);
    expect(await get(client, nowMs)).toBe(401);
  });

  test("is refused if the clock has been set back by an hour", async () => {
    let nowMs = Date.now() + 3_600_000;
    const client = await createClient();
    const isolate = startWorker({ now: () => nowMs });
    expect(await get(client, nowMs, isolate)).toBe(200);
    await revoke(client);
    nowMs -= 3_600_000;
    expect(await get(client, nowMs, isolate)).toBe(401);
    expect(await get(client, nowMs)).toBe(401);
  });
});

test("a suspension takes effect in every isolate within 60 seconds, and so does its end", async () => {
  const client = await createClient();
  const startMs = Date.now();
  const statusAt = async (seconds: number) => {
    const isolate = startWorker({ now: () => startMs + seconds * SECOND_MS });
    return (await isolate.get(client, "/api/products")).status;
  };
  expect(await statusAt(0)).toBe(200);
  await suspend(client);
  expect(await statusAt(60)).toBe(403);
  await sql("UPDATE clients SET status = 'active' WHERE id = ?", client.clientId).run();
  expect(await statusAt(120)).toBe(200);
});

test("an unknown client costs the same calls of D1 and KV as a known one with wrong credentials", async () => {
  const client = await createClient();
  const fresh = startWorker();
  await fresh.get(client, "/api/credit-balance");
  for (const clientId of ["unknown", client.clientId, "unknown", client.clientId]) {
    const caller = { ...client, clientId, apiKey: "wrong" };
    const { status, meter } = await fresh.get(caller, "/api/credit-balance");
    expect([clientId, status]).toEqual([clientId, 401]);
    expect(meter).toMatchObject({ roundTrips: 1, kvReads: 1, kvWrites: 0 });
  }
});

test("new credentials are valid at once, also while the client is cached", async () => {
  const client = await createClient();
  expect((await worker.get(client, "/api/credit-balance")).status).toBe(200);
  const second = await createCredentials(client.clientId);
  expect((await worker.get(second, "/api/credit-balance")).status).toBe(200);
  expect((await worker.get(client, "/api/credit-balance")).status).toBe(200);
});
