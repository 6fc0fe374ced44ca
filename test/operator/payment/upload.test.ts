// The operation `payment upload`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { entriesOf, invoicedOrders, lastChange } from "../../support/invoiced-orders.ts";
import { createClient, orderOf, simpleProduct } from "../../support/fixtures.ts";
import { placeOrder } from "../../support/orders.ts";
import { startWorker } from "../../support/worker.ts";
import { transition } from "../../support/transition.ts";
import { openConsole } from "../../console/console.ts";
import { openOperatorApi } from "../operator-api.ts";

const fileOf = (...rows: string[]) => new File([rows.join("\n")], "payments.csv");

const api = await openOperatorApi(["finance"]);

test("pays the orders of a file, each with its reference, and leaves paid ones unchanged", async () => {
  const { client, orders } = await invoicedOrders(3);
  const [one, two, three] = orders;
  if (!one || !two || !three) throw new Error("there are three orders");
  await api.run("order pay", { order: [one.number], reference: "Earlier" });
  const file = fileOf(
    "Order number;Client ID;order_ref_id;Amount;Currency;Bank reference;Skonto;Leer",
    `${one.number.toLowerCase()};;;31.20;;T-1;2.00`,
    `;${client.clientId};${two.reference};31.2;aud;T-2`,
    `${three.number.replace("-", " ")};;;31.20;;`,
  );
  const input = { file, reference: "Day 4" };
  expect((await api.plan("payment upload", input)).warnings).toEqual([
    "Columns that are not read: Skonto.",
  ]);
  const done = await api.run("payment upload", input);
  expect(done.hasProblems).toBeUndefined();
  expect(done.lists["payments"]).toMatchObject([
    { row: 3, order: two.number, result: "paid", reference: "T-2" },
    { row: 4, order: three.number, result: "paid", reference: "Day 4" },
    { row: 2, order: one.number, result: "unchanged", amount: null },
  ]);
  expect((await entriesOf(client.clientId)).slice(-3)).toEqual([
    ["payment", -3_120, "Earlier"],
    ["payment", -3_120, "T-2"],
    ["payment", -3_120, "Day 4"],
  ]);
  expect(await lastChange(two.id)).toMatchObject({ action: "payment upload", reason: "T-2" });
  expect((await api.plan("payment upload", input)).will).toBeNull();
});

test("rows can be pasted, and are corrected on the page of the report", async () => {
  const { orders } = await invoicedOrders(1);
  const [one] = orders;
  const user = await (await openConsole()).signIn("finance");
  const form = await user.get("/payment/upload");
  const pasted = (amount: string) => `order_number\tamount\n${one?.number ?? ""}\t${amount}`;
  const report = await user.submit(form, "Continue", { rows: pasted("19.99") });
  expect(report.text).toContain("owes 31.20 AUD, not 19.99 AUD");
  const plan = await user.submit(report, "Continue", { rows: pasted("31.20") });
  const done = await user.submit(plan, "Upload payments");
  expect(done.text).toContain("1 order is paid");
  const uploaded = { file: fileOf(pasted("31.20")), rows: "" };
  const paid = await user.submit(form, "Continue", uploaded);
  // The file is kept on the page of its report.
  const again = await user.submit(paid, "Continue", { file: null });
  expect(again.text).toContain("is paid already");
  const both = { file: fileOf("order_number"), rows: "order_number" };
  expect(await api.refusal("payment upload", both)).toMatchObject({ status: 400 });
});

test("names each row that cannot be paid, and then pays none", async () => {
  const { client, orders } = await invoicedOrders(4);
  const [one = "", two = "", three = "", four = ""] = orders.map(({ number }) => number);
  await transition(env.DB, orders[1]?.id ?? 0, "fail", Date.now());
  const file = fileOf(
    "order_number,client_id,order_ref_id,amount,currency,reference",
    ...[`${one},,,31.20,AUD,T-1`, `${two},,,1,,`, `${three},,,19.99,,`, `${four},,,31.20,USD,`],
    ...["GO-99000399,,,1,,", "x,,,1,,", `,,${orders[0]?.reference ?? ""},1,,`, ",,,1,,T"],
    ...[`${one},,,1,,`, `,${client.clientId},PO-0,1,,`, `${four},,,1e3,,`],
    ...[`${four},,,1,,${"r".repeat(101)}`, "1.23E+15,,,1,,", `${four},,,,,`],
  );
  const plan = await api.plan("payment upload", { file });
  expect(plan).toMatchObject({ will: null, hasProblems: true });
  expect(plan.lists["problems"]?.map(({ row, reason }) => [row, reason])).toEqual([
    [3, "has failed"],
    [4, "owes 31.20 AUD, not 19.99 AUD"],
    [5, "is in AUD, not in USD"],
    [6, "does not exist"],
    [7, "must have an order number such as GO-00042: x"],
    [8, "has an order_ref_id and no client_id"],
    [9, "has no order"],
    [10, "is also in row 2"],
    [11, "does not exist"],
    [12, "must have an amount such as 1027.50: 1e3"],
    [13, "has a reference of more than 100 characters"],
    [14, expect.stringContaining("has a cell that was changed into a number by a spreadsheet")],
    [15, "has no amount"],
  ]);
  await api.confirm("payment upload", { file });
  expect((await entriesOf(client.clientId)).map(([kind]) => kind)).not.toContain("payment");
});

test.each([
  ["JPY", 3_003, "3003", "30.03"],
  ["KWD", 3_003, "3.003", "3.0030"],
  ["CLF", 3_003, "0.3003", "0.3"],
] as const)("has the decimals of %s", async (currency, priceMinor, amount, wrong) => {
  const product = simpleProduct({ currency, priceMinor, shippingMinor: 0 });
  const products = [product];
  const client = await createClient({ products, billing: "invoice", feeBasisPoints: 0 });
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product));
  const fileWith = (given: string) =>
    fileOf("order_number,amount,currency", `${order_data.order_number},${given},${currency}`);
  const plan = await api.plan("payment upload", { file: fileWith(wrong) });
  expect(plan.lists["problems"]).toHaveLength(1);
  const done = await api.run("payment upload", { file: fileWith(amount) });
  expect(done.lists["payments"]).toMatchObject([{ amount: { amount, currency } }]);
});

test("repeats only the beginning of long cells", async () => {
  const long = "y".repeat(10_000);
  const file = fileOf("order,text,amount", `${long},,1`, `,${long},1`, `${long},${long},-1`);
  const plan = await api.plan("payment upload", { file });
  expect(plan.lists["problems"]).toHaveLength(2);
  expect(JSON.stringify(plan).length).toBeLessThan(5_000);
});

test("takes bare numbers for ids only in a column order_id", async () => {
  const { orders } = await invoicedOrders(1);
  const id = String(orders[0]?.id);
  const counted = await api.plan("payment upload", { file: fileOf("Order,Amount", `${id},31.20`) });
  expect(counted).toMatchObject({ will: null, hasProblems: true });
  const file = fileOf("Order ID,Amount", `${id},31.20`);
  expect((await api.run("payment upload", { file })).lists["payments"]).toHaveLength(1);
});

test("reads the file of a bank, with lines before the header and texts that name the order", async () => {
  const { order, number } = await largeOrder();
  const file = fileOf(
    '"Umsatzanzeige";"DE02120300000000202051"',
    "",
    "Buchungstag;Valuta;Auftraggeber;Verwendungszweck;Betrag (EUR);Währung",
    `02.05.2026;02.05.2026;Nordwind GmbH;"Rechnung ${number}, danke";1.031,20;AUD`,
    "03.05.2026;03.05.2026;Stadtwerke;Abschlag Strom;-87,15;AUD",
  );
  const plan = await api.plan("payment upload", { file });
  expect(plan.lists["payments"]).toMatchObject([{ order: number, amount: { amount: "1031.20" } }]);
  await api.run("payment upload", { file });
  const row = env.DB.prepare("SELECT status FROM orders WHERE id = ?").bind(order);
  expect(await row.first()).toEqual({ status: "paid" });
});

test("asks for the columns of an unknown file once, and refuses a row with two orders", async () => {
  const [one, two] = [await largeOrder(), await largeOrder()];
  const rows = (order: string) =>
    fileOf("Tag|Was|Wieviel".replaceAll("|", ";"), `1;${order};1031,20`);
  const unknown = await api.refusal("payment upload", { file: rows(one.number) });
  expect(unknown.message).toContain("Its columns are: Tag, Was, Wieviel");
  for (const columns of [["was"], ["order=Was"], ["=Was"]]) {
    const refused = await api.refusal("payment upload", { file: rows(one.number), columns });
    expect(refused.fields).toEqual(["columns"]);
  }
  const columns = ["text=Was", "amount=Wieviel"];
  await api.run("payment upload", { file: rows(one.number), columns });
  const both = await api.plan("payment upload", { file: rows(`${one.number} ${two.number}`) });
  expect(both.lists["problems"]).toMatchObject([
    { reason: expect.stringContaining("names several orders") as string },
  ]);
  const later = await api.run("payment upload", { file: rows(two.number) });
  expect(later.lists["payments"]).toHaveLength(1);
});

/** An order of 1,031.20 AUD. */
async function largeOrder() {
  const product = simpleProduct({ priceMinor: 103_120, shippingMinor: 0 });
  const products = [product];
  const client = await createClient({ products, billing: "invoice", feeBasisPoints: 0 });
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product));
  return { order: order_data.order_id, number: order_data.order_number };
}

test("lists money that has left, and money without an order, and records neither", async () => {
  const { client, orders } = await invoicedOrders(2);
  const [one = "", two = ""] = orders.map(({ number }) => number);
  const file = fileOf(
    "Text,Paid in,Paid out",
    ...[`Refund ${one},,31.20`, `Fee for ${two},,3.50`, `Thanks ${two},31.20,`],
    ...["Rent,,900.00", "GO 24 gym,24.00,"],
  );
  const plan = await api.plan("payment upload", { file });
  expect(plan.lists["debits"]).toMatchObject([
    { row: 2, text: `Refund ${one}`, amount: "31.20" },
    { row: 3, amount: "3.50" },
  ]);
  expect(plan.lists["unnamed"]).toMatchObject([{ row: 6, text: "GO 24 gym", amount: "24.00" }]);
  const done = await api.run("payment upload", { file });
  expect(done.lists["payments"]).toMatchObject([{ order: two, result: "paid" }]);
  const kinds = (await entriesOf(client.clientId)).map(([kind]) => kind);
  expect(kinds.filter((kind) => kind === "payment")).toHaveLength(1);
});

test("does not pay an order in AUD with a row in EUR", async () => {
  const { orders } = await invoicedOrders(1);
  const file = fileOf("Text,Amount", `Thanks ${orders[0]?.number ?? ""},€31.20`);
  const plan = await api.plan("payment upload", { file });
  expect(plan.lists["problems"]).toMatchObject([{ reason: "is in AUD, not in EUR" }]);
});

const NO_AMOUNT = "order_number\nGO-00042";

test.each([["order_number"], ["a,b\n1,2"], ["client_id,amount\nx,1"], ["\u0000"], [NO_AMOUNT]])(
  "refuses the file %j",
  async (text) => {
    const answer = await api.refusal("payment upload", { file: fileOf(text) });
    expect(answer).toMatchObject({ status: 400, fields: ["file"] });
  },
);
