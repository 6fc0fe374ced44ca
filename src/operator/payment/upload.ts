// Records the payments of a file.
import { change } from "../declaration/declare.ts";
import { requireOne } from "../declaration/input.ts";
import * as kinds from "../declaration/kinds.ts";
import {
  type ColumnNames,
  readColumnNames,
  COLUMNS_INPUT,
  rememberColumns,
} from "../column-names.ts";
import { unreadColumns, UnreadableFile } from "../files/unreadable-file.ts";
import { checkPayments } from "./check.ts";
import { PAYMENT_COLUMNS, type PaymentFile, readPaymentFile } from "./file.ts";
import { PAYMENTS, planPayments, recordPayments, REFERENCE } from "./record.ts";

const MAX_BYTES = 10_000_000;

/** Characters of pasted rows. */
const MAX_PASTED = 200_000;

const MAX_PAYMENTS = 5_000;

/** How many other rows are shown. */
const MAX_LISTED = 1_000;

const OTHER_ROW = {
  row: kinds.count("Row"),
  text: kinds.text("Text"),
  amount: kinds.text("Amount"),
};

/** Pays the orders of all rows or, if one cannot be paid, none. Several transactions. */
export const paymentUpload = change({
  name: "payment upload",
  title: "Upload payments",
  description:
    "A CSV file or pasted rows with a column order_number, or with client_id and order_ref_id, with amount, and optionally currency and reference, or a bank's file, whose texts have the numbers of orders. If a row cannot be paid, nothing is changed, and a file that was uploaded before changes nothing. Money that has left or is not settled, and money without an order, are listed and not recorded.",
  permission: "money",
  isGradual: true,
  input: {
    file: kinds.optional(kinds.option(kinds.file("File", { maxBytes: MAX_BYTES }))),
    rows: kinds.optional(
      kinds.lines("Or the rows", {
        max: MAX_PASTED,
        hint: "Pasted from a spreadsheet, with the names of the columns in the first line.",
      }),
    ),
    reference: {
      ...REFERENCE,
      hint: "Of rows without their own. The statement and the audit log show it.",
    },
    columns: COLUMNS_INPUT,
  },
  examples: ["--file payments.csv", '--file payments.csv --reference "Transfers of 4 May"'],
  preview: {
    lists: {
      problems: {
        title: "Rows that cannot be paid",
        columns: {
          row: kinds.count("Row"),
          order: kinds.text("Order"),
          reason: kinds.text("Reason"),
        },
      },
      payments: PAYMENTS,
      unnamed: { title: "Money that has come without an order", columns: OTHER_ROW },
      debits: {
        title: "Money of orders that has left or is not settled",
        columns: { ...OTHER_ROW, order: kinds.text("Order"), reason: kinds.text("Reason") },
      },
    },
  },
  result: { lists: { payments: PAYMENTS } },
  plan: async ({ DB, KV }, { file, rows = "", reference = null, columns }) => {
    requireOne({ file, rows: rows || undefined }, "file", "rows");
    const bytes = file?.bytes ?? new TextEncoder().encode(rows);
    const names = await readColumnNames({ KV }, "payments", PAYMENT_COLUMNS, columns);
    const read = readFile(bytes, names);
    const { known, faults } = await checkPayments(DB, read, reference);
    const warnings = unreadColumns(read.unread);
    const others = {
      unnamed: read.unnamed.slice(0, MAX_LISTED),
      debits: read.debits.slice(0, MAX_LISTED),
    };
    if (faults.length === 0) {
      const plan = planPayments(known);
      const lists = { ...plan.preview.lists, ...others };
      return { ...plan, columns, preview: { ...plan.preview, warnings, lists } };
    }
    const problems = faults.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0));
    const text = "Correct these rows first.";
    const preview = { text, warnings, lists: { problems, ...others }, hasProblems: true };
    return { ...planPayments([]), columns, preview };
  },
  run: async (context, plan) => {
    await rememberColumns(context, "payments", PAYMENT_COLUMNS, plan.columns);
    return recordPayments(context, plan);
  },
});

/** Errors: `UnreadableFile`. */
function readFile(
  bytes: Uint8Array,
  names: ColumnNames<keyof typeof PAYMENT_COLUMNS>,
): PaymentFile {
  const file = readPaymentFile(bytes, names);
  const count = file.payments.length + file.faults.length;
  if (count + file.debits.length + file.unnamed.length === 0) {
    throw new UnreadableFile("contains no payments");
  }
  if (count > MAX_PAYMENTS) {
    throw new UnreadableFile(`must have at most ${String(MAX_PAYMENTS)} payments`);
  }
  return file;
}
