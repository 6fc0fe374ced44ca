// `npm run bench:startup`: compares the CPU time of evaluating Regalo with that of a bare Hono Worker and of a Worker
// with Hono and Zod. The times come from the profiles of `wrangler check startup`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { PROJECT_ROOT, WRANGLER } from "../src/cli/paths.ts";
import { median } from "./load.ts";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "10" } } });
const WORKERS = [
  { name: "Regalo", source: "src/index.ts", times: [] as number[] },
  { name: "Hono and Zod", source: "bench/workers/hono-zod.ts", times: [] as number[] },
  { name: "bare Hono", source: "bench/workers/bare-hono.ts", times: [] as number[] },
] as const;
const MAX_RATIO = 1.5;
/** In microseconds. At the default of 1,000, the whole start of the bare Worker falls between two samples. */
const SAMPLING = "--cpu-profiler-sampling-interval=50";
/** A longer gap between samples is before the Worker's code, while the isolate and its modules are created. */
const MAX_GAP_MS = 2;

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
}

const directory = mkdtempSync(path.join(tmpdir(), "regalo-startup-"));
try {
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const { source, times } of WORKERS) {
      const ms = evaluationMs(source);
      // The profiler may start too late to sample a short start.
      if (ms > 0) times.push(ms);
    }
  }
  console.log(
    "| Worker | evaluation ms (min–max) | profiles | Regalo's ratio to it |\n|---|---|---|---|",
  );
  const regaloMs = median(WORKERS[0].times);
  for (const { name, times } of WORKERS) {
    const spread = `${Math.min(...times).toFixed(1)}–${Math.max(...times).toFixed(1)}`;
    const ratio = (regaloMs / median(times)).toFixed(1);
    console.log(
      `| ${name} | ${median(times).toFixed(1)} (${spread}) | ${String(times.length)} | ${ratio} × |`,
    );
  }
  console.log(`\nGoal: at most ${MAX_RATIO.toFixed(1)} × a bare Hono Worker`);
  if (!(regaloMs / median(WORKERS[2].times) <= MAX_RATIO)) process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true });
}

/** Milliseconds of the samples in which the Worker's code was running. */
function evaluationMs(source: string): number {
  const outfile = path.join(directory, "startup.cpuprofile");
  const args = ["check", "startup", "--args", `${source} --minify`, "--outfile", outfile];
  execFileSync(WRANGLER, args, {
    cwd: PROJECT_ROOT,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, MINIFLARE_WORKERD_V8_FLAGS: SAMPLING },
  });
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(outfile, "utf8")) as CpuProfile;
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id),
  );
  return timeDeltas
    .map((microseconds, index) => (idle.has(samples[index] ?? 0) ? 0 : microseconds / 1_000))
    .filter((ms) => ms <= MAX_GAP_MS)
    .reduce((total, ms) => total + ms, 0);
}
