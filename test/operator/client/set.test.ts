// The operation `client set`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listClients } from "../../../src/operator/client/queries.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/values/time.ts";
import { openConsole } from "../../console/console.ts";
import {
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
} from "../../support/fixtures.ts";
import { placeGiftLink } from "../../support/orders.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const BRANDING = {
  logo: "/a.svg",
  claimLogo: "/b.svg",
  primaryColor: "#112233",
  secondaryColor: "#445566",
  cover: "/c.jpg",
};

const clientOf = async (id: string) => (await listClients(env.DB, { id }))[0];

const api = await openOperatorApi(["finance"]);

test("changes the given settings, and shows those that differ", async () => {
  const before = await createClient({ supportEmail: "a@acme.example" });
  const [{ clientId: client }, { clientId: other, catalogue }] = [before, await createClient()];
  const unchanged = await clientOf(other);
  const input = {
    client,
    fee: "2.75",
    billing: "credit",
    refund_declined: "no",
    notify_shipped: "no",
    reminder_days: null,
    support_email: "none",
    register: "informal",
    catalogue,
  };
  const { changes, will } = await api.plan("client set", input);
  expect(changes.map((each) => [each.before, each.after]).toSorted()).toEqual(
    [
      [before.catalogue, catalogue],
      ["4 %", "2.75 %"],
      ["yes", "no"],
      ["a@acme.example", null],
      ["7", null],
      ["yes", "no"],
      [null, "informal"],
    ].toSorted(),
  );
  expect(will).toContain(client);
  await api.run("client set", input);
  expect(await clientOf(client)).toMatchObject({
    feeBasisPoints: 275,
    refundDeclined: false,
    notifyShipped: false,
    reminderDays: null,
    supportEmail: null,
    mayCancel: true,
    register: "informal",
    catalogue,
  });
  expect((await api.plan("client set", input)).will).toBeNull();
  expect(await clientOf(other)).toEqual(unchanged);
});

test("changes fields of the branding, and removes it with its last field", async () => {
  const { clientId: client } = await createClient({ branding: BRANDING });
  await api.run("client set", { client, cover: "none", pattern: "off", accent_color: "#0b5fff" });
  const { cover, ...rest } = BRANDING;
  expect(cover).toBe("/c.jpg");
  const after = { ...rest, accentColor: "#0b5fff", pattern: "off" };
  expect((await clientOf(client))?.branding).toEqual(after);
  const needed = { logo: null, claim_logo: null, primary_color: null, secondary_color: null };
  expect((await api.refusal("client set", { client, ...needed })).fields).toEqual(
    Object.keys(needed),
  );
  await api.run("client set", { client, ...needed, pattern: null, accent_color: null });
  expect((await clientOf(client))?.branding).toBeNull();
});

test("shows a gift with the branding for an hour, before it is saved", async () => {
  const { clientId: client } = await createClient({ branding: BRANDING });
  const long = `/${"é".repeat(10)}${"a".repeat(1_900)}`;
  const pictures = { cover: long, preview: long, logo_dark: long, logo: long, claim_logo: long };
  const input = { client, ...pictures, name: "Bloom & Söhne", primary_color: "#0b5fff" };
  const { facts } = await api.plan("client set", input);
  const urls = [facts["gift_page"], facts["invitation"]].map((url) => new URL(url as string));
  const worker = startWorker();
  const later = startWorker({ now: () => Date.now() + HOUR_MS + 1_000 });
  for (const { pathname, search } of urls) {
    expect([pathname.length < 16_000, search]).toEqual([true, ""]);
    const page = await worker.fetch(pathname);
    expect([page.status, page.meter.roundTrips]).toEqual([200, 0]);
    expect(page.headers.get("Content-Security-Policy")).toMatch(/; sandbox allow-same-origin$/);
    expect(page.text).toContain("Bloom &amp; Söhne");
    expect(page.text).toMatch(/#0b5fff/i);
    expect(page.text).not.toMatch(/\/redeem\/\w|<script/);
    for (const [start = "", end = ""] of [
      ["eyJ", "eyK"],
      ["/preview/", "/preview/1"],
      ["/preview/", "/preview/1-"],
    ]) {
      expect((await worker.fetch(pathname.replace(start, end))).status).toBe(404);
    }
    expect((await later.fetch(pathname)).status).toBe(404);
  }
  expect((await clientOf(client))?.branding).toEqual(BRANDING);
  expect((await api.plan("client set", { client, cover: null })).facts["gift_page"]).toBeDefined();
  expect((await api.plan("client set", { client, fee: "3" })).facts).toEqual({});
});

test("warns of the orders whose data a retention period erases", async () => {
  const { product, client } = await openShop();
  const worker = startWorker();
  const { json } = await worker.post(client, "/api/order", orderOf(product));
  await sql(
    "UPDATE orders SET updated_at_ms = ?, cancelled_gifts = qty WHERE id = ?",
    Date.now() - 100 * DAY_MS,
    json.order_data.order_id,
  ).run();
  const plan = (retain_days: number | string) =>
    api.plan("client set", { client: client.clientId, retain_days });
  expect((await plan(90)).warnings).toEqual([expect.stringContaining("1 order ")]);
  expect((await plan(365)).warnings).toEqual([]);
  expect((await plan("none")).warnings).toEqual([]);
});

test("fills its form with the present settings", async () => {
  const { clientId, catalogue } = await createClient({ branding: BRANDING, mayCancel: false });
  const user = await (await openConsole()).signIn("finance");
  const page = await user.get(`/client/set?client=${clientId}`);
  for (const value of [catalogue, "/c.jpg", "#112233", `Company ${clientId}`]) {
    expect(page.html).toContain(`value="${value}"`);
  }
  const plan = await user.submit(page, "Continue", { cover: "", typeface: "serif" });
  await user.submit(plan, "Change the settings");
  const { cover, ...rest } = BRANDING;
  expect(cover).toBe("/c.jpg");
  expect(await clientOf(clientId)).toMatchObject({ mayCancel: false });
  expect((await clientOf(clientId))?.branding).toEqual({ ...rest, typeface: "serif" });
});

test("warns of another currency and a high fee, and names the open gifts", async () => {
  const { product, client } = await openShop(simpleProduct(), { feeBasisPoints: 250 });
  const body = orderOf(product, { recipient_details: recipients(3) });
  await placeGiftLink(startWorker(), client, body);
  const planOf = (input: object) => api.plan("client set", { client: client.clientId, ...input });
  const euros = await createClient({ products: [simpleProduct({ currency: "EUR" })] });
  const foreign = await planOf({ catalogue: euros.catalogue });
  expect(foreign.warnings).toEqual([expect.stringContaining("AUD")]);
  expect(foreign.will).toContain("3 open gifts of 1 order of 1 client; the catalogue lacks");
  const { catalogue } = await createClient({ products: [simpleProduct()] });
  expect((await planOf({ catalogue })).warnings).toEqual([]);
  const warningsOf = async (fee: string) => (await planOf({ fee })).warnings.length;
  expect(await Promise.all(["24.99", "25", "2.5"].map(warningsOf))).toEqual([0, 1, 0]);
});

test("is shown with what was ordered this month, whatever became of it", async () => {
  const { product, client } = await openShop();
  const { order_data: order } = await placeGiftLink(startWorker(), client, orderOf(product));
  await startWorker().post(client, "/api/order/cancel", { order_id: order.order_id });
  const { facts } = await api.view("client show", { client: client.clientId });
  expect(facts).toMatchObject({ orders: 1, ordered: [{ currency: "AUD" }] });
});
