// The texts of the recipient's page. They are static files and not part of the Worker's bundle.
import type english from "../../../public/languages/en.json";
import { loadAsset } from "../../platform/assets.ts";
import type { PageGift } from "./gift.ts";
import type { Language } from "./language.ts";

/** All languages have the same keys and placeholders as English. */
export type PageTexts = typeof english;

/**
 * Languages address their reader formally or informally. Each file uses one of these registers, and these files contain
 * the texts that differ in the other one.
 */
export const OTHER_REGISTERS =
  "de.informal fr.informal pt-PT.informal es.formal it.formal nl.formal".split(" ");

/** The texts that this isolate has loaded. Texts change only with a deployment, which starts new isolates. */
const loaded = new Map<string, PageTexts>();

/** The texts of a language. Throws if a file cannot be read. */
export async function loadTexts(
  assets: Fetcher,
  language: Language,
  register: PageGift["register"] = null,
): Promise<PageTexts> {
  const other = `${language}.${register ?? ""}`;
  const file = OTHER_REGISTERS.includes(other) ? other : language;
  const known = loaded.get(file);
  if (known) return known;
  const read = await loadAsset<Tree>(assets, `languages/${file}`);
  const texts = file === language ? read : merged(await loadTexts(assets, language), read);
  if (language === "ja") separatePhrases(texts);
  loaded.set(file, texts as PageTexts);
  return texts as PageTexts;
}

interface Tree {
  [key: string]: string | Tree;
}

/** A zero-width space, at which lines may break. */
export const GAP = "\u200b";

/**
 * The gap between two phrases: before a word in Kanji, in Katakana or with a polite prefix that follows Hiragana, unless
 * those are a prefix themselves or the stem of a verb, as in 切り替わる. Punctuation marks need no gap.
 */
const PHRASE_END =
  /(?<=[\p{sc=Hiragana}）」])(?<!(?:^|\u200b)[おご]|\p{sc=Han}\u200b?[きり])\u200b(?=[\p{sc=Han}\p{sc=Katakana}おご「{\d])/u;

/** Puts a gap between the phrases of Japanese texts. */
function separatePhrases(texts: Tree): void {
  const words = new Intl.Segmenter("ja", { granularity: "word" });
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text !== "string") separatePhrases(text);
    else {
      const parts = Array.from(words.segment(text), ({ segment }) => segment).join(GAP);
      const phrases = parts.split(PHRASE_END).map((phrase) => phrase.replaceAll(GAP, ""));
      texts[key] = phrases.join(GAP);
    }
  }
}

/** The texts, some of them replaced by those of `changes`. */
function merged(texts: Tree, changes: Tree): Tree {
  const entries = Object.entries(changes).map(([key, change]) => [
    key,
    typeof change === "string" ? change : merged(texts[key] as Tree, change),
  ]);
  return { ...texts, ...(Object.fromEntries(entries) as Tree) };
}
