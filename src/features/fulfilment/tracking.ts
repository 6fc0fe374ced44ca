// The schema of the tracking of a parcel, in requests and in files.
import * as z from "zod/mini";
import { lazy } from "../../core/lazy.ts";
import { line, optionalField, textField, webUrl } from "../../core/validation/fields.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { MAX_TRACKING_URL_LENGTH, PLACEHOLDER } from "../../core/values/tracking.ts";

const HTTPS_URL = /^https:\/\/[^\s/\\]\S*$/i;

/** Whether recipients may be sent to this URL. A user name would hide the host from them. */
export function isRecipientLink(address: string): boolean {
  const url = HTTPS_URL.test(address) ? webUrl(address) : null;
  return url?.username === "" && url.password === "";
}

/** A link of a gift's page. */
export const recipientLink = () =>
  textField(1_000, withoutInvisible).check(z.refine(isRecipientLink, "must be an https URL"));

/** A placeholder of another system, such as `{number}`, `%s` or `[tracking]`. */
const OTHER_PLACEHOLDER =
  /(?:[{<]|%7b|%3c)(?:[a-z_ .-]+|\d?)(?:[}>]|%7d|%3e)|\[[a-z_ .-]+\](?![=[])|%(?![\da-f]{2})\w|[$:](?:tracking|number)/i;

export const TrackingInput = lazy(() =>
  z.object({
    carrier: optionalField(line(60)),
    tracking_number: optionalField(line(60)),
    tracking_url: optionalField(
      textField(MAX_TRACKING_URL_LENGTH, withoutInvisible).check(
        z.refine(
          (url) => isRecipientLink(url.replaceAll(PLACEHOLDER, "1")),
          "must be an https URL",
        ),
        z.refine(
          (url) => !OTHER_PLACEHOLDER.test(url.replaceAll(PLACEHOLDER, "1")),
          `must have ${PLACEHOLDER} as its only placeholder`,
        ),
      ),
    ),
  }),
);
export type TrackingInput = z.infer<ReturnType<typeof TrackingInput>>;
