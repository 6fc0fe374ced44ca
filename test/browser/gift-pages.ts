// Gift pages in Chromium, on the server of browser.setup.ts.
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, inject } from "vitest";
import english from "../../public/languages/en.json";
import type { PageTexts } from "../../src/features/pages/texts.ts";
import {
  callDemo,
  type DemoGift,
  type DemoRecipient,
  placeDemoGift,
  readDemoRecipient,
} from "../servers/demo-gift.ts";
import { follow, PHONE, useWindows, type WindowOptions } from "./windows.ts";

export const TEXTS: PageTexts = english;

/** Products of the demo catalogue. */
export const HAMPER = 1001;
export const CARD = 1002;
export const CANDLE = 1003;
export const HONEY = 20002;
/** A book that ships to all countries. */
export const BOOK = 1021;

export const ADDRESS = {
  address_line_1: "14 Plane Tree Lane",
  address_line_2: "",
  suburb: "Brunswick",
  state: "VIC",
  postcode_zipcode: "3056",
};

export const NOTES = "Leave it with Grace,\nnext door.";

interface OpenOptions extends BrowserContextOptions {
  /** The expected status of the page. */
  status?: number;
  /** Whether the gift stays wrapped. */
  wrapped?: boolean;
}

export interface GiftPages {
  readonly server: { url: string };
  /** Opens an empty window on a phone, with JavaScript and reduced motion. */
  openWindow: (options?: WindowOptions) => Promise<Page>;
  /** Opens a URL in a window of its own, without JavaScript, and opens the gift. */
  open: (url: string, options?: OpenOptions) => Promise<Page>;
  place: (changes?: Record<string, unknown>, client?: string) => Promise<DemoGift>;
  /** Places a gift, and opens it on a phone. */
  openGift: (changes?: Record<string, unknown>) => Promise<{ gift: DemoGift; page: Page }>;
  /** The recipient and the gift, in the response of the API. */
  read: (gift: DemoGift) => Promise<DemoRecipient>;
  /** Causes an event of the order or of the gift. */
  cause: (event: string, gift: DemoGift, fields?: object, client?: string) => Promise<void>;
  /** Places a gift whose recipient has accepted it. */
  placeAccepted: (changes?: Record<string, unknown>, redemption?: object) => Promise<DemoGift>;
}

/** Windows for the gift page, in the tests of one file. */
export function useGiftPages(): GiftPages {
  const server = { url: inject("serverUrl") };
  const openWindow = useWindows();

  const open: GiftPages["open"] = async (
    url,
    { status = 200, wrapped = false, ...options } = {},
  ) => {
    const page = await openWindow({ javaScriptEnabled: false, ...options });
    const response = await page.goto(url);
    expect(response?.status(), url).toBe(status);
    if (!wrapped && (await wrapping(page).count()) > 0) await unwrap(page);
    return page;
  };

  return {
    server,
    openWindow: (options) => openWindow({ reducedMotion: "reduce", viewport: PHONE, ...options }),
    open,
    openGift: async (changes) => {
      const gift = await placeDemoGift(server, changes);
      return { gift, page: await open(gift.url, { viewport: PHONE }) };
    },
    read: (gift) => readDemoRecipient(server, gift),
    place: (changes, client) => placeDemoGift(server, changes, client),
    cause: async (event, { orderId, giftId }, fields = {}, client = "demo") => {
      const selection = event.startsWith("order.")
        ? { order_id: orderId }
        : { suborder_id: giftId };
      await callDemo(server, "/api/sandbox/event", { event, ...selection, ...fields }, client);
    },
    placeAccepted: async (changes, redemption = {}) => {
      const gift = await placeDemoGift(server, changes);
      const body = { event: "gift.redeemed", suborder_id: gift.giftId, ...redemption };
      await callDemo(server, "/api/sandbox/event", body);
      return gift;
    },
  };
}

/** The button that leads to the next step, or accepts the gift. */
export const mainButton = (page: Page) =>
  page.locator('button[form="input"][name="step"]:not([formaction])');

/** Fills in the given fields. The fields must be those of the country that the page shows. */
export async function fillIn(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const isList = (await page.locator(`select#${name}`).count()) > 0;
    await (isList ? page.selectOption(`#${name}`, value) : page.fill(`#${name}`, value));
  }
}

/** Fills in the address. */
export const fillAddress = (page: Page) => fillIn(page, ADDRESS);

/** The label of the wrapped gift, which opens it. */
export const wrapping = (page: Page) => page.locator(".wrapping summary");

/** Opens the wrapped gift, and waits until the page has stored that it is open. */
export const unwrap = (page: Page) =>
  Promise.all([page.waitForResponse(/\?opened$/), wrapping(page).click()]);

export const heading = (page: Page) => page.locator("h1").innerText();

/** Submits a form that the page does not have. */
export async function submit(page: Page, url: string, fields: Record<string, string>) {
  // A string, because the types of the browser's globals are not the Worker's.
  const submission = `(() => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = ${JSON.stringify(url)};
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      const field = document.createElement("textarea");
      Object.assign(field, { name, value });
      form.append(field);
    }
    document.body.append(form);
    form.submit();
  })()`;
  await Promise.all([page.waitForEvent("load"), page.evaluate(submission)]);
}

export const press = (page: Page, name: string | RegExp) => follow(page, action(page, name));
export const pressMain = (page: Page) => follow(page, mainButton(page));

/** Presses the main button, and checks the heading of the next page. */
export async function goOn(page: Page, nextHeading: string): Promise<void> {
  await pressMain(page);
  expect(await heading(page)).toBe(nextHeading);
}

export const goToAddress = (page: Page) => goOn(page, TEXTS.address.title);

/** From the gift to the form, with an address. */
export async function fillForm(page: Page): Promise<void> {
  await goToAddress(page);
  await fillAddress(page);
}

/** A link, or a button in its place, with this name. */
export const action = (page: Page, name: string | RegExp) =>
  page.getByRole("link", { name, exact: true }).or(page.getByRole("button", { name, exact: true }));

export const giftName = (page: Page) => page.locator("#gift-name").innerText();

/** Ticks the box, if the page has one, and presses the main button of the form. */
export async function accept(page: Page): Promise<void> {
  for (const box of await page.locator("#confirmed").all()) await box.check();
  await goOn(page, TEXTS.accepted.thanks);
}

export async function expectValues(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    expect(await page.inputValue(`[name="${name}"]`), name).toBe(value);
  }
}

/** The links to the fields with problems. */
export const problemFields = (page: Page) =>
  page
    .locator("[role=alert] a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));

/** Checks that the element is inside the window, also if the browser scrolls after the page is loaded. */
export async function expectInView(page: Page, selector: string): Promise<void> {
  const { height } = page.viewportSize() ?? { height: 0 };
  await expect
    .poll(
      async () => {
        const box = await page.locator(selector).boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= height;
      },
      { message: `${selector} is in view` },
    )
    .toBe(true);
}
