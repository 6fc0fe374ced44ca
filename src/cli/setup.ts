// `npm run setup`: prepares the local environment without serving it. wrangler runs it, too, before it bundles the
// Worker (`[build]` in wrangler.toml): so `wrangler dev` serves what `npm start` serves.
import { DEMO_CLIENTS, prepare } from "./prepare.ts";
import { copyReference } from "./reference.ts";

const { WRANGLER_COMMAND = "dev", REGALO_SETUP } = process.env;
if (WRANGLER_COMMAND !== "dev") {
  copyReference();
} else if (REGALO_SETUP !== "off") {
  if ((await prepare()) === "seeded") console.log(DEMO_CLIENTS);
}
