// Placements of a client that is in no memory: a replica has the record and the offer, and the primary decides.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { PLACEMENT_SETTINGS } from "../../../src/features/clients/queries.ts";
import { forgetClient } from "../../../src/features/clients/cache.ts";
import { SECOND_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { PLACEMENTS } from "../../support/errors.ts";
import {
  brokenAccounts,
  createClient,
  createCredentials,
  openShop,
  orderOf,
  ordersOf,
  simpleProduct,
  type TestClient,
} from "../../support/fixtures.ts";
import { laggingDatabase, replicate } from "../../support/replica.ts";
import { sql } from "../../support/sql.ts";
import { expectReplay, startWorker, visible } from "../../support/worker.ts";

const far = () => startWorker({ env: { DB: laggingDatabase() } });

/** A shop that a replica has, too. */
async function openFarShop() {
  const shop = await openShop();
  await replicate(shop.client);
  return shop;
}

const ofClient = (set: string) => (client: TestClient) =>
  sql(`UPDATE clients SET ${set} WHERE id = ?`, client.clientId).run();
const ofSet = (set: string) => (client: TestClient) =>
  sql(`UPDATE credentials SET ${set} WHERE client_id = ?`, client.clientId).run();
const revoke = ofSet("revoked_at_ms = 1");

async function moveToOtherCatalogue({ clientId }: TestClient) {
  const { catalogueId } = await createClient({ products: [simpleProduct()] });
  await sql("UPDATE clients SET catalogue_id = ? WHERE id = ?", catalogueId, clientId).run();
}

type Setting = keyof typeof PLACEMENT_SETTINGS;

type Change = [
  make: (client: TestClient) => Promise<unknown>,
  expected: object,
  request?: Record<string, unknown>,
];

/** A change of each setting, and what a placement after it gets. */
const changesOf = (isLinked: boolean): Record<Setting, Change> => ({
  billing: [ofClient("billing = 'invoice'"), { status: "created" }],
  feeBasisPoints: [ofClient("fee_basis_points = 1000"), { order_fee_minor: 300 }],
  catalogueId: [moveToOtherCatalogue, { code: "product_not_found" }],
  branding: [
    ofClient("branding = '{}'"),
    { is_branded: Number(isLinked) },
    isLinked ? { order_branding: "company" } : {},
  ],
  redeemWithinDays: [ofClient("redeem_within_days = 30"), { expires: Number(isLinked) }],
  sendCodes: [ofClient("send_codes = 0"), { send_codes: 0 }],
});

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe.for(PLACEMENTS)("POST %s, with a replica that lags behind", (path) => {
  test.each([
    ["revoked", revoke, "unauthorized"],
    ["with another digest", ofSet("secret_digest = 'other'"), "unauthorized"],
    ["with another scope", ofSet("scope = 'read'"), "insufficient_scope"],
    [
      "limited",
      ofSet(`scope = 'order', limits = '[{"period":"day","currency":"AUD","limitMinor":1}]'`),
      "spending_limit_exceeded",
    ],
    ["of a suspended client", ofClient("status = 'suspended'"), "forbidden"],
  ])("places no order for a set that the primary has %s", async (_, change, code) => {
    const { product, client } = await openFarShop();
    await change(client);
    const answer = await far().post(client, path, orderOf(product));
    expect(answer.json.code).toBe(code);
    expect(await ordersOf(client.clientId)).toBe(0);
  });

  test.each(Object.keys(PLACEMENT_SETTINGS) as Setting[])(
    "places the order with %s of the primary",
    async (setting) => {
      const { product, client } = await openFarShop();
      const [change, expected, request] = changesOf(path === "/api/gift-link")[setting];
      await change(client);
      const { json } = await far().post(client, path, orderOf(product, request));
      const order = await sql(
        `SELECT status, order_fee_minor, expires_at_ms IS NOT NULL AS expires, send_codes,
         branding IS NOT NULL AS is_branded
       FROM orders WHERE client_id = ?`,
        client.clientId,
      ).first();
      expect(order ?? json).toMatchObject(expected);
    },
  );

  test("refuses a revoked set as any other, whatever the replica would answer", async () => {
    const { product, client } = await openShop();
    const placed = orderOf(product);
    await startWorker().post(client, path, placed);
    const first = await startWorker().post({ ...client, apiKey: "wrong" }, path, placed);
    await replicate(client);
    await revoke(client);
    await forgetClient(env, client.clientId);
    for (const body of [
      placed,
      { ...placed, recipient_details: [] },
      { ...orderOf(product), order_ref_id: placed.order_ref_id, currency: "USD" },
      orderOf(simpleProduct()),
      orderOf(product),
    ]) {
      const { status, text, headers } = await far().post(client, path, body);
      expect([status, text]).toEqual([401, first.text]);
      expect(headers.get("WWW-Authenticate")).toBe(first.headers.get("WWW-Authenticate"));
    }
    expect(await ordersOf(client.clientId)).toBe(1);
  });

  test("accepts a revoked set for at most a minute if its record is cached", async () => {
    const { product, client } = await openFarShop();
    const clock = createClock();
    const place = async () =>
      (await clock.start({ DB: laggingDatabase() }).post(client, path, orderOf(product))).status;
    expect(await place()).toBe(200);
    await revoke(client);
    expect(await place()).toBe(200);
    clock.advance(60 * SECOND_MS);
    expect(await place()).toBe(401);
  });

  test("caches the record of the primary and not that of the replica", async () => {
    const { product, client } = await openFarShop();
    await ofClient("may_cancel = 0")(client);
    const isolate = far();
    const { json } = await isolate.post(client, path, orderOf(product));
    const body = { order_id: json.order_data.order_id as number };
    for (const worker of [isolate, startWorker()]) {
      expect((await worker.post(client, "/api/order/cancel", body)).json.code).toBe("forbidden");
    }
  });

  test("places and replays orders of new clients and new sets, also with a large body", async () => {
    const { product, client } = await openShop();
    const body = orderOf(product);
    const first = await far().post(client, path, body);
    await replicate(client);
    const added = await createCredentials(client.clientId);
    expectReplay(await far().post(added, path, body), first);
    const long = orderOf(product, { metadata: { note: "x" }, unknown: "x".repeat(65_000) });
    expect((await far().post(added, path, long)).status).toBe(200);
    expect(await ordersOf(client.clientId)).toBe(2);
  });

  test("costs the same for an unknown client and for wrong credentials", async () => {
    const { product, client } = await openFarShop();
    const body = orderOf(product);
    const first = await far().post({ ...client, clientId: "unknown" }, path, body);
    const second = await far().post({ ...client, apiPassword: "wrong" }, path, body);
    expect(visible(second)).toEqual(visible(first));
    for (const { meter } of [first, second]) {
      expect(meter).toMatchObject({ roundTrips: 2, kvReads: 1, kvWrites: 0, rowsWritten: 0 });
    }
  });
});
