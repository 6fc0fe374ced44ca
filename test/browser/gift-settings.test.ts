// The gift page with the settings of readers: forced colours, larger text, no pictures, less motion. And with long names.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { NARROW, PHONE, useGiftPages } from "./gift-pages.ts";
import { showState, STATE_NAMES, type StateName, useStateGifts } from "./gift-states.ts";
import { overflowOf } from "./layout.ts";

const pages = useGiftPages();
const gifts = useStateGifts(pages);

const openWindow = (options = {}) =>
  pages.open("about:blank", { javaScriptEnabled: true, viewport: NARROW, ...options });

/** States whose pages have different parts. */
const PAGES: StateName[] = [
  ...(["gift", "missing variation", "unavailable gift", "others", "problems"] as const),
  ...([
    "digital address",
    "confirm",
    "thanks",
    "shipped",
    "note sent",
    "decline",
    "error",
  ] as const),
];

test("text of 200 % is not cut off", async () => {
  const page = await openWindow({ reducedMotion: "reduce" });
  for (const name of STATE_NAMES) {
    await showState(page, gifts, name);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect(await overflowOf(page), name).toEqual([]);
  }
});

const LOGO_GROUNDS = `[...document.querySelectorAll(".logo, .claim")].map(
  (image) => getComputedStyle(image).backgroundColor)`;
/** The colours of buttons are replaced, so only a border shows where they are. */
const BUTTONS_WITHOUT_BORDER = `[...document.querySelectorAll(".primary, .secondary")]
  .filter((button) => getComputedStyle(button).borderTopWidth === "0px")
  .map(({ textContent }) => textContent)`;

describe("forced colours", () => {
  test.each(["light", "dark"] as const)("%s", async (colorScheme) => {
    const page = await openWindow({
      reducedMotion: "reduce",
      forcedColors: "active",
      viewport: PHONE,
      colorScheme,
    });
    for (const name of PAGES) {
      await showState(page, gifts, name);
      expect(await page.evaluate(LOGO_GROUNDS), name).toEqual(["rgb(255, 255, 255)"]);
      expect(await page.evaluate(BUTTONS_WITHOUT_BORDER), name).toEqual([]);
    }
  });
});

/** The boxes of all shown elements except pictures. */
const BOXES = `scrollTo({ top: 0, behavior: "instant" }), [...document.querySelectorAll("main :not(img)")].map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [element.localName, x, y, width, height].map((value) => typeof value === "number" ? Math.round(value) : value).join(" ");
})`;

test("pictures that are not loaded do not move the page", async () => {
  const withPictures = await openWindow({ reducedMotion: "reduce" });
  const without = await openWindow({ reducedMotion: "reduce" });
  await without.route("**/images/**", (route) => route.abort("blockedbyclient"));
  for (const name of PAGES.filter((name) => name !== "error")) {
    const boxes: unknown[] = [];
    for (const page of [withPictures, without]) {
      await showState(page, gifts, name);
      boxes.push(await page.evaluate(BOXES));
    }
    expect(boxes[1], name).toEqual(boxes[0]);
    expect(await overflowOf(without), name).toEqual([]);
  }
});

/** The names of the animations of all elements. */
const ANIMATIONS = `[...document.querySelectorAll("*")].flatMap((element) =>
  [undefined, "::before", "::after"].map((pseudo) => getComputedStyle(element, pseudo))
).filter(({ animationDuration }) => parseFloat(animationDuration) > 0.01)
  .map(({ animationName }) => animationName).filter((name) => name !== "none")`;

test("reduced motion ends all animations", async () => {
  const page = await openWindow();
  await showState(page, gifts, "thanks");
  expect(await page.evaluate(ANIMATIONS)).not.toEqual([]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const name of PAGES) {
    await showState(page, gifts, name);
    expect(await page.evaluate(ANIMATIONS), name).toEqual([]);
  }
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
  const page = await openWindow({ reducedMotion: "reduce" });
  await lengthenNames(page);
  for (const name of STATE_NAMES) {
    await showState(page, gifts, name);
    if (name !== "error") expect(await page.textContent("main"), name).toContain(LONG_WORD);
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflowOf(page), `${name}, ${String(width)} px`).toEqual([]);
    }
  }
});
