// The language of a request's pages, and the settings of the deployment that they use.
import type { Bindings } from "../../platform/env.ts";
import type { PageGift } from "./gift.ts";
import { type Language, type Locale, localeOf, supportedLocale } from "./language.ts";
import type { AddressRules } from "../../core/address/rules.ts";
import { loadAddressRules } from "../../platform/assets.ts";
import { loadTexts, type PageTexts } from "./texts.ts";

export interface PageContext {
  locale: Locale;
  texts: PageTexts;
  addresses: AddressRules;
  /** The language that the recipient has chosen on the page, which all links keep. Null for no choice. */
  chosenLanguage: Language | null;
  /** What the recipient has typed in the form. With it, links are buttons that post it. Null without a posted form. */
  kept: Readonly<Record<string, string>> | null;
  /** Whether the recipient corrects where an accepted gift is sent. All links of these pages keep it. */
  isCorrection: boolean;
  /** What the list of other gifts shows, which all links keep for the way back. */
  place: ListPlace;
  /** Parameters of the URL that all links keep. */
  parameters?: string;
  publicUrl: string;
  /** The address to which recipients write for help. */
  supportEmail: string;
  /** The sender's privacy notice. Empty if there is none. */
  privacyUrl: string;
  /** Whether Cloudflare resizes images. */
  resizesImages: boolean;
}

export interface ListPlace {
  /** Words that the gifts contain. Empty for all. */
  q: string;
  /** Empty for all. */
  category: string;
  page: number;
}

const MAX_WORDS = 100;

export const LIST_START: ListPlace = { q: "", category: "", page: 1 };

/** The place in the list that these parameters of a URL name. */
export const placeOf = ({ q = "", category = "", page }: Record<string, string>): ListPlace => ({
  q: q.trim().slice(0, MAX_WORDS),
  category,
  page: Math.max(1, Math.trunc(Number(page)) || 1),
});

interface PageRequest {
  /** The parameter `lang` of the URL. */
  lang: string | undefined;
  isCorrection?: boolean;
  /** The header Accept-Language. */
  accepted: string | undefined;
}

/** `gift` is null on pages of errors. */
export async function pageContext(
  env: Pick<
    Bindings,
    "ASSETS" | "PUBLIC_URL" | "SUPPORT_EMAIL" | "PRIVACY_URL" | "IMAGE_TRANSFORMATIONS"
  >,
  { lang, accepted, isCorrection = false }: PageRequest,
  gift: Pick<PageGift, "language" | "supportEmail" | "privacyUrl" | "register"> | null,
): Promise<PageContext> {
  const locale = localeOf({ requested: lang, recipient: gift?.language ?? null, accepted });
  const [texts, addresses] = await Promise.all([
    loadTexts(env.ASSETS, locale.language, gift?.register),
    loadAddressRules(env.ASSETS),
  ]);
  return {
    locale,
    texts,
    addresses,
    chosenLanguage: chosenLanguage(lang),
    kept: null,
    isCorrection,
    place: LIST_START,
    publicUrl: env.PUBLIC_URL,
    supportEmail: gift?.supportEmail ?? env.SUPPORT_EMAIL,
    privacyUrl: gift?.privacyUrl ?? env.PRIVACY_URL ?? "",
    resizesImages: env.IMAGE_TRANSFORMATIONS === "on",
  };
}

/** The language of the parameter `lang`. Null if it is not given, or if the page does not have it. */
export function chosenLanguage(lang: string | undefined): Language | null {
  return supportedLocale(lang ?? "")?.language ?? null;
}
