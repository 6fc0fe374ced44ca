// `npm run bench:world`: a simulation of how long callers in ten cities wait for each request. Counted calls are
// multiplied by published round-trip times.
import { ANY_STATE, BOOKMARK_HEADER } from "../src/platform/http/bookmark.ts";
import { printTable } from "./load.ts";
import {
  type BenchRequest,
  type CacheState,
  meter,
  prepare,
  requestsOf,
  WORKERS,
} from "./requests.ts";
import { startRig } from "./rig.ts";
import { inWords, PRIMARY_REGIONS, spread } from "./latencies.ts";

const STATES: CacheState[] = ["warm", "in KV", "cold"];
/** Requests that may have a bookmark. */
const NEAR = /^GET \/api\/(order|events|shipments|credit-balance|webhooks)|quote/;

const withBookmark = ({ name, next }: BenchRequest): BenchRequest => ({
  name: `${name}, with a bookmark`,
  next: async () => {
    const call = await next();
    return { ...call, headers: { ...call.headers, [BOOKMARK_HEADER]: ANY_STATE } };
  },
});

const rig = await startRig(WORKERS);
try {
  const { url, headers } = await prepare(rig, 1_000, 200);
  const requests = await requestsOf(url, headers);
  const near = requests.filter(({ name }) => NEAR.test(name)).map(withBookmark);
  const sequences = new Map<string, string[]>();
  const rows: string[][] = [];
  for (const { name, next } of [...requests, ...near]) {
    // Stores the data in the isolate and in KV.
    await meter(url, await next(), "warm");
    const cells = [name];
    for (const state of STATES) {
      const { calls } = await meter(url, await next(), state);
      const times = PRIMARY_REGIONS.flatMap((region) => [
        spread(calls, region, false),
        spread(calls, region, true),
      ]);
      sequences.set(inWords(calls), times);
      cells.push(inWords(calls));
    }
    rows.push(cells);
  }
  console.log("The calls that a response waits for:\n");
  printTable(["request", ...STATES], rows);
  console.log("\nMilliseconds that a caller waits: the median of ten cities, and the longest:\n");
  const columns = PRIMARY_REGIONS.flatMap((region) => [region, `${region}, replicas`]);
  printTable(
    ["calls", ...columns],
    [...sequences].map(([words, times]) => [words, ...times]),
  );
} finally {
  await rig.dispose();
}
