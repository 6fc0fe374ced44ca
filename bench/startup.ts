// `npm run bench:startup`: the processor time of starting Regalo beside a bare Hono Worker, by the profile of
// `wrangler check startup`, in turns.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { median } from "./load.ts";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "10" } } });
const ROOT = path.resolve(import.meta.dirname, "..");
const SOURCES = { regalo: "src/index.ts", "bare Hono": "bench/workers/bare-hono.ts" };
const MAX_RATIO = 1.5;

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
}

const directory = mkdtempSync(path.join(tmpdir(), "regalo-startup-"));
try {
  const times = { regalo: [] as number[], "bare Hono": [] as number[] };
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const name of ["regalo", "bare Hono"] as const) times[name].push(startupMs(SOURCES[name]));
  }
  console.log("| Worker | start-up ms (min–max) |\n|---|---|");
  for (const [name, ms] of Object.entries(times)) {
    console.log(
      `| ${name} | ${median(ms).toFixed(1)} (${Math.min(...ms).toFixed(1)}–${Math.max(...ms).toFixed(1)}) |`,
    );
  }
  // The profiler looks once a millisecond or less often, so one start of a bare Worker may count as nothing:
  // only the sums of several can be compared.
  const ratio = sum(times.regalo) / sum(times["bare Hono"]);
  console.log(`\n${ratio.toFixed(1)} × a bare Hono Worker, goal ≤ ${MAX_RATIO.toFixed(1)}`);
  if (ratio > MAX_RATIO) process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true });
}

/** Milliseconds in which the profiler did not find the isolate idle. */
function startupMs(source: string): number {
  const outfile = path.join(directory, "startup.cpuprofile");
  const args = ["check", "startup", "--args", `${source} --minify`, "--outfile", outfile];
  execFileSync(path.join(ROOT, "node_modules/.bin/wrangler"), args, {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const profile = JSON.parse(readFileSync(outfile, "utf8")) as CpuProfile;
  const idle = new Set(
    profile.nodes
      .filter(({ callFrame }) => callFrame.functionName === "(idle)")
      .map(({ id }) => id),
  );
  return (
    sum(profile.timeDeltas.filter((_, index) => !idle.has(profile.samples[index] ?? 0))) / 1_000
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
