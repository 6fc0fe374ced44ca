// What an operator may say of a client: the rules that keep a profile sound.
import * as z from "zod";
import { currencyCode, requiredText, text } from "../validate.ts";

const logo = text(2_000).regex(
  /^(\/|https:\/\/)\S+$/,
  "must be a path that starts with / or an https:// URL",
);
const colour = z.string().regex(/^#[0-9a-f]{6}$/i, "must be a colour such as #1f4d5c");

export const BrandingInput = z.object({
  logo,
  claimLogo: logo,
  primaryColor: colour,
  secondaryColor: colour,
});

export const ProfileInput = z.object({
  name: requiredText(200),
  billing: z.enum(["credit", "invoice"]),
  feeBasisPoints: z.int().min(0).max(10_000),
  defaultCurrency: currencyCode,
  branding: BrandingInput.nullable(),
});

/** The CLIENT-ID header's value. */
export const ClientId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be 1 to 64 small letters, digits and hyphens");
