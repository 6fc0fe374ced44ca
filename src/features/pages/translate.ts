// The texts of products in the recipient's language, as far as the catalogue has them.
import { own } from "../../core/values/own.ts";
import type { Product, Translation } from "../catalogue/product.ts";
import type { GiftView, LocalProduct, TextField } from "./gift.ts";

/**
 * Those of the languages that a reader of `wanted` understands, the best first: itself, then of the same region, of no
 * region, and of others. The script must be the same: `zh-TW` finds `zh-Hant`, and `zh-CN` finds `zh`.
 */
export function languagesFor(wanted: string, available: readonly string[]): string[] {
  const reader = new Intl.Locale(wanted).maximize();
  const rank = (tag: string) => {
    const { region } = new Intl.Locale(tag);
    return tag === wanted ? 0 : region === reader.region ? 1 : region === undefined ? 2 : 3;
  };
  return available
    .filter(
      (tag) =>
        tag.split("-")[0] === reader.language &&
        new Intl.Locale(tag).maximize().script === reader.script,
    )
    .sort((a, b) => rank(a) - rank(b));
}

/**
 * The best translation of each text, and its language. A text is missing if the original, which is in the language of
 * the catalogue, is the best.
 */
export function translationFor(
  { translations = {} }: Pick<Product, "translations">,
  wanted: string,
  original: string | null,
) {
  const texts: Translation = {};
  const languages: NonNullable<LocalProduct["languages"]> = {};
  for (const tag of languagesFor(wanted, [original ?? "", ...Object.keys(translations)])) {
    if (tag === original) break;
    for (const [field, text] of Object.entries(translations[tag] ?? {})) {
      if (!text || field in texts) continue;
      Object.assign(texts, { [field]: text });
      languages[field as TextField] = tag;
    }
  }
  return { texts, languages };
}

/** The product with the best translation of each of its texts. */
export function translated(
  product: Product,
  wanted: string,
  original: string | null,
): LocalProduct {
  const { texts, languages } = translationFor(product, wanted, original);
  const { bio, shippingInfo, returnsInfo, options = {}, ...others } = texts;
  const vendor = { ...(bio && { bio }), ...(shippingInfo && { shippingInfo }) };
  const textOf = (text: string) => own(options, text) ?? text;
  return {
    ...product,
    ...others,
    languages,
    vendor: { ...product.vendor, ...vendor, ...(returnsInfo && { returnsInfo }) },
    variations: product.variations.map((variation) => ({
      ...variation,
      options: variation.options.map(({ id, name, option }) => ({
        id,
        name: textOf(name),
        option: textOf(option),
        original: option,
      })),
    })),
  };
}

/** Replaces the products and the collection of the view. Its choices stay the same objects, which pages compare. */
export function translateView(
  { gift, selected, viewed, others, list }: GiftView,
  wanted: string,
): void {
  const { collection } = gift;
  if (collection) {
    const { texts, languages } = translationFor(collection, wanted, gift.catalogueLanguage);
    Object.assign(collection, texts, { language: languages.name });
  }
  for (const category of list?.categories ?? []) {
    const product = others.find((each) => each.product.id === category.exampleId)?.product;
    if (!product) continue;
    const { texts, languages } = translationFor(product, wanted, gift.catalogueLanguage);
    const index = product.categories.findIndex((path) =>
      `${path} > `.startsWith(`${category.name} > `),
    );
    const label = texts.categories?.[index]?.split(" > ")[category.name.split(" > ").length - 1];
    if (label) Object.assign(category, { label, language: languages.categories });
  }
  for (const choice of [selected, viewed, ...others]) {
    if (choice) choice.product = translated(choice.product, wanted, gift.catalogueLanguage);
  }
}
