// Encrypts the codes of the previous CODE_SECRET with the present one.
import type { Database } from "../../platform/db/sql.ts";
import { type CodeEnv, currentKeyId, seal, unseal } from "./seal.ts";
import { readSealed, writeResealed } from "./upkeep-queries.ts";

/** The codes of one run. */
const MAX_CODES = 200;

/** Without a previous secret, it does nothing. Otherwise at most two round trips. Safe to repeat. */
export async function resealCodes(db: Database, env: CodeEnv): Promise<void> {
  const { CODE_SECRET, CODE_SECRET_PREVIOUS: previous } = env;
  if (previous === undefined || previous === CODE_SECRET) return;
  const codes = await readSealed(db, await currentKeyId({ CODE_SECRET: previous }), MAX_CODES);
  const resealed = codes.map(async (code) => {
    const content = await unseal(env, code);
    return content ? [{ id: code.id, before: code.sealed, ...(await seal(env, content)) }] : [];
  });
  if (codes.length > 0) await writeResealed(db, (await Promise.all(resealed)).flat());
}
