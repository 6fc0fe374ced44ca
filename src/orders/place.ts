// Placing an order: the one verb behind POST /api/order and POST /api/gift-link.
import { retrying } from "../db/faults.ts";
import { ApiError } from "../api-error.ts";
import { formatAmount } from "../values/money.ts";
import { digestRequest } from "./request-digest.ts";
import { OFFER_MEMORY_MS, type Offer, type OfferCache, offerKey } from "./offers.ts";
import type { PlacedOrder, Totals } from "./order.ts";
import { quote } from "./pricing.ts";
import { type NewOrder, type PlacementKey, readOutcome, type Terms, writeOrder } from "./store.ts";
import type { Placement } from "./wire.ts";

export interface PlaceContext {
  d1: D1Database;
  offers: OfferCache;
  nowMs: number;
  requestId: string;
}

export interface Placed {
  order: PlacedOrder;
  /** Whether an earlier request had placed it. */
  replayed: boolean;
}

/** More changes of one product within one request than this, and something else is wrong. */
const MAX_ROUNDS = 3;

/**
 * Places the order once for each (client, order_ref_id), for ever (decision 7). What is known of the product
 * may be some seconds old: the write refuses what is no longer so, and a refusal is only given by the primary.
 * One round trip when the offer is in the isolate, else two.
 */
export async function place(context: PlaceContext, placement: Placement): Promise<Placed> {
  const { d1 } = context;
  const key = placementKey(placement);
  const requestDigest = await digestRequest(placement);

  let offer = context.offers.get(offerKeyOf(key), context.nowMs) ?? null;
  if (!offer) {
    // The nearest copy may lag behind, but an order that it has is as it is everywhere, for ever.
    const nearest = await readOutcome(d1.withSession("first-unconstrained"), key);
    if (nearest.order) return placed(nearest.order);
    offer = remembered(context, key, nearest.terms.offer);
  }
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const quoted = quote(offer, placement);
    const outcome =
      quoted instanceof ApiError || !offer
        ? await readOutcome(d1, key)
        : await write(context, newOrder(key, placement, offer, quoted), requestDigest);
    if (outcome.order) return placed(outcome.order);

    const refusal = refusalBy(outcome.terms, placement);
    if (refusal) throw refusal;
    offer = remembered(context, key, outcome.terms.offer);
  }
  throw new Error(`the offer of product ${String(key.productId)} changed with every round`);

  function placed(order: PlacedOrder): Placed {
    if (order.requestDigest !== requestDigest) {
      throw new ApiError(
        "order_ref_conflict",
        `order_ref_id ${key.orderRefId} has been used for another order.`,
      );
    }
    return { order, replayed: !order.placementId.startsWith(context.requestId) };
  }
}

type UnwrittenOrder = Omit<NewOrder, "requestDigest" | "placementId" | "nowMs">;

/**
 * A try whose answer was lost may have been committed. The next one has another placement id, so it finds that
 * order as a replay would, and touches nothing.
 */
function write(
  { d1, nowMs, requestId }: PlaceContext,
  order: UnwrittenOrder,
  requestDigest: string,
) {
  return retrying((attempt) =>
    writeOrder(d1, {
      ...order,
      requestDigest,
      nowMs,
      placementId: `${requestId}.${String(attempt)}`,
    }),
  );
}

/** Keeps for the isolate what has just been read. */
function remembered({ offers, nowMs }: PlaceContext, key: PlacementKey, offer: Offer | null) {
  if (offer) offers.set(offerKeyOf(key), offer, nowMs + OFFER_MEMORY_MS);
  return offer;
}

const offerKeyOf = (key: PlacementKey) => offerKey(key.catalogueId, key.productId);

function placementKey({ client, request }: Placement): PlacementKey {
  return {
    clientId: client.id,
    orderRefId: request.order_ref_id,
    catalogueId: client.catalogue.id,
    productId: request.product_id,
    variationId: request.variation_id ?? null,
    currency: request.currency,
  };
}

/** Why the state on the primary refuses the order; undefined when only the offer had been out of date. */
function refusalBy({ offer, stock, balanceMinor }: Terms, placement: Placement) {
  const { client, request } = placement;
  const quoted = quote(offer, placement);
  if (quoted instanceof ApiError) return quoted;

  const left = !stock?.sellable ? 0 : (stock.quantity ?? Infinity);
  if (left < quoted.qty) {
    const what =
      request.variation_id === undefined
        ? `product_id ${String(request.product_id)}`
        : `variation_id ${String(request.variation_id)}`;
    return new ApiError(
      "out_of_stock",
      `${what} is out of stock: ${String(left)} left, ${String(quoted.qty)} ordered.`,
    );
  }
  if (client.billing === "credit" && balanceMinor < quoted.orderTotalMinor) {
    return new ApiError(
      "insufficient_credit",
      `The credit is too low: the balance is ${formatAmount(balanceMinor)} ${request.currency}, ` +
        `the order's total is ${formatAmount(quoted.orderTotalMinor)} ${request.currency}.`,
    );
  }
  return undefined;
}

function newOrder(
  key: PlacementKey,
  placement: Placement,
  offer: Offer,
  totals: Totals,
): UnwrittenOrder {
  const { client, request, method } = placement;
  const gift =
    method === "api-giftlink"
      ? {
          giftOfChoice: placement.request.gift_of_choice,
          brandingSelected: placement.request.order_branding,
          ...placement.link,
        }
      : {
          giftOfChoice: "N" as const,
          brandingSelected: "platform" as const,
          linkNonce: null,
          linkKeyId: null,
        };
  return {
    ...key,
    ...gift,
    method,
    // A client billed by credit has paid as soon as the order is placed (decision 8).
    status: client.billing === "credit" ? "paid" : "created",
    branding: gift.brandingSelected === "company" ? client.branding : null,
    baseLocation: request.base_location,
    revision: offer.revision,
    totals,
    recipients: recipients(placement),
  };
}

function recipients({ method, request }: Placement): NewOrder["recipients"] {
  const messages =
    method === "api-giftlink" ? request.recipient_details.map((r) => r.redemption_message) : [];
  return request.recipient_details.map((recipient, index) => ({
    firstName: recipient.first_name,
    lastName: recipient.last_name,
    email: recipient.email,
    phoneNumber: recipient.phone_number,
    emailMessage: messages[index],
    deliveryAddress: recipient.delivery_address,
  }));
}
