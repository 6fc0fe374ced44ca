// What recipients could choose from the collection of an order.
import { type ApiError, validationError } from "../../core/api-error.ts";
import { countryOf } from "../../core/values/country.ts";
import type { Database } from "../../platform/db/sql.ts";
import { findChoices, unknownCollection } from "../catalogue/collection-queries.ts";
import { isAvailableIn } from "../catalogue/product.ts";
import type { Placement, QuoteRequest } from "./contract.ts";
import type { Totals } from "./order.ts";

interface Choice {
  catalogueId: number;
  request: Pick<
    QuoteRequest,
    "collection" | "gift_of_choice" | "currency" | "base_location" | "product_id"
  >;
  totals: Totals;
  /** The countries of the recipients. */
  countries: string[];
}

/**
 * The number of other products of the collection that a recipient in each country could choose, or the reason to refuse it.
 * Null without a collection. At most one round trip.
 */
export async function readChoiceCounts(
  db: Database,
  { catalogueId, request, totals, countries }: Choice,
): Promise<{ country: string; count: number }[] | null | ApiError> {
  const { collection, gift_of_choice: giftOfChoice, currency, base_location: base } = request;
  if (collection === undefined) return null;
  const refuse = (message: string) => validationError([{ field: "collection", message }]);
  if (giftOfChoice !== "Y") return refuse("must not be set unless gift_of_choice is Y");
  const { subtotalMinor, shippingCostMinor, qty } = totals;
  const budgetMinor = (subtotalMinor + shippingCostMinor) / qty;
  const key = { catalogueId, collection, currency, budgetMinor, offeredId: request.product_id };
  const locations = await findChoices(db, key);
  if (!locations) return unknownCollection();
  const all = [...new Set([base, ...countries, ...locations.flat()])].sort();
  const choices = all.map((country) => ({
    country,
    count: locations.filter((each) => isAvailableIn({ locations: each }, country)).length,
  }));
  const own = countries.length > 0 ? countries : [base];
  if (choices.some(({ country, count }) => own.includes(country) && count > 0)) return choices;
  return refuse(`has nothing that a recipient in ${own.join(", ")} could choose at this price`);
}

/** Why an order cannot have its collection. Null if it can. At most one round trip. */
export async function collectionProblem(
  db: Database,
  placement: Placement,
  totals: Totals,
): Promise<ApiError | null> {
  if (placement.method === "api-purchase") return null;
  const { client, request } = placement;
  const countries = request.recipient_details.map(
    ({ delivery_address: address }) => countryOf(address?.country ?? "") ?? request.base_location,
  );
  const choice = {
    catalogueId: client.catalogue.id,
    request,
    totals,
    countries: [...new Set(countries)],
  };
  const choices = await readChoiceCounts(db, choice);
  return choices instanceof Error ? choices : null;
}
