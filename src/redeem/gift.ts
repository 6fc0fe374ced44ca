// A gift as its recipient meets it: what state it is in, and what may be chosen. Pure.
import { inStock, isAvailableIn, type Product, type StockLevel } from "../catalogue/product.ts";
import type { Address, Branding } from "../db/schema.ts";
import type { Order, SubOrder } from "../orders/order.ts";

/** One sub-order and what its order says of it. */
export interface Gift {
  /** The name of the company that sends it. */
  sender: string;
  /** Null: the platform's. */
  branding: Branding | null;
  firstName: string;
  message: string | null;
  orderStatus: Order["status"];
  giftOfChoice: Order["giftOfChoice"];
  redemptionStatus: SubOrder["redemptionStatus"];
  redemptionId: string | null;
  deliveryAddress: Address | null;
  deliveryNotes: string | null;
  currency: string;
  baseLocation: string;
  /** What was paid for this recipient without the fee: one product and its shipping. */
  budgetMinor: number;
  offeredProductId: number;
  offeredVariationId: number | null;
  selectedVariationId: number | null;
}

/** A revision of a product, with the stock there is now. */
export interface GiftProduct {
  product: Product;
  stock: StockLevel[];
  revision: string;
  /** Whether this is the revision that the sender's catalogue shows now. */
  current: boolean;
}

export type GiftState = "open" | "redeemed" | "cancelled" | "unpaid" | "failed";

/** What was redeemed has gone out and stays so, whatever becomes of the order. */
export function stateOf({
  orderStatus,
  redemptionStatus,
}: Pick<Gift, "orderStatus" | "redemptionStatus">): GiftState {
  if (redemptionStatus === "redeemed") return "redeemed";
  if (orderStatus === "failed") return "failed";
  if (orderStatus === "cancieled" || redemptionStatus === "cancelled") return "cancelled";
  return orderStatus === "created" ? "unpaid" : "open";
}

/**
 * The variations of a product that the recipient may have, null standing for a simple product as it is; empty
 * when the product is not for this recipient. The offered one is theirs already: it needs no stock and no
 * budget. All others are for a gift of choice only, and have to be had now for what was paid
 * (decision 37).
 */
export function optionsOf(gift: Gift, choice: GiftProduct): (number | null)[] {
  const { product, stock } = choice;
  const isOffered = product.id === gift.offeredProductId;
  const mayChoose =
    gift.giftOfChoice === "Y" &&
    choice.current &&
    product.currency === gift.currency &&
    isAvailableIn(product, gift.baseLocation);
  const canBeHad = (variationId: number | null, priceMinor: number) =>
    priceMinor + product.shippingMinor <= gift.budgetMinor &&
    stock.some((level) => level.variationId === (variationId ?? 0) && inStock(level));

  const all: { id: number | null; priceMinor: number }[] =
    product.priceMinor === null
      ? product.variations
      : [{ id: null, priceMinor: product.priceMinor }];
  return all
    .filter(
      ({ id, priceMinor }) =>
        (isOffered && id === gift.offeredVariationId) || (mayChoose && canBeHad(id, priceMinor)),
    )
    .map(({ id }) => id);
}
