// Records the payments of a file.
import { change } from "../declaration/declare.ts";
import { requireOne } from "../declaration/input.ts";
import * as kinds from "../declaration/kinds.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { formatDay } from "../../core/values/time.ts";
import {
  type ColumnNames,
  readColumnNames,
  COLUMNS_INPUT,
  rememberColumns,
} from "../column-names.ts";
import { unreadColumns, UnreadableFile } from "../files/unreadable-file.ts";
import { checkPayments, isFurther } from "./check.ts";
import { findByReference } from "./match.ts";
import { PAYMENT_COLUMNS, type PaymentFile, readPaymentFile } from "./file.ts";
import { PAYMENTS, planPayments, recordPayments, REFERENCE } from "./record.ts";

const MAX_BYTES = 10_000_000;

/** Characters of pasted rows. */
const MAX_PASTED = 200_000;

const MAX_PAYMENTS = 5_000;

/** How many other rows are shown. */
const MAX_LISTED = 1_000;

/** The names of the columns are those of a file, so that the rows can be uploaded again. */
const ROW = {
  row: kinds.count("Row"),
  order: kinds.text("Order"),
  amount: kinds.text("Amount"),
  currency: kinds.text("Currency"),
  reference: kinds.text("Bank reference"),
  text: kinds.text("Text"),
  value_date: kinds.from("valueAtMs", kinds.time("Value date")),
};

const download = "Download these rows";

const LEFT_OUT = {
  title: "Rows that are not recorded",
  download,
  columns: { ...ROW, reason: kinds.text("Reason") },
};

/** Several transactions. A row that cannot be recorded does not prevent the others from being recorded. */
export const paymentUpload = change({
  name: "payment upload",
  title: "Upload payments",
  description:
    "A CSV file or pasted rows with a column order_number, or with client_id and order_ref_id, with amount, and optionally currency, reference and value_date, or a bank's file, whose texts have the numbers of orders. Instead of it, a bank's camt.053 file. A transfer for several orders pays them if it is what they owe together. Rows that cannot be recorded are left out and listed, as are money that has left or is not settled, further payments of paid orders, and money without an order, with unpaid orders whose references its text has. A file that was uploaded before changes nothing.",
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
    overpaid: kinds.optional(
      kinds.flag("Book overpayments as credit", {
        hint: "If a row pays more than its order owes, or an order that is paid. Without it, such rows are left out.",
      }),
    ),
    columns: COLUMNS_INPUT,
  },
  examples: ["--file payments.csv", '--file payments.csv --reference "Transfers of 4 May"'],
  preview: {
    lists: {
      problems: LEFT_OUT,
      payments: PAYMENTS,
      unnamed: { ...LEFT_OUT, title: "Money that has come without an order" },
      debits: { ...LEFT_OUT, title: "Money of orders that has left or is not settled" },
    },
  },
  result: { lists: { problems: LEFT_OUT, payments: PAYMENTS } },
  plan: async ({ DB, KV, nowMs }, { file, rows = "", reference = null, overpaid, columns }) => {
    requireOne({ file, rows: rows || undefined }, "file", "rows");
    const bytes = file?.bytes ?? new TextEncoder().encode(rows);
    const names = await readColumnNames({ KV }, "payments", PAYMENT_COLUMNS, columns);
    const read = readFile(bytes, names);
    const { known, faults } = await checkPayments(DB, read, {
      reference,
      valueAtMs: null,
      today: formatDay(nowMs),
      mayOverpay: overpaid,
    });
    const problems = faults.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0));
    const hasProblems = problems.length > 0;
    const shown = read.unnamed.slice(0, MAX_LISTED);
    const texts = shown.map((row) => `${row.text} ${row.reference ?? ""}`);
    const orders = await findByReference(DB, texts);
    const further = overpaid ? [] : known.filter(isFurther);
    const unnamed = [
      ...further.map((row) => ({ ...row, order: orderNumber(row.order.id), reason: PAID })),
      ...shown.map((row, n) => ({ ...row, order: orders[n]?.join(", ") || null, reason: null })),
    ];
    const plan = planPayments(overpaid ? known : known.filter((each) => !isFurther(each)));
    const debits = read.debits.slice(0, MAX_LISTED);
    const lists = { ...plan.preview.lists, problems, unnamed, debits };
    const { unread, unclearDates } = read;
    const warnings = [
      ...unreadColumns(unread),
      ...(unclearDates.length > 0
        ? [`${UNCLEAR_DATES} ${unclearDates.slice(0, 5).join(", ")}.`]
        : []),
    ];
    return {
      ...plan,
      columns,
      preview: { ...plan.preview, warnings, lists, ...(hasProblems && { hasProblems }) },
    };
  },
  run: async (context, plan) => {
    await rememberColumns(context, "payments", PAYMENT_COLUMNS, plan.columns);
    const { problems } = plan.preview.lists;
    const done = await recordPayments(context, plan);
    return {
      ...done,
      lists: { ...done.lists, problems },
      ...((done.hasProblems || problems.length > 0) && { hasProblems: true }),
    };
  },
});

const PAID = "is paid by another payment";

const UNCLEAR_DATES = "Rows whose value date is not clear count as of today:";

/** Errors: `UnreadableFile`. */
function readFile(
  bytes: Uint8Array,
  names: ColumnNames<keyof typeof PAYMENT_COLUMNS>,
): PaymentFile {
  const file = readPaymentFile(bytes, names);
  const count = file.payments.flatMap(({ names }) => names).length + file.faults.length;
  if (count + file.debits.length + file.unnamed.length === 0) {
    throw new UnreadableFile("contains no payments");
  }
  if (count > MAX_PAYMENTS) {
    throw new UnreadableFile(`must have at most ${String(MAX_PAYMENTS)} payments`);
  }
  return file;
}
