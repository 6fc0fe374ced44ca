// The month of all clients.
import { LAST_CLIENT_ID } from "../../core/values/ids.ts";
import type { Currency } from "../../core/values/iso.ts";
import { amountText } from "../../core/values/money.ts";
import { listNames } from "../client/queries.ts";
import { customList } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, positionIn } from "../declaration/pages.ts";
import { readOutstanding } from "../gift/queries.ts";
import { isFinalAt, MONTH_INPUT, monthOf, PROVISIONAL, readMonth } from "./month.ts";
import type { LedgerTotal } from "./ledger-range.ts";
import { ledgersOf, numberedOf, type StatementLedger, totalsOf } from "./rows.ts";

/** The column of each item of a statement. */
const COLUMN_OF: Readonly<Record<string, "orders" | "refunds" | "payments">> = {
  Orders: "orders",
  "Cancelled gifts": "refunds",
  "Expired gifts": "refunds",
  "Ended before payment": "refunds",
  "Ended after payment": "refunds",
  "Top-ups": "payments",
  "Corrections of top-ups": "payments",
  Payments: "payments",
  Refunded: "payments",
};

const ORDER = { client: String, currency: String };

const sumOf = (label: string) => kinds.money(label, { hasSum: true });

/** Two round trips at the same time, and one for the names. Reads the entries of the month, and the open gifts. */
export const statementList = customList({
  name: "statement list",
  title: "Month end",
  description:
    "The statements of all clients. Amounts are negative if they reduce what a client has: a balance below zero is owed. Open gifts are those of now.",
  permission: "view",
  input: { month: MONTH_INPUT },
  columns: {
    client: kinds.client("Client"),
    company: kinds.text("Company", { beside: "client" }),
    month: kinds.month("Month", { isInFilesOnly: true }),
    currency: kinds.currency("Currency", { isInFilesOnly: true }),
    opening: sumOf("Opening balance"),
    orders: sumOf("Orders"),
    refunds: sumOf("Refunds"),
    payments: sumOf("Payments"),
    closing: sumOf("Credit, or owed"),
    number: kinds.text("Number"),
    open_gifts: kinds.count("Open gifts"),
    open_amount: sumOf("Amount of open gifts"),
  },
  empty: "No client has a ledger in this month.",
  actions: ["statement close", "gift list"],
  rowActions: ["statement", "gift list"],
  examples: ["--month 2026-11 --csv --output month.csv"],
  page: async ({ DB, nowMs }, input, { after, limit }) => {
    const month = monthOf(input.month, nowMs);
    const clients = { clientId: "", lastClientId: LAST_CLIENT_ID };
    const [ledgers, outstanding, names] = await Promise.all([
      readMonth(DB, clients, month, true),
      readOutstanding(DB, nowMs),
      listNames(DB),
    ]);
    const open = new Map(outstanding.map((each) => [keyOf(each), each]));
    const groups = Map.groupBy(ledgersOf(ledgers), ({ range }) => keyOf(range));
    const found = [...groups].map(([key, same]) => {
      const totals = same.map((ledger) => totalsOf(ledger, ledgers.totals));
      const row = rowOf(same, totals);
      const { client, currency } = row;
      const { gifts = null, amountMinor = null } = open.get(key) ?? {};
      return {
        ...row,
        month: month.month,
        company: names.get(client) ?? null,
        number: numberedOf(ledgers, { clientId: client, currency })?.name ?? null,
        open_gifts: gifts,
        open_amount: amountMinor === null ? null : { minor: amountMinor, currency },
      };
    });
    const rows = found.toSorted(compare);
    const position = positionIn(ORDER, after);
    const rest = position ? rows.filter((row) => compare(row, position) > 0) : rows;
    const { shown, next } = pageOf(ORDER, rest, limit);
    return {
      rows: shown,
      next,
      text: sumText(rows.map(({ closing }) => closing)),
      warnings: isFinalAt(month, nowMs) ? [] : [PROVISIONAL],
    };
  },
});

const keyOf = (each: { clientId: string; currency: Currency }) =>
  `${each.clientId} ${each.currency}`;

type Position = Record<"client" | "currency", string>;

const compare = (a: Position, b: Position) =>
  a.client === b.client
    ? Number(a.currency > b.currency) - Number(a.currency < b.currency)
    : Number(a.client > b.client) - Number(a.client < b.client);

/** What a client has: credit, less what it owes for orders on invoice. `totals` are those of each ledger. */
function rowOf(ledgers: readonly StatementLedger[], totals: readonly (readonly LedgerTotal[])[]) {
  const [{ range }] = ledgers as [StatementLedger];
  const { clientId: client, currency } = range;
  const sum = (minorOf: (ledger: StatementLedger, n: number) => number) => ({
    minor: ledgers.reduce(
      (all, ledger, n) => all + (ledger.kind === "credit" ? 1 : -1) * minorOf(ledger, n),
      0,
    ),
    currency,
  });
  const totalOf = (column: "orders" | "refunds" | "payments") =>
    sum((_, n) => {
      const own = (totals[n] ?? []).filter(({ item }) => COLUMN_OF[item] === column);
      return own.reduce((all, { amountMinor }) => all + amountMinor, 0);
    });
  return {
    client,
    currency,
    opening: sum(({ balances }) => balances.openingMinor),
    orders: totalOf("orders"),
    refunds: totalOf("refunds"),
    payments: totalOf("payments"),
    closing: sum(({ balances }) => balances.closingMinor),
  };
}

/** Such as `Credit: 500.00 AUD and 20.00 USD. Owed: 1,000.00 AUD.` */
function sumText(closing: readonly { minor: number; currency: Currency }[]): string {
  const textOf = (label: string, sign: 1 | -1) => {
    const sums = new Map<Currency, number>();
    for (const { minor, currency } of closing) {
      const size = Math.max(sign * minor, 0);
      if (size > 0) sums.set(currency, (sums.get(currency) ?? 0) + size);
    }
    const texts = [...sums].map(([currency, minor]) => amountText(minor, currency));
    return texts.length === 0 ? [] : [`${label}: ${texts.join(" and ")}.`];
  };
  return [...textOf("Credit", 1), ...textOf("Owed", -1)].join(" ");
}
