// Reads CSV files of suppliers with the codes of digital gifts. Faults do not contain a code.
import { webUrl } from "../../core/validation/fields.ts";
import { expiryOf } from "../../core/values/redeem-by.ts";
import type { CodeContent } from "../../features/codes/seal.ts";
import type { SourceIds } from "../catalogue/publish/plan-queries.ts";
import { idsIn, type StockFault } from "../catalogue/stock-file.ts";
import type { IdsOf } from "../catalogue/stock-target.ts";
import { damageIn } from "../files/damage.ts";
import { cellReader, findColumns, readSpreadsheet } from "../files/spreadsheet.ts";
import { excerpt, UnreadableFile } from "../files/unreadable-file.ts";

const MAX_ROWS = 20_000;
const MAX_CELL = 1_000;

/** The names of each column. Case, spaces, hyphens, underscores and full stops do not matter. */
const CODE_COLUMNS = {
  product: ["product", "product_id"],
  variation: ["variation", "variation_id"],
  key: ["sku", "key"],
  code: ["code", "voucher", "voucher code", "gift code", "card number", "serial number"],
  pin: ["pin", "pin code", "security code"],
  url: ["url", "link", "redemption url"],
  validUntil: ["valid_until", "valid to", "expires", "expiry", "expiry date", "expiration date"],
} as const;

type Cells = ReturnType<typeof cellReader<keyof typeof CODE_COLUMNS>>;

type Content = { content: CodeContent; expiresAtMs: number | undefined };

export type CodeRow = SourceIds & Content & { row: number; product: string };

/** Errors: `UnreadableFile`. */
export function readCodeFile(bytes: Uint8Array, idsOf: IdsOf | null) {
  const table = readSpreadsheet(bytes, { maxRows: MAX_ROWS });
  const columns = findColumns(table.columns, CODE_COLUMNS);
  if (!(columns.product ?? columns.key) || !(columns.code ?? columns.url)) {
    throw new UnreadableFile(
      `needs the columns product or sku, and code or url. Its columns are: ${table.columns.join(", ")}`,
    );
  }
  const rows: CodeRow[] = [];
  const faults: StockFault[] = [];
  for (const each of table.rows) {
    const get = cellReader(each, columns);
    const place = { row: each.number, product: excerpt(get("product") || get("key")) };
    const ids = idsIn(get, idsOf);
    const content = each.fault ?? contentIn(get);
    if (typeof ids === "string") faults.push({ ...place, reason: excerpt(ids) });
    else if (typeof content === "string") faults.push({ ...place, reason: excerpt(content) });
    else rows.push({ ...place, ...ids, ...content });
  }
  return { rows, faults, unread: table.unread(Object.values(columns)) };
}

/** The code, or why the row has none. */
function contentIn(get: Cells): Content | string {
  const [code, pin, url] = [get("code") || null, get("pin") || null, get("url") || null];
  const texts = [code, pin].map((text) => (text ?? "").replaceAll(/\s/g, ""));
  if (texts.some((text) => damageIn(text) !== undefined)) {
    return "has a code or PIN that was changed by a spreadsheet. Format the columns as text and export it again";
  }
  if ((code ?? url) === null) return "has no code and no url";
  if (url !== null && webUrl(url) === null) return "must have an http(s) URL as its url";
  if ([code, pin, url].some((text) => (text?.length ?? 0) > MAX_CELL)) {
    return `has a cell of more than ${String(MAX_CELL)} characters`;
  }
  const until = get("validUntil");
  const expiresAtMs = expiryOf(until.replace(/[ T]00:00(:00)?$/, ""));
  return until !== "" && expiresAtMs === undefined
    ? `must have a day such as 2027-06-30 as its valid_until: ${until}`
    : { content: { code, pin, url }, expiresAtMs };
}
