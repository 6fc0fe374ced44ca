// Registers the numbers of shipped parcels with the service that reports about them.
import { DAY_MS } from "../../core/values/time.ts";
import { trackingNumbersOf } from "../../core/values/tracking.ts";
import { parseJson } from "../../platform/db/columns.ts";
import type { Bindings } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { registerTracker, trackerOf } from "./easypost.ts";
import { SELECT_UNREGISTERED, UPDATE_ANSWERS, UPDATE_POSITIONS } from "./queries.ts";

/** The parcels of a run. */
const MAX_PARCELS = 100;

/** The service charges for each number, so a new key does not register all earlier parcels. */
const MAX_AGE_MS = 30 * DAY_MS;

/**
 * Registers the numbers of the parcels that were shipped or corrected since the last run. Returns whether there are more. A
 * refusal is stored as an answer. Throws if the service fails: the next run repeats these numbers, and the service keeps
 * each once.
 */
export async function registerParcels(
  { DB, EASYPOST_API_KEY: key = "" }: Bindings,
  now: () => number,
  url?: string,
): Promise<boolean> {
  const nowMs = now();
  const of = { sinceMs: nowMs - MAX_AGE_MS, limit: MAX_PARCELS };
  const parcels = key === "" ? [] : await SELECT_UNREGISTERED.all(DB, of);
  if (parcels.length === 0) return false;
  const results = new Map<string, boolean>();
  const refused = [];
  for (const { orderId, sequence, changeId, carrier, ...parcel } of parcels) {
    const carrierAnswers = parseJson(parcel.carrierAnswers) ?? {};
    for (const number of trackingNumbersOf(parcel.trackingNumber)) {
      if (Object.hasOwn(carrierAnswers, number)) continue;
      const tracker = trackerOf(number, carrier);
      const id = JSON.stringify(tracker);
      if (!results.has(id)) results.set(id, await registerTracker(key, tracker, url));
      if (results.get(id)) continue;
      logFault("carrier.number_refused", "", { clientId: parcel.clientId });
      carrierAnswers[number] = { status: null, atMs: nowMs, expectedOn: null, isRefused: true };
      refused.push({ orderId, sequence, answered: { carrierAnswers, changeId } });
    }
  }
  const gifts = JSON.stringify(refused);
  await UPDATE_ANSWERS.bind(DB, { gifts, changeId: crypto.randomUUID(), nowMs }).run();
  await UPDATE_POSITIONS.bind(DB, { parcels: JSON.stringify(parcels) }).run();
  return parcels.length === MAX_PARCELS;
}
