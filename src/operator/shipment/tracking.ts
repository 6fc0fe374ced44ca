// The tracking of a parcel as operators enter it.
import { plural } from "../../core/values/plural.ts";
import { validate } from "../../core/validation/validate.ts";
import { mistypedNumbers } from "../../core/values/carriers.ts";
import { PLACEHOLDER, type Tracking, trackingLinks } from "../../core/values/tracking.ts";
import * as kinds from "../declaration/kinds.ts";
import { TrackingInput } from "../../features/fulfilment/tracking.ts";

export const NO_TRACKING: Tracking = { carrier: null, trackingNumber: null, trackingUrl: null };

/** The columns of a parcel's tracking. */
export const TRACKING_COLUMNS = {
  carrier: kinds.text("Carrier"),
  tracking_number: kinds.from("trackingNumber", kinds.text("Tracking number")),
  tracking_url: kinds.from("trackingUrl", kinds.url("Tracking link")),
};

export const URL_HINT = `An https URL. ${PLACEHOLDER} is replaced by the tracking number.`;

/**
 * The number may be in a place of the URL where not every text is allowed, or make the URL too long. Errors:
 * `validation_error` with the names of the inputs.
 */
export function checkTracking(tracking: Tracking): void {
  const { carrier, trackingNumber, trackingUrl } = tracking;
  for (const url of [trackingUrl, ...trackingLinks(tracking).map((link) => link.url)]) {
    validate(TrackingInput(), { carrier, tracking_number: trackingNumber, tracking_url: url });
  }
}

/** Warnings about wrong check digits. The numbers are recorded: carriers may have other formats. */
export const mistypedText = (tracking: Tracking): string[] =>
  mistypedNumbers(tracking).map(
    (number) =>
      `${number} may be mistyped: it does not have the check digit of ${tracking.carrier ?? ""}.`,
  );

/** Whether a correction removes the link, which could not follow the number. */
export const isLinkRemoved = (before: Tracking, after: Tracking): boolean =>
  before.trackingUrl !== null && after.trackingUrl === null;

export const removedLinksText = (count: number): string =>
  `${plural(count, "tracking link")} of an earlier number ${count === 1 ? "is" : "are"} removed. Correct the link to that of the new number.`;

/** A correction takes back what was reported about an earlier number or by an earlier carrier. */
export const takenBackText = (count: number): string =>
  `${plural(count, "parcel")} ${count === 1 ? "is" : "are"} shipped again, because the last report was about an earlier number, or by an earlier carrier.`;
