// The options of a client's profile, for `client add` and `client set`.
import type { TypedCommand } from "./command.ts";
import { readBranding } from "./branding-file.ts";
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
    .option("--branding <file>", "company branding: a JSON file (docs/OPERATING.md, Branding)")
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

type ProfileOptions = Omit<
  ReturnType<ReturnType<typeof withProfileOptions>["opts"]>,
  "branding"
> & {
  /** A file. False with --no-branding. */
  branding?: string | false;
};

const FEE_RULE = "--fee must be a percentage with at most two decimals";

/** The profile, with only the fields whose options are given. Errors: `UsageError`, `Refusal`, `validation_error`. */
export async function profileOf(options: ProfileOptions) {
  const { name, billing, fee, currency, cancellations, refundDeclined, supportEmail } = options;
  const { notifyShipped, wrapEmails, replyTo, register } = options;
  const all = {
    name,
    billing,
    feeBasisPoints: parsed(fee, (text) => parseDecimal(text, 2), FEE_RULE),
    defaultCurrency: currency,
    branding: await brandingOf(options),
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

/** The changes of the file. Null with --no-branding. Undefined if no branding option is given. */
function brandingOf({ branding }: ProfileOptions) {
  if (typeof branding === "string") return readBranding(branding);
  return branding === false ? null : undefined;
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
