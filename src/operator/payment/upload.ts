// Records the payments of a file.
import { change } from "../declaration/declare.ts";
import { requireOne } from "../declaration/input.ts";
import * as kinds from "../declaration/kinds.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { formatDay } from "../../core/values/time.ts";
import { DESK_INPUTS } from "../files/desk/answers.ts";
import { deskFor, READ_AS } from "../files/desk/desk.ts";
import { unreadColumns, UnreadableFile } from "../files/unreadable-file.ts";
import { checkPayments, isFurther } from "./check.ts";
import { findByReference } from "./match.ts";
import { CAMT, camtAsCsv, isXml } from "./camt.ts";
import { namesOrder, PAYMENT_DESK, type PaymentFile, readPaymentFile } from "./file.ts";
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

const LEFT_OUT = {
  title: "Rows that are not recorded",
  download: "Download these rows",
  columns: { ...ROW, reason: kinds.text("Reason") },
};

const SCOPE = "payment upload";

/** Several transactions. A row that cannot be recorded does not prevent the others from being recorded. */
export const paymentUpload = change({
  name: SCOPE,
  title: "Upload payments",
  description:
    "A bank's CSV or camt.053 file, or pasted rows, with amounts and with the numbers of orders in any text, or with columns client_id and order_ref_id. If it is not certain which column has the amount, or which rows are money on your account, you are asked, and the answer is remembered for files with the same columns. A transfer for several orders pays them if it is what they owe together. Rows that cannot be recorded are left out and listed, as are money that has left or does not count, further payments of paid orders, and money without an order, with unpaid orders whose references its text has. A file that was uploaded before changes nothing.",
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
    ...DESK_INPUTS,
  },
  examples: [
    "--file payments.csv",
    '--file payments.csv --reference "Transfers of 4 May"',
    "--file statement.csv --columns 'amount = Betrag' --only 'Status is Completed'",
  ],
  preview: {
    lists: {
      problems: LEFT_OUT,
      payments: PAYMENTS,
      unnamed: { ...LEFT_OUT, title: "Money that has come without an order" },
      debits: { ...LEFT_OUT, title: "Money of orders that has left or does not count" },
      read_as: READ_AS,
    },
  },
  result: { lists: { problems: LEFT_OUT, payments: PAYMENTS } },
  plan: async (context, { file, rows = "", reference = null, overpaid, columns, only }) => {
    const { DB, nowMs } = context;
    requireOne({ file, rows: rows || undefined }, "file", "rows");
    const bytes = file?.bytes ?? new TextEncoder().encode(rows);
    const isCamt = isXml(bytes);
    const desk = await deskFor(
      context,
      SCOPE,
      isCamt ? camtAsCsv(bytes) : bytes,
      isCamt ? CAMT : { columns, only },
      PAYMENT_DESK,
    );
    const read = readPaymentFile(desk, isCamt);
    if (desk.isClear) checkSize(read);
    const { known, faults } = await checkPayments(DB, read, {
      reference,
      valueAtMs: null,
      today: formatDay(nowMs),
      mayOverpay: overpaid,
    });
    const problems = faults.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0));
    const shown = read.unnamed.slice(0, MAX_LISTED);
    const texts = shown.map((row) => `${row.text} ${row.reference ?? ""}`);
    const matches = await findByReference(DB, texts);
    const further = overpaid ? [] : known.filter(isFurther);
    const unnamed = [
      ...further.map((row) => ({ ...row, order: orderNumber(row.order.id), reason: PAID })),
      ...shown.map((row, n) => ({ ...row, order: matches[n]?.join(", ") || null, reason: null })),
    ];
    const plan = planPayments(overpaid ? known : known.filter((each) => !isFurther(each)));
    const booked = new Set(plan.booked.map(({ row }) => row));
    const orders = new Set(
      read.payments.flatMap((each) => (booked.has(each.row) ? each.order : [])),
    );
    // If the row that would pay an order does not count, another one may pay it.
    const candidates = read.payments.filter(({ order }) => orders.has(order));
    const changing = new Set(candidates.map(({ row }) => row));
    const debits = read.debits.slice(0, MAX_LISTED);
    const read_as = desk.readAs();
    const lists = { ...plan.preview.lists, problems, unnamed, debits, read_as };
    const unclear = read.unclearDates.slice(0, 5).join(", ");
    const warnings = [
      ...desk.warnings(),
      ...unreadColumns([...read.uncounted], "Rows without an order"),
      ...(unclear === ""
        ? []
        : [`Rows whose value date is not clear count as of today: ${unclear}.`]),
    ];
    const paying = desk.rows.filter(({ number }) => changing.has(number));
    return {
      ...plan,
      problems,
      desk,
      questions: desk.questions(paying, namesOrder),
      preview: desk.isClear
        ? { ...plan.preview, warnings, lists, ...(problems.length > 0 && { hasProblems: true }) }
        : { warnings, lists: { read_as } },
    };
  },
  run: async (context, plan) => {
    const { desk, problems } = plan;
    await desk.keep();
    const done = await recordPayments(context, plan, desk.note());
    return {
      ...done,
      lists: { ...done.lists, problems },
      ...((done.hasProblems || problems.length > 0) && { hasProblems: true }),
    };
  },
});

const PAID = "is paid by another payment";

/** Errors: `UnreadableFile`. */
function checkSize({ payments, faults, debits, unnamed }: PaymentFile) {
  const count = payments.flatMap(({ names }) => names).length + faults.length;
  if (count + debits.length + unnamed.length === 0) {
    throw new UnreadableFile("contains no payments");
  }
  if (count > MAX_PAYMENTS) {
    throw new UnreadableFile(`must have at most ${String(MAX_PAYMENTS)} payments`);
  }
}
