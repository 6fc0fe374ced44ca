// The interface's Product as a catalogue file holds it: what GET answers, so that a catalogue read from one
// deployment can be published on another.
import * as z from "zod";
import { MAX_UNIT_MINOR, parseAmount } from "../../money.ts";
import {
  countryCode,
  id,
  imageUrl,
  requiredText,
  supportedCurrency,
  text,
} from "../../validate.ts";
import type { Product, StockLevel } from "../product.ts";

const price = z
  .string()
  .regex(/^\d{1,8}\.\d{2}$/, 'must be an amount with two decimals, such as "110.00"');
const quantity = z.string().regex(/^\d{0,9}$/, "must be a whole number as text, or empty");
const stockStatus = z.enum(["in_stock", "out_of_stock"]);

/** Variations that one product may have. */
export const MAX_VARIATIONS = 500;

/**
 * Bytes of JSON that one product may have. Far below D1's 2 MB for a row, which the local database does not enforce, and
 * enough for a long text or for 500 variations.
 */
const MAX_PRODUCT_BYTES = 250_000;

const encoder = new TextEncoder();
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length;

const OptionWire = z.object({ id: id(), name: requiredText(200), option: requiredText(200) });

const VariationWire = z.object({
  id: id(),
  sku: text(200),
  price,
  price_currency: supportedCurrency(),
  variation_qty: quantity,
  variation_stock_status: stockStatus,
  options: z.array(OptionWire).min(1),
});

export const ProductWire = z
  .object({
    product_id: id(),
    product_sku: text(200),
    product_name: requiredText(500),
    product_description: text(50_000),
    product_short_description: text(5_000),
    product_type: z.enum(["simple", "variable"]),
    digital_physical: z.enum(["physical", "digital"]),
    price: price.optional(),
    price_currency: z.optional(supportedCurrency()),
    attributes: z
      .array(z.object({ id: id(), name: requiredText(200), option: z.array(requiredText(200)) }))
      .optional(),
    variations: z.array(VariationWire).max(MAX_VARIATIONS).optional(),
    track_inventory: z.enum(["Y", "N"]),
    stock_status: stockStatus,
    stock_qty: quantity,
    featured_image: imageUrl("is empty: --placeholder sets an image for products that have none"),
    additional_images: z.array(imageUrl()).max(50),
    product_vendor: z.object({
      name: text(200),
      bio: text(20_000),
      logo: imageUrl(),
      shipping_info: z.nullable(text(20_000)),
      returns_info: z.nullable(text(20_000)),
    }),
    shipping_cost: z
      .number()
      .min(0)
      .max(MAX_UNIT_MINOR / 100)
      .refine((cost) => Number(cost.toFixed(2)) === cost, "must have at most two decimals"),
    shipping_details: z.object({
      weight: text(50),
      length: text(50),
      width: text(50),
      height: text(50),
    }),
    available_location: z.array(countryCode()),
  })
  .superRefine((product, context) => {
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
      if (!product.price_currency) fault(["price_currency"], "is required for a simple product");
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
    if (variations.length === 0) fault(["variations"], "must not be empty for a variable product");
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
  });
export type ProductWire = z.infer<typeof ProductWire>;

/** Splits a wire product into what is published and what its stock starts with. */
export function fromWire(wire: ProductWire): { product: Product; stock: StockLevel[] } {
  const variations = wire.variations ?? [];
  const tracked = wire.track_inventory === "Y";
  const level = (variationId: number, status: string, qty: string): StockLevel => {
    const inStock = status === "in_stock";
    // A tracked product may leave the quantity empty when it is out of stock; one that is in stock without
    // a quantity is a variation that is not tracked beside others that are.
    const quantity = !tracked || (qty === "" && inStock) ? null : Number(qty);
    return { variationId, quantity, sellable: inStock || quantity === 0 };
  };
  return {
    product: {
      id: wire.product_id,
      sku: wire.product_sku,
      name: wire.product_name,
      description: wire.product_description,
      shortDescription: wire.product_short_description,
      type: wire.product_type,
      delivery: wire.digital_physical,
      currency: (wire.price_currency ?? variations[0]?.price_currency) as string,
      priceMinor: wire.price === undefined ? null : (parseAmount(wire.price) as number),
      shippingMinor: Math.round(wire.shipping_cost * 100),
      locations: wire.available_location,
      featuredImage: wire.featured_image,
      additionalImages: wire.additional_images,
      vendor: {
        name: wire.product_vendor.name,
        bio: wire.product_vendor.bio,
        logo: wire.product_vendor.logo,
        shippingInfo: wire.product_vendor.shipping_info,
        returnsInfo: wire.product_vendor.returns_info,
      },
      parcel: wire.shipping_details,
      attributes: (wire.attributes ?? []).map(({ id, name, option }) => ({
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
    stock: wire.variations?.length
      ? variations.map((variation) =>
          level(variation.id, variation.variation_stock_status, variation.variation_qty),
        )
      : [level(0, wire.stock_status, wire.stock_qty)],
  };
}
