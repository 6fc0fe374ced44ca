// The answer to POST /api/gift-link. The Worker imports its types only.
import * as z from "zod";
import { PlacedOrder } from "../orders/answer.ts";

export const GiftLink = z.object({
  suborder_id: z.int().min(1),
  suborder_number: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  gift_url: z.url(),
});
export type GiftLink = z.infer<typeof GiftLink>;

export const PlacedGiftLinks = PlacedOrder.extend({ recipient_return: z.array(GiftLink).min(1) });
export type PlacedGiftLinks = z.infer<typeof PlacedGiftLinks>;
