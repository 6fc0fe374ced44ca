// The operation `payment list`.
import { expect, test } from "vitest";
import { openConsole } from "../../console/console.ts";
import { invoicedOrders } from "../../support/invoiced-orders.ts";
import { copyOrder } from "../../support/listed-orders.ts";
import { sql } from "../../support/sql.ts";
import { openOperatorApi } from "../operator-api.ts";

test("lists the unpaid orders of a client or of all by pages, with check boxes for those who may pay", async () => {
  const opened = await openConsole();
  const api = await openOperatorApi(["viewer"], opened);
  const { client, id } = await invoicedOrders();
  const { clientId } = client;
  await copyOrder(id, 60, Date.now(), { status: "'created'" });
  const first = await api.list("payment list", { client: clientId }, { limit: 50 });
  const after = first.next ?? "";
  const second = await api.list("payment list", { client: clientId }, { limit: 50, after });
  const orders = [...first.rows, ...second.rows].map(({ order }) => order);
  expect([first.rows.length, second.rows.length, new Set(orders).size]).toEqual([50, 11, 61]);
  expect(second.next).toBeNull();
  expect(first.rows[0]).toMatchObject({
    client: clientId,
    to_be_paid: { amount: "31.20", currency: "AUD" },
  });
  const all = await api.call("payment list", {}, { limit: "50" });
  expect(all.meter).toMatchObject({ roundTrips: 2, rowsWritten: 0 });
  expect(all.meter.rowsRead).toBeLessThan(300);
  expect(JSON.parse(all.html).text).toMatch(/ orders are unpaid: [\d,.]+ AUD/);
  for (const [role, count] of [
    ["finance", 50],
    ["support", 0],
  ] as const) {
    const page = await (await opened.signIn(role)).get(`/payment/list?client=${clientId}`);
    expect([...page.html.matchAll(/type="checkbox" name="order"/g)]).toHaveLength(count);
    expect(page.html.length).toBeLessThan(60_000);
  }
  await sql("UPDATE orders SET status = 'failed' WHERE client_id = ?", clientId).run();
  await sql("UPDATE orders SET status = 'paid', owed_minor = -3120 WHERE id = ?", id).run();
  const refunds = { client: clientId, show: "to-be-refunded" };
  expect((await api.list("payment list", refunds)).rows).toMatchObject([
    { to_be_paid: null, to_be_refunded: { amount: "31.20", currency: "AUD" } },
  ]);
  expect((await api.list("payment list", { client: clientId })).rows).toEqual([]);
});
