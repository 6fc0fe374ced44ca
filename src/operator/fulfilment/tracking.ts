// The tracking of a parcel as operators enter it.
import { validate } from "../../core/validation/validate.ts";
import type { Tracking } from "../../features/fulfilment/shipment.ts";
import * as kinds from "../declaration/kinds.ts";
import { TrackingInput } from "../../features/fulfilment/tracking.ts";

export const NO_TRACKING: Tracking = { carrier: null, trackingNumber: null, trackingUrl: null };

/** The columns of a parcel's tracking. */
export const TRACKING_COLUMNS = {
  carrier: kinds.text("Carrier"),
  tracking_number: kinds.from("trackingNumber", kinds.text("Tracking number")),
  tracking_url: kinds.from("trackingUrl", kinds.url("Tracking link")),
};

/** In a URL, it is replaced by the tracking number. */
export const PLACEHOLDER = "{tracking_number}";

export const URL_HINT = `An https URL. ${PLACEHOLDER} is replaced by the tracking number.`;

/** Errors: `validation_error` with the names of the inputs. */
export function checkTracking({ carrier, trackingNumber, trackingUrl }: Tracking): void {
  const values = { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl };
  validate(TrackingInput(), values);
}

/**
 * The parcel with the default carrier and URL. There is no URL from a template without a tracking number. Of several numbers
 * with commas between them, the URL has the first.
 */
export function withDefaults<Parcel extends Tracking>(
  parcel: Parcel,
  { carrier, trackingUrl: template }: Pick<Tracking, "carrier" | "trackingUrl">,
): Parcel {
  const { trackingNumber } = parcel;
  const [number = ""] = trackingNumber?.split(",") ?? [];
  const filled =
    trackingNumber === null && template?.includes(PLACEHOLDER) === true
      ? null
      : (template?.replaceAll(PLACEHOLDER, encodeURIComponent(number.trim())) ?? null);
  return {
    ...parcel,
    carrier: parcel.carrier ?? carrier,
    trackingUrl: parcel.trackingUrl ?? filled,
  };
}
