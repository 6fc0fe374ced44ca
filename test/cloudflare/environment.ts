// Adds the database and the namespace of an environment to a simulated account, as a deployment does.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { unstable_splitSqlQuery } from "wrangler";
import type { DeployedEnvironment } from "../../src/cli/deployed-environment.ts";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { newDatabase } from "./account.ts";
import type { Cloudflare } from "./cloudflare.ts";

/** Adds them with the migrations applied, and returns the id of the database. */
export async function addEnvironment(
  { accounts, runtime }: Cloudflare,
  environment: DeployedEnvironment,
  account = accounts[0],
): Promise<string> {
  const created = newDatabase(`regalo-${environment}`);
  const { uuid } = created;
  account?.databases.push(created);
  account?.namespaces.push({ id: uuid.replaceAll("-", ""), title: `regalo-${environment}-kv` });
  const database = await runtime.database(uuid);
  const folder = path.join(PROJECT_ROOT, "migrations");
  for (const file of readdirSync(folder).sort()) {
    const sql = readFileSync(path.join(folder, file), "utf8");
    await database.batch(unstable_splitSqlQuery(sql).map((each) => database.prepare(each)));
  }
  return uuid;
}
