// Local states with the migrations. Applying them takes wrangler seconds, so it is done once and copied.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { CONFIG, PROJECT_ROOT, WRANGLER } from "../../src/cli/paths.ts";

const CACHE = path.join(PROJECT_ROOT, "node_modules/.cache/migrated");
const MIGRATIONS = path.join(PROJECT_ROOT, "migrations");

/** What the state depends on. */
function versionOf(): string {
  const { version } = createRequire(import.meta.url)("wrangler/package.json") as {
    version: string;
  };
  const files = readdirSync(MIGRATIONS).map((name) => path.join(MIGRATIONS, name));
  const contents = [CONFIG, ...files].map((file) => readFileSync(file, "utf8"));
  return createHash("sha256")
    .update(JSON.stringify([version, ...contents]))
    .digest("hex");
}

/** Creates a local state with the migrations in the folder. */
export function copyMigrated(folder: string): void {
  const migrated = path.join(CACHE, versionOf());
  if (!existsSync(migrated)) create(migrated);
  cpSync(migrated, folder, { recursive: true });
}

function create(migrated: string): void {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE, "new-"));
  const words = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", folder];
  const env = { ...process.env, CI: "true" };
  const done = spawnSync(WRANGLER, words, { cwd: PROJECT_ROOT, encoding: "utf8", env });
  if (done.status !== 0) throw new Error(done.stdout + done.stderr);
  try {
    renameSync(folder, migrated);
  } catch (error) {
    // Another test file was faster.
    rmSync(folder, { recursive: true });
    if (!existsSync(migrated)) throw error;
  }
}
