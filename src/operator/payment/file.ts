// Reads files of payments, such as a bank's export: the orders that were paid, with the bank's references.
import { numbersIn, orderNumber, parseId, parseNumber } from "../../core/values/ids.ts";
import { amountIn, amountReader, isCurrency, isMoney } from "../files/amounts.ts";
import type { CsvRow } from "../files/csv.ts";
import { damageIn } from "../files/damage.ts";
import { isDay } from "../files/dates.ts";
import { type DeskField, mostly } from "../files/desk/columns.ts";
import type { Desk, DeskRequest } from "../files/desk/desk.ts";
import { isNothing } from "../files/numbers.ts";
import { plainCell } from "../files/table.ts";
import { excerpt } from "../files/unreadable-file.ts";
import type { OrderName } from "./queries.ts";

const areDays = (texts: readonly string[]) =>
  mostly(texts, (text) => text.length > 5 && isDay(text) && !isMoney(text));

/** Amounts of which some are left out, as in a column for debits or credits only. */
const areSomeAmounts = (texts: readonly string[]) => {
  const amounts = texts.filter((text) => /[1-9]/.test(text));
  return amounts.length < texts.length && mostly(amounts, (text) => amountIn(text) !== undefined);
};

/** The fields of a file. */
export const PAYMENT_FIELDS = {
  order: { label: "Order", names: "order number, order" },
  order_id: { label: "Order (its id)", names: "order id" },
  client: { label: "Client", names: "client id, client" },
  order_ref_id: { label: "Client's reference", names: "order ref id" },
  amount: {
    label: "Amount (of credits, if debits have their own column)",
    names:
      "amount, transaction amount, credit, credits, credit amount, paid in, money in, deposit, deposits",
    isStrict: true,
    looks: (texts) => mostly(texts, isMoney),
  },
  debit: {
    label: "Amount of debits (if they have their own column)",
    names: "debit, debits, debit amount, paid out, money out, withdrawal, withdrawals",
    isStrict: true,
    looks: (texts) => areSomeAmounts(texts) && !areDays(texts),
  },
  value_date: {
    label: "Value date",
    names: "value date, booking date, posting date, transaction date, completed date, date",
    isDay: true,
    looks: areDays,
  },
  currency: {
    label: "Currency",
    names: "currency, currency code",
    looks: (texts) => mostly(texts, isCurrency),
  },
  reference: {
    label: "Bank reference",
    names: "reference, bank reference, payment reference, transaction id",
  },
  text: {
    label: "Text",
    names:
      "text, description, transaction description, narrative, details, memo, particulars, payment details, remittance information",
  },
  payer: { label: "Payer", names: "payer, payer name, name, counterparty, customer" },
} as const satisfies Record<string, DeskField>;

type PaymentDesk = Desk<keyof typeof PAYMENT_FIELDS>;

/** A payment that the file or the command line names. */
export interface NamedPayment {
  /** The number of the row in a spreadsheet. Null for the command line. */
  row: number | null;
  /** What the payer has written, or the order as it was named. */
  text: string;
  /** The order as it was named. */
  order: string;
  names: readonly OrderName[];
  /** Null for the command line. Otherwise it must be that of the orders, whose currency it has. */
  amount: string | null;
  /** See `ReadAmount`. */
  inThousandths?: string | null;
  currency: string | null;
  reference: string | null;
  /** Noon of the value date. Null if the row has none. */
  valueAtMs: number | null;
}

/** A row that pays no order, for people to look at. */
type OtherRow = Omit<NamedPayment, "order" | "names">;

/** A payment that cannot be recorded, or a row of an order that is not to be paid. */
export type PaymentFault = OtherRow & {
  /** As it was named. */
  order: string;
  /** Follows "row 12", as in "row 12 has no order". */
  reason: string;
};

export interface PaymentFile {
  payments: NamedPayment[];
  faults: PaymentFault[];
  debits: PaymentFault[];
  /** Money that has come, without an order. */
  unnamed: OtherRow[];
  /** The answers that leave such money out. */
  uncounted: Set<string>;
  /** Value dates that are not dates. */
  unclearDates: string[];
}

/** The largest reference that the ledger stores. */
export const MAX_REFERENCE = 100;

const ordersIn = (text: string) => numbersIn(text).map(({ orderId }) => orderId);

const textsOf = (row: CsvRow) => row.columns.map((column) => plainCell(row.get(column)));

/** Amounts, days and the texts of payers say nothing of whether a row counts. */
const isData = (texts: readonly string[]) =>
  mostly(texts, isMoney) || areDays(texts) || texts.some((text) => ordersIn(text).length > 0);

export const PAYMENT_DESK: DeskRequest<keyof typeof PAYMENT_FIELDS> = {
  fields: PAYMENT_FIELDS,
  needs: [{ keys: ["amount"] }],
  counts: "is money on your account",
  isData,
  // Those of a busy account for a year.
  maxRows: 50_000,
};

/** `isSigned`: whether debits have a sign even if there are none. */
export function readPaymentFile(desk: PaymentDesk, isSigned: boolean): PaymentFile {
  const uncounted = new Set<string>();
  const lists = { payments: [], faults: [], debits: [], unnamed: [], unclearDates: [] };
  const file: PaymentFile = { ...lists, uncounted };
  const all = desk.rows.map((row) => ({ row, money: moneyIn(desk, row) }));
  const amountOf = amountReader(all.flatMap(({ money }) => money?.number ?? []));
  const readDay = desk.dayReader("value_date", false);
  for (const { row, money } of all) {
    const day = desk.cells(row)("value_date");
    const valueAtMs = readDay(day) ?? null;
    if (valueAtMs === null && /\d/.test(day)) file.unclearDates.push(excerpt(day));
    const read = money?.number === undefined ? undefined : amountOf(money.number);
    addRow(file, row, { desk, money, amount: null, ...read, valueAtMs });
  }
  return withoutReturned(file, isSigned || all.some(({ money }) => money?.isOut));
}

/** Whether a text of the row has the number of an order. */
export const namesOrder = (row: CsvRow): boolean =>
  textsOf(row).some((text) => ordersIn(text).length > 0);

interface Money {
  /** Undefined if it is not an amount. */
  number?: string;
  isOut: boolean;
  currency: string | null;
  fault: string | null;
}

/** The amount of a row. If its column or its sign marks it as a debit, it is one. Null if the row has none. */
function moneyIn(desk: PaymentDesk, row: CsvRow): Money | null {
  const cells = (["amount", "debit"] as const).flatMap((key) => {
    const text = desk.cells(row)(key);
    if (isNothing(text)) return [];
    const read = amountIn(text, desk.nameOf(key));
    const fault = read ? null : wrongAmount(text);
    return { currency: null, fault, ...read, isOut: key === "debit" || read?.isOut === true };
  });
  const given = cells.filter(({ number }: Money) => /[1-9]/.test(number ?? "1"));
  const [cell = cells[0], other] = given;
  return cell ? { ...cell, ...(other && { fault: "has a credit and a debit" }) } : null;
}

const wrongAmount = (text: string) => `must have an amount such as 1027.50: ${text}`;

const HAS_LEFT = "has left";

/**
 * A payment is listed with the debits if the file has a debit of the same order and amount. Without signs, a debit may be
 * any row that does not count.
 */
function withoutReturned(file: PaymentFile, isSigned: boolean): PaymentFile {
  const keyOf = (order: string, amount: string | null) => `${order} ${String(Number(amount))}`;
  const debits = file.debits.filter(({ reason }) => !isSigned || reason === HAS_LEFT);
  const left = Map.groupBy(debits, ({ order, amount }) => keyOf(order, amount));
  const payments = file.payments.filter((payment) => {
    const debit = left.get(keyOf(payment.order, payment.amount))?.shift();
    const debitRow = `row ${String(debit?.row)}`;
    const reason = isSigned
      ? `was taken back in ${debitRow}`
      : `has the order and the amount of ${debitRow}, which does not count`;
    if (debit) file.debits.push({ ...payment, reason });
    return !debit;
  });
  return { ...file, payments };
}

function addRow(
  file: PaymentFile,
  row: CsvRow,
  {
    desk,
    money,
    ...read
  }: Pick<NamedPayment, "amount" | "inThousandths" | "valueAtMs"> & {
    desk: PaymentDesk;
    money: Money | null;
  },
) {
  const get = desk.cells(row);
  const given = get("order") || get("order_id");
  const orderRefId = get("order_ref_id");
  const isNamed = given !== "" || orderRefId !== "";
  const texts = isNamed ? [given] : textsOf(row);
  const naming = texts.filter((text) => ordersIn(text).length > 0);
  const ids = [...new Set(naming.flatMap(ordersIn))];
  const isFound = ids.length > (isNamed ? 1 : 0);
  const order = isFound ? ids.map(orderNumber).join(", ") : given;
  const name = excerpt(order || orderRefId);
  const words = isFound ? naming : texts.filter((text) => /\p{L}/u.test(text));
  const other = {
    ...read,
    row: row.number,
    text: excerpt(get("text") || (!isNamed && words.join(" ")) || get("reference") || name),
    currency: get("currency").toUpperCase() || (money?.currency ?? null),
    reference: excerpt(get("reference")) || null,
  };
  const fault = (reason: string) =>
    file.faults.push({ ...other, order: name, reason: excerpt(reason) });
  const isOut = money?.isOut === true;
  const leftOut = desk.leftOut(row, !isOut && name !== "");
  if (row.fault !== undefined) return fault(row.fault);
  if (isOut || leftOut !== null) {
    const reason = isOut ? HAS_LEFT : excerpt(leftOut ?? "");
    if (name !== "") return file.debits.push({ ...other, order: name, reason });
    return isOut || money === null
      ? null
      : file.uncounted.add(reason.replace("does not count: ", ""));
  }
  if (name === "") return money === null ? null : file.unnamed.push(other);
  const damage = damageIn(order) ?? damageIn(orderRefId) ?? damageIn(get("reference"));
  if (damage !== undefined) return fault(`has a cell that ${damage}`);
  const named = isFound ? ids.map((id) => ({ id })) : nameOf(get);
  if (typeof named === "string") return fault(named);
  if (money === null) return fault("has no amount");
  if (money.fault !== null) return fault(money.fault);
  if (read.amount === null) return fault(wrongAmount(money.number ?? ""));
  if (get("reference").length > MAX_REFERENCE) {
    return fault(`has a reference of more than ${String(MAX_REFERENCE)} characters`);
  }
  return file.payments.push({ ...other, order: name, names: named });
}

/**
 * The order, or why the cells do not name one. Another column than that of ids may contain a counter of the bank or the
 * shop, which must not be taken for ids.
 */
function nameOf(get: ReturnType<PaymentDesk["cells"]>): OrderName[] | string {
  const [order, orderId] = [get("order"), get("order_id")];
  const [clientId, orderRefId] = [get("client"), get("order_ref_id")];
  if ((order || orderId) === "") {
    return clientId === "" ? "has an order_ref_id and no client_id" : [{ clientId, orderRefId }];
  }
  const id = parseNumber(order || orderId)?.orderId ?? (order ? undefined : parseId(orderId));
  return id === undefined
    ? `must have an order number such as GO-00042: ${order || orderId}`
    : [{ id }];
}
