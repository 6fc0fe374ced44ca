// Redeeming a gift.
import { retrying } from "../../platform/db/faults.ts";
import { checkDelivery, type DeliveryInput, type DeliveryRules } from "./delivery.ts";
import { TICK } from "../pages/ticked.ts";
import {
  correctionsIn,
  countryIn,
  isSentAsOrdered,
  type PageInput,
  type Problems,
  valuesIn,
} from "./form.ts";
import {
  type GiftProduct,
  type GiftView,
  optionField,
  optionsOf,
  type PageGift,
  variationWith,
} from "../pages/gift.ts";
import { findGift, type LinkedGiftKey, writeRedemption } from "./queries.ts";

export interface RedeemContext {
  d1: D1Database;
  /** The nearest replica, which may lag behind. */
  near: D1Database;
  nowMs: number;
  requestId: string;
  /** Whether the change also stores that the gift is opened, if it was not opened before. */
  tracksOpening?: boolean;
}

/** Why a gift cannot be redeemed with the recipient's input. */
export type Refusal =
  /** The gift's state does not allow a redemption. */
  | { kind: "closed"; view: GiftView }
  | { kind: "invalid"; view: GiftView; choice: GiftProduct; problems: Problems }
  /** The choice is not available. */
  | { kind: "gone"; view: GiftView; choice: GiftProduct | null };

/** What a request to decline a gift or to thank for it has done. */
export type ChangeOutcome =
  /** The gift's page shows its state. If another request has won the race, this one has changed nothing. */
  | { kind: "changed"; webhookIds: number[] }
  /** The gift's state did not allow it, and nothing has changed. */
  | { kind: "closed"; view: GiftView };

/** The choice and the address of a recipient. */
type ChosenInput = Omit<PageInput, "destination">;

/** The checked input of a recipient. */
export interface CheckedInput extends CheckedChoice {
  delivery: DeliveryInput;
  corrections: ReturnType<typeof correctionsIn>;
}

interface CheckedChoice {
  kind: "valid";
  choice: GiftProduct;
  /** Null for a simple product. */
  variationId: number | null;
}

/**
 * Redeems the gift with the form's choice and address. Null if there is no such gift. Of two concurrent requests, one
 * redeems the gift and the other gets `closed`. All outcomes except `redeemed` have changed nothing. The write decides,
 * on the primary. A replica's view can only be refused by it, so that a redemption waits for the primary once. `rules`
 * are those of `checkDelivery`.
 */
export async function redeem(
  { d1, near, nowMs, requestId, tracksOpening }: RedeemContext,
  key: LinkedGiftKey,
  input: ChosenInput,
  window: number,
  rules: DeliveryRules,
): Promise<Refusal | { kind: "redeemed"; webhookIds: number[]; gift: PageGift } | null> {
  const viewOptions = { productId: input.productId, window };
  const check = async (db: D1Database) => {
    const view = await findGift(db, key, viewOptions, nowMs);
    return view && checkInput(view, input, rules);
  };
  // Without an address in the form, the gift's own is used, which may have been corrected since the replica's state.
  const nearby = input.values === null ? null : await check(near).catch(() => null);
  const checked = nearby && !mayHaveChanged(nearby, input) ? nearby : await check(d1);
  if (checked?.kind !== "valid") return checked;

  const { choice, variationId, delivery, corrections } = checked;
  const redemption = {
    ...delivery,
    corrections,
    nowMs,
    productId: choice.product.id,
    variationId,
    revision: choice.revision,
    isDigital: choice.product.delivery === "digital",
    tracksOpening,
  };
  // A failed attempt may have been committed. The next attempt has another id. It matches no open gift then, and
  // changes no stock.
  const { view: after, webhookIds } = await retrying((attempt) =>
    writeRedemption(
      d1,
      key,
      { ...redemption, redemptionId: `${requestId}.${String(attempt)}` },
      viewOptions,
    ),
  );
  if (!after) return null;
  const { gift } = after;
  if (gift.redemptionId?.startsWith(requestId)) {
    return { kind: "redeemed", webhookIds, gift };
  }
  if (gift.state !== "open") return { kind: "closed", view: after };
  return { kind: "gone", view: after, choice: choiceOf(after, input.productId) };
}

/** Whether a replica may have an earlier address of the order, or refuse a gift that is redeemable. */
function mayHaveChanged(checked: CheckedInput | Refusal, { values }: ChosenInput): boolean {
  if (checked.kind === "valid")
    return checked.delivery.address !== undefined && values?.address_line_1 === undefined;
  if (checked.kind !== "closed") return checked.kind === "gone";
  return ["unpaid", "expired", "replaced"].includes(checked.view.gift.state);
}

/** Checks whether the gift can be redeemed with this input. `rules` are those of `checkDelivery`. */
export function checkInput(
  view: GiftView,
  input: ChosenInput,
  rules: DeliveryRules,
): CheckedInput | Refusal {
  const chosen = checkChoice(view, input);
  if (chosen.kind === "closed" || chosen.kind === "gone") return chosen;
  const { choice } = chosen;
  const values = valuesIn(input, view.gift);
  const delivery = checkDelivery(values, choice.product, rules);
  const isPrefilled =
    choice.product.delivery === "digital" ||
    (isSentAsOrdered(input, view.gift) && !("problems" in delivery));
  const isUnticked = !input.isTicked && isPrefilled;
  if (chosen.kind === "valid" && !("problems" in delivery) && !isUnticked) {
    return { ...chosen, delivery, corrections: correctionsIn(values) };
  }
  const problems = new Map([
    ...(chosen.kind === "invalid" ? chosen.problems : []),
    ...("problems" in delivery ? delivery.problems : []),
    ...(isUnticked ? ([[TICK, "required"]] as const) : []),
  ]);
  return { kind: "invalid", view, choice, problems };
}

/**
 * Checks whether the recipient may choose this product and variation. Whether a physical gift ships to the country is
 * checked with the address, so that the recipient can correct either of them.
 */
export function checkChoice(view: GiftView, input: ChosenInput): CheckedChoice | Refusal {
  const { productId, variationId: chosenId, choices } = input;
  if (view.gift.state !== "open") return { kind: "closed", view };
  const choice = choiceOf(view, productId);
  if (!choice) return { kind: "gone", view, choice };
  const country = choice.product.delivery === "digital" ? countryIn(input, view.gift) : null;
  const options = optionsOf(view.gift, choice, country);
  const [first] = options;
  if (first === undefined) return { kind: "gone", view, choice };
  const { product } = choice;
  // The page shows no input for a single option, and the offered variation is chosen at first.
  const only = options.length === 1 ? first : null;
  const hasChoices = Object.keys(choices).length > 0;
  const shown = product.id === view.gift.offeredProductId ? view.gift.offeredVariationId : only;
  const variationId = chosenId ?? (hasChoices ? variationWith(product, options, choices) : shown);
  if (variationId === null && product.priceMinor === null && !(hasChoices && only)) {
    const isComplete = product.variations[0]?.options.every(({ id }) => optionField(id) in choices);
    const problem = isComplete ? "unavailable" : "required";
    return { kind: "invalid", view, choice, problems: new Map([["variation_id", problem]]) };
  }
  return options.includes(variationId)
    ? { kind: "valid", choice, variationId }
    : { kind: "gone", view, choice };
}

/** The product that the recipient views. */
export function choiceOf(view: GiftView, productId: number | null): GiftProduct | null {
  return productId === null || productId === view.gift.offeredProductId
    ? view.selected
    : view.viewed;
}
