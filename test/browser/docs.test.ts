// The guide and the reference of the API in Chromium. windows.ts refuses requests to other hosts and errors of the console.
import type { Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { PLACES } from "../docs/places.ts";
import { violationsOf } from "./axe.ts";
import { sample } from "./sample.ts";
import { DESKTOP, NARROW, PHONE, useWindows, type WindowOptions } from "./windows.ts";

const server = inject("serverUrl");
const openWindow = useWindows();

async function openPage(path: string, options: WindowOptions = {}): Promise<Page> {
  const page = await openWindow(options);
  await page.goto(server + path);
  return page;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

const overflowOf = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - innerWidth");

describe("the guide", () => {
  test("begins at /, and is read without scripts", async () => {
    const page = await openPage("/", { javaScriptEnabled: false, viewport: NARROW });
    expect(page.url()).toBe(`${server}/docs`);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("navigation").getByRole("link", { name: "Errors", exact: true }).click();
    expect(page.url()).toBe(`${server}/docs#errors`);
    expect(await heading(page, "Errors").isVisible()).toBe(true);
  });

  test.each(["/docs", "/docs/changelog"])("axe finds nothing on %s", async (path) => {
    const page = await openPage(path);
    for (const [colorScheme, viewport] of [
      ["light", DESKTOP],
      ["dark", NARROW],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    }
  });
});

/** Every tenth operation, and the webhook. */
const SOME = PLACES.filter((_, index) => index % 10 === 0 || index === PLACES.length - 1);

/** The viewer's fields of the names of credentials have no `aria-expanded`. */
const KNOWN = [expect.stringMatching(/^aria-required-attr: [^:]*aria-autocomplete/)];

describe("the reference", () => {
  test("lists all operations, and opens each at the place to which links lead", async () => {
    const page = await openPage("/docs/reference");
    const sidebar = page.getByRole("complementary");
    await sidebar.getByText("Place an order").waitFor();
    const listed = await sidebar.innerText();
    expect(PLACES.filter(({ summary }) => !listed.includes(summary))).toEqual([]);
    for (const { place, summary } of sample(PLACES, SOME)) {
      await page.evaluate(`location.hash = "${place}"`);
      await expect
        .poll(async () => (await heading(page, summary).boundingBox())?.y, { timeout: 30_000 })
        .toSatisfy((y: number) => y > 0 && y < DESKTOP.height);
    }
    expect(await violationsOf(page)).toEqual(KNOWN);
  });

  test("opens a link of the guide on a phone, in dark mode", async () => {
    const page = await openPage("/docs", { viewport: PHONE, colorScheme: "dark" });
    await page.getByRole("link", { name: "POST /api/quote" }).first().click();
    await heading(page, "Quote an order").waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await violationsOf(page)).toEqual(KNOWN);
  });

  test("sends a request with the three headers to its own server, by keyboard", async () => {
    const page = await openPage("/docs/reference#tag/credit/getCreditBalance");
    const name = "Get the credit balance";
    const operation = page.locator("section", { has: heading(page, name) }).last();
    await operation.getByRole("button", { name: /^Test Request/ }).focus();
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog").last();
    for (const [index, value] of ["demo-key", "demo", "demo-password"].entries()) {
      await form.locator("input.scalar-password-input").nth(index).fill(value);
    }
    await page.keyboard.press("Control+Enter");
    await form.getByText("200 OK").waitFor();
    await form.getByText(/"A\$[\d,]+\.\d\d"/).waitFor();
    expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain("demo-password");
  });
});
