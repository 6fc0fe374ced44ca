// The costs of an order that is not placed, for POST /api/quote.
import type { Currency } from "../../core/values/iso.ts";
import { ApiError } from "../../core/api-error.ts";
import type { Database } from "../../platform/db/sql.ts";
import { readChoiceCounts } from "./collection.ts";
import { checkContent, shortagesOf } from "./check.ts";
import type { LimitState } from "../credentials/limit-queries.ts";
import type { Caller, QuoteRequest } from "./contract.ts";
import type { Totals } from "./order.ts";
import { readFacts } from "./queries.ts";

export interface Quote {
  currency: Currency;
  totals: Totals;
  creditSufficient: boolean;
  stockSufficient: boolean;
  limitSufficient: boolean;
  limits: LimitState[] | null;
  /** The number of products to choose from in each country. Null without a collection. */
  choices: { country: string; count: number }[] | null;
}

/**
 * The totals of an order for `qty` recipients, and whether stock, credit and limits suffice at present. Returns the reason if a
 * placement would be refused for another reason. Writes nothing. One round trip, and one more with a collection.
 */
export async function quote(
  db: Database,
  { client, credentialId }: Caller,
  request: QuoteRequest,
  nowMs: number,
): Promise<Quote | ApiError> {
  const key = {
    credentialId,
    clientId: client.id,
    catalogueId: client.catalogue.id,
    productId: request.product_id,
    variationId: request.variation_id ?? null,
    currency: request.currency,
  };
  const facts = await readFacts(db, key, nowMs);
  const { gift_order_method: method, qty } = request;
  const content = { method, client, request, qty };
  const totals = checkContent(facts.offer, content, nowMs);
  if (totals instanceof ApiError) return totals;
  const choices = await readChoiceCounts(db, {
    catalogueId: client.catalogue.id,
    request,
    totals,
    countries: [request.base_location],
  });
  if (choices instanceof ApiError) return choices;
  const { stock, credit, limit } = shortagesOf(facts, content, totals);
  return {
    currency: request.currency,
    totals,
    creditSufficient: credit === null,
    stockSufficient: stock === null,
    limitSufficient: limit === null,
    limits: facts.limits,
    choices,
  };
}
