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
import type { AnyChange, AnyView } from "../../src/operator/declaration/declare.ts";
import { planChange, readView, runChange } from "../../src/operator/declaration/execute.ts";
import type { ShownContent } from "../../src/operator/declaration/output.ts";
import { recipientErase } from "../../src/operator/recipient/erase.ts";
import { restoreFinish } from "../../src/operator/restore/finish.ts";
import { restorePrepare } from "../../src/operator/restore/prepare.ts";
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

/** What an operation shows or has done, on a state that no server uses. */
const operate = (operation: AnyView | AnyChange, input: Record<string, unknown> = {}) =>
  server.state.use(async (env): Promise<ShownContent> => {
    const requestId = crypto.randomUUID();
    const context = { ...env, user: OPERATOR, nowMs: Date.now(), requestId };
    if (operation.type === "view") return readView(context, operation, input);
    const { digest } = await planChange(context, operation, input);
    const confirmation = { digest, requestId };
    const outcome = await runChange(context, operation, input, confirmation);
    if (outcome.result !== "done") throw new Error(`${operation.name} was not carried out`);
    return outcome.content;
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

const addEndpoint = async (): Promise<number> =>
  (await call("/api/webhook", { url: "http://127.0.0.1:9/events" })).body.webhook_id;

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
  return { kept, renewed, erased, shipped, mailed, pair, credentialId: Number(set.credential_id) };
}

/** What happens after it. */
async function afterBackup(before: Awaited<ReturnType<typeof beforeBackup>>) {
  const { renewed, erased, shipped, mailed, credentialId } = before;
  const endpoint = await addEndpoint();
  const lost = await load("lost", 10);
  const { body } = await call("/api/gift-link/renew", {
    suborder_id: toGiftId(renewed.orderId, 2),
  });
  const complaint = { suborder_id: toGiftId(mailed.orderId, 1), event: "email.complained" };
  expect(await call("/api/sandbox/event", complaint)).toMatchObject({ status: 200 });
  await call("/api/order/cancel", { order_id: erased.orderId });
  await call("/api/credential/revoke", { credential_id: credentialId });
  const gift = { suborder_id: toGiftId(shipped.orderId, 1) };
  for (const event of ["gift.redeemed", "gift.shipped"])
    await call("/api/sandbox/event", { event, ...gift });
  await sync(copy);
  const newPath = new URL(body.recipient.gift_url).pathname;
  return { endpoint, lost, newPath, events: await events() };
}

/** Restores the database after the last changes of operators. Finishes the restore twice, and returns what was done. */
async function restore(backup: string, erased: string[]) {
  await server.state.use(async ({ DB }) => {
    await DB.prepare("UPDATE clients SET status = 'suspended' WHERE id = 'demo-two'").run();
    await DB.prepare(
      `INSERT INTO clients (id, name, billing, fee_basis_points, default_currency, catalogue_id, created_at_ms)
       SELECT 'late', 'Late', billing, fee_basis_points, default_currency, catalogue_id, created_at_ms FROM clients WHERE id = 'demo'`,
    ).run();
  });
  await operate(recipientErase, { gift: erased, reason: "17" });
  const content = JSON.stringify(await operate(restorePrepare));
  const file = { name: "restore.json", bytes: new TextEncoder().encode(content) };
  // KV keeps its values.
  const current = databaseOf(server.state.folder);
  renameSync(current, path.join(folder, "lost"));
  cpSync(backup, current, { recursive: true });
  const finished = [await operate(restoreFinish, { file }), await operate(restoreFinish, { file })];
  return { finished: finished.map(({ lists }) => lists), content };
}

describe("a restored database", () => {
  let before: Awaited<ReturnType<typeof beforeBackup>>;
  let after: Awaited<ReturnType<typeof afterBackup>>;
  let restored: Awaited<ReturnType<typeof restore>>;
  let [erased, shipped] = ["", ""];

  beforeAll(async () => {
    before = await beforeBackup();
    const backup = path.join(folder, "backup");
    await stopped(() => {
      cpSync(databaseOf(server.state.folder), backup, { recursive: true });
    });
    after = await afterBackup(before);
    erased = toGiftNumber(before.erased.orderId, 1);
    shipped = toGiftNumber(before.shipped.orderId, 1);
    await stopped(async () => {
      restored = await restore(backup, [erased, shipped]);
      expect(await differences()).toEqual([]);
    });
  });

  test("is finished once, from a file without personal data", () => {
    expect(restored.content).not.toMatch(/Eve|Ada|example\.com/);
    const last = { client: "demo", sequence: after.events.length };
    // A gift that was shipped is not cancelled, although it is open again.
    const not_erased = [{ gift: shipped, reason: "is neither accepted nor ended" }];
    expect(restored.finished).toMatchObject([
      {
        events: [last],
        lost_clients: [{ client: "late" }],
        erased: [{ gift: erased }],
        not_erased,
      },
      { reserved: [], events: [], erased: [], not_erased },
    ]);
  });

  test("undoes no revocation, suspension, new link, erasure or complaint", async () => {
    expect([await statusWith(before.pair), await statusWith(OTHER)]).toEqual([401, 403]);
    expect(await statusOf(before.renewed.paths[1] ?? "")).toBe(410);
    expect(await statusOf(after.newPath)).toBe(200);
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
    const sequence = after.events.length + 1;
    expect(feed[index]).toMatchObject({ sequence, data: { last_sequence: index } });
    expect(feed.slice(0, index)).toEqual(after.events.slice(0, index));
  });

  test("can be copied: a copy that has lost events equals one that is made now", async () => {
    expect(await sync(copy)).toEqual(await sync(new DatabaseSync(":memory:")));
  });
});
