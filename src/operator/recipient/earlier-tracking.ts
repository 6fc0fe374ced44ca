// The tracking of a shipment that `correct` and `reopen` have replaced, as the operator reads it.
import type { EarlierTracking } from "../../platform/db/schema.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import { trackingUrlOf } from "../../core/values/tracking.ts";

/** Oldest first. `json` is the column `earlier_tracking`. */
export function earlierTracking(json: string | null) {
  return (JSON.parse(json ?? "[]") as EarlierTracking[]).map((each) => ({
    status: each.status,
    problem: each.problem,
    carrier: each.carrier,
    tracking_number: each.trackingNumber,
    tracking_url: trackingUrlOf(each),
    shipped_date: formatDateTime(each.shippedAtMs),
    delivered_date: optionalDateTime(each.deliveredAtMs),
    replaced_date: formatDateTime(each.replacedAtMs),
  }));
}
