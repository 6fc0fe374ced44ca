// The operation `order list`.
import { expect, test } from "vitest";
import { orderNumber } from "../../../src/core/values/ids.ts";
import { openShop } from "../../support/fixtures.ts";
import { copyOrder, importListed } from "../../support/listed-orders.ts";
import { openConsole } from "../../console/console.ts";
import { openOperatorApi } from "../operator-api.ts";

/** A client with `count` orders, each a second after the one before. */
async function newOrders(count: number, columns: Record<string, string> = {}) {
  const { client, product } = await openShop();
  const id = await importListed(client, product, {
    reference: "<b>PO</b>",
    status: "paid",
    method: "api-purchase",
    createdAtMs: 1_000,
    gifts: [null],
  });
  await copyOrder(id, count - 1, 2_000, columns);
  return { client: client.clientId, id };
}

test("lists orders by pages, newest first, in one round trip each", async () => {
  const opened = await openConsole();
  const api = await openOperatorApi(["viewer"], opened);
  const { client, id } = await newOrders(60);
  const first = await api.list("order list", { client }, { limit: 50 });
  const after = first.next ?? "";
  const second = await api.list("order list", { client }, { limit: 50, after });
  const orders = [...first.rows, ...second.rows].map(({ order }) => order);
  expect([first.rows.length, second.next, new Set(orders).size]).toEqual([50, null, 60]);
  expect(orders.at(-1)).toBe(orderNumber(id));
  const page = await (await opened.signIn("viewer")).get(`/order/list?client=${client}`);
  expect(page.meter.roundTrips).toBe(1);
  expect(page.html.length).toBeLessThan(60_000);
  const query = new URLSearchParams({ client, after }).toString();
  const last = await (await opened.signIn("viewer")).get(`/order/list?${query}`);
  expect(last.text).toContain("<b>PO</b>");
});

test("filters orders by status, method and time, also those of all clients", async () => {
  const api = await openOperatorApi(["viewer"]);
  const day = Date.UTC(2031, 0, 1);
  const { client, id } = await newOrders(4, {
    status: "iif(n = 1, 'failed', 'paid')",
    created_at_ms: `${String(day)} + n`,
  });
  const of = async (input: object) =>
    (await api.list("order list", { ...input })).rows.map(({ order }) => order);
  const numbers = [0, 1, 2, 3].map((n) => orderNumber(id + n));
  expect(await of({ client, status: "failed" })).toEqual([numbers[1]]);
  expect(await of({ client, method: "api-giftlink" })).toEqual([]);
  expect(await of({ client, until: "2031-01-01" })).toEqual([numbers[0]]);
  const period = { since: "2031-01-01", until: "2031-01-02", status: "paid" };
  expect(await of(period)).toEqual([numbers[3], numbers[2]]);
  expect(await of({ since: "2041-01-01" })).toEqual([]);
  expect(await api.refusal("order list", { since: "May" })).toMatchObject({ fields: ["since"] });
});
