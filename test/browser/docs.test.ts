// The reference of the API in Chromium.
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import openapi from "../../public/openapi.json";
import { violationsOf } from "./axe.ts";
import { sample, turn } from "./sample.ts";
import { DESKTOP, follow, NARROW, PHONE, useWindows } from "./windows.ts";

const server = inject("serverUrl");
const openWindow = useWindows();

const TAG_PAGES = openapi.tags.map(({ name }) => `/docs/${name.toLowerCase()}`);
const PAGES = ["/docs", ...TAG_PAGES, "/docs/changelog"];

type Operations = Record<string, { summary: string; tags: [string] }>;

const OPERATIONS = Object.entries(openapi.paths as unknown as Record<string, Operations>).flatMap(
  ([path, operations]) =>
    Object.entries(operations).map(([method, { summary, tags }]) => ({
      summary,
      page: `/docs/${tags[0].toLowerCase()}`,
      path,
      request: `${method.toUpperCase()} ${path}`,
    })),
);

/** The first operation of each page. */
const FIRST_OPERATIONS = TAG_PAGES.flatMap(
  (tagPage) => OPERATIONS.find(({ page }) => page === tagPage) ?? [],
);

async function openPage(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openWindow(options);
  await page.goto(server + path);
  return page;
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

test("the reference begins at /", async () => {
  expect((await openPage("/")).url()).toBe(`${server}/docs`);
});

describe("without scripts", () => {
  test("each page shows all its operations, and no controls that need a script", async () => {
    const page = await openPage("/docs", { javaScriptEnabled: false });
    for (const section of ["Getting started", "Errors", "Credentials", "Versions"]) {
      expect(await heading(page, section).isVisible(), section).toBe(true);
    }
    expect(OPERATIONS.length).toBeGreaterThanOrEqual(32);
    for (const path of TAG_PAGES) {
      await page.goto(server + path);
      for (const { summary } of OPERATIONS.filter((operation) => operation.page === path)) {
        expect(await heading(page, summary).isVisible(), summary).toBe(true);
      }
      expect(await page.getByRole("button", { name: /Send|Copy/ }).count()).toBe(0);
      expect(await page.getByRole("searchbox").count()).toBe(0);
    }
  });

  test("one sample of an operation is shown at a time", async () => {
    const page = await openPage("/docs/orders", { javaScriptEnabled: false });
    const order = page.getByRole("region", { name: "Place an order", exact: true });
    expect(await order.innerText()).toContain('"product_price": 64');
    await order.getByText("Python", { exact: true }).click();
    expect(await order.innerText()).toContain("urllib.request");
    expect(await order.innerText()).not.toContain("curl ");
  });
});

describe("axe finds nothing", () => {
  const VIEWS = [
    { colorScheme: "light", viewport: DESKTOP, background: "rgb(255, 253, 250)" },
    { colorScheme: "dark", viewport: NARROW, background: "rgb(23, 19, 26)" },
    { colorScheme: "dark", viewport: DESKTOP, background: "rgb(23, 19, 26)" },
    { colorScheme: "light", viewport: NARROW, background: "rgb(255, 253, 250)" },
  ] as const;

  /** One page of each template. */
  const TEMPLATES = ["/docs", "/docs/orders", "/docs/changelog"];

  test.each(sample(PAGES, TEMPLATES).map((path, number) => ({ path, number })))(
    "on $path",
    async ({ path, number }) => {
      const page = await openPage(path);
      await page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))");
      for (const { colorScheme, viewport, background } of turn(VIEWS, number)) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        const shown = await page.evaluate("getComputedStyle(document.body).backgroundColor");
        expect(shown).toBe(background);
        expect(await problemsOf(page), `${colorScheme}, ${String(viewport.width)} px`).toEqual([]);
      }
    },
  );

  test("on a page with a response and results of the search", async () => {
    const page = await openPage("/docs/catalogue");
    await fillCredentials(page);
    await (await send(page, "Get a product")).getByText("200 OK").waitFor();
    await search(page, "product");
    expect(await problemsOf(page)).toEqual([]);
  });

  test("on a phone, where tables show the names of their columns in each cell", async () => {
    const page = await openPage("/docs", { viewport: PHONE });
    const names = await page.evaluate(`
      [...document.querySelector("td a[href$='receiveEvent.order.created']").closest("tr").cells]
        .map((cell) => getComputedStyle(cell, "::before").content.replaceAll('"', "").trim())
    `);
    expect(names).toEqual(["none", "What happened:", "Caused by:", "In the sandbox:"]);
    expect(await problemsOf(page)).toEqual([]);
  });
});

test("the guide names the address of its own server", async () => {
  const page = await openPage("/docs");
  const text = await page.locator("#content").innerText();
  expect(text).toContain(server);
  expect(text).not.toContain("localhost:8787");
});

describe("the contents", () => {
  const isAtTop = (page: Page, name: string) =>
    heading(page, name).evaluate(
      (node: { getBoundingClientRect: () => { top: number } }) =>
        Math.abs(node.getBoundingClientRect().top) < 200,
    );

  test("link to each operation, and are a menu on narrow pages", async () => {
    const page = await openPage("/docs", { viewport: NARROW });
    for (const { summary, page: path } of sample(OPERATIONS, FIRST_OPERATIONS)) {
      await page.getByRole("button", { name: "Contents" }).click();
      await page.getByRole("navigation").getByRole("link", { name: summary }).click();
      await page.waitForURL(`${server}${path}#*`);
      await expect.poll(() => isAtTop(page, summary)).toBe(true);
    }
  });

  test("mark the section that is shown", async () => {
    const page = await openPage("/docs");
    const current = page.locator('#contents [aria-current="true"]');
    for (const section of ["Errors", "Credentials"]) {
      await heading(page, section).evaluate((node: { scrollIntoView: () => void }) => {
        node.scrollIntoView();
      });
      await expect.poll(() => current.innerText()).toBe(section);
      const box = await current.boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect(box?.y).toBeLessThan(DESKTOP.height);
    }
  });
});

test("the target of an address is opened", async () => {
  const page = await openPage("/docs/orders#placeOrder.recipient_details.email");
  const field = page.locator('[id="placeOrder.recipient_details.email"]');
  await expect.poll(() => field.isVisible()).toBe(true);
  await page.goto(`${server}/docs#event-types`);
  await page.getByRole("link", { name: "gift.redeemed", exact: true }).click();
  await page.waitForURL(/webhooks#receiveEvent\.gift\.redeemed$/);
  await page.getByText('"redemption_status": "redeemed"').waitFor();
});

test("the language of the samples is remembered", async () => {
  const page = await openPage("/docs/credit");
  await page.getByRole("radio", { name: "curl" }).first().focus();
  await page.keyboard.press("ArrowRight");
  await page.goto(`${server}/docs/events`);
  const languages = page.getByRole("radio", { name: "TypeScript" });
  expect(await languages.first().isChecked()).toBe(true);
  await page.getByText("await fetch(").first().waitFor();
});

describe("the search", () => {
  test("finds fields, also in closed sections", async () => {
    const page = await openPage("/docs");
    await search(page, "postcode");
    const name = "postcode_zipcode Place an order";
    await follow(page, page.getByRole("link", { name, exact: true }).first());
    const field = page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`);
    await expect.poll(() => field.isVisible()).toBe(true);
    expect(await field.innerText()).toContain("postcode_zipcode");
    expect((await search(page, "order_ref_id")).length).toBeGreaterThan(12);
    expect(await search(page, "xyzzy")).toEqual([]);
  });

  test("finds sections by other words, codes and types of events, with the shortcut /", async () => {
    const page = await openPage("/docs/credit");
    await page.keyboard.press("/");
    await page.keyboard.type("pagination");
    await expect.poll(() => page.locator("#results a").first().innerText()).toBe("Pagination");
    for (const [words, first] of [
      ["paging", "Pagination"],
      ["error codes", "Errors"],
      ["out_of_stock", "out_of_stock\nErrors"],
      ["gift.thanked", "gift.thanked\nEvent types"],
      ["idempotency", "Retries and idempotency"],
    ] as const) {
      expect((await search(page, words))[0], words).toBe(first);
    }
  });

  test("finds operations by method and path", async () => {
    const page = await openPage("/docs");
    for (const { request, path, summary } of sample(OPERATIONS, FIRST_OPERATIONS)) {
      expect((await search(page, request))[0]).toBe(`${summary}\n${request}`);
      expect((await search(page, path))[0]).toContain(path);
    }
  });
});

describe("the form of an operation", () => {
  test("sends a request to its own server", async () => {
    const page = await openPage("/docs/credit");
    await fillCredentials(page);
    const balance = await send(page, "Get the credit balance");
    await balance.getByText("200 OK").waitFor();
    await balance.getByText(/"A\$[\d,]+\.\d\d"/).waitFor();
  });

  test("sends a body, and shows the response and that it is a repeated one", async () => {
    const page = await openPage("/docs/orders");
    const unauthorized = await send(page, "Place an order");
    await unauthorized.getByText("401 Unauthorized").waitFor();
    await fillCredentials(page);
    const placed = await send(page, "Place an order");
    await placed.getByText("200 OK").waitFor();
    await send(page, "Place an order");
    await placed.getByText("idempotent-replayed: true").waitFor();
    await (await send(page, "Get an order")).getByText("200 OK").waitFor();
  });
});
