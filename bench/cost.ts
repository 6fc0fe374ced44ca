// `npm run bench:cost`: counts the resources of one request of each kind, and the cost of a million of them.
import { prepareCases } from "./cases.ts";
import { COST_COLUMNS, costCells, measureCosts } from "./costs.ts";
import { type Call, slice } from "./load.ts";
import { DOLLARS_PER_MILLION } from "./prices.ts";
import { startRig } from "./rig.ts";

const GOALS: Record<string, number> = {
  "GET /api/products (200), warm": 1,
  "POST /api/order, 2 recipients, warm": 13,
};
const CPU_SAMPLE_SECONDS = 0.5;

const rig = await startRig([
  { name: "metered", source: "bench/workers/metered.ts", state: "bench" },
  { name: "regalo", source: "bench/workers/regalo.ts", state: "bench" },
]);
const missed: string[] = [];
try {
  row([...COST_COLUMNS, "bytes out", "CPU ms", "goal"]);
  row(Array<string>(COST_COLUMNS.length + 3).fill("---"));
  for (const cost of await measureCosts(await prepareCases(rig))) {
    const goal = GOALS[cost.name];
    const met = goal === undefined || cost.dollars <= goal;
    if (!met) missed.push(cost.name);
    const goalText = goal === undefined ? "" : `≤ ${goal.toFixed(2)}${met ? "" : " MISSED"}`;
    // CPU time is measured for warm requests only.
    const cpuMs =
      cost.next && cost.name.endsWith("warm") ? (await cpuOf(cost.next)).toFixed(1) : "";
    row([...costCells(cost), String(cost.taken.bytesOut), cpuMs, goalText]);
  }
  console.log(
    `\nEach ms of CPU time adds $${String(DOLLARS_PER_MILLION.cpuMs)} a million requests.`,
  );
} finally {
  await rig.dispose();
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join(", ")}`);
  process.exitCode = 1;
}

function row(cells: string[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

/** CPU time of workerd for one request. It is an upper bound, because it includes the simulation of D1 and KV. */
async function cpuOf(next: () => Call): Promise<number> {
  let requests = 0;
  const target = { url: await rig.url("regalo"), next: () => (requests++, next()), status: 200 };
  await slice(target, 1, CPU_SAMPLE_SECONDS);
  requests = 0;
  const before = rig.cpuMs();
  await slice(target, 1, CPU_SAMPLE_SECONDS);
  return (rig.cpuMs() - before) / requests;
}
