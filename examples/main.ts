// `npm run example`: runs the example with settings from environment variables.
import { sendGifts } from "./gift-links.ts";

const { REGALO_URL, CLIENT_ID, API_KEY, API_PASSWORD } = process.env;
const { product, placed, order } = await sendGifts({
  url: REGALO_URL ?? "http://localhost:8787",
  clientId: CLIENT_ID ?? "demo",
  apiKey: API_KEY ?? "demo-key",
  apiPassword: API_PASSWORD ?? "demo-password",
  orderRefId: process.argv[2] ?? "example-1",
});
const { order_number, order_status, order_totals } = order;
console.log(
  `${order_number} (${product.product_name}) is ${order_status}: ${order_totals.order_total}`,
);
for (const { email, gift_url } of placed.recipient_return) console.log(`${email} → ${gift_url}`);
