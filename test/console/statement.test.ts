// The page of a statement, on screen and to print.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { orderNumber } from "../../src/core/values/ids.ts";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { orderOf, simpleProduct, openShop } from "../support/fixtures.ts";
import { placeOrder } from "../support/orders.ts";
import { transition } from "../support/transition.ts";
import { startWorker } from "../support/worker.ts";
import { type ConsoleUser, openConsole } from "./console.ts";

let user: ConsoleUser;

beforeAll(async () => {
  user = await (await openConsole()).signIn("finance");
});

const thisMonth = new Date().toISOString().slice(0, 7);

test("shows balances, totals and entries of credit in three reads and at most 60 KB", async () => {
  const { product, client } = await openShop(simpleProduct(), { creditMinor: 100_000 });
  const { clientId } = client;
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product));
  for (let n = 1; n <= 70; n++) {
    await adjustCredit(env.DB, {
      clientId,
      currency: n % 2 ? "USD" : "AUD",
      amountMinor: 100,
      nowMs: Date.now(),
      reference: `<b>INV ${String(n)}</b>`,
      note: null,
    });
  }
  const page = await user.get(`/statement?client=${clientId}`);
  expect(page.meter.roundTrips).toBe(3);
  expect(new TextEncoder().encode(page.html).byteLength).toBeLessThan(60_000);
  for (const text of [
    `Statement ${thisMonth} of Company ${clientId}`,
    "Provisional",
    "Opening balance 0.00 AUD Top-ups 1,035.00 AUD Paid for orders -31.20 AUD",
    "Fees, contained in the orders 1.20 AUD Closing balance 1,003.80 AUD",
    orderNumber(order_data.order_id),
    "<b>INV 2</b>",
    "not shown: 7.",
  ]) {
    expect(page.text).toContain(text);
  }
  expect(page.html).not.toContain("<b>INV");
  expect(page.text).not.toContain("INV 70");
  const [, all = ""] = /href="(\/statement\?[^"]+)"/.exec(page.html) ?? [];
  expect((await user.get(all.replaceAll("&amp;", "&"))).text).toContain("INV 70");
});

test("shows the orders on invoice, and has a link to the entries as CSV", async () => {
  const { product, client } = await openShop(simpleProduct(), { billing: "invoice" });
  const order = await placeOrder(startWorker(), client, orderOf(product));
  await transition(env.DB, order.order_data.order_id, "pay", Date.now());
  const page = await user.get(`/statement?client=${client.clientId}&month=${thisMonth}`);
  expect(page.text).toContain("Orders on invoice in AUD");
  expect(page.text).toContain("Orders 31.20 AUD Payments -31.20 AUD");
  const [, csv = ""] = /href="(\/statement\/entries[^"]+)"/.exec(page.html) ?? [];
  const file = await user.get(csv.replaceAll("&amp;", "&"));
  expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(file.html).toContain(`\r\n${client.clientId},${thisMonth},AUD,invoice_payment`);
});
