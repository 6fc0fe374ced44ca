// `npm start`: from a fresh clone to a served API, and every time after that.
import { randomBytes } from "node:crypto";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PROJECT_ROOT, withPlatform, WRANGLER } from "./platform.ts";
import { seed } from "./seed.ts";

const LOCAL_SECRETS = path.join(PROJECT_ROOT, ".dev.vars");
const PORT = "8787";

const DEMO = `
  Two demo clients are ready (for this machine only):

    CLIENT-ID: demo       API-KEY: demo-key       API-PASSWORD: demo-password
    CLIENT-ID: demo-two   API-KEY: demo-two-key   API-PASSWORD: demo-two-password

  Try it from another terminal:

    curl -H 'CLIENT-ID: demo' -H 'API-KEY: demo-key' -H 'API-PASSWORD: demo-password' \\
      'http://localhost:${PORT}/api/products?limit=2'

  Read everything else at http://localhost:${PORT}/docs
`;

makeLocalSecret();
migrate();
const outcome = await withPlatform({ environment: "local" }, (env) => seed(env, Date.now()));
console.log(outcome === "seeded" ? "The local database is seeded." : "The local database is kept.");
console.log(DEMO);
serve();

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
  if (status === 0) return;
  console.error(stdout, stderr);
  process.exit(1);
}

/** Serves until Ctrl-C: the terminal sends it to both processes, and this one leaves with the other. */
function serve(): void {
  const server = spawn(WRANGLER, ["dev", "--port", PORT], { cwd: PROJECT_ROOT, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => server.kill(signal));
  }
  server.on("exit", (code) => process.exit(code ?? 0));
}
