// The texts of the recipient's page. They are static files and not part of the Worker's bundle.
import type english from "../../../public/languages/en.json";
import type { Language } from "./language.ts";

/** All languages have the same keys and placeholders as English. */
export type Texts = typeof english;

/** The texts that this isolate has loaded. Texts change only with a deployment, which starts new isolates. */
const loaded = new Map<Language, Texts>();

/** The texts of a language. Throws if the file cannot be read. */
export async function loadTexts(assets: Fetcher, language: Language): Promise<Texts> {
  const known = loaded.get(language);
  if (known) return known;
  const texts = await loadAsset<Texts>(assets, `languages/${language}`);
  loaded.set(language, texts);
  return texts;
}

/** A JSON file of `public`. Throws if it cannot be read. */
export async function loadAsset<Content>(assets: Fetcher, name: string): Promise<Content> {
  // The host of the URL is ignored.
  const response = await assets.fetch(`https://assets/${name}.json`);
  if (!response.ok) throw new Error(`${name}.json: status ${String(response.status)}`);
  return response.json<Content>();
}
