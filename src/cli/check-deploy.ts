// `npm run check:deploy`: checks the configuration of each deployed environment, with a dry run of its deployment. It
// fails if a variable is invalid, a binding is missing, or a Worker is larger than its budget, also the console's. Given the name of an
// environment, it checks only that environment, and also fails if an address is still a placeholder or not the
// Worker's.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkConsole } from "./console-configuration.ts";
import {
  bindingsOf,
  brokenVariables,
  type DeployedEnvironment,
  DEPLOYED_ENVIRONMENTS,
  placeholderAddress,
  readEnvironment,
  unservedAddress,
} from "./deployed-environment.ts";
import { CONFIG, CONSOLE_CONFIG, PROJECT_ROOT, WRANGLER } from "./paths.ts";

const BUNDLE_BUDGET_KIB = { production: 112, sandbox: 118 };
const CONSOLE_BUDGET_KIB = 250;

/** The bindings that the console must have. */
const CONSOLE_BINDINGS = ["DB", "KV", "WEBHOOK_QUEUE", "ENVIRONMENT", "PUBLIC_URL", "EMAIL_FROM"];

const [name] = process.argv.slice(2);
const isDeploying = name !== undefined;
const environments = DEPLOYED_ENVIRONMENTS.filter((each) => !isDeploying || each === name);
if (environments.length === 0)
  fail(`the argument must be ${DEPLOYED_ENVIRONMENTS.join(" or ")}; without one, both are checked`);
for (const environment of environments) {
  const variables = await checkVariables(environment);
  // The dry run takes seconds. It is skipped if a variable is invalid.
  const faults = variables.length > 0 ? variables : checkBundle(environment);
  if (faults.length > 0) fail(`${environment}: ${faults.join("\n")}`);
}
// `deploy:console` checks the console of the environment that it deploys.
for (const environment of isDeploying ? [] : environments) {
  const settings = await checkConsole(environment, "placeholders");
  const faults = settings.length > 0 ? settings : checkConsoleBundle(environment);
  if (faults.length > 0) fail(`console of ${environment}: ${faults.join("\n")}`);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

async function checkVariables(environment: DeployedEnvironment): Promise<string[]> {
  const config = await readEnvironment(environment);
  const broken = brokenVariables(environment, config);
  if (broken.length > 0) return broken;
  const fault = placeholderAddress(config) ?? unservedAddress(config);
  if (!fault) return [];
  if (isDeploying) return [fault];
  console.warn(`${environment}: note: ${fault}`);
  return [];
}

function checkBundle(environment: DeployedEnvironment): string[] {
  return dryRun(environment, CONFIG, bindingsOf(environment), BUNDLE_BUDGET_KIB[environment]);
}

function checkConsoleBundle(environment: DeployedEnvironment): string[] {
  return dryRun(environment, CONSOLE_CONFIG, CONSOLE_BINDINGS, CONSOLE_BUDGET_KIB);
}

/** Checks the bindings and the size of the bundle that `wrangler deploy` would upload. */
function dryRun(
  environment: DeployedEnvironment,
  config: string,
  bindings: readonly string[],
  budgetKib: number,
): string[] {
  const outDir = mkdtempSync(path.join(tmpdir(), "regalo-"));
  const options = ["--config", config, "--env", environment, "--outdir", outDir];
  const { status, stdout, stderr } = spawnSync(
    WRANGLER,
    ["deploy", "--dry-run", "--minify", ...options],
    { cwd: PROJECT_ROOT, encoding: "utf8" },
  );
  rmSync(outDir, { recursive: true });
  const gzipKib = Number(/gzip: ([\d.]+) KiB/.exec(stdout)?.[1]);
  const missing = bindings.filter((name) => !stdout.includes(`env.${name} `));
  const size = `${String(gzipKib)} of ${String(budgetKib)} KiB gzip`;
  const faults = [
    ...(status === 0 ? [] : [`wrangler failed:\n${stdout}${stderr}`]),
    ...(missing.length === 0 ? [] : [`missing bindings: ${missing.join(", ")}`]),
    ...(gzipKib <= budgetKib ? [] : [`the Worker is too large: ${size}`]),
  ];
  const worker = config === CONFIG ? environment : `console of ${environment}`;
  if (faults.length === 0) console.log(`${worker}: variables and bindings are valid, ${size}`);
  return faults;
}
