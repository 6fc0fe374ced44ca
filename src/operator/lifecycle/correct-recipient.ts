// Corrects the data of a recipient until the gift is shipped.
import { ApiError } from "../../core/api-error.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import type { CorrectionRequest } from "../../features/lifecycle/contract.ts";
import { correct, type Corrected, planCorrection } from "../../features/lifecycle/correct.ts";
import {
  type CorrectableGift,
  NO_LINK,
  readCorrection,
} from "../../features/lifecycle/correction-queries.ts";
import { type Reading, recordReading } from "../audit/reading.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";

type Plan = PlannedChange & { request: CorrectionRequest };

/** Corrects the given fields. The address is replaced as a whole. One transaction. */
export const CORRECT_RECIPIENT: Change<CorrectionRequest, Plan, Corrected> = {
  action: "recipient correct",
  plan: async ({ DB }, request, nowMs) => {
    const { suborder_id, ...given } = request;
    const planned = orThrow(await planCorrection(DB, { clientId: null, nowMs }, request));
    const names = Object.keys(given).join(", ");
    const { orderId, sequence, gift } = planned;
    const recipient = `the recipient of ${suborderNumber(orderId, sequence)} of ${gift.clientId}`;
    return {
      request,
      description: planned.corrected ? `correct ${names} of ${recipient}` : null,
      subjects: [{ type: "gift", keys: [suborder_id] }],
    };
  },
  run: async ({ DB }, { request }, nowMs) => {
    const result = orThrow(await correct(DB, { clientId: null, nowMs }, request));
    if (!result.corrected) {
      const number = suborderNumber(result.orderId, result.sequence);
      throw new Refusal(`the recipient of ${number} has this data already. Nothing was changed.`);
    }
    return result;
  },
};

/** The recipient's present data, or null if there is no such gift. One round trip. */
export async function readRecipient(
  db: D1Database,
  giftId: number,
): Promise<CorrectableGift | null> {
  const key = { clientId: null, ...splitSuborderId(giftId) };
  const nothing = { ...NO_LINK, fields: "{}", isComplete: 0, country: null, nowMs: 0 };
  return (await readCorrection(db, { ...key, ...nothing }))?.gift ?? null;
}

/** Reads it for a form, and records this in the audit log. Two round trips. */
export async function openRecipient(
  db: D1Database,
  giftId: number,
  reader: Pick<Reading, "actor" | "requestId" | "nowMs">,
): Promise<CorrectableGift | null> {
  await recordReading(db, {
    ...reader,
    action: "order show",
    reason: null,
    subjects: { type: "gift", keys: [giftId] },
    state: { read: "gift" },
  });
  return readRecipient(db, giftId);
}

/** The result. Errors: `Refusal`, `ApiError` for invalid fields. */
function orThrow<T>(result: T | ApiError): T {
  if (!(result instanceof ApiError)) return result;
  if (result.code === "not_found") throw new Refusal("there is no such gift.");
  if (result.fields !== undefined) throw result;
  throw new Refusal(result.message);
}
