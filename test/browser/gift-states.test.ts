// All states of the gift page: accessibility, the layout at several widths, and the settings of readers. Screenshots are
// stored in screenshots/.
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { violationsOf } from "./axe.ts";
import { useGiftPages } from "./gift-pages.ts";
import { showState, STATE_NAMES, useStateGifts } from "./gift-states.ts";
import { animationsOf, brokenPictures, overflowOf, storeScreenshot } from "./layout.ts";
import { IS_FULL, SCHEMES, turn, WIDTHS } from "./sample.ts";
import { DESKTOP, PHONE } from "./windows.ts";

const pages = useGiftPages();
const gifts = useStateGifts(pages);
let page: Page;

beforeAll(async () => {
  page = await pages.openWindow({ isKept: true });
});

/**
 * What is wrong with forced colours: logos on another colour than white, and buttons without a border, which shows where
 * they are because their colours are replaced.
 */
const FORCED_COLOUR_FAULTS = `[
  ...[...document.querySelectorAll(".logo, .claim")].filter(
    (image) => getComputedStyle(image).backgroundColor !== "rgb(255, 255, 255)"),
  ...[...document.querySelectorAll(".primary, .secondary")].filter(
    (button) => getComputedStyle(button).borderTopWidth === "0px"),
].map(({ outerHTML }) => outerHTML)`;

test.each(STATE_NAMES.map((name, number) => ({ name, number })))(
  "$name: can be read by everyone",
  async ({ name, number }) => {
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
    await page.setViewportSize(PHONE);
    await showState(page, gifts, name);
    expect(await brokenPictures(page)).toEqual([]);
    expect(await animationsOf(page)).toEqual([]);
    await storeScreenshot(page, `${name}-phone-light`);
    for (const colorScheme of turn(SCHEMES, number)) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page), colorScheme).toEqual([]);
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await overflowOf(page), `${String(width)} px`).toEqual([]);
      if (IS_FULL && width === DESKTOP.width) await storeScreenshot(page, `${name}-desktop-dark`);
    }
    await page.emulateMedia({ forcedColors: "active" });
    expect(await page.evaluate(FORCED_COLOUR_FAULTS), "forced colours").toEqual([]);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect(await overflowOf(page), "text of 200 %").toEqual([]);
  },
);
