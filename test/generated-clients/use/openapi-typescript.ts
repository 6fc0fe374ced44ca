import createClient from "openapi-fetch";
import type { paths } from "../generated/openapi-typescript.ts";
import { GIFT, type Given, type Seen } from "./use.ts";

export async function use({ url, headers, orderRefId }: Given): Promise<Seen> {
  const regalo = createClient<paths>({ baseUrl: url, headers });
  const list = await regalo.GET("/api/products", {
    params: { query: { limit: 1, product_type: "physical" } },
  });
  if (list.error) throw new Error(list.error.code);
  const product = await regalo.GET("/api/product", {
    params: { query: { product_id: GIFT.product_id } },
  });
  if (product.error) throw new Error(product.error.code);
  if (product.data.product_type !== "simple") throw new Error("not a simple product");
  const placed = await regalo.POST("/api/gift-link", {
    body: { ...GIFT, order_ref_id: orderRefId, gift_of_choice: "Y" },
  });
  if (placed.error) throw new Error(placed.error.code);
  const order = await regalo.GET("/api/order", {
    params: { query: { order_id: placed.data.order_data.order_id } },
  });
  if (order.error) throw new Error(order.error.code);
  const balance = await regalo.GET("/api/credit-balance");
  if (balance.error) throw new Error(balance.error.code);
  return {
    firstProductId: list.data.products[0]?.product_id,
    price: product.data.price,
    giftUrl: placed.data.recipient_return[0]?.gift_url,
    giftUrlReadBack: order.data.recipients[0]?.recipient_details.gift_url,
    currency: balance.data.currency,
  };
}
