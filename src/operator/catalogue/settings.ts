// The settings of a catalogue: values that the files of shops do not contain.
import { validationError } from "../../core/api-error.ts";
import { countryCode, shownImageUrl, languageTag } from "../../core/validation/fields.ts";
import { languageOf } from "../../core/values/language-tag.ts";
import {
  amountRule,
  amountWithCode,
  formatAmount,
  MAX_UNIT_MINOR,
  parseAmount,
} from "../../core/values/money.ts";
import type { CatalogueSettings } from "../../platform/db/schema.ts";
import type { ValueChange } from "../declaration/declare.ts";
import { splitPair } from "../declaration/input.ts";
import * as kinds from "../declaration/kinds.ts";
import { textOf } from "../declaration/show.ts";

const image = (label: string, hint: string) => ({
  ...kinds.url(label, { hint: `${hint} An http(s) URL, or a path of this service.` }),
  schema: () => shownImageUrl(),
});

/** The inputs and facts of the settings. */
export const CATALOGUE_SETTINGS = {
  currency: kinds.optional(kinds.currency("Currency", { hint: "Of all prices, such as AUD." })),
  locations: kinds.nullable(
    kinds.many({
      ...kinds.text("Countries", { hint: "Where the products are available, such as AU,NZ." }),
      schema: countryCode,
    }),
  ),
  shipping: kinds.optional(
    kinds.amount("Shipping cost", { hint: "Of one piece of a physical product. 0 at first." }),
  ),
  vendor: kinds.nullable(kinds.text("Vendor", { hint: "Of products that have none in the file." })),
  vendor_logo: kinds.nullable(image("Logo of the vendor", "A neutral image if there is none.")),
  placeholder: kinds.nullable(
    image("Placeholder", "For products without an image. A wrapped gift if there is none."),
  ),
  option_labels: kinds.nullable(
    kinds.many(
      kinds.text("Labels of options", {
        hint: "Of a Shopify shop's linked options, such as orange-1=Orange,6-12-meses=6–12 meses.",
      }),
    ),
  ),
  codes: kinds.nullable(
    kinds.many(kinds.text("Delivered as codes", { hint: "SKUs or names of digital products." })),
  ),
  language: kinds.nullable({
    ...kinds.text("Language", { hint: "Of all texts, such as en or pt-BR." }),
    schema: languageTag,
  }),
};

/** Those that apply to the files of shops only, because Regalo's own files contain them. */
export const SHOP_SETTINGS = [
  "currency",
  "locations",
  "shipping",
  "vendor",
  "option_labels",
  "codes",
] as const;

export type SettingInputs = Partial<kinds.InputOf<typeof CATALOGUE_SETTINGS>>;

/** The settings by the names of the inputs. Null for a setting without a value. */
export const catalogueSettingValues = (settings: CatalogueSettings) => ({
  currency: settings.currency ?? null,
  locations: settings.locations?.length ? settings.locations : null,
  shipping:
    settings.currency && settings.shippingMinor !== undefined
      ? formatAmount(settings.shippingMinor, settings.currency)
      : null,
  vendor: settings.vendor ?? null,
  vendor_logo: settings.vendorLogo ?? null,
  placeholder: settings.placeholder ?? null,
  option_labels: settings.optionLabels
    ? Object.entries(settings.optionLabels).map((pair) => pair.join("="))
    : null,
  codes: settings.codes?.length ? settings.codes : null,
  language: settings.language ?? null,
});

/** The settings after a change. Those without an input keep their values. Errors: `validation_error`. */
export function mergedSettings(before: CatalogueSettings, input: SettingInputs): CatalogueSettings {
  const { currency, locations, vendor, placeholder, codes, language } = input;
  const { vendor_logo: vendorLogo, option_labels: labels } = input;
  const given = {
    currency,
    locations,
    vendor,
    vendorLogo,
    placeholder,
    optionLabels: labels && labelsIn(labels),
    codes,
    language: language && languageOf(language),
  };
  const changed = Object.entries(given).filter(([, value]) => value !== undefined);
  const settings: CatalogueSettings = {
    ...before,
    ...Object.fromEntries(changed.map(([name, value]) => [name, value ?? undefined])),
  };
  return { ...settings, ...shippingOf(before, settings, input.shipping) };
}

/** Errors: `validation_error`. */
function labelsIn(pairs: readonly string[]): Record<string, string> {
  const entries = pairs.map((pair) => {
    const entry = splitPair(pair);
    if (entry !== undefined) return entry;
    const message = `must have a handle and its label, such as orange-1=Orange: ${pair}`;
    throw validationError([{ field: "option_labels", message }]);
  });
  return Object.fromEntries(entries);
}

/** The shipping cost in the currency of the settings. */
function shippingOf(
  before: CatalogueSettings,
  { currency }: CatalogueSettings,
  shipping: string | undefined,
): Pick<CatalogueSettings, "shippingMinor"> {
  const { shippingMinor } = before;
  if (shipping === undefined) {
    if (!shippingMinor || !before.currency || before.currency === currency) return {};
    const saved = amountWithCode(shippingMinor, before.currency);
    throw invalidShipping(`must be given in ${String(currency)}, because it is ${saved}`);
  }
  if (currency === undefined) throw invalidShipping("needs a currency");
  const minor = parseAmount(shipping, currency);
  if (minor === undefined || minor > MAX_UNIT_MINOR) {
    throw invalidShipping(amountRule(shipping, currency, MAX_UNIT_MINOR));
  }
  return { shippingMinor: minor };
}

const invalidShipping = (message: string) => validationError([{ field: "shipping", message }]);

export function catalogueSettingChanges(
  before: CatalogueSettings,
  after: CatalogueSettings,
): ValueChange[] {
  const [old, next] = [catalogueSettingValues(before), catalogueSettingValues(after)];
  return Object.entries(CATALOGUE_SETTINGS).flatMap(([name, { label, type }]) => {
    const texts = [old, next].map((each) => textOf(type, each[name as keyof typeof each]) || null);
    const [earlier = null, later = null] = texts;
    return earlier === later ? [] : [{ label, before: earlier, after: later }];
  });
}
