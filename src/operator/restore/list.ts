// Lists what a restore of the database must not undo.
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readLasting } from "./lasting-queries.ts";

/** `restore finish` reads its JSON, which has no personal data. One round trip. */
export const restoreList = view({
  name: "restore list",
  title: "What a restore must not undo",
  description:
    "Revoked and suspended access, replaced links, stopped e-mails, erasures and used codes, as JSON: write it to a file before a restore of the database (docs/RESTORE.md).",
  permission: "credentials",
  input: { since: kinds.time("Since", { hint: "The time to which the database is restored." }) },
  examples: ["--since 2026-05-01T09:30:00Z --json --output lasting.json"],
  shape: {
    facts: {
      environment: kinds.text("Environment"),
      since: kinds.time("Since"),
      lasting: kinds.json("Must not be undone"),
    },
  },
  read: async ({ DB, ENVIRONMENT: environment }, { since }) => ({
    facts: { environment, since, lasting: await readLasting(DB, since) },
  }),
});
