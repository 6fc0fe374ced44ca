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
  loaded.set(file, texts as PageTexts);
  return texts as PageTexts;
}

interface Tree {
  [key: string]: string | Tree;
}

/** The texts, some of them replaced by those of `changes`. */
function merged(texts: Tree, changes: Tree): Tree {
  const entries = Object.entries(changes).map(([key, change]) => [
    key,
    typeof change === "string" ? change : merged(texts[key] as Tree, change),
  ]);
  return { ...texts, ...(Object.fromEntries(entries) as Tree) };
}
