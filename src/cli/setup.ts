// `npm run setup`: prepares the local environment without serving it. wrangler runs it, too, before it bundles the
// Worker (`[build]` in wrangler.toml): so `wrangler dev` serves what `npm start` serves.
import { DEMO_CLIENTS, prepare } from "./prepare.ts";

const { WRANGLER_COMMAND = "dev", REGALO_SETUP } = process.env;
// wrangler runs the build for a deployment as well, which needs none of this.
if (WRANGLER_COMMAND === "dev" && REGALO_SETUP !== "off" && (await prepare()) === "seeded") {
  console.log(DEMO_CLIENTS);
}
