// Commands of wrangler that operators use after a deployment, on the simulated Cloudflare.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WRANGLER } from "../../src/cli/paths.ts";
import { type Cloudflare, startCloudflare } from "../cloudflare/cloudflare.ts";
import { addEnvironment } from "../cloudflare/environment.ts";
import { run } from "../support/command.ts";

const DATABASE = "regalo-sandbox";

let cloudflare: Cloudflare;
let uuid: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "regalo-simulation-"));
  cloudflare = await startCloudflare();
  uuid = await addEnvironment(cloudflare, "sandbox");
});

afterAll(async () => {
  await cloudflare.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command of wrangler that must succeed, and returns its output. */
async function wrangler(...words: string[]): Promise<string> {
  const { code, out, err } = await run(WRANGLER, words, cloudflare.env);
  expect(code, out + err).toBe(0);
  return out;
}

/** The number of rows in a table that the migrations fill. */
const countRows = async (id: string) =>
  (await cloudflare.runtime.database(id))
    .prepare("SELECT count(*) AS count FROM id_sequences")
    .first<number>("count");

test("a database is restored to a bookmark, and the restoration is undone", async () => {
  const before = await countRows(uuid);
  expect(before).toBeGreaterThan(0);
  const info = ["d1", "time-travel", "info", DATABASE, "--json"];
  const { bookmark } = JSON.parse(await wrangler(...info)) as { bookmark: string };
  await (await cloudflare.runtime.database(uuid)).prepare("DELETE FROM id_sequences").run();
  const restore = ["d1", "time-travel", "restore", DATABASE, "--json", "--bookmark"];
  const restored = JSON.parse(await wrangler(...restore, bookmark)) as {
    previous_bookmark: string;
  };
  expect(await countRows(uuid)).toBe(before);
  await wrangler(...restore, restored.previous_bookmark);
  expect(await countRows(uuid)).toBe(0);
  await wrangler(...restore, bookmark);
});

test("an export can be imported into another database", async () => {
  const file = path.join(folder, "export.sql");
  await wrangler("d1", "export", DATABASE, "--remote", "--output", file);
  writeFileSync(file, `PRAGMA defer_foreign_keys=TRUE;\n${readFileSync(file, "utf8")}`);
  await wrangler("d1", "create", "copy");
  await wrangler("d1", "execute", "copy", "--remote", "--yes", "--file", file);
  const copy = cloudflare.accounts[0]?.databases[1]?.uuid ?? "";
  expect(await countRows(copy)).toBe(await countRows(uuid));
});

test("keys are written to a namespace, and read from it", async () => {
  const id = cloudflare.accounts[0]?.namespaces[0]?.id ?? "";
  const key = (...words: string[]) =>
    wrangler("kv", "key", ...words, "--namespace-id", id, "--remote");
  await key("put", "greeting", "hello");
  expect(await key("get", "greeting", "--text")).toContain("hello");
  expect(JSON.parse(await key("list"))).toEqual([{ name: "greeting" }]);
});
