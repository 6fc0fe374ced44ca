// The recipient's page in Chromium. Gift links are opened and redeemed without JavaScript. Each state of the page is
// checked with axe, and a screenshot of it is stored in screenshots/.
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { transition, type Transition } from "../support/transition.ts";
import { suborderId } from "../../src/values/ids.ts";
import { expireGifts } from "../../src/lifecycle/expire.ts";
import { type LocalServer, type LocalState, seededState, startServer } from "../support/server.ts";
import { violationsOf } from "./axe.ts";
import { launchChromium } from "./chromium.ts";

const SCREENSHOTS = path.resolve(import.meta.dirname, "../../screenshots");

const DEVICES = {
  phone: { width: 360, height: 740 },
  desktop: { width: 1280, height: 900 },
};
const SCHEMES = ["light", "dark"] as const;

// Products of the demo catalogue: a hamper for 110.00 plus 11.00, a candle with its variation, a box, a digital card.
const HAMPER = 1001;
const CANDLE = 1003;
const HONEY = 20002;
const BOX = 1008;
const CARD = 1002;

const ADDRESS = {
  address_line_1: "14 Plane Tree Lane",
  suburb: "Brunswick",
  state: "VIC",
  postcode_zipcode: "3056",
  country: "Australia",
};
const MESSAGE =
  "Dear Ada,\n\nthank you for a wonderful year. Put your feet up and enjoy this one: you have earned it.";

let browser: Browser;
let state: LocalState;
let server: LocalServer;
let references = 0;

interface Placed {
  orderId: number;
  url: string;
}

function auth(client: string) {
  return { "CLIENT-ID": client, "API-KEY": `${client}-key`, "API-PASSWORD": `${client}-password` };
}

async function placeGift(changes: Record<string, unknown> = {}, client = "demo"): Promise<Placed> {
  const response = await fetch(`${server.url}/api/gift-link`, {
    method: "POST",
    headers: { ...auth(client), "Content-Type": "application/json" },
    body: JSON.stringify({
      order_ref_id: `browser-${String(++references)}`,
      product_id: HAMPER,
      currency: "AUD",
      base_location: "AU",
      gift_of_choice: "Y",
      recipient_details: [
        {
          first_name: "Ada",
          last_name: "Okafor",
          email: "ada@example.com",
          redemption_message: MESSAGE,
        },
      ],
      ...changes,
    }),
  });
  const answer = await response.json<{
    order_data: { order_id: number };
    recipient_return: [{ gift_url: string }];
  }>();
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return { orderId: answer.order_data.order_id, url: answer.recipient_return[0].gift_url };
}

/** Renews the link of the order's first gift. */
async function renew({ orderId }: Placed): Promise<void> {
  const response = await fetch(`${server.url}/api/gift-link/renew`, {
    method: "POST",
    headers: { ...auth("demo"), "Content-Type": "application/json" },
    body: JSON.stringify({ suborder_id: suborderId(orderId, 1) }),
  });
  expect(response.status).toBe(200);
}

/** Orders all pieces of a product but one. */
async function orderAllButOne(productId: number): Promise<void> {
  const response = await fetch(`${server.url}/api/product?product_id=${String(productId)}`, {
    headers: auth("demo"),
  });
  const { stock_qty } = await response.json<{ stock_qty: string }>();
  const recipient = { first_name: "Ada", last_name: "Okafor", email: "ada@example.com" };
  const recipients = Array<typeof recipient>(Number(stock_qty) - 1).fill(recipient);
  await placeGift({ product_id: productId, recipient_details: recipients });
}

interface WireRecipient {
  redemption_status: string | null;
  product_selected: { product_id: string; variation_id: string | null };
  recipient_details: {
    delivery_address: Record<string, string | null>;
    delivery_notes: string | null;
  };
}

async function readRecipient({ orderId }: Placed): Promise<WireRecipient> {
  const response = await fetch(`${server.url}/api/order?order_id=${String(orderId)}`, {
    headers: auth("demo"),
  });
  return (await response.json<{ recipients: [WireRecipient] }>()).recipients[0];
}

/** Requests and console messages of the pages that show an error, or a request to another host. */
const loadingFaults: string[] = [];

async function open(
  url: string,
  { javaScript = true, status = 200, viewport = DEVICES.desktop } = {},
): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: javaScript, viewport });
  const page = await context.newPage();
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== server.url) loadingFaults.push(request.url());
  });
  page.on("requestfailed", (request) => {
    const failure = request.failure()?.errorText;
    // Leaving a page aborts its pending requests.
    if (failure !== "net::ERR_ABORTED") loadingFaults.push(`${request.url()} ${String(failure)}`);
  });
  page.on("console", (message) => {
    // Excludes the page's own status (404, 409, 410, 422). `inspect` checks images.
    const isStatus = message.text().startsWith("Failed to load resource");
    if (!isStatus && message.type() === "error") loadingFaults.push(message.text());
  });
  const response = await page.goto(url);
  expect(response?.status()).toBe(status);
  return page;
}

// Expressions for the browser are strings, because the types of its globals differ from those of the Worker.
const LOAD_ALL_PICTURES = `Promise.all([...document.images].map((image) => {
  image.loading = "eager";
  return image.decode().catch(() => undefined);
}))`;
const BROKEN_PICTURES = `[...document.images].filter((i) => i.naturalWidth === 0).map((i) => i.src)`;
const OVERFLOW = `document.documentElement.scrollWidth - document.documentElement.clientWidth`;

/** Checks the page with axe and for overflow, on a phone and a desktop, in light and in dark. Stores screenshots. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const [device, viewport] of Object.entries(DEVICES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const where = `${name}-${device}-${colorScheme}`;
      await page.evaluate(LOAD_ALL_PICTURES);
      expect(await page.evaluate(BROKEN_PICTURES), `${where}: pictures are missing`).toEqual([]);
      expect(await page.evaluate(OVERFLOW), `${where}: wider than the screen`).toBe(0);
      expect(await violationsOf(page), `${where}: axe`).toEqual([]);
      await page.screenshot({ path: path.join(SCREENSHOTS, `${where}.png`), fullPage: true });
    }
  }
}

/** Ships or delivers the order's first gift. */
async function control(name: "ship" | "deliver", { orderId }: Placed, tracking = {}) {
  const response = await fetch(`${server.url}/api/sandbox/${name}-gift`, {
    method: "POST",
    headers: { ...auth("demo"), "Content-Type": "application/json" },
    body: JSON.stringify({ suborder_id: suborderId(orderId, 1), ...tracking }),
  });
  expect(response.status, await response.text()).toBe(200);
}

async function fillAddress(page: Page): Promise<void> {
  for (const [name, value] of Object.entries(ADDRESS)) await page.fill(`#${name}`, value);
}

const accept = (page: Page) => page.click("text=Accept this gift");

const closed: Record<string, Placed> = {};
const cleanups: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  browser = await launchChromium();
  cleanups.push(() => browser.close());
  state = await seededState();
  cleanups.push(state.remove);
  server = await startServer(state);
  cleanups.push(() => server.kill());
  await orderAllButOne(BOX);
  closed["cancelled"] = await placeGift();
  closed["failed"] = await placeGift({}, "demo-two");
  closed["branded"] = await placeGift({ order_branding: "company" }, "demo-two");
  closed["unpaid"] = await placeGift({ order_branding: "company" }, "demo-two");
  closed["replaced"] = await placeGift();
  await renew(closed["replaced"]);
  const today = new Date().toISOString().slice(0, 10);
  closed["expired"] = await placeGift({ redeem_by: today });
  await server.kill();
  // Operators' changes to orders are made while no server runs on the state.
  await state.use(async ({ DB }) => {
    const take = async (placed: Placed | undefined, step: Transition) => {
      const outcome = await transition(DB, Number(placed?.orderId), step, Date.now());
      expect(outcome?.changed).toBe(true);
    };
    await take(closed["cancelled"], "cancel");
    await take(closed["failed"], "fail");
    await take(closed["branded"], "pay");
    // The gift's last day becomes a day of the past.
    await DB.prepare("UPDATE orders SET expires_at_ms = 1, next_expiry_check_ms = 1 WHERE id = ?")
      .bind(closed["expired"]?.orderId)
      .run();
    await expireGifts(DB, Date.now());
  });
  // The links contain the address, so the server must have the same one.
  server = await startServer(state, server);
});

afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

afterEach(() => {
  expect(loadingFaults.splice(0)).toEqual([]);
});

describe("a recipient without JavaScript", () => {
  test("corrects an address and accepts the gift", async () => {
    const gift = await placeGift();
    const page = await open(gift.url, { javaScript: false });
    await page.fill("#address_line_1", ADDRESS.address_line_1);
    await page.fill("#delivery_notes", "Leave it with Grace next door.");
    await accept(page);
    expect(await page.locator(".notice li").count()).toBe(3);
    expect(await page.inputValue("#address_line_1")).toBe(ADDRESS.address_line_1);
    await page.click(".notice a[href='#suburb']");
    await fillAddress(page);
    await accept(page);
    await page.waitForURL(/\?thanks$/);
    expect(await page.textContent("h1")).toBe("It’s yours!");
    const recipient = await readRecipient(gift);
    expect(recipient.redemption_status).toBe("redeemed");
    expect(recipient.recipient_details.delivery_notes).toBe("Leave it with Grace next door.");
    expect(recipient.recipient_details.delivery_address).toEqual({
      ...ADDRESS,
      address_line_2: null,
    });
  });

  test("swaps the gift for one of several variations", async () => {
    const gift = await placeGift();
    const page = await open(gift.url, { javaScript: false });
    await page.click("text=See all gifts");
    const candle = page.locator(`a[href^="?gift=${String(CANDLE)}#"]`);
    while ((await candle.count()) === 0) await page.click("text=More gifts");
    await candle.click();
    await fillAddress(page);
    await page.check(`input[value="${String(HONEY)}"]`);
    await accept(page);
    await page.waitForURL(/\?thanks$/);
    expect((await page.textContent("main")) ?? "").toMatch(/Terrace Soy Candle.*Wild Honey/s);
    expect((await readRecipient(gift)).product_selected).toEqual({
      product_id: String(CANDLE),
      variation_id: String(HONEY),
    });
  });
});

describe("a recipient with a keyboard only", () => {
  test("skips to the content, follows the link to an invalid field, and accepts with Enter", async () => {
    const gift = await placeGift();
    const page = await open(gift.url);
    await page.keyboard.press("Tab");
    expect(await page.textContent(":focus")).toBe("Skip to the content");
    await page.focus("#address_line_1");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".notice.fault:focus");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.getAttribute(":focus", "id")).toBe("address_line_1");
    for (const part of ["14 Plane Tree Lane", "", "Brunswick", "VIC", "3056", "Australia"]) {
      await page.keyboard.type(part);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?thanks$/);
    expect((await readRecipient(gift)).redemption_status).toBe("redeemed");
  });
});

describe("a recipient who compares gifts", () => {
  const NOTES = "Leave it with Grace,\nnext door.";

  /** Opens a gift's page, fills in address and notes, and records the URLs that are visited afterwards. */
  async function openTyped(): Promise<{ gift: Placed; page: Page; visited: string[] }> {
    const gift = await placeGift();
    const page = await open(gift.url, { javaScript: false, viewport: DEVICES.phone });
    const visited: string[] = [];
    page.on("request", (request) => visited.push(request.url()));
    await fillAddress(page);
    await page.fill("#delivery_notes", NOTES);
    return { gift, page, visited };
  }

  async function expectTyped(page: Page): Promise<void> {
    for (const [name, value] of Object.entries({ ...ADDRESS, delivery_notes: NOTES })) {
      expect(await page.inputValue(`[name="${name}"]`)).toBe(value);
    }
  }

  /** Checks that the middle of the element is inside the window, also if the browser scrolls after the page is loaded. */
  async function expectInView(page: Page, selector: string): Promise<void> {
    const { height } = page.viewportSize() ?? { height: 0 };
    const middle = async () => {
      const box = await page.locator(selector).boundingBox();
      if (!box) throw new Error(`${selector} is not shown`);
      return box.y + box.height / 2;
    };
    const isInView = async () => {
      const y = await middle();
      return y > 0 && y < height;
    };
    await expect.poll(isInView, { message: selector, timeout: 5_000 }).toBe(true);
  }

  const card = (page: Page, index: number) => page.locator(".card").nth(index);

  /** Clicks the card, waits for the page of its gift, and returns the gift's name. */
  async function choose(page: Page, index: number): Promise<string> {
    const name = (await card(page, index).locator(".name").textContent()) ?? "";
    await card(page, index).click();
    await page.waitForSelector(`#gift-name:text-is("${name}")`);
    await page.waitForLoadState();
    return name;
  }

  test("keeps the entered address on all pages, and no URL contains it", async () => {
    const { gift, page, visited } = await openTyped();
    await choose(page, 0);
    await expectTyped(page);
    await page.click("text=See all gifts");
    await page.waitForSelector("h1:text-is('Choose another gift')");
    await expectTyped(page);
    await page.click("text=More gifts");
    await page.waitForSelector("text=Back to the first gifts");
    await choose(page, 1);
    await expectTyped(page);
    await page.click("text=Back to The Long Table Hamper");
    await page.waitForSelector("#gift-name:text-is('The Long Table Hamper')");
    expect(await page.locator(".notice").count()).toBe(0);
    await expectTyped(page);
    await page.reload();
    await expectTyped(page);
    for (const url of visited) expect(decodeURIComponent(url)).not.toMatch(/Plane|Grace|3056/);
    expect((await readRecipient(gift)).redemption_status).toBe(null);
  });

  test("accepts the displayed gift with Enter", async () => {
    const { gift, page } = await openTyped();
    const name = await choose(page, 0);
    await page.focus("#suburb");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?thanks$/);
    expect(await page.textContent(".receipt h2")).toBe(name);
    const { product_selected } = await readRecipient(gift);
    expect(product_selected.product_id).not.toBe(String(HAMPER));
  });

  test("sees the name of the tapped gift in view, with and without an entered address", async () => {
    const { page } = await openTyped();
    await choose(page, 1);
    await expectInView(page, "#gift-name");
    await page.click("text=Back to The Long Table Hamper");
    await page.waitForSelector("#gift-name:text-is('The Long Table Hamper')");
    await expectInView(page, "#gift-name");

    for (const viewport of [DEVICES.phone, { width: 740, height: 360 }, DEVICES.desktop]) {
      const untyped = await open((await placeGift()).url, { javaScript: false, viewport });
      await choose(untyped, 1);
      await expectInView(untyped, "#gift-name");
      await untyped.click("text=See all gifts");
      await untyped.waitForURL(/\?gifts$/);
      await choose(untyped, 3);
      await expectInView(untyped, "#gift-name");
    }
  });

  test("goes back and reloads without a confirmation while the form is empty", async () => {
    const page = await open((await placeGift()).url, { javaScript: false });
    const first = await choose(page, 0);
    await choose(page, 1);
    await page.reload();
    await page.goBack();
    expect(await page.textContent("#gift-name")).toBe(first);
    await page.goBack();
    expect(await page.textContent("#gift-name")).toBe("The Long Table Hamper");
  });

  test("sees the label and the message of an invalid field after following its link", async () => {
    const page = await open((await placeGift()).url, {
      javaScript: false,
      viewport: DEVICES.phone,
    });
    await accept(page);
    await page.waitForSelector(".notice.fault");
    for (const field of ["address_line_1", "suburb", "postcode_zipcode", "country"]) {
      await page.click(`.notice a[href="#${field}"]`);
      await expectInView(page, `label[for="${field}"]`);
      await expectInView(page, `#${field}-fault`);
      await expectInView(page, `#${field}`);
    }
    await page.goto(`${page.url().replace(/\?.*/, "")}?gift=${String(CANDLE)}`);
    await fillAddress(page);
    await accept(page);
    await page.click(".notice a");
    await expectInView(page, "legend:has-text('scent')");
    await expectInView(page, "#variation-fault");
  });
});

describe("a recipient who waits for the gift", () => {
  async function accepted(changes: Record<string, unknown> = {}) {
    const gift = await placeGift(changes);
    const page = await open(gift.url);
    if ((await page.locator("#address_line_1").count()) > 0) await fillAddress(page);
    await accept(page);
    await page.waitForURL(/\?thanks$/);
    return { gift, page };
  }
  const deliveryOf = (page: Page) => page.innerText(".shipment p");

  test("follows a parcel under the same link", async () => {
    const { gift, page } = await accepted();
    expect(await deliveryOf(page)).toBe("Your gift is being prepared.");
    await page.goto(gift.url);
    await inspect(page, "being-prepared");
    await control("ship", gift, {
      carrier: "Deutsche Post DHL Express International Parcel Services",
      tracking_number: "JJD".padEnd(60, "0123456789"),
      tracking_url: `https://carrier.example/${"track/".repeat(40)}`,
    });
    await page.reload();
    expect(await deliveryOf(page)).toMatch(/^Shipped on \d+ \w+ \d{4} with Deutsche Post DHL/);
    const link = page.locator("a", { hasText: "Track your parcel" });
    expect(await link.getAttribute("rel")).toBe("noreferrer noopener");
    await inspect(page, "shipped");
    await control("deliver", gift);
    await page.reload();
    expect(await deliveryOf(page)).toMatch(/^Delivered on /);
    await inspect(page, "delivered");
  });

  test("sees when a digital gift was sent", async () => {
    const { gift, page } = await accepted({ product_id: CARD });
    await control("ship", gift);
    await page.goto(gift.url);
    expect(await deliveryOf(page)).toMatch(/^Sent to your e-mail address on /);
    await inspect(page, "sent");
  });
});

describe("text in other scripts", () => {
  const MESSAGE_IN_HEBREW = "נועה היקרה, תודה!";
  const order = {
    recipient_details: [
      {
        first_name: "נועה!",
        last_name: "לוי",
        email: "noa@example.com",
        redemption_message: MESSAGE_IN_HEBREW,
        delivery_address: {
          address_line_1: "הרצל 14!",
          suburb: "תל אביב",
          postcode_zipcode: "6100000",
          country: "AU",
        },
      },
    ],
  };

  /** The distance from the left, in px, of the element's first `!` and of its first letter. */
  const positions = (page: Page, selector: string) =>
    page.evaluate<{ mark: number; letter: number }>(`(() => {
      const walker = document.createTreeWalker(
        document.querySelector(${JSON.stringify(selector)}), NodeFilter.SHOW_TEXT);
      const text = walker.nextNode();
      const left = (index) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        return range.getBoundingClientRect().left;
      };
      return { mark: left(text.data.indexOf("!")), letter: left(0) };
    })()`);

  test("runs from right to left with its punctuation at the end, and without synthetic italics", async () => {
    const page = await open((await placeGift(order)).url);
    await inspect(page, "gift-right-to-left");
    for (const selector of ["h1 bdi", ".letter p"]) {
      const { mark, letter } = await positions(page, selector);
      expect(mark, selector).toBeLessThan(letter);
    }
    expect(await page.evaluate("getComputedStyle(address_line_1).direction")).toBe("rtl");
    const synthesis = "getComputedStyle(document.querySelector('.letter p')).fontSynthesisStyle";
    expect(await page.evaluate(synthesis)).toBe("none");
    await accept(page);
    await page.waitForURL(/\?thanks$/);
    const { mark, letter } = await positions(page, "address span");
    expect(mark).toBeLessThan(letter);
    await inspect(page, "redeemed-right-to-left");
  });
});

describe("forced colours", () => {
  test("show logos on a white background", async () => {
    for (const colorScheme of SCHEMES) {
      const page = await open((await placeGift()).url);
      await page.emulateMedia({ forcedColors: "active", colorScheme });
      const style = "getComputedStyle(document.querySelector('.logo')).backgroundColor";
      expect(await page.evaluate(style)).toBe("rgb(255, 255, 255)");
      const where = path.join(SCREENSHOTS, `gift-forced-${colorScheme}.png`);
      await page.screenshot({ path: where, fullPage: true });
      await page.goto(`${server.url}/redeem/1001-forged`);
      const claim = "getComputedStyle(document.querySelector('.claim')).backgroundColor";
      expect(await page.evaluate(claim)).toBe("rgb(255, 255, 255)");
    }
  });
});

describe("axe and overflow checks pass for", () => {
  test("an open gift, and its form with errors", async () => {
    const page = await open((await placeGift()).url);
    await inspect(page, "gift");
    await accept(page);
    await page.waitForSelector(".notice.fault");
    await inspect(page, "gift-faults");
  });

  test("a gift without a choice that is one of several variations", async () => {
    const order = { product_id: CANDLE, variation_id: HONEY, gift_of_choice: "N" };
    await inspect(await open((await placeGift(order)).url), "gift-fixed");
  });

  test("a gift with a last day, and the other gifts", async () => {
    const redeemBy = `${String(new Date().getUTCFullYear() + 1)}-01-31`;
    const { url } = await placeGift({ redeem_by: redeemBy });
    const page = await open(url);
    const inWords = `31 January ${redeemBy.slice(0, 4)}`;
    expect(await page.textContent(".until")).toBe(`Please accept it by ${inWords}.`);
    await inspect(page, "gift-last-day");
    await page.goto(`${url}?gifts`);
    expect(await page.textContent(".hint")).toContain(`Please accept your gift by ${inWords}.`);
    await inspect(page, "choice-last-day");
  });

  test("a digital gift", async () => {
    await inspect(await open((await placeGift({ product_id: CARD })).url), "gift-digital");
  });

  test("a gift with company branding", async () => {
    await inspect(await open(linkOf("branded")), "gift-branded");
  });

  test("the other gifts, and a gift with variations among them", async () => {
    const { url } = await placeGift();
    const page = await open(`${url}?gifts`);
    await inspect(page, "choice");
    await page.goto(`${url}?gift=${String(CANDLE)}`);
    await inspect(page, "choice-variations");
    await fillAddress(page);
    await page.click("text=See all gifts");
    await page.waitForSelector("form[method=post] ~ .cards");
    await inspect(page, "choice-typed");
  });

  test("a gift that has just run out, and the gift chosen instead, with the address kept", async () => {
    const [first, second] = [await placeGift(), await placeGift()];
    const late = await open(`${second.url}?gift=${String(BOX)}`);
    await fillAddress(late);
    const early = await open(`${first.url}?gift=${String(BOX)}`);
    await fillAddress(early);
    await accept(early);
    await early.waitForURL(/\?thanks$/);
    await accept(late);
    await late.waitForSelector("text=has just run out");
    expect(await late.inputValue("#suburb")).toBe(ADDRESS.suburb);
    await inspect(late, "gift-gone");

    const other = late.locator("button.card").first();
    const name = await other.locator(".name").textContent();
    await other.click();
    await late.waitForSelector(`h2:text-is("${name ?? ""}")`);
    expect(await late.inputValue("#suburb")).toBe(ADDRESS.suburb);
  });

  test("a gift at its acceptance and later", async () => {
    const page = await open((await placeGift()).url);
    await fillAddress(page);
    await page.fill("#delivery_notes", "Leave it with Grace next door.");
    await accept(page);
    await page.waitForURL(/\?thanks$/);
    await inspect(page, "redeemed-thanks");
    await page.goto(page.url().replace("?thanks", ""));
    await inspect(page, "redeemed");
  });

  for (const [name, status] of [
    ["cancelled", 410],
    ["failed", 410],
    ["unpaid", 409],
    ["replaced", 410],
    ["expired", 410],
  ] as const) {
    test(`a gift that cannot be accepted: ${name}`, async () => {
      const page = await open(linkOf(name), { status });
      expect(await page.locator("img").count()).toBe(1);
      await inspect(page, name);
    });
  }

  test("a forged link", async () => {
    const page = await open(`${server.url}/redeem/1001-forged`, { status: 404 });
    expect(await page.locator("img").count()).toBe(1);
    await inspect(page, "unknown");
  });
});

function linkOf(name: string): string {
  const placed = closed[name];
  if (!placed) throw new Error(`there is no ${name} gift`);
  return placed.url;
}
