// What an order costs and whether its product may be ordered so: pure, and the same for every caller.
import { isAvailableIn } from "../catalogue/product.ts";
import { countryOf, hasNoPostcodes } from "../values/country.ts";
import { ApiError, type FieldError, validationError } from "../api-error.ts";
import { shareOf } from "../values/money.ts";
import type { Offer } from "./offers.ts";
import type { Totals } from "./order.ts";
import type { AddressInput, Placement } from "./wire.ts";

/** Decision 6: the fee is the only part that is rounded, the total the exact sum of its parts. */
export function totals(
  productPriceMinor: number,
  shippingMinor: number,
  qty: number,
  feeBasisPoints: number,
): Totals {
  const subtotalMinor = productPriceMinor * qty;
  const shippingCostMinor = shippingMinor * qty;
  const orderFeeMinor = shareOf(subtotalMinor + shippingCostMinor, feeBasisPoints);
  return {
    productPriceMinor,
    qty,
    subtotalMinor,
    shippingCostMinor,
    orderFeeMinor,
    orderTotalMinor: subtotalMinor + shippingCostMinor + orderFeeMinor,
  };
}

/** The order's totals by this offer, or why the offer refuses it. Stock and credit are not its business. */
export function quote(offer: Offer | null, placement: Placement): Totals | ApiError {
  const { client, request } = placement;
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
  const faults = addressFaults(offer, placement);
  if (faults.length > 0) return validationError(faults);
  if (
    placement.method === "api-giftlink" &&
    placement.request.order_branding === "company" &&
    client.branding === null
  ) {
    return new ApiError(
      "branding_not_available",
      "order_branding company is not available: no company branding is set in the company profile.",
    );
  }
  return totals(
    priceMinor,
    offer.shippingMinor,
    request.recipient_details.length,
    client.feeBasisPoints,
  );
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

/** What an address needs to be delivered to (decision 5). */
export const REQUIRED_ADDRESS_FIELDS = [
  "address_line_1",
  "suburb",
  "postcode_zipcode",
  "country",
] as const;

/** Which of them an address lacks. The postcode may be missing where the country is known to have none. */
export function missingParts(address: AddressInput) {
  return REQUIRED_ADDRESS_FIELDS.filter(
    (part) =>
      !address[part]?.trim() &&
      !(part === "postcode_zipcode" && hasNoPostcodes(address.country ?? "")),
  );
}

/**
 * The code of the country that the address names, if the product is not available there. Text that names no country
 * is not checked.
 */
export function unavailableCountry(
  product: Pick<Offer, "locations">,
  { country }: AddressInput,
): string | undefined {
  const code = countryOf(country ?? "");
  return code !== undefined && !isAvailableIn(product, code) ? code : undefined;
}

/** What is missing in the recipients' addresses, and countries where the product is not available. */
function addressFaults(offer: Offer, { method, request }: Placement): FieldError[] {
  const isRequired = method === "api-purchase" && offer.delivery === "physical";
  const product = `product_id ${String(request.product_id)}`;
  return request.recipient_details.flatMap(({ delivery_address: address }, index) => {
    const path = `recipient_details[${String(index)}].delivery_address`;
    const missing = { message: "is required for a physical product" };
    if (!address) return isRequired ? [{ field: path, ...missing }] : [];
    const parts = isRequired ? missingParts(address) : [];
    const country = unavailableCountry(offer, address);
    return [
      ...parts.map((part) => ({ field: `${path}.${part}`, ...missing })),
      ...(country === undefined
        ? []
        : [
            {
              field: `${path}.country`,
              message: `is ${country}, which is not in the available_location of ${product}`,
            },
          ]),
    ];
  });
}
