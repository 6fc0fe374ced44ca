// Maps products to the responses that catalogue/contract.ts defines.
import type { Currency } from "../../core/values/iso.ts";
import { amountAsNumber, formatAmount } from "../../core/values/money.ts";
import type {
  PageQuery,
  ProductListResponse,
  ProductResponse,
  VariationResponse,
} from "./contract.ts";
import {
  inStock,
  isTracked,
  type Product,
  type StockLevel,
  totalQuantity,
  type Variation,
} from "./product.ts";

/** The full URL of an image. `url` may be a path on this service, whose origin is `publicUrl`. */
export function fullImageUrl(url: string, publicUrl: string): string {
  return /^\/(?!\/)/.test(url) ? publicUrl + url : url;
}

/**
 * `stock` must not contain levels of removed variations. With `changedAtMs`, the response has the details of
 * `include=details`.
 */
export function productResponse(
  product: Product,
  stock: StockLevel[],
  publicUrl: string,
  changedAtMs?: number,
): ProductResponse {
  const full = (url: string) => fullImageUrl(url, publicUrl);
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
            variationResponse(
              variation,
              product.currency,
              stock.find(({ variationId }) => variationId === variation.id),
            ),
          ),
        }
      : {
          product_type: "simple" as const,
          price: formatAmount(product.priceMinor, product.currency),
          price_currency: product.currency,
        }),
    track_inventory: stock.some(isTracked) ? "Y" : "N",
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
    shipping_cost: amountAsNumber(product.shippingMinor, product.currency),
    shipping_details: product.parcel,
    available_location: product.locations,
    ...(changedAtMs !== undefined && {
      categories: product.categories,
      vendor: product.vendor.name,
      updated_at: new Date(changedAtMs).toISOString(),
    }),
  };
}

function variationResponse(
  { id, sku, priceMinor, options }: Variation,
  currency: Currency,
  level: StockLevel | undefined,
): VariationResponse {
  return {
    id,
    sku,
    price: formatAmount(priceMinor, currency),
    price_currency: currency,
    variation_qty: level?.quantity == null ? "" : String(level.quantity),
    variation_stock_status: level && inStock(level) ? "in_stock" : "out_of_stock",
    options,
  };
}

/**
 * `all` is the number of products in the client's whole catalogue, and `listed` that in the filtered list. `others` are the
 * fields of requests with filters or `after_id`.
 */
export function productListResponse(
  { limit, page }: Pick<PageQuery, "limit" | "page">,
  { all, listed }: { all: number; listed: number },
  products: ProductResponse[],
  others: Pick<ProductListResponse, "total_matched" | "next_after_id"> = {},
): ProductListResponse {
  return {
    total_products: all,
    total_products_in_query: products.length,
    current_page: page,
    total_pages: Math.max(1, Math.ceil(listed / limit)),
    ...others,
    products,
  };
}
