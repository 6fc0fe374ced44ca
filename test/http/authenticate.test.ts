// Who may call, on every route: what is refused, how soon, and that one client never meets another's things.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { secretDigest } from "../../src/clients/credentials.ts";
import { SECOND_MS } from "../../src/values/time.ts";
import {
  createClient,
  type TestClient,
  createCredentials,
  orderOf,
  simpleProduct,
} from "../support/fixtures.ts";
import { ErrorBody, GiftLinkPlacement, Placement, ProductList } from "../support/shapes.ts";
import { databaseState } from "../support/state.ts";
import { type Answer, authHeaders, type Credentials, startWorker } from "../support/worker.ts";

const worker = startWorker();

const ROUTES = [
  ["GET", "/api/products"],
  ["GET", "/api/product?product_id=1"],
  ["POST", "/api/order"],
  ["POST", "/api/gift-link"],
  ["GET", "/api/order?order_id=1"],
  ["GET", "/api/credit-balance"],
  // Not even whether an address or a method exists is told to strangers.
  ["DELETE", "/api/order"],
  ["GET", "/api/nothing"],
] as const;

async function revoke({ clientId, apiKey, apiPassword }: Credentials): Promise<void> {
  await env.DB.prepare(
    "UPDATE credentials SET revoked_at_ms = 1 WHERE client_id = ? AND secret_digest = ?",
  )
    .bind(clientId, await secretDigest(apiKey, apiPassword))
    .run();
}

async function suspend({ clientId }: Credentials): Promise<void> {
  await env.DB.prepare("UPDATE clients SET status = 'suspended' WHERE id = ?").bind(clientId).run();
}

/** All that a caller sees of an answer, but for the id that is each answer's own. */
function visible({ status, headers, text }: Answer) {
  return { status, text, headers: [...headers].filter(([name]) => name !== "x-request-id") };
}

describe.for(ROUTES)("%s %s", ([method, path]) => {
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

  test("gives every caller without valid credentials one identical answer, and writes nothing", async () => {
    const good = authHeaders(client);
    const without = (name: string) =>
      Object.fromEntries(Object.entries(good).filter(([header]) => header !== name));
    const strangers: Record<string, Record<string, string>> = {
      "no header at all": {},
      "no CLIENT-ID": without("CLIENT-ID"),
      "no API-KEY": without("API-KEY"),
      "no API-PASSWORD": without("API-PASSWORD"),
      "empty API-KEY": { ...good, "API-KEY": "" },
      "empty API-PASSWORD": { ...good, "API-PASSWORD": "" },
      "wrong API-KEY": { ...good, "API-KEY": "wrong" },
      "wrong API-PASSWORD": { ...good, "API-PASSWORD": "wrong" },
      "longer API-PASSWORD": { ...good, "API-PASSWORD": `${client.apiPassword}x` },
      // Key and password of the same letters in a row, cut elsewhere.
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
      "unknown client": { ...good, "CLIENT-ID": "nobody" },
      "client in other letters": { ...good, "CLIENT-ID": client.clientId.toUpperCase() },
      "client id of 10,000 characters": { ...good, "CLIENT-ID": "x".repeat(10_000) },
      "client id with SQL": { ...good, "CLIENT-ID": "' OR 1=1 --" },
      "revoked credentials": authHeaders(revoked),
      "the digest instead of the secret": {
        ...good,
        "API-KEY": await secretDigest(client.apiKey, client.apiPassword),
      },
    };
    const before = await databaseState();
    const first = await call({});
    expect(first.status).toBe(401);
    expect(ErrorBody.parse(first.json)).toEqual({
      status: "error",
      message: "CLIENT-ID, API-KEY and API-PASSWORD are not valid together.",
      code: "unauthorized",
    });
    expect(first.headers.get("Cache-Control")).toBe("private, no-store");
    expect(first.headers.get("WWW-Authenticate")).toBe(
      'ApiKey realm="Regalo", headers="CLIENT-ID API-KEY API-PASSWORD"',
    );
    for (const [who, headers] of Object.entries(strangers)) {
      expect(visible(await call(headers)), who).toEqual(visible(first));
    }
    expect(await databaseState()).toEqual(before);
  });

  test("lets both credential sets of a rotation in", async () => {
    const second = await createCredentials(client.clientId);
    // This isolate has not met the client: it does not remember that there was one set only.
    const fresh = startWorker({ now: () => Date.now() + 60 * SECOND_MS });
    for (const caller of [client, second]) {
      const answer = await fresh.fetch(path, { method, headers: authHeaders(caller) });
      expect([401, 403]).not.toContain(answer.status);
    }
  });

  test("looks at the secret of every request, whoever was let in before", async () => {
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

  test("hashes each credential set of a rotation once while the record is in the isolate", async () => {
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

  test("refuses a suspended client, but tells so only to the client itself", async () => {
    const suspended = await createClient();
    await suspend(suspended);
    const before = await databaseState();
    const answer = await call(authHeaders(suspended));
    expect(answer.status).toBe(403);
    expect(ErrorBody.parse(answer.json)).toEqual({
      status: "error",
      message: "This client is suspended.",
      code: "forbidden",
    });
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

  test("is refused at once where the client's record is not cached", async () => {
    const client = await createClient();
    await revoke(client);
    expect(await get(client, Date.now())).toBe(401);
  });

  test("is refused after at most 60 seconds where the record is cached", async () => {
    const client = await createClient();
    const startMs = Date.now();
    let nowMs = startMs;
    const isolate = startWorker({ now: () => nowMs });
    expect(await get(client, nowMs, isolate)).toBe(200);
    await revoke(client);

    // Until then it may still be let in, by this isolate's memory and by others that find the record in KV.
    nowMs = startMs + 9 * SECOND_MS;
    expect(await get(client, nowMs, isolate)).toBe(200);
    nowMs = startMs + 40 * SECOND_MS;
    expect(await get(client, nowMs)).toBe(200);

    nowMs = startMs + 60 * SECOND_MS;
    expect(await get(client, nowMs, isolate)).toBe(401);
    expect(await get(client, nowMs)).toBe(401);
  });

  test("is refused sooner where the client is busy, since its record is read anew before", async () => {
    const client = await createClient();
    const startMs = Date.now();
    expect(await get(client, startMs)).toBe(200);
    await revoke(client);
    // This request still meets the old record, and has it refreshed behind the answer.
    expect(await get(client, startMs + 45 * SECOND_MS)).toBe(200);
    expect(await get(client, startMs + 46 * SECOND_MS)).toBe(401);
  });

  test("leaves the other set of the rotation valid", async () => {
    const first = await createClient();
    const second = await createCredentials(first.clientId);
    const startMs = Date.now();
    expect(await get(first, startMs)).toBe(200);
    expect(await get(second, startMs)).toBe(200);
    await revoke(first);
    expect(await get(first, startMs + 60 * SECOND_MS)).toBe(401);
    expect(await get(second, startMs + 60 * SECOND_MS)).toBe(200);
  });
});

describe("a suspension", () => {
  test("reaches every isolate within 60 seconds, and its end does as well", async () => {
    const client = await createClient();
    const startMs = Date.now();
    const statusAt = async (seconds: number) => {
      const isolate = startWorker({ now: () => startMs + seconds * SECOND_MS });
      return (await isolate.get(client, "/api/products")).status;
    };
    expect(await statusAt(0)).toBe(200);
    await suspend(client);
    expect(await statusAt(60)).toBe(403);
    await env.DB.prepare("UPDATE clients SET status = 'active' WHERE id = ?")
      .bind(client.clientId)
      .run();
    expect(await statusAt(120)).toBe(200);
  });
});

describe("another client", () => {
  test("cannot read an order: it is answered as one that never was", async () => {
    const product = simpleProduct();
    const owner = await createClient({ products: [product] });
    const other = await createClient({ products: [product] });
    const body = orderOf(product);
    const { order_data } = Placement.parse((await worker.post(owner, "/api/order", body)).json);
    const never = await worker.get(other, "/api/order?order_id=99999999");
    expect(never.status).toBe(404);
    for (const query of [
      `order_id=${String(order_data.order_id)}`,
      `order_number=${order_data.order_number}`,
      `order_ref_id=${body.order_ref_id}`,
    ]) {
      expect((await worker.get(owner, `/api/order?${query}`)).status).toBe(200);
      expect(visible(await worker.get(other, `/api/order?${query}`))).toEqual(visible(never));
    }
  });

  test("may use the same order_ref_id for an order of its own", async () => {
    const product = simpleProduct();
    const clients = [
      await createClient({ products: [product] }),
      await createClient({ products: [product] }),
    ];
    const body = orderOf(product);
    const orderIds = [];
    for (const client of clients) {
      const placed = Placement.parse((await worker.post(client, "/api/order", body)).json);
      const read = await worker.get(client, `/api/order?order_ref_id=${body.order_ref_id}`);
      expect(read.json).toMatchObject({ order_id: String(placed.order_data.order_id) });
      orderIds.push(placed.order_data.order_id);
    }
    expect(orderIds[0]).not.toBe(orderIds[1]);
  });

  test("neither sees nor orders what its own catalogue does not hold", async () => {
    const theirs = simpleProduct();
    const own = simpleProduct();
    await createClient({ products: [theirs] });
    const client = await createClient({ products: [own] });
    const list = ProductList.parse((await worker.get(client, "/api/products")).json);
    expect(list.total_products).toBe(1);
    expect(list.products.map(({ product_id }) => product_id)).toEqual([own.product.id]);

    const product = await worker.get(
      client,
      `/api/product?product_id=${String(theirs.product.id)}`,
    );
    expect(product.status).toBe(404);
    const before = await databaseState();
    for (const path of ["/api/order", "/api/gift-link"]) {
      const answer = await worker.post(client, path, orderOf(theirs));
      expect(answer.status).toBe(422);
      expect(ErrorBody.parse(answer.json).code).toBe("product_not_found");
    }
    expect(await databaseState()).toEqual(before);
  });

  test("has a credit of its own", async () => {
    const [rich, poor] = [await createClient(), await createClient({ creditMinor: 0 })];
    expect((await worker.get(rich, "/api/credit-balance")).json).toMatchObject({
      credit_balance: 1_000_000,
    });
    expect((await worker.get(poor, "/api/credit-balance")).json).toMatchObject({
      credit_balance: 0,
    });
  });
});

describe("the log", () => {
  test("has one JSON line a request, and neither a secret nor a recipient's data in it", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const failing = startWorker({ env: { DB: env.EMPTY_DB } });
    const log = vi.spyOn(console, "log").mockReturnValue();
    const others = (["error", "warn", "info", "debug"] as const).map((name) =>
      vi.spyOn(console, name).mockReturnValue(),
    );
    const body = orderOf(product, {
      order_ref_id: "reference-of-the-client",
      recipient_details: [
        {
          first_name: "Wilhelmina",
          last_name: "Featherstonehaugh",
          email: "wilhelmina@example.com",
          phone_number: "+61 2 5550 0187",
          delivery_address: {
            address_line_1: "99 Jacaranda Parade",
            suburb: "Fremantle",
            postcode_zipcode: "6160",
            country: "AU",
          },
          redemption_message: "Congratulations on your marathon!",
        },
      ],
    });
    const placed = await worker.post(client, "/api/gift-link", body);
    const giftUrl = GiftLinkPlacement.parse(placed.json).recipient_return[0]?.gift_url ?? "";
    const giftPath = new URL(giftUrl).pathname;
    /** A Worker where all keys of this kind are over the limit. */
    const refusing = (kind: string) => {
      const limit = ({ key }: { key: string }) =>
        Promise.resolve({ success: !key.startsWith(kind) });
      return startWorker({ env: { RATE_LIMITER: { limit } } });
    };
    const calls: [Answer, method: string, route: string, known: boolean, code?: string][] = [
      [placed, "POST", "/api/gift-link", true],
      [
        await worker.post(client, "/api/order", body),
        "POST",
        "/api/order",
        true,
        "order_ref_conflict",
      ],
      [
        await worker.post(client, "/api/order", { ...body, currency: 5 }),
        "POST",
        "/api/order",
        true,
        "validation_error",
      ],
      [
        await worker.get(client, "/api/order?order_ref_id=reference-of-the-client"),
        "GET",
        "/api/order",
        true,
      ],
      [
        await worker.get({ ...client, apiKey: "guessed-key" }, "/api/products"),
        "GET",
        "/api/products",
        false,
        "unauthorized",
      ],
      [
        await refusing("client:").get(client, "/api/products"),
        "GET",
        "/api/products",
        true,
        "too_many_requests",
      ],
      [
        await refusing("address:").get(client, "/api/products"),
        "GET",
        "/api/products",
        false,
        "too_many_requests",
      ],
      [await worker.fetch("/redeem/forged"), "GET", "/redeem/:token{[^]+}", false, "not_found"],
      [await worker.fetch(giftPath), "GET", "/redeem/:token{[^]+}", false],
      // Fails in the middle of placing: what is logged of the fault is for operators, too.
      [
        await failing.post(client, "/api/gift-link", body),
        "POST",
        "/api/gift-link",
        true,
        "internal_error",
      ],
    ];
    const lines = log.mock.calls.map(([line]) => String(line));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      calls.map(([answer, method, route, known, code]) => ({
        requestId: answer.headers.get("X-Request-Id"),
        ...(known && { client: client.clientId }),
        method,
        route,
        status: answer.status,
        ...(code !== undefined && { code }),
        durationMs: expect.any(Number) as number,
      })),
    );
    const secrets = [
      client.apiKey,
      client.apiPassword,
      "guessed-key",
      env.GIFT_LINK_SECRET,
      giftPath.replace("/redeem/", ""),
      "reference-of-the-client",
      ..."Wilhelmina,Featherstonehaugh,wilhelmina@,+61,Jacaranda,Fremantle,marathon".split(","),
    ];
    const faults = others.flatMap((spy) => spy.mock.calls.flat().map(String));
    expect(faults.join("\n")).toContain("no such table");
    for (const secret of secrets) expect([...lines, ...faults].join("\n")).not.toContain(secret);
  });
});
