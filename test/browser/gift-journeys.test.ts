// The journeys of recipients through the gift page in Chromium, without JavaScript.
import { describe, expect, test } from "vitest";
import { fillText } from "../../src/features/pages/text.tsx";
import { violationsOf } from "./axe.ts";
import {
  action,
  ADDRESS,
  accept,
  BOOK,
  CARD,
  expectInView,
  expectValues,
  fillAddress,
  fillIn,
  giftName,
  goOn,
  goToAddress,
  heading,
  NOTES,
  press,
  pressMain,
  problemFields,
  TEXTS,
  useGiftPages,
} from "./gift-pages.ts";
import { storeScreenshot } from "./layout.ts";
import { follow, PHONE } from "./windows.ts";
const pages = useGiftPages();

describe("a recipient of a gift that is sent to an address", () => {
  test("corrects an address and accepts the gift", async () => {
    const { gift, page } = await pages.openGift();
    await goToAddress(page);
    await fillIn(page, { address_line_1: ADDRESS.address_line_1, delivery_notes: NOTES });
    await pressMain(page);
    expect(await problemFields(page)).toEqual(["#suburb", "#state", "#postcode_zipcode"]);
    await expectValues(page, { address_line_1: ADDRESS.address_line_1, delivery_notes: NOTES });
    await fillAddress(page);
    expect(await page.locator(".summary").innerText()).toContain("The Long Table Hamper");
    expect((await pages.read(gift)).redemption_status).toBe(null);
    await accept(page);
    // The address is shown whole only at first, because others may open the link later.
    expect(await page.locator("address").innerText()).toContain("Plane Tree");
    await page.reload();
    expect(await page.locator("address").innerText()).not.toContain("Plane Tree");

    const recipient = await pages.read(gift);
    expect(recipient.redemption_status).toBe("redeemed");
    expect(recipient.recipient_details).toMatchObject({
      delivery_address: { ...ADDRESS, address_line_2: null, country: "AU" },
      delivery_notes: NOTES,
    });
  });

  test("is led to each problem", async () => {
    const { page } = await pages.openGift();
    await goToAddress(page);
    await pressMain(page);
    // The heading comes first, and the focus is on the problems.
    expect(
      await page.locator("h1, :focus").evaluateAll((all) => all.map((each) => each.tagName)),
    ).toEqual(["H1", "DIV"]);
    for (const field of ["suburb", "state", "postcode_zipcode"]) {
      await page.click(`[role=alert] a[href="#${field}"]`);
      await expectInView(page, `label[for="${field}"]`);
      await expectInView(page, `#${field}-problem`);
      await expectInView(page, `#${field}`);
      expect(await page.getAttribute(`#${field}`, "aria-describedby")).toBe(`${field}-problem`);
    }
  });
});

describe("a recipient who prefers another gift", () => {
  test("chooses another gift because the first one does not ship to the country", async () => {
    const gift = await pages.place();
    const page = await pages.open(gift.url, { viewport: PHONE, javaScriptEnabled: true });
    await goToAddress(page);
    await page.selectOption("#country", { label: "Japan" });
    await press(page, TEXTS.address.changeCountry);
    expect(await page.getByRole("alert").innerText()).toContain(
      fillText(TEXTS.problems.unavailable, { country: "Japan" }),
    );
    expect(await page.locator(":focus").getAttribute("id")).toBe("country");
    await expectInView(page, "#country-problem");
    await expectInView(page, `button:text-is("${TEXTS.problems.otherGifts}")`);
    expect(await violationsOf(page)).toEqual([]);
    await press(page, TEXTS.problems.otherGifts);
    expect(await violationsOf(page)).toEqual([]);
    expect(await heading(page)).toBe(TEXTS.others.title);
    await follow(page, page.locator(`.card[formaction*="show=${String(BOOK)}"]`));
    expect(await violationsOf(page)).toEqual([]);
    await goOn(page, TEXTS.address.title);
    await expectValues(page, { country: "JP" });
    const tokyo = {
      address_line_1: "神宮前1-2",
      suburb: "渋谷区",
      state: "東京都",
      postcode_zipcode: "1500001",
    };
    await fillIn(page, tokyo);
    await accept(page);
    const { delivery_address } = (await pages.read(gift)).recipient_details;
    expect(delivery_address).toMatchObject({ country: "JP", postcode_zipcode: "150-0001" });
  });
});

describe("a recipient of a digital gift", () => {
  test("corrects the e-mail address of a digital gift", async () => {
    const { gift, page } = await pages.openGift({ product_id: CARD });
    await goOn(page, TEXTS.address.emailTitle);
    expect(await page.locator("main").innerText()).toContain("a••••@example.com");
    await page.fill("#delivery_email", "ada at work");
    await pressMain(page);
    expect(await problemFields(page)).toEqual(["#delivery_email", "#confirmed"]);
    await expectValues(page, { delivery_email: "ada at work" });
    await page.fill("#delivery_email", "ada@work.example");
    await accept(page);
    expect(await page.locator("main").innerText()).toContain("ada@work.example");
    await page.reload();
    expect(await page.locator("main").innerText()).toContain("a••••@work.example");
    expect(await page.locator("main").innerText()).not.toContain("ada@work.example");
    const { redemption_status, recipient_details } = await pages.read(gift);
    expect(redemption_status).toBe("redeemed");
    expect(recipient_details.delivery_email).toBe("ada@work.example");
  });
});

test("the keyboard is enough to accept a gift", async () => {
  const gift = await pages.place();
  const page = await pages.open(gift.url, { viewport: PHONE, wrapped: true });
  const { keyboard } = page;
  const focused = page.locator(":focus");
  await keyboard.press("Tab");
  expect(await focused.innerText()).toBe(TEXTS.page.skip);
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  expect(await focused.innerText()).toBe(TEXTS.email.open);
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  while ((await focused.getAttribute("value")) !== "address") await keyboard.press("Tab");
  await keyboard.press("Enter");
  await page.waitForSelector(`h1:text-is("${TEXTS.address.title}")`);

  await page.focus("#address_line_1");
  await keyboard.type(ADDRESS.address_line_1);
  // Enter in a field leads to the problems or to the main button, and does not accept the gift.
  await keyboard.press("Enter");
  await page.waitForSelector("[role=alert]:focus");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  expect(await focused.getAttribute("id")).toBe("suburb");
  await keyboard.type(ADDRESS.suburb);
  await keyboard.press("Tab");
  await keyboard.type(ADDRESS.state);
  await keyboard.press("Tab");
  await keyboard.type(ADDRESS.postcode_zipcode);
  await keyboard.press("Enter");
  await page.waitForSelector("button[value=accept]:focus");
  expect((await pages.read(gift)).redemption_status).toBe(null);
  await keyboard.press("Enter");
  await page.waitForSelector(`h1:text-is("${TEXTS.accepted.thanks}")`);
  expect((await pages.read(gift)).redemption_status).toBe("redeemed");
});

test("the gift can be declined, with a reason, and that can be taken back", async () => {
  const { gift, page } = await pages.openGift();
  await press(page, TEXTS.gift.decline);
  expect(await heading(page)).toBe(TEXTS.decline.title);
  await press(page, TEXTS.decline.keep);
  expect(await giftName(page)).toBe("The Long Table Hamper");
  expect((await pages.read(gift)).redemption_status).toBe(null);
  await press(page, TEXTS.gift.decline);
  expect(await page.locator(":checked").count()).toBe(0);
  // The browser asks for the reason and the tick.
  await action(page, TEXTS.decline.decline).click();
  expect(await heading(page)).toBe(TEXTS.decline.title);
  await page.getByLabel(TEXTS.decline.reasons.not_suitable).check();
  await press(page, TEXTS.decline.decline);
  expect(await heading(page)).toBe(TEXTS.closed.declined.title);
  await page.reload();
  await action(page, TEXTS.closed.declined.undo).click();
  expect(await heading(page)).toBe(TEXTS.closed.declined.title);
  await page.locator("#confirmed").check();
  await press(page, TEXTS.closed.declined.undo);
  expect(await giftName(page)).toBe("The Long Table Hamper");
  expect((await pages.read(gift)).redemption_status).toBe(null);
});

test("an unknown path shows a page that everyone can read", async () => {
  const page = await pages.openWindow();
  await page.goto(`${pages.server.url}/Redemption`);
  expect(await heading(page)).toBe(TEXTS.errors.unknown.title);
  expect(await violationsOf(page)).toEqual([]);
  await storeScreenshot(page, "unknown-path-phone");
});
