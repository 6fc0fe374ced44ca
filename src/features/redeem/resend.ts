// Sends a gift's code by e-mail again, for its recipient.
import { ApiError } from "../../core/api-error.ts";
import { HOUR_MS, SECOND_MS } from "../../core/values/time.ts";
import { decideCodeEmail, TooManyInvitations } from "../lifecycle/send.ts";
import { changeGift, unknownGift } from "../lifecycle/change.ts";
import type { SubOrderKey } from "./queries.ts";
import type { RedeemContext } from "./redeem.ts";

/**
 * `now` if the code is sent again, otherwise the number of hours after which it can be. Null if the gift's state does not
 * allow it. Two round trips.
 */
export async function resendCode(
  { d1, nowMs }: RedeemContext,
  key: SubOrderKey,
): Promise<"now" | number | null> {
  try {
    await changeGift(d1, { ...key, clientId: null, nowMs }, (gift) => {
      if (gift.linkNonce !== key.nonce || gift.linkGeneration !== key.generation)
        throw unknownGift();
      return decideCodeEmail(gift, nowMs);
    });
    return "now";
  } catch (error) {
    if (error instanceof TooManyInvitations) {
      return Math.ceil((error.retryAfterSeconds * SECOND_MS) / HOUR_MS);
    }
    if (error instanceof ApiError && error.code !== "service_unavailable") return null;
    throw error;
  }
}
