// The requests whose resources are counted, on the rig's Worker `metered`, with a database of 1,000 products and 1,000
// orders.
import { fill, headersOf, LARGEST_PARTNER } from "./fill.ts";
import type { Call } from "./load.ts";
import { type CacheState, meter, type Taken } from "./meter.ts";
import { newReference, placementBody, productAt } from "./requests.ts";
import type { Rig } from "./rig.ts";

export interface Case {
  name: string;
  /** The next request of this kind. */
  next: () => Call;
}

export interface Cases {
  d1: D1Database;
  clientId: string;
  /** The requests of the cost table. */
  cases: Case[];
  /** POST of a client, with a JSON body. */
  post: (path: string, body: unknown) => Call;
  /** GET of a client. */
  get: (path: string) => Call;
  /** A placement with a new reference. */
  placement: (path: string, recipients: number) => Call;
  meter: (call: Call, state: CacheState) => Promise<Taken>;
  send: (call: Call) => Promise<unknown>;
}

export async function prepareCases(rig: Rig): Promise<Cases> {
  const d1 = await rig.d1("metered");
  const url = await rig.url("metered");
  const [client] = await fill(d1, { products: 1_000, orders: 1_000 }, ["regalo"]);
  if (!client) throw new Error("there is no client");
  const { headers, clientId } = client;
  const product = await productAt(d1, 1);
  const json = { ...headers, "Content-Type": "application/json" };
  const get = (path: string): Call => ({ path, headers });
  const post = (path: string, body: unknown): Call => ({
    method: "POST",
    path,
    headers: json,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const placement = (path: string, recipients: number, reference = newReference()) =>
    post(path, placementBody(product, recipients, reference));

  // A lookup also reads the next row of the index. The second order provides that row.
  const [placed, last] = ["z", "zz"];
  const repeated = () => placement("/api/order", 2, placed);
  await meter(url, repeated(), "cold");
  await meter(url, placement("/api/order", 2, last), "cold");

  const ofLargest = (path: string): Call => ({ path, headers: headersOf(LARGEST_PARTNER) });
  const gzip = { ...headers, "Accept-Encoding": "gzip" };
  const requests: [string, () => Call][] = [
    ["GET /api/products (200)", () => ({ path: "/api/products", headers: gzip })],
    ["GET /api/product", () => get(`/api/product?product_id=${String(product.id)}`)],
    ["POST /api/order, 2 recipients", () => placement("/api/order", 2)],
    ["POST /api/gift-link, 2 recipients", () => placement("/api/gift-link", 2)],
    ["POST /api/gift-link, 100 recipients", () => placement("/api/gift-link", 100)],
    ["POST /api/order, repeated", repeated],
    ["GET /api/order", () => get(`/api/order?order_ref_id=${placed}`)],
    ["GET /api/orders (100)", () => ofLargest("/api/orders")],
    ["GET /api/events (100)", () => ofLargest("/api/events")],
    ["GET /api/credit-balance", () => get("/api/credit-balance")],
  ];
  return {
    d1,
    clientId,
    get,
    post,
    placement,
    cases: requests.map(([name, next]) => ({ name, next })),
    meter: (call, state) => meter(url, call, state),
    async send({ method = "GET", path, headers: sent, body }) {
      const response = await fetch(url + path, { method, headers: sent ?? {}, body: body ?? null });
      return response.json();
    },
  };
}
