// The size that memory caches count for their values, compared with the memory that the values take.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Client } from "../../../src/features/clients/profile.ts";
import { memoryCache } from "../../../src/platform/cache/memory.ts";
import type { Offer } from "../../../src/features/orders/offers.ts";

const MAX_BYTES = 8 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const simpleOffer = (n: number): Offer => ({
  revision: `revision-${String(n)}`,
  delivery: "physical",
  currency: "AUD",
  priceMinor: n,
  shippingMinor: 500,
  locations: [],
  variations: [],
});

const variableOffer = (n: number): Offer => ({
  ...simpleOffer(n),
  priceMinor: null,
  variations: Array.from({ length: 500 }, (_, v) => ({
    id: 1_000 * n + v,
    sku: `SKU-${String(n)}-${String(v)}`,
    priceMinor: 2_000 + v,
    options: ["Size", "Colour", "Material", "Engraving"].map((name, id) => ({
      id,
      name,
      option: `${name} number ${String(v)} of ${String(n)} ${"é".repeat(50)}`,
    })),
  })),
});

const client = (n: number): Client => ({
  id: `client-${String(n)}`,
  status: "active",
  billing: "credit",
  feeBasisPoints: 400,
  defaultCurrency: "AUD",
  catalogue: { id: 1, version: n, totals: { all: n, physical: n, digital: 0 } },
  branding: null,
  mayCancel: true,
  redeemWithinDays: null,
  webhookIds: [1, 2],
  credentials: ["a", "b"].map((letter) => ({
    id: n,
    digest: letter.repeat(50) + String(n),
    scope: "admin",
    lastUsedOn: null,
  })),
});

const text = (n: number) => "é中".repeat(5_000) + String(n);

test.each<[string, (n: number) => unknown]>([
  ["offers of 500 variations", variableOffer],
  ["offers of simple products", simpleOffer],
  ["clients' records", client],
  ["texts", text],
])("a full cache of %s takes about as much memory as its limit", (_, make) => {
  const cache = memoryCache<unknown>(MAX_BYTES);
  const keys: string[] = [];
  for (let n = 0, full = false; !full; n++) {
    // Values from D1 and KV are parsed, so they share no strings.
    const value: unknown = JSON.parse(JSON.stringify(make(n)));
    const bytes = cache.bytes();
    const key = `key ${String(n)}`;
    keys.push(key);
    cache.set(key, value, Infinity);
    full = cache.bytes() <= bytes;
  }
  expect(cache.bytes()).toBeGreaterThan(MAX_BYTES / 2);
  // The heap before the cache was filled contains compiled code that V8 discards meanwhile.
  const filled = heapBytes();
  for (const key of keys) cache.delete(key);
  const taken = filled - heapBytes();
  expect(taken).toBeLessThan(1.1 * MAX_BYTES);
  expect(taken).toBeGreaterThan(MAX_BYTES / 4);
});
