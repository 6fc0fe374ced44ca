// The gift page on a phone and in short windows: what is in view, and where the bar with the main action is.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectInView, goToAddress, mainButton, press, TEXTS, useGiftPages } from "./gift-pages.ts";
import { showState, useStateGifts } from "./gift-states.ts";
import { follow, PHONE } from "./windows.ts";

const pages = useGiftPages();
const gifts = useStateGifts(pages);

let page: Page;

beforeAll(async () => {
  page = await pages.openWindow({ isKept: true });
});

test.each(["wrapped", "wrapped with company branding"] as const)(
  "%s: the wrapped gift and its action are in view without scrolling",
  async (state) => {
    await showState(page, gifts, state);
    for (const selector of ["h1", ".wrapping", ".wrapping span"])
      await expectInView(page, selector);
  },
);

test.each(["gift", "variations", "unavailable gift"] as const)(
  "%s: the main action is in view at the top, in the middle and at the bottom",
  async (state) => {
    await showState(page, gifts, state);
    for (const part of [0, 0.5, 1]) {
      const scroll = `scrollTo({ top: ${String(part)} * document.body.scrollHeight, behavior: "instant" })`;
      await page.evaluate(scroll);
      const box = await mainButton(page).boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height);
    }
  },
);

/** Positions on the whole page, with the bar in its own place. */
const BAR_PLACE = `(() => {
  const top = (selector) => document.querySelector(selector).getBoundingClientRect().top;
  const bar = document.querySelector(".bar");
  bar.scrollIntoView({ block: "center" });
  const { bottom } = bar.getBoundingClientRect();
  return {
    below: top(".bar") - document.querySelector("#input").getBoundingClientRect().bottom,
    after: [".more", ".other-gifts", ".decline"].filter((selector) => top(selector) < bottom),
  };
})()`;

test.each([
  ["1280 × 720", { width: 1280, height: 720 }],
  ["1280 × 720 at 200 %", { width: 640, height: 360 }],
  ["1280 × 720 at 400 %", { width: 320, height: 180 }],
  ["landscape", { width: 667, height: 375 }],
  ["320 × 256", { width: 320, height: 256 }],
  ["phone", PHONE],
])("%s: the main action is directly below the options, before all else", async (_, viewport) => {
  await page.setViewportSize(viewport);
  for (const state of ["gift", "variations"] as const) {
    await showState(page, gifts, state);
    const { below, after } = await page.evaluate<{ below: number; after: string[] }>(BAR_PLACE);
    expect(below).toBeGreaterThanOrEqual(0);
    expect(below).toBeLessThan(40);
    expect(after).toEqual([]);
  }
});

/** The name of the focused element if something else is in front of it. */
const COVERED = `(() => {
  const focused = document.activeElement;
  const { left, width, top, bottom } = focused.getBoundingClientRect();
  const edges = [top + 2, (top + bottom) / 2, bottom - 2];
  const isCovered = edges.some((y) => {
    const found = document.elementFromPoint(left + width / 2, y);
    return found === null || !(focused.contains(found) || found.contains(focused) || focused.labels?.[0]?.contains(found));
  });
  return isCovered ? focused.localName + "#" + focused.id : "";
})()`;

test.each(["gift", "variations", "address", "problems", "digital address"] as const)(
  "%s: the bar does not hide the focused element",
  async (state) => {
    await showState(page, gifts, state);
    for (const key of ["Tab", "Shift+Tab"]) {
      for (let presses = 0; presses < 25; presses++) {
        await page.keyboard.press(key);
        // Tall links, such as those with a picture, may be partly below the bar.
        const tag = await page.evaluate<string>("document.activeElement.localName");
        if (!/input|textarea|select|button|summary/.test(tag)) continue;
        await expect.poll(() => page.evaluate<string>(COVERED)).toBe("");
      }
    }
  },
);

describe("the name of a chosen gift is in view", () => {
  test.each([PHONE, { width: 740, height: 360 }])("$width × $height", async (viewport) => {
    const gift = await pages.place();
    const page = await pages.open(gift.url, { viewport });
    const chooseOther = () =>
      follow(
        page,
        page
          .locator("ul a, ul button")
          .filter({ hasText: /^(?:Nesting Bowls|Pour-Over)/ })
          .first(),
      );
    await chooseOther();
    await expectInView(page, "#gift-name");
    await goToAddress(page);
    await press(page, TEXTS.confirm.changeGift);
    await chooseOther();
    await expectInView(page, "#gift-name");
  });
});
