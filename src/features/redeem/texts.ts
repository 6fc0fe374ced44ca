// The texts of the recipient's page. They are static files and not part of the Worker's bundle.
import type english from "../../../public/languages/en.json";
import type { Register } from "../../core/values/registers.ts";
import type { Language } from "./language.ts";

/** All languages have the same keys and placeholders as English. */
export type Texts = typeof english;

/**
 * Languages address their reader formally or informally. Each file uses one of the registers, and these files contain
 * the texts that differ in the other one.
 */
export const OTHER_REGISTERS = [
  ...["de.informal", "fr.informal", "it.informal", "pt.informal"],
  ...["es.formal", "nl.formal"],
];

/** The texts that this isolate has loaded. Texts change only with a deployment, which starts new isolates. */
const loaded = new Map<string, Texts>();

/** The texts of a language. Without a register, those of its file. Throws if a file cannot be read. */
export async function loadTexts(
  assets: Fetcher,
  language: Language,
  register: Register | null = null,
): Promise<Texts> {
  const other = `${language}.${register ?? ""}`;
  const name = OTHER_REGISTERS.includes(other) ? other : language;
  const known = loaded.get(name);
  if (known) return known;
  const changes = await readFile(assets, name);
  const texts = name === language ? changes : merged(await loadTexts(assets, language), changes);
  loaded.set(name, texts as Texts);
  return texts as Texts;
}

interface Tree {
  [key: string]: string | Tree;
}

async function readFile(assets: Fetcher, name: string): Promise<Tree> {
  // The host of the URL is ignored.
  const response = await assets.fetch(`https://assets/languages/${name}.json`);
  if (!response.ok) throw new Error(`the texts of ${name}: status ${String(response.status)}`);
  return response.json<Tree>();
}

/** The texts, with the changed ones in their place. */
function merged(texts: Tree, changes: Tree): Tree {
  const { ...result } = texts;
  for (const [key, change] of Object.entries(changes)) {
    const text = texts[key];
    result[key] =
      typeof change === "object" && typeof text === "object" ? merged(text, change) : change;
  }
  return result;
}
