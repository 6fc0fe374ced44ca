// `client list`, `client show`, `client add`, `client suspend` and `client resume`.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { CLIENT_KEY_PREFIX } from "../../../src/features/clients/cache.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { listClients, listClientCredentials } from "../../../src/operator/client/queries.ts";
import { setCreditAlert } from "../../../src/features/credit/adjust-queries.ts";
import { kvKey } from "../../../src/platform/cache/tiered.ts";
import { openConsole } from "../../console/console.ts";
import { formatAmount } from "../../../src/core/values/money.ts";
import {
  createClient,
  createCredentials,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  unique,
} from "../../support/fixtures.ts";
import { accept, decline } from "../../support/gift.ts";
import { placeGiftLink, placeOrder } from "../../support/orders.ts";
import { transition } from "../../support/transition.ts";
import { createWebhook } from "../../support/webhooks.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const api = await openOperatorApi();

const BRANDING = {
  logo: "/a.svg",
  claimLogo: "/b.svg",
  primaryColor: "#112233",
  secondaryColor: "#445566",
};

const actionsOf = async (clientId: string) =>
  (await listAudit(env.DB, { clientId, limit: 9 })).map(({ action }) => action);

describe("client list", () => {
  test("pages through all clients by id, in one read each", async () => {
    const { clientId, catalogue } = await createClient({ feeBasisPoints: 275 });
    const before = (await listClients(env.DB)).map(({ id }) => id);
    const { rows, meters } = await api.all("client list", {}, 7);
    for (const { roundTrips } of meters) expect(roundTrips).toBe(1);
    expect(rows.map(({ client }) => client)).toEqual(before);
    expect(rows.find(({ client }) => client === clientId)).toMatchObject({
      name: `Company ${clientId}`,
      status: "active",
      billing: "credit",
      fee: "2.75",
      catalogue,
      credentials: 1,
    });
  });

  test("finds the clients with an account below its alert", async () => {
    const [low, high] = [await createClient({ creditMinor: 100 }), await createClient()];
    for (const { clientId } of [low, high]) {
      await setCreditAlert(env.DB, { clientId, currency: "AUD", belowMinor: 5_000 });
    }
    const { rows } = await api.list("client list", { low_credit: true }, { limit: 1_000 });
    const shown = rows.map(({ client }) => client);
    expect([low, high].map(({ clientId }) => shown.includes(clientId))).toEqual([true, false]);
  });
});

describe("client show", () => {
  test("has the settings, credit, credential sets and endpoints, without secrets", async () => {
    const client = await createClient({ branding: BRANDING, retainDays: 90, creditMinor: 12_345 });
    const { clientId } = client;
    const [set] = await listClientCredentials(env.DB, clientId);
    const second = await createCredentials(clientId);
    await api.run("credential revoke", { client: clientId, set: set?.id, reason: "Leaked" });
    const url = "https://partner.example/hook?token=secret";
    const { webhook_id: webhook } = await createWebhook(
      startWorker(),
      { ...client, ...second },
      { url },
    );
    const { html, meter } = await api.call("client show", { client: clientId });
    expect(meter.roundTrips).toBe(4);
    expect(html).not.toContain("token");
    const { facts, lists, actions } = JSON.parse(html);
    expect(facts).toMatchObject({
      name: `Company ${clientId}`,
      status: "active",
      retain_days: 90,
      primary_color: "#112233",
      claim_logo: "/b.svg",
    });
    expect(facts).not.toHaveProperty("cover");
    expect(lists.accounts).toContainEqual({
      currency: "AUD",
      balance: { amount: "123.45", currency: "AUD" },
    });
    expect(lists.credentials).toMatchObject([{ scope: "admin" }]);
    expect(lists.revoked).toMatchObject([{ set: set?.id, revoked: expect.any(String) }]);
    expect(lists.webhooks).toMatchObject([
      { webhook, address: "https://partner.example/…", status: "enabled" },
    ]);
    expect(actions).toContain("client suspend");
  });
});

test("client show has what the client has, owes and has ordered", async () => {
  const worker = startWorker();
  const product = simpleProduct();
  const credit = await createClient({ products: [product], creditMinor: 100_000 });
  const invoiced = await createClient({
    billing: "invoice",
    catalogueId: credit.catalogueId,
    feeBasisPoints: 0,
  });
  const details = (qty: number) => orderOf(product, { recipient_details: recipients(qty) });
  const { order_data, recipient_return } = await placeGiftLink(worker, credit, details(4));
  const total = await env.DB.prepare("SELECT order_total_minor AS n FROM orders WHERE id = ?")
    .bind(order_data.order_id)
    .first<number>("n");
  await accept(worker, new URL(recipient_return[0]?.gift_url ?? "").pathname);
  await placeGiftLink(worker, invoiced, details(2));
  await placeOrder(worker, invoiced, orderOf(product));
  const shown = async ({ clientId }: TestClient) => {
    const { html, meter } = await api.call("client show", { client: clientId });
    expect(meter.roundTrips).toBe(4);
    expect(meter.rowsRead).toBeLessThan(60);
    return JSON.parse(html).facts;
  };
  const aud = (minor: number) => [{ amount: formatAmount(minor, "AUD"), currency: "AUD" }];
  const first = await shown(credit);
  expect(first).toMatchObject({
    orders: 1,
    ordered: aud(Number(total)),
    balance: expect.arrayContaining(aud(100_000 - Number(total))),
    open_gifts: aud((Number(total) * 3) / 4),
  });
  expect(first).not.toHaveProperty("owed");
  // Each gift costs 25.00, and its shipping 5.00.
  expect(await shown(invoiced)).toMatchObject({ orders: 2, owed: aud(9_000), ordered: aud(9_000) });
});

test("client show has the same amount of open gifts as the report, also with closed and unpaid ones", async () => {
  const worker = startWorker();
  const product = simpleProduct();
  for (const billing of ["credit", "invoice"] as const) {
    const client = await createClient({ products: [product], billing });
    const order = () => orderOf(product, { recipient_details: recipients(2) });
    const { order_data, recipient_return } = await placeGiftLink(worker, client, order());
    if (billing === "invoice") await transition(env.DB, order_data.order_id, "pay", Date.now());
    await decline(worker, new URL(recipient_return[0]?.gift_url ?? "").pathname);
    await placeGiftLink(worker, client, order());
    const { facts } = await api.view("client show", { client: client.clientId });
    const { lists } = await api.view("report", { client: client.clientId });
    const sum = { amount: "124.80", currency: "AUD" };
    expect([facts["open_gifts"], lists["groups"]?.[0]?.["outstanding"]]).toEqual([[sum], sum]);
  }
});

describe("client add", () => {
  const input = async () => ({
    client_id: `added-${String(unique())}`,
    name: "Acme Ltd",
    billing: "credit",
    currency: "AUD",
    catalogue: (await createClient()).catalogue,
  });

  test("adds a client with defaults, whose id is then taken", async () => {
    const added = await input();
    const { client_id: id, catalogue } = added;
    const plan = await api.plan("client add", added);
    expect(plan.changes).toContainEqual({ label: "Company name", before: null, after: "Acme Ltd" });
    expect((await api.run("client add", added)).facts).toEqual({ client: id });
    expect(await listClients(env.DB, { id })).toMatchObject([
      {
        name: "Acme Ltd",
        feeBasisPoints: 400,
        catalogue,
        branding: null,
        mayCancel: true,
        reminderDays: 7,
        retainDays: null,
        activeCredentials: 0,
      },
    ]);
    expect(await api.refusal("client add", added)).toMatchObject({ status: 409 });
  });

  test("takes all settings, and names those that are not valid", async () => {
    const added = await input();
    const settings = {
      fee: "2.5",
      may_cancel: "no",
      reminder_days: "none",
      register: "informal",
      logo: "/a.svg",
      claim_logo: "/b.svg",
      primary_color: "#112233",
      secondary_color: "#445566",
    };
    const refused = async (changes: object) =>
      (await api.refusal("client add", { ...added, ...changes })).fields;
    expect(await refused({ catalogue: "none such" })).toEqual(["catalogue"]);
    expect(await refused({ pattern: "off" })).toEqual([
      ...["logo", "claim_logo", "primary_color", "secondary_color"],
    ]);
    expect(await refused({ client_id: "Acme", fee: "4.125" })).toEqual(["client_id", "fee"]);
    await api.run("client add", { ...added, ...settings });
    expect(await listClients(env.DB, { id: added.client_id })).toMatchObject([
      {
        feeBasisPoints: 250,
        mayCancel: false,
        reminderDays: null,
        register: "informal",
        branding: BRANDING,
      },
    ]);
  });

  test("of two requests at once, one adds the client", async () => {
    const added = await input();
    const answers = await api.confirmTwice("client add", added);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(await actionsOf(added.client_id)).toEqual(["client add"]);
  });
});

describe("client suspend and client resume", () => {
  test("change the status once, and delete the cached record", async () => {
    const { clientId: client } = await createClient();
    const key = kvKey(env, CLIENT_KEY_PREFIX + client);
    await env.KV.put(key, "cached");
    expect((await api.plan("client resume", { client })).will).toBeNull();
    expect((await api.plan("client suspend", { client })).will).toContain("0 open gifts");
    await api.run("client suspend", { client });
    expect(await env.KV.get(key)).toBeNull();
    expect((await api.plan("client suspend", { client })).will).toBeNull();
    const { facts, actions } = await api.view("client show", { client });
    expect([facts["status"], actions]).toEqual([
      "suspended",
      expect.arrayContaining(["client resume"]),
    ]);
    await api.run("client resume", { client });
    expect(await actionsOf(client)).toEqual(["client resume", "client suspend"]);
  });

  test("are carried out with a warning if KV cannot be reached", async () => {
    const { clientId: client } = await createClient({ status: "suspended" });
    const KV = { delete: () => Promise.reject(new Error("unreachable")) } as unknown as KVNamespace;
    const offline = await openOperatorApi(["engineer"], await openConsole({ env: { KV } }));
    expect((await offline.run("client resume", { client })).warnings).toHaveLength(1);
    expect(await listClients(env.DB, { id: client })).toMatchObject([{ status: "active" }]);
  });
});

test("credential sets are listed with active ones oldest first, then revoked ones", async () => {
  const { clientId } = await createClient();
  for (let n = 0; n < 2; n++) await createCredentials(clientId);
  const [first, second, third] = await listClientCredentials(env.DB, clientId);
  await api.run("credential revoke", { client: clientId, set: first?.id, reason: "Leaked" });
  expect((await listClientCredentials(env.DB, clientId)).map(({ id }) => id)).toEqual([
    ...[second?.id, third?.id, first?.id],
  ]);
});
