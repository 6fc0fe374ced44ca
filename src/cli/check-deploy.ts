// `npm run check:deploy`: checks the configuration of both Workers in each deployed environment, with a dry run of its
// deployment. It fails if a variable is invalid, a binding is missing, or a Worker is larger than its budget. With the
// name of an environment, it checks the API there, and with `console` after it the console. It then also fails if an id
// or an address is still a placeholder.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type DeployedEnvironment,
  DEPLOYED_ENVIRONMENTS,
  placeholderId,
  readEnvironment,
} from "./deployed-environment.ts";
import {
  bindingsOf,
  brokenVariables,
  CONSOLE_BINDINGS,
  consoleFaults,
  consolePlaceholder,
  placeholderAddress,
  unservedAddress,
} from "./deployment-checks.ts";
import { CONFIG, CONSOLE_CONFIG, PROJECT_ROOT, WRANGLER } from "./paths.ts";

const BUNDLE_BUDGET_KIB = { production: 116, sandbox: 122, console: 250 };

const [name, worker = "api"] = process.argv.slice(2);
const isDeploying = name !== undefined;
const environments = DEPLOYED_ENVIRONMENTS.filter((each) => !isDeploying || each === name);
if (environments.length === 0)
  fail(`the argument must be ${DEPLOYED_ENVIRONMENTS.join(" or ")}; without one, both are checked`);
for (const environment of environments) {
  if (!isDeploying || worker === "api") await checkApi(environment);
  if (!isDeploying || worker === "console") await checkConsole(environment);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

async function checkApi(environment: DeployedEnvironment): Promise<void> {
  const config = await readEnvironment(environment);
  const placeholder =
    placeholderAddress(config) ?? unservedAddress(config) ?? placeholderId(environment, config);
  check(environment, brokenVariables(environment, config), placeholder, () =>
    dryRun(environment, CONFIG, bindingsOf(environment), BUNDLE_BUDGET_KIB[environment]),
  );
}

async function checkConsole(environment: DeployedEnvironment): Promise<void> {
  const [api, own] = [
    await readEnvironment(environment),
    await readEnvironment(environment, CONSOLE_CONFIG),
  ];
  const placeholder = consolePlaceholder(own) ?? placeholderId(environment, own);
  check(`console of ${environment}`, consoleFaults(api, own), placeholder, () =>
    dryRun(environment, CONSOLE_CONFIG, CONSOLE_BINDINGS, BUNDLE_BUDGET_KIB.console),
  );
}

/** Reports the faults. The dry run takes seconds, so it is skipped if there is one. */
function check(
  subject: string,
  settings: string[],
  placeholder: string | undefined,
  run: () => { faults: string[]; size: string },
): void {
  const found = [...settings, ...(isDeploying && placeholder ? [placeholder] : [])];
  const { faults, size } = found.length > 0 ? { faults: found, size: "" } : run();
  if (faults.length > 0) fail(`${subject}: ${faults.join("\n")}`);
  else console.log(`${subject}: variables and bindings are valid, ${size}`);
}

/** Checks the bindings and the size of the bundle that `wrangler deploy` would upload. */
function dryRun(
  environment: DeployedEnvironment,
  config: string,
  bindings: readonly string[],
  budgetKib: number,
) {
  const outDir = mkdtempSync(path.join(tmpdir(), "regalo-"));
  const options = ["--config", config, "--env", environment, "--outdir", outDir];
  const { status, stdout, stderr } = spawnSync(
    WRANGLER,
    ["deploy", "--dry-run", "--minify", ...options],
    { cwd: PROJECT_ROOT, encoding: "utf8" },
  );
  rmSync(outDir, { recursive: true });
  const gzipKib = Number(/gzip: ([\d.]+) KiB/.exec(stdout)?.[1]);
  const missing = bindings.filter((binding) => !stdout.includes(`env.${binding} `));
  const size = `${String(gzipKib)} of ${String(budgetKib)} KiB gzip`;
  const faults = [
    ...(status === 0 ? [] : [`wrangler failed:\n${stdout}${stderr}`]),
    ...(missing.length === 0 ? [] : [`missing bindings: ${missing.join(", ")}`]),
    ...(gzipKib <= budgetKib ? [] : [`the Worker is too large: ${size}`]),
  ];
  return { faults, size };
}
