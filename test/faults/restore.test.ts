// A local database that is restored to an earlier moment while clients order gifts. Its file is replaced by a copy, as
// Time Travel does with a deployed database.
import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { syncOrders } from "../../examples/sync-orders.ts";
import { checkAll } from "../../src/features/health/check.ts";
import { toGiftId, toGiftNumber } from "../../src/core/values/ids.ts";
import { demoOrder } from "../servers/demo-gift.ts";
import { AUTH, JSON_HEADERS, useDemoServer } from "../servers/demo-server.ts";
import { clientSuspend } from "../../src/operator/client/suspend.ts";
import type { AnyChange } from "../../src/operator/declaration/declare.ts";
import { planChange, readView, runChange } from "../../src/operator/declaration/execute.ts";
import { recipientErase } from "../../src/operator/recipient/erase.ts";
import { restoreFinish } from "../../src/operator/restore/finish.ts";
import { restoreList } from "../../src/operator/restore/list.ts";
import type { User } from "../../src/operator/roles.ts";

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
      confirmed: "yes",
      step: "accept",
    }),
  });
  await response.text();
  return response.status;
}

const statusOf = async (giftPath: string) => (await fetch(server.url + giftPath)).status;

/** Orders that are placed at the same time. Every third one is redeemed, and every third one cancelled. */
const load = (name: string, orders: number): Promise<Placed[]> =>
  Promise.all(
    Array.from({ length: orders }, async (_, n) => {
      const order = await place(`${name}-${String(n)}`);
      if (n % 3 === 0) expect(await redeem(order.paths[0] ?? "")).toBe(303);
      if (n % 3 === 1) await call("/api/order/cancel", { order_id: order.orderId });
      return order;
    }),
  );

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

const OPERATOR: User = { name: "ada", roles: ["engineer"] };

const contextOf = (env: Parameters<Parameters<typeof server.state.use>[0]>[0]) => {
  const requestId = crypto.randomUUID();
  return { ...env, ACCESS_ROLES: {}, user: OPERATOR, nowMs: Date.now(), requestId };
};

/** What an operation has done on a state that no server uses. */
const operate = (operation: AnyChange, input: Record<string, unknown> = {}) =>
  server.state.use(async (env) => {
    const context = contextOf(env);
    const { digest } = await planChange(context, operation, input);
    const confirmation = { digest, requestId: context.requestId };
    const outcome = await runChange(context, operation, input, confirmation);
    if (outcome.result !== "done") throw new Error(`${operation.name} was not carried out`);
    return outcome.content;
  });

/** The file of `restore list --since … --json`. */
const lastingSince = (since: string) =>
  server.state.use(async (env) => {
    const content = JSON.stringify(await readView(contextOf(env), restoreList, { since }));
    return { name: "lasting.json", bytes: new TextEncoder().encode(content), content };
  });

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
  const gift = String(toGiftId(orderId, 1));
  for (;;) {
    await (await server.cron()).text();
    const { body } = await call(`/api/sandbox/emails?suborder_id=${gift}`);
    const status = String(body.emails[0]?.status);
    if (/sent|failed/.test(status)) return status;
  }
}

const statusWith = async (headers: Record<string, string>) =>
  (await fetch(`${server.url}/api/events`, { headers: { ...AUTH, ...headers } })).status;

const OTHER = {
  "CLIENT-ID": "demo-two",
  "API-KEY": "demo-two-key",
  "API-PASSWORD": "demo-two-password",
};

const addEndpoint = async (path = "events"): Promise<number> =>
  (await call("/api/webhook", { url: `http://127.0.0.1:9/${path}` })).body.webhook_id;

const copy = new DatabaseSync(":memory:");

/** What happens before the moment to which the database is restored. */
async function beforeBackup() {
  const kept = await load("kept", 10);
  const [renewed, erased, shipped] = [
    await place("renewed"),
    await place("erased"),
    await place("shipped"),
  ];
  const mailed = await place("mailed", sent);
  expect(await emailOf(mailed)).toBe("sent");
  const { body: set } = await call("/api/credential", { scope: "order" });
  const pair = { "API-KEY": set.api_key, "API-PASSWORD": set.api_password };
  expect([await statusWith(pair), await statusWith(OTHER)]).toEqual([200, 200]);
  await sync(copy);
  const deleted = await addEndpoint("deleted");
  const credentialId = Number(set.credential_id);
  return { kept, renewed, erased, shipped, mailed, pair, credentialId, deleted };
}

/** The path of the new link of the second gift. */
async function renew({ orderId }: Placed): Promise<string> {
  const { body } = await call("/api/gift-link/renew", { suborder_id: toGiftId(orderId, 2) });
  return new URL(body.recipient.gift_url).pathname;
}

/** What happens after it. */
async function afterBackup(before: Awaited<ReturnType<typeof beforeBackup>>) {
  const { renewed, erased, shipped, mailed, credentialId, deleted } = before;
  const endpoint = await addEndpoint();
  const lost = await load("lost", 10);
  // The first new link was replaced, too.
  const [first, second] = [await renew(renewed), await renew(renewed)];
  const complaint = { suborder_id: toGiftId(mailed.orderId, 1), event: "email.complained" };
  expect(await call("/api/sandbox/event", complaint)).toMatchObject({ status: 200 });
  await call("/api/order/cancel", { order_id: erased.orderId });
  await call("/api/credential/revoke", { credential_id: credentialId });
  await call("/api/webhook/delete", { webhook_id: deleted });
  const gift = { suborder_id: toGiftId(shipped.orderId, 1) };
  for (const event of ["gift.redeemed", "gift.shipped"])
    await call("/api/sandbox/event", { event, ...gift });
  await sync(copy);
  return { endpoint, lost, first, second, events: await events() };
}

/** Restores the database after the last changes of operators, and finishes the restore three times. */
async function restore(backup: string, restoredTo: string, erased: string[]) {
  await operate(clientSuspend, { client: "demo-two" });
  await operate(recipientErase, { gift: erased, reason: "17" });
  const file = await lastingSince(restoredTo);
  // KV keeps its values.
  const current = databaseOf(server.state.folder);
  renameSync(current, path.join(folder, "lost"));
  cpSync(backup, current, { recursive: true });
  const input = { restored_to: restoredTo, file };
  const [, ...finished] = [
    await operate(restoreFinish, { restored_to: restoredTo }),
    await operate(restoreFinish, input),
    await operate(restoreFinish, input),
  ];
  return { finished: finished.map((done) => done.lists["not_repeated"]), content: file.content };
}

describe("a restored database", () => {
  let before: Awaited<ReturnType<typeof beforeBackup>>;
  let after: Awaited<ReturnType<typeof afterBackup>>;
  let restored: Awaited<ReturnType<typeof restore>>;
  let [erased, shipped] = ["", ""];

  beforeAll(async () => {
    before = await beforeBackup();
    const backup = path.join(folder, "backup");
    let restoredTo = "";
    await stopped(() => {
      restoredTo = new Date().toISOString();
      cpSync(databaseOf(server.state.folder), backup, { recursive: true });
    });
    after = await afterBackup(before);
    erased = toGiftNumber(before.erased.orderId, 1);
    shipped = toGiftNumber(before.shipped.orderId, 1);
    await stopped(async () => {
      restored = await restore(backup, restoredTo, [erased, shipped]);
      expect(await differences()).toEqual([]);
    });
  });

  test("is finished from a file without personal data, and repeats each change once", () => {
    expect(restored.content).not.toMatch(/Eve|Ada|example\.com/);
    // A gift that was shipped is not cancelled, although it is open again.
    const erasure = { action: "recipient erase", object: shipped };
    expect(restored.finished).toMatchObject([[erasure], [erasure]]);
  });

  test("undoes no revocation, suspension, new link, erasure or complaint", async () => {
    expect([await statusWith(before.pair), await statusWith(OTHER)]).toEqual([401, 403]);
    const links = [before.renewed.paths[1] ?? "", after.first, after.second];
    expect(await Promise.all(links.map(statusOf))).toEqual([410, 410, 200]);
    const { body: endpoint } = await call(`/api/webhook?webhook_id=${String(before.deleted)}`);
    expect(endpoint.status).toBe("disabled");
    const { body } = await call(`/api/order?order_id=${String(before.erased.orderId)}`);
    const recipient = body.recipients[0].recipient_details;
    expect(recipient).toMatchObject({ name: "Erased recipient", email: "" });
    expect(await emailOf(await place("mailed again", sent))).toBe("failed");
  });

  test("uses no lost id again, while partners place lost and new orders", async () => {
    const again = await Promise.all(after.lost.map(({ reference }) => place(reference)));
    const later = await load("later", 10);
    for (const { paths } of after.lost) expect(await statusOf(paths[0] ?? "")).toBe(404);
    const highest = Math.max(...[...before.kept, ...after.lost].map(({ orderId }) => orderId));
    expect([...again, ...later].filter(({ orderId }) => orderId <= highest)).toEqual([]);
    expect(await addEndpoint()).toBeGreaterThan(after.endpoint);
    expect(await differences()).toEqual([]);
  });

  test("uses no sequence of a lost event again", async () => {
    const feed = await events();
    const index = feed.findIndex(({ type }) => type === "data.restored");
    expect(feed[index]).toMatchObject({ data: { last_sequence: index } });
    expect(feed[index]?.sequence).toBeGreaterThan(after.events.length);
    // The restore was finished three times.
    expect(feed.filter(({ type }) => type === "data.restored")).toHaveLength(3);
    expect(feed.slice(0, index)).toEqual(after.events.slice(0, index));
  });

  test("can be copied: a copy that has lost events equals one that is made now", async () => {
    expect(await sync(copy)).toEqual(await sync(new DatabaseSync(":memory:")));
  });
});
