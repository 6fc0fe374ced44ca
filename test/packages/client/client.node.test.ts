// The client package in Node, with a local server behind a proxy that loses, delays and replaces responses.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type Account,
  type Attempt,
  createClient,
  RegaloConnectionError,
  RegaloError,
} from "../../../packages/client/src/index.ts";
import { OPERATIONS } from "../../../packages/client/src/resources.ts";
import { CLOCK, isRepeatable, waitMs } from "../../../packages/client/src/retry.ts";
import { DOCUMENT } from "../../support/document.ts";
import { type Served, sharedServer } from "../../servers/harness.ts";

type Answering = (response: ServerResponse, forward: () => Promise<Buffer>) => void | Promise<void>;

/** What happens to the next requests. The requests after them are forwarded. */
const faults: Answering[] = [];
const received: { path: string; body: string; bookmark: string | undefined }[] = [];
let served: Served;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const { url: path = "", method = "" } = request;
  const headers = new Headers(request.headers as Record<string, string>);
  const bookmark = headers.get("Regalo-Bookmark") ?? undefined;
  received.push({ path, body, bookmark });
  for (const name of ["host", "connection", "content-length"]) headers.delete(name);
  const forward = async () => {
    const init = { method, headers, ...(method === "POST" && { body }) };
    const forwarded = await fetch(served.url + path, init);
    response.statusCode = forwarded.status;
    for (const [name, value] of forwarded.headers) {
      if (!/^(content-(length|encoding)|transfer-encoding|connection)$/.test(name)) {
        response.setHeader(name, value);
      }
    }
    return Buffer.from(await forwarded.arrayBuffer());
  };
  const fault = faults.shift();
  if (fault) await fault(response, forward);
  else response.end(await forward());
}

const proxy = createServer((request, response) => void answer(request, response));

beforeAll(async () => {
  served = await sharedServer();
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
}, 60_000);
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});
afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
  received.splice(0);
  waits.splice(0);
});

/** How long clients have waited between attempts, in milliseconds. Waits of less than a minute end at once. */
const waits: number[] = [];
/** Ends the attempt. */
let attempt: AbortController;

const CLOCK_OF_TEST: typeof CLOCK = {
  timeout: () => (attempt = new AbortController()).signal,
  sleep: (ms, signal) => {
    waits.push(ms);
    return CLOCK.sleep(ms < 60_000 ? 0 : ms, signal);
  },
};

const between = (least: number, most: number) =>
  expect.toSatisfy((ms: number) => ms >= least && ms <= most) as number;

const connect = (changes: Partial<Account> = {}) =>
  createClient(
    {
      url: `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`,
      clientId: "demo",
      apiKey: "demo-key",
      apiPassword: "demo-password",
      ...changes,
    },
    CLOCK_OF_TEST,
  );

const orderOf = (order_ref_id: string) => ({
  order_ref_id,
  product_id: 1007,
  currency: "AUD",
  base_location: "AU",
  recipient_details: [{ first_name: "Ada", last_name: "Park", email: "ada@example.com" }],
});

/** The request is carried out, and the connection is closed without a response. */
const lost: Answering = async (response, forward) => {
  await forward();
  response.destroy();
};

/** Half of the response arrives, and no more. */
const stalled: Answering = async (response, forward) => {
  const body = await forward();
  response.setHeader("Content-Length", body.length);
  response.write(body.subarray(0, body.length / 2));
};

/** The request is not carried out. */
const refused =
  (status: number, retryAfter: string): Answering =>
  (response) => {
    response.writeHead(status, { "Retry-After": retryAfter });
    response.end(JSON.stringify({ status: "error", code: "too_many_requests", message: "Later." }));
  };

const placedWith = async (prefix: string) => {
  const orders = [];
  for await (const order of connect().items("/api/orders", { order_ref_id_prefix: prefix })) {
    orders.push(order);
  }
  return orders;
};

describe("a placement", () => {
  test.each<[string, Answering]>([
    ["is lost", lost],
    ["stops half-way until the timeout", stalled],
    ["is a 503", refused(503, "0")],
  ])("whose response %s is sent again, and placed once", async (how, fault) => {
    faults.push(fault);
    let replayed: string | null = null;
    const responses: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (fault === stalled && received.length === 1) attempt.abort();
      return response;
    };
    const placed = await connect({ fetch: responses }).post("/api/gift-link", orderOf(how), {
      onResponse: ({ headers }) => (replayed = headers.get("Idempotent-Replayed")),
    });
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect(replayed).toBe(how === "is a 503" ? null : "true");
    expect(await placedWith(how)).toMatchObject([{ order_id: placed.order_data.order_id }]);
  });

  test("is not sent again if it is refused", async () => {
    const body = { ...orderOf("refused"), currency: "X" };
    const error: unknown = await connect()
      .post("/api/gift-link", body)
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(RegaloError);
    expect(error).toMatchObject({ status: 400, code: "validation_error" });
    const { fields, requestId } = error as RegaloError;
    expect(fields).toMatchObject([{ field: "currency" }]);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(received).toHaveLength(1);
  });
});

describe("a request", () => {
  test("is sent at most four times, after waits that become longer", async () => {
    const failing: Answering = (response) => {
      response.writeHead(502).end("<html>Bad gateway</html>");
    };
    faults.push(failing, failing, failing, failing);
    const error = { status: 502, code: "invalid_response", fields: [], requestId: null };
    await expect(connect().get("/api/credit-balance")).rejects.toMatchObject(error);
    expect(received).toHaveLength(4);
    expect(waits).toEqual([between(250, 500), between(500, 1_000), between(1_000, 2_000)]);
  });

  test("that cannot be repeated is sent once if its response is lost, and again after a 429", async () => {
    const credentials = async () => (await connect().get("/api/credentials")).credentials.length;
    const before = await credentials();
    received.splice(0);
    faults.push(lost);
    await expect(connect().post("/api/credential", { scope: "read" })).rejects.toThrow(
      RegaloConnectionError,
    );
    expect(received).toHaveLength(1);
    faults.push(refused(429, "1"));
    await connect().post("/api/credential", { scope: "read" });
    expect(received).toHaveLength(3);
    // What the response requires, and the backoff.
    expect(waits).toEqual([between(1_250, 1_500)]);
    expect(await credentials()).toBe(before + 2);
  });

  test.each([
    ["30", 30_000],
    ["3600", 60_000],
    ["-5", 0],
    ["soon", 0],
    ["", 0],
  ])("waits as long as Retry-After: %s requires, at most a minute", (retryAfter, ms) => {
    expect(waitMs(1, retryAfter)).toEqual(between(ms + 250, ms + 500));
  });

  test("waits until the date of Retry-After", () => {
    const date = (ms: number) => new Date(Date.now() + ms).toUTCString();
    expect(waitMs(1, date(20_000))).toEqual(between(18_000, 20_500));
    expect(waitMs(1, date(-20_000))).toEqual(between(250, 500));
  });

  test("reports each attempt, and has its path below that of the URL", async () => {
    const attempts: Attempt[] = [];
    faults.push(refused(503, "0"));
    const onAttempt = (each: Attempt) => attempts.push(each);
    await connect({ onAttempt }).orders.list({ limit: 1 });
    const same = { method: "GET", path: "/api/orders", durationMs: expect.any(Number) as number };
    expect(attempts).toMatchObject([
      { ...same, number: 1, status: 503, retryAfterMs: expect.any(Number) as number },
      { ...same, number: 2, status: 200, error: undefined, retryAfterMs: undefined },
    ]);
    const urls: string[] = [];
    const below = connect({
      url: "https://proxy.example/regalo/",
      maxAttempts: 1,
      fetch: (url) => {
        urls.push(url as string);
        return Promise.reject(new TypeError("down"));
      },
    });
    await expect(below.credit.balance()).rejects.toThrow("There was no response: down");
    expect(urls).toEqual(["https://proxy.example/regalo/api/credit-balance"]);
  });

  test("has a name for each operation of the API", () => {
    const named = Object.values(OPERATIONS).flatMap((each) =>
      Object.values(each).map(([method, path]: readonly [string, string]) => `${method} ${path}`),
    );
    const all = Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(named.sort()).toEqual(all.sort());
  });

  test("ends at its deadline, also while it waits for an attempt", async () => {
    const waiting = new AbortController();
    faults.push(refused(429, "60"));
    const call = connect().get("/api/credit-balance", {}, { signal: waiting.signal });
    const ending = expect(call).rejects.toThrow("late");
    await expect.poll(() => waits, { timeout: 60_000 }).toHaveLength(1);
    waiting.abort(new Error("late"));
    await ending;

    const limited = new AbortController();
    faults.push(refused(429, "60"));
    const refusal = connect().get("/api/credit-balance", {}, { signal: limited.signal });
    const refusing = expect(refusal).rejects.toMatchObject({
      name: "RegaloError",
      status: 429,
      cause: { name: "TimeoutError" },
    });
    await expect.poll(() => waits, { timeout: 60_000 }).toHaveLength(2);
    limited.abort(new DOMException("late", "TimeoutError"));
    await refusing;

    const reading = new AbortController();
    faults.push(() => {
      reading.abort(new Error("enough"));
    });
    const products = connect().get("/api/products", {}, { signal: reading.signal });
    await expect(products).rejects.toThrow("enough");
  });

  test("whose attempt takes too long ends by the real clock", async () => {
    const never: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => {
          reject(init.signal?.reason as Error);
        });
      });
    const account = { url: "http://127.0.0.1:9", clientId: "x", apiKey: "x", apiPassword: "x" };
    const hasty = createClient({ ...account, fetch: never, timeoutMs: 20, maxAttempts: 1 });
    await expect(hasty.get("/api/products")).rejects.toMatchObject({
      name: "RegaloConnectionError",
      cause: { name: "TimeoutError" },
    });
  }, 10_000);

  test("does not follow a redirect, which would receive the credentials", async () => {
    faults.push((response) => {
      response.writeHead(302, { Location: "/api/credit-balance" }).end();
    });
    await expect(connect().get("/api/products")).rejects.toMatchObject({ status: 302 });
    expect(received).toHaveLength(1);
  });

  test("has the newest bookmark", async () => {
    const regalo = connect();
    await regalo.get("/api/credit-balance");
    await regalo.post("/api/gift-link", orderOf("bookmark"));
    const { bookmark } = regalo;
    await regalo.get("/api/credit-balance");
    expect(received.map((each) => each.bookmark)).toEqual([undefined, undefined, bookmark]);
    expect(bookmark).toMatch(/^[0-9a-f-]{20,}$/);
    expect(regalo.bookmark >= bookmark).toBe(true);
    regalo.bookmark = "any";
    await regalo.get("/api/credit-balance");
    expect(received[3]?.bookmark).toBe("any");
  });
});

describe("a list is read to its end", () => {
  test("page by page", async () => {
    const regalo = connect();
    for (const reference of ["list-1", "list-2", "list-3"]) {
      await regalo.post("/api/gift-link", orderOf(reference));
    }
    const pages = [];
    const query = { order_ref_id_prefix: "list-", limit: 2 };
    for await (const { orders } of regalo.pages("/api/orders", query)) pages.push(orders);
    expect(pages.map((orders) => orders.map(({ order_ref_id }) => order_ref_id))).toEqual([
      ["list-1", "list-2"],
      ["list-3"],
    ]);
  });

  test("by the position after each page", async () => {
    const sequences: number[] = [];
    for await (const { sequence } of connect().items("/api/events", { limit: 2 })) {
      sequences.push(sequence);
    }
    expect(sequences.length).toBeGreaterThan(4);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });

  test.each([{}, { after_id: 0 }])("by the number or the last id of each page", async (start) => {
    const { total_products } = await connect().get("/api/products");
    const products: number[] = [];
    const query = { limit: 20, ...start };
    for await (const { product_id } of connect().items("/api/products", query)) {
      products.push(product_id);
    }
    expect(new Set(products).size).toBe(total_products);
    expect(products).toHaveLength(total_products);
  });

  test("with one page if its cursor is for a later time", async () => {
    const pages = [];
    const query = { updated_from: "2020-01-01" };
    for await (const page of connect().pages("/api/shipments", query)) pages.push(page.has_more);
    expect(pages).toEqual([false]);
  });
});

test("each POST operation is one that may be repeated, or is one of these", () => {
  const posts = Object.keys(DOCUMENT.paths).filter(
    (path) => "post" in (DOCUMENT.paths[path] ?? {}),
  );
  expect(posts.filter((path) => !isRepeatable(path as "/api/order", {})).sort()).toEqual([
    "/api/credential",
    "/api/gift-link/renew",
    "/api/gift-link/send",
    "/api/sandbox/client",
    "/api/sandbox/clock",
    "/api/sandbox/event",
    "/api/webhook/redeliver",
    "/api/webhook/rotate",
    "/api/webhook/test",
  ]);
  expect(isRepeatable("/api/sandbox/event", { event: "gift.redeemed" })).toBe(true);
  expect(isRepeatable("/api/sandbox/event", { event: "product.added" })).toBe(false);
  expect(isRepeatable("/api/gift-link/renew", { gift_url: "https://…" })).toBe(true);
});
