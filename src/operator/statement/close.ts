// Closes a month: numbers its statements.
import { refusal, validationError } from "../../core/api-error.ts";
import { plural } from "../../core/values/plural.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { numberStatements, readSender } from "./closing-queries.ts";
import { readMonths, statementList } from "./list.ts";
import { isFinalAt, monthOf, PROVISIONAL } from "./month.ts";

const STATEMENTS = {
  title: "Statements",
  columns: statementList.columns,
  empty: "All statements of the month are numbered.",
};

/** One transaction. */
export const statementClose = change({
  name: "statement close",
  title: "Close the month",
  description:
    "Numbers the statements of all clients that have entries in the month. The numbers of a year have no gaps. A numbered statement never changes: a later booking with a value date in the month counts in the month after it. If a month is closed again, only statements without a number get one.",
  permission: "money",
  isFinal: true,
  input: {
    month: kinds.month("Month (UTC)"),
    sender: kinds.optional(
      kinds.lines("Sender", {
        max: 1_000,
        hint: "Your company with its address, tax number and bank account. Without it, that of the last statement.",
      }),
    ),
  },
  examples: ['--month 2026-05 --sender "Regalo Ltd, 1 Example Street" --reason "Month end"'],
  present: async ({ DB }) => ({ sender: await readSender(DB) }),
  preview: { lists: { statements: STATEMENTS } },
  result: { lists: { statements: STATEMENTS } },
  plan: async ({ DB, nowMs }, { month: given, sender: newSender }) => {
    const month = monthOf(given, nowMs);
    if (!isFinalAt(month, nowMs)) throw refusal(PROVISIONAL);
    const [sender, months] = await Promise.all([
      newSender ?? readSender(DB),
      readMonths(DB, month),
    ]);
    const statements = months.filter(({ number, hasEntries }) => number === null && hasEntries);
    const count = statements.length;
    if (sender === null) {
      throw validationError([{ field: "sender", message: "is required for the first statement" }]);
    }
    return {
      closing: { ...month, sender },
      will: count === 0 ? null : `number ${plural(count, "statement")} of ${given}`,
      subjects: [{ type: "statement", keys: [given] }],
      // Open gifts change by themselves.
      confirms: statements.map(({ key, closing, missing }) => [key, closing, missing]),
      preview: { lists: { statements } },
    };
  },
  run: async ({ DB, nowMs }, { closing }) => {
    const count = await numberStatements(DB, { ...closing, nowMs });
    const months = await readMonths(DB, closing);
    return {
      text: `${plural(count, "statement")} of ${closing.month} numbered.`,
      lists: { statements: months.filter(({ number }) => number !== null) },
    };
  },
});
