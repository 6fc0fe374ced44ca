// The gift page without pictures, in print, with forced colours, on a tablet, and with long names.
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
import { overflowOf } from "./layout.ts";
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

/** A property of the first element that the selector matches, or of its pseudo-element. */
const styleOf = (page: Page, selector: string, property: string, pseudo = "") =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector("${selector}"), "${pseudo}").getPropertyValue("${property}")`,
  );

test.each(["gift", "accepted", "code"] as const)(
  "%s: is printed without buttons, on white",
  async (state) => {
    const page = await pages.openWindow({ colorScheme: "dark" });
    await showState(page, gifts, state);
    await page.emulateMedia({ media: "print" });
    for (const button of await page.locator("button, .secondary").all())
      expect(await button.isVisible()).toBe(false);
    expect(await page.locator(".picture:visible").count()).toBe(1);
    for (const shown of [".letter", "#gift-name, h2", ".shipment, .value, .about"])
      expect(await page.locator(shown).first().isVisible(), shown).toBe(true);
    expect(await styleOf(page, "body", "background-color")).toBe("rgb(255, 255, 255)");
    expect(await styleOf(page, ".greeting", "background-color")).toBe("rgba(0, 0, 0, 0)");
    expect(await styleOf(page, ".greeting", "color")).toBe(await styleOf(page, "body", "color"));
  },
);

test("with forced colours, the present has its ribbons, and the chosen option another border", async () => {
  const page = await pages.openWindow({ forcedColors: "active" });
  await showState(page, gifts, "wrapped");
  for (const part of ["::before", "::after"])
    expect(await styleOf(page, ".wrapping", "background-image", part)).toContain("gradient");
  await showState(page, gifts, "variations");
  const option = () => styleOf(page, ".option", "border-top-width");
  const other = await option();
  await page.locator(".option").first().click();
  expect(await option()).not.toBe(other);
});

test.each([
  { width: 820, height: 1180 },
  { width: 1024, height: 768 },
])(
  "on a tablet, the picture is beside the choice, and four gifts are in a row: %j",
  async (viewport) => {
    const page = await pages.openWindow({ viewport });
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return box ?? expect.fail(selector);
    };
    await showState(page, gifts, "wrapped");
    const [present, letter] = [await boxOf(".wrapping"), await boxOf(".letter")];
    expect(letter.x).toBeGreaterThan(present.x + present.width);
    await showState(page, gifts, "gift");
    const [picture, details] = [await boxOf(".box"), await boxOf(".details")];
    expect(details.x).toBeGreaterThan(picture.x + picture.width);
    expect(details.width).toBeGreaterThan(300);
    const cards = await Promise.all([0, 3].map((n) => page.locator(".card").nth(n).boundingBox()));
    expect(cards[1]?.y).toBe(cards[0]?.y);
  },
);

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
    // The page of a declined gift that can be taken back contains no names.
    if (name !== "error" && !name.startsWith("declined"))
      expect(await mainText(page), name).toContain(LONG_WORD);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflowOf(page), `${name}, ${String(width)} px`).toEqual([]);
    }
  }
});
