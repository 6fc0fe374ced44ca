// The wrapped gift: it stays wrapped until the recipient opens it, and then open for the visit.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DEMO_RECIPIENT } from "../servers/demo-gift.ts";
import {
  accept,
  expectInView,
  giftName,
  goToAddress,
  fillForm,
  heading,
  mainButton,
  press,
  TEXTS,
  useGiftPages,
  unwrap,
  wrapping,
} from "./gift-pages.ts";
import { DESKTOP, NARROW, PHONE } from "./windows.ts";
const pages = useGiftPages();

const openWrapped = async (options = {}) => {
  const { url } = await pages.place();
  return { url, page: await pages.open(url, { wrapped: true, viewport: PHONE, ...options }) };
};

const boxOf = async (page: Page, selector: string) =>
  (await page.locator(selector).boundingBox()) ?? expect.fail(`${selector} is not shown`);

const isWrapped = async (page: Page) => (await wrapping(page).count()) === 1;

describe("a wrapped gift", () => {
  test.each([0, 40, 600])(
    "is above or beside a letter of %d characters, which is below its name and above the main action once it is opened",
    async (length) => {
      const redemption_message = "A wonderful year. ".repeat(40).slice(0, length) || undefined;
      const recipient_details = [{ ...DEMO_RECIPIENT, redemption_message }];
      const { url } = await pages.place({ recipient_details });
      for (const viewport of [NARROW, PHONE, DESKTOP]) {
        const page = await pages.open(url, { wrapped: true, viewport });
        const isPhone = viewport !== DESKTOP;
        const box = await boxOf(page, ".wrapping");
        expect(box.y).toBeLessThanOrEqual(430);
        expect(box.width / box.height).toBeCloseTo(isPhone ? 4 / 5 : 560 / 420, 1);
        if (!isPhone) expect(box.width).toBe(560);
        expect(await page.locator(".letter").count()).toBe(length === 0 ? 0 : 1);
        if (length > 0) {
          const letter = await boxOf(page, ".letter");
          if (isPhone) expect(letter.y).toBeGreaterThan(box.y + box.height);
          else expect(letter.x).toBeGreaterThan(box.x + box.width);
        }
        for (const hidden of ["#gift-name", ".bar", ".other-gifts", ".decline", ".gallery"]) {
          expect(await page.locator(hidden).isVisible(), hidden).toBe(false);
        }
        await wrapping(page).click();
        const [picture, name] = [
          await boxOf(page, ".gallery li:first-child img"),
          await boxOf(page, "#gift-name"),
        ];
        if (viewport === PHONE) expect(name.y + name.height).toBeLessThan(viewport.height);
        const bar = await boxOf(page, ".bar");
        if (length > 0) {
          const letter = await boxOf(page, ".letter");
          expect(letter.y).toBeGreaterThan(name.y + name.height);
          if (isPhone) expect(letter.y).toBeGreaterThan(picture.y + picture.height);
          expect(await page.getByText(TEXTS.gift.readLetter).count()).toBe(length === 600 ? 1 : 0);
          expect(letter.height).toBeLessThan(380);
          // At the edge of a phone's screen, the bar is over the letter.
          if (!isPhone) expect(bar.y).toBeGreaterThanOrEqual(letter.y + letter.height);
        }
        const about = await boxOf(page, ".more");
        if (!isPhone) expect(bar.y + bar.height).toBeLessThanOrEqual(about.y);
        await page.close();
      }
    },
  );

  test.each(["Enter", "Space"])(
    "opens with the key %s, and Space scrolls after that",
    async (key) => {
      const { page } = await openWrapped();
      const focused = page.locator(":focus");
      // The link to the content comes first.
      for (let presses = 0; presses < 2; presses++) await page.keyboard.press("Tab");
      expect(await focused.innerText()).toBe(TEXTS.email.open);
      await page.keyboard.press(key);
      expect(await giftName(page)).toBe("The Long Table Hamper");
      // The browser takes the focus from a hidden control when it draws the next frame.
      await expect.poll(() => focused.count()).toBe(0);
      await page.keyboard.press("Space");
      await expect.poll(() => page.evaluate<number>("scrollY")).toBeGreaterThan(100);
      expect(await page.locator("#gift-name").isVisible()).toBe(true);
      await page.keyboard.press("Tab");
      expect(await focused.getAttribute("name")).toBe("picture");
      await page.keyboard.press("Shift+Tab");
      expect(await focused.innerText()).toBe(TEXTS.page.skip);
    },
  );

  test("stays wrapped with Reload and in another language", async () => {
    const { page } = await openWrapped();
    await page.reload();
    expect(await isWrapped(page)).toBe(true);
    await press(page, "Deutsch");
    expect(await isWrapped(page)).toBe(true);
  });

  test("is a present in the oldest supported browsers", async () => {
    const { url } = await openWrapped();
    const page = await pages.openWindow({ viewport: PHONE });
    await page.route("**/gift-*.css", async (route) => {
      const response = await route.fetch();
      const css = await response.text();
      // Chromium ignores what is unknown, as these browsers do.
      const body = css.replace(/color-mix(?=\()|cqw|(?<=:)has(?=\()/g, "unknown");
      await route.fulfill({ response, body });
    });
    await page.goto(url);
    const paints = `["::before", "::after"].map((side) =>
      getComputedStyle(document.querySelector(".wrapping"), side)).map(
      ({ backgroundColor, backgroundImage }) => [backgroundColor, backgroundImage.match(/gradient/g)?.length])`;
    expect(await page.evaluate(paints)).toEqual([
      ["rgb(246, 233, 221)", 2],
      ["rgb(246, 233, 221)", 2],
    ]);
    for (const hidden of ["#gift-name", ".bar", ".other-gifts", ".decline", ".gallery"]) {
      expect(await page.locator(hidden).isVisible(), hidden).toBe(false);
    }
    const greeting = await boxOf(page, ".greeting");
    expect([greeting.x, greeting.width]).toEqual([0, PHONE.width]);
    await wrapping(page).click();
    await expectInView(page, "#gift-name");
    await goToAddress(page);
  });

  test("opens at once with reduced motion, and moves otherwise", async () => {
    const DURATIONS = `[...document.querySelectorAll(".gift *")].flatMap((element) =>
      [undefined, "::before", "::after"].map((pseudo) => getComputedStyle(element, pseudo))
    ).map((style) => Math.max(parseFloat(style.transitionDuration), style.animationName === "none" ? 0 : 1))
      .reduce((longest, each) => Math.max(longest, each))`;
    for (const [reducedMotion, moves] of [
      ["reduce", false],
      ["no-preference", true],
    ] as const) {
      const { page } = await openWrapped({ reducedMotion, javaScriptEnabled: true });
      await wrapping(page).click();
      expect((await page.evaluate<number>(DURATIONS)) > 0).toBe(moves);
    }
  });

  test("is shown with its details, within the screen, without the stylesheet", async () => {
    const { url } = await openWrapped();
    const page = await pages.openWindow({ viewport: NARROW });
    await page.route("**/gift-*.css", (route) => route.abort("blockedbyclient"));
    await page.goto(url);
    expect(await isWrapped(page)).toBe(true);
    expect(await giftName(page)).toBe("The Long Table Hamper");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(NARROW.width);
    const wide = `[...document.images].filter((image) => image.getBoundingClientRect().width > innerWidth).length`;
    expect(await page.evaluate(wide)).toBe(0);
    await goToAddress(page);
  });
});

describe("an opened gift", () => {
  test("stays open: Reload, Back, another language, an error, and from the form", async () => {
    const { url, page } = await openWrapped();
    await unwrap(page);
    await page.reload();
    expect(await isWrapped(page)).toBe(false);
    expect(await mainButton(page).isVisible()).toBe(true);
    await press(page, "Deutsch");
    expect(await isWrapped(page)).toBe(false);
    await page.goto(`${url}?show=999`);
    expect(await page.getByRole("alert").innerText()).toContain(TEXTS.gone.other);
    expect(await isWrapped(page)).toBe(false);
    await page.goto(url);
    await fillForm(page);
    await press(page, TEXTS.confirm.changeGift);
    expect(await isWrapped(page)).toBe(false);
  });

  test("stays open with Back to the page on which it was opened", async () => {
    const { page } = await openWrapped();
    await unwrap(page);
    await goToAddress(page);
    await page.goBack();
    expect(await isWrapped(page)).toBe(false);
    expect(await mainButton(page).isVisible()).toBe(true);
  });

  test("is wrapped in another browser, as are other gifts in the same one", async () => {
    const { url, page } = await openWrapped();
    const second = (await pages.place()).url;
    expect(await isWrapped(await pages.open(url, { wrapped: true }))).toBe(true);
    await unwrap(page);
    await page.goto(second);
    expect(await isWrapped(page)).toBe(true);
    await unwrap(page);
    for (const opened of [url, second]) {
      await page.goto(opened);
      expect(await isWrapped(page)).toBe(false);
    }
  });
});

test("the thanks for an accepted gift are shown once", async () => {
  const { page } = await openWrapped();
  await wrapping(page).click();
  await fillForm(page);
  await accept(page);
  expect(await page.locator(".new").count()).toBe(1);
  await page.reload();
  expect(await heading(page)).toBe(TEXTS.accepted.title);
  expect(await page.locator(".new").count()).toBe(0);
});

test("the thanks are not shown again with Back", async () => {
  const { url, page } = await openWrapped();
  await wrapping(page).click();
  await fillForm(page);
  await accept(page);
  await page.goto(`${url}?lang=de`);
  await page.goBack();
  expect(await heading(page)).toBe(TEXTS.accepted.title);
});

test("the main action does not cover the end of a long letter", async () => {
  const redemption_message = Array.from({ length: 40 }, (_, n) => `Line ${String(n)}`).join("\n");
  const recipient = { ...DEMO_RECIPIENT, redemption_message };
  const { page } = await pages.openGift({ recipient_details: [recipient] });
  const heightOf = async () => (await boxOf(page, ".letter")).height;
  expect(await heightOf()).toBeLessThan(380);
  await page.getByText(TEXTS.gift.readLetter).click();
  expect(await heightOf()).toBeGreaterThan(PHONE.height);
  expect(await page.getByText(TEXTS.gift.readLetter).isVisible()).toBe(false);
  await page.locator(".decline").scrollIntoViewIfNeeded();
  const [end, bar] = [await boxOf(page, ".decline"), await boxOf(page, ".bar")];
  expect(bar.y + bar.height).toBeLessThanOrEqual(end.y);
});
