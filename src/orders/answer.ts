// What orders look like to those who place and read them. The Worker imports the types only.
import * as z from "zod";
import { currencyCode } from "../validate.ts";

const orderNumber = z.string().regex(/^GO-\d{5,}$/);
const amount = z.number().min(0);

/** Numbers here, strings in `Order`: so the interface has it. */
export const PlacedTotals = z.object({
  currency: currencyCode(),
  product_price: amount,
  qty: z.int().min(1),
  subtotal: amount,
  shipping_cost: amount,
  order_fee: amount,
  order_total: amount,
});

export const PlacedOrder = z.object({
  status: z.literal("success"),
  order_data: z.object({ order_id: z.int().min(1), order_number: orderNumber }),
  order_totals: PlacedTotals,
});
export type PlacedOrder = z.infer<typeof PlacedOrder>;

const idText = z.string().regex(/^[1-9]\d*$/);
const amountText = z.string().regex(/^\d+\.\d{2}$/);
const yesOrNo = z.enum(["Y", "N"]);
const colour = z.string().regex(/^#[0-9a-f]{6}$/i);

export const ChosenProduct = z.object({ product_id: idText, variation_id: idText.nullable() });
export type ChosenProduct = z.infer<typeof ChosenProduct>;

export const RecipientDetails = z.object({
  name: z.string(),
  email: z.string(),
  email_message: z.string(),
  delivery_address: z.object({
    address_line_1: z.string().nullable(),
    address_line_2: z.string().nullable(),
    suburb: z.string().nullable(),
    state: z.string().nullable(),
    postcode_zipcode: z.string().nullable(),
    country: z.string().nullable(),
  }),
  phone_number: z.string(),
  delivery_notes: z.string().nullable(),
  gift_url: z.url().optional(),
});
export type RecipientDetails = z.infer<typeof RecipientDetails>;

export const SubOrder = z.object({
  suborder_id: z.int().min(1),
  suborder_number: z.string().regex(/^GO-\d{5,}-\d+$/),
  recipient_details: RecipientDetails,
  redemption_status: z.enum(["redeemed", "cancelled"]).nullable(),
  product_selected: ChosenProduct,
});

export const Order = z.object({
  order_id: idText,
  order_number: orderNumber,
  order_date: z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/),
  // `cancieled` is the interface's spelling.
  order_status: z.enum(["failed", "created", "paid", "cancieled"]),
  gift_order_method: z.enum(["email", "direct", "link", "api-purchase", "api-giftlink"]),
  link_how_many_times: z.int().min(1).nullable().optional(),
  link_url: z.string().nullable().optional(),
  link_message: z.string().nullable().optional(),
  gift_of_choice: yesOrNo,
  branding_selected: z.enum(["platform", "company", "custom"]),
  branding_options: z.object({
    branding_logo: z.string(),
    branding_claim_logo: z.string(),
    primary_color: colour,
    secondary_color: colour,
  }),
  product_offered: ChosenProduct,
  order_totals: z.object({
    currency: currencyCode(),
    product_price: amountText,
    qty: idText,
    subtotal: amountText,
    shipping_cost: amountText,
    order_fee: amountText,
    order_total: amountText,
  }),
  email_template: z.enum(["celebration", "generic", "sympathy", "christmas"]),
  recipients: z.array(SubOrder),
});
export type Order = z.infer<typeof Order>;
