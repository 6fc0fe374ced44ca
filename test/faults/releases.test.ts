// The Worker of the previous release and the Worker of the present sources on one database, with all migrations: during
// a deployment both run at once, and after a rollback the previous one runs on what the present one has written.
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { CODE_SECRET, type Rig, startRig } from "../../bench/rig.ts";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { seed } from "../../src/cli/seed.ts";
import { addCredential } from "../../src/operator/client/queries.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { PREVIOUS_RELEASE } from "./previous-release.ts";
import { lastDemoEvent } from "../servers/demo-gift.ts";
import { type ReceivingPath, receivingPath } from "../support/received.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { runs } from "../support/runs.ts";
import { expectSound } from "../servers/sound.ts";
import {
  ACTION,
  type Action,
  type Client,
  createPartner,
  type Order,
  orderPath,
  type Partner,
  type Release,
  RELEASES,
  STOCK,
} from "./partner.ts";

/** The number of random actions in each part. */
const ACTIONS = runs(1_000);
const CONCURRENCY = 8;

let rig: Rig;
let d1: D1Database;
let receiver: Receiver;
let received: ReceivingPath;
let partner: Partner;
/** The last event of the demo data, which the endpoint does not get. */
let seeded: number;

beforeAll(async () => {
  receiver = await startReceiver();
  received = receivingPath(receiver.url, "releases");
  const source = path.relative(PROJECT_ROOT, `${inject("bundle")}.gz`);
  rig = await startRig([
    { name: "previous", source: PREVIOUS_RELEASE ?? source, state: "shared" },
    { name: "present", source, state: "shared", consumes: true },
  ]);
  d1 = await rig.d1("present");
  const env: Partial<Bindings> = {
    DB: d1,
    KV: await rig.kv("present"),
    ENVIRONMENT: "local",
    CODE_SECRET,
  };
  await seed(env as Bindings, Date.now());
  const [previous, present] = await Promise.all(RELEASES.map(rig.url));
  partner = createPartner({ previous: previous ?? "", present: present ?? "" }, rig.cron);
  seeded = await lastDemoEvent(d1);
  const created = await partner.call("previous", "demo", "/api/webhook", { url: received.url });
  expect(created.status, created.text).toBe(200);
});

afterAll(async () => {
  await rig.dispose();
  await receiver.close();
});

/** Does the work for each of the items, for several at a time. */
async function forEach<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const workUntilDone = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, workUntilDone));
}

/** The client, whether the order has links, and what the other release does with its gifts: actions and their gifts. */
const SCRIPTS: [Client, boolean, Partial<Record<Action["kind"], number>>[]][] = [
  [
    "demo",
    true,
    [
      { repeat: 0, page: 0, accept: 0, thank: 0, "gift.shipped": 0, "gift.delivered": 0 },
      { decline: 1, "cancel gift": 2, renew: 3, order: 0, shipments: 0, "cancel order": 0 },
    ],
  ],
  ["demo", true, [{ "gift.redeemed": 0 }, ...[1, 2, 3].map((gift) => ({ "gift.expired": gift }))]],
  ["demo", false, [{ "gift.shipped": 1, "gift.delivered": 1, "cancel gift": 0, repeat: 0 }]],
  ["demo-two", true, [{ "order.paid": 0, accept: 2, "cancel order": 0 }]],
  ["demo-two", false, [{ "order.failed": 0, order: 0, repeat: 0 }]],
];

const actionOf = (kind: Action["kind"], client: Client, links: boolean, gift = 0): Action => ({
  kind,
  client,
  product: STOCK.productId,
  links,
  qty: 4,
  pick: 0,
  gift,
});

/** Each script: one release places an order, and the other one changes it. */
async function changeOrders(from: Release, to: Release): Promise<void> {
  for (const [client, links, steps] of SCRIPTS) {
    expect((await partner.act(from, actionOf("place", client, links))).status).toBe(200);
    const order = partner.orders.at(-1);
    for (const [kind, gift] of steps.flatMap((each) => Object.entries(each))) {
      const action = actionOf(kind as Action["kind"], client, links, gift);
      const { status, text } = await partner.act(to, action, order);
      expect([200, 303], `${kind}: ${text}`).toContain(status);
    }
  }
}

/** A client that no release has cached yet. */
async function addClient(client: Client): Promise<void> {
  await d1
    .prepare(
      `INSERT INTO clients (id, name, billing, fee_basis_points, default_currency, catalogue_id,
         branding, created_at_ms)
       SELECT ?1, ?1, 'invoice', fee_basis_points, default_currency, catalogue_id, branding, 0
       FROM clients WHERE id = 'demo-two'`,
    )
    .bind(client)
    .run();
  const secret = { apiKey: `${client}-key`, apiPassword: `${client}-password` };
  await addCredential(d1, client, secret, Date.now());
}

/** One release uses what the other one has cached in KV. */
async function useCached(from: Release, to: Release): Promise<void> {
  const client: Client = `cached by ${from}`;
  await addClient(client);
  const page = await partner.call(from, client, "/api/products?limit=7");
  const kv = await rig.kv(from);
  const keys = async () => (await kv.list()).keys.map(({ name }) => name).join("\n");
  // The Worker writes to KV after the response.
  await expect.poll(keys).toContain(client);
  await expect.poll(keys).toMatch(/^local:page:.*:7:1$/m);
  expect(await partner.call(to, client, "/api/products?limit=7")).toEqual(page);
  for (const kind of ["place", "cancel order", "quote", "balance"] as const) {
    const action = actionOf(kind, client, false);
    const { status, text } = await partner.act(to, action, partner.orders.at(-1));
    expect(status, `${kind}: ${text}`).toBe(200);
  }
}

/** Both releases serve the same orders, and repeat the responses to their placement. */
async function expectSame({ client, path, body, text }: Order, orderUrl: string): Promise<void> {
  const read = async (release: Release) =>
    JSON.parse((await partner.call(release, client, orderUrl)).text) as object;
  // A release may add fields.
  expect(await read("present")).toMatchObject(await read("previous"));
  for (const release of RELEASES) {
    expect((await partner.call(release, client, path, body)).text).toBe(text);
  }
}

test("two releases serve the same orders and send each event of both", async () => {
  for (const [from, to] of [RELEASES, RELEASES.toReversed()] as [Release, Release][]) {
    await changeOrders(from, to);
    await useCached(from, to);
  }
  // During a deployment, after a rollback, and during the next deployment.
  for (const releases of [RELEASES, ["previous"] as const, RELEASES]) {
    const actions = fc.sample(fc.tuple(fc.constantFrom(...releases), ACTION), ACTIONS);
    await forEach(actions, ([release, action]) => partner.act(release, action));
  }
  expect(partner.orders.length).toBeGreaterThan(20);
  await forEach(partner.orders, (order) => expectSame(order, orderPath(order)));

  const last = await lastDemoEvent(d1);
  const sent = async () => {
    await rig.cron("present");
    // Test events have the sequence 1.
    const sequences = await received.sequences();
    return new Set(sequences.filter((sequence) => sequence > seeded)).size;
  };
  await expect.poll(sent, { interval: 250 }).toBe(last - seeded);
  await expectSound(d1, STOCK);
});
