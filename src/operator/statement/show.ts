// A client's statement of a month: what it had, ordered and paid.
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import type { EntryRange } from "./ledger-range.ts";
import { isFinalAt, PROVISIONAL, readLedgers, STATEMENT_INPUT } from "./month.ts";
import {
  addsUp,
  entriesIn,
  ledgersOf,
  STATEMENT_COLUMNS,
  type StatementLedger,
  sumOf,
} from "./rows.ts";

/** The largest number of entries of each ledger that are shown. */
export const MAX_SHOWN = 2_000;

/** Three round trips, two of them at once. */
export const statementShow = view({
  name: "statement",
  title: "Statement",
  description:
    "What a client has ordered and paid in a month. An order on invoice is in the month in which it was placed; its cancellations, payment and refund are in the months in which they were made, or in those of their value dates. Amounts are net of tax.",
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
      number: kinds.text("Number"),
      issued: kinds.time("Issued"),
      sender: kinds.lines("Sender"),
      addressee: kinds.lines("Addressee"),
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
    const month = await readLedgers(DB, input, nowMs, true);
    const ledgers = ledgersOf(month);
    const statements = ledgers.map((ledger) => {
      const end = ledger.range.firstSequence + input.entries;
      return ledger.bindEntries(DB, entriesIn(ledger, 1, end));
    });
    const found = ledgers.length === 0 ? [] : await DB.batch(statements);
    const shown = [...new Set(ledgers.flatMap(({ numbered }) => numbered ?? []))];
    const [first] = shown;
    const isFinal = isFinalAt(month, nowMs);
    return {
      ...(ledgers.length === 0 && { text: NOTHING }),
      facts: {
        company: month.clientName,
        month: month.month,
        final: isFinal,
        ...(first && {
          number: shown
            .map(({ name, currency }) => (shown.length > 1 ? `${name} (${currency})` : name))
            .join(", "),
          issued: first.createdAtMs,
          sender: first.sender,
          addressee: first.addressee,
        }),
      },
      lists: {
        totals: ledgers.flatMap(totalRows),
        entries: ledgers.flatMap(({ rowOf, late }, index) => [
          ...(found[index]?.results ?? []).map((entry) => rowOf(entry as never)),
          ...late.slice(0, input.entries),
        ]),
      },
      warnings: [
        ...(isFinal ? [] : [PROVISIONAL]),
        ...ledgers.flatMap(({ range }) => hiddenText(range, input.entries)),
      ],
      actions: ["credit show"],
    };
  },
});

const NOTHING = "There is no credit account, and there are no orders on invoice.";

/** The sequences of a ledger have no gaps. */
function hiddenText({ currency, firstSequence, endSequence }: EntryRange, shown: number): string[] {
  const hidden = endSequence - firstSequence - shown;
  if (hidden <= 0) return [];
  return [`Entries in ${currency} that are not shown: ${hidden.toLocaleString("en")}.`];
}

/** The items of all ledgers, in the order of a statement. */
const ITEMS = [
  ...["Top-ups", "Corrections of top-ups", "Paid for orders", "Cancelled gifts", "Expired gifts"],
  ...["Orders", "Ended before payment", "Payments", "Ended after payment", "Refunded"],
];

/** Errors: if the entries do not add up. */
function totalRows(ledger: StatementLedger) {
  const { totals, range } = ledger;
  const { currency } = range;
  if (!addsUp(ledger)) {
    throw new Error(`a ledger of ${ledger.kind} in ${currency} does not add up`);
  }
  const row = (item: string, minor: number, entries: number | null = null) => ({
    ledger: ledger.kind,
    currency,
    item,
    entries,
    amount: { minor, currency },
  });
  const rows = (sums: StatementLedger["before"]) =>
    Object.entries(sums).map(([item, minor]) => row(item, minor));
  return [
    ...rows(ledger.before),
    ...totals
      .toSorted((a, b) => ITEMS.indexOf(a.item) - ITEMS.indexOf(b.item))
      .map(({ item, amountMinor, entries }) => row(item, amountMinor, entries)),
    row("Fees, contained in the orders", sumOf(totals, "feesMinor")),
    ...rows(ledger.after),
  ];
}
