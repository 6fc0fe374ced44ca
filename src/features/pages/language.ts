// The language of the recipient's page: the parameter `lang`, else the order's, else the browser's, else English.
import { canonicalLanguage } from "../../core/values/language-tag.ts";

/** The languages of public/languages, each with its own name. `zh` is Simplified Chinese. */
export const LANGUAGE_NAMES = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  "pt-BR": "Português (Brasil)",
  "pt-PT": "Português (Portugal)",
  it: "Italiano",
  nl: "Nederlands",
  ja: "日本語",
  zh: "简体中文",
  "zh-Hant": "繁體中文",
  ar: "العربية",
} as const;
export type Language = keyof typeof LANGUAGE_NAMES;
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

export interface Locale {
  language: Language;
  /** A BCP 47 tag for dates and names, which may contain a region: `en-US`. */
  tag: string;
}

/** The sources of the language, in the order in which they are used. */
export interface LanguageSources {
  /** The parameter `lang` of the URL. */
  requested: string | undefined;
  /** The recipient's language in the order. */
  recipient: string | null;
  /** The header Accept-Language. */
  accepted: string | undefined;
}

/** The first of the sources with a language of the page. Without one, English. */
export function localeOf({ requested, recipient, accepted }: LanguageSources): Locale {
  for (const tag of [requested, recipient, ...acceptedTags(accepted ?? "")]) {
    const locale = supportedLocale(tag ?? "");
    if (locale) return locale;
  }
  return { language: "en", tag: "en-GB" };
}

/** The tags of Accept-Language, by descending weight. The default weight is 1. Tags with the weight 0 are left out. */
function acceptedTags(header: string): string[] {
  return header
    .split(",", MAX_ACCEPTED_TAGS)
    .map((item) => {
      const [tag = "", weight] = item.split(";");
      const q = Number(/^\s*q=([\d.]+)\s*$/i.exec(weight ?? "")?.[1] ?? 1);
      return { tag: tag.trim(), q };
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q)
    .map(({ tag }) => tag);
}

const MAX_ACCEPTED_TAGS = 50;

/** The languages of Chinese, by their script. The tags `zh-TW`, `zh-HK` and `zh-MO` imply the traditional one. */
const CHINESE: Record<string, Language> = { Hans: "zh", Hant: "zh-Hant" };

/** The regions in which Portuguese is that of Portugal, as in Unicode's CLDR. */
const EUROPEAN_PORTUGUESE = "AO CH CV FR GQ GW LU MO MZ PT ST TL".split(" ");

function languageOf({ language, region }: Intl.Locale, script: string | undefined) {
  if (language === "zh") return CHINESE[script ?? ""];
  if (language !== "pt") return language;
  return EUROPEAN_PORTUGUESE.includes(region ?? "") ? "pt-PT" : "pt-BR";
}

/** The locale of a BCP 47 tag. Null if the page does not have its language. */
export function supportedLocale(tag: string): Locale | null {
  const canonical = canonicalLanguage(tag);
  if (canonical === undefined) return null;
  const locale = new Intl.Locale(canonical);
  const name = languageOf(locale, locale.maximize().script);
  const language = LANGUAGES.find((each) => each === name);
  if (!language) return null;
  const region = locale.region ?? (language === "en" ? "GB" : undefined);
  // `zh-HK` and `zh-TW` would mean Traditional Chinese.
  const prefix = language === "zh" ? "zh-Hans" : language.replace(/-[A-Z]+$/, "");
  return { language, tag: region ? `${prefix}-${region}` : language };
}
