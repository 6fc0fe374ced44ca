// How long a caller waits in the simulation: counted calls, multiplied by published round-trip times.
import { ANY_STATE, BOOKMARK_HEADER } from "../src/platform/http/bookmark.ts";
import { KV_PATIENCE_MS } from "../src/platform/cache/tiered.ts";
import type { Case, Cases } from "./cases.ts";
import {
  CALLER_MS,
  CITIES,
  type City,
  KV_HIT_MS,
  KV_STORES,
  PRIMARY_REGIONS,
  type PrimaryRegion,
  REGIONS,
  type Region,
  ROUND_TRIP_MS,
} from "./latencies.ts";
import type { Call } from "./load.ts";
import type { CacheState } from "./meter.ts";
import type { Store, TracedCall } from "./trace.ts";

/** A request with the calls that its response waits for, in each state of the caches. */
export interface TracedRequest {
  name: string;
  calls: Record<CacheState, TracedCall[]>;
}

/** `replicas`: read replication is on. `smart`: the Worker runs in the region of the primary, by Smart Placement. */
export type Mode = "primary" | "replicas" | "smart";

export async function traceRequests(prepared: Cases): Promise<TracedRequest[]> {
  const traced: TracedRequest[] = [];
  const cases = [...prepared.cases, ...(await moreCases(prepared))];
  for (const { name, next } of [...cases, ...cases.filter(isNear).map(withBookmark)]) {
    const trace = async (state: CacheState) => (await prepared.meter(await next(), state)).calls;
    const cold = await trace("cold");
    // Stores the page and the client's record in the isolate and in KV.
    await trace("warm");
    traced.push({
      name,
      calls: { warm: await trace("warm"), "in KV": await trace("in KV"), cold },
    });
  }
  return traced;
}

/** Whether the request may have a bookmark. */
const isNear = ({ name }: AsyncCase) =>
  /^GET \/api\/(order|events|shipments|credit-balance|webhooks)|quote/.test(name);

const withBookmark = ({ name, next }: AsyncCase): AsyncCase => ({
  name: `${name}, with a bookmark`,
  next: async () => {
    const call = await next();
    return { ...call, headers: { ...call.headers, [BOOKMARK_HEADER]: ANY_STATE } };
  },
});

type AsyncCase = Omit<Case, "next"> & { next: () => Call | Promise<Call> };

/** The endpoints that the cost table does not have. */
async function moreCases({ post, get, placement, send }: Cases): Promise<AsyncCase[]> {
  const placeGift = async () => {
    const placed = (await send(placement("/api/gift-link", 1))) as {
      order_data: { order_id: number };
      recipient_return: [{ gift_url: string; suborder_id: number }];
    };
    const { pathname: path } = new URL(placed.recipient_return[0].gift_url);
    return { orderId: placed.order_data.order_id, path };
  };
  const quoted = JSON.parse(placement("/api/order", 1).body ?? "") as Record<string, unknown>;
  const opened = await placeGift();
  const form = (path: string, fields: Record<string, string>): Call => ({
    method: "POST",
    path,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  const address = {
    address_line_1: "14 Plane Tree Lane",
    suburb: "Brunswick",
    state: "VIC",
    postcode_zipcode: "3056",
    country: "AU",
  };
  return [
    {
      name: "POST /api/quote",
      next: () => post("/api/quote", { ...quoted, recipient_details: undefined, qty: 2 }),
    },
    {
      name: "POST /api/order/cancel",
      next: async () => post("/api/order/cancel", { order_id: (await placeGift()).orderId }),
    },
    {
      name: "POST /api/gift-link/renew",
      next: async () =>
        post("/api/gift-link/renew", { suborder_id: (await placeGift()).orderId * 1000 + 1 }),
    },
    {
      name: "GET /api/shipments",
      next: () => get(`/api/shipments?order_id=${String(opened.orderId)}`),
    },
    { name: "GET /api/webhooks", next: () => get("/api/webhooks") },
    { name: "gift page, opened", next: () => ({ path: opened.path }) },
    {
      name: "gift page, accepted",
      next: async () => form((await placeGift()).path, { ...address, step: "accept" }),
    },
  ];
}

const between = (from: City | PrimaryRegion, to: Region): number =>
  ROUND_TRIP_MS[from][REGIONS.indexOf(to)] ?? NaN;

/** Milliseconds that a caller in the city waits, without the time of processing. */
export function waitingMs(
  calls: readonly TracedCall[],
  city: City,
  region: PrimaryRegion,
  mode: Mode,
): number {
  const worker = mode === "smart" ? region : city;
  const nearestOf = (regions: readonly Region[]) =>
    Math.min(...regions.map((each) => between(worker, each)));
  const primaryMs = between(worker, region);
  const times: Record<Store, number> = {
    primary: primaryMs,
    nearest: mode === "primary" ? primaryMs : nearestOf(REGIONS),
    "KV hit": KV_HIT_MS,
    "KV miss": nearestOf(KV_STORES),
  };
  const begins: number[] = [];
  const ends: number[] = [];
  for (const { store, after, during } of calls) {
    const waited = [
      ...after.map((position) => ends[position] ?? NaN),
      ...during.map(
        (position) => (begins[position] ?? NaN) + Math.min(KV_PATIENCE_MS, times["KV miss"]),
      ),
    ];
    const beginsMs = Math.max(0, ...waited);
    begins.push(beginsMs);
    ends.push(beginsMs + times[store]);
  }
  const toWorkerMs = mode === "smart" ? between(city, region) : 0;
  // A response does not wait for a miss, because the Worker asks D1 as well.
  const waitedFor = ends.filter((_, position) => calls[position]?.store !== "KV miss");
  return CALLER_MS + toWorkerMs + Math.max(0, ...waitedFor);
}

/** Calls that a response waits for one after the other, such as "KV miss + primary → nearest". */
export function inWords(calls: readonly TracedCall[]): string {
  let waits = 0;
  let words = "";
  for (const { store, after } of calls) {
    if (after.length !== waits)
      throw new Error("only calls that follow each other can be described");
    const isMiss = store === "KV miss";
    words += store + (isMiss ? " + " : " → ");
    if (!isMiss) waits += 1;
  }
  return words.replace(/ → $/, "") || "none";
}

/** The median and the longest waiting time of the cities. */
export function spread(calls: readonly TracedCall[], region: PrimaryRegion, mode: Mode): string {
  const all = CITIES.map((city) => waitingMs(calls, city, region, mode)).sort((a, b) => a - b);
  const middle = all.length / 2;
  const median = ((all[middle - 1] ?? NaN) + (all[middle] ?? NaN)) / 2;
  return `${String(Math.round(median))} (${String(all.at(-1))})`;
}

/**
 * The tables of bench/RESULTS.md: the calls of each request, and the times of each sequence of calls. The first row of a table
 * is its head.
 */
export function worldTables(requests: readonly TracedRequest[]): string[][][] {
  const sequences = new Map(
    requests
      .flatMap(({ calls }) => Object.values(calls))
      .map((calls) => [inWords(calls), calls] as const)
      .sort(([, a], [, b]) => a.length - b.length),
  );
  const regionColumns = PRIMARY_REGIONS.flatMap((region) => [region, `${region}, replicas`]);
  return [
    [
      ["request", "warm", "in KV", "cold"],
      ...requests.map(({ name, calls }) => [
        name,
        inWords(calls.warm),
        inWords(calls["in KV"]),
        inWords(calls.cold),
      ]),
    ],
    [
      ["calls", ...regionColumns],
      ...[...sequences].map(([words, calls]) => [
        words,
        ...PRIMARY_REGIONS.flatMap((region) => [
          spread(calls, region, "primary"),
          spread(calls, region, "replicas"),
        ]),
      ]),
    ],
  ];
}

/** The times of each city, region and mode. */
export function cityTable(calls: readonly TracedCall[]): string[][] {
  const modes: Mode[] = ["primary", "replicas", "smart"];
  const columns = PRIMARY_REGIONS.flatMap((region) => modes.map((mode) => ({ region, mode })));
  return [
    ["city", ...columns.map(({ region, mode }) => `${region}, ${mode}`)],
    ...CITIES.map((city) => [
      city,
      ...columns.map(({ region, mode }) => String(waitingMs(calls, city, region, mode))),
    ]),
  ];
}
