// All entries of a client's statement.
import { customList } from "../declaration/declare.ts";
import { invalidPosition } from "../declaration/pages.ts";
import { readLedgers, STATEMENT_INPUT } from "./month.ts";
import { entriesIn, ledgersOf, STATEMENT_COLUMNS, type StatementLedger } from "./rows.ts";

/** Three round trips, two of them at once. */
export const statementEntries = customList({
  name: "statement entries",
  title: "Entries of a statement",
  description:
    "Each ledger begins and ends with what it has before and after the month. The balance of orders on invoice is what the client owes.",
  permission: "view",
  input: STATEMENT_INPUT,
  columns: STATEMENT_COLUMNS,
  empty: "There is no credit account, and there are no orders on invoice.",
  examples: ["acme --month 2026-11 --csv --output acme.csv"],
  page: async ({ DB, nowMs }, input, { after, limit }) => {
    const ledgers = ledgersOf(await readLedgers(DB, input, nowMs, false));
    const parts = partsOf(ledgers, after, limit);
    const statements = parts.map(({ ledger, from, end }) =>
      ledger.bindEntries(DB, entriesIn(ledger, from, end)),
    );
    const found = statements.length === 0 ? [] : await DB.batch(statements);
    const rows = parts.flatMap(({ ledger, from, end }, index) => {
      const { firstSequence, endSequence } = ledger.range;
      return [
        ...(from < firstSequence ? [ledger.opening] : []),
        ...(found[index]?.results ?? []).map((entry) => ledger.rowOf(entry as never)),
        ...ledger.late.slice(Math.max(from - endSequence, 0), Math.max(end - endSequence, 0)),
        ...(end > closingOf(ledger) ? [ledger.closing] : []),
      ];
    });
    return { rows, next: nextOf(ledgers, parts) };
  },
});

/** Rows of a ledger that follow each other. */
interface Part {
  ledger: StatementLedger;
  /** The number of the first row. */
  from: number;
  /** Exclusive. */
  end: number;
}

const keyOf = ({ kind, range }: StatementLedger) => `${kind}_${range.currency}`;

/** The number of the last row. */
const closingOf = ({ range, late }: StatementLedger) => range.endSequence + late.length;

/** The rows of the page after the position, which is that of the last row of the page before. Errors: `validation_error`. */
function partsOf(
  ledgers: readonly StatementLedger[],
  after: string | undefined,
  limit: number,
): Part[] {
  const [, key, number] = /^(\w+_[A-Z]{3})_(\d{1,15})$/.exec(after ?? "") ?? [];
  const start = after === undefined ? 0 : ledgers.findIndex((each) => keyOf(each) === key);
  if (start < 0) throw invalidPosition();
  let room = limit;
  return ledgers.slice(start).flatMap((ledger) => {
    const from = keyOf(ledger) === key ? Number(number) + 1 : ledger.range.firstSequence - 1;
    const end = Math.min(from + room, closingOf(ledger) + 1);
    if (from >= end) return [];
    room -= end - from;
    return [{ ledger, from, end }];
  });
}

/** The position of the page after these parts. Null if there is none. */
function nextOf(ledgers: readonly StatementLedger[], parts: readonly Part[]): string | null {
  const last = parts.at(-1);
  if (!last) return null;
  const isEnd = last.ledger === ledgers.at(-1) && last.end > closingOf(last.ledger);
  return isEnd ? null : `${keyOf(last.ledger)}_${String(last.end - 1)}`;
}
