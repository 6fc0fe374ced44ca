// Sets the stock of the products and variations of a file, for example after stocktaking.
import { chunksOf } from "../../core/values/chunks.ts";
import { plural } from "../../core/values/plural.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { DESK_INPUTS } from "../files/desk/answers.ts";
import { deskFor, READ_AS } from "../files/desk/desk.ts";
import { excerpt } from "../files/unreadable-file.ts";
import { readNames, readQuantities, setQuantities } from "../catalogue/stock-queries.ts";
import {
  type CountedRow,
  readStockFile,
  stockDesk,
  type StockFault,
  type StockFile,
} from "./file.ts";
import { consistsOfCodes, OF_CODES, quantityText, readIdsOf, stockName } from "./target.ts";

const SCOPE = "stock upload";
const MAX_FILE_BYTES = 5_000_000;
/** The records of a transaction, each with an entry in the audit log. */
const RECORDS = 200;

const COUNTS = {
  changed: kinds.count("Changed"),
  unchanged: kinds.count("Unchanged"),
  refused: kinds.count("Refused"),
};

const CHANGED = {
  title: "Quantities that change, at most the first 100",
  columns: {
    row: kinds.count("Row"),
    product: kinds.product("Product"),
    name: kinds.text("Name"),
    options: kinds.text("Options"),
    sku: kinds.text("SKU"),
    before: kinds.text("Before"),
    after: kinds.text("After"),
  },
};

const REFUSED = {
  title: "Rows that are not set",
  download: "Download these rows",
  columns: {
    row: kinds.count("Row"),
    product: kinds.text("Product"),
    reason: kinds.text("Reason"),
  },
};

/** A transaction for each 200 records. */
export const stockUpload = change({
  name: SCOPE,
  title: "Upload quantities",
  description:
    "A table with quantities (or untracked) and the ids of products and variations, or their SKUs with the catalogue. If it is not certain what a column is, or which rows count, you are asked, and the answer is remembered for files with the same columns. Other products keep their stock.",
  permission: "stock",
  isGradual: true,
  input: {
    file: kinds.file("File", { maxBytes: MAX_FILE_BYTES }),
    catalogue: kinds.optional(
      kinds.catalogue("Catalogue", { hint: "Of the shop, whose SKUs or keys the file has." }),
    ),
    reason: kinds.reason(),
    ...DESK_INPUTS,
  },
  examples: ['counts.csv --catalogue shop --reason "Stocktaking of 1 May"'],
  preview: { facts: COUNTS, lists: { refused: REFUSED, changes: CHANGED, read_as: READ_AS } },
  result: { facts: COUNTS, lists: { refused: REFUSED } },
  plan: async (context, { file, catalogue, columns, only }) => {
    const { DB } = context;
    const idsOf = catalogue === undefined ? null : await readIdsOf(DB, catalogue);
    const desk = await deskFor(context, SCOPE, file.bytes, { columns, only }, stockDesk(idsOf));
    const counted = readStockFile(desk, idsOf);
    const { changed, ...outcome } = await compared(DB, counted);
    const changing = [...changed, ...counted.repeated].map(({ source }) => source);
    const { lists, ...content } = contentOf(changed.length, outcome);
    const changes = await changesOf(DB, changed.slice(0, 100));
    return {
      changed,
      outcome,
      desk,
      questions: desk.questions(changing),
      will:
        changed.length === 0
          ? null
          : `set the quantities of ${plural(changed.length, "stock record")} to those of ${file.name}`,
      subjects: [],
      confirms: [counted.rows.map((row) => [stockName(row), row.quantity]), counted.faults],
      preview: {
        ...content,
        warnings: [...desk.warnings(), ...content.warnings],
        lists: { read_as: desk.readAs(), ...lists, ...(changes.length > 0 && { changes }) },
      },
    };
  },
  run: async ({ auditing, progress }, { changed, outcome, desk }) => {
    await desk.keep();
    const note = desk.note();
    let done = 0;
    for (const chunk of chunksOf(changed, RECORDS)) {
      const productIds = [...new Set(chunk.map(({ productId }) => productId))];
      await setQuantities(auditing([{ type: "stock", keys: productIds }], note), chunk);
      done += chunk.length;
      await progress(done, changed.length);
    }
    return {
      ...contentOf(done, outcome),
      text: `The quantities of ${plural(done, "stock record")} are set.`,
    };
  },
});

interface Outcome {
  unchanged: number;
  refused: number;
  /** The rows that are refused, and those that an answer leaves out. */
  leftOut: readonly StockFault[];
  /** The products whose orders were not limited before, and those whose orders are not limited any more. */
  limited: string[];
  unlimited: string[];
}

const contentOf = (changed: number, { unchanged, refused, leftOut, ...more }: Outcome) => ({
  warnings: [
    ...namesIn("Orders were not limited before by the stock of", more.limited),
    ...namesIn("Orders are no longer limited by the stock of", more.unlimited),
  ],
  facts: { changed, unchanged, refused: refused || null },
  lists: leftOut.length > 0 ? { refused: leftOut } : {},
  ...(refused > 0 && { hasProblems: true }),
});

/** The rows with the names of what is sold. */
async function changesOf(d1: D1Database, changed: readonly ChangedRow[]) {
  const names = new Map((await readNames(d1, changed)).map((each) => [stockName(each), each]));
  return changed.map((each) => {
    const { name = null, sku = null, options = null } = names.get(stockName(each)) ?? {};
    const texts = { before: quantityText(each.before), after: quantityText(each.quantity) };
    return { row: each.row, product: each.productId, name, options, sku, ...texts };
  });
}

const namesIn = (text: string, products: readonly string[]) =>
  products.length === 0 ? [] : [`${text} ${excerpt(products.join(", "))}.`];

/** A row with the quantity before the change. */
type ChangedRow = CountedRow & { before: number | null };

/** The rows that change a record. A row of a record that does not exist is a fault. */
async function compared(
  d1: D1Database,
  { rows, faults, leftOut }: StockFile,
): Promise<Outcome & { changed: ChangedRow[] }> {
  const records = new Map((await readQuantities(d1, rows)).map((each) => [stockName(each), each]));
  const withBefore = (row: CountedRow) => ({
    ...row,
    before: records.get(stockName(row))?.quantity ?? null,
  });
  const faultOf = (row: CountedRow) => {
    const record = records.get(stockName(row));
    if (!record) return "has no stock record";
    return consistsOfCodes(record) ? OF_CODES : null;
  };
  const existing = rows.filter((row) => faultOf(row) === null).map(withBefore);
  const changed = existing.filter(({ before, quantity }) => before !== quantity);
  const refused = rows.flatMap((row) => {
    const reason = faultOf(row);
    return reason === null ? [] : { row: row.row, product: row.product, reason };
  });
  const namesOf = (same: typeof changed) => same.map(({ product }) => product);
  return {
    changed,
    limited: namesOf(changed.filter(({ before }) => before === null)),
    unlimited: namesOf(changed.filter(({ quantity }) => quantity === null)),
    unchanged: existing.length - changed.length,
    refused: faults.length + refused.length,
    leftOut: [...faults, ...refused, ...leftOut].sort((a, b) => a.row - b.row),
  };
}
