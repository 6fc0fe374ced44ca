// The scores of the recipient's pages in Lighthouse. `npm run check:lighthouse` installs Lighthouse.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoGift, placeDemoGift, redeemDemoGift } from "../support/demo-gift.ts";
import { type LocalServer, type LocalState, seededState, startServer } from "../support/server.ts";
import { type LighthouseRun, runLighthouse } from "./run.ts";

const RUNS = 3;
const MIN_PERFORMANCE = 98;

/** Each page has the query that opens it from a gift link. */
const PAGES: { name: string; query: string; of?: "redeemed" }[] = [
  { name: "open gift", query: "" },
  { name: "another gift", query: "?show=1003" },
  { name: "other gifts", query: "?others" },
  { name: "address", query: "?step=address" },
  { name: "open gift in Arabic", query: "?lang=ar" },
  { name: "open gift in Japanese", query: "?lang=ja" },
  { name: "redeemed gift", query: "", of: "redeemed" },
];

let state: LocalState;
let server: LocalServer;
let open: DemoGift;
let redeemed: DemoGift;
/** The measurements of each page in its median run. */
const table: Record<string, object> = {};

beforeAll(async () => {
  state = await seededState();
  server = await startServer(state);
  open = await placeDemoGift(server);
  redeemed = await placeDemoGift(server);
  await redeemDemoGift(server, redeemed);
});

afterAll(async () => {
  await server.kill();
  state.remove();
  console.table(table);
});

test.each(PAGES)("$name", async ({ name, query, of }) => {
  const { url } = of === "redeemed" ? redeemed : open;
  const runs: LighthouseRun[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await runLighthouse(url + query));
  const { scores, largestPaintMs, layoutShift, bytes } = medianBy(
    runs,
    (run) => run.scores.performance,
  );
  table[name] = {
    ...scores,
    "largest paint": `${largestPaintMs.toFixed(0)} ms`,
    "layout shift": Number(layoutShift.toFixed(3)),
    bytes,
  };
  for (const { scores, failedAudits } of runs) {
    const reasons = failedAudits.join("\n");
    expect(scores.accessibility, reasons).toBe(100);
    expect(scores["best-practices"], reasons).toBe(100);
  }
  expect(scores.performance).toBeGreaterThanOrEqual(MIN_PERFORMANCE);
});

function medianBy<T>(values: T[], by: (value: T) => number): T {
  return values.toSorted((a, b) => by(a) - by(b))[Math.floor(values.length / 2)] as T;
}
