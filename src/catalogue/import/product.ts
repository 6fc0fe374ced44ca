// Products in a catalogue file. They have the format of the API's responses, so that a catalogue read from one deployment
// can be published on another.
import * as z from "zod/mini";
import { MAX_UNIT_MINOR, parseAmount } from "../../values/money.ts";
import { lazy } from "../../lazy.ts";
import {
  countryCode,
  id,
  imageUrl,
  requiredText,
  supportedCurrency,
  text,
} from "../../validation/fields.ts";
import type { Product, StockLevel } from "../product.ts";

const price = () =>
  z
    .string()
    .check(z.regex(/^\d{1,8}\.\d{2}$/, 'must be an amount with two decimals, such as "110.00"'));
const quantity = () =>
  z.string().check(z.regex(/^\d{0,9}$/, "must be a whole number as text, or empty"));
const stockStatus = () => z.enum(["in_stock", "out_of_stock"]);

/** Variations that one product may have. */
export const MAX_VARIATIONS = 500;

/**
 * Bytes of JSON that one product may have. Far below D1's 2 MB for a row, which the local database does not enforce, and
 * enough for a long text or for 500 variations.
 */
const MAX_PRODUCT_BYTES = 250_000;

const encoder = new TextEncoder();
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length;

const FileVariation = /* @__PURE__ */ lazy(() =>
  z.object({
    id: id(),
    sku: text(200),
    price: price(),
    price_currency: supportedCurrency(),
    variation_qty: quantity(),
    variation_stock_status: stockStatus(),
    options: z
      .array(z.object({ id: id(), name: requiredText(200), option: requiredText(200) }))
      .check(z.minLength(1)),
  }),
);

export const FileProduct = /* @__PURE__ */ lazy(() =>
  z
    .object({
      product_id: id(),
      product_sku: text(200),
      product_name: requiredText(500),
      product_description: text(50_000),
      product_short_description: text(5_000),
      product_type: z.enum(["simple", "variable"]),
      digital_physical: z.enum(["physical", "digital"]),
      price: z.optional(price()),
      price_currency: z.optional(supportedCurrency()),
      attributes: z.optional(
        z.array(
          z.object({ id: id(), name: requiredText(200), option: z.array(requiredText(200)) }),
        ),
      ),
      variations: z.optional(z.array(FileVariation()).check(z.maxLength(MAX_VARIATIONS))),
      track_inventory: z.enum(["Y", "N"]),
      stock_status: stockStatus(),
      stock_qty: quantity(),
      featured_image: imageUrl("is empty: --placeholder sets an image for products that have none"),
      additional_images: z.array(imageUrl()).check(z.maxLength(50)),
      product_vendor: z.object({
        name: text(200),
        bio: text(20_000),
        logo: imageUrl(),
        shipping_info: z.nullable(text(20_000)),
        returns_info: z.nullable(text(20_000)),
      }),
      shipping_cost: z.number().check(
        z.minimum(0),
        z.maximum(MAX_UNIT_MINOR / 100),
        z.refine((cost) => Number(cost.toFixed(2)) === cost, "must have at most two decimals"),
      ),
      shipping_details: z.object({
        weight: text(50),
        length: text(50),
        width: text(50),
        height: text(50),
      }),
      available_location: z.array(countryCode()),
    })
    .check(
      z.superRefine((product, context) => {
        const fault = (path: PropertyKey[], message: string) => {
          context.addIssue({ code: "custom", path, message, input: product });
        };
        const bytes = bytesOf(product);
        if (bytes > MAX_PRODUCT_BYTES) {
          const [field, own] = Object.entries(product)
            .map(([name, value]) => [name, bytesOf(value)] as const)
            .reduce((largest, other) => (other[1] > largest[1] ? other : largest));
          const inDigits = (count: number) => count.toLocaleString("en");
          fault(
            [field],
            `has ${inDigits(own)} of the product's ${inDigits(bytes)} bytes: ` +
              `a product may have ${inDigits(MAX_PRODUCT_BYTES)}`,
          );
        }
        if (product.product_type === "simple") {
          if (product.price === undefined) fault(["price"], "is required for a simple product");
          if (!product.price_currency)
            fault(["price_currency"], "is required for a simple product");
          if (product.variations?.length) fault(["variations"], "is for variable products only");
          if (
            product.track_inventory === "Y" &&
            product.stock_status === "in_stock" &&
            product.stock_qty === ""
          ) {
            fault(["stock_qty"], "is required for a tracked product that is in stock");
          }
          return;
        }
        const variations = product.variations ?? [];
        if (variations.length === 0)
          fault(["variations"], "must not be empty for a variable product");
        if (product.price !== undefined) fault(["price"], "is for simple products only");
        if (product.price_currency !== undefined) {
          fault(["price_currency"], "is for simple products only");
        }
        if (new Set(variations.map((variation) => variation.id)).size < variations.length) {
          fault(["variations"], "must not repeat an id");
        }
        if (new Set(variations.map((variation) => variation.price_currency)).size > 1) {
          fault(["variations"], "must all have one price_currency");
        }
      }),
    ),
);
export type FileProduct = z.infer<ReturnType<typeof FileProduct>>;

/** The product to publish and its initial stock. */
export function fromFileProduct(file: FileProduct): { product: Product; stock: StockLevel[] } {
  const variations = file.variations ?? [];
  const tracked = file.track_inventory === "Y";
  const level = (variationId: number, status: string, qty: string): StockLevel => {
    const inStock = status === "in_stock";
    // A tracked product may leave the quantity empty when it is out of stock; one that is in stock without
    // a quantity is a variation that is not tracked beside others that are.
    const quantity = !tracked || (qty === "" && inStock) ? null : Number(qty);
    return { variationId, quantity, sellable: inStock || quantity === 0 };
  };
  return {
    product: {
      id: file.product_id,
      sku: file.product_sku,
      name: file.product_name,
      description: file.product_description,
      shortDescription: file.product_short_description,
      type: file.product_type,
      delivery: file.digital_physical,
      currency: (file.price_currency ?? variations[0]?.price_currency) as string,
      priceMinor: file.price === undefined ? null : (parseAmount(file.price) as number),
      shippingMinor: Math.round(file.shipping_cost * 100),
      locations: file.available_location,
      featuredImage: file.featured_image,
      additionalImages: file.additional_images,
      vendor: {
        name: file.product_vendor.name,
        bio: file.product_vendor.bio,
        logo: file.product_vendor.logo,
        shippingInfo: file.product_vendor.shipping_info,
        returnsInfo: file.product_vendor.returns_info,
      },
      parcel: file.shipping_details,
      attributes: (file.attributes ?? []).map(({ id, name, option }) => ({
        id,
        name,
        options: option,
      })),
      variations: variations.map(({ id, sku, price, options }) => ({
        id,
        sku,
        priceMinor: parseAmount(price) as number,
        options,
      })),
    },
    stock: file.variations?.length
      ? variations.map((variation) =>
          level(variation.id, variation.variation_stock_status, variation.variation_qty),
        )
      : [level(0, file.stock_status, file.stock_qty)],
  };
}
