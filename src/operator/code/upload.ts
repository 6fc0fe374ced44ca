// Adds the codes of a file to the stock.
import { plural } from "../../core/values/plural.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { fingerprintsOf, seal } from "../../features/codes/seal.ts";
import { addCodes } from "../../features/codes/upload-queries.ts";
import { readQuantities, type StockKey } from "../catalogue/stock-queries.ts";
import type { StockFault } from "../stock/file.ts";
import { readIdsOf } from "../stock/target.ts";
import { change, type OperatorContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { unreadColumns } from "../files/unreadable-file.ts";
import { type CodeRow, readCodeFile } from "./file.ts";
import { readKnown } from "./queries.ts";

const MAX_FILE_BYTES = 5_000_000;
const MAX_LISTED = 1_000;

const PRODUCT_COUNTS = {
  product: kinds.product("Product"),
  variation: kinds.id("Variation"),
  new: kinds.count("New"),
  known: kinds.count("Known or repeated"),
  expired: kinds.count("Not valid for long enough"),
};

/** No content of a code is shown, also not in a fault. One transaction. */
export const codeUpload = change({
  name: "code upload",
  title: "Upload codes",
  description:
    "A CSV file with the columns product and variation, or sku with its catalogue, and code or url, and optionally pin and valid_until, the last day. If a row is invalid, nothing is changed. Codes that are known or not valid for long enough are left out.",
  permission: "stock",
  input: {
    file: kinds.file("File", { maxBytes: MAX_FILE_BYTES }),
    catalogue: kinds.optional(
      kinds.catalogue("Catalogue", { hint: "Of the shop, whose SKUs or keys the file has." }),
    ),
    batch: kinds.optional(
      kinds.text("Batch", { max: 100, hint: "Without it: the name of the file." }),
    ),
  },
  examples: ["codes.csv", 'codes.csv --catalogue shop --batch "Delivery of 1 May"'],
  preview: {
    lists: {
      invalid: {
        title: "Rows to correct first",
        columns: {
          row: kinds.count("Row"),
          product: kinds.text("Product"),
          reason: kinds.text("Reason"),
        },
      },
      products: { title: "Products", columns: PRODUCT_COUNTS },
    },
  },
  plan: async (context, { file, catalogue, batch = file.name.slice(0, 100) }) => {
    const idsOf = catalogue === undefined ? null : await readIdsOf(context.DB, catalogue);
    const { rows, faults, unread } = readCodeFile(file.bytes, idsOf);
    const { codes, missing, products } = await compared(context, rows);
    const invalid = [...faults, ...missing].sort((a, b) => a.row - b.row);
    const isValid = invalid.length === 0;
    return {
      batch,
      codes,
      will:
        isValid && codes.length > 0
          ? `add ${plural(codes.length, "code")} of batch ${batch} to the stock of ${plural(products.length, "product")}`
          : null,
      subjects: [{ type: "stock", keys: [...new Set(products.map(({ product }) => product))] }],
      preview: {
        warnings: [
          ...(isValid && rows.length === 0 ? ["The file has no rows."] : []),
          ...unreadColumns(unread),
        ],
        lists: isValid ? { products } : { products, invalid: invalid.slice(0, MAX_LISTED) },
        ...(!isValid && { hasProblems: true }),
      },
    };
  },
  run: async (context, { batch, codes }) => {
    const sealed = codes.map(async ({ content, ...code }) => ({
      ...code,
      ...(await seal(context, content)),
      batch,
      createdAtMs: context.nowMs,
    }));
    const added = await addCodes(context.DB, await Promise.all(sealed));
    return { text: `Added to the stock: ${plural(added, "code")} of batch ${batch}.` };
  },
});

/** The codes to add, the rows whose products have no codes, and the counts of each product. */
async function compared(context: OperatorContext, rows: readonly CodeRow[]) {
  const nameOf = ({ productId, variationId }: StockKey) =>
    `${String(productId)}/${String(variationId)}`;
  const named = new Map(rows.map((row) => [nameOf(row), row]));
  const stocks = await readQuantities(context.DB, [...named.values()]);
  const daysOf = new Map(stocks.map((stock) => [nameOf(stock), stock.codeDays]));
  const all = await Promise.all(rows.map(({ content }) => fingerprintsOf(context, content)));
  const present = await readKnown(context.DB, all.flat());
  const known = new Set(present.map(({ fingerprint }) => fingerprint));
  const counts = new Map<string, kinds.OutputOf<typeof PRODUCT_COUNTS> & { product: number }>();
  const missing: StockFault[] = [];
  const codes = rows.flatMap(({ row, product, ...code }, n) => {
    const { productId, variationId, expiresAtMs = Infinity } = code;
    const name = nameOf(code);
    const days = daysOf.get(name) ?? null;
    if (days === null) {
      const reason = daysOf.has(name) ? "is not delivered as codes" : "has no stock record";
      missing.push({ row, product, reason });
      return [];
    }
    const fingerprints = all[n] ?? [];
    const isKnown = fingerprints.some((each) => known.has(each));
    const isExpired = expiresAtMs < context.nowMs + days * DAY_MS;
    const result = isKnown ? "known" : isExpired ? "expired" : "new";
    const none = { product: productId, variation: variationId || null };
    const count = counts.get(name) ?? { ...none, new: 0, known: 0, expired: 0 };
    counts.set(name, { ...count, [result]: Number(count[result]) + 1 });
    for (const each of fingerprints) known.add(each);
    return result === "new" ? [code] : [];
  });
  return { codes, missing, products: [...counts.values()] };
}
