// What previews use of an environment, and the settings of a client with those that are tried.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseInput } from "../../operator/declaration/input.ts";
import type { JsonRow, ShownContent } from "../../operator/declaration/output.ts";
import { clientSet } from "../../operator/clients/set.ts";
import { changedColumns, SETTING_FACTS, type Settings } from "../../operator/clients/settings.ts";
import type { MessageEnv } from "../../features/email/email.ts";
import { type Environment, send } from "../operations/request.ts";
import { CONFIG, PROJECT_ROOT } from "../paths.ts";

export const PUBLIC = path.join(PROJECT_ROOT, "public");

/** The binding of the static files, from the disk. */
export const ASSETS = {
  fetch: async (url: string) =>
    new Response(await readFile(path.join(PUBLIC, new URL(url).pathname))),
} as unknown as Fetcher;

/** The variables of the environment in wrangler.toml. */
export async function previewEnv(environment: Environment): Promise<MessageEnv> {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const env = environment === "local" ? {} : { env: environment };
  const config: unknown = readConfig({ config: CONFIG, ...env }, { hideWarnings: true });
  return { ...(config as { vars: Omit<MessageEnv, "ASSETS"> }).vars, ASSETS };
}

/** The facts of `client show`. Errors: those of `send`. */
export async function readFacts(environment: Environment, client: string): Promise<JsonRow> {
  const request = { environment, name: "client show", method: "GET", input: { client } } as const;
  return (await (await send(fetch, request)).json<ShownContent>()).facts;
}

/** The settings of the facts with those that are tried, as `client set` takes them. Errors: `validation_error`. */
export function triedSettings(facts: JsonRow, tried: object): Partial<Settings> {
  const present = Object.entries(facts).filter(([name]) => name in SETTING_FACTS);
  const input = { client: "preview", ...Object.fromEntries(present), ...tried };
  return changedColumns({}, parseInput(clientSet, input));
}
