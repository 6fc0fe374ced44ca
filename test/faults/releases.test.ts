// The Worker of the previous release and the Worker of the present sources on one database, with all migrations: during
// a deployment both run at once, and after a rollback the previous one runs on what the present one has written.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Rig, startRig } from "../../bench/rig.ts";
import { seed } from "../../src/cli/seed.ts";
import { addCredential } from "../../src/operator/clients/queries.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { PREVIOUS_RELEASE } from "./previous-release.ts";
import { lastDemoEvent } from "../servers/demo-gift.ts";
import { type ReceivingPath, receivingPath } from "../support/received.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { expectSound } from "../servers/sound.ts";
import {
  ACTION,
  type Action,
  type Client,
  createPartner,
  orderPath,
  type Partner,
  type Release,
  RELEASES,
  STOCK,
} from "./partner.ts";

/** The number of random actions in each of the three parts. */
const ACTIONS = 150;
const CONCURRENCY = 8;

vi.setConfig({ testTimeout: 300_000 });

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
  rig = await startRig([
    { name: "previous", source: PREVIOUS_RELEASE, state: "shared" },
    { name: "present", source: "src/index.ts", state: "shared", consumes: true },
  ]);
  d1 = await rig.d1("present");
  const env: Partial<Bindings> = { DB: d1, KV: await rig.kv("present"), ENVIRONMENT: "local" };
  await seed(env as Bindings, Date.now());
  const [previous, present] = await Promise.all(RELEASES.map(rig.url));
  partner = createPartner({ previous: previous ?? "", present: present ?? "" }, rig.cron);
  seeded = await lastDemoEvent(d1);
  const created = await partner.call("previous", "demo", "/api/webhook", { url: received.url });
  expect(created.status, created.text).toBe(200);
}, 120_000);

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

type Step = [Action["kind"], gift: number];

/** The client, whether the order has links, and what the other release does with its gifts. */
const SCRIPTS: [Client, boolean, Step[]][] = [
  [
    "demo",
    true,
    [
      ...([
        ["repeat", 0],
        ["page", 0],
        ["accept", 0],
        ["thank", 0],
        ["ship-gift", 0],
      ] as Step[]),
      ...([
        ["deliver-gift", 0],
        ["decline", 1],
        ["cancel gift", 2],
        ["renew", 3],
      ] as Step[]),
      ...([
        ["order", 0],
        ["shipments", 0],
        ["cancel order", 0],
      ] as Step[]),
    ],
  ],
  [
    "demo",
    true,
    [
      ["redeem-gift", 0],
      ["expire-gift", 1],
      ["expire-gift", 2],
      ["expire-gift", 3],
    ],
  ],
  [
    "demo",
    false,
    [
      ["ship-gift", 1],
      ["deliver-gift", 1],
      ["cancel gift", 0],
      ["repeat", 0],
    ],
  ],
  [
    "demo-two",
    true,
    [
      ["pay-order", 0],
      ["accept", 2],
      ["cancel order", 0],
    ],
  ],
  [
    "demo-two",
    false,
    [
      ["fail-order", 0],
      ["order", 0],
      ["repeat", 0],
    ],
  ],
];

test.each<[Release, Release]>([
  ["previous", "present"],
  ["present", "previous"],
])("orders of the %s release are changed by the %s one", async (from, to) => {
  for (const [client, links, steps] of SCRIPTS) {
    const action: Action = {
      kind: "place",
      client,
      product: STOCK.productId,
      links,
      qty: 4,
      pick: 0,
      gift: 0,
    };
    expect((await partner.act(from, action)).status).toBe(200);
    const order = partner.orders.at(-1);
    for (const [kind, gift] of steps) {
      const { status, text } = await partner.act(to, { ...action, kind, gift }, order);
      expect([200, 303], `${kind}: ${text}`).toContain(status);
    }
  }
  await expectSound(d1, STOCK);
});

test.each<[Release, Release]>([
  ["previous", "present"],
  ["present", "previous"],
])("what the %s release has cached in KV is used by the %s one", async (from, to) => {
  const client: Client = `cached by ${from}`;
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
  const page = await partner.call(from, client, "/api/products?limit=7");
  const kv = await rig.kv(from);
  const keys = async () => (await kv.list()).keys.map(({ name }) => name);
  // The Worker writes to KV after the response.
  for (const key of [
    expect.stringContaining(client),
    expect.stringMatching(/^local:page:.*:7:1$/),
  ]) {
    await expect.poll(keys, { timeout: 30_000 }).toContainEqual(key);
  }

  expect(await partner.call(to, client, "/api/products?limit=7")).toEqual(page);
  for (const [kind, links] of [
    ["place", true],
    ["place", false],
    ["cancel order", false],
    ["quote", false],
    ["balance", false],
  ] as const) {
    const action = { kind, client, links, product: STOCK.productId, qty: 2, pick: 0, gift: 0 };
    const { status, text } = await partner.act(to, action, partner.orders.at(-1));
    expect(status, `${kind}: ${text}`).toBe(200);
  }
  await expectSound(d1, STOCK);
});

test.each<[string, readonly Release[]]>([
  ["both releases at once, during a deployment", RELEASES],
  ["the previous release, after a rollback", ["previous"]],
  ["both releases at once, during the next deployment", RELEASES],
])("%s", async (_, releases) => {
  const actions = fc.sample(fc.tuple(fc.constantFrom(...releases), ACTION), ACTIONS);
  await forEach(actions, ([release, action]) => partner.act(release, action));
  await expectSound(d1, STOCK);
});

test("serve the same orders and repeat the same responses", async () => {
  expect(partner.orders.length).toBeGreaterThan(20);
  await forEach(partner.orders, async (order) => {
    const [previous = "", present = ""] = await Promise.all(
      RELEASES.map(
        async (release) => (await partner.call(release, order.client, orderPath(order))).text,
      ),
    );
    // A release may add fields.
    expect(JSON.parse(present)).toMatchObject(JSON.parse(previous) as object);
    for (const release of RELEASES) {
      const { text } = await partner.call(release, order.client, order.path, order.body);
      expect(text).toBe(order.text);
    }
  });
});

test("send each event of both", async () => {
  const last = await lastDemoEvent(d1);
  await expect
    .poll(
      async () => {
        await rig.cron("present");
        // Test events have the sequence 1.
        const sequences = await received.sequences();
        return new Set(sequences.filter((sequence) => sequence > seeded)).size;
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(last - seeded);
  await expectSound(d1, STOCK);
});
