// Reads from a replica that lags behind, with and without a bookmark.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { adjustCredit } from "../../../src/features/credit/adjust-queries.ts";
import { NEAREST, requestSessions } from "../../../src/platform/db/sessions.ts";
import { ANY_STATE, BOOKMARK_HEADER } from "../../../src/platform/http/bookmark.ts";
import { overriding } from "../../support/counting.ts";
import { lossyQueue } from "../../support/delivery.ts";
import { hangingD1, takes } from "../../support/faults.ts";
import { createClient, orderOf, simpleProduct, unique } from "../../support/fixtures.ts";
import { replicated } from "../../support/replica.ts";
import { runs } from "../../support/runs.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

/** The total of an order. */
const ORDER_MINOR = 31_20;

async function openShop() {
  const product = simpleProduct({}, { quantity: 100 });
  const client = await createClient({
    products: [product],
    creditMinor: 10_000_00,
    mayCancel: true,
  });
  const replica = await replicated(client);
  const worker = startWorker({ env: { DB: replica.DB, WEBHOOK_QUEUE: lossyQueue } });
  return {
    product,
    client,
    replica,
    worker,
    place: () => worker.post(client, "/api/order", orderOf(product)),
    get: (path: string, bookmark?: string) => worker.get(client, path, headersOf(bookmark)),
  };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

const headersOf = (bookmark?: string): Record<string, string> =>
  bookmark === undefined ? {} : { [BOOKMARK_HEADER]: bookmark };

const bookmarkOf = ({ headers }: Answer) => headers.get(BOOKMARK_HEADER) ?? "";

const READS: [string, (shop: Shop, bookmark?: string) => Promise<Answer>][] = [
  ["GET /api/orders", ({ get }, bookmark) => get("/api/orders", bookmark)],
  ["GET /api/events", ({ get }, bookmark) => get("/api/events", bookmark)],
  [
    "GET /api/shipments",
    ({ get }, bookmark) => get("/api/shipments?updated_from=2026-01-01T00:00:00Z", bookmark),
  ],
  ["GET /api/credit-balance", ({ get }, bookmark) => get("/api/credit-balance", bookmark)],
  ["GET /api/webhooks", ({ get }, bookmark) => get("/api/webhooks", bookmark)],
  [
    "POST /api/quote",
    ({ worker, client, product }, bookmark) => {
      const { product_id, currency, base_location } = orderOf(product);
      const body = { product_id, currency, base_location, qty: 100 };
      return worker.post(client, "/api/quote", body, headersOf(bookmark));
    },
  ],
];

afterEach(() => {
  vi.useRealTimers();
});

describe("a read", () => {
  test.each(READS)(
    "%s is answered by the nearest replica that is recent enough",
    async (_, read) => {
      const shop = await openShop();
      const { replica } = shop;
      const before = await read(shop, ANY_STATE);
      const placed = await shop.place();
      const webhook = { url: "https://partner.example/hook" };
      const written = bookmarkOf(await shop.worker.post(shop.client, "/api/webhook", webhook));
      expect(written > bookmarkOf(placed)).toBe(true);
      replica.reads = 0;

      const onPrimary = await read(shop);
      expect([replica.reads, bookmarkOf(onPrimary)]).toEqual([0, ""]);

      const behind = await read(shop, ANY_STATE);
      expect([replica.reads, replica.waits]).toEqual([1, 0]);
      expect(behind.json).toEqual(before.json);

      const recent = await read(shop, written);
      expect([replica.reads, replica.waits]).toEqual([2, 1]);
      expect([recent.status, recent.json]).toEqual([200, onPrimary.json]);
      expect(recent.meter.roundTrips).toBe(1);
      expect(bookmarkOf(recent) >= written).toBe(true);
    },
  );

  test("is answered by the primary if the replica lacks what is asked for", async () => {
    const shop = await openShop();
    const { order_id } = (await shop.place()).json.order_data;
    const order = await shop.get(`/api/order?order_id=${String(order_id)}`, ANY_STATE);
    expect([order.status, order.json.order_id]).toEqual([200, String(order_id)]);
    const shipments = await shop.get(`/api/shipments?order_id=${String(order_id)}`, ANY_STATE);
    expect(shipments.status).toBe(200);
    const { json } = await shop.get("/api/events");
    const last = (json.events as { sequence: number }[]).at(-1)?.sequence ?? 0;
    const events = await shop.get(`/api/events?after=${String(last)}`, ANY_STATE);
    expect([events.status, events.json.events]).toEqual([200, []]);
    const beyond = await shop.get(`/api/events?after=${String(last + 1)}`, ANY_STATE);
    expect([beyond.status, beyond.json.code]).toEqual([400, "validation_error"]);
  });

  test("is answered by the primary after a second without the replica", async () => {
    const { client, place } = await openShop();
    await place();
    const DB = overriding(env.DB, {
      withSession: (constraint: string) =>
        (constraint === NEAREST ? hangingD1().DB : env.DB).withSession(constraint),
    });
    const worker = startWorker({ env: { DB } });
    await worker.get(client, "/api/credit-balance");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = await takes(
      1_000,
      worker.get(client, "/api/credit-balance", headersOf(ANY_STATE)),
    );
    expect([answer.status, answer.json.credit_balance]).toEqual([200, 10_000 - ORDER_MINOR / 100]);
  });

  test.each(["", "ANY", "yesterday", "0-0-0", `0-0-0-${"0".repeat(33)}`, "first-primary"])(
    "is refused with the bookmark %j",
    async (bookmark) => {
      const shop = await openShop();
      const answer = await shop.get("/api/orders", bookmark);
      expect(answer.status).toBe(400);
      expect(answer.json.errors).toMatchObject([{ field: BOOKMARK_HEADER }]);
    },
  );
});

test("a refused placement and a replay decide by the primary, and a replay has a bookmark", async () => {
  const { worker, client, product, replica } = await openShop();
  const body = orderOf(product);
  const placed = await worker.post(client, "/api/order", body);
  const replay = await startWorker({ env: { DB: replica.DB } }).post(client, "/api/order", body);
  expect([replay.text, bookmarkOf(replay) >= bookmarkOf(placed)]).toEqual([placed.text, true]);
  const refused = await worker.post(client, "/api/order", { ...body, metadata: { a: "b" } });
  expect([refused.status, bookmarkOf(refused)]).toEqual([409, ""]);
});

test("a session that has failed, or not answered, has no bookmark", async () => {
  const bookmarks: Record<string, string | null> = {
    "first-primary": "1-2",
    "0-3": "0-3",
    "0-1": null,
  };
  const d1 = overriding(env.DB, {
    withSession: (constraint: string) =>
      overriding(env.DB.withSession(), { getBookmark: () => bookmarks[constraint] ?? null }),
  });
  const sessions = requestSessions(d1, () => undefined);
  for (const near of ["0-3", "0-1"]) await sessions.near(near).prepare("SELECT 1").all();
  expect(sessions.bookmark()).toBeNull();
  await sessions.primary().prepare("SELECT 1").all();
  expect(sessions.bookmark()).toBe("1-2");
});

/** A cent, which the operator adds without the client's knowledge. */
const STEP_MINOR = 1;

/** A client that keeps its newest bookmark, and the actions of a test with what it then expects. */
async function startReader() {
  const shop = await openShop();
  const { worker, client, replica } = shop;
  const orders = new Map<number, string>();
  const expected = { hooks: 0, credits: 0, seenCredits: 0, spentMinor: 0 };
  let newest = ANY_STATE;
  const keep = (answer: Answer) => {
    expect(answer.status, answer.text).toBe(200);
    const bookmark = bookmarkOf(answer);
    if (newest === ANY_STATE || bookmark > newest) newest = bookmark;
    return answer.json;
  };
  const read = async (path: string) => keep(await shop.get(path, newest));
  const write = async (path: string, body: object) => keep(await worker.post(client, path, body));
  const actions = {
    place: async () => {
      const { order_data } = await write("/api/order", orderOf(shop.product));
      orders.set(order_data.order_id, "paid");
      expected.spentMinor += ORDER_MINOR;
    },
    cancel: async () => {
      const open = [...orders].find(([, status]) => status === "paid");
      if (!open) return;
      await write("/api/order/cancel", { order_id: open[0] });
      orders.set(open[0], "cancieled");
      expected.spentMinor -= ORDER_MINOR;
    },
    addWebhook: async () => {
      if (expected.hooks === 5) return;
      await write("/api/webhook", { url: `https://a.example/${String(unique())}` });
      expected.hooks += 1;
    },
    addCredit: async () => {
      const { clientId } = client;
      const booking = { clientId, currency: "AUD" as const, amountMinor: STEP_MINOR, note: "" };
      await adjustCredit(env.DB, { ...booking, reference: String(unique()), nowMs: Date.now() });
      expected.credits += 1;
    },
    catchUp: () => replica.catchUp(),
    readOrders: async () => {
      const { orders: listed } = await read("/api/orders");
      const states = (listed as { order_id: number; order_status: string }[]).map(
        (order) => [order.order_id, order.order_status] as const,
      );
      expect(new Map(states)).toEqual(orders);
    },
    readEachOrder: async () => {
      for (const [id, status] of orders) {
        expect((await read(`/api/order?order_id=${String(id)}`)).order_status).toBe(status);
      }
    },
    readEvents: async () => {
      const { events } = await read("/api/events");
      const placed = (events as { type: string }[]).filter(({ type }) =>
        ["order.created", "order.paid"].includes(type),
      );
      expect(placed.length).toBeGreaterThanOrEqual(orders.size);
    },
    readBalance: async () => {
      const { credit_balance } = await read("/api/credit-balance");
      const seen = Math.round(credit_balance * 100) - (10_000_00 - expected.spentMinor);
      expect(seen).toBeGreaterThanOrEqual(expected.seenCredits);
      expect(seen).toBeLessThanOrEqual(expected.credits);
      expected.seenCredits = seen;
    },
    readWebhooks: async () => {
      expect((await read("/api/webhooks")).webhooks).toHaveLength(expected.hooks);
    },
  };
  return { actions, replica };
}

type Action = keyof Awaited<ReturnType<typeof startReader>>["actions"];

const WRITES = ["place", "cancel", "addWebhook", "addCredit", "catchUp"] as const;
const READ = ["readOrders", "readEachOrder", "readEvents", "readBalance", "readWebhooks"] as const;
/** One write, and then reads that need not wait. */
const READ_AGAIN: Action[] = ["place", ...READ];

test("a client that sends its newest bookmark reads its own writes and never goes back in time", async () => {
  const action = fc.oneof(fc.constantFrom(...WRITES), fc.constantFrom(...READ));
  let [reads, waits] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (names) => {
      const { actions, replica } = await startReader();
      for (const name of names) await actions[name]();
      reads += replica.reads;
      waits += replica.waits;
    }),
    { numRuns: runs(40), examples: [[READ_AGAIN]] },
  );
  // Some reads came from the replica as it was, and some had to wait for a later state.
  expect(waits).toBeGreaterThan(0);
  expect(reads).toBeGreaterThan(waits);
}, 120_000);
