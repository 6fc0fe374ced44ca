import { createApiClient as createCatalogue } from "../generated/openapi-zod-client/Catalogue.ts";
import { createApiClient as createCredit } from "../generated/openapi-zod-client/Credit.ts";
import { createApiClient as createOrders } from "../generated/openapi-zod-client/Orders.ts";
import { GIFT, type Given, type Seen } from "./use.ts";

/**
 * This client checks every answer against the document. It has a file for each tag, because the type of one client with
 * all operations is too deep for TypeScript.
 */
export async function use({ url, headers, orderRefId }: Given): Promise<Seen> {
  const options = { axiosConfig: { headers } };
  const catalogue = createCatalogue(url, options);
  const orders = createOrders(url, options);
  const credit = createCredit(url, options);
  const list = await catalogue.get("/api/products", {
    queries: { limit: 1, product_type: "physical" },
  });
  const product = await catalogue.get("/api/product", {
    queries: { product_id: GIFT.product_id },
  });
  if (product.product_type !== "simple") throw new Error("not a simple product");
  const placed = await orders.post("/api/gift-link", {
    ...GIFT,
    order_ref_id: orderRefId,
    gift_of_choice: "Y",
  });
  const order = await orders.get("/api/order", {
    queries: { order_id: placed.order_data.order_id },
  });
  const balance = await credit.get("/api/credit-balance");
  return {
    firstProductId: list.products[0]?.product_id,
    price: product.price,
    giftUrl: placed.recipient_return[0]?.gift_url,
    giftUrlReadBack: order.recipients[0]?.recipient_details.gift_url,
    currency: balance.currency,
  };
}
