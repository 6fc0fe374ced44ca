// The list of a catalogue's products.
import { parseId } from "../../core/values/ids.ts";
import { readFilteredPage } from "../../features/catalogue/filtered.ts";
import { totalQuantity } from "../../features/catalogue/product.ts";
import { customList } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { invalidPosition } from "../declaration/pages.ts";
import { priceText } from "./publication-shape.ts";
import { requireCatalogue } from "./queries.ts";

/** Three round trips. */
export const catalogueProducts = customList({
  name: "catalogue products",
  title: "Products",
  permission: "view",
  input: {
    catalogue: kinds.catalogue("Catalogue"),
    words: kinds.optional(
      kinds.text("Words", {
        hint: "Words of the name or the description, or their first letters.",
      }),
    ),
  },
  columns: {
    product: kinds.product("Product"),
    name: kinds.text("Name"),
    sku: kinds.text("SKU"),
    price: kinds.text("Price"),
    quantity: kinds.count("Stock"),
    delivery: kinds.text("Delivery"),
    vendor: kinds.text("Vendor"),
    changed: kinds.from("changedAtMs", kinds.time("Changed")),
  },
  empty: "No product matches.",
  examples: ["main --words tea"],
  page: async ({ DB }, { catalogue: name, words = "" }, { after = "1", limit }) => {
    const page = parseId(after);
    if (page === undefined) throw invalidPosition();
    const catalogue = await requireCatalogue(DB, name);
    const filter = { q: words, product_type: null, page, limit };
    const { total, listed } = await readFilteredPage(DB, catalogue, filter);
    return {
      rows: listed.map(({ product, stock, changedAtMs }) => ({
        product: product.id,
        name: product.name,
        sku: product.sku || null,
        price: priceText(product),
        quantity: totalQuantity(stock),
        delivery: product.delivery,
        vendor: product.vendor.name || null,
        changedAtMs,
      })),
      next: page * limit < total ? String(page + 1) : null,
      text: `Products: ${total.toLocaleString("en")}.`,
    };
  },
});
