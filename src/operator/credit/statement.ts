// A client's statement of a month: what it had, ordered and paid.
import type { Currency } from "../../core/values/iso.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { Refusal } from "../refusal.ts";
import { owedMinor } from "./invoice-statement.ts";
import type { EntryRange } from "./ledger-range.ts";
import {
  type AccountStatement,
  type InvoicedStatement,
  isFinalAt,
  readLedgers,
  readStatement,
  STATEMENT_INPUT,
} from "./month-statement.ts";
import { ledgersOf, STATEMENT_COLUMNS } from "./statement-rows.ts";
import type { KindTotal } from "./statement-totals.ts";

/** The entries of a month that one request reads and adds up. */
const MAX_ENTRIES = 20_000;

/** The largest number of entries of each ledger that are shown. */
export const MAX_SHOWN = 2_000;

/** Three round trips, two of them at once. */
export const statement = view({
  name: "statement",
  title: "Statement",
  description:
    "What a client has ordered and paid in a month. An order on invoice is in the month in which it was placed; its cancellations, payment and refund are in the months in which they were made.",
  permission: "view",
  input: {
    ...STATEMENT_INPUT,
    entries: kinds.withDefault(kinds.count("Entries of each ledger", { max: MAX_SHOWN }), 30),
  },
  examples: ["acme --month 2026-11"],
  shape: {
    facts: {
      company: kinds.text("Company"),
      month: kinds.month("Month"),
      final: kinds.flag("Final"),
    },
    lists: {
      totals: {
        title: "Totals",
        columns: {
          ledger: kinds.text("Ledger"),
          currency: kinds.currency("Currency"),
          item: kinds.text("Item"),
          entries: kinds.count("Entries"),
          amount: kinds.money("Amount"),
        },
      },
      entries: {
        title: "Entries",
        columns: STATEMENT_COLUMNS,
        empty: "There are no entries in this month.",
      },
    },
  },
  read: async ({ DB, nowMs }, input) => {
    const ledgers = await readLedgers(DB, input, nowMs);
    const size = sizeOf([...ledgers.accounts, ...ledgers.invoiced]);
    if (size > MAX_ENTRIES) {
      const entries = size.toLocaleString("en");
      throw new Refusal(
        `the month has ${entries} entries, which are too many to add up at once. The list of its entries has them.`,
      );
    }
    const { accounts, invoiced } = await readStatement(DB, ledgers);
    const found = [...accounts, ...invoiced];
    const isFinal = isFinalAt(ledgers, nowMs);
    return {
      ...(found.length === 0 && { text: NOTHING }),
      facts: { company: ledgers.clientName, month: ledgers.month, final: isFinal },
      lists: {
        totals: [...accounts.flatMap(accountTotals), ...invoiced.flatMap(invoicedTotals)],
        entries: ledgersOf(ledgers).flatMap((ledger, index) =>
          (found[index]?.entries ?? [])
            .slice(0, input.entries)
            .map((entry) => ledger.rowOf(entry as never)),
        ),
      },
      warnings: [
        ...(isFinal ? [] : [PROVISIONAL]),
        ...found.flatMap(({ currency, entries }) =>
          entries.length > input.entries
            ? [moreText(entries.length - input.entries, currency)]
            : [],
        ),
      ],
      actions: ["credit show"],
    };
  },
});

const PROVISIONAL = "Provisional: entries may be added until one hour after the end of the month.";
const NOTHING = "There is no credit account, and there are no orders on invoice.";

const moreText = (count: number, currency: Currency) =>
  `Entries in ${currency} that are not shown: ${count.toLocaleString("en")}.`;

/** The sequences of a ledger have no gaps. */
const sizeOf = (ranges: readonly EntryRange[]) =>
  ranges.reduce((sum, { firstSequence, endSequence }) => sum + endSequence - firstSequence, 0);

/** The kinds of entries that a statement adds up. */
const KINDS = {
  creditAdded: "Credit added",
  creditRemoved: "Credit removed",
  orders: "Orders",
  cancellations: "Cancelled gifts",
  expiries: "Expired gifts",
  endedUnpaid: "Ended before payment",
  payments: "Payments",
  endedPaid: "Ended after payment",
  refunds: "Refunded",
} as const;

const accountTotals = ({ currency, openingMinor, closingMinor, totals }: AccountStatement) => {
  const { feesMinor, ...kinds } = totals;
  return totalRows("credit", currency, [
    ["Opening balance", openingMinor],
    ...kindTotals(kinds),
    ["Fees, contained in the orders", feesMinor],
    ["Closing balance", closingMinor],
  ]);
};

const invoicedTotals = ({ currency, opening, closing, totals }: InvoicedStatement) => {
  const { feesMinor, ...kinds } = totals;
  return totalRows("invoice", currency, [
    ["Unpaid at the beginning", opening.unpaidMinor],
    ["To be refunded at the beginning", opening.toRefundMinor],
    ...kindTotals(kinds),
    ["Fees, contained in the orders", feesMinor],
    ["Unpaid", closing.unpaidMinor],
    ["To be refunded", closing.toRefundMinor],
    ["Owed at the end", owedMinor(closing)],
  ]);
};

type Total = [item: string, minor: number, entries?: number];

/** The kinds that have entries. */
const kindTotals = (totals: Partial<Record<keyof typeof KINDS, KindTotal>>): Total[] =>
  Object.entries(totals).flatMap(([kind, { entries, amountMinor }]): Total[] =>
    entries === 0 ? [] : [[KINDS[kind as keyof typeof KINDS], amountMinor, entries]],
  );

const totalRows = (ledger: "credit" | "invoice", currency: Currency, totals: readonly Total[]) =>
  totals.map(([item, minor, entries = null]) => ({
    ledger,
    currency,
    item,
    entries,
    amount: { minor, currency },
  }));
