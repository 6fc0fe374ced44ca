// Checks in the database that credentials from the cached record are still active, and records the day of their use.
import { type ExtrasFor, withExtraSql, wrapCalls } from "../../platform/db/wrapped-calls.ts";
import { logFault } from "../../platform/log.ts";
import type { ClientCredential } from "./profile.ts";
import { type CredentialUse, RECORD_USE, USE_CREDENTIAL } from "./queries.ts";

/** The triggers that abort a transaction of inactive credentials. */
const TRIGGERS = [
  "revoked_credentials_are_not_used",
  "suspended_clients_use_no_credentials",
] as const;

/**
 * The database, each of whose transactions fails if the credentials were revoked or the client was suspended after its
 * record was cached (DECISIONS.md: Credentials are cached for 60 s). `refuse` gets the name of the trigger.
 */
export function guardedDatabase(
  d1: D1Database,
  use: CredentialUse,
  refuse: (trigger: (typeof TRIGGERS)[number]) => Promise<never>,
): D1Database {
  const extras: ExtrasFor = (db) => ({ first: [USE_CREDENTIAL.bind(db, use)], last: [] });
  return wrapCalls(
    withExtraSql(d1, extras, () => false),
    async (call) => {
      try {
        return await call();
      } catch (error) {
        const trigger = TRIGGERS.find(
          (name) => error instanceof Error && error.message.includes(name),
        );
        if (trigger) return await refuse(trigger);
        throw error;
      }
    },
  );
}

/** Records the day. The isolate keeps the cached record, so its later requests do not write the day again. */
export async function recordUse(
  d1: D1Database,
  use: CredentialUse,
  credential: ClientCredential,
): Promise<void> {
  credential.lastUsedOn = use.day;
  try {
    await RECORD_USE.bind(d1, use).run();
  } catch (error) {
    logFault("credential.use_failed", error);
  }
}
