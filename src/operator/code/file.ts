// Reads files of suppliers with the codes of digital gifts. Faults, questions and examples do not contain a code.
import { parseId } from "../../core/values/ids.ts";
import type { SourceIds } from "../catalogue/publish/plan-queries.ts";
import type { Question } from "../declaration/declare.ts";
import { isPrice } from "../files/amounts.ts";
import type { CsvRow } from "../files/csv.ts";
import { isDay } from "../files/dates.ts";
import { type DeskField, mostly } from "../files/desk/columns.ts";
import type { Desk, DeskRequest } from "../files/desk/desk.ts";
import { isNothing } from "../files/numbers.ts";
import { idsIn, namingFields, PRODUCT_FIELDS, type StockFault } from "../stock/file.ts";
import type { IdsOf } from "../stock/target.ts";
import { excerpt } from "../files/unreadable-file.ts";
import { contentIn, type GivenContent } from "./content.ts";

/** Whether most of the texts are different from each other, and are such texts. */
const areDistinct = (texts: readonly string[], is: (text: string) => boolean): boolean => {
  const filled = texts.filter((text) => !isNothing(text));
  return new Set(filled).size >= filled.length * 0.9 && mostly(filled, is);
};

const isLink = (text: string) => /^https?:/i.test(text);

/** Without spaces, or in groups, and neither a word nor an amount, a day or a short number. */
const isCode = (text: string) =>
  /^(?=.*\p{N})(?:[^\s@]{4,}|[\p{Lu}\p{N} ]+)$|^\p{Lu}{3,}(?:[ -]\p{Lu}{3,}){2,}$/u.test(text) &&
  !/^\d{1,6}$/.test(text) &&
  !isLink(text) &&
  !isPrice(text) &&
  !(/\D/.test(text) && isDay(text));

const SECRET = { isStrict: true, isSecret: true } as const;

/** The fields of a file. */
export const CODE_FIELDS = {
  ...PRODUCT_FIELDS,
  // A key may also be that of a game.
  key: { ...PRODUCT_FIELDS.key, names: "sku, product sku, product key, handle" },
  code: {
    ...SECRET,
    label: "Code",
    names:
      "code, claim code, gift code, voucher code, gift card code, redemption code, card number",
    looks: (texts) => areDistinct(texts, isCode),
  },
  pin: {
    ...SECRET,
    label: "PIN",
    names: "pin, pin code, pin number, security code",
    looks: (texts) => areDistinct(texts, (text) => /^\d{4,6}$/.test(text)),
  },
  url: {
    ...SECRET,
    label: "Link",
    names: "url, link, redemption url, redemption link, gift link",
    looks: (texts) => mostly(texts, isLink),
  },
  valid_until: {
    label: "Last day",
    names: "valid until, valid to, expires, expiry, expiry date, expiration date, expires on",
    isStrict: true,
    isDay: true,
    looks: (texts) => mostly(texts, isDay),
  },
} as const satisfies Record<string, DeskField>;

export type CodeRow = SourceIds & GivenContent & { row: number; product: string; source: CsvRow };

const NO_CODE = "has no code and no link";
const OTHER_PRODUCT = "names another product than the one of the file";

const PRODUCT: Question = {
  input: "product",
  label: "If no column names it: the id of the product of all these codes",
  options: [],
};

/** `product`: that of all rows. */
export const codeDesk = (
  product: number | undefined,
  idsOf: IdsOf | null,
): DeskRequest<keyof typeof CODE_FIELDS> => ({
  fields: CODE_FIELDS,
  needs: [
    { keys: ["url", "code"] },
    ...(product === undefined ? [{ keys: namingFields(idsOf), instead: PRODUCT }] : []),
  ],
  counts: "are codes to give out",
  maxRows: 20_000,
});

/**
 * The rows that count, those that are not valid, and those that an answer leaves out. `isConfirmed`: whether the operator
 * has confirmed what a spreadsheet may have changed.
 */
export function readCodeFile(
  desk: Desk<keyof typeof CODE_FIELDS>,
  only: number | undefined,
  idsOf: IdsOf | null,
  isConfirmed = false,
) {
  const codes: CodeRow[] = [];
  const faults: StockFault[] = [];
  const leftOut: StockFault[] = [];
  const readDay = desk.dayReader("valid_until", true);
  for (const source of desk.rows) {
    const cells = desk.cells(source);
    const get = (key: keyof typeof CODE_FIELDS) =>
      key === "product" && only !== undefined ? String(only) : cells(key);
    const product = excerpt(get("product") || get("key"));
    const fault = (to: StockFault[], reason: string) =>
      to.push({ row: source.number, product, reason: excerpt(reason) });
    const answer = desk.leftOut(source);
    const content = source.fault ?? contentIn(get, readDay) ?? NO_CODE;
    const stated = parseId(cells("product")) ?? only;
    const ids = only === stated || only === undefined ? idsIn(get, idsOf) : OTHER_PRODUCT;
    if (answer !== null) fault(leftOut, answer);
    else if (typeof content === "string") fault(faults, content);
    else if (typeof ids === "string") fault(faults, ids);
    else if ((content.content.code ?? content.content.url) === null) fault(faults, NO_CODE);
    else codes.push({ row: source.number, product, ...ids, ...content, source });
  }
  const changed = isConfirmed ? new Map<CodeRow, string>() : changedIn(codes);
  for (const [{ row, product }, reason] of changed) faults.push({ row, product, reason });
  return { codes: codes.filter((each) => !changed.has(each)), faults, leftOut };
}

/** Spreadsheets keep 15 digits of a number, and write zeros for the others. */
const MAX_DIGITS = 15;

/** The rows whose numbers a spreadsheet may have changed, as the others of the product show. */
function changedIn(codes: readonly CodeRow[]): Map<CodeRow, string> {
  const changed = new Map<CodeRow, string>();
  for (const same of Map.groupBy(codes, ({ productId }) => productId).values()) {
    for (const name of ["code", "pin"] as const) {
      const numbers = same
        .map((row) => ({ row, text: row.content[name] ?? "" }))
        .filter(({ text }) => /^\d+$/.test(text));
      const most = Math.max(...numbers.map(({ text }) => text.length));
      const long = numbers.filter(({ text }) => text.length > MAX_DIGITS);
      const isRounded = long.length > 1 && long.every(({ text }) => text.endsWith("0"));
      const isPadded = numbers.some(({ text }) => text.length === most && text.startsWith("0"));
      const short = numbers.filter(({ text }) => text.length < most);
      const why = isRounded
        ? "because all of this product end in 0"
        : "because it has fewer digits than others of this product, which begin with 0";
      for (const { row } of isRounded ? long : isPadded ? short : [])
        changed.set(row, `has a ${name} that a spreadsheet may have changed, ${why}`);
    }
  }
  return changed;
}
