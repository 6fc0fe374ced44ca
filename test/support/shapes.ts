// The responses of the interface as strict schemas: every field with its type, and no others. They share no code with src,
// so that they detect wrong fields there. All other responses are compared with the OpenAPI document only (document.ts).
import * as z from "zod";

const integer = z.int().positive();
const integerText = z.string().regex(/^[1-9]\d*$/);
const amountText = z.string().regex(/^\d+(\.\d{2,3})?$/);
const quantityText = z.string().regex(/^\d*$/);
const currency = z.string().regex(/^[A-Z]{3}$/);
const stockStatus = z.enum(["in_stock", "out_of_stock"]);
const orderStatus = z.enum(["failed", "created", "paid", "cancieled"]);
const orderDate = z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
const orderNumber = z.string().regex(/^GO-\d{5,}$/);
const giftNumber = z.string().regex(/^GO-\d{5,}-\d+$/);
const orderKey = { order_id: integer, order_number: orderNumber };
const giftKey = { suborder_id: integer, suborder_number: giftNumber };
const commonProductFields = {
  product_id: integer,
  product_sku: z.string(),
  product_name: z.string(),
  product_description: z.string(),
  product_short_description: z.string(),
  digital_physical: z.enum(["physical", "digital"]),
  track_inventory: z.enum(["Y", "N"]),
  stock_status: stockStatus,
  stock_qty: quantityText,
  featured_image: z.url(),
  additional_images: z.array(z.url()),
  product_vendor: z.strictObject({
    name: z.string(),
    bio: z.string(),
    logo: z.url(),
    shipping_info: z.string().nullable(),
    returns_info: z.string().nullable(),
  }),
  shipping_cost: z.number(),
  shipping_details: z.strictObject({
    weight: z.string(),
    length: z.string(),
    width: z.string(),
    height: z.string(),
  }),
  available_location: z.array(z.string().regex(/^[A-Z]{2}$/)),
  // Only with `include=details`.
  categories: z.array(z.string()).optional(),
  vendor: z.string().optional(),
  updated_at: z.iso.datetime().optional(),
};

export const SimpleProduct = z.strictObject({
  ...commonProductFields,
  product_type: z.literal("simple"),
  price: amountText,
  price_currency: currency,
});

export const VariableProduct = z.strictObject({
  ...commonProductFields,
  product_type: z.literal("variable"),
  attributes: z.array(
    z.strictObject({ id: integer, name: z.string(), option: z.array(z.string()) }),
  ),
  variations: z.array(
    z.strictObject({
      id: integer,
      sku: z.string(),
      price: amountText,
      price_currency: currency,
      variation_qty: quantityText,
      variation_stock_status: stockStatus,
      options: z.array(z.strictObject({ id: integer, name: z.string(), option: z.string() })),
    }),
  ),
});

export const ProductList = z.strictObject({
  total_products: z.int(),
  total_products_in_query: z.int(),
  current_page: integer,
  total_pages: integer,
  total_matched: z.int().min(0).optional(),
  next_after_id: integer.nullable().optional(),
  products: z.array(z.discriminatedUnion("product_type", [SimpleProduct, VariableProduct])),
});

export const Placement = z.strictObject({
  status: z.literal("success"),
  order_data: z.strictObject(orderKey),
  order_totals: z.strictObject({
    currency,
    product_price: z.number(),
    qty: z.number(),
    subtotal: z.number(),
    shipping_cost: z.number(),
    order_fee: z.number(),
    order_total: z.number(),
  }),
});

export const GiftLinkPlacement = Placement.extend({
  recipient_return: z.array(
    z.strictObject({
      ...giftKey,
      first_name: z.string(),
      last_name: z.string(),
      email: z.email(),
      gift_url: z.url(),
    }),
  ),
});

const recipientDetails = z.strictObject({
  name: z.string(),
  email: z.email(),
  email_message: z.string(),
  delivery_address: z.strictObject({
    address_line_1: z.string().nullable(),
    address_line_2: z.string().nullable(),
    suburb: z.string().nullable(),
    state: z.string().nullable(),
    postcode_zipcode: z.string().nullable(),
    country: z.string().nullable(),
  }),
  phone_number: z.string(),
  delivery_notes: z.string().nullable(),
});

const chosenProduct = z.strictObject({
  product_id: integerText,
  variation_id: integerText.nullable(),
});

/** An order of `method`, with the `details` of its recipients. `more` has the fields of this method only. */
function orderOf<Method extends string, Details extends z.ZodType, More extends z.ZodRawShape>(
  method: Method,
  details: Details,
  more: More,
) {
  return z.strictObject({
    order_id: integerText,
    order_number: orderNumber,
    order_date: orderDate,
    order_status: orderStatus,
    gift_order_method: z.literal(method),
    ...more,
    gift_of_choice: z.enum(["Y", "N"]),
    branding_selected: z.enum(["platform", "company", "custom"]),
    branding_options: z.strictObject({
      branding_logo: z.string(),
      branding_claim_logo: z.string(),
      primary_color: z.string().regex(/^#[0-9a-f]{6}$/i),
      secondary_color: z.string().regex(/^#[0-9a-f]{6}$/i),
    }),
    product_offered: chosenProduct,
    order_totals: z.strictObject({
      currency,
      product_price: amountText,
      qty: integerText,
      subtotal: amountText,
      shipping_cost: amountText,
      order_fee: amountText,
      order_total: amountText,
    }),
    email_template: z.enum(["celebration", "generic", "sympathy", "christmas"]),
    recipients: z.array(
      z.strictObject({
        ...giftKey,
        recipient_details: details,
        redemption_status: z.string().nullable(),
        product_selected: chosenProduct,
      }),
    ),
  });
}

/** Only `link` orders have the three fields of a link. Only recipients of `api-giftlink` orders have a gift_url. */
export const ORDERS = {
  email: orderOf("email", recipientDetails, {}),
  direct: orderOf("direct", recipientDetails, {}),
  link: orderOf("link", recipientDetails, {
    link_how_many_times: integer,
    link_url: z.url(),
    link_message: z.string(),
  }),
  "api-purchase": orderOf("api-purchase", recipientDetails, {}),
  "api-giftlink": orderOf("api-giftlink", recipientDetails.extend({ gift_url: z.url() }), {}),
};

/** Only validation errors have `errors`. */
export const ErrorBody = z.strictObject({
  status: z.literal("error"),
  message: z.string().min(1),
  code: z.string().regex(/^[a-z_]+$/),
  errors: z
    .array(z.strictObject({ field: z.string().min(1), message: z.string().min(1) }))
    .optional(),
});
