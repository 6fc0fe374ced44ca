// Makes the free codes of a batch void.
import { refusal } from "../../core/api-error.ts";
import { plural } from "../../core/values/plural.ts";
import { stockName, requireStock } from "../stock/target.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readFree, voidBatch } from "./queries.ts";
import { BATCH } from "./list.ts";

/** One transaction. */
export const codeVoid = change({
  name: "code void",
  title: "Make free codes void",
  description:
    "The free codes of a batch are not given out any more, and cannot be uploaded again. As many as sold gifts still need stay free.",
  permission: "stock",
  isFinal: true,
  input: {
    product: kinds.product("Product"),
    variation: kinds.argument(kinds.optional(kinds.id("Variation"))),
    batch: kinds.argument(BATCH),
  },
  examples: ['1001 "Delivery of 1 May" --reason "Ticket 8"'],
  plan: async ({ DB, user }, { product: productId, variation: variationId = 0, batch }) => {
    await requireStock({ DB, user }, productId);
    const key = { productId, variationId, batch };
    const { free, stock } = await readFree(DB, key);
    const left = Math.min(free, stock ?? free);
    const of = `${plural(free, "free code")} of batch ${batch} of ${stockName(key)}`;
    if (left === 0 && free > 0) throw refusal(`sold gifts need the ${of}.`);
    return {
      key,
      will:
        free === 0 ? null : `make ${left < free ? `${String(left)} of ` : ""}${of} void for good`,
      subjects: [{ type: "stock", keys: [productId] }],
      // The numbers change with each sale.
      confirms: key,
    };
  },
  run: async ({ DB, nowMs }, { key }) => ({
    text: `${plural(await voidBatch(DB, { ...key, nowMs }), "code")} of batch ${key.batch} made void.`,
  }),
});
