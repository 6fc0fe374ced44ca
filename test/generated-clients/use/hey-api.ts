import { getOrder, getProduct, listProducts, placeGiftLinks } from "../generated/hey-api";
import { client } from "../generated/hey-api/client.gen";

export async function use(url: string, headers: Record<string, string>) {
  // The client asks for the value of each security scheme.
  client.setConfig({ baseUrl: url, auth: ({ name }) => headers[name ?? ""], throwOnError: true });
  const list = await listProducts({ query: { limit: 1 }, throwOnError: true });
  const product = await getProduct({ query: { product_id: 1007 }, throwOnError: true });
  // Only a simple product has a price.
  if (product.data.product_type !== "simple") throw new Error(product.data.product_name);
  product.data.price.toUpperCase();
  const body = {
    order_ref_id: "hey-api",
    product_id: 1007,
    currency: "AUD",
    base_location: "AU",
    recipient_details: [{ first_name: "Ada", last_name: "Park", email: "ada@example.com" }],
    gift_of_choice: "Y" as const,
  };
  const placed = await placeGiftLinks({ body, throwOnError: true });
  const query = { order_id: placed.data.order_data.order_id };
  const order = await getOrder({ query, throwOnError: true });
  return {
    firstProductId: list.data.products[0]?.product_id,
    giftUrl: placed.data.recipient_return[0]?.gift_url,
    giftUrlReadBack: order.data.recipients[0]?.recipient_details.gift_url,
  };
}
