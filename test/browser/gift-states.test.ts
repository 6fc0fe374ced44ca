// All states of the gift page: accessibility, and the layout at three widths. A screenshot of each is stored in
// screenshots/, on a phone in light mode and on a desktop in dark mode.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { violationsOf } from "./axe.ts";
import { PHONE, useGiftPages } from "./gift-pages.ts";
import { showState, STATE_NAMES, useStateGifts } from "./gift-states.ts";
import { brokenPictures, overflowOf } from "./layout.ts";

const SCREENSHOTS = path.resolve(import.meta.dirname, "../../screenshots");
const WIDTHS = [1280, 768, 320];

const pages = useGiftPages();
const gifts = useStateGifts(pages);

beforeAll(() => {
  mkdirSync(SCREENSHOTS, { recursive: true });
});

test.each(STATE_NAMES)("%s", async (name) => {
  const page = await pages.open("about:blank", {
    javaScriptEnabled: true,
    reducedMotion: "reduce",
    viewport: PHONE,
  });
  await showState(page, gifts, name);
  expect(await brokenPictures(page)).toEqual([]);
  const screenshot = (of: string) =>
    page.screenshot({
      path: path.join(SCREENSHOTS, `${name.replaceAll(" ", "-")}-${of}.png`),
      fullPage: true,
    });
  await screenshot("phone-light");
  expect(await violationsOf(page), "axe, light").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violationsOf(page), "axe, dark").toEqual([]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overflowOf(page), `${String(width)} px`).toEqual([]);
    if (width === 1280) await screenshot("desktop-dark");
  }
});
