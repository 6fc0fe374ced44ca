// Makes changes of clients take effect.
import { within } from "../../core/deadline.ts";
import { SECOND_MS } from "../../core/values/time.ts";
import { forgetClient } from "../../features/clients/cache.ts";
import type { OperatorBindings } from "../change.ts";

const KV_DEADLINE_MS = 30 * SECOND_MS;

/**
 * Invalidates the client's cached record after a change. Returns false if KV cannot be reached. The change is committed
 * anyway, and takes effect when the record expires, within a minute.
 */
export async function invalidateClient(env: OperatorBindings, clientId: string): Promise<boolean> {
  try {
    await within(KV_DEADLINE_MS, "KV", forgetClient(env, clientId));
    return true;
  } catch {
    return false;
  }
}
