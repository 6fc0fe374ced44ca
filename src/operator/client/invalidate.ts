// Makes changes of clients take effect.
import { forgetClient } from "../../features/clients/cache.ts";
import type { OperatorBindings } from "../declaration/declare.ts";

/**
 * Invalidates the client's cached record after a change. Returns a warning if KV cannot be reached. The change is
 * committed anyway, and takes effect when the record expires, within a minute.
 */
export async function invalidated(
  env: OperatorBindings,
  clientId: string,
): Promise<{ warnings: string[] }> {
  try {
    await forgetClient(env, clientId);
    return { warnings: [] };
  } catch {
    return {
      warnings: ["KV cannot be reached. The change is saved and takes effect in a minute."],
    };
  }
}
