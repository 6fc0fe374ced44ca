// The gift page without pictures, with motion, and with long names.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useGiftPages } from "./gift-pages.ts";
import {
  DIFFERENT_STATES,
  mainText,
  showState,
  STATE_NAMES,
  useStateGifts,
} from "./gift-states.ts";
import { animationsOf, overflowOf } from "./layout.ts";
import { sample, WIDTHS } from "./sample.ts";
import { NARROW } from "./windows.ts";

const pages = useGiftPages();
const gifts = useStateGifts(pages);

/** The boxes of all shown elements except pictures. */
const BOXES = `scrollTo({ top: 0, behavior: "instant" }), [...document.querySelectorAll("main :not(img)")].map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [element.localName, x, y, width, height].map((value) => typeof value === "number" ? Math.round(value) : value).join(" ");
})`;

test("pictures that are not loaded do not move the page", async () => {
  const withPictures = await pages.openWindow({ viewport: NARROW });
  const without = await pages.openWindow({ viewport: NARROW });
  await without.route("**/images/**", (route) => route.abort("blockedbyclient"));
  for (const name of DIFFERENT_STATES.filter((name) => name !== "error")) {
    const boxes = await Promise.all(
      [withPictures, without].map(async (page) => {
        await showState(page, gifts, name);
        return page.evaluate(BOXES);
      }),
    );
    expect(boxes[1], name).toEqual(boxes[0]);
    expect(await overflowOf(without), name).toEqual([]);
  }
});

test("pages move, unless motion is reduced", async () => {
  const page = await pages.openWindow({ reducedMotion: "no-preference" });
  await showState(page, gifts, "thanks");
  expect(await animationsOf(page)).not.toEqual([]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await animationsOf(page)).toEqual([]);
});

const LONG_WORD = "Rindfleischetikettierungsüberwachungsaufgaben".padEnd(80, "übertragungsgesetz");

/** Replaces the names in the HTML, as a company, a vendor and a product could have written them. */
async function lengthenNames(page: Page): Promise<void> {
  await page.route("**/redeem/**", async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const body = html.replace(
      /The Long Table Hamper|Terrace Soy Candle|Demo Company|Northwind Studio|Wrenhollow Provisions|Grace Hopper|Ada(?=[ ,<])|Okafor|Brunswick|wonderful/g,
      (name) => `${name} ${LONG_WORD}`,
    );
    await route.fulfill({ response, body });
  });
}

test("long names are not cut off", async () => {
  const page = await pages.openWindow();
  await lengthenNames(page);
  for (const name of sample(STATE_NAMES, DIFFERENT_STATES)) {
    await showState(page, gifts, name);
    if (name !== "error") expect(await mainText(page), name).toContain(LONG_WORD);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflowOf(page), `${name}, ${String(width)} px`).toEqual([]);
    }
  }
});
