// Reads CSV files of payments, such as a bank's export: the orders that were paid, with the bank's references.
import { type CsvRow, type CsvTable } from "../files/csv.ts";
import { cellReader, findColumns, isChanged, readSpreadsheet } from "../files/spreadsheet.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";
import { parseId, parseOrderNumber } from "../../core/values/ids.ts";
import type { OrderName } from "./queries.ts";

/** The names of each column. Case, spaces, hyphens, underscores and full stops do not matter. */
const PAYMENT_COLUMNS = {
  order: ["order_number", "order", "order_id"],
  client: ["client_id", "client"],
  orderRefId: ["order_ref_id"],
  amount: ["amount"],
  currency: ["currency"],
  reference: ["reference", "bank reference", "payment reference"],
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
}

/** The largest reference that the ledger stores. */
export const MAX_REFERENCE = 100;

/** Reads all rows. Errors: `UnreadableFile` if it is not a CSV file, or if a column is missing. */
export function readPaymentFile(bytes: Uint8Array): PaymentFile {
  const table = readSpreadsheet(bytes);
  const columns = paymentColumns(table);
  const file: PaymentFile = { payments: [], faults: [] };
  for (const row of table.rows) {
    const read = readRow(row, columns);
    if ("reason" in read) file.faults.push(read);
    else file.payments.push(read);
  }
  return file;
}

function paymentColumns({ columns }: CsvTable) {
  const found = findColumns(columns, PAYMENT_COLUMNS);
  const hasReference = found.client !== undefined && found.orderRefId !== undefined;
  if (found.order === undefined && !hasReference) {
    throw new UnreadableFile(
      "has neither a column order_number nor both columns client_id and order_ref_id. " +
        `Its columns are: ${columns.join(", ")}`,
    );
  }
  return found;
}

function readRow(
  row: CsvRow,
  columns: ReturnType<typeof paymentColumns>,
): NamedPayment | PaymentFault {
  const get = cellReader(row, columns);
  const [order, clientId, orderRefId] = [get("order"), get("client"), get("orderRefId")];
  const text = order || orderRefId;
  const fault = (reason: string): PaymentFault => ({ row: row.number, order: text, reason });
  if (row.fault !== undefined) return fault(row.fault);
  const changed = [order, orderRefId, get("amount"), get("reference")].find(isChanged);
  if (changed !== undefined) {
    return fault(
      `has a cell that a spreadsheet has changed: ${changed}. Format the column as text`,
    );
  }
  const name = nameOf({ order, clientId, orderRefId });
  if (typeof name === "string") return fault(name);
  const amount = get("amount") || null;
  if (amount !== null && !/^\d+(\.\d+)?$/.test(amount)) {
    return fault(`must have an amount such as 1027.50: ${amount}`);
  }
  const reference = get("reference") || null;
  if (reference !== null && reference.length > MAX_REFERENCE) {
    return fault(`has a reference of more than ${String(MAX_REFERENCE)} characters`);
  }
  const currency = get("currency").toUpperCase() || null;
  return { row: row.number, text, name, amount, currency, reference };
}

/** The order, or why the cells do not name one. */
function nameOf({
  order,
  clientId,
  orderRefId,
}: Record<"order" | "clientId" | "orderRefId", string>) {
  if (order !== "") {
    const id = parseId(order) ?? parseOrderNumber(order.toUpperCase());
    return id === undefined ? `must have an order number such as GO-00042: ${order}` : { id };
  }
  if (orderRefId === "") return "has no order";
  if (clientId === "") return "has an order_ref_id and no client_id";
  return { clientId, orderRefId };
}
