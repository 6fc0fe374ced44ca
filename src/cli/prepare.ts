// What serving on this machine needs: a secret, the tables and the demo data.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PROJECT_ROOT, WRANGLER } from "./project.ts";

const LOCAL_SECRETS = path.join(PROJECT_ROOT, ".dev.vars");

/** Names the migrations that the local database has. It lies beside the database, so that they go together. */
const STAMP = path.join(PROJECT_ROOT, ".wrangler/state/v3/d1/prepared");

export const DEMO_CLIENTS = `
  Two demo clients are ready (for this machine only):

    CLIENT-ID: demo       API-KEY: demo-key       API-PASSWORD: demo-password
    CLIENT-ID: demo-two   API-KEY: demo-two-key   API-PASSWORD: demo-two-password
`;

/** Makes what is missing. Quick when nothing is: the database is not opened then. */
export async function prepare(): Promise<"seeded" | "kept"> {
  makeLocalSecret();
  const migrations = readdirSync(path.join(PROJECT_ROOT, "migrations")).join("\n");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === migrations) return "kept";
  migrate();
  const [{ withPlatform }, { seed }] = await Promise.all([
    import("./platform.ts"),
    import("./seed.ts"),
  ]);
  const outcome = await withPlatform({ environment: "local" }, (env) => seed(env, Date.now()));
  writeFileSync(STAMP, migrations);
  return outcome;
}

/** Gift links need a key; this machine's is made once and stays, so that links survive a restart. */
function makeLocalSecret(): void {
  if (existsSync(LOCAL_SECRETS)) return;
  const secret = randomBytes(32).toString("base64url");
  writeFileSync(LOCAL_SECRETS, `GIFT_LINK_SECRET=${secret}\n`, { mode: 0o600 });
}

function migrate(): void {
  const { status, stdout, stderr } = spawnSync(
    WRANGLER,
    ["d1", "migrations", "apply", "DB", "--local"],
    // Without a terminal wrangler asks nothing.
    { cwd: PROJECT_ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  );
  if (status !== 0) throw new Error(`the migrations could not be applied:\n${stdout}${stderr}`);
}
