// The countries that the recipient can select, named in the page's language.
import { isAvailableIn, type Product } from "../catalogue/product.ts";
import { countryOf } from "../../core/values/country.ts";
import { COUNTRIES } from "../../core/values/iso.ts";

export interface NamedCountry {
  code: string;
  name: string;
}

/** The lists of this isolate, by language. To sort one takes some milliseconds. */
const lists = new Map<string, NamedCountry[]>();

/** All countries, sorted by name. */
function allCountries(language: string): NamedCountry[] {
  const known = lists.get(language);
  if (known) return known;
  const names = new Intl.DisplayNames(language, { type: "region" });
  const { compare } = new Intl.Collator(language);
  const list = COUNTRIES.split(" ")
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => compare(a.name, b.name));
  lists.set(language, list);
  return list;
}

/** The countries to which a product ships, and the others, sorted by name. */
export function shippingCountries(locations: Product["locations"], language: string) {
  const all = allCountries(language);
  const ships = ({ code }: NamedCountry) => isAvailableIn({ locations }, code);
  return { shipping: all.filter(ships), others: all.filter((country) => !ships(country)) };
}

/** The name of a country, which is given by its code or its English name. Other text is returned unchanged. */
export function countryName(country: string, language: string): string {
  const code = countryOf(country);
  return allCountries(language).find((each) => each.code === code)?.name ?? country;
}
