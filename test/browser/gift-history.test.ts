// What a recipient has typed is kept: by Back, Forward and Reload, and when the country or the language changes.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { fillText } from "../../src/features/pages/text.tsx";
import {
  ADDRESS,
  accept,
  BOOK,
  expectValues,
  fillAddress,
  fillIn,
  goToAddress,
  fillForm,
  HAMPER,
  wrapping,
  heading,
  NOTES,
  press,
  pressMain,
  problemFields,
  TEXTS,
  useGiftPages,
} from "./gift-pages.ts";
import { launchChromium } from "./chromium.ts";
import { PHONE } from "./windows.ts";

const pages = useGiftPages();

/** Playwright starts Chromium with this argument. */
const BACK_FORWARD_CACHE = "--disable-back-forward-cache";

/** The heading of the page, which must not be the error page of the browser. */
async function shown(page: Page): Promise<string> {
  expect(page.url()).toMatch(/^http/);
  return heading(page);
}

describe("before the gift is accepted, Back, Forward and Reload", () => {
  test("keep everything that was typed", async () => {
    const { gift, page } = await pages.openGift();
    const visited: string[] = [];
    page.on("request", (request) => visited.push(request.url()));
    const first = await heading(page);
    await goToAddress(page);
    await fillIn(page, { address_line_1: ADDRESS.address_line_1, delivery_notes: NOTES });
    await pressMain(page);
    await page.waitForSelector("[role=alert]");
    await fillAddress(page);

    await page.goBack();
    expect(await shown(page)).toBe(TEXTS.address.title);
    await expectValues(page, { address_line_1: ADDRESS.address_line_1, delivery_notes: NOTES });
    await page.goBack();
    expect(await shown(page)).toBe(first);
    await page.goForward();
    expect(await shown(page)).toBe(TEXTS.address.title);
    await expectValues(page, { address_line_1: ADDRESS.address_line_1, delivery_notes: NOTES });
    await page.goForward();
    await page.waitForSelector("[role=alert]");
    await fillAddress(page);
    for (const url of visited) expect(decodeURIComponent(url)).not.toMatch(/Plane|Grace|3056/);

    await accept(page);
    expect((await pages.read(gift)).redemption_status).toBe("redeemed");
  });

  test("reload every page", async () => {
    const { gift, page } = await pages.openGift();
    const first = await heading(page);
    await page.reload();
    expect(await shown(page)).toBe(first);
    await goToAddress(page);
    await page.reload();
    expect(await shown(page)).toBe(TEXTS.address.title);
    await pressMain(page);
    await page.waitForSelector("[role=alert]");
    await page.reload();
    await page.waitForSelector("[role=alert]");
    await fillAddress(page);
    await accept(page);
    await page.reload();
    expect(await shown(page)).toBe(TEXTS.accepted.title);
    await page.goto(gift.url);
    expect(await shown(page)).toBe(TEXTS.accepted.title);
  });
});

describe("after the gift is accepted, Back, Forward and Reload", () => {
  test("show that the gift is accepted when it is accepted again in another window", async () => {
    const { gift, page } = await pages.openGift();
    const other = await pages.open(gift.url, { viewport: PHONE });
    await fillForm(page);
    await fillForm(other);
    await accept(page);
    const accepted = await pages.read(gift);
    await pressMain(other);
    expect(await shown(other)).toBe(TEXTS.accepted.title);
    await other.goBack();
    await pressMain(other);
    expect(await shown(other)).toBe(TEXTS.accepted.title);
    await other.goto(`${gift.url}?step=address&product_id=${String(HAMPER)}`);
    expect(await shown(other)).toBe(TEXTS.accepted.title);
    expect(await pages.read(gift)).toEqual(accepted);
  });

  /** Accepts the gift, and goes back. No page asks to send a form again. */
  const expectNoAddress = async (page: Page) => {
    await fillForm(page);
    await accept(page);
    for (const step of ["address", "gift"]) {
      await expect
        .poll(async () => {
          await page.goBack();
          return shown(page);
        })
        .toBe(TEXTS.accepted.title);
      expect(await page.content(), step).not.toMatch(/Plane Tree|3056/);
    }
  };

  test("show no address", async () => {
    const { page } = await pages.openGift();
    await expectNoAddress(page);
  });

  test("show no address if the browser keeps whole pages", async () => {
    const browser = await launchChromium({ ignoreDefaultArgs: [BACK_FORWARD_CACHE] });
    try {
      const { url } = await pages.place();
      const page = await browser.newPage({ javaScriptEnabled: false, locale: "en-GB" });
      await page.goto(url);
      await wrapping(page).click();
      await expectNoAddress(page);
    } finally {
      await browser.close();
    }
  });
});

const { address, labels } = TEXTS;

/** The labels of the fields that are not optional. */
async function requiredFields(page: Page): Promise<string[]> {
  const optional = fillText(address.optional, { field: "" });
  const all = await page.locator("label").allInnerTexts();
  return all.filter((label) => !label.endsWith(optional));
}

test("the fields follow the country, and the values are kept, except the region", async () => {
  const { gift, page } = await pages.openGift({ product_id: BOOK });
  await goToAddress(page);
  expect(await page.inputValue("#country")).toBe("AU");
  await fillIn(page, { ...ADDRESS, address_line_1: "1-2-3 Jingumae", delivery_notes: NOTES });
  const names = [address.country, address.first_name, address.last_name];
  for (const [country, fields] of [
    ["JP", [labels.postcode, labels.prefecture, labels.city, labels.address_line_1]],
    ["US", [labels.address_line_1, labels.city, labels.state, labels.zip]],
    ["HK", [labels.address_line_1, labels.region]],
    ["AU", [labels.address_line_1, labels.suburb, labels.state, labels.postcode]],
  ] as const) {
    await page.selectOption("#country", country);
    await press(page, TEXTS.address.changeCountry);
    expect(await page.inputValue("#country:focus")).toBe(country);
    expect(await requiredFields(page)).toEqual([...names, ...fields]);
    await expectValues(page, { address_line_1: "1-2-3 Jingumae", delivery_notes: NOTES });
    if (country !== "HK") await expectValues(page, { state: "", postcode_zipcode: "" });
  }
  await page.selectOption("#country", "JP");
  // Without the button, the page shows the fields of the new country, and misses nothing that was typed.
  await pressMain(page);
  expect(await problemFields(page)).toEqual(["#country", "#postcode_zipcode", "#state"]);
  await expectValues(page, { state: "", suburb: ADDRESS.suburb });
  await fillIn(page, { state: "東京都", postcode_zipcode: "150-0001" });
  await accept(page);
  const { delivery_address } = (await pages.read(gift)).recipient_details;
  expect(delivery_address).toMatchObject({ country: "JP", suburb: ADDRESS.suburb });
});

test("the language can be changed on every page, and what was typed is kept", async () => {
  const { gift, page } = await pages.openGift();
  const use = async (name: string, language: string) => {
    await press(page, name);
    await page.waitForSelector(`html[lang="${language}"]`);
  };
  await use("Deutsch", "de");
  await pressMain(page);
  await fillIn(page, { ...ADDRESS, delivery_notes: NOTES });
  await use("Français", "fr");
  await expectValues(page, { ...ADDRESS, delivery_notes: NOTES });
  await use("العربية", "ar");
  await expectValues(page, { ...ADDRESS, delivery_notes: NOTES });
  expect(await page.getAttribute("html", "dir")).toBe("rtl");
  await use("English", "en");
  await accept(page);
  expect(new URL(page.url()).searchParams.get("lang")).toBe("en");
  expect((await pages.read(gift)).recipient_details).toMatchObject({
    delivery_address: { suburb: ADDRESS.suburb },
    delivery_notes: NOTES,
  });
});
