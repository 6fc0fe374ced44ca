// The lists of orders.
import { beforeAll, expect, test } from "vitest";
import { orderNumber } from "../../src/core/values/ids.ts";
import { type ConsolePage, openConsole, type TestConsole } from "./console.ts";
import { openShop } from "../support/fixtures.ts";
import { copyOrder, importListed } from "../support/listed-orders.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole();
});

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
  return { clientId: client.clientId, id };
}

const numbersIn = ({ html }: ConsolePage) =>
  [...html.matchAll(/<a href="\/orders\/(GO-\d+)">/g)].map(([, number = ""]) => number);

const nextOf = ({ html }: ConsolePage) =>
  /<a rel="next" href="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");

test("orders have pages, newest first, in one round trip each", async () => {
  const { clientId, id } = await newOrders(60);
  const user = await testConsole.signIn("viewer");
  const first = await user.get(`/orders?client=${clientId}`);
  expect(first.meter.roundTrips).toBe(1);
  expect(first.html.length).toBeLessThan(60_000);
  expect(numbersIn(first)).toHaveLength(50);
  const second = await user.get(`/orders${nextOf(first) ?? ""}`);
  expect(numbersIn(second)).toHaveLength(10);
  expect(numbersIn(second).at(-1)).toBe(orderNumber(id));
  expect(nextOf(second)).toBeUndefined();
  expect(second.text).toContain("<b>PO</b>");
  expect(new Set([...numbersIn(first), ...numbersIn(second)]).size).toBe(60);
});

test("orders are filtered by status, method and time, also those of all clients", async () => {
  const day = Date.UTC(2031, 0, 1);
  const { clientId, id } = await newOrders(4, {
    status: "iif(n = 1, 'failed', 'paid')",
    created_at_ms: `${String(day)} + n`,
  });
  const user = await testConsole.signIn("viewer");
  const of = async (query: string) => numbersIn(await user.get(`/orders?${query}`));
  const numbers = [1, 2, 3].map((n) => orderNumber(id + n));
  expect(await of(`client=${clientId}&status=failed`)).toEqual([numbers[0]]);
  expect(await of(`client=${clientId}&method=api-giftlink`)).toEqual([]);
  expect(await of(`client=${clientId}&until=2031-01-01`)).toEqual([orderNumber(id)]);
  const page = await user.get("/orders?since=2031-01-01&until=2031-01-02&status=paid");
  expect(numbersIn(page)).toEqual([numbers[2], numbers[1]]);
  expect(page.meter.roundTrips).toBe(1);
  expect(await of("since=2041-01-01")).toEqual([]);
});
