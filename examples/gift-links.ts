// Reads a product, places a gift-link order for it, and reads the order back.
import { type Account, createClient } from "../packages/client/src/index.ts";

/** The product is fixed and not chosen from the catalogue, because a repetition must send the same request. */
const GIFT = { product_id: 1007, currency: "AUD", base_location: "AU" };

export interface Settings extends Account {
  /** Your own reference for the order. Running the program again with it places no second order. */
  orderRefId: string;
}

export async function sendGifts({ orderRefId, ...account }: Settings) {
  const regalo = createClient(account);
  const product = await regalo.get("/api/product", { product_id: GIFT.product_id });
  // If the response is lost, the client sends the same request again, which places no second order.
  const placed = await regalo.post("/api/gift-link", {
    ...GIFT,
    order_ref_id: orderRefId,
    recipient_details: [
      { first_name: "Marisol", last_name: "Quintana", email: "marisol.quintana@example.com" },
    ],
  });
  const order = await regalo.get("/api/order", { order_id: placed.order_data.order_id });
  return { product, placed, order };
}
