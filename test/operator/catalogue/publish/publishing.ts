// Publications that are interrupted at a certain step.
import { env } from "cloudflare:workers";
import { overriding } from "../../../support/counting.ts";

/** The database of a publication. `work` runs before its n-th chunk (from 0) is written. */
export const beforePiece = (n: number, work: () => unknown) => beforeBatch(6, n, work);

/** The database of a publication. `work` runs before its version becomes current. */
export const beforeCurrent = (work: () => unknown) => beforeBatch(10, 0, work);

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
