// Prepares the local environment: the secrets, the reference page, the tables and the demo data.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { PROJECT_ROOT, WRANGLER } from "./paths.ts";
import { updateReference } from "./reference.ts";

const LOCAL_SECRETS = path.join(PROJECT_ROOT, ".dev.vars");

/** A file that lists the applied migrations. It is next to the local database, so that both are deleted together. */
const STAMP = path.join(PROJECT_ROOT, ".wrangler/state/v3/d1/prepared");

export const DEMO_CLIENTS = `
  Three demo clients are ready (for this machine only):

    CLIENT-ID: demo       API-KEY: demo-key       API-PASSWORD: demo-password
    CLIENT-ID: demo-two   API-KEY: demo-two-key   API-PASSWORD: demo-two-password
    CLIENT-ID: demo-jp    API-KEY: demo-jp-key    API-PASSWORD: demo-jp-password    (prices in yen)
`;

/**
 * Creates what is missing. If everything exists, does not open the database. Returns whether demo data was added.
 * `url` is where the API is served, if not at PUBLIC_URL.
 */
export async function prepare(url?: string): Promise<"seeded" | "existing"> {
  addLocalSecrets(LOCAL_SECRETS);
  await updateReference();
  const migrations = readdirSync(path.join(PROJECT_ROOT, "migrations")).join("\n");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === migrations) return "existing";
  migrate();
  const [{ withBindings }, { seed }] = await Promise.all([
    import("./bindings.ts"),
    import("./seed.ts"),
  ]);
  const outcome = await withBindings({ environment: "local" }, (env) =>
    seed({ ...env, ...(url !== undefined && { PUBLIC_URL: url }) }, Date.now()),
  );
  writeFileSync(STAMP, migrations);
  return outcome;
}

/** The secrets of the Worker. */
const SECRETS = ["GIFT_LINK_SECRET", "WEBHOOK_SECRET"];

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
