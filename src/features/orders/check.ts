// The rules of a new order.
import { ApiError, type FieldError, validationError } from "../../core/api-error.ts";
import { isAvailableIn } from "../catalogue/product.ts";
import type { Client } from "../clients/profile.ts";
import { amountWithCode } from "../../core/values/money.ts";
import { redeemByRange } from "../../core/values/redeem-by.ts";
import { parseDayOrTimestamp } from "../../core/values/time.ts";
import { limitProblem } from "../credentials/limits.ts";
import { notAvailable, sendAtProblem } from "../schedule/send-at.ts";
import { addressErrors } from "../../core/address/check.ts";
import type { AddressRules } from "../../core/address/rules.ts";
import type { GiftLinkRequest, OrderRequest, Placement } from "./contract.ts";
import type { Offer } from "./offers.ts";
import { expiryColumns } from "./new-order.ts";
import type { OrderFacts, Totals } from "./order.ts";
import { totalsOf } from "./totals.ts";

/** What is ordered, for a placement or a quote. */
export interface OrderContent {
  method: Placement["method"];
  client: Pick<Client, "billing" | "feeBasisPoints" | "branding">;
  request: Pick<OrderRequest, "product_id" | "variation_id" | "currency" | "base_location"> & {
    order_branding?: GiftLinkRequest["order_branding"] | undefined;
    redeem_by?: GiftLinkRequest["redeem_by"];
  };
  qty: number;
}

/**
 * The order's totals, or the reason to refuse it. Stock and balance are checked only if `facts` contains them. A cached
 * offer has neither, and the INSERT of the order checks both.
 */
export function checkOrder(
  facts: OrderFacts,
  placement: Placement,
  { nowMs, addresses }: { nowMs: number; addresses: AddressRules },
): Totals | ApiError {
  const { method, client, request } = placement;
  const recipients = request.recipient_details;
  const problem = sendingProblem(placement, nowMs);
  if (problem) return problem;
  const content = { method, client, request, qty: recipients.length };
  const errorsOf = (offer: Offer) => recipientErrors(offer, placement, addresses);
  const totals = checkContent(facts.offer, content, nowMs, errorsOf);
  if (totals instanceof ApiError) return totals;
  const { stock, credit, limit } = shortagesOf(facts, content, totals);
  return stock ?? credit ?? limit ?? totals;
}

/** Why the recipients cannot be invited by e-mail as requested. Null if they can, or if no e-mail is requested. */
function sendingProblem(placement: Placement, nowMs: number): ApiError | null {
  if (placement.method === "api-purchase") return null;
  const { send_method: method, send_at: sendAt } = placement.request;
  if (method !== "email") {
    const message = "must not be set unless send_method is email";
    return sendAt === undefined ? null : validationError([{ field: "send_at", message }]);
  }
  if (!placement.sendsEmails) return notAvailable("send_method email");
  const { expiresAtMs } = expiryColumns(placement, nowMs);
  const sendAtMs = parseDayOrTimestamp(sendAt ?? "") ?? nowMs;
  const problem = sendAtProblem(sendAtMs, { nowMs, expiresAtMs });
  return problem === null ? null : validationError([{ field: "send_at", message: problem }]);
}

/**
 * The totals, or the reason to refuse the order that does not depend on the stock or the credit. A quote has no
 * recipients.
 */
export function checkContent(
  offer: Offer | null,
  content: OrderContent,
  nowMs: number,
  recipientErrors: (offer: Offer) => FieldError[] = () => [],
): Totals | ApiError {
  const { client, request } = content;
  const product = `product_id ${String(request.product_id)}`;
  if (!offer) return new ApiError("product_not_found", `${product} is not in your catalogue.`);

  const priceMinor = unitPrice(offer, request.product_id, request.variation_id);
  if (priceMinor instanceof ApiError) return priceMinor;
  if (request.currency !== offer.currency) {
    return new ApiError(
      "currency_not_available",
      `currency ${request.currency} is not available for ${product}: it is sold in ${offer.currency}.`,
    );
  }
  if (!isAvailableIn(offer, request.base_location)) {
    return new ApiError(
      "location_not_available",
      `base_location ${request.base_location} is not available for ${product}: ` +
        `it is available in ${offer.locations.join(", ")}.`,
    );
  }
  const fieldErrors = [...redeemByErrors(content, nowMs), ...recipientErrors(offer)];
  if (fieldErrors.length > 0) return validationError(fieldErrors);
  if (
    content.method === "api-giftlink" &&
    request.order_branding === "company" &&
    client.branding === null
  ) {
    return new ApiError(
      "branding_not_available",
      "order_branding company is not available: no company branding is set in the company profile.",
    );
  }
  return totalsOf(priceMinor, offer.shippingMinor, content.qty, client.feeBasisPoints);
}

/** The refusals because of stock, credit and limits. Null if they suffice or if `facts` does not contain them. */
export function shortagesOf(
  { stock, balanceMinor, limits = null }: OrderFacts,
  { client, request }: OrderContent,
  totals: Totals,
): Record<"stock" | "credit" | "limit", ApiError | null> {
  const left = stock?.sellable ? (stock.quantity ?? Infinity) : 0;
  const lacksStock = stock !== undefined && left < totals.qty;
  const lacksCredit =
    client.billing === "credit" &&
    balanceMinor !== undefined &&
    balanceMinor < totals.orderTotalMinor;
  return {
    stock: lacksStock ? outOfStock(request, left, totals.qty) : null,
    credit: lacksCredit
      ? new ApiError(
          "insufficient_credit",
          `The credit is too low: the balance is ${amountWithCode(balanceMinor, request.currency)}, ` +
            `the order's total is ${amountWithCode(totals.orderTotalMinor, request.currency)}.`,
        )
      : null,
    limit: limitProblem(limits, request.currency, totals.orderTotalMinor),
  };
}

function unitPrice(
  offer: Offer,
  productId: number,
  variationId: number | undefined,
): number | ApiError {
  const product = `product_id ${String(productId)}`;
  if (offer.priceMinor !== null) {
    if (variationId === undefined) return offer.priceMinor;
    return new ApiError(
      "variation_not_allowed",
      `variation_id must not be set: ${product} has no variations.`,
    );
  }
  if (variationId === undefined) {
    return new ApiError(
      "variation_required",
      `variation_id must be set: ${product} has variations.`,
    );
  }
  const variation = offer.variations.find(({ id }) => id === variationId);
  if (variation) return variation.priceMinor;
  return new ApiError(
    "variation_not_found",
    `variation_id ${String(variationId)} is not a variation of ${product}.`,
  );
}

/**
 * An error if `redeem_by` is in the past or too far ahead. It is a rule of new orders and not of the schema, because the
 * repeated request of an existing order is answered on every later day too.
 */
function redeemByErrors({ request }: OrderContent, nowMs: number): FieldError[] {
  if (request.redeem_by === undefined) return [];
  const { first, last } = redeemByRange(nowMs);
  if (request.redeem_by >= first && request.redeem_by <= last) return [];
  return [{ field: "redeem_by", message: `must be a day from ${first} to ${last}` }];
}

/** The invalid fields of the recipients' addresses. A physical product that is ordered without a gift link needs one. */
function recipientErrors(
  offer: Offer,
  { method, request }: Pick<Placement, "method" | "request">,
  addresses: AddressRules,
): FieldError[] {
  const isRequired = method === "api-purchase" && offer.delivery === "physical";
  const { product_id: productId } = request;
  return request.recipient_details.flatMap(({ delivery_address: address }, index) => {
    const path = `recipient_details[${String(index)}].delivery_address`;
    if (!address) {
      return isRequired ? [{ field: path, message: "is required for a physical product" }] : [];
    }
    return addressErrors(address, addresses, { ...offer, isRequired, productId }).map(
      ({ field, message }) => ({ field: `${path}.${field}`, message }),
    );
  });
}

function outOfStock(request: OrderContent["request"], left: number, ordered: number): ApiError {
  const item =
    request.variation_id === undefined
      ? `product_id ${String(request.product_id)}`
      : `variation_id ${String(request.variation_id)}`;
  return new ApiError(
    "out_of_stock",
    `${item} is out of stock: ${String(left)} left, ${String(ordered)} ordered.`,
  );
}
