// The operation `payment upload`.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { payOrders } from "../../../src/features/lifecycle/payment-queries.ts";
import { entriesOf, invoicedOrders, lastChange, stateOf } from "../../support/invoiced-orders.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  orderOf,
  simpleProduct,
  unique,
} from "../../support/fixtures.ts";
import { runs } from "../../support/runs.ts";
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
  await api.run("order pay", { order: [one.number], reference: "T-1" });
  const file = fileOf(
    "Order number;Client ID;order_ref_id;Amount;Currency;Bank reference;Box;Leer",
    `${one.number.toLowerCase()};;;31.20;;T-1;N1`,
    `;${client.clientId};${two.reference};31.2;aud;T-2;N2`,
    `${three.number.replace("-", " ")};;;31.20;;;N3`,
  );
  const input = { file, reference: "Day 4" };
  expect((await api.plan("payment upload", input)).warnings).toEqual([
    "Columns that are not read: Box.",
  ]);
  const done = await api.run("payment upload", input);
  expect(done.hasProblems).toBeUndefined();
  expect(done.lists["payments"]).toMatchObject([
    { row: 3, order: two.number, result: "paid", reference: "T-2" },
    { row: 4, order: three.number, result: "paid", reference: "Day 4" },
    { row: 2, order: one.number, result: "unchanged", amount: null },
  ]);
  expect((await entriesOf(client.clientId)).slice(-3)).toEqual([
    ["payment", -3_120, "T-1"],
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

test("leaves out each row that cannot be paid, and pays the others", async () => {
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
  expect(plan).toMatchObject({ will: expect.stringContaining(one) as string, hasProblems: true });
  expect(plan.lists["problems"]?.map(({ row, reason }) => [row, reason])).toEqual([
    [3, "has failed"],
    [4, "owes 31.20 AUD, not 19.99 AUD"],
    [5, "is in AUD, not in USD"],
    [6, "does not exist"],
    [7, "must have an order number such as GO-00042: x"],
    [8, "has an order_ref_id and no client_id"],
    [11, "does not exist"],
    [12, "must have an amount such as 1027.50: 1e3"],
    [13, "has a reference of more than 100 characters"],
    [14, expect.stringContaining("has a cell that was changed into a number by a spreadsheet")],
    [15, "has no amount"],
  ]);
  const done = await api.run("payment upload", { file });
  expect(done).toMatchObject({ hasProblems: true, lists: { problems: plan.lists["problems"] } });
  const entries = await entriesOf(client.clientId);
  expect(entries.filter(([kind]) => kind === "payment")).toEqual([["payment", -3_120, "T-1"]]);
});

test.each([
  ["JPY", 3_003, "3003", "30.03"],
  ["KWD", 3_003, "3.003", "3.0030"],
  ["TND", 12_500, '"12,500"', "12.55"],
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
  const shown = amount.replace('"12,500"', "12.500");
  expect(done.lists["payments"]).toMatchObject([{ amount: { amount: shown, currency } }]);
});

test("repeats only the beginning of long cells", async () => {
  const long = "y".repeat(10_000);
  const file = fileOf("order,text,amount", `${long},,1`, `,${long},1`, `${long},${long},-1`);
  const plan = await api.plan("payment upload", { file });
  expect(plan.lists["problems"]).toHaveLength(1);
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

test("asks once which column is what and which rows count in a bank's file, and notes the answers", async () => {
  const [one, two] = [await largeOrder(), await largeOrder()];
  const fileWith = (...rows: string[]) =>
    fileOf(
      '"Umsatzanzeige";"DE02120300000000202051"',
      "",
      "Buchungstag;Auftraggeber;Verwendungszweck;Betrag (EUR);Währung;Art;Info",
      ...rows,
      "03.05.2026;Stadtwerke;Abschlag Strom;-87,15;AUD;Lastschrift;Gebucht",
    );
  const row = ({ number }: typeof one, info: string) =>
    `02.05.2026;Nordwind ${number.slice(-1)};"Rechnung ${number}, danke";1.031,20;AUD;Gutschrift;${info}`;
  const file = fileWith(row(one, "Gebucht"), row(two, "Vorgemerkt"));
  const columns = ["amount = Betrag (EUR)"];
  const only = ["Art is Gutschrift", "Info is Gebucht"];
  const asked = await api.plan("payment upload", { file });
  expect(asked).toMatchObject({ will: null, lists: {} });
  expect(asked.questions?.map(({ options }) => options.map(({ value }) => value))).toEqual([
    [...columns, "amount = (none)"],
    ["Art is Gutschrift", "Art is (none)"],
    ["Info is Gebucht", "Info is Vorgemerkt", "Info is (none)"],
  ]);
  expect((await api.confirm("payment upload", { file })).status).toBe(409);
  const done = await api.run("payment upload", { file, columns, only });
  expect(done.lists["payments"]).toMatchObject([
    { order: one.number, amount: { amount: "1031.20" } },
  ]);
  expect((await lastChange(one.order))?.["reason"]).toMatch(/Betrag .*Art is Gutschrift; Info is/);
  const again = await api.plan("payment upload", { file });
  expect([again.will, again.questions]).toEqual([null, undefined]);
  expect(again.lists["debits"]).toMatchObject([
    { order: two.number, reason: "does not count: Info is Vorgemerkt" },
  ]);
  const next = fileWith(row(one, "Gebucht"), row(two, "Gebucht"));
  const late = row(await largeOrder(), "Wertgestellt");
  const { questions } = await api.plan("payment upload", {
    file: fileWith(row(one, "Gebucht"), late),
  });
  expect(questions?.map(({ options }) => options.map(({ value }) => value))).toEqual([
    ["Info is Wertgestellt", "Info is Gebucht", "Info is (none)"],
  ]);
  const later = await api.run("payment upload", { file: next });
  expect(later.lists["payments"]?.map(({ result }) => result)).toEqual(["paid", "unchanged"]);
});

test("asks only for the rows that would pay an order, also in place of another row", async () => {
  const { orders } = await invoicedOrders(2);
  const [one = "", two = ""] = orders.map(({ number }) => number);
  await api.run("order pay", { order: [two] });
  const rows = [
    `${one},31.20,Pending`,
    `${one},31.20,Done`,
    `${two},31.20,Old`,
    `${one},1.00,Odd`,
    "Fee,-1.00,Fee",
  ];
  const file = fileOf("Text,Amount,Result", ...rows);
  const { questions } = await api.plan("payment upload", { file });
  expect(questions?.map(({ options }) => options.map(({ value }) => value))).toEqual([
    ["Result is Pending", "Result is Done", "Result is Odd", "Result is (none)"],
  ]);
  const only = ["Result is Done"];
  const done = await api.run("payment upload", { file, only });
  expect(done.lists["payments"]).toMatchObject([{ row: 3, order: one, result: "paid" }]);
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

test("pays the orders of one transfer if it is what they owe together, also after an interruption", async () => {
  const { client, orders } = await invoicedOrders(4);
  const [one = "", two = "", three = "", four = ""] = orders.map(({ number }) => number);
  const rows = [`Thanks ${one} and ${two} ${three},93.60,T-1`, `${four} ${one},62.40,T-2`];
  await api.run("order pay", { order: [two], reference: "T-1" });
  const done = await api.run("payment upload", { file: fileOf("Text,Amount,Reference", ...rows) });
  expect(done.lists["payments"]?.map(({ order, result }) => [order, result])).toEqual([
    [one, "paid"],
    [three, "paid"],
    [two, "unchanged"],
  ]);
  expect(done.lists["problems"]).toMatchObject([{ row: 3, order: `${four}, ${one}` }]);
  // The order that is paid already was paid by another transfer.
  const again = await api.plan("payment upload", {
    file: fileOf("Order,Amount,Reference", `${four}; ${one},62.40,T-2`.replace(";", "")),
  });
  expect(again).toMatchObject({ will: null, lists: { problems: [{ row: 2 }] } });
  expect((await entriesOf(client.clientId)).slice(-3)).toEqual(
    Array.from({ length: 3 }, () => ["payment", -3_120, "T-1"]),
  );
});

test("finds the clients' references in money without an order, whose rows can be uploaded again", async () => {
  const { orders, client, product } = await invoicedOrders(1);
  const reference = `PO-${String(unique())}/7 B`;
  const { order_data } = await placeOrder(
    startWorker(),
    client,
    orderOf(product, { order_ref_id: reference }),
  );
  const text = `Invoice ${reference.toLowerCase().replace("-", " ")}; danke`;
  const file = fileOf("Text,Amount,Currency,Reference", `${text},31.20,AUD,T-9`, "Rent,5.00,AUD,");
  const user = await (await openConsole()).signIn("finance");
  const form = await user.get("/payment/upload");
  const plan = await user.submit(form, "Continue", { file });
  expect(plan.text).toContain(order_data.order_number);
  const { html } = await user.submit(plan, "Download these rows");
  expect(html.split("\r\n").slice(0, 2)).toEqual([
    "row,order,amount,currency,reference,text,value_date,reason",
    expect.stringContaining(`2,${order_data.order_number},31.20,AUD,T-9,`),
  ]);
  const done = await api.run("payment upload", { file: new File([html], "rows.csv") });
  expect(done.lists["payments"]).toMatchObject([
    { order: order_data.order_number, result: "paid" },
  ]);
  expect(await stateOf(orders[0]?.id ?? 0)).toMatchObject({ status: "created" });
});

/** A transfer for one or two of the orders, of what they owe and some minor units more or less. */
const TRANSFER = fc.record({
  picks: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 2 }),
  moreMinor: fc.constantFrom(0, 0, 880, -1),
  reference: fc.constantFrom("", "T-1", "T-2"),
});
type Transfer = typeof TRANSFER extends fc.Arbitrary<infer Value> ? Value : never;

const EVERY_TRANSFER = [
  { picks: [0], moreMinor: 0, reference: "T-1" },
  { picks: [1, 2], moreMinor: 0, reference: "T-1" },
  { picks: [3], moreMinor: 880, reference: "" },
  { picks: [4], moreMinor: -1, reference: "T-2" },
  { picks: [0], moreMinor: -1, reference: "" },
  { picks: [0], moreMinor: 0, reference: "T-1" },
];

const PAID_BY_ANOTHER_ROW = [
  { picks: [2], moreMinor: -1, reference: "T-2" },
  { picks: [0, 2], moreMinor: 0, reference: "T-2" },
  { picks: [3, 0], moreMinor: 0, reference: "T-2" },
];

/** What becomes of each transfer, of which the first that fits an order pays it. */
function outcomesOf(transfers: readonly Transfer[]) {
  const paidBy = new Map<number, number>();
  for (const [row, { picks, moreMinor }] of transfers.entries()) {
    const isExact = moreMinor === 0 || (moreMinor > 0 && picks.length === 1);
    if (isExact && !picks.some((n) => paidBy.has(n))) for (const n of picks) paidBy.set(n, row);
  }
  const lines = new Set<string>();
  return transfers.map(({ picks: [first = 0, ...others], ...transfer }, row) => {
    const line = JSON.stringify([first, others, transfer]);
    const by = paidBy.get(first);
    if (lines.has(line) || by === undefined || (by !== row && others.length > 0)) return "refused";
    lines.add(line);
    if (by !== row) return "further";
    return others.length > 0 ? "split" : transfer.moreMinor > 0 ? "overpaid" : "paid";
  });
}

test("books each accepted transfer to the cent, as payments and credit, once", async () => {
  const seen = { paid: 0, split: 0, overpaid: 0, further: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(TRANSFER, { minLength: 1, maxLength: 6 }), async (transfers) => {
      const { client, orders } = await invoicedOrders(5);
      const amountOf = ({ picks, moreMinor }: Transfer) => picks.length * 3_120 + moreMinor;
      const rows = transfers.map((transfer) => {
        const text = transfer.picks.map((n) => orders[n]?.number ?? "").join(" ");
        return `${text},${(amountOf(transfer) / 100).toFixed(2)},${transfer.reference}`;
      });
      let expected = 0;
      for (const [row, outcome] of outcomesOf(transfers).entries()) {
        seen[outcome] += 1;
        const transfer = transfers[row];
        if (outcome !== "refused" && transfer) expected += amountOf(transfer);
      }
      const file = fileOf("Text,Amount,Reference", ...rows);
      await api.confirmTwice("payment upload", { file, overpaid: "yes" });
      await api.run("payment upload", { file, overpaid: "yes" });
      expect((await api.plan("payment upload", { file, overpaid: "yes" })).will).toBeNull();
      const paid = (await entriesOf(client.clientId)).filter(([kind]) => kind === "payment");
      const credit = await balanceOf(client.clientId, "AUD");
      const paidMinor = paid.reduce((sum, [, minor]) => sum - Number(minor), 0);
      expect(paidMinor + credit).toBe(expected);
    }),
    { numRuns: runs(40), examples: [[EVERY_TRANSFER], [PAID_BY_ANOTHER_ROW]] },
  );
  expect(await brokenAccounts()).toEqual([]);
  expect(Object.values(seen).filter((count) => count === 0)).toEqual([]);
}, 120_000);

test("lists a further payment of an order, and finds the row that has paid it again", async () => {
  const { client, number } = await invoicedOrders();
  const header = "Text,Amount,Reference,Value date";
  const line = `${number},31.20,T-1,2026-05-04`;
  await api.run("payment upload", { file: fileOf(header, line) });
  const others = [`${number},31.20,T-2,2026-05-04`, `${number},31.20,T-1,2026-05-05`];
  const small = `${number},1.00,T-1,2026-05-04`;
  const file = fileOf(header, ...others, line, small, small);
  const plan = await api.plan("payment upload", { file });
  expect(plan).toMatchObject({
    will: null,
    lists: { payments: [{ row: 4, result: "unchanged" }] },
  });
  expect(plan.lists["unnamed"]).toMatchObject(
    [2, 3, 5].map((row) => ({ row, order: number, reason: "is paid by another payment" })),
  );
  expect(plan.lists["problems"]).toMatchObject([{ row: 6, reason: "is also in row 5" }]);
  await api.confirmTwice("payment upload", { file, overpaid: "yes" });
  expect(await balanceOf(client.clientId, "AUD")).toBe(6_340);
  const { lists } = await api.view("credit show", { client: client.clientId });
  expect(lists["entries"]?.map(({ note }) => note)).toContain(`${number} was paid already: T-2`);
  const again = await api.plan("payment upload", { file });
  expect(again).toMatchObject({ will: null, lists: { unnamed: [] } });
});

test("finds a row again in a file in which its date is clear, or no longer is", async () => {
  const { client, orders } = await invoicedOrders(3);
  const [one = "", two = "", three = ""] = orders.map(({ number }) => number);
  const upload = (...rows: string[]) => {
    const file = fileOf("Text,Amount,Reference,Value date", ...rows);
    return api.run("payment upload", { file, overpaid: "yes" });
  };
  const row = (day = "") => `${one},31.20,T-1,${day}`;
  const [further, clear] = [`${one},31.20,T-2,04/04/2026`, `${two},31.20,T-3,25/04/2026`];
  await upload(row(), further);
  expect(await balanceOf(client.clientId, "AUD")).toBe(3_120);
  await upload(row("03/04/2026"), further, clear, `${three},31.20,T-4,05/04/2026`);
  await upload(row(), further);
  await upload(`${three},31.20,T-4,soon`);
  expect(await balanceOf(client.clientId, "AUD")).toBe(3_120);
  await upload(clear.replace("25/04", "26/04"));
  expect(await balanceOf(client.clientId, "AUD")).toBe(6_240);
});

test("books no credit for an order that has changed since it was checked", async () => {
  const { client, id, number } = await invoicedOrders(1, 2);
  const input = { rows: `order,amount\n${number},70.00`, overpaid: "yes" };
  const { will } = await api.plan("payment upload", input);
  expect(will).toContain("7.60 AUD");
  const overpaid = {
    clientId: client.clientId,
    currency: "AUD" as const,
    amountMinor: 760,
    reference: `Overpayment of ${number}`,
    note: null,
  };
  const payment = { ...operatorKey(id), reference: null, owedMinor: 6_239, nowMs: Date.now() };
  expect(await payOrders(env.DB, [{ ...payment, overpaid }])).toEqual([false]);
  expect(await balanceOf(client.clientId, "AUD")).toBe(0);
  const done = await api.run("payment upload", input);
  expect(done.lists["payments"]).toMatchObject([{ overpaid: { amount: "7.60" } }]);
  const { lists } = await api.view("credit show", { client: client.clientId });
  expect(lists["entries"]?.[0]).toMatchObject({
    reference: `Overpayment of ${number}`,
    amount: { amount: "7.60", currency: "AUD" },
  });
  expect(await lastChange(id)).toMatchObject({ action: "payment upload" });
});

test("does not pay an order in AUD with a row in EUR", async () => {
  const { orders } = await invoicedOrders(1);
  const file = fileOf("Text,Amount", `Thanks ${orders[0]?.number ?? ""},€31.20`);
  const plan = await api.plan("payment upload", { file });
  expect(plan.lists["problems"]).toMatchObject([{ reason: "is in AUD, not in EUR" }]);
});

const NO_AMOUNT = "order_number\nGO-00042";

test.each([["order_number"], ["Amount,Text\n,x"], ["\u0000"], [NO_AMOUNT]])(
  "refuses the file %j",
  async (text) => {
    const answer = await api.refusal("payment upload", { file: fileOf(text) });
    expect(answer).toMatchObject({ status: 400, fields: ["file"] });
  },
);
