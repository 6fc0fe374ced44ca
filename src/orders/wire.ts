// The interface's orders: what both placements take, what they answer, and what GET /api/order shows.
import * as z from "zod/mini";
import { type Client, PLATFORM_BRANDING } from "../clients/profile.ts";
import { orderNumber, suborderId, suborderNumber } from "../values/ids.ts";
import { amountAsNumber, formatAmount } from "../values/money.ts";
import { ApiError } from "../api-error.ts";
import { formatDateTime } from "../values/time.ts";
import {
  countryCode,
  currencyCode,
  email,
  id,
  lazy,
  nullAs,
  optional,
  queryId,
  requiredText,
  text,
  validate,
} from "../validate.ts";
import type * as answer from "./answer.ts";
import type { LinkOrigin, Order, PlacedOrder, SubOrder } from "./order.ts";

export const MAX_RECIPIENTS = 500;

/** Characters that the parts of an address have at most. */
export const ADDRESS_MAX_LENGTHS = {
  address_line_1: 200,
  address_line_2: 200,
  suburb: 100,
  state: 100,
  postcode_zipcode: 20,
  country: 100,
} as const;

/** Complete enough to deliver to only for physical products bought outright: `place` sees to that. */
export const AddressInput = lazy(() =>
  z.object({
    address_line_1: optional(text(ADDRESS_MAX_LENGTHS.address_line_1)),
    address_line_2: optional(text(ADDRESS_MAX_LENGTHS.address_line_2)),
    suburb: optional(text(ADDRESS_MAX_LENGTHS.suburb)),
    state: optional(text(ADDRESS_MAX_LENGTHS.state)),
    postcode_zipcode: optional(text(ADDRESS_MAX_LENGTHS.postcode_zipcode)),
    country: optional(text(ADDRESS_MAX_LENGTHS.country)),
  }),
);
export type AddressInput = z.infer<ReturnType<typeof AddressInput>>;

export const RecipientInput = lazy(() =>
  z.object({
    first_name: requiredText(100),
    last_name: requiredText(100),
    email: email(),
    phone_number: optional(text(50)),
    delivery_address: optional(AddressInput()),
  }),
);

/** The validated body of POST /api/order. Unknown fields are dropped. */
export const OrderRequest = lazy(() =>
  z.object({
    order_ref_id: requiredText(100),
    product_id: id(),
    variation_id: optional(id()),
    currency: currencyCode(),
    base_location: countryCode(),
    recipient_details: z.array(RecipientInput()).check(z.minLength(1), z.maxLength(MAX_RECIPIENTS)),
  }),
);
export type OrderRequest = z.infer<ReturnType<typeof OrderRequest>>;

/** The validated body of POST /api/gift-link. */
export const GiftLinkRequest = lazy(() =>
  z.extend(OrderRequest(), {
    gift_of_choice: z.prefault(nullAs("N", z.enum(["Y", "N"])), "N"),
    order_branding: z.prefault(nullAs("platform", z.enum(["platform", "company"])), "platform"),
    recipient_details: z
      .array(z.extend(RecipientInput(), { redemption_message: optional(text(2_000)) }))
      .check(z.minLength(1), z.maxLength(MAX_RECIPIENTS)),
  }),
);
export type GiftLinkRequest = z.infer<ReturnType<typeof GiftLinkRequest>>;

/** Errors: `product_id_required` before all others, `validation_error`. */
export function readPlacement<Schema extends z.ZodMiniType<OrderRequest>>(
  schema: () => Schema,
  body: Record<string, unknown>,
): z.output<Schema> {
  if (body["product_id"] === undefined || body["product_id"] === null) {
    throw new ApiError("product_id_required", "A product_id must be set.");
  }
  return validate(schema(), body);
}

/** Exactly one of the three names an order (decision 10). */
export const OrderQuery = lazy(() =>
  z
    .object({
      order_id: z.optional(queryId()),
      order_number: z.optional(requiredText(30)),
      order_ref_id: z.optional(requiredText(100)),
    })
    .check(
      z.superRefine((query, context) => {
        const [first, ...others] = Object.entries(query)
          .filter(([, value]) => value !== undefined)
          .map(([name]) => name);
        const refuse = (name: string, message: string) => {
          context.addIssue({ code: "custom", path: [name], message });
        };
        if (first === undefined) {
          refuse("order_id", "is required unless order_number or order_ref_id is set");
        }
        for (const name of others) refuse(name, `must not be set together with ${String(first)}`);
      }),
    ),
);
export type OrderQuery = z.infer<ReturnType<typeof OrderQuery>>;

/** The answer of both placements, numbers as numbers; a gift-link order adds its `recipient_return`. */
export function placementToWire(order: PlacedOrder): answer.PlacedOrder {
  return {
    status: "success",
    order_data: { order_id: order.id, order_number: orderNumber(order.id) },
    order_totals: {
      currency: order.currency,
      product_price: amountAsNumber(order.productPriceMinor),
      qty: order.qty,
      subtotal: amountAsNumber(order.subtotalMinor),
      shipping_cost: amountAsNumber(order.shippingCostMinor),
      order_fee: amountAsNumber(order.orderFeeMinor),
      order_total: amountAsNumber(order.orderTotalMinor),
    },
  };
}

/** `giftUrls` are those of the sub-orders in their order; empty unless it is a gift-link order. */
export function orderToWire(order: Order, subOrders: SubOrder[], giftUrls: string[]): answer.Order {
  const branding = order.branding ?? PLATFORM_BRANDING;
  return {
    // Here ids and amounts are strings, unlike in the answers of placements.
    order_id: String(order.id),
    order_number: orderNumber(order.id),
    order_date: formatDateTime(order.createdAtMs),
    order_status: order.status,
    gift_order_method: order.giftOrderMethod,
    ...(order.giftOrderMethod === "link" && {
      link_how_many_times: order.linkHowManyTimes,
      link_url: order.linkUrl,
      link_message: order.linkMessage,
    }),
    gift_of_choice: order.giftOfChoice,
    branding_selected: order.brandingSelected,
    branding_options: {
      branding_logo: branding.logo,
      branding_claim_logo: branding.claimLogo,
      primary_color: branding.primaryColor,
      secondary_color: branding.secondaryColor,
    },
    product_offered: chosenProduct(order),
    order_totals: {
      currency: order.currency,
      product_price: formatAmount(order.productPriceMinor),
      qty: String(order.qty),
      subtotal: formatAmount(order.subtotalMinor),
      shipping_cost: formatAmount(order.shippingCostMinor),
      order_fee: formatAmount(order.orderFeeMinor),
      order_total: formatAmount(order.orderTotalMinor),
    },
    email_template: order.emailTemplate,
    recipients: subOrders.map((subOrder, index) => ({
      suborder_id: suborderId(order.id, subOrder.sequence),
      suborder_number: suborderNumber(order.id, subOrder.sequence),
      recipient_details: recipientToWire(subOrder, giftUrls[index]),
      redemption_status: subOrder.redemptionStatus,
      product_selected: chosenProduct(subOrder),
    })),
  };
}

function chosenProduct({
  productId,
  variationId,
}: Pick<Order, "productId" | "variationId">): answer.ChosenProduct {
  return {
    product_id: String(productId),
    variation_id: variationId === null ? null : String(variationId),
  };
}

function recipientToWire(subOrder: SubOrder, giftUrl: string | undefined): answer.RecipientDetails {
  const address = subOrder.deliveryAddress;
  return {
    name: `${subOrder.firstName} ${subOrder.lastName}`,
    email: subOrder.email,
    email_message: subOrder.emailMessage ?? "",
    delivery_address: {
      address_line_1: address?.address_line_1 ?? null,
      address_line_2: address?.address_line_2 ?? null,
      suburb: address?.suburb ?? null,
      state: address?.state ?? null,
      postcode_zipcode: address?.postcode_zipcode ?? null,
      country: address?.country ?? null,
    },
    // Decision 11.
    phone_number: subOrder.phoneNumber?.trim() ? subOrder.phoneNumber : "NA",
    delivery_notes: subOrder.deliveryNotes,
    ...(giftUrl !== undefined && { gift_url: giftUrl }),
  };
}

/** Whose order it is and how it was asked for: what `place` takes besides the request itself. */
export type Placement =
  | { method: "api-purchase"; client: Client; request: OrderRequest }
  | { method: "api-giftlink"; client: Client; request: GiftLinkRequest; link: LinkOrigin };
