// `npm run example:sync`: runs the synchronisation once, with settings from environment variables.
import { DatabaseSync } from "node:sqlite";
import { syncOrders } from "./sync-orders.ts";

const { REGALO_URL, CLIENT_ID, API_KEY, API_PASSWORD, PAGE_LIMIT } = process.env;
const database = new DatabaseSync(process.argv[2] ?? "orders.db");
await syncOrders({
  url: REGALO_URL ?? "http://localhost:8787",
  clientId: CLIENT_ID ?? "demo",
  apiKey: API_KEY ?? "demo-key",
  apiPassword: API_PASSWORD ?? "demo-password",
  database,
  limit: Number(PAGE_LIMIT ?? 500),
  onSaved: (position) => {
    console.log(`saved all events up to ${String(position)}`);
  },
});
const { orders } = database.prepare("SELECT count(*) AS orders FROM orders").get() as {
  orders: number;
};
console.log(`${String(orders)} orders`);
