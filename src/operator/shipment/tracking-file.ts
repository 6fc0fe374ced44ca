// Reads CSV files of warehouses and carriers: the gifts that were shipped, with their tracking.
import { carrierNamed } from "../../core/values/carriers.ts";
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
import { contentIn, faultOf, type GivenContent } from "../code/content.ts";
import { CODE_FIELDS } from "../code/file.ts";
import type { CsvRow } from "../files/csv.ts";
import { damageIn } from "../files/damage.ts";
import { type dateReader, isDay } from "../files/dates.ts";
import { type DeskField, mostly } from "../files/desk/columns.ts";
import type { Desk, DeskRequest } from "../files/desk/desk.ts";
import { isNothing } from "../files/numbers.ts";
import { excerpt } from "../files/unreadable-file.ts";
import { wordsOfName } from "../words.ts";
import { PICK_LIST_COLUMNS } from "./picklist.ts";
import { checkTracking, NO_TRACKING } from "./tracking.ts";

/** The gifts whose numbers a text contains, or the one whose number it is as people write it. */
function giftsIn(text: string): number[] {
  const toId = ({ orderId, sequence }: ReturnType<typeof numbersIn>[number]) =>
    sequence === null ? [] : toGiftId(orderId, sequence);
  const found = numbersIn(text).flatMap(toId);
  return found.length > 0 ? found : [parseNumber(text) ?? []].flat().flatMap(toId);
}

const haveGifts = (texts: readonly string[]) => mostly(texts, (text) => giftsIn(text).length > 0);

/** Whether texts may be numbers of parcels or codes. */
const areNumbers = (texts: readonly string[]) => !haveGifts(texts) && CODE_FIELDS.code.looks(texts);

const PARCEL = { kind: "parcel" } as const;
const CODE = { kind: "code" } as const;

/** The columns that are read. A wrong number or link would be shown to a recipient. */
export const TRACKING_FIELDS = {
  gift: { label: "Gift", names: "gift, gift number, suborder number, suborder" },
  suborder_id: { label: "Gift (its id)", names: "suborder id" },
  carrier: {
    ...PARCEL,
    label: "Carrier",
    names: "carrier, carrier name, courier, shipping carrier, shipping provider",
    looks: (texts) => mostly(texts, (text) => carrierNamed(text) !== undefined),
  },
  tracking_number: {
    ...PARCEL,
    label: "Tracking number",
    names:
      "tracking number, tracking, tracking no, tracking code, tracking id, consignment number, consignment, consignment id, article id, waybill, waybill number, air waybill number, awb, master tracking number, tracking reference, sendle reference, shipment number",
    isStrict: true,
    looks: areNumbers,
  },
  tracking_url: {
    ...PARCEL,
    label: "Tracking link",
    names: "tracking url, tracking link",
    isStrict: true,
    looks: CODE_FIELDS.url.looks,
  },
  shipped_date: {
    label: "Shipped",
    names:
      "shipped date, ship date, shipping date, shipment date, dispatch date, shipped, despatch date, date shipped",
  },
  delivered_date: {
    label: "Delivered",
    names: "delivered date, delivery date, delivered, date delivered",
  },
  // In files of carriers, `link` and `pin code` are names of something else.
  code: { ...CODE_FIELDS.code, ...CODE, looks: areNumbers },
  pin: { ...CODE_FIELDS.pin, ...CODE, names: "pin" },
  url: { ...CODE_FIELDS.url, ...CODE, names: "url, gift link, redemption url" },
  valid_until: { ...CODE_FIELDS.valid_until, ...CODE },
} as const satisfies Record<string, DeskField>;

type Field = keyof typeof TRACKING_FIELDS;
type TrackingDesk = Desk<Field>;

/** The columns of the rows that an upload has left out, which can be corrected and uploaded. */
const LEFT_OUT = ["row", "gift", "result", "reason", "carrier", "tracking_number", "tracking_url"];

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
  /** Its row, and the others of the gift. */
  sources: CsvRow[];
  /** When it was shipped or delivered, as in the file. */
  date: string;
  atMs?: number | undefined;
}

export interface FileFault extends Tracking {
  row: number;
  /** The texts of the row that may name the gift, or its number. */
  gift: string;
  /** Follows "row 12", as in "row 12 has no gift number". */
  reason: string;
}

const emptyFile = () => ({
  /** The shipments, each gift once. */
  shipments: [] as FileShipment[],
  /** The rows without tracking, if such rows are left out. */
  untracked: [] as FileShipment[],
  /** The number of rows that repeat another row. */
  repeated: 0,
  faults: [] as FileFault[],
  /** Those that differ for the same gift. */
  conflicts: [] as CsvRow[],
  /** The rows that an answer leaves out. */
  leftOut: [] as FileFault[],
  /** The dates that cannot be read. */
  unclearDates: [] as string[],
});

export type TrackingFile = ReturnType<typeof emptyFile>;

export interface TrackingFileOptions {
  /** The values of rows that have none of their own. The URL may contain `{tracking_number}`. */
  defaults: { carrier: string | null; trackingUrl: string | null };
  /**
   * Whether the columns of the tracking are read, and whether a row must have one of them, or the number. A warehouse may
   * return a pick list of which it has shipped only a part, with all carriers.
   */
  tracking: "ignored" | "required" | "numbered" | "optional";
  /** The field with the date of the step. Without it, dates are not read. */
  date?: "shipped_date" | "delivered_date" | undefined;
}

/** The fields of which a file needs one. */
const NEEDED: Record<TrackingFileOptions["tracking"], readonly Field[]> = {
  ignored: [],
  required: ["carrier", "tracking_url", "tracking_number"],
  numbered: ["code", "url", "tracking_number"],
  optional: [],
};

/** The numbers of days in a spreadsheet may be other numbers. */
const areDays = (texts: readonly string[]) =>
  mostly(texts, (text) => /\D/.test(text) && isDay(text));

export function trackingDesk({ tracking, date }: TrackingFileOptions): DeskRequest<Field> {
  // The day of its shipment may be the only one in a file of parcels that have arrived.
  const isStrict = date === "delivered_date";
  const day = date && { ...TRACKING_FIELDS[date], isStrict, isDay: true, looks: areDays };
  return {
    fields: { ...TRACKING_FIELDS, ...(date && { [date]: day }) },
    needs: NEEDED[tracking].length > 0 ? [{ keys: NEEDED[tracking] }] : [],
    counts: "are to be recorded",
    isData: haveGifts,
    kind: ["ignored", "required"].includes(tracking) ? PARCEL.kind : undefined,
    mayIgnore: true,
    own: [Object.keys(PICK_LIST_COLUMNS), LEFT_OUT],
    maxRows: 50_000,
  };
}

export function readTrackingFile(desk: TrackingDesk, options: TrackingFileOptions): TrackingFile {
  const file = emptyFile();
  const found: FileShipment[] = [];
  // Parcels without a day have not arrived if others have one.
  const isDated = (row: CsvRow) => desk.cells(row)("delivered_date") !== "";
  const hasDays = options.date === "delivered_date" && desk.rows.some(isDated);
  const readLastDay = desk.dayReader("valid_until", true);
  for (const row of desk.rows) {
    const read = readRow(row, desk, { ...options, hasDays }, readLastDay);
    const answer = desk.leftOut(row);
    if (answer !== null) {
      const listed = "reason" in read ? read : { ...read, gift: giftOf(read) };
      file.leftOut.push({ ...listed, reason: excerpt(answer) });
    } else if ("reason" in read) file.faults.push(read);
    else found.push(read);
  }
  const readDate = desk.dayReader(options.date ?? "shipped_date", false);
  for (const same of Map.groupBy(found, giftOf).values()) addGift(file, same, options, readDate);
  file.shipments.sort(byRow);
  file.faults.sort(byRow);
  return file;
}

const giftOf = ({ orderId, sequence }: ShipmentKey) => toGiftNumber(orderId, sequence);

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
  const number = giftOf(first);
  const keyOf = (row: FileShipment) => trackingKey(row) + JSON.stringify(row.content);
  const other = rows.find((row) => keyOf(row) !== keyOf(first));
  if (other) {
    const reasonOf = (row: FileShipment) =>
      `has other values than row ${String(row === first ? other.row : first.row)} for the same gift`;
    file.faults.push(...rows.map((row) => ({ ...row, gift: number, reason: reasonOf(row) })));
    file.conflicts.push(...rows.flatMap(({ sources }) => sources));
    return;
  }
  if (rows.some(({ parcelNumber }) => parcelNumber !== first.parcelNumber))
    first.parcelNumber = undefined;
  if (first.date !== "") {
    first.atMs = readDate(first.date);
    if (first.atMs === undefined) file.unclearDates.push(excerpt(first.date));
  }
  first.sources = rows.flatMap(({ sources }) => sources);
  file.repeated += rows.length - 1;
  if (first.content) {
    file.shipments.push(first);
    return;
  }
  const instead = tracking === "required" ? (first.carrier ?? first.trackingUrl) : null;
  if (NEEDED[tracking].length > 0 && (first.trackingNumber ?? instead) === null) {
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

const trackingKey = ({ carrier, trackingNumber, trackingUrl }: Tracking) =>
  JSON.stringify([carrier, trackingNumber, trackingUrl]);

function readRow(
  row: CsvRow,
  desk: TrackingDesk,
  { tracking, date, hasDays }: TrackingFileOptions & { hasDays: boolean },
  readLastDay: ReturnType<typeof dateReader>,
): FileShipment | FileFault {
  const get = desk.cells(row);
  const given = (key: Field) => (isNothing(get(key)) ? null : get(key));
  const cell = (key: Field) => excerpt(get(key)) || null;
  const fault = (reason: string): FileFault => ({
    row: row.number,
    gift: cell("gift") ?? cell("suborder_id") ?? excerpt(desk.others(row).join(" ").trim()),
    carrier: cell("carrier"),
    trackingNumber: cell("tracking_number"),
    trackingUrl: cell("tracking_url"),
    reason: excerpt(reason),
  });
  if (row.fault !== undefined) return fault(row.fault);
  const texts = given("gift") === null ? desk.others(row) : [get("gift")];
  const [id = parseGift(get("suborder_id")), ...others] = new Set(texts.flatMap(giftsIn));
  if (others.length > 0) return fault("names several gifts");
  if (id === undefined) return fault("must have the number of a gift, such as GO-00042-3");
  const day = (date && given(date)) ?? "";
  if (hasDays && !/\d/.test(day)) return fault(`has no day of its delivery: ${day}`);
  const gift = {
    row: row.number,
    sources: [row],
    date: day,
    ...splitGiftId(id),
  };
  const trackingNumber = given("tracking_number");
  if (tracking === "ignored")
    return { ...gift, ...NO_TRACKING, parcelNumber: trackingNumber ?? undefined };
  const tracked = { carrier: given("carrier"), trackingNumber, trackingUrl: given("tracking_url") };
  for (const [name, value] of Object.entries(tracked)) {
    const damage = damageIn(value ?? "");
    if (damage !== undefined) return fault(`has a ${wordsOfName(name)} that ${damage}`);
  }
  const reason = faultOf(() => {
    checkTracking(tracked);
  });
  if (reason !== null) return fault(reason);
  const content = contentIn(get, readLastDay);
  return typeof content === "string" ? fault(content) : { ...gift, ...tracked, content };
}
