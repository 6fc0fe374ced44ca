// All states of the gift page in all languages, on a narrow phone.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Language } from "../../src/features/pages/language.ts";
import type { PageTexts } from "../../src/features/pages/texts.ts";
import { useGiftPages } from "./gift-pages.ts";
import { DIFFERENT_STATES, showState, STATE_NAMES, useStateGifts } from "./gift-states.ts";
import { overflowOf } from "./layout.ts";
import { LANGUAGES, sample } from "./sample.ts";
import { DESKTOP, NARROW } from "./windows.ts";

const pages = useGiftPages();
const gifts = useStateGifts(pages);

const FOLDER = path.resolve(import.meta.dirname, "../../public/languages");

const textsOf = (language: Language) =>
  JSON.parse(readFileSync(path.join(FOLDER, `${language}.json`), "utf8")) as PageTexts;

const LANGUAGE_AND_DIRECTION = "[document.documentElement.lang, document.documentElement.dir]";

describe("nothing is cut off at 320 px", () => {
  test.each(LANGUAGES)("%s", async (language) => {
    const page = await pages.openWindow({ viewport: NARROW });
    const texts = textsOf(language);
    // German words are the longest.
    for (const name of language === "de" ? STATE_NAMES : sample(STATE_NAMES, DIFFERENT_STATES)) {
      await showState(page, gifts, name, { language, texts });
      expect(await overflowOf(page), name).toEqual([]);
      const direction = language === "ar" ? "rtl" : "ltr";
      expect(await page.evaluate(LANGUAGE_AND_DIRECTION), name).toEqual([language, direction]);
    }
  });
});

describe("Arabic", () => {
  test("mirrors the layout", async () => {
    const page = await pages.openWindow({ viewport: DESKTOP });
    /** The distances of the elements from the start of the line. */
    const starts = async (language: Language) => {
      await showState(page, gifts, "gift", { language, texts: textsOf(language) });
      return page.evaluate<number[]>(`["main img", "#gift-name", ".more"].map((selector) => {
        const { left, right } = document.querySelector(selector).getBoundingClientRect();
        const { clientWidth, dir } = document.documentElement;
        return dir === "rtl" ? clientWidth - right : left;
      })`);
    };
    const [picture = 0, name = 0, about = 0] = await starts("en");
    const mirrored = await starts("ar");
    expect(mirrored[0]).toBeCloseTo(picture, -1);
    expect(mirrored[1]).toBeCloseTo(name, -1);
    expect(mirrored[2]).toBeCloseTo(about, -1);
  });
});
