// Adds pieces to the stock of a product or variation, or removes them.
import { type ApiError, refusal } from "../../core/api-error.ts";
import * as z from "zod/mini";
import { lazy } from "../../core/lazy.ts";
import { plural } from "../../core/values/plural.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { adjustStock, MAX_QUANTITY, type StockKey } from "../catalogue/stock-queries.ts";
import {
  CHANGED_STOCK,
  changedStock,
  stockName,
  orMissing,
  plannedStock,
  RECORD_INPUTS,
  requireRecord,
  titleOf,
} from "./target.ts";

const PIECES = lazy(() =>
  z.pipe(
    z
      .pipe(z.union([z.string(), z.number()]), z.transform(String))
      .check(
        z.refine(
          (text) => /^[+-]?\d{1,9}$/.test(text) && Number(text) !== 0,
          "must be a whole number other than 0, such as 12 or -3",
        ),
      ),
    z.transform(Number),
  ),
);

/** One transaction. Orders that are placed at the same time are counted. */
export const stockAdjust = change({
  name: "stock adjust",
  title: "Adjust the stock",
  description: "The change is relative, so orders that are placed meanwhile are counted.",
  permission: "stock",
  forVendors: {},
  input: {
    ...RECORD_INPUTS,
    pieces: {
      ...kinds.count("Pieces", { hint: "Such as 12 for a delivery, or -3 for broken pieces." }),
      schema: PIECES,
    },
    reason: kinds.reason(),
  },
  examples: [
    '1001 --pieces 12 --reason "Delivery 4711"',
    '1003 --variation 5001 --pieces -1 --reason "Broken in the warehouse"',
  ],
  result: { facts: CHANGED_STOCK },
  plan: async (context, { pieces, ...reference }) => {
    const target = await requireRecord(context, reference);
    const { quantity } = target.record;
    if (quantity === null || quantity + pieces < 0 || quantity + pieces > MAX_QUANTITY) {
      throw refused(target.key, quantity, pieces);
    }
    return {
      ...plannedStock(target, quantity + pieces),
      pieces,
      will:
        pieces > 0
          ? `add ${plural(pieces, "piece")} to the stock of ${titleOf(target)}`
          : `remove ${plural(-pieces, "piece")} from the stock of ${titleOf(target)}`,
    };
  },
  run: async ({ DB }, { key, pieces }) => {
    const done = orMissing(key, await adjustStock(DB, key, pieces));
    if (done.before === done.after) throw refused(key, done.before, pieces);
    return changedStock(key, done);
  },
});

function refused(key: StockKey, before: number | null, pieces: number): ApiError {
  if (before === null) {
    return refusal(`the stock of ${stockName(key)} is not tracked. Set a quantity first.`);
  }
  const limit =
    pieces < 0
      ? "so it cannot be reduced by " + String(-pieces)
      : `and the maximum is ${String(MAX_QUANTITY)}`;
  return refusal(`the stock of ${stockName(key)} is ${String(before)}, ${limit}.`);
}
