// A local database that is restored to an earlier moment while clients order gifts. Its file is replaced by a copy, as
// Time Travel does with a deployed database.
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { syncOrders } from "../../examples/sync-orders.ts";
import { checkAll } from "../../src/features/health/check.ts";
import { suborderId, suborderNumber } from "../../src/core/values/ids.ts";
import { demoOrder } from "../servers/demo-gift.ts";
import { AUTH, JSON_HEADERS, useDemoServer } from "../servers/demo-server.ts";
import { NODE, OPS, run } from "../servers/command.ts";

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

async function place(reference: string, changes: object = {}): Promise<Placed> {
  const { status, body } = await call("/api/gift-link", demoOrder(reference, changes, 2));
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

/** An order that is sent by e-mail to one recipient. */
const sent = {
  send_method: "email",
  recipient_details: [{ first_name: "Eve", last_name: "Park", email: "eve@example.com" }],
};

/** Runs the cron handler, and returns the status of the e-mail about the order's first gift when it has one. */
async function emailOf({ orderId }: Placed): Promise<string> {
  let status: string | undefined;
  const read = async () => {
    await (await fetch(`${server.url}/cdn-cgi/handler/scheduled`)).text();
    const gift = String(suborderId(orderId, 1));
    const { body } = await call(`/api/sandbox/emails?suborder_id=${gift}`);
    return (status = body.emails[0]?.status);
  };
  await expect.poll(read, { timeout: 30_000 }).toMatch(/sent|failed/);
  return status ?? "";
}

const statusWith = async (headers: Record<string, string>) =>
  (await fetch(`${server.url}/api/events`, { headers: { ...AUTH, ...headers } })).status;

test("a restored database undoes nothing that must stay, and a copy of it converges", async () => {
  const copy = new DatabaseSync(":memory:");
  const kept = await load("kept", 10);
  const [renewedOrder, erasedOrder] = [await place("renewed"), await place("erased")];
  const shippedOrder = await place("shipped");
  const mailed = await place("mailed", sent);
  expect(await emailOf(mailed)).toBe("sent");
  const { body: set } = await call("/api/credential", { scope: "order" });
  const pair = { "API-KEY": set.api_key, "API-PASSWORD": set.api_password };
  const other = {
    "CLIENT-ID": "demo-two",
    "API-KEY": "demo-two-key",
    "API-PASSWORD": "demo-two-password",
  };
  expect([await statusWith(pair), await statusWith(other)]).toEqual([200, 200]);
  await sync(copy);
  const backup = path.join(folder, "backup");
  await stopped(() => {
    cpSync(databaseOf(server.state.folder), backup, { recursive: true });
  });

  const endpoint = { url: "http://127.0.0.1:9/events" };
  const lostEndpoint = await call("/api/webhook", endpoint);
  const lost = await load("lost", 10);
  const renewed = await call("/api/gift-link/renew", {
    suborder_id: suborderId(renewedOrder.orderId, 2),
  });
  const complaint = { suborder_id: suborderId(mailed.orderId, 1), event: "complained" };
  expect(await call("/api/sandbox/email-event", complaint)).toMatchObject({ status: 200 });
  await call("/api/order/cancel", { order_id: erasedOrder.orderId });
  await call("/api/credential/revoke", { credential_id: set.credential_id });
  const shippedGift = { suborder_id: suborderId(shippedOrder.orderId, 1) };
  for (const step of ["redeem-gift", "ship-gift"]) await call(`/api/sandbox/${step}`, shippedGift);
  const lostEvents = await events();
  await sync(copy);

  const file = path.join(folder, "restore.json");
  const erased = suborderNumber(erasedOrder.orderId, 1);
  const shipped = suborderNumber(shippedOrder.orderId, 1);
  await stopped(async () => {
    await opsJson("client", "suspend", "demo-two");
    await opsJson(
      "client",
      "add",
      "late",
      "--name",
      "Late",
      "--billing",
      "invoice",
      "--currency",
      "AUD",
    );
    await opsJson(
      "recipient",
      "erase",
      "--suborder",
      erased,
      "--suborder",
      shipped,
      "--reason",
      "17",
    );
    await opsJson("restore", "prepare", file);
    expect(readFileSync(file, "utf8")).not.toMatch(/Eve|Ada|example\.com/);
    // The database is restored. KV keeps its values.
    const current = databaseOf(server.state.folder);
    renameSync(current, path.join(folder, "lost"));
    cpSync(backup, current, { recursive: true });

    const finish = () => opsJson<object>("restore", "finish", file);
    const last = { clientId: "demo", sequence: lostEvents.length };
    // A gift that was shipped is not cancelled, although it is open again.
    const notErased = [{ suborder: shipped, reason: "can still be accepted" }];
    expect(await finish()).toMatchObject({
      events: [last],
      lostClients: ["late"],
      erased: [erased],
      notErased,
    });
    expect(await finish()).toMatchObject({ ids: {}, events: [], erased: [], notErased });
    expect(await differences()).toEqual([]);
  });

  expect([await statusWith(pair), await statusWith(other)]).toEqual([401, 403]);
  for (const { paths } of lost.slice(0, 5)) expect(await open(paths[0] ?? "")).toBe(404);
  expect(await open(renewedOrder.paths[1] ?? "")).toBe(410);
  expect(await open(new URL(renewed.body.recipient.gift_url).pathname)).toBe(200);
  const { body: shown } = await call(`/api/order?order_id=${String(erasedOrder.orderId)}`);
  expect(shown.recipients[0].recipient_details).toMatchObject({
    name: "Erased recipient",
    email: "",
  });
  expect(await emailOf(await place("mailed again", sent))).toBe("failed");

  // Partners place their lost orders again, and new ones.
  const again = await Promise.all(lost.map(({ reference }) => place(reference)));
  const later = await load("later", 10);
  for (const { paths } of lost) expect(await open(paths[0] ?? "")).toBe(404);
  const highest = Math.max(...[...kept, ...lost].map(({ orderId }) => orderId));
  expect([...again, ...later].filter(({ orderId }) => orderId <= highest)).toEqual([]);
  const laterEndpoint = await call("/api/webhook", endpoint);
  expect(laterEndpoint.body.webhook_id).toBeGreaterThan(lostEndpoint.body.webhook_id);

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
}, 300_000);
