// The list of products and variations whose stock is low.
import { customList, type ReadContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf, positionIn } from "../declaration/pages.ts";
import { listLowStock, MAX_QUANTITY } from "../catalogue/stock-queries.ts";
import { findTarget, PRODUCT_INPUTS, recordRow, requireStock } from "./target.ts";

const FIRST = { quantity: -1, productId: 0, variationId: 0 };

export const STOCK_LIST_COLUMNS = {
  product: kinds.product("Product"),
  name: kinds.text("Name"),
  variation: kinds.id("Variation"),
  sku: kinds.text("SKU"),
  quantity: kinds.count("Quantity"),
  codes: kinds.flag("Codes"),
  on_sale: kinds.flag("On sale"),
  catalogues: kinds.text("Catalogues"),
};

/** One round trip, or at most three for a product. */
export const stockList = customList({
  name: "stock list",
  title: "Stock",
  description:
    "Published products and variations with low tracked stock, lowest first, or a product that is named.",
  permission: "view",
  forVendors: {},
  input: {
    below: kinds.withDefault(kinds.count("Fewer pieces than", { max: MAX_QUANTITY + 1 }), 10),
    catalogue: kinds.optional(kinds.catalogue("Catalogue")),
    product: kinds.option(kinds.optional(PRODUCT_INPUTS.product)),
  },
  columns: STOCK_LIST_COLUMNS,
  empty: "No tracked stock is that low.",
  actions: ["stock upload", "code upload"],
  examples: ["--below 25 --catalogue main"],
  page: async ({ DB, user }, { below, catalogue = null, product }, { after, limit }) => {
    if (product !== undefined) return ofProduct({ DB, user }, product, catalogue ?? undefined);
    const position = { after: positionIn(FIRST, after), limit: limit + 1 };
    const found = await listLowStock(DB, { vendor: user.vendor, below, catalogue, ...position });
    const { shown, next } = pageOf(FIRST, found, limit);
    return {
      rows: shown.map((each) => ({ ...recordRow(each), product: each.productId })),
      next,
    };
  },
});

/** All records of the product. */
async function ofProduct(
  { DB, user }: Pick<ReadContext, "DB" | "user">,
  product: string,
  catalogue: string | undefined,
) {
  const { productId } = await findTarget(DB, { product, catalogue });
  const { name, catalogues, records } = await requireStock({ DB, user }, productId);
  return {
    rows: records.map((each) => ({
      ...recordRow(each),
      name,
      product: productId,
      catalogues: catalogues.join(", ") || null,
    })),
    next: null,
    only: { type: "product" as const, name: String(productId) },
  };
}
