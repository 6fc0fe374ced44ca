// Redeems a gift, as its recipient does on the page.
import { validationError } from "../../core/api-error.ts";
import { type Address, type AddressField } from "../../core/address/address.ts";
import { addressMessage, type AddressProblem, checkAddress } from "../../core/address/check.ts";
import { type AddressRules, rulesOf } from "../../core/address/rules.ts";
import type { ChangingGift } from "../lifecycle/change.ts";
import { addressValues, type GivenValues, type Problems } from "../redeem/form.ts";
import { redeem } from "../redeem/redeem.ts";
import type { GiftSelection, SandboxEventRequest } from "./contract.ts";
import { requireGiftWithLink, notAllowed, type SandboxContext } from "./control.ts";

type Redemption = GiftSelection & Pick<SandboxEventRequest, "delivery_address" | "delivery_notes">;

/**
 * Redeems the offered product. At most three round trips, or four if another request changes the gift at the same time.
 * Errors: `not_found`, `not_allowed_in_state`, `validation_error`.
 */
export async function redeemGift(
  context: SandboxContext,
  request: Redemption,
  addresses: AddressRules,
): Promise<void> {
  const gift = await requireGiftWithLink(context, request.suborder_id);
  const { orderId, sequence, nonce } = gift;
  if (gift.redemptionStatus === "redeemed") return;
  const form = {
    values: valuesOf(request, gift, addresses),
    productId: null,
    variationId: gift.offeredVariationId,
    choices: {},
    isTicked: true,
  };
  const key = { orderId, sequence, nonce, generation: gift.linkGeneration };
  const rules = { addresses, isForm: false };
  const outcome = await redeem({ ...context, near: context.d1 }, key, form, 0, rules);
  switch (outcome?.kind) {
    case "redeemed":
      return;
    case "invalid":
      throw invalidDelivery(outcome.problems, form.values, addresses);
    case "closed": {
      const { state } = outcome.view.gift;
      // The gift was redeemed, or its link was renewed, after it was read above.
      if (state === "redeemed" || state === "replaced")
        return redeemGift(context, request, addresses);
      throw notAllowed("be redeemed", state);
    }
    case "gone":
    case undefined:
      // The offered product is always available, and orders are never deleted.
      throw new Error("the offered product or the order of the gift is missing");
  }
}

const SAMPLE_ADDRESS = { address_line_1: "1 Sample Street", suburb: "Sampleton" };

/** The values of the page's form: the request's address, or the order's with sample values for missing fields. */
function valuesOf(
  { delivery_address, delivery_notes }: Redemption,
  { deliveryAddress, deliveryNotes, baseLocation }: ChangingGift,
  addresses: AddressRules,
): GivenValues {
  const country = deliveryAddress?.country?.trim() || baseLocation;
  const known: Address = { ...deliveryAddress, country };
  const [postcode_zipcode] = rulesOf(addresses, country).examples ?? [];
  const sample: Address = { ...SAMPLE_ADDRESS, postcode_zipcode };
  const { problems } = checkAddress(known, addresses, { locations: [], isRequired: true });
  const missing = [...problems]
    .filter(([, problem]) => problem === "required")
    .map(([field]) => [field, sample[field]] as const);
  const address = delivery_address ?? { ...known, ...Object.fromEntries(missing) };
  return {
    ...addressValues(address),
    delivery_notes: (delivery_notes ?? deliveryNotes ?? "").trim(),
  };
}

function invalidDelivery(problems: Problems, address: Address, rules: AddressRules) {
  return validationError(
    [...problems].map(([name, problem]) => ({
      field: name === "delivery_notes" ? name : `delivery_address.${name}`,
      message: addressMessage(name as AddressField, problem as AddressProblem, {
        address,
        rules,
        product: "the product",
      }),
    })),
  );
}
