// Makes changes of clients take effect.
import { forgetClient } from "../../features/clients/cache.ts";
import type { OperatorBindings } from "../change.ts";

/**
 * Invalidates the client's cached record after a change. Returns false if KV cannot be reached. The change is committed
 * anyway, and takes effect when the record expires, within a minute.
 */
export async function invalidateClient(env: OperatorBindings, clientId: string): Promise<boolean> {
  try {
    await forgetClient(env, clientId);
    return true;
  } catch {
    return false;
  }
}
