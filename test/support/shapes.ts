// The responses of the interface as strict schemas: every field with its type, and no others. They share no code
// with src, so that they detect wrong fields there.
import * as z from "zod";

const integer = z.int().positive();
const integerText = z.string().regex(/^[1-9]\d*$/);
const amountText = z.string().regex(/^\d+(\.\d{2,3})?$/);
const quantityText = z.string().regex(/^\d*$/);
const currency = z.string().regex(/^[A-Z]{3}$/);
const metadata = z.record(z.string(), z.string());
const stockStatus = z.enum(["in_stock", "out_of_stock"]);
const time = z.iso.datetime({ precision: 3 });
const cursor = z
  .string()
  .regex(/^[\w-]+$/)
  .nullable();
const orderStatus = z.enum(["failed", "created", "paid", "cancieled"]);
const orderDate = z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
const orderNumber = z.string().regex(/^GO-\d{5,}$/);
const suborderNumber = z.string().regex(/^GO-\d{5,}-\d+$/);
const orderKey = { order_id: integer, order_number: orderNumber };
const suborderKey = { suborder_id: integer, suborder_number: suborderNumber };
const refundedTotals = z.strictObject({ currency, order_total: amountText, refunded: amountText });

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

const namesWithCounts = z.array(z.strictObject({ name: z.string(), product_count: integer }));
const success = z.literal("success");
export const VendorList = z.strictObject({ status: success, vendors: namesWithCounts });
export const CategoryList = z.strictObject({ status: success, categories: namesWithCounts });

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
      ...suborderKey,
      first_name: z.string(),
      last_name: z.string(),
      email: z.email(),
      gift_url: z.url(),
    }),
  ),
});

export const Quote = z.strictObject({
  status: z.literal("success"),
  order_totals: Placement.shape.order_totals,
  credit_sufficient: z.boolean(),
  stock_sufficient: z.boolean(),
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

export const Correction = z.strictObject({
  status: z.literal("success"),
  order_data: Placement.shape.order_data,
  recipient: z.strictObject({
    suborder_id: integer,
    suborder_number: z.string(),
    recipient_details: recipientDetails.extend({ delivery_email: z.email().nullable() }),
  }),
});

export const Renewal = z.strictObject({
  status: z.literal("success"),
  order_data: Placement.shape.order_data,
  recipient: GiftLinkPlacement.shape.recipient_return.element,
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
        ...suborderKey,
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

/** A recipient with all parts except the e-mails. */
const wholeRecipient = z.strictObject({
  ...suborderKey,
  recipient_details: recipientDetails.extend({
    gift_url: z.url().optional(),
    delivery_email: z.email().nullable(),
    language: z.string().nullable(),
  }),
  redemption_status: z.enum(["redeemed", "cancelled", "expired"]).nullable(),
  product_selected: chosenProduct,
  external_id: z.string().nullable(),
  metadata,
  thank_you: z.strictObject({ message: z.string(), created_at: time }).nullable(),
  redeem_by: z.iso.date().nullable(),
});

const orderEventData = {
  recipient_count: integer,
  currency,
  order_total: amountText,
};
const placedEventData = { ...orderEventData, redeem_by: z.iso.date().optional() };
const endEventData = {
  ...orderEventData,
  cancelled_count: z.int().min(0),
  suborder_ids: z.array(integer),
  refund: amountText,
};

const giftEndData = <Status extends string>(status: Status) => ({
  redemption_status: z.literal(status),
  currency,
  refund: amountText,
});

/** An event of `type`, with exactly the `data` of this type. */
function eventOf<Type extends string, Data extends z.ZodRawShape>(
  type: Type,
  suborder: z.ZodType,
  data: Data,
) {
  const hasNoOrder = /^(credit|credential|product|data)\./.test(type);
  const partnerData = {
    ...(!hasNoOrder && { metadata: metadata.optional() }),
    ...(type.startsWith("gift.") && {
      external_id: z.string().optional(),
      recipient_metadata: metadata.optional(),
    }),
  };
  return z.strictObject({
    sequence: integer,
    type: z.literal(type),
    created_at: time,
    order_id: hasNoOrder ? z.null() : integer,
    order_ref_id: hasNoOrder ? z.null() : z.string(),
    suborder_id: suborder,
    data: z.strictObject({ ...data, ...partnerData }),
  });
}

const tracking = {
  carrier: z.string().nullable(),
  tracking_number: z.string().nullable(),
  tracking_url: z.url({ protocol: /^https$/ }).nullable(),
};

const scope = z.enum(["read", "order", "admin"]);

const CORRECTABLE_FIELDS = [
  ...["first_name", "last_name", "email", "phone_number"],
  ...["delivery_address", "delivery_notes", "delivery_email"],
];

const emailKind = z.enum(["invitation", "reminder", "last_days", "shipped"]);

export const ClientEventShape = z.discriminatedUnion("type", [
  eventOf("order.created", z.null(), { ...placedEventData, order_status: z.literal("created") }),
  eventOf("order.paid", z.null(), { ...placedEventData, order_status: z.literal("paid") }),
  eventOf("order.failed", z.null(), { ...endEventData, order_status: z.literal("failed") }),
  eventOf("order.cancelled", z.null(), { ...endEventData, order_status: z.literal("cancieled") }),
  eventOf("order.extended", z.null(), { redeem_by: z.iso.date().nullable() }),
  eventOf("gift.expiring", integer, { redeem_by: z.iso.date() }),
  eventOf("gift.redeemed", integer, {
    redemption_status: z.literal("redeemed"),
    product_id: integer,
    variation_id: integer.nullable(),
  }),
  eventOf("gift.thanked", integer, {}),
  eventOf("gift.declined", integer, giftEndData("cancelled")),
  eventOf("gift.cancelled", integer, giftEndData("cancelled")),
  eventOf("gift.expired", integer, giftEndData("expired")),
  eventOf("gift.extended", integer, { redeem_by: z.iso.date() }),
  eventOf("gift.corrected", integer, {
    corrected_fields: z.array(z.enum([...CORRECTABLE_FIELDS])).min(1),
  }),
  eventOf("gift.renewed", integer, {}),
  eventOf("gift.shipped", integer, { shipment_status: z.literal("shipped"), ...tracking }),
  eventOf("gift.delivered", integer, { shipment_status: z.literal("delivered"), ...tracking }),
  eventOf("gift.sent", integer, { shipment_status: z.literal("sent") }),
  eventOf("gift.reopened", integer, { shipment_status: z.literal("open") }),
  eventOf("gift.email_sent", integer, { email_kind: emailKind }),
  eventOf("gift.email_failed", integer, { email_kind: emailKind, email_failure: z.string() }),
  eventOf("credit.low", z.null(), {
    currency,
    credit_balance: amountText,
    alert_below: amountText,
  }),
  ...(["credential.created", "credential.revoked"] as const).map((type) =>
    eventOf(type, z.null(), { credential_id: integer, scope }),
  ),
  eventOf("product.added", z.null(), { product_id: integer }),
  eventOf("product.changed", z.null(), { product_id: integer }),
  eventOf("product.removed", z.null(), { product_id: integer }),
  eventOf("product.sold_out", z.null(), { product_id: integer, variation_id: integer.nullable() }),
  eventOf("product.available", z.null(), { product_id: integer, variation_id: integer.nullable() }),
  eventOf("data.restored", z.null(), { last_sequence: z.int().min(0) }),
]);

export type EventList = z.infer<typeof EventList>;
export const EventList = z.strictObject({
  status: z.literal("success"),
  events: z.array(ClientEventShape),
  next_after: z.int().min(0),
  has_more: z.boolean(),
});

const eventType = z.literal(ClientEventShape.options.map(({ shape }) => shape.type.value));

export const Webhook = z.strictObject({
  webhook_id: integer,
  url: z.url(),
  description: z.string().nullable(),
  event_types: z.array(eventType).min(1).nullable(),
  status: z.enum(["enabled", "disabled"]),
  disabled_reason: z.enum(["client", "operator", "gone", "failing"]).nullable(),
  failing_since: time.nullable(),
  created_at: time,
  previous_secret_until: time.nullable(),
  position: z.int().min(0),
});

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().regex(/^whsec_[A-Za-z0-9+/]{43}=$/),
});

export const WebhookList = z.strictObject({
  status: z.literal("success"),
  webhooks: z.array(Webhook),
});

export const WebhookTest = z.strictObject({
  status: z.literal("success"),
  delivered: z.boolean(),
  response_status: z.int().nullable(),
  duration_ms: z.int().min(0),
  response_text: z.string(),
});

export const DeliveryList = z.strictObject({
  status: z.literal("success"),
  deliveries: z.array(
    z.strictObject({
      sequence: integer,
      type: eventType,
      status: z.enum(["pending", "delivered", "failed"]),
      attempts: z.int().min(0),
      attempted_at: time.nullable(),
      next_attempt_at: time.nullable(),
      response_status: z.int().nullable(),
      duration_ms: z.int().nullable(),
      response_text: z.string().nullable(),
    }),
  ),
  next_before: integer.nullable(),
});

export const Redelivery = z.strictObject({ status: z.literal("success"), webhook: Webhook });

const credential = { credential_id: integer, name: z.string().nullable(), scope, created_at: time };

export const CredentialList = z.strictObject({
  status: z.literal("success"),
  credentials: z.array(
    z.strictObject({ ...credential, last_used_on: z.iso.date().nullable(), current: z.boolean() }),
  ),
});

export const NewCredential = z.strictObject({
  ...credential,
  api_key: z.string().regex(/^regalo_local_key_[\w-]{43}$/),
  api_password: z.string().regex(/^regalo_local_password_[\w-]{43}$/),
});

export const RevokedCredential = z.strictObject({ ...credential, revoked_at: time });

export const CancelledOrder = z.strictObject({
  status: z.literal("success"),
  order_data: z.strictObject({
    ...orderKey,
    order_ref_id: z.string().nullable(),
  }),
  order_status: orderStatus,
  order_totals: refundedTotals,
  recipients: z.array(
    z.strictObject({
      ...suborderKey,
      redemption_status: z.enum(["redeemed", "cancelled", "expired"]).nullable(),
    }),
  ),
});

export const OrderList = z.strictObject({
  status: z.literal("success"),
  orders: z.array(
    z.strictObject({
      ...orderKey,
      order_ref_id: z.string().nullable(),
      order_date: orderDate,
      order_status: orderStatus,
      gift_order_method: z.enum(["email", "direct", "link", "api-purchase", "api-giftlink"]),
      updated_at: time,
      order_totals: refundedTotals,
      recipient_count: integer,
      redeemed_count: z.int().nonnegative(),
      metadata,
      cancelled_count: z.int().nonnegative(),
      expired_count: z.int().nonnegative(),
      redeem_by: z.iso.date().nullable(),
      recipients: z.array(wholeRecipient).optional(),
    }),
  ),
  next_cursor: cursor,
});

export type GiftList = z.infer<typeof GiftList>;
export const GiftList = z.strictObject({
  status: z.literal("success"),
  gifts: z.array(
    z.strictObject({
      ...orderKey,
      order_ref_id: z.string().nullable(),
      order_date: orderDate,
      order_status: orderStatus,
      gift_order_method: z.enum(["email", "direct", "link", "api-purchase", "api-giftlink"]),
      recipient: wholeRecipient,
    }),
  ),
  next_cursor: cursor,
});

export const ShipmentList = z.strictObject({
  status: z.literal("success"),
  shipments: z.array(
    z.strictObject({
      ...suborderKey,
      ...orderKey,
      order_ref_id: z.string().nullable(),
      external_id: z.string().nullable(),
      shipment_status: z.enum(["open", "shipped", "delivered", "sent"]),
      ...tracking,
      shipped_at: time.nullable(),
      delivered_at: time.nullable(),
      updated_at: time.nullable(),
    }),
  ),
  next_cursor: cursor,
  has_more: z.boolean(),
});

export const CreditBalance = z.strictObject({
  credit_balance: z.number(),
  currency,
  credit_balance_formatted: z.string(),
});

export const CreditBalanceList = z.strictObject({
  status: z.literal("success"),
  credit_balances: z.array(CreditBalance),
});

const signedAmount = z.string().regex(/^-?\d+(\.\d{2,3})?$/);

export const CreditEntryList = z.strictObject({
  status: z.literal("success"),
  currency,
  credit_entries: z.array(
    z.strictObject({
      sequence: integer,
      kind: z.enum(["order", "refund", "top_up", "correction"]),
      amount: signedAmount,
      balance: signedAmount,
      order_id: integer.nullable(),
      order_ref_id: z.string().nullable(),
      reference: z.string().nullable(),
      created_at: time,
    }),
  ),
  next_after: z.int().min(0),
  has_more: z.boolean(),
});

export const SandboxOrder = z.strictObject({
  status: z.literal("success"),
  order_data: z.strictObject(orderKey),
  order_status: orderStatus,
});

export const SandboxGiftEvent = SandboxOrder.extend(suborderKey);

export const SandboxClock = z.strictObject({
  status: z.literal("success"),
  advanced_days: z.int().positive(),
  due_orders: z.int().nonnegative(),
});

export const SandboxClient = z.strictObject({
  status: z.literal("success"),
  client_id: z.string().max(64),
  api_key: z.string(),
  api_password: z.string(),
  billing: z.literal("credit"),
  credit_balance: z.number(),
  currency: z.string(),
  credit_balance_formatted: z.string(),
  remaining_clients: z.int().nonnegative(),
});

export const SandboxGift = SandboxOrder.extend({
  ...suborderKey,
  redemption_status: z.enum(["redeemed", "expired"]),
});

export const SandboxShipment = SandboxOrder.extend({
  ...suborderKey,
  shipment_status: z.enum(["shipped", "delivered", "sent"]),
});

/** Only validation errors have `errors`. */
export const ErrorBody = z.strictObject({
  status: z.literal("error"),
  message: z.string().min(1),
  code: z.string().regex(/^[a-z_]+$/),
  errors: z
    .array(z.strictObject({ field: z.string().min(1), message: z.string().min(1) }))
    .optional(),
});
