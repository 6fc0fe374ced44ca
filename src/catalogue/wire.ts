// The interface's products: what GET takes and answers.
import * as z from "zod/mini";
import type { CatalogueVersion } from "../clients/profile.ts";
import { amountAsNumber, formatAmount } from "../values/money.ts";
import { lazy, queryId, queryInteger } from "../validate.ts";
import type * as answer from "./answer.ts";
import {
  inStock,
  isCounted,
  type Product,
  type StockLevel,
  totalQuantity,
  type Variation,
} from "./product.ts";

/** Products on one page at most. */
export const MAX_PAGE_PRODUCTS = 500;

export const PageQuery = lazy(() =>
  z.object({
    limit: z._default(queryInteger(1, MAX_PAGE_PRODUCTS), 200),
    page: z._default(queryInteger(1, 1_000_000_000), 1),
    product_type: z.pipe(
      z._default(z.enum(["physical", "digital", ""]), ""),
      z.transform((type) => type || null),
    ),
  }),
);
export type PageQuery = z.infer<ReturnType<typeof PageQuery>>;

export const ProductQuery = lazy(() => z.object({ product_id: queryId() }));

/** An image's full URL: `publicUrl` completes the paths of those that this service holds itself. */
export function fullUrl(url: string, publicUrl: string): string {
  return /^\/(?!\/)/.test(url) ? publicUrl + url : url;
}

/** `stock` is that of what the product offers now. */
export function toWire(product: Product, stock: StockLevel[], publicUrl: string): answer.Product {
  const full = (url: string) => fullUrl(url, publicUrl);
  return {
    product_id: product.id,
    product_sku: product.sku,
    product_name: product.name,
    product_description: product.description,
    product_short_description: product.shortDescription,
    digital_physical: product.delivery,
    ...(product.priceMinor === null
      ? {
          product_type: "variable" as const,
          attributes: product.attributes.map(({ id, name, options }) => ({
            id,
            name,
            option: options,
          })),
          variations: product.variations.map((variation) =>
            variationToWire(
              variation,
              product.currency,
              stock.find(({ variationId }) => variationId === variation.id),
            ),
          ),
        }
      : {
          product_type: "simple" as const,
          price: formatAmount(product.priceMinor),
          price_currency: product.currency,
        }),
    track_inventory: stock.some(isCounted) ? "Y" : "N",
    stock_status: stock.some(inStock) ? "in_stock" : "out_of_stock",
    stock_qty: String(totalQuantity(stock) ?? ""),
    featured_image: full(product.featuredImage),
    additional_images: product.additionalImages.map(full),
    product_vendor: {
      name: product.vendor.name,
      bio: product.vendor.bio,
      logo: full(product.vendor.logo),
      shipping_info: product.vendor.shippingInfo,
      returns_info: product.vendor.returnsInfo,
    },
    shipping_cost: amountAsNumber(product.shippingMinor),
    shipping_details: product.parcel,
    available_location: product.locations,
  };
}

function variationToWire(
  { id, sku, priceMinor, options }: Variation,
  currency: string,
  level: StockLevel | undefined,
): answer.Variation {
  return {
    id,
    sku,
    price: formatAmount(priceMinor),
    price_currency: currency,
    variation_qty: level?.quantity == null ? "" : String(level.quantity),
    variation_stock_status: level && inStock(level) ? "in_stock" : "out_of_stock",
    options,
  };
}

/** The list envelope; `totals` are those of the caller's whole catalogue. */
export function pageToWire(
  { limit, page, product_type }: PageQuery,
  totals: CatalogueVersion["totals"],
  products: answer.Product[],
): answer.ProductList {
  const listed = product_type ? totals[product_type] : totals.all;
  return {
    total_products: totals.all,
    total_products_in_query: products.length,
    current_page: page,
    total_pages: Math.max(1, Math.ceil(listed / limit)),
    products,
  };
}
