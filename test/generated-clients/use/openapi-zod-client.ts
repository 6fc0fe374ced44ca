import { createApiClient } from "../generated/openapi-zod-client.ts";
import { GIFT, type Given, type Seen } from "./use.ts";

/** This client checks every answer against the document. */
export async function use({ url, headers, orderRefId }: Given): Promise<Seen> {
  const regalo = createApiClient(url, { axiosConfig: { headers } });
  const list = await regalo.get("/api/products", {
    queries: { limit: 1, product_type: "physical" },
  });
  const product = await regalo.get("/api/product", {
    queries: { product_id: GIFT.product_id },
  });
  if (product.product_type !== "simple") throw new Error("not a simple product");
  const placed = await regalo.post("/api/gift-link", {
    ...GIFT,
    order_ref_id: orderRefId,
    gift_of_choice: "Y",
  });
  const order = await regalo.get("/api/order", {
    queries: { order_id: placed.order_data.order_id },
  });
  const balance = await regalo.get("/api/credit-balance");
  return {
    firstProductId: list.products[0]?.product_id,
    price: product.price,
    giftUrl: placed.recipient_return[0]?.gift_url,
    giftUrlReadBack: order.recipients[0]?.recipient_details.gift_url,
    currency: balance.currency,
  };
}
