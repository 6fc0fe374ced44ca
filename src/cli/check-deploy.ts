// `npm run check:deploy`: what a deployment of each environment would be, without one. Fails when a variable
// breaks a rule, when a binding is missing or when the Worker is larger than its budget. With the name of an
// environment it checks that one as it is about to be deployed: then a placeholder address fails, too.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  brokenVariables,
  type Deployed,
  DEPLOYED,
  placeholderAddress,
  readEnvironment,
} from "./deployment.ts";
import { PROJECT_ROOT, WRANGLER } from "./project.ts";

const BUNDLE_BUDGET_KIB = 60;
const BINDINGS = ["DB", "KV", "RATE_LIMITER", "ENVIRONMENT", "PUBLIC_URL"];

const [named] = process.argv.slice(2);
const isDeploying = named !== undefined;
const environments = DEPLOYED.filter((name) => !isDeploying || name === named);
if (environments.length === 0) fail(`name ${DEPLOYED.join(" or ")}, or nothing to check both`);
for (const environment of environments) {
  const variables = await checkVariables(environment);
  // The dry run takes seconds, and a deployment with such a variable is refused in any case.
  const faults = variables.length > 0 ? variables : checkBundle(environment);
  if (faults.length > 0) fail(`${environment}: ${faults.join("\n")}`);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

async function checkVariables(environment: Deployed): Promise<string[]> {
  const config = await readEnvironment(environment);
  const placeholder = placeholderAddress(config);
  if (placeholder && !isDeploying) console.warn(`${environment}: note: ${placeholder}`);
  return [
    ...brokenVariables(environment, config),
    ...(placeholder && isDeploying ? [placeholder] : []),
  ];
}

/** Bindings and size, as `wrangler deploy` would upload them. */
function checkBundle(environment: Deployed): string[] {
  const outDir = mkdtempSync(path.join(tmpdir(), "regalo-"));
  const { status, stdout, stderr } = spawnSync(
    WRANGLER,
    ["deploy", "--dry-run", "--minify", "--env", environment, "--outdir", outDir],
    { cwd: PROJECT_ROOT, encoding: "utf8" },
  );
  rmSync(outDir, { recursive: true });
  const gzipKib = Number(/gzip: ([\d.]+) KiB/.exec(stdout)?.[1]);
  const missing = BINDINGS.filter((name) => !stdout.includes(`env.${name} `));
  const size = `${String(gzipKib)} of ${String(BUNDLE_BUDGET_KIB)} KiB gzip`;
  const faults = [
    ...(status === 0 ? [] : [`wrangler failed:\n${stdout}${stderr}`]),
    ...(missing.length === 0 ? [] : [`missing bindings: ${missing.join(", ")}`]),
    ...(gzipKib <= BUNDLE_BUDGET_KIB ? [] : [`over the budget: ${size}`]),
  ];
  if (faults.length === 0) console.log(`${environment}: every variable and binding, ${size}`);
  return faults;
}
