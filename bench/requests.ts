// The requests that `cost`, `world` and `scale` count, with the meters of workers/metered.ts.
import type { Meter } from "../test/support/counting.ts";
import {
  ADDRESS,
  fillClient,
  fillOrders,
  fillProducts,
  placement,
  post,
  productId,
} from "./fill.ts";
import type { Call } from "./load.ts";
import type { Rig, RigWorker } from "./rig.ts";

export const WORKERS: RigWorker[] = [
  { name: "metered", source: "bench/workers/metered.ts", state: "bench" },
  { name: "regalo", source: "bench/workers/regalo.ts", state: "bench" },
];

/**
 * `primary` is D1's primary, `nearest` the nearest replica, which is recent enough. `KV hit` was in the location's
 * cache of KV, and `KV miss` was not.
 */
export type Store = "primary" | "nearest" | "KV hit" | "KV miss";

export interface Taken extends Meter {
  /** The calls that the response waited for, one after the other. */
  calls: Store[];
}

/** The reference of the order that is placed again, and read. */
export const REPEATED = "z";

/** Where the client's record and the data are: in the isolate's memory, in KV only, or in neither. */
export type CacheState = "warm" | "in KV" | "cold";

/** Sends a request to the metered Worker. Throws unless the response is 200, or the redirect of a form. */
export async function meter(url: string, call: Call, state: CacheState): Promise<Taken> {
  if (state !== "warm") await fetch(`${url}/forget${state === "cold" ? "?kv" : ""}`);
  const { method = "GET", path, headers = {}, body = null } = call;
  const response = await fetch(url + path, { method, headers, body, redirect: "manual" });
  const text = await response.text();
  if (response.status !== 200 && response.status !== 303) {
    throw new Error(`${method} ${path}: ${String(response.status)} ${text}`);
  }
  return JSON.parse(response.headers.get("Bench-Meter") ?? "") as Taken;
}

export interface BenchRequest {
  name: string;
  next: () => Call | Promise<Call>;
}

/** Fills the database and returns the client's credentials. */
export async function prepare(rig: Rig, products: number, orders: number) {
  const d1 = await rig.d1("metered");
  const url = await rig.url("metered");
  await fillProducts(d1, products);
  const headers = await fillClient(d1, "regalo");
  await fillOrders(await rig.url("regalo"), headers, [1, orders]);
  return { d1, url, headers };
}

/** Requests of the client to the Worker at `url`. */
export async function requestsOf(
  url: string,
  headers: Record<string, string>,
): Promise<BenchRequest[]> {
  const get = (path: string): Call => ({ path, headers });
  const gzip = { ...headers, "Accept-Encoding": "gzip" };
  const place = (path: string, recipients: number, reference?: string) =>
    post(headers, path, placement(recipients, reference));
  const send = ({ path, headers: sent = {}, body }: Call) =>
    fetch(url + path, { method: "POST", headers: sent, body: body ?? null });
  const placeGift = async () => {
    const placed = await (
      await send(place("/api/gift-link", 1))
    ).json<{
      order_data: { order_id: number };
      recipient_return: [{ gift_url: string; suborder_id: number }];
    }>();
    const [{ gift_url, suborder_id }] = placed.recipient_return;
    const { pathname } = new URL(gift_url);
    return { orderId: placed.order_data.order_id, giftId: suborder_id, path: pathname };
  };
  // A lookup also reads the next row of the index. The second order provides that row.
  for (const reference of [REPEATED, "zz"]) await send(place("/api/order", 2, reference));
  const opened = await placeGift();
  const quote = { ...placement(1), recipient_details: undefined, qty: 2 };
  const accept = { ...ADDRESS, confirmed: "yes", step: "accept" };
  const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
  const requests: Record<string, () => Call | Promise<Call>> = {
    "GET /api/products (200)": () => ({ path: "/api/products", headers: gzip }),
    "GET /api/product": () => get(`/api/product?product_id=${String(productId(0))}`),
    "POST /api/order, 2 recipients": () => place("/api/order", 2),
    "POST /api/gift-link, 2 recipients": () => place("/api/gift-link", 2),
    "POST /api/gift-link, 100 recipients": () => place("/api/gift-link", 100),
    "POST /api/order, repeated": () => place("/api/order", 2, REPEATED),
    "POST /api/quote": () => post(headers, "/api/quote", quote),
    "POST /api/order/cancel": async () =>
      post(headers, "/api/order/cancel", { order_id: (await placeGift()).orderId }),
    "POST /api/gift-link/renew": async () =>
      post(headers, "/api/gift-link/renew", { suborder_id: (await placeGift()).giftId }),
    "GET /api/order": () => get(`/api/order?order_ref_id=${REPEATED}`),
    "GET /api/orders (100)": () => get("/api/orders"),
    "GET /api/events (100)": () => get("/api/events"),
    "GET /api/shipments": () => get(`/api/shipments?order_id=${String(opened.orderId)}`),
    "GET /api/webhooks": () => get("/api/webhooks"),
    "GET /api/credit-balance": () => get("/api/credit-balance"),
    "gift page, opened": () => ({ path: opened.path }),
    "gift page, accepted": async () => ({
      method: "POST",
      path: (await placeGift()).path,
      headers: FORM,
      body: new URLSearchParams(accept).toString(),
    }),
  };
  return Object.entries(requests).map(([name, next]) => ({ name, next }));
}
