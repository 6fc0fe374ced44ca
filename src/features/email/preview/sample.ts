// A gift that does not exist, for previews of a branding.
import sample from "../../../../seed/sample-gift.json" with { type: "json" };
import { fromBase64 } from "../../../core/values/base64.ts";
import type { Product } from "../../catalogue/product.ts";
import { type GiftView, PAGE_GIFT_COLUMNS, type PageGift } from "../../pages/gift.ts";
import { MESSAGE_COLUMNS, type MessageGift } from "../email.ts";

export type SampleGift = PageGift & MessageGift;

const NOTHING = Object.fromEntries(
  Object.keys({ ...PAGE_GIFT_COLUMNS, ...MESSAGE_COLUMNS }).map((name) => [name, null]),
);

/** The gift of the company and with the branding that a preview shows. */
export function sampleGift(shown: string) {
  const bytes = fromBase64(shown.replaceAll("-", "+").replaceAll("_", "/"));
  const sender = JSON.parse(new TextDecoder().decode(bytes)) as object;
  return { ...NOTHING, ...sample.gift, ...sender } as unknown as SampleGift;
}

export const sampleView = (gift: SampleGift): GiftView => ({
  gift: { ...gift, branding: { ...gift.branding, company: gift.company } },
  canReinstate: false,
  selected: { product: sample.product as Product, stock: [], revision: "", current: true },
  viewed: null,
  others: [],
});
