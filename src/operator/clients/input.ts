// Schemas of a client's id and profile, for the operator's commands.
import * as z from "zod/mini";
import { currencyCode, email, imageUrl } from "../../core/validation/fields.ts";
import { displayName } from "../../core/validation/name.ts";
import { validate } from "../../core/validation/validate.ts";
import type { Branding } from "../../platform/db/schema.ts";

/** The page is served over https, on which browsers load no pictures over http. */
const picture = imageUrl().check(
  z.refine((url) => !/^http:/i.test(url), "must be an https URL, or a path that starts with one /"),
);
const colour = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, "must be a colour such as #1f4d5c"));

export const BrandingInput = z.strictObject(
  {
    logo: picture,
    logoDark: z.optional(picture),
    claimLogo: picture,
    cover: z.optional(picture),
    preview: z.optional(picture),
    primaryColor: colour,
    secondaryColor: colour,
    accentColor: z.optional(colour),
    backgroundColor: z.optional(colour),
    pattern: z.optional(z.enum(["on", "off"])),
    typeface: z.optional(z.enum(["serif", "sans"])),
  },
  {
    error: ({ code }) =>
      code === "unrecognized_keys" ? "is not a field of a branding" : undefined,
  },
);

export const BRANDING_FIELDS = Object.keys(BrandingInput.shape) as (keyof Branding)[];

/** The branding after the changes, of which null removes a field. Errors: `validation_error`. */
export function brandingAfter(before: Branding | null, changes: Record<string, unknown>): Branding {
  const all: Record<string, unknown> = { ...before, ...changes };
  const branding = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  return validate(z.object({ branding: BrandingInput }), { branding }).branding;
}

/** Five years. The CHECK `redeem_within_five_years` has the same limit. */
const MAX_REDEEM_WITHIN_DAYS = 1_826;

/** The CHECK `retain_days_in_range` has the same limits. */
const MIN_RETAIN_DAYS = 30;
const MAX_RETAIN_DAYS = 3_650;

/** The CHECK `reminder_days_in_range` has the same limit. */
const MAX_REMINDER_DAYS = 90;

const ProfileInput = z.object({
  /** Recipients see it as the sender of e-mails. */
  name: displayName(200),
  billing: z.enum(["credit", "invoice"]),
  feeBasisPoints: z.int().check(z.minimum(0), z.maximum(10_000)),
  defaultCurrency: currencyCode(),
  /** Changes, which `brandingAfter` validates. */
  branding: z.nullable(z.looseObject({})),
  mayCancel: z.boolean(),
  redeemWithinDays: z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_REDEEM_WITHIN_DAYS))),
  refundDeclined: z.boolean(),
  supportEmail: z.nullable(email()),
  retainDays: z.nullable(z.int().check(z.minimum(MIN_RETAIN_DAYS), z.maximum(MAX_RETAIN_DAYS))),
  reminderDays: z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_REMINDER_DAYS))),
  notifyShipped: z.boolean(),
  wrapEmails: z.boolean(),
  replyTo: z.nullable(email()),
  register: z.nullable(z.enum(["formal", "informal"])),
});

/** A new client. Its branding is validated separately. */
export const NewProfileInput = z.partial(z.omit(ProfileInput, { branding: true }), {
  mayCancel: true,
  redeemWithinDays: true,
  refundDeclined: true,
  supportEmail: true,
  retainDays: true,
  reminderDays: true,
  notifyShipped: true,
  wrapEmails: true,
  replyTo: true,
  register: true,
});

export const ProfileChanges = z.partial(ProfileInput);

/** The value of the CLIENT-ID header. */
export const ClientId = z
  .string()
  .check(
    z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be 1 to 64 lower-case letters, digits and hyphens"),
  );
