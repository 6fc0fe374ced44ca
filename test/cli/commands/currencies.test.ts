// Amounts of commands in currencies without two decimals: credit, payments, statements and the audit log.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { json, refusal, runOps } from "../ops.ts";
import { platform, publishSeed, usePlatform } from "../platform.ts";
import { storeInvoicedOrder } from "../stored-orders.ts";

const { folder } = usePlatform();
const NOW_MS = Date.now();
const MONTH = new Date(NOW_MS).toISOString().slice(0, 7);

/** Per currency: an amount of credit, how it is shown, and one with too many decimals. */
const CURRENCIES = [
  ["JPY", "1234567", "¥1,234,567", "12.5", 0],
  ["KWD", "1234567.891", "KWD 1,234,567.891", "12.5001", 3],
  ["CLF", "12345.6789", "CLF 12,345.6789", "0.00001", 4],
] as const;

beforeAll(async () => {
  await publishSeed();
  for (const [currency] of CURRENCIES) {
    const id = currency.toLowerCase();
    await json(`client add ${id} --name A --billing invoice --currency ${currency}`);
  }
  const columns = { subtotal_minor: 3_002, order_fee_minor: 1, order_total_minor: 3_003, qty: 2 };
  for (const [index, [currency]] of CURRENCIES.entries()) {
    const order = { id: 41 + index, client_id: currency.toLowerCase(), currency };
    const price = { ...columns, product_price_minor: 1_501, created_at_ms: NOW_MS };
    await storeInvoicedOrder(platform.env.DB, { ...order, ...price }, [{}, {}]);
  }
}, 120_000);

test.each(CURRENCIES)(
  "credit and its statement in %s",
  async (currency, amount, formatted, wrong, decimals) => {
    const client = currency.toLowerCase();
    const rule =
      decimals === 4 ? "such as" : `in ${currency}, which has ${String(decimals)} decimals`;
    const message = `<amount> must be an amount ${rule}`;
    await refusal(2, message, `credit add ${client} ${wrong} --reference W`);
    const { out } = await runOps(`credit add ${client} ${amount} --reference A`);
    expect(out.replaceAll("\u00a0", " ")).toContain(
      `Booked ${amount} ${currency}. The balance of ${client} is ${formatted}.\n`,
    );
    expect((await runOps(`credit ledger ${client}`)).out).toMatch(
      new RegExp(` adjustment +${amount} +${amount} +A `),
    );
    expect((await runOps(`audit list --client ${client}`)).out).toContain(`balance: ${amount}`);
    await refusal(2, "--below must", `credit alert ${client} --below ${wrong}`);

    const statement = async (format: string) =>
      (await runOps(`statement ${client} --month ${MONTH} --format ${format}`)).out;
    expect(await statement("csv")).toMatch(new RegExp(`,closing_balance,.*,${amount},,,`));
    expect(JSON.parse(await statement("json"))).toMatchObject({
      accounts: [{ currency, closingMinor: Number(amount.replace(".", "")) }],
      invoiced: [{ currency, totals: { orders: { amountMinor: 3_003 }, feesMinor: 1 } }],
    });
  },
);

test("payments of a file have the decimals of their orders", async () => {
  const file = path.join(folder, "payments.csv");
  const pay = (...rows: string[]) => {
    writeFileSync(file, ["order_number,amount,currency", ...rows].join("\n"));
    return runOps("order", "pay", "--file", file);
  };
  const refused = await pay("GO-00041,30.03,JPY", "GO-00042,3003,KWD", "GO-00043,0.3,CLF");
  expect(refused.code).toBe(1);
  for (const reason of [
    "must be an amount in JPY, which has 0 decimals: 30.03",
    "owes 3.003, not 3003.000 KWD",
    "owes 0.3003, not 0.3000 CLF",
  ]) {
    expect(refused.out).toContain(reason);
  }
  const paid = await pay("GO-00041,3003,JPY", "GO-00042,3.003,KWD", "GO-00043,0.3003,");
  expect([paid.code, paid.err]).toEqual([0, expect.not.stringContaining("error")]);
  for (const amount of ["3003 JPY", "3.003 KWD", "0.3003 CLF"]) expect(paid.out).toContain(amount);
});
