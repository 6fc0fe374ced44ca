// The fields of products that are made in the same way from the exports of all shops.
import type { Currency } from "../../../core/values/iso.ts";
import {
  amountAsNumber,
  amountRule,
  formatAmount,
  MAX_UNIT_MINOR,
} from "../../../core/values/money.ts";
import type { CsvRow } from "../../files/csv.ts";
import type { ReportProblem } from "./check.ts";
import { attributeId, parsePrice } from "./convert.ts";
import type { ShopDefaults } from "./source.ts";

export function commonFields(
  digital: boolean,
  images: readonly string[],
  vendor: string | undefined,
  { currency, locations = [], shippingMinor = 0 }: ShopDefaults,
) {
  // With spaces and non-ASCII characters encoded. `checkProduct` reports what is not a URL.
  const urls = images.map((address) => URL.parse(address)?.href ?? address);
  const [featuredImage = "", ...additionalImages] = new Set(urls);
  return {
    // A placeholder. Publishing finds or assigns the id by the keys.
    product_id: 1,
    digital_physical: digital ? "digital" : "physical",
    featured_image: featuredImage,
    additional_images: additionalImages,
    product_vendor: {
      name: vendor ?? "",
      bio: "",
      logo: "",
      shipping_info: null,
      returns_info: null,
    },
    shipping_cost: digital ? 0 : amountAsNumber(shippingMinor, currency),
    available_location: locations,
  };
}

/** What is sold: a simple product or a variation. */
export interface ShopArticle {
  sku: string;
  price: string | undefined;
  stock: ShopStock;
}

export const simpleFields = ({ sku, price, stock }: ShopArticle, { currency }: ShopDefaults) => ({
  product_sku: sku,
  product_type: "simple",
  price,
  price_currency: currency,
  track_inventory: stock.tracked ? "Y" : "N",
  stock_status: stock.status,
  stock_qty: stock.quantity,
});

interface ShopVariation extends ShopArticle {
  options: { name: string; option: string }[];
}

export function variableFields(
  attributes: { name: string; option: string[] }[],
  variations: readonly ShopVariation[],
  { currency }: ShopDefaults,
) {
  const withId = <Named extends { name: string }>(attribute: Named) => ({
    id: attributeId(attribute.name),
    ...attribute,
  });
  const inStock = variations.some(({ stock }) => stock.status === "in_stock");
  return {
    product_type: "variable",
    attributes: attributes.map(withId),
    variations: variations.map(({ sku, price = "", stock, options }, index) => ({
      id: index + 1,
      sku,
      price,
      price_currency: currency,
      variation_qty: stock.quantity,
      variation_stock_status: stock.status,
      options: options.map(withId),
    })),
    track_inventory: variations.some(({ stock }) => stock.tracked) ? "Y" : "N",
    stock_status: inStock ? "in_stock" : "out_of_stock",
    stock_qty: "",
  };
}

/** The price in a field. Undefined if it is empty. Reports an invalid price. */
export function priceIn(
  row: CsvRow,
  field: string,
  currency: Currency,
  report: ReportProblem,
): string | undefined {
  const text = row.get(field);
  if (text === "") return undefined;
  const minor = parsePrice(text, currency);
  if (minor === undefined)
    report(row, field, `${amountRule(text, currency, MAX_UNIT_MINOR)}: ${text}`);
  return formatAmount(minor ?? 1, currency);
}

type StockStatus = "in_stock" | "out_of_stock";

export interface ShopStock {
  tracked: boolean;
  status: StockStatus;
  quantity: string;
}

export const untracked = (status: StockStatus): ShopStock => ({
  tracked: false,
  status,
  quantity: "",
});

/** A quantity below 0 becomes 0. A row without stock is not tracked if the shop continues to sell it. */
export function trackedStock(quantity: number, status: StockStatus, continues: boolean): ShopStock {
  if (quantity <= 0 && continues) return untracked(status);
  return {
    tracked: true,
    status: quantity > 0 ? status : "out_of_stock",
    quantity: String(Math.max(0, quantity)),
  };
}
