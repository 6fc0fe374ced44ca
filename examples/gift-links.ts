// Reads a product, places a gift-link order for it, retries safely, and reads the order back.
import createClient from "openapi-fetch";
import type { components, paths } from "./regalo.d.ts";

/** The product is fixed and not chosen from the catalogue, because a retry must send the same request. */
const GIFT = { product_id: 1007, currency: "AUD", base_location: "AU" };

export interface Account {
  url: string;
  clientId: string;
  apiKey: string;
  apiPassword: string;
  fetch?: typeof fetch;
}

export function connect({ url, clientId, apiKey, apiPassword, ...rest }: Account) {
  const regalo = createClient<paths>({
    baseUrl: url,
    headers: { "CLIENT-ID": clientId, "API-KEY": apiKey, "API-PASSWORD": apiPassword },
    fetch: rest.fetch ?? fetch,
  });
  // With the newest bookmark, the nearest replica answers, and is never older than an earlier response.
  let newest = "";
  regalo.use({
    onRequest: ({ request }) => {
      if (newest) request.headers.set("Regalo-Bookmark", newest);
    },
    onResponse: ({ request, response }) => {
      const bookmark = response.headers.get("Regalo-Bookmark") ?? "";
      const sent = request.headers.get("Regalo-Bookmark") ?? "";
      // It is lower than the one that was sent only if the database was replaced.
      if (bookmark > newest || (bookmark !== "" && bookmark < sent)) newest = bookmark;
    },
  });
  return regalo;
}

export interface Settings extends Account {
  /** Your own reference for the order. Running the program again with it places no second order. */
  orderRefId: string;
}

export async function sendGifts({ orderRefId, ...account }: Settings) {
  const regalo = connect(account);

  const product = await regalo.GET("/api/product", {
    params: { query: { product_id: GIFT.product_id } },
  });
  if (product.error) throw new Error(`${product.error.code}: ${product.error.message}`);

  const body: components["schemas"]["GiftLinkRequest"] = {
    ...GIFT,
    order_ref_id: orderRefId,
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

/** Retries are safe: the same request places no second order, even if the first response was lost. */
async function retry<Result extends { response: Response }>(
  send: () => Promise<Result>,
  attempts = 4,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const result = await send().catch((lost: unknown) => {
      if (attempt === attempts) throw lost;
    });
    const status = result?.response.status ?? 0;
    if (result && ((status < 500 && status !== 429) || attempt === attempts)) return result;
    const seconds = Number(result?.response.headers.get("Retry-After") ?? 2 ** attempt / 4);
    await new Promise((resume) => setTimeout(resume, seconds * 1_000));
  }
}
