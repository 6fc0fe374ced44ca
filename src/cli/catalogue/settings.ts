// The options of a catalogue's settings.
import type * as z from "zod/mini";
import type { CatalogueSettings } from "../../platform/db/schema.ts";
import { countryCode, imageUrl, languageTag } from "../../core/validation/fields.ts";
import { canonicalLanguage } from "../../core/values/language-tag.ts";
import { amountWithCode, MAX_UNIT_MINOR } from "../../core/values/money.ts";
import { UsageError } from "../errors.ts";
import { amountOption, currencyOption, type Texts, textOption } from "../options.ts";

export type SettingOptions = Texts<
  "currency" | "locations" | "shipping" | "vendor" | "vendorLogo" | "placeholder" | "language"
>;

/** Only the settings whose options are given, without the shipping cost. Errors: `UsageError`. */
export function settingsOf(options: SettingOptions): CatalogueSettings {
  const { currency, locations, shipping, vendor, vendorLogo, placeholder, language } = options;
  const settings: CatalogueSettings = {
    currency: currencyOption(currency),
    locations: locationsOption(locations),
    vendor: vendorOption(vendor),
    vendorLogo: imageOption("--vendor-logo", vendorLogo),
    placeholder: imageOption("--placeholder", placeholder),
    language: languageOption(language),
  };
  if (shipping !== undefined)
    amountOption("--shipping", shipping, settings.currency, MAX_UNIT_MINOR);
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/**
 * The settings that publishing saves. The shipping cost is in their currency. Errors: `UsageError`, also if the currency
 * changes and the shipping cost does not.
 */
export function mergeSettings(
  before: CatalogueSettings,
  given: CatalogueSettings,
  shipping: string | undefined,
): CatalogueSettings {
  const settings = { ...before, ...given };
  const { currency, shippingMinor } = settings;
  if (currency === undefined) return settings;
  if (shipping !== undefined) {
    return {
      ...settings,
      shippingMinor: amountOption("--shipping", shipping, currency, MAX_UNIT_MINOR),
    };
  }
  if (shippingMinor && before.currency && before.currency !== currency) {
    const saved = amountWithCode(shippingMinor, before.currency);
    throw new UsageError(`the saved shipping cost is ${saved}: give --shipping in ${currency}.`);
  }
  return settings;
}

function locationsOption(text: string | undefined): string[] | undefined {
  const codes = text
    ?.split(",")
    .map((code) => code.trim())
    .filter((code) => code !== "");
  const invalid = codes?.find((code) => !countryCode().safeParse(code).success);
  if (invalid === undefined) return codes;
  throw new UsageError(`--locations must be ISO 3166-1 alpha-2 codes, such as AU,NZ: ${invalid}`);
}

/** The maximum length of a vendor's name in a product. An empty text removes the vendor. */
function vendorOption(name: string | undefined): string | undefined {
  if (name) textOption("--vendor", name, 200);
  return name;
}

/** An empty text removes the image. */
function imageOption(name: string, address: string | undefined): string | undefined {
  return address && checked(name, imageUrl(), address);
}

/** An empty text removes the language. */
function languageOption(tag: string | undefined): string | undefined {
  return tag && canonicalLanguage(checked("--language", languageTag(), tag));
}

/** The text, if it is a valid value of the option. Errors: `UsageError`. */
function checked(name: string, schema: z.ZodMiniType, text: string): string {
  const { error } = schema.safeParse(text);
  if (!error) return text;
  throw new UsageError(`${name} ${error.issues[0]?.message ?? "is not valid"}: ${text}`);
}
