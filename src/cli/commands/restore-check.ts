// `restore-check`: makes a restored database safe to use, and reports what was lost.
import type { Command } from "../command.ts";
import { type Reader, writeRestore } from "../../operator/recovery/queries.ts";
import { findLost } from "../../operator/recovery/lost.ts";
import { isEmptyPlan, planRestore, planRestoreTo } from "../../operator/recovery/plan.ts";
import type { Bindings } from "../../platform/env.ts";
import type { Difference } from "../../features/health/check.ts";
import { parseDayOrTimestamp } from "../../core/values/time.ts";
import { differenceTable, findDifferences } from "../differences.ts";
import { BrokenInvariants, UsageError } from "../errors.ts";
import { parsed, requireOne } from "../options.ts";
import { withLostDatabase } from "../restore/lost-database.ts";
import { reportOf, reportText } from "../restore/report.ts";
import type { PlannedChange } from "../../operator/change.ts";
import { invalidateClient, operatorOf, printChange, runChange } from "../run.ts";
import { plural } from "../../core/values/plural.ts";

export function restoreCheckCommand(program: Command): void {
  program
    .command("restore-check")
    .description("make a restored database safe to use, and report what was lost")
    .option("--lost <file>", "an export of the database before it was restored")
    .option(
      "--restored-to <time>",
      "if there is no such export: the time to which it was restored, such as 2026-11-22T09:30:00Z",
    )
    .details(
      `
Run it after a restore, before requests are let in again (docs/RESTORE.md). A restored database would give out ids
and sequences of events again. This command reserves those that the lost database has given out, and inserts the
event data.restored for each client whose events were lost.

With --lost, it also revokes credential sets, suspends clients, stops webhook endpoints and refuses replaced gift
links again, and reports what was lost, with commands that repeat lost changes. With --restored-to it is not known
which ids and sequences were given out, so they continue ten million later for each minute since that time.

All changes are one transaction. Running the command again changes nothing. At the end, it checks all invariants. The
exit code is 4 if one of them is broken.

Examples:
  npm run ops -- restore-check --lost lost.sql --env production
  npm run ops -- restore-check --restored-to 2026-11-22T09:30:00Z --env production`,
    )
    .action(async (options, command) => {
      const { lost: file } = options;
      const restoredToMs = parsed(
        options.restoredTo,
        parseDayOrTimestamp,
        "--restored-to must be a time such as 2026-05-01T09:30:00Z",
      );
      requireOne("--lost or --restored-to", file, restoredToMs);
      if (restoredToMs !== undefined && restoredToMs > Date.now()) {
        throw new UsageError(
          `--restored-to must not be in the future: ${options.restoredTo ?? ""}`,
        );
      }
      if (file !== undefined) await withLostDatabase(file, (lost) => check(command, { lost }));
      else if (restoredToMs !== undefined) await check(command, { restoredToMs });
    });
}

type Source = { lost: Reader } | { restoredToMs: number };

function check(command: Command, source: Source): Promise<void> {
  return runChange(
    command,
    (env) => planCheck(env, source),
    async (env, { plan, lost }) => {
      const isEmpty = isEmptyPlan(plan);
      if (!isEmpty) {
        await writeRestore(env.DB, plan, { actor: operatorOf(command), nowMs: Date.now() });
      }
      const restricted = new Set(plan.restrictions.map(({ clientId }) => clientId));
      for (const clientId of restricted) await invalidateClient(env, clientId);
      let differences: Difference[] | null = null;
      try {
        differences = await findDifferences(env.DB);
      } finally {
        // Also if the check fails: a second run does not list what this one has changed.
        const report = { ...reportOf(plan, isEmpty, lost), differences };
        printChange(
          command,
          report,
          () => `${reportText(report, env.ENVIRONMENT)}\n\n${differencesText(report.differences)}`,
        );
      }
      if (differences.length === 0) return;
      throw new BrokenInvariants(
        `the checks have found ${plural(differences.length, "difference")}.`,
      );
    },
  );
}

function differencesText(differences: Difference[] | null): string {
  if (!differences) return "The invariants were not checked: run the command again.";
  return differences.length === 0
    ? "All invariants hold."
    : `Broken invariants\n${differenceTable(differences)}`;
}

async function planCheck({ DB, ENVIRONMENT }: Bindings, source: Source) {
  const hasExport = "lost" in source;
  const planned = hasExport
    ? await planRestore(DB, source.lost)
    : await planRestoreTo(DB, source.restoredToMs, Date.now());
  const lost = hasExport ? await findLost(DB, source.lost, planned.events) : null;
  const clientsOf = (kind: string) =>
    planned.restrictions.filter((row) => row.kind === kind).map(({ clientId }) => clientId);
  return {
    plan: planned,
    lost,
    description: isEmptyPlan(planned)
      ? null
      : `reserve ids, tell ${plural(planned.clients.length, "client")} of the restore, ` +
        `and restrict access again in ${plural(planned.restrictions.length + planned.links.length, "case")}`,
    subjects: [
      { type: "database", keys: [ENVIRONMENT] },
      { type: "client", keys: clientsOf("client") },
      { type: "credential", keys: [...new Set(clientsOf("credential"))] },
      { type: "webhook", keys: [...new Set(clientsOf("webhook"))] },
    ] satisfies PlannedChange["subjects"],
  };
}
