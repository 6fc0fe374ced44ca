// Publications that are interrupted at a certain step.
import { env } from "cloudflare:workers";
import { overriding } from "../../../support/counting.ts";

/** The database of a publication. `work` runs before its n-th chunk (from 0) is written. */
export const beforePiece = (n: number, work: () => unknown) => beforeBatch(7, n, work);

/** The database of a publication. `work` runs before its version becomes current. */
export const beforeCurrent = (work: () => unknown) => beforeBatch(10, 0, work);

/** The database of a publication. `work` runs once, after planning and before its version is started. */
export function beforeStart(work: () => unknown): D1Database {
  let isDone = false;
  return overriding(env.DB, {
    prepare: (text: string) => {
      const statement = env.DB.prepare(text);
      if (isDone || !text.includes("staged_version + 1")) return statement;
      isDone = true;
      return overriding(statement, {
        bind: (...values: unknown[]) => {
          const bound = statement.bind(...values);
          return overriding(bound, {
            first: async () => {
              await work();
              return bound.first();
            },
          });
        },
      });
    },
  });
}

/** Identifies batches by their number of statements. */
function beforeBatch(size: number, n: number, work: () => unknown): D1Database {
  let before = n;
  return overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      if (statements.length === size && before-- === 0) await work();
      return env.DB.batch(statements);
    },
  });
}

export function killed(): never {
  throw new Error("killed");
}
