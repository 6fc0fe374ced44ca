// Sets the stock of the products and variations of a file, for example after stocktaking.
import { chunksOf } from "../../core/values/chunks.ts";
import { plural } from "../../core/values/plural.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { excerpt, unreadColumns } from "../files/unreadable-file.ts";
import type { SourceIds } from "../catalogue/publish/plan-queries.ts";
import { readNames, readQuantities, setQuantities } from "../catalogue/stock-queries.ts";
import { type CountedRow, readStockFile, type StockFault, type StockFile } from "./file.ts";
import { consistsOfCodes, quantityText, readIdsOf, OF_CODES } from "./target.ts";

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
  title: "Rows that are refused",
  download: "Download these rows",
  columns: {
    row: kinds.count("Row"),
    product: kinds.text("Product"),
    reason: kinds.text("Reason"),
  },
};

/** A transaction for each 200 records. */
export const stockUpload = change({
  name: "stock upload",
  title: "Upload quantities",
  description:
    "A CSV file with the columns quantity (or untracked), and product and variation, or sku with its catalogue. Other products keep their stock.",
  permission: "stock",
  isGradual: true,
  input: {
    file: kinds.file("File", { maxBytes: MAX_FILE_BYTES }),
    catalogue: kinds.optional(
      kinds.catalogue("Catalogue", { hint: "Of the shop, whose SKUs or keys the file has." }),
    ),
    reason: kinds.reason(),
  },
  examples: ['counts.csv --catalogue shop --reason "Stocktaking of 1 May"'],
  preview: { facts: COUNTS, lists: { refused: REFUSED, changes: CHANGED } },
  result: { facts: COUNTS, lists: { refused: REFUSED } },
  plan: async ({ DB }, { file, catalogue }) => {
    const idsOf = catalogue === undefined ? null : await readIdsOf(DB, catalogue);
    const counted = readStockFile(file.bytes, idsOf);
    const { changed, ...outcome } = await compared(DB, counted);
    const { lists, ...content } = contentOf(changed.length, outcome);
    const changes = await changesOf(DB, changed.slice(0, 100));
    return {
      changed,
      outcome,
      will:
        changed.length === 0
          ? null
          : `set the quantities of ${plural(changed.length, "stock record")} to those of ${file.name}`,
      subjects: [],
      confirms: counted,
      preview: { ...content, lists: { ...lists, ...(changes.length > 0 && { changes }) } },
    };
  },
  run: async ({ auditing, progress }, { changed, outcome }) => {
    let done = 0;
    for (const chunk of chunksOf(changed, RECORDS)) {
      const productIds = [...new Set(chunk.map(({ productId }) => productId))];
      await setQuantities(auditing([{ type: "stock", keys: productIds }]), chunk);
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
  faults: readonly StockFault[];
  /** The products whose orders were not limited before, and those whose orders are not limited any more. */
  limited: string[];
  unlimited: string[];
  unread: readonly string[];
}

const contentOf = (changed: number, { unchanged, faults, ...more }: Outcome) => ({
  warnings: [
    ...(changed + unchanged + faults.length === 0 ? ["The file has no rows."] : []),
    ...unreadColumns(more.unread),
    ...namesIn("Orders were not limited before by the stock of", more.limited),
    ...namesIn("Orders are no longer limited by the stock of", more.unlimited),
  ],
  facts: { changed, unchanged, refused: faults.length || null },
  lists: faults.length > 0 ? { refused: faults } : {},
  ...(faults.length > 0 && { hasProblems: true }),
});

/** The rows with the names of what is sold. */
async function changesOf(d1: D1Database, changed: readonly ChangedRow[]) {
  const names = new Map((await readNames(d1, changed)).map((each) => [nameOf(each), each]));
  return changed.map((each) => {
    const { name = null, sku = null, options = null } = names.get(nameOf(each)) ?? {};
    const texts = { before: quantityText(each.before), after: quantityText(each.quantity) };
    return { row: each.row, product: each.productId, name, options, sku, ...texts };
  });
}

const namesIn = (text: string, products: readonly string[]) =>
  products.length === 0 ? [] : [`${text} ${excerpt(products.join(", "))}.`];

const nameOf = ({ productId, variationId }: SourceIds) =>
  `${String(productId)}/${String(variationId)}`;

/** A row with the quantity before the change. */
type ChangedRow = CountedRow & { before: number | null };

/** The rows that change a record. A row of a record that does not exist is a fault. */
async function compared(
  d1: D1Database,
  { rows, faults, unread }: StockFile,
): Promise<Outcome & { changed: ChangedRow[] }> {
  const records = new Map((await readQuantities(d1, rows)).map((each) => [nameOf(each), each]));
  const withBefore = (row: CountedRow) => ({
    ...row,
    before: records.get(nameOf(row))?.quantity ?? null,
  });
  const faultOf = (row: CountedRow) => {
    const record = records.get(nameOf(row));
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
    unread,
    unchanged: existing.length - changed.length,
    faults: [...faults, ...refused].sort((a, b) => a.row - b.row),
  };
}
