// The options of a client's profile, for `client add` and `client set`.
import type { TypedCommand } from "./command.ts";
import { BrandingInput } from "../operator/clients/input.ts";
import { validate } from "../core/validation/validate.ts";
import { parseDecimal } from "../core/values/money.ts";
import { UsageError } from "./errors.ts";
import { parsed } from "./options.ts";

export const withProfileOptions = <Args extends unknown[]>(command: TypedCommand<Args>) =>
  command
    .option("--name <name>", "company name")
    .choice(
      "--billing <how>",
      "how orders are paid: from credit when they are placed, or later by invoice",
      ["credit", "invoice"],
    )
    .option("--fee <percent>", "order fee, such as 4 or 2.75")
    .option("--catalogue <name>", "the client's catalogue")
    .option("--currency <code>", "default currency, such as AUD")
    .option("--logo <path>", "company branding: logo, a path or an https URL")
    .option("--claim-logo <path>", "company branding: logo of the gift page")
    .option("--primary-color <colour>", "company branding: colour, such as #1f4d5c")
    .option("--secondary-color <colour>", "company branding: colour, such as #e3eef0")
    .choice("--cancellations <rule>", "whether the client may cancel orders through the API", [
      "allowed",
      "barred",
    ])
    .option(
      "--redeem-within-days <days>",
      "days until the gifts of an order without redeem_by expire, such as 90, or none",
    )
    .choice(
      "--refund-declined <rule>",
      "whether the credit of a gift that its recipient declines returns to the client",
      ["yes", "no"],
    )
    .option(
      "--support-email <address>",
      "address on the gift page to which recipients write for help, or none",
    )
    .option(
      "--retain-days <days>",
      "days from an order's last change until the data of its recipients is erased, from 30 to 3650, or none",
    )
    .option(
      "--reminder-days <days>",
      "days from an invitation by e-mail, sent from now on, until its recipient is reminded, from 1 to 90, or none",
    )
    .choice("--notify-shipped <when>", "whether invited recipients get an e-mail of the shipment", [
      "on",
      "off",
    ])
    .choice("--wrap-emails <when>", "whether e-mails show a wrapped gift instead of the product", [
      "on",
      "off",
    ])
    .option(
      "--reply-to <address>",
      "address to which recipients' replies to e-mails go, or none for the support address",
    )
    .choice(
      "--register <how>",
      "how texts for recipients address them, or default for each language's usual way",
      ["formal", "informal", "default"],
    );

type ProfileOptions = ReturnType<ReturnType<typeof withProfileOptions>["opts"]> & {
  /** False with --no-branding. */
  branding?: boolean;
};

const FEE_RULE = "--fee must be a percentage with at most two decimals";

/** The profile, with only the fields whose options are given. Errors: `UsageError`. */
export function profileOf(options: ProfileOptions) {
  const { name, billing, fee, currency, cancellations, refundDeclined, supportEmail } = options;
  const { notifyShipped, wrapEmails, replyTo, register } = options;
  const all = {
    name,
    billing,
    feeBasisPoints: parsed(fee, (text) => parseDecimal(text, 2), FEE_RULE),
    defaultCurrency: currency,
    branding: brandingOf(options),
    mayCancel: cancellations && cancellations === "allowed",
    redeemWithinDays: daysOf("--redeem-within-days", options.redeemWithinDays),
    refundDeclined: refundDeclined && refundDeclined === "yes",
    retainDays: daysOf("--retain-days", options.retainDays),
    supportEmail: supportEmail === "none" ? null : supportEmail,
    reminderDays: daysOf("--reminder-days", options.reminderDays),
    notifyShipped: notifyShipped && notifyShipped === "on",
    wrapEmails: wrapEmails && wrapEmails === "on",
    replyTo: replyTo === "none" ? null : replyTo,
    register: register === "default" ? null : register,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as Partial<typeof all>;
}

/** Null with `none`. Undefined if the option is not given. */
function daysOf(option: string, days: string | undefined): number | null | undefined {
  if (days === undefined) return undefined;
  if (days === "none") return null;
  if (/^[1-9]\d{0,3}$/.test(days)) return Number(days);
  throw new UsageError(`${option} must be a number of days, or none: ${days}`);
}

/** Null with --no-branding. Undefined if no branding option is given. */
function brandingOf(options: ProfileOptions) {
  const { logo, claimLogo, primaryColor, secondaryColor } = options;
  const parts = { logo, claimLogo, primaryColor, secondaryColor };
  const given = Object.values(parts).filter((part) => part !== undefined).length;
  if (given === 4) return validOption("branding", () => validate(BrandingInput, parts));
  if (given > 0) {
    throw new UsageError(
      "company branding needs all of --logo, --claim-logo, --primary-color and --secondary-color.",
    );
  }
  return options.branding === false ? null : undefined;
}

/** Runs a validation of options. Its error becomes a `UsageError` whose message begins with `name`. */
export function validOption<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${name} ${text}`.trim().replace(/  +/g, " "));
  }
}
