// Placing an order, for POST /api/order and POST /api/gift-link.
import { ApiError } from "../../core/api-error.ts";
import { retrying } from "../../platform/db/faults.ts";
import type { AddressRules } from "../../core/address/rules.ts";
import type { LimitState } from "../credentials/limit-queries.ts";
import { collectionProblem } from "./collection.ts";
import { checkOrder } from "./check.ts";
import type { Caller, Placement } from "./contract.ts";
import { newOrder, placementKey, type UnwrittenOrder } from "./new-order.ts";
import { OFFER_MEMORY_MS, type Offer, type OfferCache, offerKey } from "./offers.ts";
import type { PlacedOrder } from "./order.ts";
import {
  insertOrder,
  type NearPlacement,
  type PlacementKey,
  type PlacementOutcome,
  readOutcome,
} from "./queries.ts";
import { requestDigestOf } from "./request-digest.ts";

export interface PlaceContext {
  d1: D1Database;
  offers: OfferCache;
  nowMs: number;
  requestId: string;
  addresses: AddressRules;
}

export interface Placed {
  order: PlacedOrder;
  /** Whether an earlier request placed the order. */
  replayed: boolean;
  limits: LimitState[] | null;
}

/** What a replica has, if the placement's client is the replica's. `confirm` authenticates without the replica. */
type Near = NearPlacement & { confirm: () => Promise<Caller> };

/**
 * Another attempt follows if the offer has changed. It changes only when a catalogue is published, so three are enough.
 */
const MAX_ATTEMPTS = 3;

/**
 * Places the order once for each (client, order_ref_id), without a time limit (DECISIONS.md: An order reference is used
 * once). Returns the reason if the order is refused. The cached offer may be some seconds old: the INSERT inserts no
 * order if the offer is no longer current, and an order is refused only after its facts were read from the primary. One
 * round trip if the offer is cached, otherwise two, and one more with a collection. With the client of a replica, the
 * INSERT also checks the client, and any other result is only used after the client was confirmed. `found` was read
 * before.
 */
export async function place(
  context: PlaceContext,
  placement: Placement,
  near?: Near,
  found = near?.outcome,
  firstAttempt = 1,
): Promise<Placed | ApiError> {
  const { d1, nowMs, requestId } = context;
  const placeConfirmed = async ({ confirm }: Near, outcome: PlacementOutcome) =>
    place(context, { ...placement, ...(await confirm()) }, undefined, outcome, 2);
  const key = placementKey(placement);
  const requestDigest = await requestDigestOf(placement);

  let offer = found ? null : (context.offers.get(offerKey(key), nowMs) ?? null);
  if (!offer) {
    // The nearest replica may lag behind the primary. An order that it has is final.
    const nearest = found ?? (await readOutcome(d1.withSession("first-unconstrained"), key, nowMs));
    if (nearest.order && near) return placeConfirmed(near, nearest);
    if (nearest.order) return placedOrConflict(nearest, requestDigest, requestId, placement);
    offer = nearest.facts.offer;
    cacheOffer(context, key, offer);
  }
  for (let attempt = firstAttempt; attempt <= MAX_ATTEMPTS; attempt++) {
    const totals = checkOrder({ offer }, placement, context);
    const problem =
      totals instanceof ApiError ? null : await collectionProblem(d1, placement, totals);
    const outcome =
      totals instanceof ApiError || problem || !offer
        ? (near?.outcome ?? (await readOutcome(d1, key, nowMs)))
        : await insertWithRetries(
            context,
            { ...newOrder(placement, offer, totals, context), used: near?.used },
            requestDigest,
          );
    if (near && !isPlacedBy(requestId, outcome.order)) return placeConfirmed(near, outcome);
    if (outcome.order) return placedOrConflict(outcome, requestDigest, requestId, placement);

    const checked = checkOrder(outcome.facts, placement, context);
    if (checked instanceof ApiError) return checked;
    if (problem) return problem;
    offer = outcome.facts.offer;
    cacheOffer(context, key, offer);
  }
  throw new Error(`the offer of product ${String(key.productId)} changed during every attempt`);
}

/** The existing order, which this or an earlier request placed. An error if its request had other content. */
function placedOrConflict(
  { order, limits }: Pick<Placed, "order" | "limits">,
  requestDigest: string,
  requestId: string,
  { request, ownId }: Placement,
): Placed | ApiError {
  const isOthers = ownId !== null && order.credentialId !== ownId;
  if (order.requestDigest === requestDigest && !isOthers) {
    return { order, replayed: !isPlacedBy(requestId, order), limits };
  }
  return new ApiError(
    "order_ref_conflict",
    `order_ref_id ${request.order_ref_id} has been used for another order.`,
  );
}

const isPlacedBy = (requestId: string, order: PlacedOrder | null) =>
  order?.placementId.startsWith(requestId) ?? false;

/**
 * Inserts the order, and retries on transient errors. A failed attempt may have been committed. The next attempt has
 * another placement id, so it reads that order as a replay would, and writes nothing.
 */
function insertWithRetries(
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

function cacheOffer({ offers, nowMs }: PlaceContext, key: PlacementKey, offer: Offer | null): void {
  if (offer) offers.set(offerKey(key), offer, nowMs + OFFER_MEMORY_MS);
}
