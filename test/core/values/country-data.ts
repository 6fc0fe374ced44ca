// Generates src/core/values/country-names.ts from the package `world-countries`.
import countries from "world-countries";
import { foldedPlace, languagesOf } from "../../../src/core/values/country.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";

/** Short names of ISO 3166-1 and others in use, which the package does not contain as one word. */
const OTHER_NAMES: Record<string, string[]> = {
  BA: ["Bosnia"],
  BQ: ["Bonaire", "Bonaire, Sint Eustatius and Saba"],
  CD: ["DR Congo", "Democratic Republic of the Congo"],
  CI: ["Ivory Coast"],
  CZ: ["Czech Republic"],
  GB: [
    ...["Britain", "Great Britain", "England", "Northern Ireland", "Scotland", "Wales"],
    "United Kingdom of Great Britain and Northern Ireland",
  ],
  HM: ["Heard Island and McDonald Islands"],
  KP: ["Democratic People's Republic of Korea"],
  KR: ["Republic of Korea"],
  LA: ["Lao People's Democratic Republic"],
  RU: ["Russian Federation"],
  SH: ["Saint Helena, Ascension and Tristan da Cunha"],
  SY: ["Syrian Arab Republic"],
  TL: ["East Timor"],
  TR: ["Turkey"],
  TW: ["Taiwan, Province of China", "Republic of China", "臺灣"],
  UM: ["United States Minor Outlying Islands"],
  US: ["United States of America"],
  VA: ["Holy See"],
};

/** Also the short name of another country. */
const AMBIGUOUS = ["Guiana", "Saint-Martin"];

/** The package's names of several words are mostly official names and transliterations, which addresses do not have. */
const isWord = (name: string) => /^[\p{L}\p{M}-]+$/u.test(name);

/** The module: the codes of three letters, and the names that CLDR does not have. */
export function countryNamesAsText(): string {
  const entries = COUNTRIES.split(" ").map((code) => {
    const country = countries.find(({ cca2 }) => cca2 === code);
    if (!country) throw new Error(`the package has no country ${code}`);
    const { cca3, name, altSpellings } = country;
    const natives = Object.values(name.native).map(({ common }) => common);
    const known = new Set([foldedPlace(code), ...cldrNames(code).map(foldedPlace)]);
    const words = [name.common, ...altSpellings, ...natives].filter(isWord);
    const names = [...words, ...(OTHER_NAMES[code] ?? [])].filter((each) => {
      const isKnown = known.has(foldedPlace(each)) || AMBIGUOUS.includes(each);
      known.add(foldedPlace(each));
      return !isKnown;
    });
    // Kosovo has no code of ISO 3166-1, and XK is in general use.
    return { code, alpha3: cca3 === "UNK" ? "XKX" : cca3, names };
  });
  const named = entries.filter(({ names }) => names.length > 0);
  return `// Generated from the package \`world-countries\` by test/core/values/country-data.ts.

/** The codes of three letters, in the order of COUNTRIES. */
export const ALPHA_3 =
  "${entries.map(({ alpha3 }) => alpha3).join(" ")}";

/** Names that Unicode's CLDR does not have, after the code of their country. */
export const OTHER_NAMES =
  ${JSON.stringify(named.map(({ code, names }) => [code, ...names].join("|")).join(";"))};
`;
}

const cldrNames = (code: string) =>
  ["en", ...languagesOf(code)].flatMap((language) =>
    (["long", "short"] as const).map(
      (style) => new Intl.DisplayNames(language, { type: "region", style }).of(code) ?? "",
    ),
  );
