// The recipient's correction of where a gift is sent.
import { toGiftId } from "../../core/values/ids.ts";
import { isEntitled } from "../lifecycle/gift-state.ts";
import { correct, type Correction, correctionRefusal } from "../lifecycle/correct.ts";
import type { AddressRules } from "../../core/address/rules.ts";
import { checkDelivery } from "./delivery.ts";
import {
  correctionsIn,
  FIELDS,
  formValues,
  type PageInput,
  type Problems,
  storedValues,
  valuesIn,
} from "./form.ts";
import type { GiftView, PageGift } from "../pages/gift.ts";
import { type LinkedGiftKey, readGiftToChange } from "./queries.ts";
import type { CheckedInput, RedeemContext } from "./redeem.ts";
import { NO_CLIENT } from "../lifecycle/order-key.ts";

type RefusedCorrection =
  { kind: "closed"; view: GiftView } | { kind: "invalid"; view: GiftView; problems: Problems };

type CorrectionOutcome = RefusedCorrection | { kind: "saved"; webhookIds: number[] };

/**
 * Replaces the address and the notes, or the e-mail address of a digital gift, and the corrected name and phone number of
 * a gift that is not shipped, or whose code was not seen. Null if there is no such gift. Errors: as `correct`, if the
 * gift's state has changed at the same time, or for a code. At most three round trips.
 */
export async function correctDelivery(
  { d1, nowMs }: RedeemContext,
  key: LinkedGiftKey,
  input: Pick<PageInput, "values">,
  rules: AddressRules,
): Promise<CorrectionOutcome | null> {
  const { view, webhookIds } = await readGiftToChange(d1, key, nowMs);
  if (!view) return null;
  const checked = checkCorrection(view, input, rules);
  if (checked.kind !== "valid") return checked;
  const link = { linkNonce: key.nonce, linkGeneration: key.generation };
  const context = { ...NO_CLIENT, nowMs, link, addresses: rules };
  const giftId = toGiftId(key.orderId, key.sequence);
  await correct(d1, context, { suborder_id: giftId, ...fieldsOf(checked) });
  return { kind: "saved", webhookIds };
}

const fieldsOf = ({ delivery, corrections }: CheckedInput): Omit<Correction, "suborder_id"> => {
  const { address, notes, email } = delivery;
  const { phone_number: phone, first_name: first, last_name: last } = corrections;
  return {
    // The recipient has this link, and no other.
    keep_link: true,
    first_name: first ?? undefined,
    last_name: last ?? undefined,
    phone_number: phone ?? undefined,
    ...(address
      ? { delivery_address: address, delivery_notes: notes ?? null }
      : { delivery_email: email }),
  };
};

/** Checks the correction by the rules of the form. */
export function checkCorrection(
  view: GiftView,
  input: Pick<PageInput, "values">,
  rules: AddressRules,
): CheckedInput | RefusedCorrection {
  const { gift, selected } = view;
  if (!isEntitled(gift.state) || refusalOf(gift)) return { kind: "closed", view };
  const values = formValues(input, gift);
  const delivery = checkDelivery(values, selected.product, { addresses: rules, isForm: true });
  if ("problems" in delivery) return { kind: "invalid", view, problems: delivery.problems };
  if (!delivery.address && delivery.email === undefined) {
    return { kind: "invalid", view, problems: new Map([["delivery_email", "required"]]) };
  }
  const { selectedVariationId: variationId } = gift;
  return {
    kind: "valid",
    choice: selected,
    variationId,
    delivery,
    corrections: correctionsIn(values),
  };
}

export const refusalOf = (gift: PageGift) => correctionRefusal(gift, gift.code?.openedAtMs);

/**
 * Whether a form that was sent after the gift had been accepted differs from what is stored. A repeated form does not.
 * After the shipment, the result is the same for all input, so that nobody can guess the stored address.
 */
export function isLate(view: GiftView, input: PageInput, addresses: AddressRules): boolean {
  const { gift, selected } = view;
  if (refusalOf(gift)) return true;
  const rules = { addresses, isForm: true };
  const delivery = checkDelivery(valuesIn(input, gift), selected.product, rules);
  const stored = { ...storedValues(gift), delivery_email: gift.deliveryEmail ?? "" };
  const values = { ...stored, ...input.values, ...("address" in delivery && delivery.address) };
  const { productId, variationId } = input;
  // The form also keeps what was typed for another gift.
  const isEmail = selected.product.delivery === "digital";
  const fields = FIELDS.filter(
    (field) => field.endsWith("_name") || isEmail === (field === "delivery_email"),
  );
  return (
    fields.some((field) => values[field] !== stored[field]) ||
    (productId ?? selected.product.id) !== selected.product.id ||
    (variationId ?? gift.selectedVariationId) !== gift.selectedVariationId
  );
}
