// The report for operators.
import { beforeAll, expect, test } from "vitest";
import type { JsonValue } from "../../../src/operator/declaration/kinds.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { openConsole, type TestConsole } from "../../console/console.ts";
import { openShop, orderOf, recipients } from "../../support/fixtures.ts";
import { placeOrder } from "../../support/orders.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi, type OperatorApi } from "../operator-api.ts";

let opened: TestConsole;
let api: OperatorApi;

beforeAll(async () => {
  opened = await openConsole();
  api = await openOperatorApi(["finance"], opened);
});

const placedBy = async (qty: number) => {
  const { product, client } = await openShop();
  await placeOrder(startWorker(), client, orderOf(product, { recipient_details: recipients(qty) }));
  return client.clientId;
};

const giftsOf = (rows: readonly Record<string, JsonValue>[] = []) =>
  rows.reduce((sum, { gifts }) => sum + Number(gifts), 0);

test("has the orders of a client, or of all", async () => {
  const [first] = [await placedBy(2), await placedBy(3)];
  const { lists } = await api.view("report", { client: first });
  expect(lists["groups"]).toMatchObject([
    { orders: 1, gifts: 2, spent: { amount: "62.40", currency: "AUD" } },
  ]);
  expect(lists["funnel"]?.[0]).toEqual({ step: "Ordered", gifts: 2 });
  const all = await api.view("report", { group_by: "product" });
  expect(giftsOf(all.lists["groups"])).toBeGreaterThanOrEqual(5);
  const from = new Date(Date.now() - 400 * DAY_MS).toISOString();
  expect((await api.refusal("report", { from })).fields).toEqual(["to"]);
});

test("is drawn as bars that the table below repeats", async () => {
  const client = await placedBy(2);
  const user = await opened.signIn("finance");
  const { html, text, meter } = await user.get(`/report?client=${client}`);
  expect(meter.roundTrips).toBeLessThanOrEqual(2);
  expect(html).toContain('<svg class="bars" role="img" aria-label="What became of the gifts"');
  expect(html).toContain('width="44%"');
  expect(text).toContain("Ordered 2");
});
