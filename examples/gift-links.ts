// Reads a product, places a gift-link order for it, retries safely, and reads the order back.
import createClient from "openapi-fetch";
import type { components, paths } from "./regalo.d.ts";

/**
 * What is ordered. It is fixed here and not picked from the catalogue, because a repetition must send the same
 * request, whatever is in stock by then.
 */
const GIFT = { product_id: 1007, currency: "AUD", base_location: "AU" };

export interface Settings {
  url: string;
  clientId: string;
  apiKey: string;
  apiPassword: string;
  /** Your own name for the order: one reference is one order, however often the program runs. */
  orderRefId: string;
  fetch?: typeof fetch;
}

export async function sendGifts({ url, clientId, apiKey, apiPassword, ...rest }: Settings) {
  const regalo = createClient<paths>({
    baseUrl: url,
    headers: { "CLIENT-ID": clientId, "API-KEY": apiKey, "API-PASSWORD": apiPassword },
    fetch: rest.fetch ?? fetch,
  });

  const product = await regalo.GET("/api/product", {
    params: { query: { product_id: GIFT.product_id } },
  });
  if (product.error) throw new Error(`${product.error.code}: ${product.error.message}`);

  const body: components["schemas"]["GiftLinkRequest"] = {
    ...GIFT,
    order_ref_id: rest.orderRefId,
    recipient_details: [
      { first_name: "Marisol", last_name: "Quintana", email: "marisol.quintana@example.com" },
    ],
  };
  const placed = await retry(() => regalo.POST("/api/gift-link", { body }));
  if (placed.error) throw new Error(`${placed.error.code}: ${placed.error.message}`);

  const { order_id } = placed.data.order_data;
  const order = await regalo.GET("/api/order", { params: { query: { order_id } } });
  if (order.error) throw new Error(`${order.error.code}: ${order.error.message}`);
  return { product: product.data, placed: placed.data, order: order.data };
}

/** Placing is safe to repeat: the same request gives the same order, even if an answer was lost. */
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
