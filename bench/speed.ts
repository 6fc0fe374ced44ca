// `npm run bench`: compares Regalo with a bare Worker that does the same storage work. They run alternately in one
// workerd.
import { parseArgs } from "node:util";
import { PAGE_KEY_PREFIX } from "../src/features/catalogue/pages.ts";
import { NEW_RECIPIENT, type NewRecipient } from "../src/features/orders/order.ts";
import type { NewOrder } from "../src/features/orders/queries.ts";
import { ADDRESS, fillClient, fillProducts, newReference, placement, post } from "./fill.ts";
import { PRICE_MINOR, productId, SHIPPING_MINOR } from "./fill.ts";
import { type Call, load, median, printTable, type Target } from "./load.ts";
import { startRig } from "./rig.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    seconds: { type: "string", default: "0.1" },
    only: { type: "string", default: "" },
  },
});
const CONNECTIONS = [1, 32];

interface Case {
  name: string;
  regalo: Target;
  floor: Target;
}

interface Sample {
  /** Requests a second. */
  rate: number;
  /** Milliseconds of workerd's CPU time for one request. */
  cpu: number;
}

const rig = await startRig([
  { name: "regalo", source: "bench/workers/regalo.ts", state: "bench" },
  { name: "floor", source: "bench/workers/floor.ts", state: "bench" },
]);
try {
  const cases = (await prepareCases()).filter(({ name }) => name.includes(options.only));
  for (const connections of CONNECTIONS) await measure(cases, connections);
} finally {
  await rig.dispose();
}

async function prepareCases(): Promise<Case[]> {
  const d1 = await rig.d1("floor");
  await fillProducts(d1, 1_000);
  const headers = await fillClient(d1, "regalo");
  await fillClient(d1, "floor");
  const [regaloUrl, floorUrl] = [await rig.url("regalo"), await rig.url("floor")];
  const product = await d1
    .prepare(
      `SELECT revision, (SELECT id FROM catalogues) AS catalogueId FROM product_revisions
       WHERE product_id = ?1`,
    )
    .bind(productId(0))
    .first<{ revision: string; catalogueId: number }>();
  if (!product) throw new Error("there is no product");
  const { revision, catalogueId } = product;
  const ready = (method: NewOrder["giftOrderMethod"], recipients: number) => () =>
    post({}, "/place", readyOrder(catalogueId, revision, method, recipients));
  const get = (path: string) => () => ({ path, headers });
  const place = (path: string, recipients: number, reference?: string) => () =>
    post(headers, path, placement(recipients, reference));

  // The floor responds with a page that Regalo made.
  const gzip = { ...headers, "Accept-Encoding": "gzip" };
  await fetch(`${regaloUrl}/api/products`, { headers: gzip });
  const kv = await rig.kv("floor");
  const key = (await kv.list()).keys.find(({ name }) => name.includes(PAGE_KEY_PREFIX));
  const page = key && (await kv.get(key.name, "arrayBuffer"));
  if (!page) throw new Error("the page is not in KV");
  await fetch(`${floorUrl}/hold`, { method: "POST", body: page });

  const { path, headers: sent = {}, body = null } = place("/api/order", 1, "replayed")();
  const placed = await fetch(regaloUrl + path, { method: "POST", headers: sent, body });
  const { order_data } = await placed.json<{ order_data: { order_id: number } }>();
  const orderId = String(order_data.order_id);
  const readOrder = get(`/order?${orderId}`);

  const compare = (name: string, regalo: () => Call, floor: () => Call, status = 200): Case => ({
    name,
    regalo: { url: regaloUrl, next: regalo, status },
    floor: { url: floorUrl, next: floor, status },
  });
  return [
    compare(
      "page of 200, from memory",
      () => ({ path: "/api/products", headers: gzip }),
      () => ({ path: "/static", headers: gzip }),
    ),
    compare(
      "product",
      get(`/api/product?product_id=${String(productId(0))}`),
      get(`/product?${String(productId(0))}`),
    ),
    compare("order, 1 recipient", place("/api/order", 1), ready("api-purchase", 1)),
    compare("gift-link, 1 recipient", place("/api/gift-link", 1), ready("api-giftlink", 1)),
    compare("gift-link, 100 recipients", place("/api/gift-link", 100), ready("api-giftlink", 100)),
    compare("order, replayed", place("/api/order", 1, "replayed"), readOrder),
    compare("get-order", get(`/api/order?order_id=${orderId}`), readOrder),
    compare(
      "refused credential",
      () => ({ path: "/api/products", headers: { ...headers, "API-KEY": "wrong" } }),
      get("/refused"),
      401,
    ),
  ];
}

/** The same order as Regalo writes it, for the floor. */
function readyOrder(
  catalogueId: number,
  productRevision: string,
  giftOrderMethod: NewOrder["giftOrderMethod"],
  recipients: number,
): NewOrder {
  const noValues = Object.fromEntries(NEW_RECIPIENT.map((name) => [name, undefined]));
  const subtotalMinor = recipients * PRICE_MINOR;
  const shippingCostMinor = recipients * SHIPPING_MINOR;
  return {
    clientId: "floor",
    orderRefId: newReference(),
    placementId: crypto.randomUUID(),
    requestDigest: "0".repeat(64),
    giftOrderMethod,
    status: "paid",
    giftOfChoice: "N",
    brandingSelected: "platform",
    senderName: null,
    branding: null,
    catalogueId,
    productId: productId(0),
    variationId: null,
    productRevision,
    baseLocation: "AU",
    currency: "AUD",
    productPriceMinor: PRICE_MINOR,
    qty: recipients,
    subtotalMinor,
    shippingCostMinor,
    orderFeeMinor: 0,
    orderTotalMinor: subtotalMinor + shippingCostMinor,
    recipients: Array.from({ length: recipients }, (_, index) => ({
      ...(noValues as Record<keyof NewRecipient, undefined>),
      firstName: "Robin",
      lastName: "Okonkwo-Bell",
      email: `recipient-${String(index)}@example.com`,
      phoneNumber: "+61 2 5550 0100",
      deliveryAddress: ADDRESS,
    })),
    linkNonce: giftOrderMethod === "api-giftlink" ? "0".repeat(8) : null,
    linkKeyId: null,
    expiresAtMs: null,
    sendAtMs: null,
    nextExpiryCheckMs: null,
    metadata: null,
    createdAtMs: Date.now(),
  };
}

/** The share of a case is the median of its rounds, in which both Workers run one after the other. */
async function measure(cases: Case[], connections: number): Promise<void> {
  const shares = cases.map(() => ({ rate: [] as number[], cpu: [] as number[] }));
  // The first round warms caches and the compiler, and is not counted.
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const [index, { regalo, floor }] of cases.entries()) {
      const a = await sample(regalo, connections);
      const b = await sample(floor, connections);
      if (round === 0) continue;
      shares[index]?.rate.push(a.rate / b.rate);
      shares[index]?.cpu.push(b.cpu / a.cpu);
    }
  }
  console.log(`\nShare of the floor, ${String(connections)} connections\n`);
  const rows = cases.map(({ name }, index) => {
    const { rate = [], cpu = [] } = shares[index] ?? {};
    const spread = `${Math.min(...rate).toFixed(2)}–${Math.max(...rate).toFixed(2)}`;
    return [name, median(rate).toFixed(2), spread, median(cpu).toFixed(2)];
  });
  printTable(["case", "share", "min–max", "CPU share"], rows);
}

async function sample(target: Target, connections: number): Promise<Sample> {
  const before = rig.cpuMs();
  let sent = 0;
  const next = () => {
    sent += 1;
    return target.next();
  };
  const rate = await load({ ...target, next }, connections, { seconds: Number(options.seconds) });
  return { rate, cpu: (rig.cpuMs() - before) / sent };
}
