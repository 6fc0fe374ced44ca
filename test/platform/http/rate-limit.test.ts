import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { newMeter, overriding } from "../../support/counting.ts";
import { errorOf } from "../../support/errors.ts";
import { takes, warmShop, watchLog } from "../../support/faults.ts";
import { createClient, openShop, orderOf, simpleProduct, unique } from "../../support/fixtures.ts";
import { type Answer, type Credentials, startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

/** Credentials of a client that does not exist. */
const UNKNOWN_CLIENT = { clientId: "unknown", apiKey: "a", apiPassword: "b" };

/** A Worker, and the keys that its rate limiter counts. */
function startCountingWorker() {
  const counted: string[] = [];
  const RATE_LIMITER = overriding(env.RATE_LIMITER, {
    limit: (options: { key: string }) => {
      counted.push(options.key);
      return env.RATE_LIMITER.limit(options);
    },
  });
  return { counting: startWorker({ env: { RATE_LIMITER } }), counted };
}

// More requests than two windows of one minute permit, since the requests may fall into two windows.
const MORE_THAN_TWO_WINDOWS = 7;
const limited = startWorker({ env: { RATE_LIMITER: env.SMALL_RATE_LIMITER } });
/** The header with an address that no other test uses. */
const anAddress = () => {
  const n = unique();
  return { "CF-Connecting-IP": `198.18.${String(Math.floor(n / 256))}.${String(n % 256)}` };
};

describe("the rate limit", () => {
  test("refuses a client's excess requests with a Retry-After, and does not affect other clients", async () => {
    const product = simpleProduct();
    const [busy, calm] = [await createClient({ products: [product] }), await createClient()];
    // The limit applies to the client in all isolates. This isolate has cached the busy client.
    const answers: Answer[] = [];
    for (let i = 0; i < MORE_THAN_TWO_WINDOWS; i++) {
      answers.push(await limited.post(busy, "/api/order", orderOf(product)));
    }
    const [refused] = answers.filter(({ status }) => status !== 200);
    if (!refused) throw new Error("no request was refused");
    expect(errorOf(refused)).toMatchObject({ http: 429, code: "too_many_requests" });
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await limited.get(calm, "/api/products", anAddress())).status).toBe(200);
  });

  test("refuses an address with requests for many unknown clients", async () => {
    const address = anAddress();
    const tries: Answer[] = [];
    for (let i = 0; i < MORE_THAN_TWO_WINDOWS; i++) {
      const caller = { ...UNKNOWN_CLIENT, clientId: `unknown-${String(i)}` };
      tries.push(await limited.get(caller, "/api/products", address));
    }
    const [first, last] = [tries[0], tries.find(({ status }) => status !== 401)];
    expect(first?.status).toBe(401);
    if (!last) throw new Error("no try was refused");
    expect(errorOf(last).code).toBe("too_many_requests");
    expect(last.headers.get("Retry-After")).toBe("60");
    // Requests over the limit cause no reads of the database.
    expect(last.meter.roundTrips).toBe(0);
  });

  test("is checked before any work for an address over the limit, with valid and invalid credentials", async () => {
    const from = { "CF-Connecting-IP": "192.0.2.8" };
    const client = await createClient();
    const known = startWorker({ env: { RATE_LIMITER: env.SMALL_RATE_LIMITER } });
    await known.get(client, "/api/credit-balance", { "CF-Connecting-IP": "192.0.2.3" });
    for (let i = 0; i < MORE_THAN_TWO_WINDOWS; i++)
      await known.get(UNKNOWN_CLIENT, "/api/products", from);

    const digest = vi.spyOn(crypto.subtle, "digest");
    const elsewhere = startWorker({ env: { RATE_LIMITER: env.SMALL_RATE_LIMITER } });
    const answers = [
      await known.get(UNKNOWN_CLIENT, "/api/products", from),
      await known.get({ ...UNKNOWN_CLIENT, clientId: "x".repeat(100) }, "/api/products", from),
      await known.get({ ...client, apiKey: "" }, "/api/products", from),
      await known.get({ ...client, apiKey: "wrong" }, "/api/products", from),
      await elsewhere.get({ ...client, apiKey: "wrong" }, "/api/products", from),
      await elsewhere.get(client, "/api/products", from),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([429, answers[0]?.text]);
      expect(answer.meter).toEqual(newMeter());
    }
    expect(digest).not.toHaveBeenCalled();
    digest.mockRestore();
    // Wrong credentials of others do not lock out a client that the isolate has just accepted.
    expect((await known.get(client, "/api/credit-balance", from)).status).toBe(200);
  });

  test("applies to suspended clients", async () => {
    const client = await createClient({ status: "suspended" });
    const address = anAddress();
    const statuses: number[] = [];
    for (let i = 0; i < MORE_THAN_TWO_WINDOWS; i++) {
      statuses.push((await limited.get(client, "/api/products", address)).status);
    }
    expect(statuses[0]).toBe(403);
    expect(statuses).toContain(429);
  });
});

describe("the rate limiter", () => {
  test("counts the IPv6 addresses of one /64 network together", async () => {
    const { counting, counted } = startCountingWorker();
    for (const address of ["2001:db8:7::1", "2001:0DB8:7:0:ffff::2", "2001:db8:7:1::1"]) {
      await counting.get(UNKNOWN_CLIENT, "/api/products", { "CF-Connecting-IP": address });
      await counting.fetch("/redeem/forged", { headers: { "CF-Connecting-IP": address } });
    }
    expect(counted).toEqual([
      ...Array<string>(4).fill("address:2001:0db8:0007:0000::/64"),
      ...Array<string>(2).fill("address:2001:0db8:0007:0001::/64"),
    ]);
  });

  test("counts every refused credential once, for known and unknown clients", async () => {
    const { counting, counted } = startCountingWorker();
    const wrong = { ...(await createClient()), apiPassword: "wrong" };
    // At first the client is cached neither in the isolate nor in KV, then in both.
    const address = anAddress();
    for (const caller of [wrong, UNKNOWN_CLIENT, wrong, UNKNOWN_CLIENT, { ...wrong, apiKey: "" }]) {
      expect((await counting.get(caller, "/api/products", address)).status).toBe(401);
    }
    expect(counted).toEqual(Array(5).fill(`address:${address["CF-Connecting-IP"]}`));
    counted.length = 0;
    await counting.get(wrong, "/api/products");
    expect(counted).toEqual(["address:unknown"]);
  });

  test("counts every message to /mcp once, before its body is read", async () => {
    const { counting, counted } = startCountingWorker();
    const client = await createClient();
    const caller = `client:${client.clientId}`;
    await counting.get(client, "/api/credit-balance");
    counted.length = 0;
    const send = (message: object | string, from: Credentials = client) =>
      counting.post(from, "/mcp", message, anAddress());
    const call = (name: string, given: object) =>
      send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } });
    await send({ jsonrpc: "2.0", id: 1, method: "ping" });
    await send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await send("{");
    await call("dropTables", {});
    await call("listProducts", { q: "a".repeat(10_000) });
    const { json } = await call("getCreditBalance", {});
    expect(json.result).toMatchObject({ isError: false });
    expect(counted).toEqual(Array(6).fill(caller));
    counted.length = 0;
    const statuses = [
      await send("{", UNKNOWN_CLIENT),
      await send("a".repeat(2_000_000), UNKNOWN_CLIENT),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401]);
    expect(counted).toEqual(Array(2).fill(expect.stringMatching(/^address:198/)));
  });

  test("counts a client's requests from all addresses together", async () => {
    const { counting, counted } = startCountingWorker();
    const client = await createClient();
    // A client that is not cached counts against its address before it is read from the database.
    await counting.get(client, "/api/products", anAddress());
    counted.length = 0;
    await counting.get(client, "/api/products", anAddress());
    await counting.get(client, "/api/credit-balance", anAddress());
    expect(counted).toEqual(Array(2).fill(`client:${client.clientId}`));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a rate limiter that does not answer", () => {
  test("is ignored after 250 ms", async () => {
    const log = watchLog();
    const { product, client } = await warmShop({});
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { promise: hangs, resolve: report } = Promise.withResolvers<undefined>();
    const limit = () => {
      report(undefined);
      return new Promise<RateLimitOutcome>(() => undefined);
    };
    const worker = startWorker({ env: { RATE_LIMITER: { limit } } });
    const first = worker.get(client, "/api/products");
    await hangs;
    // Credentials that are new to the isolate also count against the address.
    await vi.advanceTimersByTimeAsync(250);
    expect((await takes(250, first)).status).toBe(200);
    expect((await takes(250, worker.post(client, "/api/order", orderOf(product)))).status).toBe(
      200,
    );
    expect((await takes(250, worker.fetch("/redeem/forged"))).status).toBe(404);
    expect(log.mock.calls.flat().join("\n")).toContain("rate_limiter.failed");
  });
});

const POLICY = '"client";q=42;w=60';
const worker = startWorker({ env: { RATE_LIMIT_PER_MINUTE: 42 } });

test("every response to valid credentials has RateLimit-Policy", async () => {
  const { product, client } = await openShop();
  const suspended = await createClient();
  await sql("UPDATE clients SET status = 'suspended' WHERE id = ?", suspended.clientId).run();
  const page = await worker.get(client, "/api/products", { "Accept-Encoding": "identity" });
  const answers = [
    page,
    await worker.get(client, "/api/products", { "If-None-Match": page.headers.get("ETag") ?? "" }),
    await worker.get(client, "/api/credit-balance"),
    await worker.post(client, "/api/order", orderOf(product)),
    await worker.post(client, "/api/order", {}),
    await worker.get(client, "/api/order?order_id=9999999"),
    await worker.get(client, "/api/nothing"),
    await worker.post(client, "/api/products", {}),
    await worker.get(suspended, "/api/products"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([
    200, 304, 200, 200, 400, 404, 404, 405, 403,
  ]);
  for (const { headers } of answers) {
    expect(headers.get("RateLimit-Policy")).toBe(POLICY);
    expect(headers.has("RateLimit")).toBe(false);
  }
  const compressed = await worker.raw(client, "/api/products", {
    headers: { "Accept-Encoding": "gzip" },
  });
  expect(compressed.headers.get("Content-Encoding")).toBe("gzip");
  expect(compressed.headers.get("RateLimit-Policy")).toBe(POLICY);
});

test("a response to invalid credentials, and a recipient's page, has no such header", async () => {
  const client = await createClient();
  const answers = [
    await worker.get({ ...client, apiKey: "wrong" }, "/api/products"),
    await worker.fetch("/api/products"),
    await worker.fetch("/redeem/unknown"),
  ];
  for (const { headers } of answers) expect(headers.has("RateLimit-Policy")).toBe(false);
});

test("a 429 because of the client's limit has RateLimit with r=0, and a 429 because of the network's limit has no RateLimit", async () => {
  const client = await createClient();
  const refusing = (prefix: string) =>
    startWorker({
      env: {
        RATE_LIMITER: {
          limit: ({ key }) => Promise.resolve({ success: !key.startsWith(prefix) }),
        },
        RATE_LIMIT_PER_MINUTE: 42,
      },
    });
  const ofClient = await refusing("client:").get(client, "/api/products");
  expect(ofClient.status).toBe(429);
  expect(ofClient.headers.get("RateLimit-Policy")).toBe(POLICY);
  expect(ofClient.headers.get("RateLimit")).toBe('"client";r=0');
  expect(ofClient.headers.get("Retry-After")).toBe("60");
  const ofNetwork = await refusing("address:").get(client, "/api/products");
  expect(ofNetwork.status).toBe(429);
  expect(ofNetwork.headers.has("RateLimit")).toBe(false);
  expect(ofNetwork.headers.has("RateLimit-Policy")).toBe(false);
});
