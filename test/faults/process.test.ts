// A server that is killed under load, and that receives random requests.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { demoOrder } from "../servers/demo-gift.ts";
import { AUTH, JSON_HEADERS, useDemoServer } from "../servers/demo-server.ts";
import { runs } from "../support/runs.ts";

const PRODUCT_ID = 1001;
const JSON_TYPE = { "Content-Type": "application/json" };

const server = useDemoServer();

describe("the Worker's process", () => {
  const KILLS = runs(40);
  const LOAD_MS = 1_200;
  const CLIENTS = 8;

  test(
    `killed ${String(KILLS)} times under load, loses and duplicates no order`,
    { timeout: 900_000 },
    async () => {
      const answered = new Map<string, string>();
      const unanswered = new Set<string>();
      let sent = 0;
      // The demo data has orders of the product.
      await server.kill();
      const before = await server.state.use(({ DB }) => whatIsHeld(DB));
      await server.restart();

      /** Sends one order, and records its response if there is one. */
      const send = async (reference: string) => {
        unanswered.add(reference);
        const response = await fetch(`${server.url}/api/gift-link`, {
          method: "POST",
          headers: JSON_HEADERS,
          body: JSON.stringify(demoOrder(reference, {}, 2)),
        });
        const text = await response.text();
        expect([200, 402, 409]).toContain(response.status);
        if (response.status === 200) answered.set(reference, text);
        unanswered.delete(reference);
      };

      for (let kill = 0; kill < KILLS; kill++) {
        let isUp = true;
        const load = Array.from({ length: CLIENTS }, async () => {
          while (isUp) await send(`load-${String(++sent)}`).catch(rethrowAssertion);
        });
        await new Promise((resolve) => setTimeout(resolve, LOAD_MS));
        const killed = server.kill();
        isUp = false;
        await Promise.all([killed, ...load]);
        await server.restart();
      }
      expect(answered.size).toBeGreaterThan(KILLS);
      expect(unanswered.size).toBeGreaterThan(0);

      // A repeated request gets the same response as before, and a request without a response gets exactly one order.
      for (const [reference, text] of [...answered]) {
        await send(reference);
        expect(answered.get(reference)).toBe(text);
      }
      for (const reference of [...unanswered]) await send(reference);
      expect(unanswered.size).toBe(0);

      await server.kill();
      const held = await server.state.use(({ DB }) => whatIsHeld(DB));
      await server.restart();
      expect(held.references.toSorted()).toEqual([...answered.keys()].toSorted());
      expect(held.halfWritten).toEqual([]);
      expect(held.missingEvents).toBe(0);
      expect(held.stock).toBe(before.stock - held.sold);
      expect(held.balanceMinor).toBe(before.balanceMinor - held.chargedMinor);
      expect(held.ledgerMinor).toBe(held.balanceMinor);
    },
  );

  test("answers random requests without a 5xx", { timeout: 900_000 }, async () => {
    const requests = fc.sample(hostileRequest, runs(20_000));
    const seen = new Map<number, number>();
    const worst: unknown[] = [];
    const attack = async () => {
      for (let request = requests.pop(); request; request = requests.pop()) {
        const { path, ...init } = request;
        const { status } = await fetch(server.url + path, { ...init, redirect: "manual" });
        seen.set(status, (seen.get(status) ?? 0) + 1);
        if (status >= 500) worst.push(request);
      }
    };
    await Promise.all(Array.from({ length: 16 }, attack));
    expect(worst).toEqual([]);
    // The requests must have reached all kinds of checks, not only the first one.
    for (const status of [200, 400, 401, 404, 405, 415, 422]) expect(seen.has(status)).toBe(true);
  });
});

/** Ignores failed connections, which the test causes, but not failed assertions. */
function rethrowAssertion(error: unknown): void {
  if (!(error instanceof TypeError)) throw error;
}

/** The rows of the orders that were placed through the API. */
async function whatIsHeld(DB: D1Database) {
  // The demo data has a gift-link order.
  const placed = "order_ref_id LIKE 'load-%'";
  const orders = await DB.prepare(
    `SELECT order_ref_id AS reference, qty, order_total_minor AS totalMinor,
       (SELECT count(*) FROM sub_orders s WHERE s.order_id = o.id) AS recipients,
       (SELECT count(*) FROM credit_entries e WHERE e.order_id = o.id) AS entries,
       (SELECT count(*) FROM events e WHERE e.order_id = o.id) AS events
     FROM orders o WHERE ${placed}`,
  ).all<{
    reference: string;
    qty: number;
    totalMinor: number;
    recipients: number;
    entries: number;
    events: number;
  }>();
  const number = async (sql: string) => Number(await DB.prepare(sql).first<number>("n"));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const account = "client_id = 'demo' AND currency = 'AUD'";
  return {
    references: orders.results.map(({ reference }) => reference),
    halfWritten: orders.results.filter(
      (o) => o.recipients !== o.qty || o.entries !== 1 || o.events !== 1,
    ),
    missingEvents: await number(
      "SELECT max(sequence) - count(*) AS n FROM events WHERE client_id = 'demo'",
    ),
    sold: sum(orders.results.map(({ qty }) => qty)),
    chargedMinor: sum(orders.results.map(({ totalMinor }) => totalMinor)),
    stock: await number(`SELECT quantity AS n FROM stock WHERE product_id = ${String(PRODUCT_ID)}`),
    balanceMinor: await number(`SELECT balance_minor AS n FROM credit_accounts WHERE ${account}`),
    ledgerMinor: await number(`SELECT sum(amount_minor) AS n FROM credit_entries WHERE ${account}`),
  };
}

/** Valid requests with a random change, so that they reach all kinds of checks. */
const hostileRequest = (() => {
  const sometimes = <T, U>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<U>) =>
    fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: odd });
  const junk = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.bigInt().map(String),
  );
  const recipient = fc.record({
    first_name: sometimes(fc.constant("Ada"), junk),
    last_name: sometimes(fc.constant("Park"), junk),
    email: sometimes(fc.constant("ada@example.com"), junk),
    delivery_address: sometimes(fc.constant(undefined), junk),
  });
  const body = fc
    .record({
      order_ref_id: sometimes(fc.uuid(), junk),
      product_id: sometimes(fc.constantFrom(1001, 1002, 1003, 1006), junk),
      variation_id: sometimes(fc.constantFrom(undefined, 20001), junk),
      currency: sometimes(fc.constantFrom("AUD", "USD"), junk),
      base_location: sometimes(fc.constant("AU"), junk),
      recipient_details: sometimes(fc.array(recipient, { minLength: 1, maxLength: 3 }), junk),
      gift_of_choice: sometimes(fc.constantFrom("Y", "N", undefined), junk),
      order_branding: sometimes(fc.constantFrom("platform", "company"), junk),
    })
    .map((value) => JSON.stringify(value));
  const query = fc
    .tuple(
      fc.constantFrom(
        "limit",
        "page",
        "product_type",
        "product_id",
        "order_id",
        "order_number",
        "order_ref_id",
        "currency",
        ...["order_status", "created_from", "redemption_status", "order_ref_id_prefix", "cursor"],
        ...["after", "webhook_id", "before"],
      ),
      sometimes(
        fc.constantFrom("1", "1001", "AUD", "physical", "GO-00001", "paid", "2026-11-01"),
        fc.string({ unit: "grapheme" }),
      ),
    )
    .map((pair) => new URLSearchParams([pair]).toString());
  const known = fc.constantFrom(
    "/api/products",
    "/api/product",
    "/api/order",
    "/api/gift-link",
    "/api/credit-balance",
    ...["/api/orders", "/api/events", "/api/webhooks", "/api/webhook"],
    ...["/api/webhook/deliveries", "/api/webhook/redeliver", "/api/webhook/rotate"],
    "/redeem/6001-AAAAAAAAAAAAAAAAAAAAAA",
  );
  const unknown = fc.webPath().map((path) => `/api${path.startsWith("/") ? path : `/${path}`}`);
  return fc
    .record({
      method: sometimes(
        fc.constantFrom("GET", "POST"),
        fc.constantFrom("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"),
      ),
      path: fc.tuple(sometimes(known, unknown), query).map(([path, text]) => `${path}?${text}`),
      auth: sometimes(fc.constant(AUTH), fc.constantFrom({}, { ...AUTH, "API-KEY": "x" })),
      type: sometimes(fc.constant(JSON_TYPE), fc.constantFrom({}, { "Content-Type": "text/xml" })),
      body: sometimes(body, fc.string({ unit: "binary" })),
    })
    .map(({ method, path, auth, type, body }) => ({
      method,
      path,
      headers: { ...auth, ...type },
      ...(["GET", "HEAD"].includes(method) ? {} : { body }),
    }));
})();
