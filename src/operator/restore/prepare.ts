// Reads what a restore of the database must not undo.
import { DAY_MS } from "../../core/values/time.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readRestoreState } from "./queries.ts";

/** Time Travel reaches back 30 days. */
const REACH_MS = 31 * DAY_MS;

/** `restore finish` reads this as JSON. It has no personal data. Two round trips for each 5,000 orders. */
export const restorePrepare = view({
  name: "restore prepare",
  title: "Prepare a restore of the database",
  description:
    "Shows what a restore must not undo, as JSON: write it to a file when requests are stopped, before the restore (docs/RESTORE.md).",
  permission: "credentials",
  input: {},
  examples: ["--json --output restore.json"],
  shape: {
    facts: {
      environment: kinds.text("Environment"),
      prepared: kinds.time("Prepared"),
      state: kinds.json("What must not be undone"),
    },
  },
  read: async ({ DB, ENVIRONMENT, nowMs }) => ({
    facts: {
      environment: ENVIRONMENT,
      prepared: nowMs,
      state: await readRestoreState(DB, nowMs - REACH_MS),
    },
  }),
});
