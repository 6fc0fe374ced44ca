// Loads a page in Chromium like a phone on a slow network, and measures it. The processor is not slowed down.
import type { Browser } from "playwright-core";

const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 3, isMobile: true };
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const TIMEOUT_MS = 300_000;

export interface PageLoad {
  requests: number;
  imageBytes: number;
  largestPaintMs: number;
  /** Whether the largest paint is an image or text. */
  largest: "image" | "text";
  layoutShift: number;
}

// The expression is a string, because the types of the browser's globals differ from those of the Worker.
const readLoad = (images: string) => `new Promise((resolve) => {
  const resources = performance.getEntriesByType("resource");
  const images = resources.filter(({ name }) => name.includes(${JSON.stringify(images)}));
  const result = {
    requests: 1 + resources.length,
    imageBytes: images.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    layoutShift: 0,
  };
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) {
      if (!hadRecentInput) result.layoutShift += value;
    }
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    const { startTime, url } = list.getEntries().at(-1);
    result.largestPaintMs = startTime;
    result.largest = url ? "image" : "text";
    setTimeout(() => resolve(result), 200);
  }).observe({ type: "largest-contentful-paint", buffered: true });
})`;

/** Loads the page in a new profile, without a cache. Images are counted if their URL contains `images`. */
export async function loadPage(browser: Browser, url: string, images: string): Promise<PageLoad> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", NETWORK);
    await page.goto(url, { waitUntil: "networkidle", timeout: TIMEOUT_MS });
    return await page.evaluate<PageLoad>(readLoad(images));
  } finally {
    await context.close();
  }
}
