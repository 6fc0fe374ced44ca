// The migrations with which a local database was made. Wrangler compares only their names, so it does not apply a changed
// one again.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { PROJECT_ROOT } from "./paths.ts";

/** The folder of the local state, as in wrangler's --persist-to. */
export const LOCAL_STATE = path.join(PROJECT_ROOT, ".wrangler/state");

const FOLDER = path.join(PROJECT_ROOT, "migrations");

/** The file with the applied migrations. It is next to the database, so that both are deleted together. */
export const stampOf = (state: string) => path.join(state, "v3/d1/prepared");

/** A line for each migration, with the digest of its content and its name. */
export const readMigrations = () =>
  readdirSync(FOLDER).map((name) => {
    const content = readFileSync(path.join(FOLDER, name));
    return `${createHash("sha256").update(content).digest("hex")} ${name}`;
  });

/** Which applied migration has changed, and what to do. Null if none has, or if the database was made without a stamp. */
export function changedMigrations(state: string): string | null {
  const migrations = readMigrations();
  const stamp = stampOf(state);
  const applied = existsSync(stamp) ? readFileSync(stamp, "utf8").split("\n") : [];
  const changed = applied.find((line) => !migrations.includes(line));
  if (changed === undefined) return null;
  const file = changed.replace(/^.* /, "migrations/");
  return `${file} is not as it was applied to the local database. Delete the folder ${state}, and run "npm start".`;
}
