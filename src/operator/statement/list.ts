// The month of all clients.
import { SELECT_OUTSTANDING } from "../client/money-queries.ts";
import { listAddressees } from "../client/queries.ts";
import { customList } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, positionIn } from "../declaration/pages.ts";
import { isFinalAt, type Month, MONTH_INPUT, monthOf, PROVISIONAL, readMonth } from "./month.ts";
import { ALL_CLIENTS } from "./ledger-range.ts";
import { addsUp, ledgersOf, type StatementLedger, sumOf } from "./rows.ts";

/** The column of an item of a statement. All others are refunds. */
const COLUMN_OF: Readonly<Record<string, "orders" | "payments">> = {
  Orders: "orders",
  "Paid for orders": "orders",
  "Top-ups": "payments",
  "Corrections of top-ups": "payments",
  Payments: "payments",
  Refunded: "payments",
};

const FIRST = { client: "", currency: "" };

const sums = (label: string) => kinds.money(label, { hasSum: true });

/** Two round trips at the same time, and one for the names. Reads the entries of the month, and the open gifts. */
export const statementList = customList({
  name: "statement list",
  title: "Month end",
  description:
    "The statements of all clients. The closing balance is the opening balance less orders, with refunds and payments. A client owes a negative balance. Open gifts are counted now, not at the end of the month.",
  permission: "view",
  input: { month: MONTH_INPUT },
  columns: {
    client: kinds.client("Client"),
    company: kinds.text("Company", { beside: "client" }),
    month: kinds.month("Month", { isInFilesOnly: true }),
    currency: kinds.currency("Currency", { isInFilesOnly: true }),
    opening: sums("Opening balance"),
    orders: sums("Orders"),
    refunds: sums("Refunds"),
    payments: sums("Payments"),
    closing: sums("Closing balance"),
    number: kinds.text("Number"),
    open_gifts: kinds.count("Open gifts"),
    open_amount: sums("Amount of open gifts"),
    missing: kinds.text("The client has no"),
  },
  empty: "No client has a ledger in this month.",
  actions: ["statement close", "gift list"],
  rowActions: ["statement"],
  examples: ["--month 2026-11 --csv --output month.csv"],
  page: async ({ DB, nowMs }, input, { after, limit }) => {
    const month = monthOf(input.month, nowMs);
    const rows = await readMonths(DB, month);
    const { client: clientId, currency } = positionIn(FIRST, after);
    const last = keyOf({ clientId, currency });
    const rest = rows
      .toSorted(({ key: a }, { key: b }) => Number(a > b) - Number(a < b))
      .filter(({ key }) => key > last);
    const { shown, next } = pageOf(FIRST, rest, limit);
    return {
      rows: shown,
      next,
      warnings: [
        ...(isFinalAt(month, nowMs) ? [] : [PROVISIONAL]),
        ...rows.flatMap(({ key, isSound }) =>
          isSound ? [] : [`${key}: the ledger does not add up.`],
        ),
      ],
    };
  },
});

/** The month of each client and currency. */
export async function readMonths(d1: D1Database, month: Month) {
  const [ledgers, outstanding, clients] = await Promise.all([
    readMonth(d1, ALL_CLIENTS, month, true),
    SELECT_OUTSTANDING.all(d1, { clientId: null }),
    listAddressees(d1),
  ]);
  const open = new Map(outstanding.map((each) => [keyOf(each), each]));
  const groups = Map.groupBy(ledgersOf(ledgers), ({ range }) => keyOf(range));
  return [...groups].map(([key, same]) => {
    const row = rowOf(same);
    const { client, currency } = row;
    const { gifts = null, amountMinor = null } = open.get(key) ?? {};
    const { name = null, billingAddress, taxNumber } = clients.get(client) ?? {};
    const lacks = [billingAddress ? [] : "billing address", taxNumber ? [] : "tax number"].flat();
    return {
      ...row,
      key,
      isSound: same.every(addsUp),
      hasEntries: same.some(({ totals }) => totals.length > 0),
      month: month.month,
      company: name,
      number: same[0]?.numbered?.name ?? null,
      open_gifts: gifts,
      open_amount: amountMinor === null ? null : { minor: amountMinor, currency },
      missing: lacks.join(", ") || null,
    };
  });
}

/** In the order of the rows. */
const keyOf = (each: { clientId: string; currency: string }) => `${each.clientId} ${each.currency}`;

/** What a client has: credit, less what it owes for orders on invoice. */
function rowOf(ledgers: readonly StatementLedger[]) {
  const [{ range }] = ledgers as [StatementLedger];
  const { clientId: client, currency } = range;
  const sum = (minorOf: (ledger: StatementLedger) => number) => ({
    minor: ledgers.reduce(
      (all, ledger) => all + (ledger.kind === "credit" ? 1 : -1) * minorOf(ledger),
      0,
    ),
    currency,
  });
  const totalOf = (column: "orders" | "payments" | undefined) =>
    sum(({ totals }) => {
      const own = totals.filter(({ item }) => COLUMN_OF[item] === column);
      return sumOf(own, "amountMinor");
    });
  return {
    client,
    currency,
    opening: sum(({ balances }) => balances.openingMinor),
    orders: { minor: 0 - totalOf("orders").minor, currency },
    refunds: totalOf(undefined),
    payments: totalOf("payments"),
    closing: sum(({ balances }) => balances.closingMinor),
  };
}
