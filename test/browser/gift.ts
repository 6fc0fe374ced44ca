// The recipient's page in a real browser: links that the API has just made are opened and redeemed without
// JavaScript, and each state is held against axe and photographed into screenshots/.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { type LocalServer, type LocalState, seededState, startServer } from "../support/server.ts";
import { launchChromium } from "./chromium.ts";

const SCREENSHOTS = path.resolve(import.meta.dirname, "../../screenshots");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const DEVICES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 900 },
};
const SCHEMES = ["light", "dark"] as const;

// Of the demo catalogue: a hamper for 110.00 + 11.00, a candle in several scents, a box, a digital card.
const HAMPER = 1001;
const CANDLE = 1003;
const HONEY = 20002;
const BOX = 1007;
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
  assert.equal(response.status, 200, JSON.stringify(answer));
  return { orderId: answer.order_data.order_id, url: answer.recipient_return[0].gift_url };
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

/** What went wrong while pages loaded: refused by the browser, missing, or from another host. */
const loadingFaults: string[] = [];

async function open(url: string, { javaScript = true, status = 200 } = {}): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: javaScript });
  const page = await context.newPage();
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== server.url) loadingFaults.push(request.url());
  });
  page.on("requestfailed", (request) => {
    const failure = request.failure()?.errorText;
    // Whoever leaves a page ends what it still loads.
    if (failure !== "net::ERR_ABORTED") loadingFaults.push(`${request.url()} ${String(failure)}`);
  });
  page.on("console", (message) => {
    // A page's own status (404, 409, 410, 422) is reported here, too; a picture's 404 is seen below.
    const isStatus = message.text().startsWith("Failed to load resource");
    if (!isStatus && message.type() === "error") loadingFaults.push(message.text());
  });
  const response = await page.goto(url);
  assert.equal(response?.status(), status);
  return page;
}

// Expressions for the browser, as text: the types of its globals are not those of the Worker.
const LOAD_ALL_PICTURES = `Promise.all([...document.images].map((image) => {
  image.loading = "eager";
  return image.decode().catch(() => undefined);
}))`;
const BROKEN_PICTURES = `[...document.images].filter((i) => i.naturalWidth === 0).map((i) => i.src)`;
const OVERFLOW = `document.documentElement.scrollWidth - document.documentElement.clientWidth`;

/** Axe finds nothing and nothing overflows, on a phone and a desktop, in light and in dark; a picture of each. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const [device, viewport] of Object.entries(DEVICES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const where = `${name}-${device}-${colorScheme}`;
      await page.evaluate(LOAD_ALL_PICTURES);
      assert.deepEqual(await page.evaluate(BROKEN_PICTURES), [], `${where}: pictures are missing`);
      assert.equal(await page.evaluate(OVERFLOW), 0, `${where}: wider than the screen`);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<AxeResults>("axe.run()");
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join()}`);
      assert.deepEqual(found, [], `${where}: axe`);
      await page.screenshot({ path: path.join(SCREENSHOTS, `${where}.png`), fullPage: true });
    }
  }
}

async function fillAddress(page: Page): Promise<void> {
  for (const [name, value] of Object.entries(ADDRESS)) await page.fill(`#${name}`, value);
}

const accept = (page: Page) => page.click("text=Accept this gift");

/** The servers that this test starts take their secret from the environment. */
process.env["GIFT_LINK_SECRET"] = "a secret of the browser's test, long enough to be a key";
process.env["REGALO_SETUP"] = "off";

const closed: Record<string, Placed> = {};
const cleanups: (() => void | Promise<void>)[] = [];

before(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  browser = await launchChromium();
  cleanups.push(() => browser.close());
  state = await seededState();
  cleanups.push(state.remove);
  server = await startServer(state);
  cleanups.push(() => server.kill());
  // What only an operator or time can do to an order is done while no server runs on the state.
  closed["cancelled"] = await placeGift();
  closed["failed"] = await placeGift();
  closed["branded"] = await placeGift({ order_branding: "company" }, "demo-two");
  closed["unpaid"] = await placeGift({ order_branding: "company" }, "demo-two");
  await server.kill();
  await state.use(async ({ DB }) => {
    const setStatus = (placed: Placed | undefined, status: string) =>
      DB.prepare("UPDATE orders SET status = ? WHERE id = ?").bind(status, placed?.orderId).run();
    await setStatus(closed["cancelled"], "cancieled");
    await setStatus(closed["failed"], "failed");
    await setStatus(closed["branded"], "paid");
    await DB.prepare("UPDATE stock SET quantity = 1 WHERE product_id = ?").bind(BOX).run();
  });
  // On the same address: links to another would open nothing.
  server = await startServer(state, server);
});

after(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

afterEach(() => {
  assert.deepEqual(loadingFaults.splice(0), []);
});

describe("without JavaScript, a recipient", () => {
  test("corrects an address and accepts the gift", async () => {
    const gift = await placeGift();
    const page = await open(gift.url, { javaScript: false });
    await page.fill("#address_line_1", ADDRESS.address_line_1);
    await page.fill("#delivery_notes", "Leave it with Grace next door.");
    await accept(page);
    assert.equal(await page.locator(".notice li").count(), 3);
    assert.equal(await page.inputValue("#address_line_1"), ADDRESS.address_line_1);
    await page.click(".notice a[href='#suburb']");
    await fillAddress(page);
    await accept(page);
    await page.waitForURL(/\?thanks$/);
    assert.equal(await page.textContent("h1"), "It’s yours!");
    const recipient = await readRecipient(gift);
    assert.equal(recipient.redemption_status, "redeemed");
    assert.equal(recipient.recipient_details.delivery_notes, "Leave it with Grace next door.");
    assert.deepEqual(recipient.recipient_details.delivery_address, {
      ...ADDRESS,
      address_line_2: null,
    });
  });

  test("swaps the gift for one of several variations", async () => {
    const gift = await placeGift();
    const page = await open(gift.url, { javaScript: false });
    await page.click("text=See all gifts");
    const candle = page.locator(`a[href="?gift=${String(CANDLE)}"]`);
    while ((await candle.count()) === 0) await page.click("text=More gifts");
    await candle.click();
    await fillAddress(page);
    await page.check(`input[value="${String(HONEY)}"]`);
    await accept(page);
    await page.waitForURL(/\?thanks$/);
    assert.match((await page.textContent("main")) ?? "", /Terrace Soy Candle.*Wild Honey/s);
    assert.deepEqual((await readRecipient(gift)).product_selected, {
      product_id: String(CANDLE),
      variation_id: String(HONEY),
    });
  });
});

describe("with a keyboard alone, a recipient", () => {
  test("skips to the content, is led to the fault, and accepts with Enter", async () => {
    const gift = await placeGift();
    const page = await open(gift.url);
    await page.keyboard.press("Tab");
    assert.equal(await page.textContent(":focus"), "Skip to the content");
    await page.focus("#address_line_1");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".notice.fault:focus");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await page.getAttribute(":focus", "id"), "address_line_1");
    for (const part of ["14 Plane Tree Lane", "", "Brunswick", "VIC", "3056", "Australia"]) {
      await page.keyboard.type(part);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?thanks$/);
    assert.equal((await readRecipient(gift)).redemption_status, "redeemed");
  });
});

describe("every state is readable by everyone", () => {
  test("a gift that waits, and its faults", async () => {
    const page = await open((await placeGift()).url);
    await inspect(page, "gift");
    await accept(page);
    await page.waitForSelector(".notice.fault");
    await inspect(page, "gift-faults");
  });

  test("a gift without a choice, in one of several variations", async () => {
    const order = { product_id: CANDLE, variation_id: HONEY, gift_of_choice: "N" };
    await inspect(await open((await placeGift(order)).url), "gift-fixed");
  });

  test("a digital gift", async () => {
    await inspect(await open((await placeGift({ product_id: CARD })).url), "gift-digital");
  });

  test("a gift in its company's colours", async () => {
    await inspect(await open(linkOf("branded")), "gift-branded");
  });

  test("other gifts, and one of them in several variations", async () => {
    const { url } = await placeGift();
    await inspect(await open(`${url}?gifts`), "choice");
    await inspect(await open(`${url}?gift=${String(CANDLE)}`), "choice-variations");
  });

  test("a gift that has just run out, and what is chosen instead with all that was typed", async () => {
    const [first, second] = [await placeGift(), await placeGift()];
    const late = await open(`${second.url}?gift=${String(BOX)}`);
    await fillAddress(late);
    const early = await open(`${first.url}?gift=${String(BOX)}`);
    await fillAddress(early);
    await accept(early);
    await early.waitForURL(/\?thanks$/);
    await accept(late);
    await late.waitForSelector("text=has just run out");
    assert.equal(await late.inputValue("#suburb"), ADDRESS.suburb);
    await inspect(late, "gift-gone");

    const other = late.locator("button.card").first();
    const name = await other.locator(".name").textContent();
    await other.click();
    await late.waitForSelector(`h2:text-is("${name ?? ""}")`);
    assert.equal(await late.inputValue("#suburb"), ADDRESS.suburb);
  });

  test("a gift just accepted, and accepted before", async () => {
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
  ] as const) {
    test(`a gift that is ${name}`, async () => {
      await inspect(await open(linkOf(name), { status }), name);
    });
  }

  test("a link that opens nothing", async () => {
    await inspect(await open(`${server.url}/redeem/1001-forged`, { status: 404 }), "unknown");
  });
});

function linkOf(name: string): string {
  const placed = closed[name];
  assert.ok(placed, `no gift was made ${name}`);
  return placed.url;
}
