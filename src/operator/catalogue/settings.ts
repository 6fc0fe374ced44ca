// The settings of a catalogue as text.
import { formatAmount } from "../../core/values/money.ts";
import type { CatalogueSettings } from "../../platform/db/schema.ts";

/** The settings as text. A setting without a value is null. */
export function formatSettings(settings: CatalogueSettings) {
  const { currency, locations, shippingMinor, vendor, vendorLogo, placeholder, language } =
    settings;
  return {
    currency: currency ?? null,
    locations: locations?.length ? locations.join(",") : null,
    shipping:
      currency && shippingMinor !== undefined ? formatAmount(shippingMinor, currency) : null,
    vendor: vendor || null,
    "vendor logo": vendorLogo || null,
    placeholder: placeholder || null,
    language: language || null,
  };
}

/** Each changed setting as text: `shipping 12.00 (before 9.50)`. */
export function changedSettings(before: CatalogueSettings, after: CatalogueSettings): string[] {
  const [old, next] = [formatSettings(before), formatSettings(after)];
  return Object.entries(next).flatMap(([name, value]) => {
    const earlier = old[name as keyof typeof old];
    if (earlier === value) return [];
    return [`${name} ${value ?? "none"}${earlier === null ? "" : ` (before ${earlier})`}`];
  });
}
