// The numbers of codes of each batch. Contents are never listed.
import { MAX_ID } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { currentKeyId } from "../../features/codes/seal.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readCodeCounts, readOtherKeyCount } from "./queries.ts";

export const BATCH = kinds.text("Batch", { max: 100 });

/** Two round trips, which are simultaneous. */
export const codeList = list({
  name: "code list",
  title: "Codes",
  description: "The codes that were uploaded, by product, batch and last day.",
  permission: "view",
  input: { product: kinds.optional(kinds.product("Product")) },
  columns: {
    product: kinds.from("productId", kinds.product("Product")),
    variation: kinds.id("Variation"),
    batch: BATCH,
    valid_until: kinds.day("Valid until"),
    free: kinds.count("Free"),
    given: kinds.count("Given out"),
    opened: kinds.count("Opened"),
    void: kinds.count("Void"),
  },
  empty: "No code matches.",
  actions: ["code upload"],
  rowActions: ["code void"],
  examples: ["--product 1001"],
  first: ({ product = 0 }) => ({ productId: product, variationId: -1, batch: "", expires: 0 }),
  read: ({ DB }, { product }, { after, limit }) =>
    readCodeCounts(DB, { ...after, lastProductId: product ?? MAX_ID, limit }),
  text: async (context) => {
    const count = await readOtherKeyCount(context.DB, await currentKeyId(context));
    return count === 0
      ? null
      : `Still encrypted with the previous CODE_SECRET: ${plural(count, "code")}.`;
  },
  row: ({ variationId, expires, ...counts }) => ({
    ...counts,
    variation: variationId || null,
    valid_until: expires === Number.MAX_SAFE_INTEGER ? null : redeemByOf(expires),
  }),
});
