// `npm run check:deploy`: checks the configuration of both Workers in each deployed environment by their own rules, and
// the size of their bundles with a dry run of the deployment. With the name of an environment, it checks the API there, and
// with `console` after it the console, and refuses placeholders.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  apiFaults,
  consoleFaults,
  type EnvironmentConfig,
  placeholders,
  readEnvironment,
  readRegions,
} from "./deployed-environment.ts";
import { startCpuRatio } from "./start-cpu.ts";
import { CONFIG, CONSOLE_CONFIG, PROJECT_ROOT, WRANGLER } from "./paths.ts";
import { deployedEnvironments } from "./paths.ts";

/** Far below what Cloudflare accepts: the CPU time of the start matters more. */
const BUNDLE_BUDGET_KIB = { api: 230, console: 340 };

/** The CPU time of the API's start, in those of an empty Hono Worker, whose start takes 3 ms. */
const START_BUDGET = 10;

const [name, worker = "api"] = process.argv.slice(2);
const isDeploying = name !== undefined;
const environments = deployedEnvironments().filter((each) => !isDeploying || each === name);
if (environments.length === 0)
  fail(`the argument must be ${deployedEnvironments().join(" or ")}; without one, all are checked`);
if (worker !== "api" && worker !== "console") fail("the second argument must be api or console");
for (const environment of environments) {
  const api = await readEnvironment(environment);
  const own = await readEnvironment(environment, CONSOLE_CONFIG);
  if (!isDeploying || worker === "api")
    await check(
      environment,
      CONFIG,
      api,
      apiFaults(environment, api, await readRegions()),
      BUNDLE_BUDGET_KIB.api,
    );
  if (!isDeploying || worker === "console")
    await check(
      environment,
      CONSOLE_CONFIG,
      own,
      consoleFaults(api, own),
      BUNDLE_BUDGET_KIB.console,
    );
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

/** Prints the faults. The dry run takes seconds, so it is skipped if there is one. */
async function check(
  environment: string,
  file: string,
  config: EnvironmentConfig,
  faults: string[],
  budgetKib: number,
): Promise<void> {
  const subject = `${path.basename(file)}, ${environment}`;
  const found = [...faults, ...(isDeploying ? placeholders(config) : [])];
  if (found.length > 0) {
    fail(`${subject}:\n${found.join("\n")}`);
    return;
  }
  const outDir = mkdtempSync(path.join(tmpdir(), "regalo-"));
  const words = ["deploy", "--dry-run", "--minify", "--config", file, "--env", environment];
  const options = { cwd: PROJECT_ROOT, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(WRANGLER, [...words, "--outdir", outDir], options);
  const gzipKib = Number(/gzip: ([\d.]+) KiB/.exec(stdout)?.[1]);
  const size = `${String(gzipKib)} of ${String(budgetKib)} KiB gzip`;
  if (status !== 0) fail(`${subject}: wrangler failed:\n${stdout}${stderr}`);
  else if (gzipKib <= budgetKib) console.log(`${subject}: the configuration is valid, ${size}`);
  else fail(`${subject}: the Worker is too large: ${size}`);
  if (status === 0 && !isDeploying && file === CONFIG && environment === "production")
    await checkStart(path.join(outDir, "index.js"), config);
  rmSync(outDir, { recursive: true });
}

async function checkStart(worker: string, { compatibility_date: date }: EnvironmentConfig) {
  const empty = path.join(path.dirname(worker), "empty");
  const words = ["deploy", "bench/workers/empty.ts", "--dry-run", "--minify", "--name", "empty"];
  const options = ["--config", CONFIG, "--compatibility-date", date, "--outdir", empty];
  spawnSync(WRANGLER, [...words, ...options], { cwd: PROJECT_ROOT });
  const read = (file: string) => readFileSync(file, "utf8");
  const ratio = await startCpuRatio(read(path.join(empty, "empty.js")), read(worker), date);
  const budget = `${ratio.toFixed(1)} of ${String(START_BUDGET)} starts of an empty Worker`;
  if (ratio <= START_BUDGET) console.log(`the start takes the CPU time of ${budget}`);
  else fail(`the start takes too much CPU time: ${budget}`);
}
