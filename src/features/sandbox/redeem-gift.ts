// Redeems a gift, as its recipient does on the page.
import { validationError } from "../../core/api-error.ts";
import { missingFields } from "../orders/address.ts";
import { addressValues, type GivenValues, type Problems } from "../redeem/form.ts";
import { redeem } from "../redeem/redeem.ts";
import type { SandboxRedemptionRequest } from "./contract.ts";
import { type ControlledGift, giftWithLink, notAllowed, type SandboxContext } from "./control.ts";
import type { ClientGift } from "./queries.ts";

/**
 * Redeems the offered product. At most three round trips, or four if another request changes the gift at the same time.
 * Errors: `not_found`, `not_allowed_in_state`, `validation_error`.
 */
export async function redeemGift(
  context: SandboxContext,
  request: SandboxRedemptionRequest,
): Promise<ControlledGift> {
  const gift = await giftWithLink(context, request.suborder_id);
  const { orderId, sequence, orderStatus, redemptionStatus, nonce } = gift;
  if (redemptionStatus === "redeemed") return { orderId, sequence, orderStatus, redemptionStatus };
  const form = {
    values: valuesOf(request, gift),
    productId: null,
    variationId: gift.offeredVariationId,
    choices: {},
  };
  const key = { orderId, sequence, nonce, generation: gift.linkGeneration };
  const noOthers = { window: 0, after: null };
  const outcome = await redeem({ ...context, near: context.d1 }, key, form, noOthers, "order");
  switch (outcome?.kind) {
    case "redeemed":
      return { orderId, sequence, orderStatus: "paid", redemptionStatus: "redeemed" };
    case "invalid":
      throw invalidDelivery(outcome.problems);
    case "closed": {
      const { state } = outcome.view.gift;
      // The gift was redeemed, or its link was renewed, after it was read above.
      if (state === "redeemed" || state === "replaced") return redeemGift(context, request);
      throw notAllowed("be redeemed", state);
    }
    case "gone":
    case undefined:
      // The offered product is always available, and orders are never deleted.
      throw new Error("the offered product or the order of the gift is missing");
  }
}

/** An address that is valid in every country. Its country is the order's `base_location`. */
const SAMPLE_ADDRESS = {
  address_line_1: "1 Sample Street",
  suburb: "Sampleton",
  postcode_zipcode: "10000",
};

/** The values of the page's form: the request's address, or the order's with sample values for missing fields. */
function valuesOf(
  { delivery_address, delivery_notes }: SandboxRedemptionRequest,
  { deliveryAddress, baseLocation }: ClientGift,
): GivenValues {
  const known = { country: baseLocation, ...deliveryAddress };
  const sample = { ...SAMPLE_ADDRESS, country: baseLocation };
  const missing = missingFields(known).map((field) => [field, sample[field]] as const);
  const address = delivery_address ?? { ...known, ...Object.fromEntries(missing) };
  return { ...addressValues(address), delivery_notes: delivery_notes?.trim() ?? "" };
}

const RULES = {
  required: "is required for a physical product",
  invalid: "is not valid",
  unavailable: "is not in the available_location of the product",
} as const;

function invalidDelivery(problems: Problems) {
  return validationError(
    [...problems].map(([name, problem]) => ({
      field: name === "delivery_notes" ? name : `delivery_address.${name}`,
      message: RULES[problem],
    })),
  );
}
