// Windows of the Chromium that browser.setup.ts starts.
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";

export const PHONE = { width: 360, height: 740 };
export const NARROW = { width: 320, height: 640 };
export const DESKTOP = { width: 1280, height: 900 };

export interface WindowOptions extends BrowserContextOptions {
  /** Whether the window stays open for the next tests of the file, which takes less time than another one. */
  isKept?: boolean;
}

/**
 * Returns a function that opens an empty window with cookies of its own. After each test of the file, its windows are
 * closed, and the test fails if a request has failed, was sent to another host, or the console shows an error.
 */
export function useWindows(): (options?: WindowOptions) => Promise<Page> {
  let browser: Browser;
  const opened: Page[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await chromium.connect(inject("chromiumUrl"));
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
    expect(faults.splice(0)).toEqual([]);
  });

  afterAll(() => browser.close());

  return async ({ isKept = false, ...options } = {}) => {
    const page = await browser.newPage({ viewport: DESKTOP, locale: "en-GB", ...options });
    recordFaults(page, faults);
    if (!isKept) opened.push(page);
    return page;
  };
}

function recordFaults(page: Page, faults: string[]): void {
  page.on("request", (request) => {
    if (!/^http:\/\/(?:127\.0\.0\.1|localhost):/.test(request.url())) faults.push(request.url());
  });
  page.on("requestfailed", (request) => {
    const failure = request.failure()?.errorText ?? "";
    // Leaving a page aborts its pending requests, some tests block pictures, and Back may lead to a forgotten form.
    const isExpected = /ERR_ABORTED|ERR_BLOCKED_BY_CLIENT|ERR_CACHE_MISS/.test(failure);
    if (!isExpected) faults.push(`${request.url()} ${failure}`);
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    // Excludes the page's own status (404, 409, 410, 422) and blocked pictures.
    const isStatus = message.text().startsWith("Failed to load resource");
    if (!isStatus && message.type() === "error") faults.push(message.text());
  });
}

/** Clicks, and waits for the page to which it leads, with its style sheet: `innerText` depends on it. */
export async function follow(page: Page, target: Locator): Promise<void> {
  await Promise.all([page.waitForEvent("load"), target.click()]);
}
