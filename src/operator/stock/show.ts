// A product: its texts and prices, its stock, and where it is sold.
import { formatDateTime, DAY_MS } from "../../core/values/time.ts";
import { plural } from "../../core/values/plural.ts";
import { plainLines } from "../../features/catalogue/markup.ts";
import type { Product } from "../../features/catalogue/product.ts";
import { readProductPage } from "../catalogue/product-queries.ts";
import { priceText } from "../catalogue/publication-shape.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { findTarget, PRODUCT_INPUTS, recordRow, unknownProduct } from "./target.ts";

const SALES_MS = 30 * DAY_MS;

/** At most three round trips. */
export const stockShow = view({
  name: "stock show",
  title: "Product",
  description:
    "All catalogues that list a product share its stock. Orders use a new quantity at once. The next publication decides again whether stock is tracked.",
  permission: "view",
  forVendors: {},
  input: PRODUCT_INPUTS,
  examples: ["1001", "MUG-L --catalogue shop"],
  shape: {
    headings: { product: "Product", description: "Texts that recipients see" },
    facts: {
      product: kinds.id("Product"),
      name: kinds.text("Name", { isInFilesOnly: true }),
      picture: kinds.image("Picture"),
      price: kinds.text("Price"),
      shipping: kinds.money("Shipping"),
      delivery: kinds.text("Delivery"),
      vendor: kinds.vendor("Vendor"),
      countries: kinds.text("Countries"),
      catalogues: kinds.text("Catalogues"),
      description: kinds.lines("Description"),
      for_recipients: kinds.lines("Good to know"),
      shipping_info: kinds.lines("Delivery"),
      returns_info: kinds.lines("Returns"),
      instructions: kinds.lines("How to use it"),
    },
    lists: {
      records: {
        title: "Product and variations",
        columns: {
          variation: kinds.id("Variation"),
          sku: kinds.text("SKU"),
          options: kinds.text("Options"),
          price: kinds.money("Price"),
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
      sold: {
        title: "Where it is sold",
        columns: {
          catalogue: kinds.catalogue("Catalogue"),
          clients: kinds.count("Clients"),
          client: kinds.many(kinds.client("First clients")),
        },
      },
    },
  },
  read: async ({ DB, user: { vendor = null }, nowMs }, input) => {
    const { productId } = await findTarget(DB, input);
    const sinceMs = nowMs - SALES_MS;
    const found = await readProductPage(DB, { productId, vendor, sinceMs });
    if (!found) throw unknownProduct(productId);
    const { name, catalogues, records, product, sellers, sales } = found;
    return {
      ...(name !== null && { headline: name }),
      text: `${plural(sales.gifts, "gift")} ordered since ${formatDateTime(sales.sinceMs).slice(0, 10)}.`,
      facts: {
        product: productId,
        name,
        catalogues: catalogues.join(", ") || null,
        ...(product && factsOf(product)),
      },
      lists: {
        records: records.map((each) => ({
          ...recordRow(each),
          price: product && priceOf(product, each.variationId),
          tracked: each.quantity !== null,
          can_be_ordered: each.canBeOrdered,
        })),
        ...(vendor === null && { sold: sellers }),
      },
    };
  },
});

const linesOf = (html: string | null | undefined) => plainLines(html ?? "").join("\n") || null;

/** Of the vendor's texts, recipients see those for buyers only if there are none for recipients. */
function factsOf({ recipientInfo, vendor, ...product }: Product) {
  const { currency, delivery, shippingMinor } = product;
  return {
    picture: product.featuredImage,
    price: priceText({ recipientInfo, vendor, ...product }),
    shipping: delivery === "physical" ? { minor: shippingMinor, currency } : null,
    delivery,
    vendor: vendor.name || null,
    countries: product.locations.join(", ") || null,
    description: linesOf(product.description),
    for_recipients: linesOf(recipientInfo),
    shipping_info: recipientInfo === undefined ? linesOf(vendor.shippingInfo) : null,
    returns_info: recipientInfo === undefined ? linesOf(vendor.returnsInfo) : null,
    instructions: linesOf(product.digital?.instructions),
  };
}

function priceOf({ currency, priceMinor, variations }: Product, variationId: number) {
  const minor = priceMinor ?? variations.find(({ id }) => id === variationId)?.priceMinor;
  return minor === undefined ? null : { minor, currency };
}
