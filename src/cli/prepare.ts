// Prepares the local environment: the secrets, the reference page, the tables and the demo data.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { changedMigrations, LOCAL_STATE, readMigrations, stampOf } from "./migrations.ts";
import { PROJECT_ROOT, WRANGLER } from "./paths.ts";
import { updateReference } from "./reference.ts";

const LOCAL_SECRETS = path.join(PROJECT_ROOT, ".dev.vars");

export const DEMO_CLIENTS = `
  Three demo clients are ready (for this machine only):

    CLIENT-ID: demo       API-KEY: demo-key       API-PASSWORD: demo-password
    CLIENT-ID: demo-two   API-KEY: demo-two-key   API-PASSWORD: demo-two-password
    CLIENT-ID: demo-jp    API-KEY: demo-jp-key    API-PASSWORD: demo-jp-password    (prices in yen)
`;

/**
 * Creates what is missing. If everything exists, does not open the database. Ends the process if an applied migration has
 * changed. Returns whether demo data was added. `url` is where the API is served, if not at PUBLIC_URL.
 */
export async function prepare(url?: string): Promise<"seeded" | "existing"> {
  const problem = changedMigrations(LOCAL_STATE);
  if (problem !== null) {
    console.error(`error: ${problem}`);
    process.exit(1);
  }
  addLocalSecrets(LOCAL_SECRETS);
  await updateReference();
  const stamp = stampOf(LOCAL_STATE);
  const migrations = readMigrations().join("\n");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === migrations) return "existing";
  migrate();
  const [{ withLocalState }, { seed }] = await Promise.all([
    import("./local-state.ts"),
    import("./seed.ts"),
  ]);
  const outcome = await withLocalState(LOCAL_STATE, (env) =>
    seed({ ...env, ...(url !== undefined && { PUBLIC_URL: url }) }, Date.now()),
  );
  writeFileSync(stamp, migrations);
  return outcome;
}

/** The secrets of the Worker. */
const SECRETS = ["GIFT_LINK_SECRET", "WEBHOOK_SECRET", "CODE_SECRET"];

/**
 * Adds the secrets that the file lacks. Existing lines do not change, so gift links and signatures remain valid after a
 * restart.
 */
export function addLocalSecrets(file: string): void {
  const existing = existsSync(file) ? readFileSync(file, "utf8") : "";
  const lines = SECRETS.filter(
    (name) => !new RegExp(`^\\s*(?:export\\s+)?${name}\\s*[=:]`, "m").test(existing),
  ).map((name) => `${name}=${randomBytes(32).toString("base64url")}\n`);
  if (lines.length === 0) return;
  const separator = existing === "" || existing.endsWith("\n") ? "" : "\n";
  appendFileSync(file, separator + lines.join(""), { mode: 0o600 });
  // The mode above is only that of a new file.
  chmodSync(file, 0o600);
}

function migrate(): void {
  const { status, stdout, stderr } = spawnSync(
    WRANGLER,
    ["d1", "migrations", "apply", "DB", "--local"],
    // Wrangler does not prompt without a terminal.
    { cwd: PROJECT_ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  );
  if (status !== 0) throw new Error(`the migrations could not be applied:\n${stdout}${stderr}`);
}
