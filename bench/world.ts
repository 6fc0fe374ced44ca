// `npm run bench:world`: simulates what callers in ten cities wait for each endpoint.
import { prepareCases } from "./cases.ts";
import { startRig } from "./rig.ts";
import { cityTable, traceRequests, worldTables } from "./waits.ts";

const rig = await startRig([
  { name: "metered", source: "bench/workers/metered.ts", state: "bench" },
]);
try {
  console.log("A simulation: counted calls and published round-trip times (bench/latencies.ts).");
  console.log("Milliseconds that a caller waits: the median of ten cities, and the longest.");
  const requests = await traceRequests(await prepareCases(rig));
  for (const table of worldTables(requests)) print(table);
  for (const { name, calls } of requests) {
    for (const state of ["warm", "cold"] as const) {
      console.log(`\n${name}, ${state}`);
      print(cityTable(calls[state]));
    }
  }
} finally {
  await rig.dispose();
}

function print([head = [], ...rows]: string[][]): void {
  console.log();
  for (const cells of [head, head.map(() => "---"), ...rows]) {
    console.log(`| ${cells.join(" | ")} |`);
  }
}
