// Lists products, places a gift-link order, retries it safely, and reads it back.
import createClient from "openapi-fetch";
import type { components, paths } from "./regalo.d.ts";

export interface Settings {
  url: string;
  clientId: string;
  apiKey: string;
  apiPassword: string;
  /** Yours: the same reference is the same order, however often the program runs. */
  orderRefId: string;
  fetch?: typeof fetch;
}

export async function sendGifts({ url, clientId, apiKey, apiPassword, ...rest }: Settings) {
  const regalo = createClient<paths>({
    baseUrl: url,
    headers: { "CLIENT-ID": clientId, "API-KEY": apiKey, "API-PASSWORD": apiPassword },
    fetch: rest.fetch ?? fetch,
  });

  const list = await regalo.GET("/api/products", { params: { query: { limit: 50 } } });
  if (list.error) throw new Error(`${list.error.code}: ${list.error.message}`);
  const product = list.data.products.find((product) => product.stock_status === "in_stock");
  if (product?.product_type !== "simple") throw new Error("no simple product is in stock");

  const body: components["schemas"]["GiftLinkRequest"] = {
    order_ref_id: rest.orderRefId,
    product_id: product.product_id,
    currency: product.price_currency,
    base_location: product.available_location[0] ?? "AU",
    recipient_details: [
      { first_name: "Marisol", last_name: "Quintana", email: "marisol.quintana@example.com" },
    ],
  };
  const placed = await retry(() => regalo.POST("/api/gift-link", { body }));
  if (placed.error) throw new Error(`${placed.error.code}: ${placed.error.message}`);

  const { order_id } = placed.data.order_data;
  const order = await regalo.GET("/api/order", { params: { query: { order_id } } });
  if (order.error) throw new Error(`${order.error.code}: ${order.error.message}`);
  return { placed: placed.data, order: order.data };
}

/** Placing is safe to repeat: whatever was lost on the way, the same request gives the same order. */
async function retry<Answer extends { response: Response }>(
  send: () => Promise<Answer>,
  attempts = 4,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send().catch((lost: unknown) => {
      if (attempt === attempts) throw lost;
    });
    const status = answer?.response.status ?? 0;
    if (answer && ((status < 500 && status !== 429) || attempt === attempts)) return answer;
    const seconds = Number(answer?.response.headers.get("Retry-After") ?? 2 ** attempt / 4);
    await new Promise((resume) => setTimeout(resume, seconds * 1_000));
  }
}
