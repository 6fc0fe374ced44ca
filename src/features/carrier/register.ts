// Registers the numbers of shipped parcels with the service that reports about them.
import { DAY_MS } from "../../core/values/time.ts";
import { trackingNumbersOf } from "../../core/values/tracking.ts";
import { parseJson } from "../../platform/db/columns.ts";
import type { Bindings } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { registerNumber } from "./easypost.ts";
import { SELECT_UNREGISTERED, UPDATE_POSITIONS } from "./queries.ts";

/** The parcels of a run. */
const MAX_PARCELS = 100;

/** The service charges for each number, so a new key does not register all earlier parcels. */
const MAX_AGE_MS = 30 * DAY_MS;

/**
 * Registers the numbers of the parcels that were shipped or corrected since the last run. A number that is refused is logged.
 * If the service fails, the next run of the cron handler repeats these numbers: the service keeps each once. Never throws.
 */
export async function registerAndNudge(
  { DB, EASYPOST_API_KEY: key = "", WEBHOOK_QUEUE }: Bindings,
  now: () => number,
  url?: string,
): Promise<void> {
  try {
    const of = { sinceMs: now() - MAX_AGE_MS, limit: MAX_PARCELS };
    const parcels = key === "" ? [] : await SELECT_UNREGISTERED.all(DB, of);
    if (parcels.length === 0) return;
    const numbers = parcels.flatMap(({ trackingNumber, carrierAnswers }) => {
      const answers = parseJson(carrierAnswers) ?? {};
      return trackingNumbersOf(trackingNumber).filter((number) => !Object.hasOwn(answers, number));
    });
    for (const number of new Set(numbers)) {
      if (!(await registerNumber(key, number, url))) logFault("carrier.number_refused", "");
    }
    await UPDATE_POSITIONS.bind(DB, { parcels: JSON.stringify(parcels) }).run();
    if (parcels.length === MAX_PARCELS) await WEBHOOK_QUEUE.send({ trackers: true });
  } catch (error) {
    logFault("carrier.registration_failed", error);
  }
}
