// Declining a gift, and taking that back.
import type { DeclineReason } from "../events/event.ts";
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/sql.ts";
import { endGifts } from "../lifecycle/end.ts";
import { operatorKey } from "../lifecycle/order-key.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { type LinkedGiftKey, readGiftAndWebhooks } from "./queries.ts";
import { type Reinstatement, writeReinstatement } from "./reinstate-queries.ts";
import type { ChangeOutcome, RedeemContext } from "./redeem.ts";

/**
 * Declines the gift: it is cancelled, and its stock returns. Its credit returns unless the client's settings keep it.
 * Null if there is no such gift. If another request changes the gift at the same time, only one of the two takes
 * effect. The outcome is `changed` in either case, and the gift's page shows which one did. At most two round trips.
 */
export async function decline(
  { d1, nowMs, requestId, tracksOpening }: RedeemContext,
  key: LinkedGiftKey,
  declineReason?: DeclineReason,
): Promise<ChangeOutcome | null> {
  const { view, webhookIds } = await readGiftAndWebhooks(d1, key, nowMs, tracksOpening);
  if (!view) return null;
  if (view.gift.state !== "open") return { kind: "closed", view };
  await endGifts(d1, {
    kind: "decline",
    requestId,
    ...operatorKey(key.orderId),
    giftIds: [toGiftId(key.orderId, key.sequence)],
    linkGeneration: key.generation,
    declineReason,
    nowMs,
  });
  return { kind: "changed", webhookIds };
}

/**
 * Opens the declined gift again, and takes what the decline has returned. The outcomes are those of `decline`, and
 * `closed` if there is an obstacle.
 */
export async function reinstate(
  { d1, nowMs, requestId }: RedeemContext,
  key: LinkedGiftKey,
): Promise<ChangeOutcome | null> {
  const { view, webhookIds } = await readGiftAndWebhooks(d1, key, nowMs);
  if (!view) return null;
  const { state, declinedAtMs } = view.gift;
  if (state !== "declined" || view.obstacle !== null) return { kind: "closed", view };
  await openAgain(d1, { ...key, declinedAtMs, expiresAtMs: null, requestId, nowMs });
  return { kind: "changed", webhookIds };
}

/** Opens a declined or expired gift again, unless it has changed or there is an obstacle. Safe to repeat. */
export const openAgain = (
  db: Database,
  { requestId, ...gift }: Omit<Reinstatement, "reinstatementId"> & { requestId: string },
) =>
  retrying((attempt) =>
    writeReinstatement(db, { ...gift, reinstatementId: `${requestId}.${String(attempt)}` }),
  );
