// Reads CSV files of payments, such as a bank's export: the orders that were paid, with the bank's references.
import { type ColumnNames, presentColumns } from "../column-names.ts";
import type { CsvRow } from "../files/csv.ts";
import { type DecimalMark, decimalMarkOf, readNumber } from "../files/numbers.ts";
import { cellReader, findColumns, folded, readSpreadsheet } from "../files/spreadsheet.ts";
import { damageIn } from "../files/damage.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";
import { parseId, parseOrderNumber } from "../../core/values/ids.ts";
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
    ...[
      "text",
      "description",
      "transaction description",
      "narrative",
      "details",
      "memo",
      "particulars",
    ],
    ...["payment details", "remittance information", "verwendungszweck", "buchungstext", "betreff"],
    ...["zahlungsgrund", "libelle", "motif", "communication", "concepto", "descripcion"],
    ...["causale", "descrizione", "descricao", "historico", "omschrijving", "mededelingen"],
  ],
  amount: [
    ...["amount", "credit", "credit amount", "paid in", "money in", "betrag", "umsatz", "haben"],
    ...["gutschrift", "montant", "importe", "abono", "haber", "importo", "valor", "bedrag"],
  ],
  currency: ["currency", "wahrung", "devise", "divisa", "moneda", "moeda"],
  reference: [
    ...["reference", "bank reference", "payment reference", "transaction id", "referenz"],
    ...["kundenreferenz", "end to end referenz", "referencia", "numero de operacion"],
  ],
} as const;

/** A payment that the file or the command line names. */
export interface NamedPayment {
  /** The number of the row in a spreadsheet. Null for the command line. */
  row: number | null;
  /** The order as it was named. */
  text: string;
  name: OrderName;
  /** Null if the row does not have them. Otherwise they must be those of the order, whose currency the amount has. */
  amount: string | null;
  currency: string | null;
  reference: string | null;
}

/** A payment that cannot be recorded. */
export type PaymentFault = {
  row: number | null;
  /** As it was named. */
  order: string;
  /** Follows "row 12", as in "row 12 has no order". */
  reason: string;
};

export interface PaymentFile {
  payments: NamedPayment[];
  faults: PaymentFault[];
  /** The number of rows of a bank's file that pay no order. */
  others: number;
}

/** The largest reference that the ledger stores. */
export const MAX_REFERENCE = 100;

type Columns = Record<keyof typeof PAYMENT_COLUMNS, string | undefined>;

/** Reads all rows. Errors: `UnreadableFile` if it is not a CSV file, or if a column is missing. */
export function readPaymentFile(
  bytes: Uint8Array,
  names: ColumnNames<keyof typeof PAYMENT_COLUMNS> = PAYMENT_COLUMNS,
): PaymentFile {
  const table = readSpreadsheet(bytes, {
    isHeader: (fields) => identifies(findColumns(fields, names)),
  });
  const columns = findColumns(table.columns, names);
  if (!identifies(columns)) {
    throw new UnreadableFile(
      "has neither a column order_number, nor both columns client_id and order_ref_id, nor a bank's columns text and amount. " +
        presentColumns(table.columns),
    );
  }
  const amounts = table.rows.map((row) => amountText(cellReader(row, columns)("amount")));
  // What is read wrongly here differs from what the order owes.
  const mark = decimalMarkOf(amounts, ".");
  const file: PaymentFile = { payments: [], faults: [], others: 0 };
  for (const row of table.rows) {
    const read = readRow(row, columns, mark);
    if (read === null) file.others += 1;
    else if ("reason" in read) file.faults.push(read);
    else file.payments.push(read);
  }
  return file;
}

/** Whether the rows can name orders. */
const identifies = ({ order, client, orderRefId, text, reference, amount }: Columns): boolean =>
  order !== undefined ||
  (client !== undefined && orderRefId !== undefined) ||
  ((text ?? reference) !== undefined && amount !== undefined);

/** The amount without its currency and sign of credit. */
const amountText = (text: string) => text.replaceAll(/^[^\d-]+|(?<!\D)\D+$/g, "");

/** Null for a row of a bank's file that pays no order. */
function readRow(
  row: CsvRow,
  columns: Columns,
  mark: DecimalMark | undefined,
): NamedPayment | PaymentFault | null {
  const get = cellReader(row, columns);
  const [clientId, orderRefId] = [get("client"), get("orderRefId")];
  const isNamed = columns.order !== undefined || orderRefId !== "";
  const found = isNamed ? [] : orderNumbersIn(`${get("text")} ${get("reference")}`);
  const [order = get("order"), ...others] = found;
  const text = order || orderRefId;
  const fault = (reason: string): PaymentFault => ({ row: row.number, order: text, reason });
  if (row.fault !== undefined) return fault(row.fault);
  if (!isNamed && found.length === 0) return null;
  if (others.length > 0) return fault(`names several orders: ${found.join(", ")}`);
  const damage = damageIn(order) ?? damageIn(orderRefId) ?? damageIn(get("reference"));
  if (damage !== undefined) return fault(`has a cell that ${damage}`);
  const name = nameOf({ order, clientId, orderRefId }, isIdColumn(columns));
  if (typeof name === "string") return fault(name);
  const given = get("amount");
  const amount = given === "" ? null : readNumber(amountText(given), mark);
  if (amount === undefined || amount?.startsWith("-")) {
    return fault(`must have an amount such as 1027.50: ${given}`);
  }
  const reference = get("reference") || null;
  if (reference !== null && reference.length > MAX_REFERENCE) {
    return fault(`has a reference of more than ${String(MAX_REFERENCE)} characters`);
  }
  const currency = get("currency").toUpperCase() || null;
  return { row: row.number, text, name, amount, currency, reference };
}

const orderNumbersIn = (text: string) => [
  ...new Set(text.toUpperCase().match(/\bGO-\d{5,}(?!\d)/g) ?? []),
];

/** Another column may contain a counter of the bank or the shop, which must not be taken for ids. */
const isIdColumn = ({ order }: Columns) => folded(order ?? "") === folded("order_id");

/** The order, or why the cells do not name one. */
function nameOf(
  { order, clientId, orderRefId }: Record<"order" | "clientId" | "orderRefId", string>,
  hasIds: boolean,
) {
  if (order !== "") {
    const id = (hasIds ? parseId(order) : undefined) ?? parseOrderNumber(order.toUpperCase());
    return id === undefined ? `must have an order number such as GO-00042: ${order}` : { id };
  }
  if (orderRefId === "") return "has no order";
  if (clientId === "") return "has an order_ref_id and no client_id";
  return { clientId, orderRefId };
}
