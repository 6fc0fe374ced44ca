// Publishing to a deployed environment over a network as in an office: 120 ms for each request, 20 Mbit/s.
// `npm run bench:publish` publishes 10,000 products.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { startCloudflare } from "../cloudflare/cloudflare.ts";
import { addEnvironment } from "../cloudflare/environment.ts";
import { NODE, OPS, run } from "../support/command.ts";

const PRODUCTS = 500;

test("sends the file little more than once, in few calls", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-publishing-"));
  const file = path.join(folder, "products.json");
  const generator = path.join(PROJECT_ROOT, "bench/catalogue-file.ts");
  writeFileSync(file, execFileSync(NODE, [generator, String(PRODUCTS)], { maxBuffer: 1e8 }));
  const cloudflare = await startCloudflare();
  const uuid = await addEnvironment(cloudflare, "sandbox");
  const { network, requests } = cloudflare;
  Object.assign(network.conditions, { latencyMs: 120, bytesPerSecond: 20e6 / 8 });

  const options = "--env sandbox --as ada --yes --json".split(" ");
  const words = [OPS, "catalogue", "publish", file, ...options];
  const { code, out, err } = await run(NODE, words, cloudflare.env);
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ environment: "sandbox", version: 1, added: PRODUCTS });
  // No progress with --json.
  expect(err).not.toContain("published");
  const database = await cloudflare.runtime.database(uuid);
  expect(await database.prepare("SELECT count(*) AS count FROM catalogue_entries").first()).toEqual(
    { count: PRODUCTS },
  );

  const bytes = statSync(file).size;
  // The index of the products' words is sent too, and the Worker of the remote bindings is uploaded.
  expect(network.bytesSent()).toBeLessThan(1.2 * bytes + 150_000);
  // A chunk has at most 500 kB. The other calls plan the publication, make it current and delete old rows. Planning reads
  // the current revisions, to compare translations: one call for each 5,000 products.
  const calls = requests.filter((request) => request === "PREVIEW").length;
  expect(calls).toBeLessThanOrEqual(19 + Math.ceil(bytes / 450_000));
  // The free plan of Workers allows 50 statements in an invocation, and 100,000 rows written a day.
  expect(network.usage.maxStatements).toBeLessThanOrEqual(13);
  expect(network.usage.rowsWritten / PRODUCTS).toBeLessThan(11.2);
  await cloudflare.close();
  rmSync(folder, { recursive: true });
});
