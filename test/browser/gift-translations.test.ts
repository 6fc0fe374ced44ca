// A gift whose catalogue has its texts in the recipient's language.
import { expect, test } from "vitest";
import german from "../../public/languages/de.json";
import { violationsOf } from "./axe.ts";
import { CANDLE, HONEY, press, useGiftPages } from "./gift-pages.ts";
import { overflowOf } from "./layout.ts";
import { DESKTOP, NARROW } from "./windows.ts";

const pages = useGiftPages();

const NAME = "Sojakerze „Terrasse“";

test("a German page shows the German name, descriptions and options", async () => {
  const { url } = await pages.place({
    product_id: CANDLE,
    variation_id: HONEY,
    gift_of_choice: "Y",
  });
  const page = await pages.open(url, {
    javaScriptEnabled: true,
    reducedMotion: "reduce",
    locale: "de-AT",
    viewport: NARROW,
  });
  expect(await page.innerText("#gift-name")).toBe(NAME);
  expect(await page.getAttribute("#gift-name", "lang")).toBe("de");
  const main = await page.innerText("main");
  for (const text of ["Duft", "Wildhonig", "Feigenblatt", "Natürliches Sojawachs"]) {
    expect(main).toContain(text);
  }
  // The catalogue has this text in English only.
  const english = page.locator("summary + .prose", { hasText: "plastic-free packaging" });
  expect(await english.getAttribute("lang")).toBe("en");
  for (const viewport of [NARROW, DESKTOP]) {
    await page.setViewportSize(viewport);
    expect(await overflowOf(page)).toEqual([]);
  }
  expect(await violationsOf(page)).toEqual([]);

  await press(page, german.gift.continue);
  await page.goBack();
  expect(await page.innerText("#gift-name")).toBe(NAME);
});

/** A word of 60 letters, as a catalogue could have it. */
const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte";

test("a long translated name is not cut off at 320 px", async () => {
  const { url } = await pages.place({ product_id: CANDLE, variation_id: HONEY });
  const page = await pages.openWindow({ locale: "de", viewport: NARROW });
  await page.route("**/redeem/**", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/Sojakerze|Wildhonig|Duft/g, LONG);
    await route.fulfill({ response, body });
  });
  await page.goto(url);
  expect(await page.innerText("#gift-name")).toContain(LONG);
  expect(await overflowOf(page)).toEqual([]);
});
