// Prepares the local environment: the secret, the tables and the demo data.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PROJECT_ROOT, WRANGLER } from "./paths.ts";

const LOCAL_SECRETS = path.join(PROJECT_ROOT, ".dev.vars");

/** A file that lists the applied migrations. It is next to the local database, so that both are deleted together. */
const STAMP = path.join(PROJECT_ROOT, ".wrangler/state/v3/d1/prepared");

export const DEMO_CLIENTS = `
  Two demo clients are ready (for this machine only):

    CLIENT-ID: demo       API-KEY: demo-key       API-PASSWORD: demo-password
    CLIENT-ID: demo-two   API-KEY: demo-two-key   API-PASSWORD: demo-two-password
`;

/** Creates what is missing. If everything exists, does not open the database. Returns whether demo data was added. */
export async function prepare(): Promise<"seeded" | "existing"> {
  createLocalSecret();
  const migrations = readdirSync(path.join(PROJECT_ROOT, "migrations")).join("\n");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === migrations) return "existing";
  migrate();
  const [{ withBindings }, { seed }] = await Promise.all([
    import("./bindings.ts"),
    import("./seed.ts"),
  ]);
  const outcome = await withBindings({ environment: "local" }, (env) => seed(env, Date.now()));
  writeFileSync(STAMP, migrations);
  return outcome;
}

/**
 * Creates the key of gift links if there is none. Links remain valid after a restart, because the key does not change.
 */
function createLocalSecret(): void {
  if (existsSync(LOCAL_SECRETS)) return;
  const secret = randomBytes(32).toString("base64url");
  writeFileSync(LOCAL_SECRETS, `GIFT_LINK_SECRET=${secret}\n`, { mode: 0o600 });
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
