import { getOrder, getProduct, listProducts, placeGiftLinks } from "../generated/orval.ts";

export async function use(url: string, headers: Record<string, string>) {
  // The generated functions call the paths of the API only.
  const { fetch } = globalThis;
  globalThis.fetch = (path, init) => fetch(url + String(path), init);
  const list = await listProducts({ limit: 1 }, { headers });
  if (list.status !== 200) throw new Error(String(list.status));
  const product = await getProduct({ product_id: 1007 }, { headers });
  if (product.status !== 200) throw new Error(product.data.code);
  // Only a simple product has a price.
  if (product.data.product_type !== "simple") throw new Error(product.data.product_name);
  product.data.price.toUpperCase();
  const body = {
    order_ref_id: "orval",
    product_id: 1007,
    currency: "AUD",
    base_location: "AU",
    recipient_details: [{ first_name: "Ada", last_name: "Park", email: "ada@example.com" }],
    gift_of_choice: "Y" as const,
  };
  const placed = await placeGiftLinks(body, { headers });
  if (placed.status !== 200) throw new Error(placed.data.code);
  const order = await getOrder({ order_id: placed.data.order_data.order_id }, { headers });
  if (order.status !== 200) throw new Error(order.data.code);
  return {
    firstProductId: list.data.products[0]?.product_id,
    giftUrl: placed.data.recipient_return[0]?.gift_url,
    giftUrlReadBack: order.data.recipients[0]?.recipient_details.gift_url,
  };
}
