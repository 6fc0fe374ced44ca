// The stock of a product and of its variations.
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { findTarget, PRODUCT_INPUTS, recordRow, requireStock } from "./target.ts";

/** At most three round trips. */
export const stockShow = view({
  name: "stock show",
  title: "Stock of a product",
  description:
    "All catalogues that list a product share its stock. Orders use a new quantity at once. The next publication decides again whether stock is tracked.",
  permission: "view",
  forVendors: {},
  input: PRODUCT_INPUTS,
  examples: ["1001", "MUG-L --catalogue shop"],
  shape: {
    facts: {
      product: kinds.id("Product"),
      name: kinds.text("Name"),
      catalogues: kinds.text("Catalogues"),
    },
    lists: {
      records: {
        title: "Product and variations",
        columns: {
          variation: kinds.id("Variation"),
          sku: kinds.text("SKU"),
          options: kinds.text("Options"),
          quantity: kinds.count("Quantity"),
          codes: kinds.flag("Codes"),
          tracked: kinds.flag("Tracked"),
          published: kinds.flag("Published"),
          on_sale: kinds.flag("On sale"),
          can_be_ordered: kinds.flag("Can be ordered"),
        },
        actions: ["code list"],
        rowActions: ["stock set", "stock adjust"],
      },
    },
  },
  read: async ({ DB, user }, input) => {
    const { productId } = await findTarget(DB, input);
    const { name, catalogues, records } = await requireStock({ DB, user }, productId);
    return {
      facts: { product: productId, name, catalogues: catalogues.join(", ") || null },
      lists: {
        records: records.map((each) => ({
          ...recordRow(each),
          tracked: each.quantity !== null,
          can_be_ordered: each.canBeOrdered,
        })),
      },
    };
  },
});
