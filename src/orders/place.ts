// Placing an order, for POST /api/order and POST /api/gift-link.
import { ApiError } from "../api-error.ts";
import { retrying } from "../db/faults.ts";
import { checkOrder } from "./check.ts";
import { OFFER_MEMORY_MS, type Offer, type OfferCache, offerKey } from "./offers.ts";
import type { PlacedOrder, Placement, Totals } from "./order.ts";
import { insertOrder, type NewOrder, type PlacementKey, readOutcome } from "./queries.ts";
import { requestDigestOf } from "./request-digest.ts";

export interface PlaceContext {
  d1: D1Database;
  offers: OfferCache;
  nowMs: number;
  requestId: string;
}

export interface Placed {
  order: PlacedOrder;
  /** Whether an earlier request placed the order. */
  replayed: boolean;
}

/** How often an offer may change while one request is placed. More than that is a fault. */
const MAX_ATTEMPTS = 3;

/**
 * Places the order once for each (client, order_ref_id), for ever (DECISIONS.md: An order reference is used once), or
 * returns the reason to refuse it. The cached offer may be some seconds old: the write fails if it is no longer
 * current, and an order is refused only by what the primary has. One round trip if the offer is cached, otherwise two.
 */
export async function place(
  context: PlaceContext,
  placement: Placement,
): Promise<Placed | ApiError> {
  const { d1 } = context;
  const key = placementKey(placement);
  const requestDigest = await requestDigestOf(placement);

  let offer = context.offers.get(offerKeyOf(key), context.nowMs) ?? null;
  if (!offer) {
    // The nearest replica may lag behind the primary, but an order that it has is final.
    const nearest = await readOutcome(d1.withSession("first-unconstrained"), key);
    if (nearest.order) return placedOrConflict(nearest.order);
    offer = remember(context, key, nearest.facts.offer);
  }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const totals = checkOrder({ offer }, placement);
    const outcome =
      totals instanceof ApiError || !offer
        ? await readOutcome(d1, key)
        : await insertSafely(context, newOrder(placement, offer, totals), requestDigest);
    if (outcome.order) return placedOrConflict(outcome.order);

    const checked = checkOrder(outcome.facts, placement);
    if (checked instanceof ApiError) return checked;
    offer = remember(context, key, outcome.facts.offer);
  }
  throw new Error(`the offer of product ${String(key.productId)} changed during every attempt`);

  function placedOrConflict(order: PlacedOrder): Placed | ApiError {
    if (order.requestDigest !== requestDigest) {
      return new ApiError(
        "order_ref_conflict",
        `order_ref_id ${key.orderRefId} has been used for another order.`,
      );
    }
    return { order, replayed: !order.placementId.startsWith(context.requestId) };
  }
}

type UnwrittenOrder = Omit<NewOrder, "requestDigest" | "placementId" | "createdAtMs">;

/**
 * Inserts the order, and retries on transient errors. A failed attempt may have been committed. The next one has
 * another placement id, so it finds that order as a replay does, and writes nothing.
 */
function insertSafely(
  { d1, nowMs, requestId }: PlaceContext,
  order: UnwrittenOrder,
  requestDigest: string,
) {
  return retrying((attempt) =>
    insertOrder(d1, {
      ...order,
      requestDigest,
      createdAtMs: nowMs,
      placementId: `${requestId}.${String(attempt)}`,
    }),
  );
}

function remember({ offers, nowMs }: PlaceContext, key: PlacementKey, offer: Offer | null) {
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

function newOrder(placement: Placement, offer: Offer, totals: Totals): UnwrittenOrder {
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
    ...placementKey(placement),
    ...gift,
    ...totals,
    method,
    // A client that is billed by credit has paid as soon as the order is placed.
    status: client.billing === "credit" ? "paid" : "created",
    branding: gift.brandingSelected === "company" ? client.branding : null,
    baseLocation: request.base_location,
    revision: offer.revision,
    recipients: newRecipients(placement),
  };
}

function newRecipients({ method, request }: Placement): NewOrder["recipients"] {
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
