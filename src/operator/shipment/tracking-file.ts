// Reads CSV files of warehouses and carriers: the gifts that were shipped, with their tracking.
import type { CsvRow } from "../files/csv.ts";
import { type ColumnNames, presentColumns } from "../column-names.ts";
import { cellReader, findColumns, foldedColumn, eachSpreadsheetRow } from "../files/spreadsheet.ts";
import { damageIn } from "../files/damage.ts";
import { excerpt, UnreadableFile } from "../files/unreadable-file.ts";
import {
  numbersIn,
  parseGift,
  parseNumber,
  splitGiftId,
  toGiftId,
  toGiftNumber,
} from "../../core/values/ids.ts";
import type { ShipmentProblem } from "../../core/values/shipment-states.ts";
import type { Tracking } from "../../core/values/tracking.ts";
import type { ShipmentKey } from "../../features/fulfilment/shipment.ts";
import { wordsOfName } from "../words.ts";
import { PICK_LIST_COLUMNS } from "./picklist.ts";
import { contentIn, faultOf, type GivenContent } from "../code/content.ts";
import { dateReader } from "../files/dates.ts";
import { checkTracking, NO_TRACKING } from "./tracking.ts";

/**
 * The names of each column, first the one of the pick list. Case, spaces, hyphens, underscores and full stops do not
 * matter. docs/shipments.md lists them.
 */
export const COLUMN_NAMES = {
  gift: [
    ...["gift", "gift number", "suborder_number", "suborder", "sub-order number", "sub-order"],
    ...["suborder_id", "reference", "customer reference", "shipment reference"],
    ...["order reference", "channel reference", "shipper reference", "shipper's reference"],
    ...["sender reference", "your reference", "customer ref", "shipment ref", "reference number"],
    ...["reference number 1", "reference 1", "shipment reference number 1", "package reference"],
    ...["order number", "referenz", "kundenreferenz", "reference client", "referencia"],
  ],
  carrier: [
    ...["carrier", "carrier name", "courier", "shipping carrier", "shipping provider"],
    ...["versanddienstleister", "paketdienst", "transporteur", "transportista"],
  ],
  trackingNumber: [
    ...["tracking_number", "tracking", "tracking no", "tracking code", "tracking id"],
    ...["consignment number", "consignment", "consignment id", "article id", "waybill"],
    ...["waybill number", "air waybill number", "awb", "master tracking number"],
    ...["tracking reference", "sendle reference", "shipment number", "sendungsnummer"],
    ...["numero de suivi", "numero de seguimiento", "numero di spedizione"],
  ],
  trackingUrl: ["tracking_url", "tracking link"],
  code: ["code", "gift code", "voucher code"],
  pin: ["pin"],
  url: ["url", "gift link"],
  valid_until: ["valid_until"],
  shipped: [
    ...["shipped_date", "ship date", "shipping date", "shipment date", "dispatch date", "shipped"],
    ...["despatch date", "date shipped", "versanddatum", "date d'expedition", "date d'envoi"],
    ...["fecha de envio", "data di spedizione", "data de envio", "verzenddatum"],
  ],
  delivered: [
    ...["delivered_date", "delivery date", "delivered", "date delivered", "zustelldatum"],
    ...["date de livraison", "fecha de entrega", "data di consegna", "data de entrega"],
    "bezorgdatum",
  ],
} as const;

/** The rows that a Worker can plan and record with its memory. */
const MAX_ROWS = 100_000;

/** A row with a gift. */
export interface FileShipment extends ShipmentKey, Tracking {
  /** The number of the row in a spreadsheet. */
  row: number;
  /** Of a parcel that is returned or failed. */
  problem?: ShipmentProblem | undefined;
  /** Of a file whose tracking is ignored. Undefined if the rows of the gift have several. */
  parcelNumber?: string | undefined;
  /** Of a digital gift. */
  content?: GivenContent | undefined;
  /** When it was shipped or delivered, as in the file. */
  date: string;
  atMs?: number | undefined;
}

export interface FileFault extends Tracking {
  row: number;
  /** The text of the cell, or the number of the gift. */
  gift: string;
  /** Follows "row 12", as in "row 12 has no gift number". */
  reason: string;
}

export interface TrackingFile {
  /** The shipments, each gift once. */
  shipments: FileShipment[];
  /** The rows without tracking, if such rows are left out. */
  untracked: FileShipment[];
  /** The number of rows that repeat another row. */
  repeated: number;
  faults: FileFault[];
  /** The dates that cannot be read, or whose order of day and month the file does not show. */
  unclearDates: string[];
  /** The columns that are neither read nor those of a pick list. */
  unread: string[];
}

export interface TrackingFileOptions {
  /** The values of rows that have none of their own. The URL may contain `{tracking_number}`. */
  defaults: { carrier: string | null; trackingUrl: string | null };
  /**
   * Whether the columns of the tracking are read, and whether a row must have one of them, or the number. A warehouse may
   * return a pick list of which it has shipped only a part, with all carriers.
   */
  tracking: "ignored" | "required" | "numbered" | "optional";
  /** The column with the date of the step. Without it, dates are not read. */
  date?: "shipped" | "delivered" | undefined;
  /** The names of the columns: `columnNames`. */
  names?: ColumnNames<keyof typeof COLUMN_NAMES>;
}

/** Reads all rows. Errors: `UnreadableFile` if it is not a CSV file, or if a column is missing. */
export function readTrackingFile(bytes: Uint8Array, options: TrackingFileOptions): TrackingFile {
  const file: TrackingFile = {
    shipments: [],
    untracked: [],
    repeated: 0,
    faults: [],
    unclearDates: [],
    unread: [],
  };
  const rows = new Map<number, FileShipment[]>();
  let columns: TrackingColumns | undefined;
  const use = (row: CsvRow) => {
    columns ??= trackingColumns(row.columns, options);
    const found = readRow(row, columns, options);
    if ("reason" in found) file.faults.push(found);
    else {
      const id = toGiftId(found.orderId, found.sequence);
      const same = rows.get(id);
      if (same) same.push(found);
      else rows.set(id, [found]);
    }
  };
  const { names = COLUMN_NAMES } = options;
  const isHeader = (fields: readonly string[]) => findColumns(fields, names).gift !== undefined;
  const all = eachSpreadsheetRow(bytes, use, { maxRows: MAX_ROWS, isHeader });
  columns ??= trackingColumns(all.columns, options);
  file.unread = all.unread([...Object.keys(PICK_LIST_COLUMNS), ...Object.values(columns)]);
  const readDate = dateReader([...rows.values()].flatMap(([first]) => first?.date ?? []));
  for (const same of rows.values()) addGift(file, same, options, readDate);
  file.shipments.sort(byRow);
  file.faults.sort(byRow);
  return file;
}

const byRow = (a: { row: number }, b: { row: number }) => a.row - b.row;

/** Adds the rows of one gift. If they differ, all of them are faults, because it is not known which one is right. */
function addGift(
  file: TrackingFile,
  rows: FileShipment[],
  { tracking, defaults }: TrackingFileOptions,
  readDate: ReturnType<typeof dateReader>,
): void {
  const [first] = rows;
  if (!first) return;
  const number = toGiftNumber(first.orderId, first.sequence);
  const keyOf = (row: FileShipment) => trackingKey(row) + JSON.stringify(row.content);
  const other = rows.find((row) => keyOf(row) !== keyOf(first));
  if (other) {
    const reasonOf = (row: FileShipment) =>
      `has other values than row ${String(row === first ? other.row : first.row)} for the same gift`;
    file.faults.push(...rows.map((row) => ({ ...row, gift: number, reason: reasonOf(row) })));
    return;
  }
  if (rows.some(({ parcelNumber }) => parcelNumber !== first.parcelNumber))
    first.parcelNumber = undefined;
  if (first.date !== "") {
    first.atMs = readDate(first.date);
    if (first.atMs === undefined) file.unclearDates.push(excerpt(first.date));
  }
  file.repeated += rows.length - 1;
  if (first.content) {
    file.shipments.push(first);
    return;
  }
  const instead = tracking === "required" ? (first.carrier ?? first.trackingUrl) : null;
  if (isNeeded(tracking) && (first.trackingNumber ?? instead) === null) {
    file.untracked.push(first);
    return;
  }
  const filled = {
    ...first,
    carrier: first.carrier ?? defaults.carrier,
    trackingUrl: first.trackingUrl ?? defaults.trackingUrl,
  };
  const reason = faultOf(() => {
    checkTracking(filled);
  });
  if (reason === null) file.shipments.push(filled);
  else file.faults.push(...rows.map((row) => ({ ...row, gift: number, reason })));
}

const isNeeded = (tracking: TrackingFileOptions["tracking"]) =>
  tracking === "required" || tracking === "numbered";

const trackingKey = ({ carrier, trackingNumber, trackingUrl }: Tracking) =>
  JSON.stringify([carrier, trackingNumber, trackingUrl]);

type TrackingColumns = Record<keyof typeof COLUMN_NAMES, string | undefined>;

function trackingColumns(
  columns: readonly string[],
  { tracking, names = COLUMN_NAMES }: TrackingFileOptions,
) {
  const found = findColumns(columns, names);
  const { gift } = found;
  const isContent = ([key, name]: [string, string | undefined]) =>
    name !== undefined && !["gift", "shipped", "delivered"].includes(key);
  const present = presentColumns(columns);
  if (gift === undefined) {
    throw new UnreadableFile(`has no column gift. ${present}`);
  }
  if (isNeeded(tracking) && !Object.entries(found).some(isContent)) {
    throw new UnreadableFile(
      `has no column carrier, tracking_number, tracking_url, code, pin or url. ${present}`,
    );
  }
  return found;
}

function readRow(
  row: CsvRow,
  columns: TrackingColumns,
  { tracking, date: column }: TrackingFileOptions,
): FileShipment | FileFault {
  const get = cellReader(row, columns);
  const giftText = get("gift");
  const tracked = {
    carrier: get("carrier") || null,
    trackingNumber: get("trackingNumber") || null,
    trackingUrl: get("trackingUrl") || null,
  };
  const fault = (reason: string): FileFault => ({
    carrier: tracked.carrier && excerpt(tracked.carrier),
    trackingNumber: tracked.trackingNumber && excerpt(tracked.trackingNumber),
    trackingUrl: tracked.trackingUrl && excerpt(tracked.trackingUrl),
    row: row.number,
    gift: excerpt(giftText),
    reason: excerpt(reason),
  });
  if (row.fault !== undefined) return fault(row.fault);
  if (giftText === "") return fault("has no gift number");
  // Another column may contain the warehouse's own numbers, which must not be taken for ids.
  const hasIds = foldedColumn(columns.gift ?? "") === foldedColumn("suborder_id");
  const found = numbersIn(giftText).flatMap(({ orderId, sequence }) =>
    sequence === null ? [] : toGiftId(orderId, sequence),
  );
  const [only, ...others] = new Set(found);
  const whole = hasIds || parseNumber(giftText) ? parseGift(giftText) : undefined;
  const id = others.length > 0 ? undefined : (only ?? whole);
  if (id === undefined) return fault("must have the number of a gift, such as GO-00042-3");
  const gift = { row: row.number, date: column ? get(column) : "", ...splitGiftId(id) };
  if (tracking === "ignored")
    return { ...gift, ...NO_TRACKING, parcelNumber: tracked.trackingNumber ?? undefined };
  for (const [name, value] of Object.entries(tracked)) {
    const damage = damageIn(value ?? "");
    if (damage !== undefined) return fault(`has a ${wordsOfName(name)} that ${damage}`);
  }
  const reason = faultOf(() => {
    checkTracking(tracked);
  });
  if (reason !== null) return fault(reason);
  const content = contentIn(get);
  return typeof content === "string" ? fault(content) : { ...gift, ...tracked, content };
}
