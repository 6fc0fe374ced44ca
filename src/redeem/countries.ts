// The countries that the recipient can select, named in the page's language.
import { isAvailableIn, type Product } from "../catalogue/product.ts";
import { countryOf } from "../values/country.ts";
import { COUNTRIES } from "../values/iso.ts";

export interface NamedCountry {
  code: string;
  name: string;
}

/** All countries, by language. The first list of an isolate takes about 14 ms, each further one 1 to 2 ms. */
const lists = new Map<string, NamedCountry[]>();

/** The countries to which a product ships, sorted by name. `locale` is one of the page's languages. */
export function shippingCountries(locations: Product["locations"], locale: string): NamedCountry[] {
  let list = lists.get(locale);
  if (!list) {
    list = allCountries(locale);
    lists.set(locale, list);
  }
  return list.filter(({ code }) => isAvailableIn({ locations }, code));
}

function allCountries(locale: string): NamedCountry[] {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  const { compare } = new Intl.Collator(locale);
  return COUNTRIES.split(" ")
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => compare(a.name, b.name));
}

/** The name of a country, which may be given by its code or English name. Other text is returned as it is. */
export function countryName(country: string, language: string): string {
  const code = countryOf(country);
  return shippingCountries([], language).find((each) => each.code === code)?.name ?? country;
}
