// The products that GET answers. The Worker imports their types only.
import * as z from "zod";
import { ProductWire } from "./import/product.ts";

const { price, price_currency, attributes, variations, ...common } = ProductWire.shape;

export const Attribute = attributes.unwrap().element;
export const Variation = variations.unwrap().element;
export type Variation = z.infer<typeof Variation>;

export const Vendor = common.product_vendor;
export const ShippingDetails = common.shipping_details;

export const SimpleProduct = z.object({
  ...common,
  product_type: z.literal("simple"),
  price: price.unwrap(),
  price_currency: price_currency.unwrap(),
});

export const VariableProduct = z.object({
  ...common,
  product_type: z.literal("variable"),
  attributes: z.array(Attribute),
  variations: z.array(Variation),
});

/** What a catalogue file may leave to each other is one or the other here. */
export const Product = z.discriminatedUnion("product_type", [SimpleProduct, VariableProduct]);
export type Product = z.infer<typeof Product>;

export const ProductList = z.object({
  total_products: z.int().min(0),
  total_products_in_query: z.int().min(0),
  current_page: z.int().min(1),
  total_pages: z.int().min(1),
  products: z.array(Product),
});
export type ProductList = z.infer<typeof ProductList>;
