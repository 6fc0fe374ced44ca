// Redeeming a gift: the one thing the recipient's page changes, and it changes it once.
import { retrying } from "../db/faults.ts";
import { checkDelivery, type Problems, type RedemptionForm } from "./form.ts";
import { type GiftProduct, optionsOf, stateOf } from "./gift.ts";
import {
  type GiftView,
  type ViewOptions,
  readGift,
  type SubOrderKey,
  writeRedemption,
} from "./store.ts";

export interface RedeemContext {
  d1: D1Database;
  nowMs: number;
  requestId: string;
}

export type RedeemOutcome =
  | { kind: "redeemed" }
  /** There is nothing to redeem any more, or not yet: the gift's state says why. */
  | { kind: "closed"; view: GiftView }
  | { kind: "invalid"; view: GiftView; choice: GiftProduct; problems: Problems }
  /** The choice cannot be had, perhaps since a moment ago. */
  | { kind: "gone"; view: GiftView; choice: GiftProduct | null };

/**
 * Redeems the gift as the form says. Of two at once one wins, the other finds the gift closed; whatever is
 * refused has changed nothing. Null: there is no such gift. At most two round trips.
 */
export async function redeem(
  { d1, nowMs, requestId }: RedeemContext,
  key: SubOrderKey,
  form: RedemptionForm,
  shelf: NonNullable<ViewOptions["shelf"]>,
): Promise<RedeemOutcome | null> {
  const look = { productId: form.productId, shelf };
  const view = await readGift(d1, key, look);
  if (!view) return null;
  if (stateOf(view.gift) !== "open") return { kind: "closed", view };

  const choice = choiceOf(view, form.productId);
  if (!choice) return { kind: "gone", view, choice };
  const options = optionsOf(view.gift, choice);
  const [first, ...others] = options;
  if (first === undefined) return { kind: "gone", view, choice };
  // Where there is one option only, the page has nothing to ask.
  const variationId = form.variationId ?? (others.length === 0 ? first : null);
  const isChosen = choice.product.priceMinor !== null || variationId !== null;
  if (isChosen && !options.includes(variationId)) return { kind: "gone", view, choice };

  const problems = new Map(isChosen ? [] : [["variation_id", "required"] as const]);
  const checked =
    choice.product.delivery === "physical"
      ? checkDelivery(form.values, choice.product)
      : { address: undefined, notes: undefined };
  if ("problems" in checked || problems.size > 0) {
    const all = new Map([...problems, ...("problems" in checked ? checked.problems : [])]);
    return { kind: "invalid", view, choice, problems: all };
  }

  const redemption = {
    ...checked,
    nowMs,
    productId: choice.product.id,
    variationId,
    revision: choice.revision,
  };
  // A try whose answer was lost may have been committed. The next one has another id, so it finds the gift
  // redeemed, and moves no stock.
  const after = await retrying((attempt) =>
    writeRedemption(
      d1,
      key,
      { ...redemption, redemptionId: `${requestId}.${String(attempt)}` },
      look,
    ),
  );
  if (!after) return null;
  if (after.gift.redemptionId?.startsWith(requestId)) return { kind: "redeemed" };
  if (stateOf(after.gift) !== "open") return { kind: "closed", view: after };
  return { kind: "gone", view: after, choice: choiceOf(after, form.productId) };
}

/** The product the recipient looks at: the offered one unless it is another. */
export function choiceOf(view: GiftView, productId: number | null): GiftProduct | null {
  return productId === null || productId === view.gift.offeredProductId
    ? view.selected
    : view.lookedAt;
}
