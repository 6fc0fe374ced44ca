// Round-trip times between places of the world, and what a caller waits for a sequence of calls.
import { KV_PATIENCE_MS } from "../src/platform/cache/tiered.ts";
import { median } from "./load.ts";
import type { CacheState, Store } from "./requests.ts";

/** The regions in which D1 places primaries and replicas, by their location hints. D1 has none in other places. */
const REGIONS = ["weur", "eeur", "enam", "wnam", "apac", "oc"] as const;
type Region = (typeof REGIONS)[number];

/** The regions of the databases that are compared. Each client's database is the nearest one. */
export const PLACES: readonly (readonly Region[])[] = [
  ["weur"],
  ["enam"],
  ["apac"],
  ["weur", "enam"],
  ["weur", "enam", "apac"],
];

/**
 * Median round trips in milliseconds between Azure regions, as Microsoft published them in the file
 * articles/networking/includes/latency.md of github.com/MicrosoftDocs/azure-docs, dated 1 July 2025. A row is the
 * source, and the columns are the regions in the order of REGIONS. Cloudflare's network takes other paths, so its times
 * differ.
 *
 * The cities are the Azure regions UK South, Germany West Central, East US (in Virginia, for New York), West US, Brazil
 * South, South Africa North, UAE North, Southeast Asia, Japan East and Australia East.
 *
 * Cloudflare does not publish the cities of D1's regions. They are assumed to be the Azure regions West Europe
 * (Amsterdam), Poland Central (Warsaw), East US 2 (Virginia), West US (California), Southeast Asia (Singapore) and
 * Australia East (Sydney). If city and region are the same Azure region, 2 ms is an estimate.
 */
const ROUND_TRIP_MS = {
  London: [12, 29, 83, 147, 155, 247],
  Frankfurt: [12, 22, 92, 159, 157, 247],
  "New York": [83, 101, 10, 71, 222, 198],
  "San Francisco": [153, 170, 68, 2, 171, 140],
  "São Paulo": [186, 202, 118, 176, 332, 298],
  Johannesburg: [164, 178, 213, 274, 180, 269],
  Dubai: [122, 134, 189, 252, 82, 172],
  Singapore: [160, 173, 231, 171, 2, 94],
  Tokyo: [234, 249, 166, 107, 73, 103],
  Sydney: [250, 263, 193, 141, 94, 2],
} as const;
export type City = keyof typeof ROUND_TRIP_MS;
export const CITIES = Object.keys(ROUND_TRIP_MS) as City[];

/**
 * Between a caller and Cloudflare's nearest location, on an open connection. An estimate: Cloudflare has a location in
 * each of the cities.
 */
export const CALLER_MS = 5;

/**
 * A read from the KV cache of the location. An estimate, from Cloudflare's report that nearly half of all reads take
 * less than a millisecond (blog.cloudflare.com/faster-workers-kv, September 2024).
 */
export const KV_HIT_MS = 2;

/**
 * The regions of KV's central stores, from which a value is read that is in no cache. Cloudflare publishes only that
 * there are few of them. These regions are an assumption.
 */
const KV_STORES: readonly Region[] = ["weur", "enam"];

/** Milliseconds that a caller in the city waits for the calls, without the time of processing. */
export function waitingMs(
  calls: readonly Store[],
  city: City,
  primaries: readonly Region[],
  replicas: boolean,
): number {
  const nearestOf = (regions: readonly Region[]) =>
    Math.min(...regions.map((region) => ROUND_TRIP_MS[city][REGIONS.indexOf(region)] ?? NaN));
  const times: Record<Store, number> = {
    primary: nearestOf(primaries),
    nearest: nearestOf(replicas ? REGIONS : primaries),
    "KV hit": KV_HIT_MS,
    // After this time, the Worker asks D1 and does not wait for KV any longer.
    "KV miss": Math.min(KV_PATIENCE_MS, nearestOf(KV_STORES)),
  };
  return calls.reduce((sum, store) => sum + times[store], CALLER_MS);
}

/** The median and the longest waiting time of the cities. */
export function spread(
  calls: readonly Store[],
  primaries: readonly Region[],
  replicas: boolean,
): string {
  const times = CITIES.map((city) => waitingMs(calls, city, primaries, replicas));
  return `${String(Math.round(median(times)))} (${String(Math.max(...times))})`;
}

/** For how many seconds a client's record is used after a request: in the isolate's memory, and in KV. */
const MEMORY_SECONDS = 10;
const KV_SECONDS = 60;

/** The share of requests in each state if a client sends so many an hour to one location, at random times. */
export function sharesOf(requestsPerHour: number): Record<CacheState, number> {
  const laterThan = (seconds: number) => Math.exp((-requestsPerHour * seconds) / 3_600);
  const [fromKv, cold] = [laterThan(MEMORY_SECONDS), laterThan(KV_SECONDS)];
  return { warm: 1 - fromKv, "in KV": fromKv - cold, cold };
}

export const inWords = (calls: readonly Store[]) => calls.join(" → ") || "none";
