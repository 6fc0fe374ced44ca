import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { serve, type Served } from "../support/served.ts";
import { launchChromium } from "./chromium.ts";

let served: Served;
let browser: Browser;

beforeAll(async () => {
  served = await serve();
  browser = await launchChromium();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await served.close();
});

const SUMMARIES = Object.values<Partial<Record<string, { summary: string }>>>(
  openapi.paths,
).flatMap((operations) => Object.values(operations).map((operation) => operation?.summary ?? ""));

/** The page as `/` leads to it, and all that it asked for and complained of. */
async function openPage(colorScheme: "light" | "dark" = "light") {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1400, height: 1000 } });
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(`${served.url}/`);
  return { page, requested, complaints };
}

async function openOperation(page: Page, summary: string): Promise<void> {
  await page.getByRole("link", { name: summary }).first().click();
  await page.getByRole("heading", { name: summary, exact: true }).waitFor();
}

describe("/docs", () => {
  test("is where / leads, and shows every endpoint without asking anyone else", async () => {
    const { page, requested, complaints } = await openPage();
    expect(page.url()).toBe(`${served.url}/docs`);
    expect(SUMMARIES).toHaveLength(6);
    for (const summary of SUMMARIES) await openOperation(page, summary);
    expect(requested.filter((url) => !url.startsWith(served.url))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each([
    ["light", "rgb(255, 255, 255)"],
    ["dark", "rgb(15, 15, 15)"],
  ] as const)("is %s where the reader's system is", async (colorScheme, background) => {
    const { page } = await openPage(colorScheme);
    await page.getByRole("heading", { name: "Getting started" }).waitFor();
    const shown = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(shown).toBe(background);
    await page.close();
  });

  test("sends a request to the server it came from", async () => {
    const { page } = await openPage();
    await page.getByRole("heading", { name: "Authentication" }).waitFor();
    const secrets = page.locator("input.scalar-password-input");
    for (const [index, value] of ["demo", "demo-key", "demo-password"].entries()) {
      await secrets.nth(index).fill(value);
    }
    await openOperation(page, "Get the credit balance");
    await page.getByRole("button", { name: "Test Request (get /api/credit-balance)" }).click();
    const [answer] = await Promise.all([
      page.waitForResponse(`${served.url}/api/credit-balance`),
      page.getByRole("button", { name: "Send get request" }).click(),
    ]);
    expect(await answer.json()).toMatchObject({ credit_balance: 100_000, currency: "AUD" });
    await page.getByRole("dialog").getByText("A$100,000.00").waitFor();
    await page.close();
  });
});
