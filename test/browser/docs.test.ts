import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { serve, type Served } from "../servers/harness.ts";
import { violationsOf } from "./axe.ts";
import { launchChromium } from "./chromium.ts";

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 320, height: 740 };

let served: Served;
let browser: Browser;

beforeAll(async () => {
  served = await serve();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await served.close();
});

const TAGS = openapi.tags.map(({ name }) => ({ name, path: `/docs/${name.toLowerCase()}` }));
const PAGES = ["/docs", ...TAGS.map(({ path }) => path), "/docs/changelog"];
const pageOf = (tag = "") => `/docs/${tag.toLowerCase()}`;

const OPERATIONS = Object.entries(
  openapi.paths as Record<string, Record<string, { summary: string; tags: string[] }>>,
).flatMap(([path, operations]) =>
  Object.entries(operations).map(
    ([
      method,
      {
        summary,
        tags: [tag],
      },
    ]) => ({
      summary,
      page: pageOf(tag),
      request: `${method.toUpperCase()} ${path}`,
    }),
  ),
);

/** Opens a page, and records its requests and errors. */
async function openPage(path: string, options: BrowserContextOptions = {}) {
  const page = await browser.newPage({ viewport: WIDE, ...options });
  const requested: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(served.url + path);
  return { page, requested, errors };
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

async function fillCredentials(page: Page): Promise<void> {
  await page.getByLabel("CLIENT-ID", { exact: true }).fill("demo");
  await page.getByLabel("API-KEY", { exact: true }).fill("demo-key");
  await page.getByLabel("API-PASSWORD", { exact: true }).fill("demo-password");
}

/** Sends the form of an operation, and returns the form, which then shows the response. */
async function send(page: Page, summary: string) {
  const form = page.getByRole("region", { name: summary, exact: true }).locator("form");
  await form.getByRole("button", { name: "Send" }).click();
  return form;
}

/** Violations that axe finds, and overflow. */
async function problemsOf(page: Page): Promise<string[]> {
  const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  return [
    ...(await violationsOf(page)),
    ...(wide === 0 ? [] : [`${String(wide)} pixels wider than the page`]),
  ];
}

/** Searches, and returns the results with what contains them. */
async function search(page: Page, words: string): Promise<string[]> {
  await page.getByRole("searchbox", { name: "Search" }).fill(words);
  await page.getByText(/^\d+ found$/).waitFor();
  return page.locator("#results a").allInnerTexts();
}

describe("the reference", () => {
  test("begins at /, and loads nothing from other hosts", async () => {
    const { page, requested, errors } = await openPage("/");
    expect(page.url()).toBe(`${served.url}/docs`);
    for (const path of PAGES) await page.goto(served.url + path);
    expect(requested.filter((url) => !url.startsWith(served.url))).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test("is complete without scripts", async () => {
    const { page } = await openPage("/docs", { javaScriptEnabled: false });
    expect(OPERATIONS.length).toBeGreaterThanOrEqual(32);
    for (const section of ["Getting started", "Errors", "Credentials", "Versions"]) {
      expect(await heading(page, section).isVisible(), section).toBe(true);
    }
    for (const { path } of TAGS) {
      await page.goto(served.url + path);
      for (const { summary } of OPERATIONS.filter((operation) => operation.page === path)) {
        expect(await heading(page, summary).isVisible(), summary).toBe(true);
      }
      // Controls that need a script are hidden.
      expect(await page.getByRole("button", { name: /Send|Copy/ }).count()).toBe(0);
      expect(await page.getByRole("searchbox").count()).toBe(0);
    }
    await page.goto(`${served.url}/docs/orders`);
    const order = page.getByRole("region", { name: "Place an order", exact: true });
    expect(await order.innerText()).toContain("order_ref_id");
    expect(await order.innerText()).toContain('"product_price": 64');
    // One sample is shown at a time, also without scripts.
    await order.getByText("Python", { exact: true }).click();
    expect(await order.innerText()).toContain("urllib.request");
    expect(await order.innerText()).not.toContain("curl ");
    await page.close();
  });

  test.each([
    ["light", WIDE, "rgb(255, 253, 250)"],
    ["dark", WIDE, "rgb(23, 19, 26)"],
    ["light", NARROW, "rgb(255, 253, 250)"],
    ["dark", NARROW, "rgb(23, 19, 26)"],
  ] as const)("passes the checks of axe, %s at %o", async (colorScheme, viewport, background) => {
    const { page } = await openPage("/docs", { colorScheme, viewport });
    for (const path of PAGES) {
      await page.goto(served.url + path);
      const shown = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      expect(shown).toBe(background);
      await page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))");
      expect(await problemsOf(page), path).toEqual([]);
    }
    await page.close();
  });

  test("shows the names of a table's columns on a phone, and the address of its own server", async () => {
    const { page } = await openPage("/docs", { viewport: { width: 390, height: 844 } });
    const names = await page.evaluate(`
      [...document.querySelector("td a[href$='receiveEvent.order.created']").closest("tr").cells]
        .map((cell) => getComputedStyle(cell, "::before").content.replaceAll('"', "").trim())
    `);
    expect(names).toEqual(["none", "What happened:", "Caused by:", "In the sandbox:"]);
    expect(await problemsOf(page)).toEqual([]);
    const text = await page.locator("#content").innerText();
    expect(text).toContain(`npm start serves the API at ${served.url} with`);
    expect(text).not.toContain("localhost:8787");
    await page.close();
  });

  test("passes the checks of axe with a response and results of the search shown", async () => {
    const { page } = await openPage("/docs/catalogue");
    await fillCredentials(page);
    await (await send(page, "Get a product")).getByText("200 OK").waitFor();
    await search(page, "product");
    expect(await problemsOf(page)).toEqual([]);
    await page.close();
  });

  test("links to each operation in its contents, which are a menu on narrow pages", async () => {
    const { page } = await openPage("/docs", { viewport: NARROW });
    for (const { summary, page: path } of OPERATIONS) {
      await page.getByRole("button", { name: "Contents" }).click();
      await page.getByRole("navigation").getByRole("link", { name: summary }).click();
      await page.waitForURL(`${served.url}${path}#*`);
      await expect.poll(() => isAtTop(page, summary)).toBe(true);
    }
    await page.close();
  });

  test("opens the target of an address", async () => {
    const { page } = await openPage("/docs/orders#placeOrder.recipient_details.email");
    const field = page.locator('[id="placeOrder.recipient_details.email"]');
    await expect.poll(() => field.isVisible()).toBe(true);
    await page.goto(`${served.url}/docs#event-types`);
    await page.getByRole("link", { name: "gift.redeemed", exact: true }).click();
    await page.waitForURL(/webhooks#receiveEvent\.gift\.redeemed$/);
    await page.getByText('"redemption_status": "redeemed"').waitFor();
    await page.close();
  });

  test("marks the section that is shown in its contents", async () => {
    const { page } = await openPage("/docs");
    const current = page.locator('#contents [aria-current="true"]');
    for (const section of ["Errors", "Credentials"]) {
      await heading(page, section).evaluate((node: { scrollIntoView: () => void }) => {
        node.scrollIntoView();
      });
      await expect.poll(() => current.innerText()).toBe(section);
      const box = await current.boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect(box?.y).toBeLessThan(WIDE.height);
    }
    await page.close();
  });

  test("remembers the language of the samples", async () => {
    const { page } = await openPage("/docs/credit");
    await page.getByRole("radio", { name: "curl" }).first().focus();
    await page.keyboard.press("ArrowRight");
    await page.goto(`${served.url}/docs/events`);
    const languages = page.getByRole("radio", { name: "TypeScript" });
    expect(await languages.first().isChecked()).toBe(true);
    await page.getByText("await fetch(").first().waitFor();
    await page.close();
  });

  test("finds sections and fields, also in closed sections", async () => {
    const { page } = await openPage("/docs");
    await search(page, "postcode");
    await page
      .getByRole("link", { name: "postcode_zipcode Place an order", exact: true })
      .first()
      .click();
    const id = new URL(page.url()).hash.slice(1);
    await expect.poll(() => page.locator(`[id="${id}"]`).isVisible()).toBe(true);
    expect(await page.locator(`[id="${id}"]`).innerText()).toContain("Postal code");

    await page.getByRole("searchbox").fill("xyzzy");
    await page.getByText("0 found").waitFor();
    await page.close();
  });

  test("finds sections by other words, codes, types of events, and operations by path", async () => {
    const { page } = await openPage("/docs/credit");
    await page.keyboard.press("/");
    await page.keyboard.type("pagination");
    await expect.poll(() => page.locator("#results a").first().innerText()).toBe("Pagination");
    for (const [words, first] of [
      ["paging", "Pagination"],
      ["error codes", "Errors"],
      ["out_of_stock", "out_of_stock\nErrors"],
      ["gift.thanked", "gift.thanked\nEvent types"],
      ["idempotency", "Retries and idempotency"],
    ]) {
      expect((await search(page, words as string))[0], words).toBe(first);
    }
    for (const { request, summary } of OPERATIONS) {
      expect((await search(page, request))[0]).toBe(`${summary}\n${request}`);
      const [first] = await search(page, request.split(" ")[1] as string);
      expect(first).toContain(request.split(" ")[1]);
    }
    expect((await search(page, "order_ref_id")).length).toBeGreaterThan(12);
    await page.close();
  });

  test("sends a request to its own server", async () => {
    const { page } = await openPage("/docs/credit");
    await fillCredentials(page);
    const balance = await send(page, "Get the credit balance");
    await balance.getByText("200 OK").waitFor();
    await balance.getByText(/"A\$[\d,]+\.\d\d"/).waitFor();
    await page.close();
  });

  test("sends a body and shows the response", async () => {
    const { page } = await openPage("/docs/orders");
    const unauthorized = await send(page, "Place an order");
    await unauthorized.getByText("401 Unauthorized").waitFor();
    await fillCredentials(page);
    const placed = await send(page, "Place an order");
    await placed.getByText("200 OK").waitFor();
    await send(page, "Place an order");
    await placed.getByText("idempotent-replayed: true").waitFor();
    await (await send(page, "Get an order")).getByText("200 OK").waitFor();
    await page.close();
  });
});

function isAtTop(page: Page, name: string): Promise<boolean> {
  return heading(page, name).evaluate(
    (node: { getBoundingClientRect: () => { top: number } }) =>
      Math.abs(node.getBoundingClientRect().top) < 200,
  );
}
