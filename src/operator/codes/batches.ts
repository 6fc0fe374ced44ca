// The numbers of codes of each batch, and the removal of a batch. Contents are never listed.
import { refusal } from "../../core/api-error.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { currentKeyId } from "../../features/codes/seal.ts";
import { nameOf, requireStock } from "../catalogue/stock-target.ts";
import { change, list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { countCodes, countOtherKeys, readFree, voidBatch } from "./queries.ts";

const BATCH = kinds.text("Batch", { max: 100 });

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
  order: { productId: Number, variationId: Number, batch: String, expires: Number },
  read: ({ DB }, { product }, { after, limit }) =>
    countCodes(DB, {
      ...(after ?? { productId: product ?? 0, variationId: -1, batch: "", expires: 0 }),
      lastProductId: product ?? MAX_ID,
      limit,
    }),
  text: async (context) => {
    const count = await countOtherKeys(context.DB, await currentKeyId(context));
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
  plan: async ({ DB }, { product: productId, variation: variationId = 0, batch }) => {
    await requireStock(DB, productId);
    const key = { productId, variationId, batch };
    const { free, stock } = await readFree(DB, key);
    const left = Math.min(free, stock ?? free);
    const of = `${plural(free, "free code")} of batch ${batch} of ${nameOf(key)}`;
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
