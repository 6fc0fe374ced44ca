import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { serve, type Served } from "../support/harness.ts";
import { violationsOf } from "./axe.ts";
import { launchChromium } from "./chromium.ts";

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 740 };

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

const SUMMARIES = Object.values<Partial<Record<string, { summary: string }>>>(
  openapi.paths,
).flatMap((operations) => Object.values(operations).map((operation) => operation?.summary ?? ""));

/** Opens `/`, and records the requests and errors of the page. */
async function openPage(options: BrowserContextOptions = {}) {
  const page = await browser.newPage({ viewport: WIDE, ...options });
  const requested: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(`${served.url}/`);
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

describe("/docs", () => {
  test("is the target of /, and loads nothing from other hosts", async () => {
    const { page, requested, errors } = await openPage();
    expect(page.url()).toBe(`${served.url}/docs`);
    expect(requested.filter((url) => !url.startsWith(served.url))).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test("is complete without scripts", async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    expect(SUMMARIES).toHaveLength(32);
    for (const summary of ["Getting started", "Errors", "Credentials", ...SUMMARIES]) {
      expect(await heading(page, summary).isVisible(), summary).toBe(true);
    }
    const order = page.getByRole("region", { name: "Place an order", exact: true });
    expect(await order.innerText()).toContain("order_ref_id");
    expect(await order.innerText()).toContain('"product_price": 64');
    // Controls that need a script are hidden.
    expect(await page.getByRole("button", { name: /Send|Copy/ }).count()).toBe(0);
    expect(await page.getByRole("searchbox").count()).toBe(0);
    await page.close();
  });

  test.each([
    ["light", WIDE, "rgb(255, 253, 250)"],
    ["dark", WIDE, "rgb(23, 19, 26)"],
    ["light", NARROW, "rgb(255, 253, 250)"],
    ["dark", NARROW, "rgb(23, 19, 26)"],
  ] as const)("passes the checks of axe, %s at %o", async (colorScheme, viewport, background) => {
    const { page } = await openPage({ colorScheme, viewport });
    const shown = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(shown).toBe(background);
    expect(await problemsOf(page)).toEqual([]);
    await page.close();
  });

  test("passes the checks of axe with all sections open and a response shown", async () => {
    const { page } = await openPage();
    await fillCredentials(page);
    await (await send(page, "Get a product")).getByText("200 OK").waitFor();
    await page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))");
    expect(await problemsOf(page)).toEqual([]);
    await page.close();
  });

  test("links to each operation in its contents, which are a menu on narrow pages", async () => {
    const { page } = await openPage({ viewport: NARROW });
    for (const summary of SUMMARIES) {
      await page.getByRole("button", { name: "Contents" }).click();
      await page.getByRole("navigation").getByRole("link", { name: summary }).click();
      await expect.poll(() => isAtTop(page, summary)).toBe(true);
    }
    await page.close();
  });

  test("finds sections and fields, also in closed sections", async () => {
    const { page } = await openPage();
    await page.getByRole("searchbox", { name: "Search" }).fill("postcode");
    const results = page.getByRole("list").filter({ hasText: "Place an order" }).first();
    const result = results.getByRole("link", { name: "postcode_zipcode Place an order" });
    await result.first().click();
    const id = new URL(page.url()).hash.slice(1);
    await expect.poll(() => page.locator(`[id="${id}"]`).isVisible()).toBe(true);
    expect(await page.locator(`[id="${id}"]`).innerText()).toContain("Postal code");

    await page.getByRole("searchbox").fill("no such words");
    await page.getByText("0 found").waitFor();
    await page.close();
  });

  test("sends a request to its own server", async () => {
    const { page } = await openPage();
    await fillCredentials(page);
    const balance = await send(page, "Get the credit balance");
    await balance.getByText("200 OK").waitFor();
    await balance.getByText('"A$100,000.00"').waitFor();
    await page.close();
  });

  test("sends a body and shows the response", async () => {
    const { page } = await openPage();
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
