// The journeys of recipients through the gift page in Chromium, without JavaScript.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { fillText } from "../../src/features/pages/text.tsx";
import { callDemo, DEMO_RECIPIENT } from "../servers/demo-gift.ts";
import { violationsOf } from "./axe.ts";
import {
  action,
  ADDRESS,
  accept,
  BOOK,
  BOX,
  CANDLE,
  CARD,
  chooseCandle,
  expectInView,
  expectValues,
  fillAddress,
  fillIn,
  giftName,
  goOn,
  goToAddress,
  fillForm,
  HAMPER,
  heading,
  HONEY,
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

  test("corrects a postcode that is not one, and the state", async () => {
    const { gift, page } = await pages.openGift();
    await goToAddress(page);
    await fillIn(page, { ...ADDRESS, postcode_zipcode: "ABCDE" });
    await pressMain(page);
    expect(await problemFields(page)).toEqual(["#postcode_zipcode"]);
    await fillIn(page, { postcode_zipcode: "2000" });
    await page.selectOption("#state", { label: "New South Wales" });
    await accept(page);
    expect((await pages.read(gift)).recipient_details.delivery_address).toMatchObject({
      state: "NSW",
      postcode_zipcode: "2000",
    });
  });

  test("corrects the name, and gives a phone number", async () => {
    const { gift, page } = await pages.openGift();
    await fillForm(page);
    await expectValues(page, { first_name: "Ada", last_name: "Okafor" });
    await fillIn(page, { last_name: "Okafor-Byron", phone_number: "+61 2 5550 0100" });
    await accept(page);
    expect((await pages.read(gift)).recipient_details).toMatchObject({
      name: "Ada Okafor-Byron",
      phone_number: "+61 2 5550 0100",
    });
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

  test("changes the gift from the form", async () => {
    const { gift, page } = await pages.openGift();
    await goToAddress(page);
    await expectInView(page, `button:text-is("${TEXTS.confirm.changeGift}")`);
    await fillIn(page, { ...ADDRESS, delivery_notes: NOTES });
    await press(page, TEXTS.confirm.changeGift);
    expect(await giftName(page)).toBe("The Long Table Hamper");
    await chooseCandle(page);
    await page.check(`input[value="${String(HONEY)}"]`);
    await goToAddress(page);
    await expectValues(page, { ...ADDRESS, delivery_notes: NOTES });
    expect(await page.locator(".summary").innerText()).toMatch(/Terrace Soy Candle.*Wild Honey/s);
    await accept(page);
    expect((await pages.read(gift)).product_selected).toEqual({
      product_id: String(CANDLE),
      variation_id: String(HONEY),
    });
  });

  test("chooses one of several variations of another gift", async () => {
    const { gift, page } = await pages.openGift();
    await chooseCandle(page);
    await pressMain(page);
    expect(await page.getByRole("alert").innerText()).toBe(TEXTS.gift.choiceMissing);
    expect(await page.locator(":focus").getAttribute("type")).toBe("radio");
    await expectInView(page, "legend");
    await expectInView(page, "[role=alert]");
    await page.check(`input[value="${String(HONEY)}"]`);
    await goToAddress(page);
    expect(new URL(page.url()).searchParams.get("variation_id")).toBe(String(HONEY));
    await fillAddress(page);
    await accept(page);
    expect((await pages.read(gift)).product_selected).toEqual({
      product_id: String(CANDLE),
      variation_id: String(HONEY),
    });
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

  test("accepts a digital gift without an input", async () => {
    const { gift, page } = await pages.openGift({ product_id: CARD });
    await goOn(page, TEXTS.address.emailTitle);
    await accept(page);
    expect((await pages.read(gift)).recipient_details.delivery_email).toBe(null);
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

test("a thank-you note is sent once", async () => {
  const gift = await pages.placeAccepted({ sender_name: "Grace Hopper" });
  const [page, other] = [await pages.open(gift.url), await pages.open(gift.url)];
  const send = (of: Page) => press(of, TEXTS.thanks.send);
  const sent = `h2:has-text("${fillText(TEXTS.thanks.sent, { person: "Grace Hopper" })}")`;
  expect(await page.locator("main").innerText()).toContain(
    fillText(TEXTS.thanks.hint, { person: "Grace Hopper" }),
  );
  await send(page);
  expect(await page.getByRole("alert").innerText()).toBe(TEXTS.thanks.required);
  expect(await page.locator(":focus").getAttribute("id")).toBe("note");
  await expectInView(page, "[role=alert]");
  await page.fill("#note", "Thank you, Grace!\nIt is lovely.");
  await send(page);
  await page.waitForSelector(sent);
  await expectInView(page, sent);
  expect(await page.locator("textarea").count()).toBe(0);
  await other.fill("#note", "Another note.");
  await send(other);
  await other.waitForSelector(sent);
  expect(await other.locator("main").innerText()).toContain("Thank you, Grace!");
  expect((await pages.read(gift)).thank_you?.message).toBe("Thank you, Grace!\nIt is lovely.");
});

test("a gift that runs out before it is accepted is replaced by the offered gift, with the address kept", async () => {
  const { gift, page } = await pages.openGift();
  await page.goto(`${gift.url}?show=${String(BOX)}`);
  expect(await giftName(page)).toBe("New Arrival Hamper");
  await fillForm(page);
  const path = `/api/product?product_id=${String(BOX)}`;
  const { stock_qty } = await callDemo<{ stock_qty: string }>(pages.server, path);
  const recipients = Array<typeof DEMO_RECIPIENT>(Number(stock_qty)).fill(DEMO_RECIPIENT);
  await pages.place({ product_id: BOX, recipient_details: recipients });

  await pressMain(page);
  expect(await page.getByRole("alert").innerText()).toContain(
    fillText(TEXTS.gone.soldOut, { product: "New Arrival Hamper" }),
  );
  expect(await page.locator(".summary").innerText()).toContain("The Long Table Hamper");
  await expectValues(page, ADDRESS);
  await accept(page);
  expect((await pages.read(gift)).product_selected.product_id).toBe(String(HAMPER));
});

test("a parcel is followed under the same link", async () => {
  const gift = await pages.placeAccepted();
  const page = await pages.open(gift.url);
  const delivery = () => page.getByRole("region", { name: TEXTS.shipment.title }).innerText();
  expect(await delivery()).toContain(TEXTS.shipment.preparing);
  await pages.cause("gift.shipped", gift, {
    carrier: "Deutsche Post",
    tracking_number: "JJD0123456789",
    tracking_url: "https://carrier.example/track",
  });
  await page.reload();
  const shown = await delivery();
  for (const text of [TEXTS.shipment.shipped, "Deutsche Post", "JJD0123456789"]) {
    expect(shown).toContain(text);
  }
  const link = action(page, TEXTS.shipment.track);
  expect(await link.getAttribute("rel")).toBe("noreferrer noopener");
  await pages.cause("gift.delivered", gift);
  await page.reload();
  expect(await delivery()).toContain(TEXTS.shipment.delivered);
});

test("a link that was typed in capitals leads through the gift", async () => {
  const { url } = await pages.place();
  const { origin, pathname } = new URL(url);
  const page = await pages.open(origin + pathname.toUpperCase(), { viewport: PHONE });
  await goToAddress(page);
  await fillForm(page);
  await accept(page);
  await page.goto(`${url.replace("/redeem/", "/Redeem/")}?lang=de`);
  expect(page.url()).toBe(`${url}?lang=de`);
  expect(await page.locator("address").count()).toBe(1);
});

test("an unknown path shows a page that everyone can read", async () => {
  const page = await pages.openWindow();
  await page.goto(`${pages.server.url}/Redemption`);
  expect(await heading(page)).toBe(TEXTS.errors.unknown.title);
  expect(await violationsOf(page)).toEqual([]);
  await storeScreenshot(page, "unknown-path-phone");
});
