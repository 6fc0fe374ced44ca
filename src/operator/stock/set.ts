// Sets the stock of a product or variation, for example after stocktaking.
import { validationError } from "../../core/api-error.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { MAX_QUANTITY, setStock } from "../catalogue/stock-queries.ts";
import {
  CHANGED_STOCK,
  changedStock,
  orMissing,
  plannedStock,
  RECORD_INPUTS,
  requireRecord,
  titleOf,
} from "./target.ts";

/** One transaction. */
export const stockSet = change({
  name: "stock set",
  title: "Set the stock",
  description:
    "Pieces that are sold between counting and this change are lost from the count. The next publication keeps the quantity, unless it replaces the stock.",
  permission: "stock",
  forVendors: {},
  input: {
    ...RECORD_INPUTS,
    quantity: kinds.optional(kinds.count("Quantity", { max: MAX_QUANTITY })),
    untracked: kinds.withDefault(
      kinds.flag("Stop tracking the stock", { hint: "Orders are then not limited." }),
      false,
    ),
    reason: kinds.reason(),
  },
  examples: [
    '1001 --quantity 40 --reason "Stocktaking of 1 May"',
    '1003 --variation 5001 --untracked --reason "Made to order"',
  ],
  result: { facts: CHANGED_STOCK },
  plan: async (context, { quantity: given, untracked, ...reference }) => {
    if ((given === undefined) !== untracked) {
      const message = "must be given, or the stock be untracked, but not both";
      throw validationError([{ field: "quantity", message }]);
    }
    const quantity = given ?? null;
    const target = await requireRecord(context, reference);
    const isSame = target.record.quantity === quantity;
    return {
      ...plannedStock(target, quantity),
      quantity,
      will: isSame ? null : `set the stock of ${titleOf(target)}`,
      ...(isSame && { changes: [] }),
    };
  },
  run: async ({ DB }, { key, quantity }) =>
    changedStock(key, orMissing(key, await setStock(DB, key, quantity))),
});
