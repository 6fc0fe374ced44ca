// Two regions in one workerd, each a production with its own database. By mistake, they share the KV namespace and all
// secrets.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { IDS_PER_REGION } from "../src/core/values/ids.ts";
import type { Bindings } from "../src/platform/env.ts";
import { openConsole } from "./console/console.ts";
import { openCatalogue } from "./operator/catalogue/published.ts";
import { openOperatorApi } from "./operator/operator-api.ts";
import { recipients } from "./support/fixtures.ts";
import { type Credentials, startWorker } from "./support/worker.ts";

const REGIONS = {
  production: "https://api.example.com",
  "production-eu": "https://api-eu.example.com",
};

const bindingsOf = (ENVIRONMENT: keyof typeof REGIONS, DB: D1Database, REGION?: number) =>
  ({
    ENVIRONMENT,
    DB,
    REGIONS,
    PUBLIC_URL: REGIONS[ENVIRONMENT],
    ...(REGION && { REGION }),
  }) as const;

async function openRegion(bindings: Partial<Bindings>) {
  const api = await openOperatorApi(["engineer"], await openConsole({ env: bindings }));
  return { bindings, api, worker: startWorker({ env: bindings }) };
}

type Region = Awaited<ReturnType<typeof openRegion>>;

const CLIENT = { client_id: "acme", name: "Acme", billing: "credit", currency: "AUD" };

/** A client of the same name in each region, with an order of the same reference for the same person. */
async function trade({ api, worker }: Region, product: string) {
  const catalogue = await openCatalogue(api, [{ Name: product, Stock: "5" }]);
  await api.run("client add", { ...CLIENT, catalogue });
  await api.run("credit add", { client: "acme", amount: "5000.00", reference: "INV-1" });
  const { facts } = await api.run("credential issue", { client: "acme", scope: "admin" });
  const { set, api_key, api_password } = facts as Record<string, string>;
  const client = { clientId: "acme", apiKey: api_key, apiPassword: api_password } as Credentials;
  const { json: list } = await worker.get(client, "/api/products");
  const order = await worker.post(client, "/api/gift-link", {
    order_ref_id: "1",
    product_id: list.products[0].product_id,
    currency: "AUD",
    base_location: "AU",
    recipient_details: recipients(1),
  });
  if (order.status !== 200) throw new Error(order.text);
  const { order_id, order_number } = order.json.order_data;
  const url: string = order.json.recipient_return[0].gift_url;
  const hook = await worker.post(client, "/api/webhook", { url: "https://receiver.example/a" });
  const webhookId: number = hook.json.webhook_id;
  // Nothing answers at its address.
  await worker.post(client, "/api/webhook/disable", { webhook_id: webhookId });
  return {
    client,
    list,
    set,
    orderId: order_id as number,
    orderNumber: String(order_number),
    url,
    webhookId,
  };
}

let [first, eu] = [{} as Region, {} as Region];
type Traded = Awaited<ReturnType<typeof trade>>;
let [inFirst, inEu] = [{} as Traded, {} as Traded];

beforeAll(async () => {
  await applyD1Migrations(env.REPLICA_DB, env.MIGRATIONS);
  first = await openRegion(bindingsOf("production", env.DB));
  eu = await openRegion(bindingsOf("production-eu", env.REPLICA_DB, 1));
  expect(await eu.api.refusal("client add", CLIENT)).toMatchObject({ status: 409 });
  await eu.api.run("region begin");
  inFirst = await trade(first, "Tea of the first region");
  inEu = await trade(eu, "Tea of the second region");
});

test("the ids of a region begin once, in an empty database", async () => {
  for (const { api } of [first, eu]) expect((await api.plan("region begin")).will).toBeNull();
  const wrong = await openRegion(bindingsOf("production-eu", env.DB, 1));
  expect(await wrong.api.refusal("region begin")).toMatchObject({ status: 409 });
});

test("no id of a region is given out by the other one", async () => {
  const idsOf = ({ orderId, set, webhookId, list }: Traded) => [
    ...[orderId, Number(set), webhookId, list.products[0].product_id as number],
  ];
  for (const id of idsOf(inFirst)) expect(id).toBeLessThanOrEqual(IDS_PER_REGION);
  for (const id of idsOf(inEu)) expect(id).toBe(IDS_PER_REGION + 1);
  expect([inFirst.orderNumber, inEu.orderNumber]).toEqual(["GO-00001", "GO-100000000001"]);
  const again = await eu.worker.post(inEu.client, "/api/credential", { scope: "read" });
  expect(again.json.credential_id).toBe(IDS_PER_REGION + 2);
});

test.each([
  ["the first region", () => [first, inFirst, inEu] as const],
  ["the second region", () => [eu, inEu, inFirst] as const],
])("%s knows nothing of the other one", async (_, regions) => {
  const [{ worker, bindings }, own, other] = regions();
  const refused = await worker.get(other.client, "/api/products");
  const host = new URL(other.url).origin;
  expect([refused.status, refused.json.code]).toEqual([401, "unauthorized"]);
  expect(refused.json.message).toContain(`send requests to ${host}.`);
  const wrong = await worker.get({ ...own.client, apiPassword: "wrong" }, "/api/products");
  expect([wrong.status, wrong.json.message]).toEqual([
    401,
    expect.not.stringContaining("https://"),
  ]);
  const path = (url: string) => new URL(url).pathname;
  expect((await worker.fetch(path(other.url))).status).toBe(404);
  expect((await worker.fetch(path(own.url))).status).toBe(200);
  for (const [target, body] of [
    [`/api/order?order_id=${String(other.orderId)}`],
    [`/api/webhook?webhook_id=${String(other.webhookId)}`],
    ["/api/order/cancel", { order_id: other.orderId }],
    ["/api/webhook/delete", { webhook_id: other.webhookId }],
    ["/api/credential/revoke", { credential_id: Number(other.set) }],
  ] as const) {
    const answer = body
      ? await worker.post(own.client, target, body)
      : await worker.get(own.client, target);
    expect([target, answer.status]).toEqual([target, 404]);
  }
  // An isolate without memory reads the shared KV.
  const cold = startWorker({ env: bindings });
  expect((await cold.get(other.client, "/api/products")).status).toBe(401);
  expect((await cold.get(own.client, "/api/products")).json).toEqual(own.list);
});

test("a restore of the other region is refused", async () => {
  // The import of an export of the first region, and an export that is too old for the rest of the range.
  const imported = await openRegion(bindingsOf("production-eu", env.DB, 1));
  const input = { restored_to: new Date(Date.now() - 1_000).toISOString() };
  const outOfRange = { status: 409, message: expect.stringContaining("range") as string };
  expect(await imported.api.refusal("restore finish", input)).toMatchObject(outOfRange);
  const used = 2 * IDS_PER_REGION - 1_000;
  const raise = "UPDATE id_sequences SET last_id = ? WHERE name = 'orders'";
  await env.REPLICA_DB.prepare(raise).bind(used).run();
  expect(await eu.api.refusal("restore finish", input)).toMatchObject(outOfRange);
  await env.REPLICA_DB.prepare(raise).bind(IDS_PER_REGION).run();
  expect((await eu.api.plan("restore finish", input)).will).not.toBeNull();
});

/** The tables of a database with the text, which all of its recipients have. */
async function tablesWith(DB: D1Database, text: string): Promise<string[]> {
  const tables =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'";
  const { results } = await DB.prepare(tables).all<{ name: string }>();
  const rows = await DB.batch(results.map(({ name }) => DB.prepare(`SELECT * FROM ${name}`)));
  return results
    .filter((_, index) => JSON.stringify(rows[index]?.results).includes(text))
    .map(({ name }) => name);
}

test("an erasure in both regions leaves nothing, also in the shared namespace", async () => {
  const email = recipients(1)[0]?.email;
  for (const [{ api, worker }, { client, orderId }] of [
    [first, inFirst],
    [eu, inEu],
  ] as const) {
    await worker.post(client, "/api/order/cancel", { order_id: orderId });
    expect((await api.list("recipient export", { email, reason: "17" })).rows).toHaveLength(1);
    expect((await api.run("recipient erase", { email, reason: "17" })).lists).toMatchObject({
      erased: [{ gift: expect.stringMatching(/^GO-/) }],
    });
  }
  for (const DB of [env.DB, env.REPLICA_DB]) expect(await tablesWith(DB, "recipient0")).toEqual([]);
  const { keys } = await env.KV.list();
  const values = await Promise.all(keys.map(({ name }) => env.KV.get(name)));
  expect([keys.length > 3, values.join().includes("recipient0")]).toEqual([true, false]);
});
