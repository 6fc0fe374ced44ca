// Registers the numbers of shipped parcels with the service that reports about them.
import { DAY_MS } from "../../core/values/time.ts";
import { trackingNumbersOf } from "../../core/values/tracking.ts";
import { parseJson } from "../../platform/db/columns.ts";
import type { Bindings } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { registerNumber } from "./easypost.ts";
import { savePosition, SELECT_UNREGISTERED } from "./queries.ts";

/** The parcels of a run. */
const MAX_PARCELS = 100;

const MAX_AGE_MS = 30 * DAY_MS;

/**
 * Registers the numbers of the parcels that were shipped or corrected since the last run. One that is refused is logged
 * and passed over. If the service fails, the next run of the cron handler continues there. Never throws.
 */
export async function registerAndNudge(
  { DB, EASYPOST_API_KEY: key = "", WEBHOOK_QUEUE }: Bindings,
  now: () => number,
  url?: string,
): Promise<void> {
  try {
    const of = { sinceMs: now() - MAX_AGE_MS, limit: MAX_PARCELS };
    const parcels = key === "" ? [] : await SELECT_UNREGISTERED.all(DB, of);
    // Several gifts may be in one parcel.
    const registered = new Set<string>();
    for (const parcel of parcels) {
      const answers = parseJson(parcel.carrierAnswers);
      for (const number of trackingNumbersOf(parcel.trackingNumber)) {
        if (answers?.[number] || registered.has(number)) continue;
        const isAccepted = await registerNumber(key, number, url);
        if (!isAccepted) logFault("carrier.number_refused", "", { clientId: parcel.clientId });
        registered.add(number);
      }
      await savePosition(DB, parcel);
    }
    if (parcels.length === MAX_PARCELS) await WEBHOOK_QUEUE.send({ trackers: true });
  } catch (error) {
    logFault("carrier.registration_failed", error);
  }
}
