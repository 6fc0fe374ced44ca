// `npx node bench/world.ts`: a simulation of how long callers in ten cities wait for each request. Counted calls are
// multiplied by published round-trip times.
import { ANY_STATE, BOOKMARK_HEADER } from "../src/platform/http/bookmark.ts";
import { median, printTable } from "./load.ts";
import {
  type BenchRequest,
  type CacheState,
  meter,
  prepare,
  requestsOf,
  type Store,
  WORKERS,
} from "./requests.ts";
import { startRig } from "./rig.ts";
import { CITIES, inWords, PLACES, sharesOf, spread, waitingMs } from "./latencies.ts";

const STATES: CacheState[] = ["warm", "in KV", "cold"];
/** Requests that may have a bookmark. */
const NEAR = /^GET \/api\/(order|events|shipments|credit-balance|webhooks)|quote/;

/** The request whose times in each city are printed, and the most that the median city may wait if it is cold. */
const ORDER = "POST /api/order, 2 recipients";
const COLD_GOALS_MS: Record<string, number> = { weur: 214, "weur enam apac": 90 };
const REQUESTS_PER_HOUR = [60, 6, 1];

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
  const ofOrder = {} as Record<CacheState, Store[]>;
  for (const { name, next } of [...requests, ...near]) {
    // Stores the data in the isolate and in KV.
    await meter(url, await next(), "warm");
    const cells = [name];
    for (const state of STATES) {
      const { calls } = await meter(url, await next(), state);
      if (name === ORDER) ofOrder[state] = calls;
      const times = PLACES.flatMap((places) => [
        spread(calls, places, false),
        spread(calls, places, true),
      ]);
      sequences.set(inWords(calls), times);
      cells.push(inWords(calls));
    }
    rows.push(cells);
  }
  console.log("The calls that a response waits for:\n");
  printTable(["request", ...STATES], rows);
  console.log("\nMilliseconds that a caller waits: the median of ten cities, and the longest:\n");
  const columns = PLACES.flatMap((places) => [places.join(" "), `${places.join(" ")}, replicas`]);
  printTable(
    ["calls", ...columns],
    [...sequences].map(([words, times]) => [words, ...times]),
  );
  printOrder(ofOrder);
} finally {
  await rig.dispose();
}

/** Prints how long an order takes in each city with replicas: in each state, and on average of a client's orders. */
function printOrder(calls: Record<CacheState, Store[]>): void {
  const hourly = REQUESTS_PER_HOUR.map((count) => `${String(count)} an hour`);
  for (const places of PLACES) {
    const times = CITIES.map((city) => {
      const of = (state: CacheState) => waitingMs(calls[state], city, places, true);
      const averages = REQUESTS_PER_HOUR.map((count) => {
        const shares = sharesOf(count);
        return STATES.reduce((sum, state) => sum + shares[state] * of(state), 0);
      });
      return [...STATES.map(of), ...averages];
    });
    const medians = (times[0] ?? []).map((_, column) =>
      median(times.map((row) => row[column] ?? NaN)),
    );
    const goal = COLD_GOALS_MS[places.join(" ")] ?? Infinity;
    const missed = (medians[STATES.indexOf("cold")] ?? NaN) > goal;
    if (missed) process.exitCode = 1;
    console.log(
      `\n${ORDER}, databases in ${places.join(", ")}, replicas${missed ? ": MISSED" : ""}\n`,
    );
    const cells = (row: number[]) => row.map((ms) => String(Math.round(ms)));
    printTable(
      ["city", ...STATES, ...hourly],
      [...CITIES.map((city, n) => [city, ...cells(times[n] ?? [])]), ["median", ...cells(medians)]],
    );
  }
}
