import {
  getCreditBalance,
  getOrder,
  getProduct,
  listProducts,
  placeGiftLinks,
} from "../generated/orval.ts";
import { GIFT, type Given, type Seen } from "./use.ts";

export async function use({ headers, orderRefId }: Given): Promise<Seen> {
  const list = await listProducts({ limit: 1, product_type: "physical" }, { headers });
  if (list.status !== 200) throw new Error(String(list.status));
  const product = await getProduct({ product_id: GIFT.product_id }, { headers });
  if (product.status !== 200) throw new Error(product.data.code);
  if (product.data.product_type !== "simple") throw new Error("not a simple product");
  const body = { ...GIFT, order_ref_id: orderRefId, gift_of_choice: "Y" as const };
  const placed = await placeGiftLinks(body, { headers });
  if (placed.status !== 200) throw new Error(placed.data.code);
  const order = await getOrder({ order_id: placed.data.order_data.order_id }, { headers });
  if (order.status !== 200) throw new Error(order.data.code);
  const balance = await getCreditBalance({}, { headers });
  if (balance.status !== 200) throw new Error(balance.data.code);
  return {
    firstProductId: list.data.products[0]?.product_id,
    price: product.data.price,
    giftUrl: placed.data.recipient_return[0]?.gift_url,
    giftUrlReadBack: order.data.recipients[0]?.recipient_details.gift_url,
    currency: balance.data.currency,
  };
}
