// `npm run bench`: compares Regalo with a bare Worker that does the same storage work. They run alternately in one
// workerd.
import { parseArgs } from "node:util";
import { PAGE_KEY_PREFIX } from "../src/features/catalogue/pages.ts";
import { NEW_GIFT, type NewGift } from "../src/features/orders/order.ts";
import type { NewOrder } from "../src/features/orders/queries.ts";
import { searchTermsOf } from "../src/features/orders/search-terms.ts";
import { fillClient, newReference, placement, post } from "./fill.ts";
import { PRICE_MINOR, productId, SHIPPING_MINOR } from "./fill.ts";
import { type Call, load, median, printTable, type Target } from "./load.ts";
import { prepare, REPEATED, requestsOf, WORKERS } from "./requests.ts";
import { startRig } from "./rig.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    seconds: { type: "string", default: "0.1" },
  },
});
const CONNECTIONS = [1, 32];
/** The smallest shares with one connection. */
const GOALS: Record<string, number> = {
  "GET /api/products (200)": 0.6,
  "POST /api/order, 2 recipients": 0.65,
  "POST /api/gift-link, 100 recipients": 0.55,
};
/** A floor that writes only four rows for an order. */
const BARE = ", against four rows";

interface Case {
  name: string;
  regalo: Target;
  floor: Target;
}

const rig = await startRig([
  ...WORKERS,
  { name: "floor", source: "bench/workers/floor.ts", state: "bench" },
]);
try {
  const cases = await prepareCases();
  for (const connections of CONNECTIONS) await measure(cases, connections);
} finally {
  await rig.dispose();
}

async function prepareCases(): Promise<Case[]> {
  const { d1, headers } = await prepare(rig, 1_000, 1_000);
  await fillClient(d1, "floor");
  await d1.exec("CREATE TABLE bare_rows (id INTEGER PRIMARY KEY, content TEXT NOT NULL)");
  const [url, floorUrl] = [await rig.url("regalo"), await rig.url("floor")];
  const requests = await requestsOf(url, headers);
  const ids = await d1
    .prepare(
      `SELECT (SELECT id FROM catalogues) AS catalogueId, id AS orderId,
         product_revision AS revision
       FROM orders WHERE order_ref_id = ?1`,
    )
    .bind(REPEATED)
    .first<{ catalogueId: number; orderId: number; revision: string }>();
  if (!ids) throw new Error("there is no order");

  // The floor responds with a page that Regalo made.
  await fetch(`${url}/api/products`, { headers });
  const kv = await rig.kv("floor");
  const key = (await kv.list()).keys.find(({ name }) => name.includes(PAGE_KEY_PREFIX));
  const page = key && (await kv.get(key.name, "arrayBuffer"));
  if (!page) throw new Error("the page is not in KV");
  await fetch(`${floorUrl}/hold`, { method: "POST", body: page });

  const get = (path: string) => () => ({ path, headers });
  const ready = (method: NewOrder["giftOrderMethod"], recipients: number) => () =>
    post({}, "/place", readyOrder(ids.catalogueId, ids.revision, method, recipients));
  const placeTwo = ready("api-purchase", 2);
  const readOrder = get(`/order?${String(ids.orderId)}`);
  const floors: Record<string, () => Call> = {
    "GET /api/products (200)": get("/static"),
    "GET /api/product": get(`/product?${String(productId(0))}`),
    "POST /api/order, 2 recipients": placeTwo,
    ["POST /api/order, 2 recipients" + BARE]: () => ({ ...placeTwo(), path: "/rows" }),
    "POST /api/gift-link, 2 recipients": ready("api-giftlink", 2),
    "POST /api/gift-link, 100 recipients": ready("api-giftlink", 100),
    "POST /api/order, repeated": readOrder,
    "GET /api/order": readOrder,
  };
  return Object.entries(floors).map(([name, floor]) => {
    const request = requests.find((each) => each.name === name.replace(BARE, ""));
    if (!request) throw new Error(`there is no request ${name}`);
    return { name, regalo: { url, next: request.next }, floor: { url: floorUrl, next: floor } };
  });
}

/** The same order as Regalo writes it, for the floor. */
function readyOrder(
  catalogueId: number,
  productRevision: string,
  giftOrderMethod: NewOrder["giftOrderMethod"],
  recipients: number,
): NewOrder {
  const noValues = Object.fromEntries(NEW_GIFT.map((name) => [name, undefined]));
  const subtotalMinor = recipients * PRICE_MINOR;
  const shippingCostMinor = recipients * SHIPPING_MINOR;
  return {
    credentialId: 0,
    clientId: "floor",
    orderRefId: newReference(),
    placementId: crypto.randomUUID(),
    requestDigest: "0".repeat(64),
    giftOrderMethod,
    status: "paid",
    giftOfChoice: "N",
    collectionId: null,
    brandingSelected: "platform",
    senderName: null,
    campaign: null,
    sendCodes: 1,
    isDigital: false,
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
    gifts: placement(recipients).recipient_details.map((recipient) => ({
      ...(noValues as Record<keyof NewGift, undefined>),
      firstName: recipient.first_name,
      lastName: recipient.last_name,
      email: recipient.email,
      phoneNumber: recipient.phone_number,
      deliveryAddress: recipient.delivery_address,
      searchTerms: searchTermsOf(recipient),
      productMinor: PRICE_MINOR,
      shippingMinor: SHIPPING_MINOR,
      feeMinor: 0,
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
  const samples = cases.map(() => [] as { regalo: Sample; floor: Sample }[]);
  // The first round warms caches and the compiler, and is not counted.
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const [index, { regalo, floor }] of cases.entries()) {
      const taken = {
        regalo: await sample(regalo, connections),
        floor: await sample(floor, connections),
      };
      if (round > 0) samples[index]?.push(taken);
    }
  }
  console.log(`\nShare of the floor, ${String(connections)} connections\n`);
  const rows = cases.map(({ name }, index) => {
    const taken = samples[index] ?? [];
    const shares = taken.map(({ regalo, floor }) => regalo.rate / floor.rate);
    const cpu = median(taken.map(({ regalo, floor }) => floor.cpu / regalo.cpu));
    const rates = (["regalo", "floor"] as const).map((worker) =>
      median(taken.map((each) => each[worker].rate)).toFixed(0),
    );
    const spread = `${Math.min(...shares).toFixed(2)}–${Math.max(...shares).toFixed(2)}`;
    const missed = connections === 1 && median(shares) < (GOALS[name] ?? 0);
    if (missed) process.exitCode = 1;
    const cells = [median(shares).toFixed(2), spread, cpu.toFixed(2), missed ? "MISSED" : ""];
    return [name, ...rates, ...cells];
  });
  printTable(["case", "requests a second", "floor", "share", "min–max", "CPU share", ""], rows);
}

type Sample = Awaited<ReturnType<typeof sample>>;

/** The requests a second, and the milliseconds of workerd's CPU time for one request. */
async function sample(target: Target, connections: number): Promise<{ rate: number; cpu: number }> {
  const before = rig.cpuMs();
  let sent = 0;
  const next = () => {
    sent += 1;
    return target.next();
  };
  const rate = await load({ ...target, next }, connections, { seconds: Number(options.seconds) });
  return { rate, cpu: (rig.cpuMs() - before) / sent };
}
