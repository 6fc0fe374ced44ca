// The gift page on phones.
import { describe, test } from "vitest";
import {
  expectInView,
  fillAddress,
  goToAddress,
  PHONE,
  press,
  TEXTS,
  useGiftPages,
} from "./gift-pages.ts";
const pages = useGiftPages();

describe("the name of a chosen gift is in view", () => {
  for (const viewport of [PHONE, { width: 740, height: 360 }]) {
    test(`${String(viewport.width)} × ${String(viewport.height)}`, async () => {
      const gift = await pages.place();
      const page = await pages.open(gift.url, { viewport });
      const chooseFirst = () =>
        page
          .locator("ul a, ul button")
          .filter({ has: page.locator("img") })
          .first()
          .click();
      await chooseFirst();
      await expectInView(page, "#gift-name");
      await goToAddress(page);
      await fillAddress(page);
      await press(page, TEXTS.address.back);
      await chooseFirst();
      await expectInView(page, "#gift-name");
    });
  }
});
