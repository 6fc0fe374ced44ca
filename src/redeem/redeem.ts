// Redeeming a gift.
import { retrying } from "../db/faults.ts";
import { checkDelivery, type Problems, type RedemptionForm } from "./form.ts";
import { type GiftProduct, optionsOf } from "./gift.ts";
import {
  type GiftView,
  type ViewOptions,
  readGift,
  type SubOrderKey,
  writeRedemption,
} from "./queries.ts";

export interface RedeemContext {
  d1: D1Database;
  nowMs: number;
  requestId: string;
}

export type RedeemOutcome =
  | { kind: "redeemed"; webhookIds: number[] }
  /** The gift's state does not allow a redemption. */
  | { kind: "closed"; view: GiftView }
  | { kind: "invalid"; view: GiftView; choice: GiftProduct; problems: Problems }
  /** The choice is not available. */
  | { kind: "gone"; view: GiftView; choice: GiftProduct | null };

/**
 * Redeems the gift with the form's choice and address. Null if there is no such gift. Of two concurrent requests, one
 * redeems the gift and the other gets `closed`. All outcomes except `redeemed` have changed nothing. At most two round
 * trips.
 */
export async function redeem(
  { d1, nowMs, requestId }: RedeemContext,
  key: SubOrderKey,
  form: RedemptionForm,
  others: NonNullable<ViewOptions["others"]>,
): Promise<RedeemOutcome | null> {
  const viewOptions = { productId: form.productId, others };
  const view = await readGift(d1, key, viewOptions, nowMs);
  if (!view) return null;
  if (view.gift.state !== "open") return { kind: "closed", view };

  const choice = choiceOf(view, form.productId);
  if (!choice) return { kind: "gone", view, choice };
  const options = optionsOf(view.gift, choice);
  const [first] = options;
  if (first === undefined) return { kind: "gone", view, choice };
  // The page shows no input for a single option.
  const variationId = form.variationId ?? (options.length === 1 ? first : null);
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
  if (after.gift.redemptionId?.startsWith(requestId)) return { kind: "redeemed", webhookIds };
  if (after.gift.state !== "open") return { kind: "closed", view: after };
  return { kind: "gone", view: after, choice: choiceOf(after, form.productId) };
}

/** The product that the recipient views. */
export function choiceOf(view: GiftView, productId: number | null): GiftProduct | null {
  return productId === null || productId === view.gift.offeredProductId
    ? view.selected
    : view.viewed;
}
