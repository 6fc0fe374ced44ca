// Makes a restored database safe to use (DECISIONS.md: A restore never gives out a number again).
import { validationError } from "../../core/api-error.ts";
import { plural } from "../../core/values/plural.ts";
import { MINUTE_MS } from "../../core/values/time.ts";
import { isDuplicate } from "../../platform/db/constraint.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { requireIdsOfRegion } from "../region/begin.ts";
import { type LastIds, readLastIds } from "../region/queries.ts";
import { keepLasting, readLasting } from "./lasting-queries.ts";
import { raiseNumbers } from "./raise-queries.ts";
import { lastingIn, repeat, undone } from "./repeat.ts";

/**
 * More numbers than a database can give out in a minute. A restored database continues after its own by a multiple of this. A
 * later restore to the same time has more room, so it does not give out the numbers that followed an earlier one.
 */
export const RESTORE_ROOM = 1_000_000;

/** 30 days, to which Time Travel reaches. The ids of a region have twice the room for this time. */
const MAX_MINUTES = 43_200;

/** Several transactions. Safe to repeat: it raises the numbers once more, and repeats what is left. */
export const restoreFinish = change({
  name: "restore finish",
  title: "Finish a restore of the database",
  description:
    "Makes a restored database safe to use, before requests are let in again (docs/RESTORE.md). It can be repeated.",
  permission: "credentials",
  isGradual: true,
  input: {
    restored_to: kinds.time("Time to which the database is restored", {
      hint: "Ids and sequences continue a million later for each minute since then.",
    }),
    file: kinds.optional(kinds.file("File of restore list", { maxBytes: 100_000_000 })),
  },
  examples: [
    "--restored-to 2026-05-01T09:30:00Z --file lasting.json",
    "--restored-to 2026-05-01T09:30:00Z",
  ],
  result: {
    lists: {
      not_repeated: {
        title: "Not repeated",
        columns: {
          action: kinds.text("Action"),
          object: kinds.text("Object"),
          reason: kinds.text("Reason"),
        },
      },
    },
  },
  plan: async ({ DB, ENVIRONMENT, REGION, nowMs }, { restored_to: restoredToMs, file }) => {
    if (restoredToMs > nowMs) {
      throw validationError([{ field: "restored_to", message: "must be in the past" }]);
    }
    const listed = file && lastingIn(file, ENVIRONMENT, restoredToMs);
    const left = listed ? undone(listed, await readLasting(DB, listed.sinceMs)) : [];
    const minutes = Math.floor((nowMs - restoredToMs) / MINUTE_MS) + 1;
    const room = RESTORE_ROOM * Math.min(minutes, MAX_MINUTES);
    const last = Object.entries(await readLastIds(DB)).map(([name, id]) => [name, id + room]);
    const ids = Object.fromEntries(last) as LastIds;
    requireIdsOfRegion(ids, REGION);
    return {
      listed,
      left,
      room,
      ids,
      confirms: restoredToMs,
      will: `raise all ids and sequences, tell all clients of the restore, and repeat ${plural(left.length, "change")}`,
      subjects: [{ type: "database", keys: [ENVIRONMENT] }],
      preview: {
        warnings: listed
          ? []
          : [
              "Without a file, revocations, suspensions, replaced links, stopped e-mails, erasures and used codes may be undone. Repeat them by hand.",
            ],
      },
    };
  },
  run: async (context, { listed, left, room, ids }) => {
    const { DB, nowMs, user, auditing, progress } = context;
    if (listed) await keepLasting(auditing([]), listed, nowMs);
    // An earlier attempt of the same request has raised them, whose entry in the audit log exists.
    await raiseNumbers(DB, { room, ids, actor: user.name, nowMs }).catch((error: unknown) => {
      if (!isDuplicate(error, "audit_entries")) throw error;
    });
    const refused: Record<"action" | "object" | "reason", string>[] = [];
    for (const [n, { action, object, steps }] of left.entries()) {
      const reason = await repeat(context, steps);
      if (reason !== null) refused.push({ action, object, reason });
      await progress(n + 1, left.length);
    }
    return {
      text: `The ids and sequences follow those of the lost database. Repeated: ${plural(left.length - refused.length, "change")}.`,
      lists: { not_repeated: refused },
      hasProblems: refused.length > 0,
    };
  },
});
