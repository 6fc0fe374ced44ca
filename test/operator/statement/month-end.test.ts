// Value dates, the month of all clients, and numbered statements.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Adjustment, adjustCredit } from "../../../src/features/credit/adjust-queries.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { payOrders } from "../../../src/features/lifecycle/payment-queries.ts";
import { orderNumber } from "../../../src/core/values/ids.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/values/time.ts";
import { openConsole } from "../../console/console.ts";
import {
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  unique,
} from "../../support/fixtures.ts";
import { differencesOf } from "../../support/invariants.ts";
import { placeGiftLink } from "../../support/orders.ts";
import { runs } from "../../support/runs.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi, type OperatorApi } from "../operator-api.ts";
import { APRIL, MARCH } from "./months.ts";

let nowMs = Date.now();
let api: OperatorApi;

beforeAll(async () => {
  api = await openOperatorApi(["finance", "support"], await openConsole({ now: () => nowMs }));
});

const sold = simpleProduct(
  { priceMinor: 3_333, shippingMinor: 0, taxCode: "S20" },
  { quantity: null },
);

const createAt = (options: object = {}) =>
  createClient({ products: [sold], creditMinor: 0, feeBasisPoints: 0, ...options });

/** An order of gifts for 33.33 AUD each. */
async function place(
  client: TestClient,
  atMs: number,
  gifts = 1,
  fields: Record<string, unknown> = {},
) {
  const body = orderOf(sold, { recipient_details: recipients(gifts), ...fields });
  const { order_data } = await placeGiftLink(startWorker({ now: () => atMs }), client, body);
  return order_data.order_id;
}

type Booked = Pick<Adjustment, "clientId" | "nowMs" | "valueAtMs"> & { amountMinor?: number };

const book = ({ amountMinor = 100, ...booking }: Booked) => {
  const entry = { currency: "AUD" as const, amountMinor, note: null, reference: String(unique()) };
  return adjustCredit(env.DB, { ...entry, ...booking });
};

const entriesIn = (client: string, month: string, currency = "AUD") =>
  api.all("statement entries", { client, month, currency }).then(({ rows }) => rows);

const textsOf = (rows: Record<string, unknown>[]) =>
  rows.map(({ type, amount, balance }) => [type, amount, balance]);

const camt = (number: string) =>
  `<Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="AUD">33.33</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>2031-04-01</Dt></BookgDt><ValDt><Dt>2031-03-31</Dt></ValDt>
    <NtryDtls><TxDtls><RmtInf><Ustrd>${number}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;

const fileOf = (text: string) => ({ file: new File([text], "payments") });

describe("a transfer of 31 March that is booked on 2 April", () => {
  beforeAll(() => {
    nowMs = APRIL + DAY_MS + 9 * HOUR_MS;
  });

  test.each<[string, (number: string) => [string, Record<string, unknown>]]>([
    ["by hand", (order) => ["order pay", { order: [order], value_date: "2031-03-31" }]],
    [
      "from a bank's CSV file",
      (number) => [
        "payment upload",
        fileOf(`Booking date;Value date;Text;Amount\n1.4.2031;31.03.2031;${number};33,33`),
      ],
    ],
    ["from camt.053", (number) => ["payment upload", fileOf(camt(number))]],
  ])("pays an order in March, %s", async (_, call) => {
    const client = await createAt({ billing: "invoice" });
    const number = orderNumber(await place(client, MARCH + DAY_MS));
    await place(client, APRIL + HOUR_MS);
    await api.run(...call(number));
    const { clientId } = client;
    expect(textsOf(await entriesIn(clientId, "2031-03"))).toEqual([
      ["invoice_opening", null, "0.00"],
      ["invoice_order", "33.33", "33.33"],
      ["invoice_payment", "-33.33", "0.00"],
      ["invoice_closing", null, "0.00"],
    ]);
    expect(textsOf(await entriesIn(clientId, "2031-04"))).toEqual([
      ["invoice_opening", null, "0.00"],
      ["invoice_order", "33.33", "33.33"],
      ["invoice_closing", null, "33.33"],
    ]);
  });

  test("is credit of March, and not of a day to come", async () => {
    const client = await createAt();
    const { clientId } = client;
    const input = { client: clientId, amount: "50.00", reference: "INV-1" };
    await api.run("credit add", { ...input, value_date: "2031-04-01", reference: "INV-0" });
    await api.run("credit add", { ...input, value_date: "2031-03-31" });
    expect(textsOf(await entriesIn(clientId, "2031-03"))).toEqual([
      ["opening_balance", null, "0.00"],
      ["top_up", "50.00", "50.00"],
      ["closing_balance", null, "50.00"],
    ]);
    expect(textsOf(await entriesIn(clientId, "2031-04"))[1]).toEqual(["top_up", "50.00", "100.00"]);
    expect(await api.refusal("credit add", { ...input, value_date: "2031-04-03" })).toMatchObject({
      status: 400,
      fields: ["value_date"],
    });
  });

  test("is in the months between its value date and the first booking of the account", async () => {
    const { clientId: client } = await createAt();
    const input = { client, amount: "50.00", reference: "INV-1", value_date: "2031-02-28" };
    await api.run("credit add", input);
    expect(textsOf(await entriesIn(client, "2031-03"))).toEqual([
      ["opening_balance", null, "50.00"],
      ["closing_balance", null, "50.00"],
    ]);
    expect(textsOf(await entriesIn(client, "2031-01"))).toEqual([]);
  });

  test("has rows with unclear dates and days to come", async () => {
    const client = await createAt({ billing: "invoice" });
    const numbers = [await place(client, MARCH), await place(client, MARCH)].map(orderNumber);
    const rows = numbers.map((number, n) => `${number},33.33,${n ? "2031-05-01" : "3/2031"}`);
    const file = fileOf(["order_number,amount,value_date", ...rows].join("\n"));
    const { warnings, lists } = await api.plan("payment upload", file);
    expect(warnings).toEqual([expect.stringContaining("3/2031")]);
    expect(lists["payments"]).toMatchObject([{ order: numbers[0], value_date: null }]);
    expect(lists["problems"]).toMatchObject([{ order: numbers[1], row: 3 }]);
  });
});

interface Booking {
  client: number;
  daysLater: number;
  /** How many days before the booking the money came. */
  valueDays: number | null;
  kind: "book" | "place" | "pay" | "cancel";
  amountMinor: number;
}

const BOOKINGS = fc.array(
  fc.record({
    client: fc.nat(2),
    daysLater: fc.nat(12),
    valueDays: fc.option(fc.nat(70)),
    kind: fc.constantFrom<Booking["kind"][]>("book", "place", "pay", "cancel"),
    amountMinor: fc.integer({ min: -9_000, max: 20_000 }),
  }),
  { minLength: 6, maxLength: 25 },
);

const MONTHS = [
  "2030-11",
  "2030-12",
  ...[1, 2, 3, 4, 5, 6].map((month) => `2031-0${String(month)}`),
];

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** In AUD, of a money value or of a text. */
const minorOf = (value: unknown) => {
  const text = typeof value === "string" ? value : (value as { amount: string }).amount;
  return Math.round(Number(text) * 100);
};

test("opening and entries are closing, a month begins as the one before ends, and the month end has the sums of the statements", async () => {
  await fc.assert(
    fc.asyncProperty(BOOKINGS, async (bookings) => {
      const clients = [
        await createAt(),
        await createAt({ billing: "invoice" }),
        await createAt({ billing: "invoice" }),
      ];
      const orders: { id: number; client: TestClient }[] = [];
      let atMs = MARCH - 20 * DAY_MS;
      for (const { daysLater, valueDays, kind, amountMinor, ...each } of bookings) {
        atMs += daysLater * DAY_MS;
        const client = clients[each.client] as TestClient;
        const valueAtMs = valueDays === null ? null : atMs - valueDays * DAY_MS;
        const [order] = orders.filter((known) => known.client === client);
        const { clientId } = client;
        if (kind === "book") {
          await book({ clientId, amountMinor, valueAtMs, nowMs: atMs }).catch(() => false);
        } else if (kind === "place" && each.client > 0) {
          orders.unshift({ id: await place(client, atMs, 2), client });
        } else if (kind === "pay" && order) {
          const payment = { ...operatorKey(order.id), reference: null, owedMinor: null };
          await payOrders(env.DB, [{ ...payment, valueAtMs, nowMs: atMs }]);
        } else if (kind === "cancel" && order) {
          const body = { order_id: order.id, suborder_ids: [order.id * 1000 + 1] };
          await startWorker({ now: () => atMs }).post(client, "/api/order/cancel", body);
        }
      }
      nowMs = Date.UTC(2032, 0, 1);
      const closing = new Map<string, number>();
      for (const month of MONTHS) {
        const { rows } = await api.all("statement list", { month });
        for (const { clientId } of clients) {
          const statement = await entriesIn(clientId, month);
          const sums = { opening: 0, closing: 0 };
          for (const [ledger, sign] of [
            ["credit", 1],
            ["invoice", -1],
          ] as const) {
            const own = statement.filter(
              ({ type }) => textOf(type).startsWith("invoice_") === (ledger === "invoice"),
            );
            const key = `${clientId} ${ledger}`;
            if (own.length === 0) {
              expect(closing.get(key), key).toBeUndefined();
              continue;
            }
            const [opening = 0, ...rest] = own.map(({ balance }) => minorOf(textOf(balance)));
            expect(opening).toBe(closing.get(key) ?? 0);
            let balance = opening;
            for (const [n, { amount }] of own.slice(1, -1).entries()) {
              balance += minorOf(textOf(amount));
              expect(rest[n]).toBe(balance);
            }
            expect(rest.at(-1)).toBe(balance);
            closing.set(key, balance);
            sums.opening += sign * opening;
            sums.closing += sign * balance;
          }
          const row = rows.find(
            ({ client, closing: end }) =>
              client === clientId && (end as { currency: string }).currency === "AUD",
          );
          expect(row !== undefined).toBe(statement.length > 0);
          if (!row) continue;
          expect(minorOf(row["opening"])).toBe(sums.opening);
          expect(minorOf(row["closing"])).toBe(sums.closing);
          const parts = ["opening", "refunds", "payments"];
          const rest = parts.reduce((sum, name) => sum + minorOf(row[name]), 0);
          expect(rest - minorOf(row["orders"])).toBe(sums.closing);
        }
      }
      const { results } = await sql(
        `SELECT client_id || ' credit' AS key, balance_minor AS minor FROM credit_accounts WHERE currency = 'AUD'
         UNION ALL SELECT client_id || ' invoice', unpaid_minor - to_refund_minor FROM invoice_entries e
         WHERE sequence = (SELECT max(sequence) FROM invoice_entries l
           WHERE l.client_id = e.client_id AND l.currency = e.currency)`,
      ).all<{ key: string; minor: number }>();
      const booked = new Map(results.map(({ key, minor }) => [key, minor]));
      for (const [key, balance] of closing) expect(balance, key).toBe(booked.get(key));
      expect(await differencesOf(clients)).toEqual([]);
    }),
    { numRuns: runs(20) },
  );
}, 240_000);

describe("a closed month", () => {
  const SENDER = "Regalo Ltd\n1 Example Street\nIBAN GB00";

  test("is numbered once and without gaps, and does not change", async () => {
    const clients = [await createAt(), await createAt({ billing: "invoice" })];
    const [credit, invoiced] = clients.map(({ clientId }) => clientId);
    if (!credit || !invoiced) throw new Error("there are two clients");
    const month = "2040-03";
    const at = (day: number) => Date.UTC(2040, 2, day);
    await book({ clientId: credit, amountMinor: 5_000, nowMs: at(3) });
    await place(clients[1] as TestClient, at(4), 2, { campaign: "Spring" });
    nowMs = at(32);
    expect((await api.refusal("statement close", { month, reason: "Month end" })).status).toBe(409);
    nowMs = at(33);
    const input = { month, reason: "Month end" };
    expect(await api.refusal("statement close", input)).toMatchObject({ fields: ["sender"] });
    await api.run("client set", {
      client: invoiced,
      legal_name: "Acme Holding Ltd",
      billing_address: "2 Example Road\nExampleton",
      tax_number: "AU 51",
      purchase_order: "PO-7",
    });
    const plan = await api.plan("statement close", { ...input, sender: SENDER });
    const owed = { orders: { amount: "66.66" }, closing: { amount: "-66.66" } };
    expect(plan.lists["statements"]).toMatchObject(
      [
        { client: credit, payments: { amount: "50.00" }, missing: "billing address, tax number" },
        { client: invoiced, ...owed, missing: null },
      ].sort((a, b) => (a.client < b.client ? -1 : 1)),
    );
    const answers = await api.confirmTwice("statement close", { ...input, sender: SENDER });
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const found = answers.flatMap(({ html }) => JSON.parse(html).lists.statements);
    const given = new Set(found.map((row: { number: string }) => row.number));
    expect([...given]).toEqual(["2040-00001", "2040-00002"]);
    expect((await api.plan("statement close", input)).will).toBeNull();
    const numbers = await sql("SELECT number FROM statements WHERE series = '2040'").all();
    expect(numbers.results.map(({ number }) => number)).toEqual([1, 2]);
    const before = await entriesIn(invoiced, month);
    const { facts } = await api.view("statement", { client: invoiced, month });
    expect(facts).toMatchObject({
      sender: SENDER,
      addressee:
        "Acme Holding Ltd\n2 Example Road\nExampleton\nTax number: AU 51\nPurchase order: PO-7",
    });
    expect(before[1]).toMatchObject({
      number: facts["number"],
      contact: "Acme Holding Ltd",
      campaign: "Spring",
      tax_code: "S20",
    });

    const order = textOf(before[1]?.["order_number"]);
    const value = { value_date: "2040-03-31" };
    const paid = await api.run("order pay", { order: [order], ...value });
    const counted = { value_date: "2040-04-01", reason: expect.stringContaining("2040-03-31") };
    expect(paid.lists["payments"]).toMatchObject([counted]);
    const add = { client: credit, amount: "1.00", reference: "B", ...value };
    const { warnings } = await api.plan("credit add", add);
    expect(warnings).toEqual([expect.stringContaining("2040-04-01")]);
    await api.run("credit add", add);
    await api.run("client set", { client: invoiced, legal_name: "Other Ltd" });
    expect(await entriesIn(invoiced, month)).toEqual(before);
    expect((await api.view("statement", { client: invoiced, month })).facts).toEqual(facts);
    expect(textsOf(await entriesIn(credit, "2040-04"))).toEqual([
      ["opening_balance", null, "50.00"],
      ["top_up", "1.00", "51.00"],
      ["closing_balance", null, "51.00"],
    ]);
  });
});

test("the month of 50 clients is one page, and its cost is linear in the clients and the entries of the month", async () => {
  nowMs = Date.UTC(2051, 0, 1);
  const month = "2050-06";
  const day = (n: number) => Date.UTC(2050, 5, n);
  const clients: string[] = [];
  const addClients = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const { clientId } = await createAt();
      clients.push(clientId);
      for (const n of [-40, -35, 2, 3, 40]) await book({ clientId, nowMs: day(n) });
    }
  };
  const costOf = async () => {
    const { rows, meters } = await api.all("statement list", { month });
    expect(meters[0]?.roundTrips).toBe(3);
    return { rows, rowsRead: meters[0]?.rowsRead ?? 0 };
  };
  const none = await costOf();
  await addClients(10);
  const some = await costOf();
  await addClients(40);
  const all = await costOf();
  const own = all.rows.filter(
    ({ client, closing }) =>
      clients.includes(textOf(client)) && (closing as { currency: string }).currency === "AUD",
  );
  expect(own).toHaveLength(50);
  const each = (some.rowsRead - none.rowsRead) / 10;
  expect(all.rowsRead - some.rowsRead).toBeLessThanOrEqual(40 * each + 40);
  // A client with three accounts: each account, its balances and its entries.
  expect(each).toBeLessThan(60);
  // Entries of other months cost nothing.
  const before = all.rowsRead;
  for (let n = 0; n < 30; n++) await book({ clientId: clients[0] ?? "", nowMs: day(50) });
  expect((await costOf()).rowsRead).toBeLessThanOrEqual(before + 2);
});
