// Round-trip times between places of the world, for the simulation of bench/world.ts.

/** The cities of the callers. */
export const CITIES = [
  "London",
  "Frankfurt",
  "New York",
  "San Francisco",
  "São Paulo",
  "Johannesburg",
  "Dubai",
  "Singapore",
  "Tokyo",
  "Sydney",
] as const;
export type City = (typeof CITIES)[number];

/** The regions in which D1 places primaries and replicas, by their location hints. D1 has none in other places. */
export const REGIONS = ["weur", "eeur", "enam", "wnam", "apac", "oc"] as const;
export type Region = (typeof REGIONS)[number];

/** The regions of the primary that are compared. */
export const PRIMARY_REGIONS = ["weur", "enam", "apac"] as const satisfies Region[];
export type PrimaryRegion = (typeof PRIMARY_REGIONS)[number];

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
export const ROUND_TRIP_MS: Record<City | PrimaryRegion, readonly number[]> = {
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
  weur: [2, 23, 90, 153, 161, 251],
  enam: [88, 104, 2, 66, 228, 193],
  apac: [160, 173, 231, 171, 2, 94],
};

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
export const KV_STORES: readonly Region[] = ["weur", "enam"];
