// Reads CSV files of suppliers with the codes of digital gifts. Faults do not contain a code.
import type { SourceIds } from "../catalogue/publish/plan-queries.ts";
import { idsIn, type StockFault } from "../stock/file.ts";
import type { IdsOf } from "../stock/target.ts";
import { cellReader, findColumns, readSpreadsheet } from "../files/spreadsheet.ts";
import { excerpt, UnreadableFile } from "../files/unreadable-file.ts";
import { contentIn, type GivenContent } from "./content.ts";

const MAX_ROWS = 20_000;

/** The names of each column. Case, spaces, hyphens, underscores and full stops do not matter. */
const CODE_COLUMNS = {
  product: ["product", "product_id"],
  variation: ["variation", "variation_id"],
  key: ["sku", "key"],
  code: ["code", "voucher", "voucher code", "gift code", "card number", "serial number"],
  pin: ["pin", "pin code", "security code"],
  url: ["url", "link", "redemption url"],
  valid_until: ["valid_until", "valid to", "expires", "expiry", "expiry date", "expiration date"],
} as const;

const NO_CODE = "has no code and no url";

export type CodeRow = SourceIds & GivenContent & { row: number; product: string };

/** Errors: `UnreadableFile`. */
export function readCodeFile(bytes: Uint8Array, idsOf: IdsOf | null) {
  const table = readSpreadsheet(bytes, { maxRows: MAX_ROWS });
  const columns = findColumns(table.columns, CODE_COLUMNS);
  if (!(columns.product ?? columns.key) || !(columns.code ?? columns.url)) {
    // Without a header, its columns are those of the first code.
    throw new UnreadableFile("needs a header with product or sku, and code or url");
  }
  const rows: CodeRow[] = [];
  const faults: StockFault[] = [];
  for (const each of table.rows) {
    const get = cellReader(each, columns);
    const place = { row: each.number, product: excerpt(get("product") || get("key")) };
    const ids = idsIn(get, idsOf);
    const given = each.fault ?? contentIn(get) ?? NO_CODE;
    if (typeof ids === "string") faults.push({ ...place, reason: excerpt(ids) });
    else if (typeof given === "string") faults.push({ ...place, reason: excerpt(given) });
    else if ((given.content.code ?? given.content.url) === null)
      faults.push({ ...place, reason: NO_CODE });
    else rows.push({ ...place, ...ids, ...given });
  }
  return { rows, faults, unread: table.unread(Object.values(columns)) };
}
