// Reads CSV files of payments, such as a bank's export: the orders that were paid, with the bank's references.
import { type ColumnNames, presentColumns } from "../column-names.ts";
import type { CsvRow } from "../files/csv.ts";
import { camtAsCsv, isXml } from "./camt.ts";
import { type Amount, AMOUNT_COLUMNS, findAmountColumns, readAmounts } from "../files/amounts.ts";
import { cellReader, foldedColumn, readSpreadsheet } from "../files/table.ts";
import { dateReader } from "../files/dates.ts";
import { damageIn } from "../files/damage.ts";
import { excerpt, UnreadableFile } from "../files/unreadable-file.ts";
import { numbersIn, orderNumber, parseId, parseNumber } from "../../core/values/ids.ts";
import type { OrderName } from "./queries.ts";

/**
 * The names of each column. Case, spaces, hyphens, underscores and full stops do not matter. `text` is what the payer has
 * written, which contains the number of the order.
 */
export const PAYMENT_COLUMNS = {
  order: ["order_number", "order", "order_id"],
  client: ["client_id", "client"],
  orderRefId: ["order_ref_id"],
  text: [
    ...["text", "description", "transaction description", "narrative", "details", "memo"],
    ...["particulars", "payment details", "remittance information", "verwendungszweck"],
    ...["buchungstext", "betreff", "zahlungsgrund", "libelle", "motif", "communication"],
    ...["concepto", "descripcion", "causale", "descrizione", "descricao", "historico"],
    ...["omschrijving", "mededelingen"],
  ],
  ...AMOUNT_COLUMNS,
  /** The day of the booking, if there is no value date. */
  valueDate: [
    ...["value_date", "value date", "valuta", "valutadatum", "wertstellung", "wertstellungsdatum"],
    ...["date de valeur", "date valeur", "fecha valor", "fecha de valor", "data valuta"],
    ...["data valor", "rentedatum", "data waluty", "booking date", "transaction date"],
    ...["posting date", "date", "buchungstag", "buchungsdatum", "datum", "date operation"],
    ...["fecha", "fecha operacion", "data", "data operazione", "boekdatum"],
  ],
  currency: [
    ...["currency", "wahrung", "waehrung", "devise", "divisa", "moneda", "moeda", "munt", "waluta"],
  ],
  reference: [
    ...["reference", "bank reference", "payment reference", "transaction id", "referenz"],
    ...["kundenreferenz", "end to end referenz", "referencia", "numero de operacion"],
  ],
} as const;

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
  currency: string | null;
  reference: string | null;
  /** Noon of the value date. Null if the row has none. */
  valueAtMs: number | null;
}

/** A row that pays no order, for people to look at. */
type OtherRow = Omit<NamedPayment, "order" | "names">;

/** A payment that cannot be recorded, or money of an order that has left, or may leave. */
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
  unread: string[];
  /** Value dates that are not dates, or may be two days. */
  unclearDates: string[];
}

/** Those of a busy account for a year. */
const MAX_ROWS = 100_000;

/** The largest reference that the ledger stores. */
export const MAX_REFERENCE = 100;

type Columns = Record<keyof typeof PAYMENT_COLUMNS, string | undefined>;

/** Reads all rows of a CSV or camt.053 file. Errors: `UnreadableFile`, also if a column is missing. */
export function readPaymentFile(
  bytes: Uint8Array,
  names: ColumnNames<keyof typeof PAYMENT_COLUMNS> = PAYMENT_COLUMNS,
): PaymentFile {
  if (isXml(bytes)) return readPaymentFile(camtAsCsv(bytes));
  const table = readSpreadsheet(bytes, {
    maxRows: MAX_ROWS,
  });
  const columns = columnsOf(table.columns, names);
  if (!identifies(columns)) {
    throw new UnreadableFile(
      "must have a column amount, or credit and debit, and a column order_number, both columns client_id and order_ref_id, or a bank's column text. " +
        presentColumns(table.columns),
    );
  }
  const unread = table.unread(Object.values(columns));
  const amounts = readAmounts(table.rows, columns);
  const file: PaymentFile = {
    payments: [],
    faults: [],
    debits: [],
    unnamed: [],
    unread,
    unclearDates: [],
  };
  const dateOf = (row: CsvRow) => cellReader(row, columns)("valueDate");
  const readDate = dateReader(table.rows.map(dateOf));
  for (const [index, row] of table.rows.entries()) {
    const valueAtMs = readDate(dateOf(row)) ?? null;
    if (valueAtMs === null && /\d/.test(dateOf(row))) file.unclearDates.push(excerpt(dateOf(row)));
    addRow(file, row, columns, { money: amounts[index] ?? null, valueAtMs });
  }
  return withoutReturned(file);
}

/** The amount and the balance may each have the currency of the account beside them. */
function columnsOf(all: readonly string[], names: ColumnNames<keyof typeof PAYMENT_COLUMNS>) {
  const currencies = names.currency.map(foldedColumn);
  const isUsed = (name: string, n: number) =>
    all.map(foldedColumn).indexOf(foldedColumn(name)) === n ||
    !currencies.includes(foldedColumn(name));
  return findAmountColumns(all.filter(isUsed), names);
}

const HAS_LEFT = "has left";

/** A payment is listed with the debits if the file has a debit of the same order and amount. */
function withoutReturned(file: PaymentFile): PaymentFile {
  const keyOf = (order: string, amount: string | null) => `${order} ${String(Number(amount))}`;
  const debits = file.debits.filter(({ reason }) => reason === HAS_LEFT);
  const left = Map.groupBy(debits, ({ order, amount }) => keyOf(order, amount));
  const payments = file.payments.filter((payment) => {
    const debit = left.get(keyOf(payment.order, payment.amount))?.shift();
    const reason = `was taken back in row ${String(debit?.row)}`;
    if (debit) file.debits.push({ ...payment, reason });
    return !debit;
  });
  return { ...file, payments };
}

/** Whether the rows can name orders, and have amounts. */
const identifies = (columns: Columns): boolean =>
  (columns.amount ?? columns.credit) !== undefined &&
  ((columns.order ?? columns.text ?? columns.reference) !== undefined ||
    (columns.client !== undefined && columns.orderRefId !== undefined));

function addRow(
  file: PaymentFile,
  row: CsvRow,
  columns: Columns,
  { money, valueAtMs }: { money: Amount | string | null; valueAtMs: number | null },
) {
  const get = cellReader(row, columns);
  const [clientId, orderRefId] = [get("client"), get("orderRefId")];
  const isNamed = columns.order !== undefined || orderRefId !== "";
  const found = numbersIn(isNamed ? get("order") : `${get("text")} ${get("reference")}`);
  const ids = [...new Set(found.map(({ orderId }) => orderId))];
  const isFound = ids.length > (isNamed ? 1 : 0);
  const order = isFound ? ids.map(orderNumber).join(", ") : get("order");
  const text = excerpt(order || orderRefId);
  const { amount, direction, ...read } = typeof money === "object" && money ? money : NO_AMOUNT;
  const other = {
    row: row.number,
    text: excerpt(get("text") || get("reference") || text),
    amount,
    currency: get("currency").toUpperCase() || read.currency,
    reference: excerpt(get("reference")) || null,
    valueAtMs,
  };
  const fault = (reason: string) =>
    file.faults.push({ ...other, order: text, reason: excerpt(reason) });
  if (row.fault !== undefined) return fault(row.fault);
  if (direction === "out" || direction === "unsettled") {
    const status = get("status");
    const reason = direction === "out" ? HAS_LEFT : `is not settled${status && `: ${status}`}`;
    return text === "" ? null : file.debits.push({ ...other, order: text, reason });
  }
  if (!isNamed && !isFound) return money === null ? null : file.unnamed.push(other);
  const damage = damageIn(order) ?? damageIn(orderRefId) ?? damageIn(get("reference"));
  if (damage !== undefined) return fault(`has a cell that ${damage}`);
  const name = isFound ? null : nameOf({ order, clientId, orderRefId }, isIdColumn(columns));
  if (typeof name === "string") return fault(name);
  if (typeof money === "string") return fault(money);
  if (amount === null) return fault("has no amount");
  if (get("reference").length > MAX_REFERENCE) {
    return fault(`has a reference of more than ${String(MAX_REFERENCE)} characters`);
  }
  const names = name === null ? ids.map((id) => ({ id })) : [name];
  return file.payments.push({ ...other, order: text, names });
}

const NO_AMOUNT = { amount: null, direction: null, currency: null };

/** Another column may contain a counter of the bank or the shop, which must not be taken for ids. */
const isIdColumn = ({ order }: Columns) => foldedColumn(order ?? "") === foldedColumn("order_id");

/** The order, or why the cells do not name one. */
function nameOf(
  { order, clientId, orderRefId }: Record<"order" | "clientId" | "orderRefId", string>,
  hasIds: boolean,
) {
  if (order !== "") {
    const id = (hasIds ? parseId(order) : undefined) ?? parseNumber(order)?.orderId;
    return id === undefined ? `must have an order number such as GO-00042: ${order}` : { id };
  }
  if (orderRefId === "") return "has no order";
  if (clientId === "") return "has an order_ref_id and no client_id";
  return { clientId, orderRefId };
}
