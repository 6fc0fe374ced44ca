import {
  getCreditBalance,
  getOrder,
  getProduct,
  listProducts,
  placeGiftLinks,
} from "../generated/hey-api";
import { client } from "../generated/hey-api/client.gen";
import { GIFT, type Given, type Seen } from "./use.ts";

export async function use({ url, headers, orderRefId }: Given): Promise<Seen> {
  client.setConfig({
    baseUrl: url,
    // The client asks for the value of each security scheme.
    auth: ({ name }) => headers[name as keyof typeof headers],
    throwOnError: true,
  });
  const list = await listProducts({
    query: { limit: 1, product_type: "physical" },
    throwOnError: true,
  });
  const product = await getProduct({
    query: { product_id: GIFT.product_id },
    throwOnError: true,
  });
  if (product.data.product_type !== "simple") throw new Error("not a simple product");
  const placed = await placeGiftLinks({
    body: { ...GIFT, order_ref_id: orderRefId, gift_of_choice: "Y" },
    throwOnError: true,
  });
  const order = await getOrder({
    query: { order_id: placed.data.order_data.order_id },
    throwOnError: true,
  });
  const balance = await getCreditBalance({ throwOnError: true });
  return {
    firstProductId: list.data.products[0]?.product_id,
    price: product.data.price,
    giftUrl: placed.data.recipient_return[0]?.gift_url,
    giftUrlReadBack: order.data.recipients[0]?.recipient_details.gift_url,
    currency: balance.data.currency,
  };
}
