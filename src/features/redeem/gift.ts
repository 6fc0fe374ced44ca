// A gift, and the products that its recipient may choose.
import { inStock, isAvailableIn, type Product, type StockLevel } from "../catalogue/product.ts";
import type { Address, Branding, shipments } from "../../platform/db/schema.ts";
import type { Tracking } from "../fulfilment/shipment.ts";
import type { GiftState } from "../lifecycle/gift-state.ts";
import type { Order } from "../orders/order.ts";

/** A sub-order, with fields of its order, its client and its shipment. */
export interface Gift extends Tracking {
  /** The name of the company that sends the gift. */
  company: string;
  /** The name of the person who sends the gift. Null for the company alone. */
  senderName: string | null;
  /** The client's address for help. Null for the deployment's. */
  supportEmail: string | null;
  /** The company's branding, or the platform's. */
  branding: Branding;
  firstName: string;
  lastName: string;
  /** The address in the order. */
  email: string;
  /** The address that the recipient entered for a digital gift. Null for `email`. */
  deliveryEmail: string | null;
  /** The recipient's language in the order: a BCP 47 tag, or null. */
  language: string | null;
  /** The language of the catalogue's texts: a BCP 47 tag, or null if it is unknown. */
  catalogueLanguage: string | null;
  message: string | null;
  /** The recipient's note to the sender. Null if there is none. */
  thankYou: string | null;
  state: GiftState;
  giftOfChoice: Order["giftOfChoice"];
  redemptionId: string | null;
  deliveryAddress: Address | null;
  deliveryNotes: string | null;
  currency: string;
  baseLocation: string;
  /** The price and shipping cost that were paid for this recipient, without the fee. */
  budgetMinor: number;
  offeredProductId: number;
  offeredVariationId: number | null;
  selectedVariationId: number | null;
  /** Null if the gift does not expire. */
  expiresAtMs: number | null;
  /** Null or `open` if nothing was shipped or sent. The times are then null. */
  shipmentStatus: (typeof shipments.$inferSelect)["status"] | null;
  shippedAtMs: number | null;
  deliveredAtMs: number | null;
}

/** A revision of a product, with its current stock. */
export interface GiftProduct {
  product: Product;
  stock: StockLevel[];
  revision: string;
  /** Whether the sender's catalogue contains this revision at present. */
  current: boolean;
}

/**
 * The variations of a product that the recipient may choose, or [null] for a simple product. Empty if the product is
 * not available to this recipient. The offered product is always available, because it is paid and its stock is
 * reserved. Other products require a gift of choice, stock, and a price within the budget (DECISIONS.md: Other gifts
 * cost at most what was paid).
 */
export function optionsOf(gift: Gift, choice: GiftProduct): (number | null)[] {
  const { product, stock } = choice;
  const isOffered = product.id === gift.offeredProductId;
  const mayChoose =
    gift.giftOfChoice === "Y" &&
    choice.current &&
    product.currency === gift.currency &&
    isAvailableIn(product, gift.baseLocation);
  const isAvailable = (variationId: number | null, priceMinor: number) =>
    priceMinor + product.shippingMinor <= gift.budgetMinor &&
    stock.some((level) => level.variationId === (variationId ?? 0) && inStock(level));

  const all: { id: number | null; priceMinor: number }[] =
    product.priceMinor === null
      ? product.variations
      : [{ id: null, priceMinor: product.priceMinor }];
  return all
    .filter(
      ({ id, priceMinor }) =>
        (isOffered && id === gift.offeredVariationId) || (mayChoose && isAvailable(id, priceMinor)),
    )
    .map(({ id }) => id);
}
