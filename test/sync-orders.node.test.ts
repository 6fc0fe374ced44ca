// The example that copies orders into SQLite, against a local server. Its process is killed at random points.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { components } from "../packages/client/src/openapi.ts";
import { syncOrders } from "../examples/sync-orders.ts";
import { PROJECT_ROOT } from "../src/cli/paths.ts";
import { cancel } from "../src/features/lifecycle/cancel.ts";
import { expireGifts } from "../src/features/lifecycle/expire.ts";
import { extend, extendGift } from "../src/features/lifecycle/extend.ts";
import { DAY_MS } from "../src/core/values/time.ts";
import { operatorKey, NO_CLIENT } from "../src/features/lifecycle/order-key.ts";
import { transition } from "./support/transition.ts";
import { NODE, run } from "./servers/command.ts";
import { runs } from "./support/runs.ts";
import { type Served, sharedServer } from "./servers/harness.ts";

const ADDRESS = {
  address_line_1: "14 Plane Tree Lane",
  suburb: "Brunswick",
  state: "VIC",
  postcode_zipcode: "3056",
  country: "AU",
};
const HEADERS = {
  "CLIENT-ID": "demo",
  "API-KEY": "demo-key",
  "API-PASSWORD": "demo-password",
};
const EXAMPLE = path.join(PROJECT_ROOT, "examples/sync.ts");

const folder = mkdtempSync(path.join(tmpdir(), "regalo-sync-"));
let served: Served;
beforeAll(async () => {
  served = await sharedServer();
}, 60_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const environment = () => ({
  REGALO_URL: served.url,
  CLIENT_ID: HEADERS["CLIENT-ID"],
  API_KEY: HEADERS["API-KEY"],
  API_PASSWORD: HEADERS["API-PASSWORD"],
});

type PlacedGiftLinks = components["schemas"]["PlacedGiftLinks"];

async function post(path: string, body: object, headers: Record<string, string> = HEADERS) {
  const response = await fetch(served.url + path, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}

const orderOf = (reference: string, recipients: number) => ({
  order_ref_id: reference,
  product_id: 1007,
  currency: "AUD",
  base_location: "AU",
  recipient_details: Array.from({ length: recipients }, () => ({
    first_name: "Ada",
    last_name: "Park",
    email: "ada@example.com",
    delivery_address: ADDRESS,
  })),
});

/** Posts a form to the recipient's page. */
async function postForm(giftUrl: string, fields: Record<string, string>) {
  const { status } = await fetch(new URL(new URL(giftUrl).pathname, served.url), {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(fields),
  });
  expect(status).toBe(303);
}

const accept = (giftUrl: string) =>
  postForm(giftUrl, { ...ADDRESS, confirmed: "yes", step: "accept" });

/** Places a gift-link order, and redeems its first `redeemed` gifts. */
async function placeGifts(reference: string, recipients: number, redeemed: number) {
  const placed = (await post("/api/gift-link", orderOf(reference, recipients))) as PlacedGiftLinks;
  for (const { gift_url } of placed.recipient_return.slice(0, redeemed)) await accept(gift_url);
}

/** The columns of the copy, from the response to GET /api/orders. */
async function listFromApi(prefix: string, headers: Record<string, string>) {
  const query = new URLSearchParams({ order_ref_id_prefix: prefix }).toString();
  const response = await fetch(`${served.url}/api/orders?${query}`, { headers });
  const { orders } = await response.json<components["schemas"]["OrderList"]>();
  const rows = orders.map(({ order_totals: totals, ...order }) => ({
    order_id: order.order_id,
    order_ref_id: order.order_ref_id,
    order_status: order.order_status,
    currency: totals.currency,
    order_total: totals.order_total,
    refunded_minor: Number(totals.refunded.replace(".", "")),
    recipient_count: order.recipient_count,
    redeem_by: order.redeem_by,
    redeemed_count: order.redeemed_count,
    cancelled_count: order.cancelled_count,
    expired_count: order.expired_count,
  }));
  return rows.sort((a, b) => a.order_id - b.order_id);
}

function readCopy(file: string) {
  const database = new DatabaseSync(file);
  const rows = database.prepare("SELECT * FROM counted_orders ORDER BY order_id").all();
  database.close();
  return rows;
}

/** Starts the example, and kills it with SIGKILL at a random moment after it has saved a page. */
async function runAndKill(file: string): Promise<void> {
  const child = spawn(NODE, ["--disable-warning=ExperimentalWarning", EXAMPLE, file], {
    env: { ...process.env, ...environment(), PAGE_LIMIT: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await Promise.race([ended, new Promise((resolve) => child.stdout.once("data", resolve))]);
  await sleep(Math.random() * 30);
  child.kill("SIGKILL");
  await ended;
}

test("the copy equals the API's orders although the process is killed several times", async () => {
  for (let n = 0; n < 4; n++) await placeGifts(`sync-${String(n)}`, 3, n);
  const file = path.join(folder, "killed.db");
  for (let kills = 0; kills < runs(30, 15); kills++) await runAndKill(file);
  await placeGifts("sync-later", 2, 1);
  const done = await run(NODE, [EXAMPLE, file], environment());
  const orders = await served.database
    .prepare("SELECT count(DISTINCT order_id) AS n FROM events WHERE client_id = 'demo'")
    .first<number>("n");
  expect([done.code, done.out], done.err).toEqual([
    0,
    expect.stringContaining(`${String(orders)} orders`),
  ]);

  const listed = await listFromApi("sync-", HEADERS);
  expect(listed.map(({ redeemed_count }) => redeemed_count)).toEqual([0, 1, 2, 3, 1]);
  const copy = readCopy(file);
  expect(copy.filter(({ order_ref_id }) => /^sync-/.test(String(order_ref_id)))).toEqual(listed);

  // Another run, and two runs at once from the beginning, have the same result.
  const again = path.join(folder, "again.db");
  await Promise.all([file, again, again].map((file) => run(NODE, [EXAMPLE, file], environment())));
  expect(readCopy(file)).toEqual(copy);
  expect(readCopy(again)).toEqual(copy);
});

const CLIENTS = { credit: "demo", invoice: "demo-two" };

/** A copy of the client's orders with the prefix. */
function copyOf(billing: keyof typeof CLIENTS, prefix: string) {
  const clientId = CLIENTS[billing];
  const apiKey = `${clientId}-key`;
  const apiPassword = `${clientId}-password`;
  const headers = { "CLIENT-ID": clientId, "API-KEY": apiKey, "API-PASSWORD": apiPassword };
  const database = new DatabaseSync(":memory:");
  let before: object[] = [];

  /** Makes the change, checks whether the list shows it, and compares the copy. */
  async function step(
    change: () => Promise<unknown>,
    shows: "in the list" | "not" = "in the list",
  ) {
    await change();
    const listed = await listFromApi(prefix, headers);
    if (shows === "in the list") expect(listed).not.toEqual(before);
    else expect(listed).toEqual(before);
    await syncOrders({ url: served.url, clientId, apiKey, apiPassword, database });
    const copy = database
      .prepare("SELECT * FROM counted_orders WHERE order_ref_id LIKE ? || '%' ORDER BY order_id")
      .all(prefix);
    expect(copy).toEqual(listed);
    before = listed;
  }

  const call = (operation: string, body: object) => post(`/api/${operation}`, body, headers);

  const cause = (event: string, selection: object = {}) =>
    call("sandbox/event", { event, ...selection });

  /** Places a gift-link order, and pays its invoice. */
  async function place(recipients: number, changes: object = {}) {
    const order = { order_ref_id: `${prefix}${crypto.randomUUID()}` };
    let placed: PlacedGiftLinks | undefined;
    await step(async () => {
      const body = { ...orderOf(order.order_ref_id, recipients), ...changes };
      placed = (await call("gift-link", body)) as PlacedGiftLinks;
    });
    if (billing === "invoice") await step(() => cause("order.paid", order));
    const gifts = placed?.recipient_return ?? [];
    return {
      orderId: placed?.order_data.order_id ?? 0,
      order,
      ids: gifts.map(({ suborder_id }) => ({ suborder_id })),
      urls: gifts.map(({ gift_url }) => gift_url),
    };
  }

  return { step, call, cause, place };
}

describe("the copy equals the list of orders after each change", () => {
  test("of an open or accepted gift", async () => {
    const { step, call, cause, place } = copyOf("credit", "changed-");
    const { orderId, ids, urls } = await place(3, { redeem_by: "2027-06-30" });
    const [[first, second], [url = "", secondUrl = ""]] = [ids, urls];
    await step(() => call("gift-link/renew", { ...second, gift_url: secondUrl }), "not");
    await step(() => accept(url));
    await step(() => postForm(url, { step: "thank", note: "Thank you!" }), "not");
    await step(() => cause("gift.shipped", first), "not");
    await step(() => cause("gift.delivered", first), "not");
    await step(() => extend(served.database, { orderId, ...NO_CLIENT }, "2027-12-31", Date.now()));
    const third = { orderId, sequence: 3, ...NO_CLIENT };
    await step(() => extendGift(served.database, third, "2028-06-30", Date.now()), "not");
    await step(() => call("order/correct", { ...second, last_name: "Quintana" }), "not");
  });

  test.each(["credit", "invoice"] as const)("that ends a gift, with %s", async (billing) => {
    const { step, call, cause, place } = copyOf(billing, "ended-");
    const { order, ids, urls } = await place(5);
    const [[, , third, fourth], [url = "", secondUrl = ""]] = [ids, urls];
    await step(() => accept(url));
    await step(() => postForm(secondUrl, { step: "decline", reason: "other" }), "not");
    await step(() => call("order/cancel", { ...order, suborder_ids: [third?.suborder_id] }));
    await step(() => cause("gift.expired", fourth));
    await step(() => call("order/cancel", order));
  });

  test("that ends the last gift of an order", async () => {
    const { step, call, cause, place } = copyOf("credit", "last-");
    const [declined, expired, cancelled] = [await place(2), await place(2), await place(2)];
    for (const url of declined.urls)
      await step(() => postForm(url, { step: "decline", reason: "other" }), "not");
    await step(() => expireGifts(served.database, Date.now() + 8 * DAY_MS));
    for (const gift of expired.ids) await step(() => cause("gift.expired", gift));
    for (const { suborder_id } of cancelled.ids) {
      const body = { ...cancelled.order, suborder_ids: [suborder_id] };
      await step(() => call("order/cancel", body));
    }
  });

  test.each(["credit", "invoice"] as const)("of redeemed gifts, with %s", async (billing) => {
    const { step, place } = copyOf(billing, "withdrawn-");
    const { orderId, urls } = await place(3);
    for (const url of urls.slice(0, 2)) await step(() => accept(url));
    for (const giftIds of [[orderId * 1000 + 1], null]) {
      const request = { withRedeemed: true, requestId: crypto.randomUUID(), nowMs: Date.now() };
      const key = operatorKey(orderId);
      await step(() => cancel(served.database, { ...key, giftIds, ...request }));
    }
  });

  test.each(["credit", "invoice"] as const)("of a whole order, with %s", async (billing) => {
    const { step, call, cause } = copyOf(billing, "whole-");
    const [parcels, failed] = [{ order_ref_id: "whole-1" }, { order_ref_id: "whole-2" }];
    await step(() => call("order", orderOf(parcels.order_ref_id, 2)));
    if (billing === "invoice") {
      await step(() => cause("order.paid", parcels));
      await step(() => call("gift-link", orderOf(failed.order_ref_id, 2)));
      await step(() => cause("order.failed", failed));
    }
    await step(() => call("order/cancel", parcels));
  });
});

test("the copy includes a cancelled order of the online store, which has no reference", async () => {
  const { id } = (await served.database
    .prepare("SELECT id FROM orders WHERE order_ref_id IS NULL AND status = 'paid' LIMIT 1")
    .first<{ id: number }>()) ?? { id: 0 };
  expect(await transition(served.database, id, "cancel", Date.now())).toMatchObject({
    changed: true,
  });
  const file = path.join(folder, "store.db");
  const done = await run(NODE, [EXAMPLE, file], environment());
  expect(done.code, done.err).toBe(0);
  expect(readCopy(file)).toContainEqual(
    expect.objectContaining({ order_id: id, order_ref_id: null, order_status: "cancieled" }),
  );
});

interface FeedEvent {
  sequence: number;
  data: object;
}

/** Serves these events as the feed, for a few requests. */
async function withFeed<Result>(feed: FeedEvent[], use: (url: string) => Promise<Result>) {
  let requests = 0;
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? "", "http://localhost").searchParams;
    const left = feed.filter(({ sequence }) => sequence > Number(query.get("after")));
    const events = left.slice(0, Number(query.get("limit")));
    const next_after = events.at(-1)?.sequence ?? Number(query.get("after"));
    response.statusCode = ++requests > 20 ? 400 : 200;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ events, next_after, has_more: left.length > events.length }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  } finally {
    server.close();
  }
}

test.each([1, 500])("a copy, with %i events on a page, ends after each restore", async (limit) => {
  const placed = (sequence: number, order_id: number) => ({
    sequence,
    type: "order.paid",
    order_id,
    order_ref_id: "r",
    suborder_id: null,
    data: { order_status: "paid", currency: "AUD", order_total: "10.00", recipient_count: 1 },
  });
  const restored = (sequence: number, last_sequence: number) => ({
    ...placed(sequence, 0),
    type: "data.restored",
    order_id: null,
    data: { last_sequence },
  });
  const database = new DatabaseSync(":memory:");
  const sync = (feed: FeedEvent[]) =>
    withFeed(feed, (url) =>
      syncOrders({ url, clientId: "c", apiKey: "k", apiPassword: "p", database, limit }),
    );
  await sync([placed(1, 1), placed(2, 2)]);
  // The second event was lost. Another one was added before the restored database was checked.
  const checked = [placed(1, 1), placed(2, 3), restored(9, 1), placed(10, 4)];
  await sync(checked);
  await sync([...checked, restored(19, 10), placed(20, 5)]);
  await sync([...checked, restored(19, 9), placed(20, 6), restored(29, 19)]);
  const orders = database.prepare("SELECT order_id FROM orders ORDER BY 1").all();
  expect(orders.map(({ order_id }) => order_id)).toEqual([1, 3, 4, 6]);
});

test("an event of a type that did not exist when the copy was written changes no order", async () => {
  const data = { order_status: "cancieled", currency: "AUD", order_total: "10.00" };
  const event = {
    sequence: 1,
    type: "order.cancelled",
    order_id: 7,
    order_ref_id: "r",
    suborder_id: null,
    created_at: "2026-05-01T09:30:00Z",
    data: { ...data, recipient_count: 2, cancelled_count: 2, suborder_ids: [7001, 7002] },
  };
  const events = [event, { ...event, sequence: 2, type: "order.later", data: {} }];
  const file = path.join(folder, "later.db");
  const done = await withFeed(events, (url) =>
    run(NODE, [EXAMPLE, file], { ...environment(), REGALO_URL: url }),
  );
  expect(done.code, done.err).toBe(0);
  expect(readCopy(file)).toMatchObject([{ order_status: "cancieled", cancelled_count: 2 }]);
});
