// A local database that is restored to an earlier moment while clients order gifts. Its file is replaced by a copy, as
// Time Travel does with a deployed database.
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { syncOrders } from "../../examples/sync-orders.ts";
import { checkAll } from "../../src/features/health/check.ts";
import { suborderNumber } from "../../src/core/values/ids.ts";
import { demoOrder } from "../support/demo-gift.ts";
import { JSON_HEADERS, useDemoServer } from "../support/demo-server.ts";
import { NODE, OPS, run } from "../support/command.ts";
import { exportState } from "../support/exported.ts";

const server = useDemoServer();
const folder = mkdtempSync(path.join(tmpdir(), "regalo-restore-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The response, whose JSON has no type. */
async function call(target: string, body?: object) {
  const response = await fetch(server.url + target, {
    headers: JSON_HEADERS,
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

interface Placed {
  reference: string;
  orderId: number;
  paths: string[];
}

async function place(reference: string): Promise<Placed> {
  const { status, body } = await call("/api/gift-link", demoOrder(reference, {}, 2));
  expect(status, JSON.stringify(body)).toBe(200);
  return {
    reference,
    orderId: body.order_data.order_id,
    paths: body.recipient_return.map(
      ({ gift_url }: { gift_url: string }) => new URL(gift_url).pathname,
    ),
  };
}

async function redeem(giftPath: string): Promise<number> {
  const address = { address_line_1: "14 Plane Tree Lane", suburb: "Brunswick", state: "VIC" };
  const response = await fetch(server.url + giftPath, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({
      ...address,
      postcode_zipcode: "3056",
      country: "AU",
      step: "accept",
    }),
  });
  await response.text();
  return response.status;
}

const open = async (giftPath: string) => (await fetch(server.url + giftPath)).status;

/** Orders of several clients at the same time. Some gifts are redeemed, cancelled, or get a new link. */
async function load(name: string, orders: number): Promise<Placed[]> {
  const placed: Placed[] = [];
  let next = 0;
  const work = async () => {
    while (next < orders) {
      const order = await place(`${name}-${String(++next)}`);
      placed.push(order);
      const chance = Math.random();
      const [gift = ""] = order.paths;
      if (chance < 0.3) expect(await redeem(gift)).toBe(303);
      else if (chance < 0.5) await call("/api/order/cancel", { order_id: order.orderId });
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return placed;
}

const sync = async (database: DatabaseSync) => {
  await syncOrders({
    url: server.url,
    clientId: "demo",
    apiKey: "demo-key",
    apiPassword: "demo-password",
    database,
    limit: 7,
  });
  return database.prepare("SELECT * FROM orders ORDER BY order_id").all();
};

async function events() {
  const all: { sequence: number; type: string; data: object; created_at: string }[] = [];
  for (let after = 0; ;) {
    const { body } = await call(`/api/events?limit=500&after=${String(after)}`);
    all.push(...body.events);
    after = body.next_after;
    if (!body.has_more) return all;
  }
}

const ops = (...words: string[]) =>
  run(NODE, [
    ...["--disable-warning=ExperimentalWarning", OPS, "--persist-to", server.state.folder],
    ...words,
  ]);

async function opsJson<T>(...words: string[]): Promise<T> {
  const { code, out, err } = await ops("--json", ...words);
  expect(code, err).toBe(0);
  return JSON.parse(out) as T;
}

const DATABASE = "v3/d1";
const databaseOf = (root: string) => path.join(root, DATABASE);

/** Runs `work` while no process uses the database. */
async function stopped(work: () => void | Promise<void>): Promise<void> {
  await server.kill();
  await work();
  await server.restart();
}

/** The differences that the checks of the invariants find. */
const differences = () =>
  server.state.use(async ({ DB }) => {
    const found: unknown[] = [];
    for await (const chunk of checkAll(DB)) found.push(...chunk.differences);
    return found;
  });

test("a restored database gives out no number again, and a copy of it converges", async () => {
  const copy = new DatabaseSync(":memory:");
  const kept = await load("kept", 10);
  const renewedOrder = await place("renewed");
  await sync(copy);
  const backup = path.join(folder, "backup");
  await stopped(() => {
    cpSync(databaseOf(server.state.folder), backup, { recursive: true });
  });

  const lostEndpoint = await call("/api/webhook", {
    url: "http://127.0.0.1:9/lost",
  });
  const lost = await load("lost", 10);
  const renewed = await call("/api/gift-link/renew", {
    suborder_id: renewedOrder.orderId * 1000 + 2,
  });
  const lostEvents = await events();
  await sync(copy);
  expect(lostEvents.at(-1)?.sequence).toBe(lostEvents.length);

  const file = path.join(folder, "lost.sql");
  await stopped(async () => {
    await exportState(server.state.folder, file);
    // The database is restored. KV keeps its values.
    const current = databaseOf(server.state.folder);
    renameSync(current, path.join(folder, "lost"));
    cpSync(backup, current, { recursive: true });

    const report = await opsJson<{
      changed: { restoredEvents: { clientId: string; sequence: number }[] };
      lost: { orders: { orderRefId: string }[]; gifts: object[] };
    }>("restore-check", "--lost", file);
    expect(report.changed.restoredEvents).toEqual([
      expect.objectContaining({ clientId: "demo", sequence: lostEvents.length + 1 }),
    ]);
    expect(report.lost.orders.map(({ orderRefId }) => orderRefId).toSorted()).toEqual(
      lost.map(({ reference }) => reference).toSorted(),
    );
    expect(report.lost.gifts).toContainEqual({
      clientId: "demo",
      type: "gift.renewed",
      number: suborderNumber(renewedOrder.orderId, 2),
    });
    // A second run changes nothing, and reports the same.
    const again = await opsJson<typeof report>("restore-check", "--lost", file);
    expect(again).toEqual({ ...report, changed: null });
    expect(await differences()).toEqual([]);
  });

  // Old links open nothing that is not theirs.
  for (const { paths } of lost.slice(0, 5)) expect(await open(paths[0] ?? "")).toBe(404);
  expect(await open(renewedOrder.paths[1] ?? "")).toBe(410);
  expect(await open(new URL(renewed.body.recipient.gift_url).pathname)).toBe(200);

  // Partners place their lost orders again, and new ones.
  const again = await Promise.all(lost.map(({ reference }) => place(reference)));
  const later = await load("later", 10);
  for (const { paths } of lost) expect(await open(paths[0] ?? "")).toBe(404);
  const issued = new Set([...kept, ...lost].map(({ orderId }) => orderId));
  const highest = Math.max(...issued);
  expect([...again, ...later].filter(({ orderId }) => orderId <= highest)).toEqual([]);
  const endpoint = await call("/api/webhook", {
    url: "http://127.0.0.1:9/later",
  });
  expect(endpoint.body.webhook_id).toBeGreaterThan(lostEndpoint.body.webhook_id);

  // The sequences of lost events are not used again.
  const feed = await events();
  const restored = feed.findIndex(({ type }) => type === "data.restored");
  expect(feed[restored]).toMatchObject({
    sequence: lostEvents.length + 1,
    data: { last_sequence: restored },
  });
  expect(feed.slice(0, restored)).toEqual(lostEvents.slice(0, restored));

  // The copy, which has lost events, equals a copy that was made now.
  expect(await sync(copy)).toEqual(await sync(new DatabaseSync(":memory:")));
  await stopped(async () => {
    expect(await differences()).toEqual([]);
  });
  expect(readFileSync(file, "utf8")).toContain("lost-1");
}, 300_000);
