// `npm run check:deploy`: what a deployment of each environment would be, without one. Fails when an
// environment lacks a binding or when the Worker is larger than its budget.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROJECT_ROOT, WRANGLER } from "./platform.ts";

const BUNDLE_BUDGET_KIB = 60;
const BINDINGS = ["DB", "KV", "RATE_LIMITER", "ENVIRONMENT", "PUBLIC_URL"];

for (const environment of ["sandbox", "production"]) {
  const outDir = mkdtempSync(path.join(tmpdir(), "regalo-"));
  const { status, stdout, stderr } = spawnSync(
    WRANGLER,
    ["deploy", "--dry-run", "--minify", "--env", environment, "--outdir", outDir],
    { cwd: PROJECT_ROOT, encoding: "utf8" },
  );
  rmSync(outDir, { recursive: true });
  const gzipKib = Number(/gzip: ([\d.]+) KiB/.exec(stdout)?.[1]);
  const missing = BINDINGS.filter((name) => !stdout.includes(`env.${name} `));
  const faults = [
    ...(status === 0 ? [] : [`wrangler failed:\n${stdout}${stderr}`]),
    ...(missing.length === 0 ? [] : [`missing bindings: ${missing.join(", ")}`]),
    ...(gzipKib <= BUNDLE_BUDGET_KIB
      ? []
      : [`${String(gzipKib)} KiB gzip are over the budget of ${String(BUNDLE_BUDGET_KIB)}`]),
  ];
  if (faults.length > 0) {
    console.error(`${environment}: ${faults.join("\n")}`);
    process.exitCode = 1;
  } else {
    console.log(
      `${environment}: every binding, ${String(gzipKib)} of ${String(BUNDLE_BUDGET_KIB)} KiB gzip`,
    );
  }
}
