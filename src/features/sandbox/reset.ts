// Empties the client's sandbox.
import { validationError } from "../../core/api-error.ts";
import { retrying } from "../../platform/db/faults.ts";
import { logEvent } from "../../platform/log.ts";
import { addressDigest } from "../email/address-digest.ts";
import type { SandboxContext } from "./control.ts";
import { findOrders, finishReset, removeOrders } from "./reset-queries.ts";

/** The gifts of a transaction. */
export const CHUNK_GIFTS = 1_000;

/** The transactions of a request, so that it stays below the number of statements that Cloudflare allows. */
const MAX_CHUNKS = 20;

export interface Reset {
  removedOrders: number;
  /** False if orders are left. A repeated request continues. */
  complete: boolean;
}

/** It may be killed at any time: each order is removed or unchanged. Errors: `validation_error`. */
export async function resetSandbox(
  { d1, clientId, nowMs, requestId }: SandboxContext,
  { confirm }: { confirm: string },
): Promise<Reset> {
  if (confirm !== clientId) {
    throw validationError([{ field: "confirm", message: "must be your CLIENT-ID" }]);
  }
  const reset: Reset = { removedOrders: 0, complete: false };
  for (let chunk = 1; chunk <= MAX_CHUNKS; chunk++) {
    const orders = await findOrders(d1, { clientId, limit: CHUNK_GIFTS });
    if (orders.length === 0) break;
    const ids = JSON.stringify(orders.map(({ id }) => id));
    const complained = orders.flatMap((order) => order.complained);
    const digests = await Promise.all(complained.map((email) => addressDigest(email, clientId)));
    const removed = { clientId, nowMs, ids, digests: JSON.stringify(digests) };
    await retrying(() => removeOrders(d1, removed));
    reset.removedOrders += orders.length;
  }
  reset.complete = await retrying(() => finishReset(d1, { clientId, nowMs }));
  logEvent("sandbox.reset", { requestId, clientId, ...reset });
  return reset;
}
