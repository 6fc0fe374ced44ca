// What the columns of one row of a WooCommerce export say.
import { formatAmount } from "../../values/money.ts";
import { SECOND_MS } from "../../values/time.ts";
import type { Row } from "./csv.ts";
import { imageOf, parsePrice } from "./source.ts";

/** Adds a problem of a row. */
export type Report = (row: Row, field: string, reason: string) => void;

/** The export guards what a spreadsheet would take for a formula with an apostrophe. */
export const plain = (text: string) => text.replace(/^'(?=[=+\-@\t\r])/, "");

export const listOf = (text: string) =>
  text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter((part) => part !== "");

/** The export writes a line break as `\n`, and a backslash before an n as `\\n`. */
export function longText(text: string): string {
  return plain(text)
    .replace(/\r\n?/g, "\n")
    .replace(/\\\\n|\\n/g, (escaped) => (escaped === "\\n" ? "\n" : "\\n"));
}

export const typesOf = (row: Row) => listOf(row.get("Type").toLowerCase());

export const isDigital = (row: Row) =>
  typesOf(row).some((type) => type === "virtual" || type === "downloadable");

/** 1 is published, 0 private or a variation that is switched off, 2 pending, -1 a draft. */
export const isPublished = (row: Row) => ["1", ""].includes(row.get("Published"));

/** Shown in the shop's catalogue, not only to those who search for it or have its link. */
export const isListed = (row: Row) =>
  !["hidden", "search"].includes(row.get("Visibility in catalog").toLowerCase());

/** What a row is known by: the shop's id, which is firm, and its SKU. */
export function namesOf(row: Row): string[] {
  const [id, sku] = [row.get("ID"), plain(row.get("SKU"))];
  return [...(id ? [`id:${id}`] : []), ...(sku ? [`sku:${sku}`] : [])];
}

/** The name of a variation's product: the Parent column holds `id:12` or a SKU. */
export function parentName(row: Row): string {
  const parent = row.get("Parent");
  const [, id] = /^id:\s*(\d+)$/i.exec(parent) ?? [];
  return id === undefined ? `sku:${plain(parent)}` : `id:${id}`;
}

export const imagesOf = (rows: Row[]) => [
  ...new Set(rows.flatMap((row) => listOf(row.get("Images"))).map(imageOf)),
];

/** The attributes that a row names; `values` as the file has them. */
export function attributesOf(row: Row): { name: string; values: string }[] {
  return row.columns
    .map((column) => /^attribute (\d+) name$/i.exec(column)?.[1])
    .filter((n) => n !== undefined)
    .map((n) => ({
      name: plain(row.get(`Attribute ${n} name`)),
      values: plain(row.get(`Attribute ${n} value(s)`)),
    }))
    .filter(({ name }) => name !== "");
}

/** The sale price while the sale is on, else the regular one; none when it cannot be read. */
export function priceOf(row: Row, nowMs: number, report: Report): string | undefined {
  const [sale, regular] = ["Sale price", "Regular price"].map((name) => parsePrice(row.get(name)));
  // WooCommerce sells at the regular price where the sale's is not lower.
  const isNotLower = sale !== undefined && regular !== undefined && sale >= regular;
  const onSale = row.get("Sale price") !== "" && saleIsOn(row, nowMs, report) && !isNotLower;
  const field = onSale ? "Sale price" : "Regular price";
  const text = row.get(field);
  if (text === "") return undefined;
  const minor = parsePrice(text);
  if (minor !== undefined) return formatAmount(minor);
  report(row, field, `must be an amount with at most two decimals: ${text}`);
  return "0.00";
}

/** From the first moment of the start to the last second of the end; a date without a time is a whole day. */
function saleIsOn(row: Row, nowMs: number, report: Report): boolean {
  const moment = (field: string, clock: string) => {
    const text = row.get(field);
    if (text === "") return undefined;
    const ms = momentOf(text, clock);
    if (ms === undefined) report(row, field, `must be a date such as 2026-05-31: ${text}`);
    return ms;
  };
  const starts = moment("Date sale price starts", "00:00:00") ?? -Infinity;
  const ends = moment("Date sale price ends", "23:59:59") ?? Infinity;
  return starts <= nowMs && nowMs < ends + SECOND_MS;
}

/** `2026-05-31`, at `clock`, or `2026-05-31 9:30:00`, both in UTC; `undefined` when there is no such moment. */
function momentOf(text: string, clock: string): number | undefined {
  const [, date = "", hour, rest = ""] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d?)(:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
  const ms = Date.parse(`${date}T${hour === undefined ? clock : hour.padStart(2, "0") + rest}Z`);
  // Date.parse takes 30 February for 2 March.
  const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
  return exists ? ms : undefined;
}

/** A quantity means that stock is tracked; below zero is zero, unless the shop takes orders all the same. */
export function stockOf(row: Row, report: Report) {
  const text = plain(row.get("Stock"));
  const inStock = row.get("In stock?") !== "0";
  const status = inStock ? ("in_stock" as const) : ("out_of_stock" as const);
  if (text === "") return { tracked: false, status, quantity: "" };
  if (!/^-?\d{1,9}(\.0+)?$/.test(text)) {
    const reason =
      text === "parent"
        ? "shared with the parent is not supported: each variation needs its own"
        : `must be a whole number: ${text}`;
    report(row, "Stock", reason);
    return { tracked: false, status, quantity: "" };
  }
  const quantity = Number(text);
  const backorders = inStock && ["1", "notify"].includes(row.get("Backorders allowed?"));
  if (quantity <= 0 && backorders) return { tracked: false, status, quantity: "" };
  return {
    tracked: true,
    status: quantity > 0 ? status : ("out_of_stock" as const),
    quantity: String(Math.max(0, quantity)),
  };
}
