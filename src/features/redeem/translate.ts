// The texts of products in the recipient's language, as far as the catalogue has them.
import type { Product, Translation } from "../catalogue/product.ts";
import type { GiftView } from "./queries.ts";

export type TextField = keyof Translation;

/** A product with texts in several languages. */
export interface LocalProduct extends Product {
  /** The languages of the translated texts. The other texts are in the language of the catalogue. */
  languages?: Partial<Record<TextField, string>>;
}

/**
 * Those of the languages that a reader of `wanted` understands, the best first: itself, then of the same region, of no
 * region, and of others. The script must be the same: `zh-TW` finds `zh-Hant`, and `zh-CN` finds `zh`.
 */
export function languagesFor(wanted: string, available: readonly string[]): string[] {
  const reader = new Intl.Locale(wanted).maximize();
  const rank = (tag: string) => {
    if (tag === wanted) return 0;
    const { region } = new Intl.Locale(tag);
    if (region === reader.region) return 1;
    return region === undefined ? 2 : 3;
  };
  return available
    .filter((tag) => tag.split("-")[0] === reader.language)
    .filter((tag) => new Intl.Locale(tag).maximize().script === reader.script)
    .sort((a, b) => rank(a) - rank(b));
}

/**
 * Returns a function that finds the best translation of a text. Undefined if the original, which is in the language of
 * the catalogue, is the best.
 */
export function translator(
  { translations = {} }: Pick<Product, "translations">,
  wanted: string,
  original: string | null,
) {
  const originals = original === null ? [] : [original];
  const tags = languagesFor(wanted, [...originals, ...Object.keys(translations)]);
  return <Field extends TextField>(field: Field) => {
    const language = tags.find((tag) => tag === original || translations[tag]?.[field]);
    if (language === undefined || language === original) return undefined;
    return { language, text: translations[language]?.[field] };
  };
}

/** The product with the best translation of each of its texts. `original` is the language of the catalogue. */
export function translated(
  product: Product,
  wanted: string,
  original: string | null,
): LocalProduct {
  const find = translator(product, wanted, original);
  const languages: LocalProduct["languages"] = {};
  const translate = <Field extends TextField>(field: Field) => {
    const found = find(field);
    if (found) languages[field] = found.language;
    return found?.text;
  };
  const { vendor } = product;
  const options = translate("options");
  const optionOf = (text: string) => options?.[text] ?? text;
  return {
    ...product,
    languages,
    name: translate("name") ?? product.name,
    description: translate("description") ?? product.description,
    shortDescription: translate("shortDescription") ?? product.shortDescription,
    categories: translate("categories") ?? product.categories,
    vendor: {
      ...vendor,
      bio: translate("bio") ?? vendor.bio,
      shippingInfo: translate("shippingInfo") ?? vendor.shippingInfo,
      returnsInfo: translate("returnsInfo") ?? vendor.returnsInfo,
    },
    variations: product.variations.map((variation) => ({
      ...variation,
      options: variation.options.map(({ id, name, option }) => ({
        id,
        name: optionOf(name),
        option: optionOf(option),
      })),
    })),
  };
}

/** Replaces the products of the view. Its choices stay the same objects, which pages compare. */
export function translateView({ gift, selected, viewed, others }: GiftView, wanted: string): void {
  for (const choice of [selected, viewed, ...others]) {
    if (choice) choice.product = translated(choice.product, wanted, gift.catalogueLanguage);
  }
}
