// `npm start` and `npm run console`: prepare the local environment if necessary, and serve the API and the console.
// Locally, wrangler does not run cron triggers, so this process calls the Worker's cron handler each minute.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { LOCAL_WORKER } from "./local-console.ts";
import { isServed, ROLE_PATH, serveLocalAccess, teamDomain } from "./local-access.ts";
import { DEMO_CLIENTS, prepare } from "./prepare.ts";
import { PROJECT_ROOT } from "./paths.ts";

const port = process.env["PORT"] ?? "8787";
if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
  console.error(`PORT must be a number from 1 to 65535: ${port}`);
  process.exit(2);
}
const CRON_INTERVAL_MS = 60_000;
const url = `http://localhost:${port}`;
const consolePort = String(Number(port) + 1);
const consoleUrl = `http://localhost:${consolePort}`;

if (process.argv[2] === "console" && (await isServed(consolePort))) {
  console.log(`The console is served already: ${consoleUrl}`);
  process.exit();
}

const outcome = await prepare(url);
console.log(
  outcome === "seeded"
    ? "Added the demo data to the local database."
    : "Using the existing local database.",
);
console.log(`${DEMO_CLIENTS}
  Try it from another terminal:

    curl -H 'CLIENT-ID: demo' -H 'API-KEY: demo-key' -H 'API-PASSWORD: demo-password' \\
      '${url}/api/products?limit=2'

  Documentation: ${url}/docs
  E-mails to recipients: ${url}/mailbox
  Console for operators: ${consoleUrl} (with another role: ${consoleUrl}${ROLE_PATH}?role=support)
`);
await serveLocalAccess(consolePort, port).catch((error: unknown) => {
  console.error(`note: the console cannot be served on port ${consolePort}: ${String(error)}`);
});
serve();

/** Serves until Ctrl-C or SIGTERM. This process and wrangler end together. */
function serve(): void {
  // Wrangler's launcher passes no signals on, and would outlive this process.
  const wrangler = fileURLToPath(import.meta.resolve("wrangler"));
  const options = ["--no-warnings", "--import", `${import.meta.dirname}/end-with-parent.js`];
  const server = spawn(
    process.execPath,
    // Without --test-scheduled, wrangler warns that cron triggers do not run locally.
    [
      ...[...options, wrangler, "dev", LOCAL_WORKER, "--port", port, "--test-scheduled"],
      ...["--var", `PUBLIC_URL:${url}`],
      ...["--var", `CONSOLE_URL:${consoleUrl}`],
      ...["--var", `ACCESS_TEAM_DOMAIN:${teamDomain(consolePort)}`],
    ],
    { cwd: PROJECT_ROOT, stdio: ["inherit", "inherit", "inherit", "ipc"] },
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => server.kill(signal));
  }
  server.on("close", (code) => process.exit(code ?? 0));
  // Wrangler sends one message, when the server is ready. The first call sends the webhooks that a previous process
  // left, because the local queue is in memory.
  server.once("message", () => {
    void callCronHandler();
    setInterval(() => void callCronHandler(), CRON_INTERVAL_MS);
  });
}

/** Wrangler serves the cron handler at this path, and does not log its requests. The Worker logs its own errors. */
async function callCronHandler(): Promise<void> {
  try {
    const signal = AbortSignal.timeout(CRON_INTERVAL_MS);
    await (await fetch(`${url}/cdn-cgi/local/scheduled`, { signal })).text();
  } catch {
    // The server is stopping, or wrangler is building a changed Worker.
  }
}
