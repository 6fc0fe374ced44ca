// Choosing between options with two attributes, and between pictures.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { fillText } from "../../src/features/pages/text.tsx";
import { violationsOf } from "./axe.ts";
import {
  accept,
  fillAddress,
  goToAddress,
  heading,
  mainButton,
  press,
  TEXTS,
  useGiftPages,
} from "./gift-pages.ts";
import { overflowOf } from "./layout.ts";
import { DESKTOP, NARROW } from "./windows.ts";
const pages = useGiftPages();

/** A jumper in sizes and colours. Some combinations do not exist. */
const JUMPER = 1004;

const choose = async (page: Page, size: string, colour: string) => {
  await page.getByRole("radio", { name: size, exact: true }).check();
  await page.getByRole("radio", { name: colour, exact: true }).check();
};

const chosen = (page: Page) => page.locator("label:has(:checked) bdi").allInnerTexts();

describe("a gift in sizes and colours", () => {
  const openJumper = () => pages.openGift({ product_id: JUMPER, variation_id: 20005 });

  test("has a choice for each, and accepts the chosen combination", async () => {
    const { gift, page } = await openJumper();
    const { choose: label } = TEXTS.gift;
    expect(await page.locator("legend").allInnerTexts()).toEqual(
      ["size", "colour"].map((attributes) => fillText(label, { attributes })),
    );
    expect(await chosen(page)).toEqual(["S", "Slate Blue"]);
    expect(await page.locator("fieldset .hint").allInnerTexts()).toEqual([
      ...["Lichen comes in S and L", "Rust comes in M"],
    ]);
    await choose(page, "M", "Rust");
    await goToAddress(page);
    await press(page, TEXTS.confirm.changeGift);
    expect(await chosen(page)).toEqual(["M", "Rust"]);
    await press(page, "Deutsch");
    expect(await chosen(page)).toEqual(["M", "Rust"]);
    await press(page, "English");
    await goToAddress(page);
    await fillAddress(page);
    expect(await page.locator(".variation").innerText()).toContain("M, Rust");
    await accept(page);
    expect((await pages.read(gift)).product_selected.variation_id).toBe("20012");
  });

  test("asks for the missing choice with the keyboard, and axe finds nothing", async () => {
    const gift = await pages.place();
    const socks = `${gift.url}?show=1036`;
    const page = await pages.open(socks, { viewport: NARROW, javaScriptEnabled: true });
    await page.getByRole("radio", { name: "Midnight" }).focus();
    await page.keyboard.press("Space");
    await mainButton(page).focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=alert]");
    expect(await page.getByRole("alert").innerText()).toBe(TEXTS.gift.choiceMissing);
    expect(await page.locator("label:has(:focus) bdi").innerText()).toBe("S");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await violationsOf(page)).toEqual([]);
    }
    expect(await overflowOf(page)).toEqual([]);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect(await overflowOf(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    expect(await chosen(page)).toContain("Midnight");
    await mainButton(page).focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("#address_line_1");
    expect(await heading(page)).toBe(TEXTS.address.title);
  });
});

describe("the pictures on a wide window", () => {
  const widths = (page: Page) =>
    page
      .locator(".gallery li")
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().width));
  const largest = async (page: Page) => {
    const all = await widths(page);
    return all.indexOf(Math.max(...all));
  };

  test("become large with a click and with the arrow keys", async () => {
    const { url } = await pages.place();
    const page = await pages.open(url, { viewport: DESKTOP });
    expect(await largest(page)).toBe(0);
    await page.locator(".gallery input").nth(2).click();
    expect(await largest(page)).toBe(2);
    await page.keyboard.press("ArrowRight");
    expect(await largest(page)).toBe(3);
    expect(await page.locator(".gallery :focus").getAttribute("aria-label")).toBe(
      fillText(TEXTS.gift.pictureNumber, { product: "The Long Table Hamper", number: 4 }),
    );
    // The pictures are one stop of the Tab key.
    await page.keyboard.press("Tab");
    expect(await page.locator(".gallery :focus").count()).toBe(0);
  });

  test("stay in view beside the details", async () => {
    const { url } = await pages.place();
    const page = await pages.open(url, {
      viewport: { width: 1280, height: 800 },
      javaScriptEnabled: true,
    });
    const top = () => page.locator(".gallery").evaluate((list) => list.getBoundingClientRect().top);
    await page.evaluate(
      "document.querySelector('.details').style.minHeight = '3000px', scrollTo({ top: 1500, behavior: 'instant' })",
    );
    expect(await top()).toBeGreaterThanOrEqual(0);
  });
});
