// The header Regalo-Simulate: the responses are those of the real cases, and nothing is read or written.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { forgetClient } from "../../../src/features/clients/cache.ts";
import type { Bindings } from "../../../src/platform/env.ts";
import {
  SIMULATE_HEADER,
  SIMULATED_FAULTS,
  SLOW_MS,
} from "../../../src/features/sandbox/simulated-faults.ts";
import { overriding } from "../../support/counting.ts";
import { errorOf } from "../../support/errors.ts";
import {
  deadDatabase,
  hangingD1,
  takes,
  warmShop,
  watchLog,
  replacingBatch,
} from "../../support/faults.ts";
import { openShop, orderOf, ordersOf } from "../../support/fixtures.ts";
import { databaseState } from "../../support/state.ts";
import {
  type Answer,
  authHeaders,
  startWorker,
  type TestWorker,
  visible,
} from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

const PRODUCTION: { env: Partial<Bindings> } = {
  env: { ENVIRONMENT: "production", PUBLIC_URL: "https://api.example.com" },
};

const ERRORS = SIMULATED_FAULTS.filter((fault) => fault !== "slow");

const simulating = (fault: string) => ({ [SIMULATE_HEADER]: fault });

afterEach(() => {
  // The spy is removed first. Otherwise its removal would bring the fake setTimeout back.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Bindings with which every request gets the real error. */
const REAL: Record<string, Partial<Bindings>> = {
  service_unavailable: { DB: deadDatabase() },
  internal_error: { DB: env.EMPTY_DB },
  too_many_requests: {
    RATE_LIMITER: { limit: ({ key }) => Promise.resolve({ success: !key.startsWith("client:") }) },
  },
  forbidden: {},
};

test("the header has these values", () => {
  const others = ["insufficient_scope", "slow"];
  expect(SIMULATED_FAULTS.toSorted()).toEqual([...Object.keys(REAL), ...others].toSorted());
});

test("the simulated error insufficient_scope is the real response to a set with the scope read", async () => {
  const { client, worker } = await warmShop({});
  const scope = { scope: "read" };
  const { json } = await worker.post(client, "/api/credential", scope);
  const reader = { ...client, apiKey: json.api_key, apiPassword: json.api_password };
  const real = await worker.post(reader, "/api/credential", scope);
  const headers = simulating("insufficient_scope");
  const simulated = await worker.post(client, "/api/credential", scope, headers);
  expect(errorOf(simulated).code).toBe("insufficient_scope");
  expect(visible(simulated)).toEqual(visible(real));
});

describe.each(Object.keys(REAL))("the simulated error %s", (fault) => {
  test.each(["GET", "POST"])("of a %s is the real response", async (method) => {
    watchLog();
    const { client, worker } = await warmShop({});
    const send = (on: TestWorker, headers: HeadersInit = {}) =>
      method === "GET"
        ? on.get(client, "/api/credit-balance", headers)
        : on.post(client, "/api/credential", { scope: "read" }, headers);
    const before = await databaseState();
    const simulated = await send(worker, simulating(fault));
    expect(errorOf(simulated).code).toBe(fault);
    expect(await databaseState()).toEqual(before);
    expect(simulated.meter).toMatchObject({ roundTrips: 0, kvWrites: 0 });

    if (fault === "forbidden") {
      await sql("UPDATE clients SET status = 'suspended' WHERE id = ?", client.clientId).run();
      await forgetClient(env, client.clientId);
    }
    const real = await send(startWorker({ env: REAL[fault] ?? {} }));
    expect(visible(simulated)).toEqual(visible(real));
  });
});

describe("the header", () => {
  test.each(ERRORS)("with %s applies to every path and method", async (fault) => {
    const { client, worker } = await warmShop({});
    const status = errorOf(await worker.get(client, "/api/credit-balance", simulating(fault))).http;
    const statuses = [];
    for (const [method, path] of [
      ["GET", "/api/products"],
      ["HEAD", "/api/products"],
      ["POST", "/api/webhook"],
      ["POST", "/api/sandbox/event"],
      ["DELETE", "/api/order"],
      ["GET", "/api/unknown"],
    ] as const) {
      const headers = { ...authHeaders(client), ...simulating(fault) };
      statuses.push((await worker.fetch(path, { method, headers })).status);
    }
    expect(statuses).toEqual(statuses.map(() => status));
  });

  test("is read after the credentials, and requests with it count against the rate limit", async () => {
    const { client, worker } = await warmShop({});
    const wrong = { ...client, apiKey: "wrong" };
    const refused = await worker.get(wrong, "/api/products", simulating("service_unavailable"));
    expect(errorOf(refused).http).toBe(401);
    const counted: string[] = [];
    const RATE_LIMITER = overriding(env.RATE_LIMITER, {
      limit: (options: { key: string }) => {
        counted.push(options.key);
        return env.RATE_LIMITER.limit(options);
      },
    });
    const counting = startWorker({ env: { RATE_LIMITER } });
    await counting.get(client, "/api/products", simulating("internal_error"));
    expect(counted).toContain(`client:${client.clientId}`);
  });

  test("does not affect the recipient's page", async () => {
    const headers = simulating("service_unavailable");
    expect((await startWorker().fetch("/redeem/unknown", { headers })).status).toBe(404);
    expect((await startWorker(PRODUCTION).fetch("/redeem/unknown", { headers })).status).toBe(404);
  });

  test("with another value is refused, and nothing is placed", () =>
    expectRefused(["not_found", "SLOW", "", "slow, forbidden", "constructor"]));
});

test("in production the header is refused with every value, and nothing is placed", () =>
  expectRefused([...SIMULATED_FAULTS, "", "unknown"], PRODUCTION));

/** Checks that the header with each value is an error of its field, and the order is placed only without it. */
async function expectRefused(values: string[], options: Parameters<typeof startWorker>[0] = {}) {
  const { client, product } = await openShop();
  const worker = startWorker(options);
  const refusal = { http: 400, code: "validation_error", errors: [{ field: SIMULATE_HEADER }] };
  for (const headers of values.map(simulating)) {
    for (const answer of [
      await worker.get(client, "/api/webhooks", headers),
      await worker.post(client, "/api/order", orderOf(product), headers),
    ]) {
      expect([headers, errorOf(answer)]).toMatchObject([headers, refusal]);
    }
  }
  expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(200);
  expect(await ordersOf(client.clientId)).toBe(1);
}

describe("a slow request", () => {
  /** Starts the request, and returns when its wait has begun. The response is in an object, so that it is not awaited. */
  async function startWaiting(send: () => Promise<Answer>) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const timers = vi.spyOn(globalThis, "setTimeout");
    const answering = send();
    while (!timers.mock.calls.some(([, ms]) => ms === SLOW_MS)) await scheduler.wait(5);
    return { answering };
  }

  test("waits 5 seconds without a call of the database, and is then handled as usual", async () => {
    const { client, product } = await warmShop({});
    let calls = 0;
    const DB = replacingBatch((statements, run) => {
      calls += 1;
      return run(statements);
    });
    const nowMs = Date.now();
    const worker = startWorker({ env: { DB }, now: () => nowMs });
    const { answering } = await startWaiting(() =>
      worker.post(client, "/api/order", orderOf(product), simulating("slow")),
    );
    expect(calls).toBe(0);
    const answer = await takes(5_000, answering);
    expect(answer.status, answer.text).toBe(200);
    expect(calls).toBeGreaterThan(0);
    expect(await ordersOf(client.clientId)).toBe(2);
    // The order is placed after the wait.
    const createdAtMs = await sql(
      "SELECT created_at_ms FROM orders WHERE id = ?",
      answer.json.order_data.order_id,
    ).first<number>("created_at_ms");
    expect(createdAtMs).toBe(nowMs + 5_000);
  });

  test("has the deadlines of other requests after its wait", async () => {
    watchLog();
    const { client } = await warmShop({});
    const { DB, hangs } = hangingD1();
    const worker = startWorker({ env: { DB } });
    const { answering } = await startWaiting(() =>
      worker.get(client, "/api/credit-balance", simulating("slow")),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    await hangs;
    expect(errorOf(await takes(10_000, answering)).code).toBe("service_unavailable");
  });
});
