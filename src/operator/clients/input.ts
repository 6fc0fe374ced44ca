// Schemas of a client's id and profile, for the operator's commands.
import * as z from "zod/mini";
import { currencyCode, email, imageUrl } from "../../core/validation/fields.ts";
import { displayName } from "../../core/validation/name.ts";

const colour = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, "must be a colour such as #1f4d5c"));

export const BrandingInput = z.object({
  logo: imageUrl(),
  claimLogo: imageUrl(),
  primaryColor: colour,
  secondaryColor: colour,
});

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
  branding: z.nullable(BrandingInput),
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
