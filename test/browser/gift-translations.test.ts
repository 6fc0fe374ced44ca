// A gift whose catalogue has its texts in the recipient's language.
import { expect, test } from "vitest";
import { CANDLE, HONEY, useGiftPages } from "./gift-pages.ts";
import { overflowOf } from "./layout.ts";
import { NARROW } from "./windows.ts";

const pages = useGiftPages();

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
