// A recipient corrects the address of an accepted gift in Chromium, without JavaScript.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  ADDRESS,
  expectInView,
  expectValues,
  fillAddress,
  fillIn,
  goOn,
  heading,
  press,
  pressMain,
  TEXTS,
  useGiftPages,
} from "./gift-pages.ts";
import { PHONE } from "./windows.ts";

const pages = useGiftPages();
const { accepted } = TEXTS;

async function openAccepted(changes: Record<string, unknown> = {}) {
  const gift = await pages.placeAccepted(changes);
  return { gift, page: await pages.open(gift.url, { viewport: PHONE }) };
}

const notice = (page: Page) => page.getByRole("alert").innerText();

test("the address is corrected after a problem", async () => {
  const { gift, page } = await openAccepted();
  const before = await pages.read(gift);
  await press(page, accepted.correct);
  expect(await heading(page)).toBe(accepted.correct);
  expect(await page.inputValue("#country")).toBe("AU");
  expect(await page.inputValue("#address_line_1")).toBe("");

  await fillIn(page, { address_line_1: ADDRESS.address_line_1 });
  await pressMain(page);
  await page.waitForSelector("[role=alert]");
  await fillAddress(page);
  await page.fill("#address_line_2", "Unit 7");
  expect(await pages.read(gift)).toEqual(before);

  await goOn(page, accepted.title);
  expect(await notice(page)).toContain(accepted.saved);
  await expectInView(page, "[role=alert]");
  expect(await page.locator("address").innerText()).toMatch(/1••••\s+U••••\s+Brunswick VIC 30••••/);
  expect((await pages.read(gift)).recipient_details.delivery_address).toMatchObject({
    ...ADDRESS,
    address_line_2: "Unit 7",
    country: "AU",
  });
  await page.reload();
  expect(await heading(page)).toBe(accepted.title);
  // The browser has forgotten the page that shows the new address.
  await expect(page.goBack()).rejects.toThrow("ERR_CACHE_MISS");
});

test("the correction is left with Back, and kept in another language", async () => {
  const { page } = await openAccepted();
  await press(page, accepted.correct);
  await fillAddress(page);
  await press(page, "Deutsch");
  await expectValues(page, ADDRESS);
  await press(page, "English");
  for (let visits = 0; visits < 3; visits++) await page.goBack();
  expect(await heading(page)).toBe(accepted.title);
  expect(await page.getByRole("alert").count()).toBe(0);
});
