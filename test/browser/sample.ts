// How much of the matrix of pages, languages, widths and modes is checked: all of it with FULL_RUNS=on, otherwise a sample.
import { type Language, LANGUAGES as ALL_LANGUAGES } from "../../src/features/pages/language.ts";

export const IS_FULL = process.env["FULL_RUNS"] === "on";

/** All values in full runs, otherwise some of them. */
export const sample = <T>(all: readonly T[], some: readonly T[]): readonly T[] =>
  IS_FULL ? all : some;

/** All values in full runs, otherwise one of them: items with consecutive numbers get the values in turn. */
export const turn = <T>(all: readonly T[], item: number): readonly T[] =>
  sample(all, all.slice(item % all.length, (item % all.length) + 1));

/** German has long words, Japanese no spaces, and Arabic is written from the right. */
export const LANGUAGES = sample<Language>(ALL_LANGUAGES, ["de", "ja", "ar"]);
export const WIDTHS = sample([1280, 768, 320], [1280, 320]);
export const SCHEMES = ["light", "dark"] as const;
