// Prepares the local environment without serving it. Wrangler runs this file before it bundles the Worker (`[build]` in
// wrangler.toml), so that `wrangler dev` serves the same environment as `npm start`.
import { DEMO_CLIENTS, prepare } from "./prepare.ts";

const { WRANGLER_COMMAND = "dev", REGALO_SETUP } = process.env;
// Wrangler also runs the build for a deployment, which needs no local environment.
if (WRANGLER_COMMAND === "dev" && REGALO_SETUP !== "off" && (await prepare()) === "seeded") {
  console.log(DEMO_CLIENTS);
}
