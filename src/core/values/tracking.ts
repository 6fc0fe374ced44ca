// The tracking of a parcel, and its links. A stored URL has a placeholder instead of the number, so that the link follows a
// corrected number.

export interface Tracking {
  carrier: string | null;
  trackingNumber: string | null;
  /** It may have the placeholder. */
  trackingUrl: string | null;
}

/** Values that are not given stay as they are. */
export type GivenTracking = { [Name in keyof Tracking]?: Tracking[Name] | undefined };

/** In a URL, it is replaced by the tracking number. */
export const PLACEHOLDER = "{tracking_number}";

export const MAX_TRACKING_URL_LENGTH = 500;

type NumberAndUrl = Pick<Tracking, "trackingNumber" | "trackingUrl">;

/** The numbers of a gift that is sent in several parcels have commas or semicolons between them. Each is listed once. */
export function trackingNumbersOf(text: string | null): string[] {
  const numbers = (text ?? "").split(/[,;]/).map((number) => number.trim());
  return [...new Set(numbers)].filter((number) => number !== "");
}

/** The link of each parcel. A URL without the placeholder is the only link, whatever the numbers are. */
export function trackingLinks({ trackingNumber: text, trackingUrl: url }: NumberAndUrl) {
  if (url?.includes(PLACEHOLDER) !== true) return [{ number: text, url }];
  return trackingNumbersOf(text).map((number) => ({
    number,
    url: url.replaceAll(PLACEHOLDER, encodeURIComponent(number)),
  }));
}

/** The link of the first parcel. */
export const trackingUrlOf = (tracking: NumberAndUrl): string | null =>
  trackingLinks(tracking)[0]?.url ?? null;

/** The links of the other parcels. Null if there are none. */
export function otherTrackingUrls(tracking: NumberAndUrl): string[] | null {
  const urls = trackingLinks(tracking).flatMap(({ url }) => url ?? []);
  return urls.length > 1 ? urls.slice(1) : null;
}

/** The URL with the placeholder instead of the numbers that are whole words after its host. */
function templateOf(url: string, text: string | null): string {
  const numbers = trackingNumbersOf(text).map((number) =>
    encodeURIComponent(number).replaceAll(/\W/g, "\\$&"),
  );
  if (numbers.length === 0 || url.includes(PLACEHOLDER)) return url;
  const words = `(?<=//.*[/?#].*)(?<![a-z0-9%])(?:${numbers.join("|")})(?![a-z0-9])`;
  const template = url.replaceAll(new RegExp(words, "gi"), PLACEHOLDER);
  return template.length > MAX_TRACKING_URL_LENGTH ? url : template;
}

/** The tracking as it is stored. A URL with the placeholder is left out if there is no number. */
export function storedTracking({
  carrier = null,
  trackingNumber = null,
  trackingUrl = null,
}: GivenTracking): Tracking {
  const url = trackingUrl && templateOf(trackingUrl, trackingNumber);
  const isEmpty = url?.includes(PLACEHOLDER) && trackingNumbersOf(trackingNumber).length === 0;
  return { carrier, trackingNumber, trackingUrl: isEmpty ? null : url };
}

/**
 * The tracking after a correction. Values that are not given stay, and the link is changed with the number. A link that does
 * not contain the earlier number, or that belongs to another carrier, is removed, because it leads to another parcel.
 */
export function correctedTracking(before: Tracking, given: GivenTracking): Tracking {
  const { carrier = before.carrier, trackingNumber = before.trackingNumber } = given;
  const { trackingUrl = before.trackingUrl } = given;
  const after = storedTracking({ carrier, trackingNumber, trackingUrl });
  const numbers = trackingNumbersOf(trackingNumber);
  if (trackingNumbersOf(before.trackingNumber).every((number) => numbers.includes(number)))
    return after;
  const url = after.trackingUrl && templateOf(after.trackingUrl, before.trackingNumber);
  const follows = carrier === before.carrier && url?.includes(PLACEHOLDER);
  const isStale = url === before.trackingUrl && !follows;
  return storedTracking({ ...after, trackingUrl: isStale ? null : url });
}
