// Generates src/core/values/country-names.ts from the package `world-countries`.
import countries from "world-countries";
import { folded, OFFICIAL, languagesOf } from "../../../src/core/values/country.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";

/** Names that the package does not contain, or only with "Republic of". */
const OTHER_NAMES: Record<string, string[]> = {
  BA: ["Bosnia"],
  BQ: ["Bonaire"],
  CD: ["DR Congo"],
  GB: ["Britain", "England", "Northern Ireland", "Scotland", "Wales"],
  TR: ["Turkey"],
  TW: ["Taiwan, Province of China", "臺灣"],
  VA: ["Holy See"],
};

/** Also the short name of another country. */
const AMBIGUOUS = ["Guiana", "Saint-Martin"];

/** The other spellings in the package are mostly long official names and transliterations. */
const isShortAndEnglish = (name: string) => /^[A-Za-z]+( [A-Za-z]+)?$/.test(name);

/** The module. For each country, it has the codes of two and three letters and the names that CLDR does not have. */
export function countryNamesAsText(): string {
  const entries = COUNTRIES.split(" ").map((code) => {
    const country = countries.find(({ cca2 }) => cca2 === code);
    if (!country) throw new Error(`the package has no country ${code}`);
    const { cca3, name, altSpellings } = country;
    const natives = Object.values(name.native).map(({ common }) => common);
    const known = new Set([folded(code), ...cldrNames(code).map(folded)]);
    const names = [
      // Kosovo has no code of ISO 3166-1, and XK is in general use.
      cca3 === "UNK" ? "XKX" : cca3,
      name.common,
      name.official,
      ...altSpellings.filter(isShortAndEnglish),
      ...natives,
      ...(OTHER_NAMES[code] ?? []),
    ].filter((each) => !AMBIGUOUS.includes(each));
    const others = names.filter((each) => {
      const [, plain = each] = OFFICIAL.exec(each) ?? [];
      const isKnown = known.has(folded(each)) || known.has(folded(plain));
      known.add(folded(each));
      return !isKnown;
    });
    return [code, ...others].join("|");
  });
  return `// Generated from the package \`world-countries\` by test/core/values/country-data.ts.
export const COUNTRY_NAMES =
  ${JSON.stringify(entries.join(";"))};
`;
}

const cldrNames = (code: string) =>
  ["en", ...languagesOf(code)].flatMap((language) =>
    (["long", "short"] as const).map(
      (style) => new Intl.DisplayNames(language, { type: "region", style }).of(code) ?? "",
    ),
  );
