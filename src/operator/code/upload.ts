// Adds the codes of a file to the stock.
import { plural } from "../../core/values/plural.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { fingerprintsOf, seal } from "../../features/codes/seal.ts";
import { addCodes } from "../../features/codes/upload-queries.ts";
import { readQuantities } from "../catalogue/stock-queries.ts";
import type { StockFault } from "../stock/file.ts";
import { readIdsOf, stockName } from "../stock/target.ts";
import { change, type OperatorContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { DESK_INPUTS } from "../files/desk/answers.ts";
import { deskFor, READ_AS } from "../files/desk/desk.ts";
import { excerpt } from "../files/unreadable-file.ts";
import { codeDesk, type CodeRow, readCodeFile } from "./file.ts";
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

const SCOPE = "code upload";

/** No content of a code is shown, also not in a fault. One transaction. */
export const codeUpload = change({
  name: SCOPE,
  title: "Upload codes",
  description:
    "A supplier's table of codes or links, with their products. If it is not certain what a column is, or which rows count, you are asked, and the answer is remembered for files with the same columns. Rows that are not valid, known or not valid for long enough are left out.",
  permission: "stock",
  input: {
    file: kinds.file("File", { maxBytes: MAX_FILE_BYTES }),
    catalogue: kinds.optional(
      kinds.catalogue("Catalogue", { hint: "Of the shop, whose SKUs or keys the file has." }),
    ),
    product: kinds.option(
      kinds.optional(kinds.product("Product", { hint: "If all codes of the file are its codes." })),
    ),
    batch: kinds.optional(
      kinds.text("Batch", { max: 100, hint: "Without it: the name of the file." }),
    ),
    confirm: kinds.optional(
      kinds.flag("Numbers are right as they are written", {
        hint: "Without it, those that a spreadsheet may have shortened or rounded are left out.",
      }),
    ),
    ...DESK_INPUTS,
  },
  examples: [
    "codes.csv",
    'codes.csv --catalogue shop --batch "Delivery of 1 May"',
    "claims.csv --catalogue shop --columns 'code = Claim Code' --only 'Status is Active'",
  ],
  preview: {
    lists: {
      left_out: {
        title: "Rows that are left out",
        download: "Download these rows",
        columns: {
          rows: kinds.text("Rows"),
          count: kinds.count("Number"),
          product: kinds.text("Product"),
          reason: kinds.text("Reason"),
        },
      },
      products: { title: "Products", columns: PRODUCT_COUNTS },
      read_as: READ_AS,
    },
  },
  plan: async (context, { file, catalogue, product, batch, confirm, columns, only }) => {
    const idsOf = catalogue === undefined ? null : await readIdsOf(context.DB, catalogue);
    const request = codeDesk(product, idsOf);
    const desk = await deskFor(context, SCOPE, file.bytes, { columns, only }, request);
    const read = readCodeFile(desk, product, idsOf, confirm);
    const { codes, missing, products } = await compared(context, read.codes);
    const faults = [...read.faults, ...missing];
    const leftOut = [...faults, ...read.leftOut].sort((a, b) => a.row - b.row);
    const name = batch ?? file.name.slice(0, 100);
    const without = leftOut.length > 0 ? `, without ${plural(leftOut.length, "row")}` : "";
    return {
      batch: name,
      codes,
      desk,
      questions: desk.questions(codes.map(({ source }) => source)),
      will:
        codes.length > 0
          ? `add ${plural(codes.length, "code")} of batch ${name} to the stock of ${plural(products.length, "product")}${without}`
          : null,
      subjects: [{ type: "stock", keys: [...new Set(products.map((each) => each.product))] }],
      preview: {
        warnings: desk.warnings(),
        lists: {
          read_as: desk.readAs(),
          ...(desk.isClear && { products }),
          ...(leftOut.length > 0 && { left_out: grouped(leftOut).slice(0, MAX_LISTED) }),
        },
        ...(faults.length > 0 && { hasProblems: true }),
      },
    };
  },
  run: async (context, { batch, codes, desk, subjects }) => {
    await desk.keep();
    const sealed = codes.map(async ({ content, productId, variationId, expiresAtMs }) => ({
      productId,
      variationId,
      expiresAtMs,
      ...(await seal(context, content)),
      batch,
      createdAtMs: context.nowMs,
    }));
    const DB = context.auditing(subjects, desk.note());
    const added = await addCodes(DB, await Promise.all(sealed));
    return { text: `Added to the stock: ${plural(added, "code")} of batch ${batch}.` };
  },
});

/** Equal faults of a product are one row. */
const grouped = (faults: readonly StockFault[]) =>
  [...Map.groupBy(faults, ({ product, reason }) => JSON.stringify([product, reason])).values()].map(
    (same) => ({
      ...(same[0] as StockFault),
      rows: excerpt(same.map(({ row }) => row).join(", "), 200),
      count: same.length,
    }),
  );

/** The codes to add, the rows whose products have no codes, and the counts of each product. */
async function compared(context: OperatorContext, rows: readonly CodeRow[]) {
  const named = new Map(rows.map((row) => [stockName(row), row]));
  const stocks = await readQuantities(context.DB, [...named.values()]);
  const daysOf = new Map(stocks.map((stock) => [stockName(stock), stock.codeDays]));
  const all = await Promise.all(rows.map(({ content }) => fingerprintsOf(context, content)));
  const present = await readKnown(context.DB, all.flat());
  const known = new Set(present.map(({ fingerprint }) => fingerprint));
  const counts = new Map<string, kinds.OutputOf<typeof PRODUCT_COUNTS> & { product: number }>();
  const missing: StockFault[] = [];
  const firsts = new Map<string, CodeRow>();
  const codes = rows.flatMap((code, n) => {
    const { row, product, productId, variationId, expiresAtMs = Infinity } = code;
    const name = stockName(code);
    const days = daysOf.get(name) ?? null;
    if (days === null) {
      const reason = daysOf.has(name) ? "is not delivered as codes" : "has no stock record";
      missing.push({ row, product, reason });
      return [];
    }
    const fingerprints = all[n] ?? [];
    const [fingerprint = ""] = fingerprints;
    const first = firsts.get(fingerprint);
    const difference = first && differenceOf(code, first);
    if (difference) {
      missing.push({ row, product, reason: `${difference} as row ${String(first.row)}` });
      return [];
    }
    firsts.set(fingerprint, first ?? code);
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

/** How a row differs from another one with the same code. Null if it only repeats it. */
function differenceOf({ content }: CodeRow, first: CodeRow): string | null {
  if (content.pin !== first.content.pin) return "has another PIN and the same code";
  if (content.code !== first.content.code) return "has the same code, but for case or hyphens,";
  return content.url === first.content.url ? null : "has another link and the same code";
}
