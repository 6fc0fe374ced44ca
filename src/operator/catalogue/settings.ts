// The settings of a catalogue: values that the files of shops do not contain.
import { validationError } from "../../core/api-error.ts";
import { countryCode, shownImageUrl } from "../../core/validation/fields.ts";
import {
  amountRule,
  amountWithCode,
  formatAmount,
  MAX_UNIT_MINOR,
  parseAmount,
} from "../../core/values/money.ts";
import type { CatalogueSettings } from "../../platform/db/schema.ts";
import * as kinds from "../declaration/kinds.ts";
import { valueChanges } from "../declaration/output.ts";

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
  vendor_logo: kinds.from(
    "vendorLogo",
    kinds.nullable(image("Logo of the vendor", "A neutral image if there is none.")),
  ),
  placeholder: kinds.nullable(
    image("Placeholder", "For products without an image. A wrapped gift if there is none."),
  ),
  codes: kinds.nullable(
    kinds.many(kinds.text("Delivered as codes", { hint: "SKUs or names of digital products." })),
  ),
  language: kinds.nullable(
    kinds.language("Language", { hint: "Of all texts, such as en or pt-BR." }),
  ),
};

/** Those that apply to the files of shops only, because Regalo's own files contain them. */
export const SHOP_SETTINGS = ["currency", "locations", "shipping", "vendor", "codes"] as const;

export type SettingInputs = Partial<kinds.InputOf<typeof CATALOGUE_SETTINGS>>;

/** The settings as the values of the inputs and facts. */
export const catalogueSettingValues = ({ shippingMinor, ...settings }: CatalogueSettings) => ({
  ...settings,
  shipping:
    settings.currency && shippingMinor !== undefined
      ? formatAmount(shippingMinor, settings.currency)
      : null,
});

/** The settings after a change. Those without an input keep their values. Errors: `validation_error`. */
export function mergedSettings(
  before: CatalogueSettings,
  { shipping, ...input }: SettingInputs,
): CatalogueSettings {
  const given: Record<string, unknown> = input;
  const changed = Object.entries<kinds.Kind>(CATALOGUE_SETTINGS)
    .filter(([name]) => given[name] !== undefined)
    .map(([name, { from = name }]) => [from, given[name] ?? undefined]);
  const settings = { ...before, ...(Object.fromEntries(changed) as CatalogueSettings) };
  return { ...settings, ...shippingOf(before, settings, shipping) };
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

export const catalogueSettingChanges = (before: CatalogueSettings, after: CatalogueSettings) =>
  valueChanges(CATALOGUE_SETTINGS, catalogueSettingValues(before), catalogueSettingValues(after));
