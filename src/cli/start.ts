// `npm start`: from a fresh clone to a served API, and every time after that.
import { spawn } from "node:child_process";
import { DEMO_CLIENTS, prepare } from "./prepare.ts";
import { PROJECT_ROOT, WRANGLER } from "./project.ts";

const port = process.env["PORT"] ?? "8787";
if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
  console.error(`PORT must be a number from 1 to 65535: ${port}`);
  process.exit(2);
}
const url = `http://localhost:${port}`;

const outcome = await prepare();
console.log(outcome === "seeded" ? "The local database is seeded." : "The local database is kept.");
console.log(`${DEMO_CLIENTS}
  Try it from another terminal:

    curl -H 'CLIENT-ID: demo' -H 'API-KEY: demo-key' -H 'API-PASSWORD: demo-password' \\
      '${url}/api/products?limit=2'

  Read everything else at ${url}/docs
`);
serve();

/** Serves until it is told to end, by Ctrl-C or SIGTERM; this process leaves with wrangler. */
function serve(): void {
  const words = ["dev", "--port", port, "--var", `PUBLIC_URL:${url}`];
  const server = spawn(WRANGLER, words, { cwd: PROJECT_ROOT, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => server.kill(signal));
  }
  server.on("exit", (code) => process.exit(code ?? 0));
}
