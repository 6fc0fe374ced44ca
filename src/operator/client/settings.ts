// The settings of a client. The inputs of `client add` and `client set`, the facts of `client show` and the changes of a
// plan follow from this list.
import * as z from "zod/mini";
import { validationError } from "../../core/api-error.ts";
import { shownImageUrl } from "../../core/validation/fields.ts";
import { displayName } from "../../core/validation/name.ts";
import { toBase64 } from "../../core/values/base64.ts";
import { previewUrls } from "../../features/orders/gift-link.ts";
import { recipientLink } from "../../features/fulfilment/tracking.ts";
import type { Branding } from "../../platform/db/schema.ts";
import type { PlanContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { valueChanges } from "../declaration/output.ts";
import type { ListedClient } from "./require-client.ts";

/** The columns of settings, with the name of the catalogue. */
export type Settings = Omit<ListedClient, "id" | "activeCredentials">;

interface Setting {
  kind: kinds.Kind;
  column: keyof Settings;
  /** The field of the column `branding`. */
  field?: keyof Branding;
  /** Whether a branding needs the field. */
  isNeeded?: boolean;
}

const column = <Name extends keyof Settings>(
  name: Name,
  kind: kinds.Kind<Settings[Name] | undefined>,
): Setting => ({ column: name, kind });

const branding = <Name extends keyof Branding>(
  name: Name,
  kind: kinds.Kind<NonNullable<Branding[Name]>>,
  isNeeded = false,
): Setting => ({ column: "branding", field: name, kind: kinds.nullable(kind), isNeeded });

const NEEDED = "A branding needs both logos, a primary and a secondary colour.";

/** The page is served over https, on which browsers load no pictures over http. */
const picture = (label: string, hint?: string) =>
  kinds.matching(kinds.url(label, hint === undefined ? {} : { hint }), () =>
    shownImageUrl().check(
      z.refine(
        (url) => !/^http:/i.test(url),
        "must be an https URL, or a path that starts with one /",
      ),
    ),
  );

export const CLIENT_SETTINGS = {
  name: column(
    "name",
    kinds.matching(
      kinds.text("Company name", { hint: "Recipients see it as the sender of e-mails." }),
      () => displayName(200),
    ),
  ),
  billing: column(
    "billing",
    kinds.choice("Billing", ["credit", "invoice"], {
      hint: "Orders are paid from credit when they are placed, or later by invoice.",
    }),
  ),
  fee: column("feeBasisPoints", kinds.percent("Order fee in percent", { hint: "Such as 2.75." })),
  currency: column("defaultCurrency", kinds.currency("Default currency", { hint: "Such as AUD." })),
  catalogue: column("catalogue", kinds.option(kinds.catalogue("Catalogue"))),
  may_cancel: column("mayCancel", kinds.flag("The client may cancel orders through the API")),
  redeem_within_days: column(
    "redeemWithinDays",
    // Five years.
    kinds.nullable(
      kinds.count("Days until gifts expire", {
        min: 1,
        max: 1_826,
        hint: "Of orders without a redeem_by.",
      }),
    ),
  ),
  refund_declined: column(
    "refundDeclined",
    kinds.flag("The credit of declined gifts returns to the client"),
  ),
  final_after_days: column(
    "finalAfterDays",
    kinds.count("Days until a declined or expired gift ends", {
      min: 0,
      max: 30,
      hint: "Until then, its stock and credit are held, and it can be opened again.",
    }),
  ),
  choose_variation: column(
    "chooseVariation",
    kinds.flag("Recipients may choose another variation of their gift at the same price", {
      hint: "Such as another size, also without gift_of_choice.",
    }),
  ),
  track_opened: column(
    "trackOpened",
    kinds.flag("The client sees when a gift was opened", {
      hint: "Never if the recipient's browser asks not to be tracked.",
    }),
  ),
  support_email: column(
    "supportEmail",
    kinds.nullable(kinds.email("Support address on the gift page")),
  ),
  privacy_url: column(
    "privacyUrl",
    kinds.nullable(
      kinds.matching(
        kinds.url("Privacy notice on the gift page", { hint: "An https URL." }),
        recipientLink,
      ),
    ),
  ),
  retain_days: column(
    "retainDays",
    kinds.nullable(
      kinds.count("Days until the data of recipients is erased", {
        min: 30,
        max: 3_650,
        hint: "After the last change of an order whose gifts are all finished.",
      }),
    ),
  ),
  reminder_days: column(
    "reminderDays",
    kinds.nullable(
      kinds.count("Days until a recipient is reminded", {
        min: 1,
        max: 90,
        hint: "After an invitation by e-mail that is sent from now on.",
      }),
    ),
  ),
  send_codes: column(
    "sendCodes",
    kinds.flag("Recipients get the codes of digital gifts by e-mail", {
      hint: "Otherwise, the client delivers them. A placement may say otherwise.",
    }),
  ),
  notify_accepted: column(
    "notifyAccepted",
    kinds.flag("Recipients get an e-mail when they have accepted"),
  ),
  notify_shipped: column(
    "notifyShipped",
    kinds.flag("Recipients get e-mails of the shipment and the delivery"),
  ),
  wrap_emails: column("wrapEmails", kinds.flag("E-mails show a wrapped gift")),
  reply_to: column(
    "replyTo",
    kinds.nullable(
      kinds.email("Address for replies to e-mails", { hint: "Without it, the support address." }),
    ),
  ),
  register: column(
    "register",
    kinds.nullable(
      kinds.choice("How texts address recipients", ["formal", "informal"], {
        hint: "Without it, in the usual way of each language.",
      }),
    ),
  ),
  legal_name: column(
    "legalName",
    kinds.nullable(kinds.text("Legal name", { hint: "Without it, the company name." })),
  ),
  billing_address: column(
    "billingAddress",
    kinds.nullable(kinds.lines("Billing address", { max: 500 })),
  ),
  tax_number: column("taxNumber", kinds.nullable(kinds.text("Tax number", { max: 100 }))),
  purchase_order: column(
    "purchaseOrder",
    kinds.nullable(
      kinds.text("Purchase order", { hint: "Numbered statements show it with the address." }),
    ),
  ),
  logo: branding("logo", picture("Logo", NEEDED), true),
  logo_dark: branding("logoDark", picture("Logo in dark mode")),
  claim_logo: branding("claimLogo", picture("Logo of pages with a message"), true),
  cover: branding("cover", picture("Cover picture")),
  preview: branding("preview", picture("Picture of link previews")),
  primary_color: branding("primaryColor", kinds.colour("Primary colour"), true),
  secondary_color: branding("secondaryColor", kinds.colour("Secondary colour"), true),
  accent_color: branding("accentColor", kinds.colour("Accent colour")),
  background_color: branding("backgroundColor", kinds.colour("Background colour")),
  pattern: branding(
    "pattern",
    kinds.choice("Wrapping pattern", ["on", "off"], { hint: "Without it: on." }),
  ),
  typeface: branding(
    "typeface",
    kinds.choice("Typeface", ["serif", "sans"], { hint: "Without it, both." }),
  ),
} satisfies Record<string, Setting>;

const ALL: readonly [string, Setting][] = Object.entries(CLIENT_SETTINGS);

const mapped = <Value>(valueOf: (setting: Setting) => Value): Record<string, Value> =>
  Object.fromEntries(ALL.map(([name, setting]) => [name, valueOf(setting)]));

/** The headings of groups of settings, by the first one of each. */
export const SETTING_HEADINGS = {
  name: "Company",
  may_cancel: "Gifts",
  support_email: "Recipients",
  reminder_days: "E-mails",
  legal_name: "Numbered statements",
  logo: "Branding",
};

/** The settings as facts. */
export const SETTING_FACTS: kinds.Fields = mapped(({ kind }) => kind);

/** The settings as inputs, each of which may be left out. */
export const SETTING_INPUTS: kinds.Fields = mapped(({ kind }) => kinds.optional(kind));

/** The values of the settings, by their names. Null for a setting that the client does not have. */
export const clientSettingValues = (settings: Partial<Settings>): Record<string, unknown> =>
  mapped(
    ({ column, field }) =>
      (field === undefined ? settings[column] : settings.branding?.[field]) ?? null,
  );

/**
 * The columns that these inputs change, of which null removes a setting. Errors: `validation_error` if the branding is
 * incomplete.
 */
export function changedColumns(
  before: Partial<Settings>,
  input: Readonly<Record<string, unknown>>,
): Partial<Settings> {
  const given = ALL.filter(([name]) => input[name] !== undefined);
  const columns = given.flatMap(([name, { column, field }]) =>
    field === undefined ? [[column, input[name]] as const] : [],
  );
  const fields = given.flatMap(([name, { field }]) =>
    field === undefined ? [] : [[field, input[name]] as const],
  );
  const branding = { ...before.branding, ...Object.fromEntries(fields) };
  return {
    ...(Object.fromEntries(columns) as Partial<Settings>),
    ...(fields.length > 0 && { branding: brandingOf(branding) }),
  };
}

/** The fields that are not null. Null if there are none. Errors: `validation_error`. */
function brandingOf(fields: Readonly<Record<string, unknown>>): Branding | null {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  if (given.length === 0) return null;
  const names = new Set(given.map(([name]) => name));
  const missing = ALL.filter(
    ([, { field, isNeeded }]) => isNeeded && field !== undefined && !names.has(field),
  );
  if (missing.length > 0) {
    throw validationError(
      missing.map(([name]) => ({ field: name, message: "is required for a branding" })),
    );
  }
  return Object.fromEntries(given) as unknown as Branding;
}

/** What plans show of a branding: a gift with it, for an hour. */
export const BRANDING_PREVIEW = {
  facts: {
    gift_page: kinds.optional(kinds.url("Gift page with this branding", { linkText: "Open" })),
    invitation: kinds.optional(kinds.url("E-mail with this branding", { linkText: "Open" })),
  },
};

/** Empty if the settings do not change the branding, or remove it. */
export async function brandingPreview(
  context: Pick<PlanContext, "PUBLIC_URL" | "GIFT_LINK_SECRET" | "nowMs">,
  { name: company = "", branding }: Partial<Settings>,
) {
  if (!branding) return {};
  const bytes = new TextEncoder().encode(JSON.stringify({ company, branding }));
  const shown = toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const urls = await previewUrls(context, { shown, nowMs: context.nowMs });
  return urls === null ? {} : { facts: { gift_page: urls.page, invitation: urls.invitation } };
}

/** The settings that differ. */
export const clientSettingChanges = (before: Partial<Settings>, after: Partial<Settings>) =>
  valueChanges(SETTING_FACTS, clientSettingValues(before), clientSettingValues(after));
