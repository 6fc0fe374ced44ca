// `npm run bench:startup`: the processor time of evaluating Regalo beside a bare Hono Worker, by the profile of
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
/** In microseconds. At the usual 1,000 a whole start of the bare Worker falls between two samples. */
const SAMPLING = "--cpu-profiler-sampling-interval=50";
/** A longer gap between samples lies before the Worker's code: isolate and modules are being made. */
const MAX_GAP_MS = 2;

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
}

const directory = mkdtempSync(path.join(tmpdir(), "regalo-startup-"));
try {
  const times = { regalo: [] as number[], "bare Hono": [] as number[] };
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const name of ["regalo", "bare Hono"] as const) {
      const ms = evaluationMs(SOURCES[name]);
      // The profiler may wake up too late to see anything of a short start.
      if (ms > 0) times[name].push(ms);
    }
  }
  console.log("| Worker | evaluation ms (min–max) | profiles |\n|---|---|---|");
  for (const [name, ms] of Object.entries(times)) {
    const spread = `${Math.min(...ms).toFixed(1)}–${Math.max(...ms).toFixed(1)}`;
    console.log(`| ${name} | ${median(ms).toFixed(1)} (${spread}) | ${String(ms.length)} |`);
  }
  const ratio = median(times.regalo) / median(times["bare Hono"]);
  console.log(`\n${ratio.toFixed(1)} × a bare Hono Worker, goal ≤ ${MAX_RATIO.toFixed(1)}`);
  if (!(ratio <= MAX_RATIO)) process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true });
}

/** Milliseconds of the samples that found the Worker's code running. */
function evaluationMs(source: string): number {
  const outfile = path.join(directory, "startup.cpuprofile");
  const args = ["check", "startup", "--args", `${source} --minify`, "--outfile", outfile];
  execFileSync(path.join(ROOT, "node_modules/.bin/wrangler"), args, {
    cwd: ROOT,
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
