// Publishes a catalogue to a simulated Cloudflare, with the latency and the bandwidth of an office: how many requests,
// bytes, rows and seconds does it take? Usage: npm run bench:publish -- [PRODUCTS]
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROJECT_ROOT } from "../src/cli/paths.ts";
import { type Cloudflare, startCloudflare } from "../test/cloudflare/cloudflare.ts";
import { addEnvironment } from "../test/cloudflare/environment.ts";

const products = Number(process.argv[2] ?? 10_000);
const CONDITIONS = { latencyMs: 120, bytesPerSecond: 20e6 / 8 };
/** The maximum number of bytes that are sent, as a multiple of the size of the file. */
const MAX_BYTES = 2;

const folder = mkdtempSync(path.join(tmpdir(), "regalo-publish-"));
const file = path.join(folder, "products.json");
const generate = [path.join(PROJECT_ROOT, "bench/catalogue-file.ts"), String(products)];
writeFileSync(file, execFileSync(process.execPath, generate, { maxBuffer: 1e9 }));
const cloudflare = await startCloudflare();
await addEnvironment(cloudflare, "sandbox");
Object.assign(cloudflare.network.conditions, CONDITIONS);

const fileBytes = statSync(file).size;
console.log(`${String(products)} products, ${(fileBytes / 1e6).toFixed(1)} MB`);
let isMissed = false;
for (const publication of ["first publication", "same file again"]) {
  const cost = await costOf(() => publish(cloudflare));
  console.log(
    `${publication}: ${cost.seconds.toFixed(0)} s, ${String(cost.requests)} calls to D1, ` +
      `${(cost.bytes / 1e6).toFixed(1)} MB sent (${(cost.bytes / fileBytes).toFixed(2)} × the file), ` +
      `${String(cost.rowsRead)} rows read, ${String(cost.rowsWritten)} rows written, ` +
      `at most ${String(cloudflare.network.usage.maxStatements)} statements in a call`,
  );
  isMissed ||= cost.bytes > MAX_BYTES * fileBytes;
}
await cloudflare.close();
rmSync(folder, { recursive: true });
process.exitCode = Number(isMissed);

async function costOf(work: () => Promise<void>) {
  const { network, requests } = cloudflare;
  const count = () => ({
    seconds: Date.now() / 1_000,
    requests: requests.filter((request) => request === "PREVIEW").length,
    bytes: network.bytesSent(),
    rowsRead: network.usage.rowsRead,
    rowsWritten: network.usage.rowsWritten,
  });
  const before = count();
  await work();
  const after = count();
  return {
    seconds: after.seconds - before.seconds,
    requests: after.requests - before.requests,
    bytes: after.bytes - before.bytes,
    rowsRead: after.rowsRead - before.rowsRead,
    rowsWritten: after.rowsWritten - before.rowsWritten,
  };
}

function publish({ env }: Cloudflare): Promise<void> {
  const words = ["catalogue", "publish", file, "--env", "sandbox", "--as", "bench", "--yes"];
  const child = spawn(process.execPath, [path.join(PROJECT_ROOT, "src/cli/ops.ts"), ...words], {
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`publishing ended with ${String(code)}`));
    });
  });
}
