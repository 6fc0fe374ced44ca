// The branding of the gift page: logos and covers that load or do not, the pattern, and any colours.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "./axe.ts";
import { type Brand, BRANDINGS } from "./branded-clients.ts";
import { ADDRESS, submit, useGiftPages } from "./gift-pages.ts";
import { brokenPictures, overflowOf } from "./layout.ts";
import { SCHEMES, turn } from "./sample.ts";
import { DESKTOP, NARROW, PHONE } from "./windows.ts";

const pages = useGiftPages();
const urls = {} as Record<Brand, string>;

beforeAll(async () => {
  for (const brand of Object.keys(BRANDINGS) as Brand[]) {
    const gift = await pages.place({ order_branding: "company" }, brand);
    await pages.cause("order.paid", gift, {}, brand);
    urls[brand] = gift.url;
  }
});

const open = (brand: Brand, query = "", options = {}) =>
  pages.open(urls[brand] + query, {
    javaScriptEnabled: true,
    reducedMotion: "reduce",
    viewport: PHONE,
    ...options,
  });

const sourceOf = (page: Page, selector: string) =>
  page.evaluate<string>(`new URL(document.querySelector("${selector}").currentSrc).pathname`);
const styleOf = (page: Page, selector: string, name: string, pseudo = "") =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector("${selector}"), "${pseudo}").getPropertyValue("${name}")`,
  );
const textOf = (page: Page, selector: string) => styleOf(page, selector, "content", "::after");

test("the logo is the one for light or for dark mode", async () => {
  const { logo, logoDark } = BRANDINGS.complete;
  for (const [colorScheme, source] of [
    ["light", logo],
    ["dark", logoDark],
  ] as const) {
    const page = await open("complete", "", { colorScheme });
    expect(await sourceOf(page, ".logo")).toBe(source);
    expect(await brokenPictures(page)).toEqual([]);
    expect(await page.locator(".logo").getAttribute("alt")).toBe("The complete company");
  }
});

test.each([
  [PHONE, 3],
  [NARROW, 3],
  [DESKTOP, 5],
])(
  "the cover is at the top of the first page, in %j as wide as the window",
  async (viewport, proportions) => {
    const page = await open("complete", "", { viewport });
    const cover = await page.locator(".cover").boundingBox();
    expect(cover?.width).toBeCloseTo(viewport.width, 0);
    expect((cover?.width ?? 0) / (cover?.height ?? 0)).toBeCloseTo(proportions, 1);
    const greeting = await page.locator(".greeting").boundingBox();
    expect(greeting?.y).toBeCloseTo((cover?.y ?? 0) + (cover?.height ?? 0), 0);
    expect(await page.locator(".cover").getAttribute("alt")).toBe("");
    expect(await overflowOf(page)).toEqual([]);
    await page.goto(`${urls.complete}?step=address`);
    expect(await page.locator(".cover").count()).toBe(0);
  },
);

test("without the pattern, wrapping is plain and edges are straight", async () => {
  const wrapping = (page: Page) => styleOf(page, "body", "--wrapping");
  const plain = await open("complete");
  expect(await wrapping(plain)).not.toContain("radial");
  expect(await styleOf(plain, ".greeting", "content", "::after")).toBe("none");
  const dotted = await open("sans");
  expect(await wrapping(dotted)).toContain("radial");
  expect(await styleOf(dotted, ".greeting", "content", "::after")).not.toBe("none");
});

/** The colour of a pixel at the upper edge of the element, above its text. */
async function edgeOf(page: Page, selector: string): Promise<string> {
  await page.locator(selector).scrollIntoViewIfNeeded();
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} has no box`);
  const clip = { x: box.x + box.width / 2, y: box.y + 3, width: 1, height: 1 };
  const image = (await page.screenshot({ clip })).toString("base64");
  return page.evaluate<string>(`(async () => {
    const image = await createImageBitmap(
      new Blob([Uint8Array.from(atob("${image}"), (byte) => byte.charCodeAt(0))]));
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
  })()`);
}

describe("pictures that do not load", () => {
  // The brand colour, #7a1f3d.
  const BAND = "122,31,61";

  test.each(["light", "dark"] as const)("leave no empty boxes, %s", async (colorScheme) => {
    const page = await open("missing", "", { colorScheme });
    expect(await textOf(page, ".logo")).toContain("The missing company");
    expect(await edgeOf(page, ".logo")).toBe(BAND);
    expect(await styleOf(page, ".cover", "background-image", "::after")).toContain("radial");
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toEqual([]);
  });

  test("have the company's name for screen readers", async () => {
    const page = await open("missing");
    const logo = page.getByRole("img", { name: "The missing company" });
    expect(await logo.count()).toBe(1);
  });

  test("leave the company's name on pages with a message", async () => {
    const { url } = await pages.place({ order_branding: "company" }, "missing");
    const options = { javaScriptEnabled: true, viewport: PHONE, status: 409 };
    const page = await pages.open(url, options);
    expect(await textOf(page, ".claim")).toContain("The missing company");
    // The panel's colour.
    expect(await edgeOf(page, ".claim")).toBe("255,255,255");
    expect(await violationsOf(page)).toEqual([]);
  });

  test("are covered by nothing if they do load", async () => {
    const page = await open("sans");
    expect(await edgeOf(page, ".logo")).toBe("255,255,255");
  });
});

const FORM = { ...ADDRESS, country: "AU", product_id: "1001", step: "address" };

/** Pages with different parts. Those with an object are answers to a form. */
const REQUESTS = [
  ...["", "?others", "?step=address", "?step=question", "?show=999"],
  ...[FORM, { ...FORM, suburb: "", step: "accept" }],
];

test.each([
  { brand: "complete", first: 0 },
  { brand: "garish", first: 1 },
  { brand: "grey", first: 0 },
  { brand: "missing", first: 1 },
] as const)("the colours of $brand have enough contrast", async ({ brand, first }) => {
  const page = await open(brand);
  for (const [number, request] of REQUESTS.entries()) {
    const isQuery = typeof request === "string";
    await (isQuery ? page.goto(urls[brand] + request) : submit(page, urls[brand], request));
    for (const colorScheme of turn(SCHEMES, first + number)) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page), `${page.url()}, ${colorScheme}`).toEqual([]);
    }
    expect(await overflowOf(page), page.url()).toEqual([]);
  }
});

test.each(["complete", "missing"] as const)(
  "%s with forced colours and text of 200 percent",
  async (brand) => {
    const page = await open(brand, "", { viewport: NARROW, forcedColors: "active" });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect(await overflowOf(page)).toEqual([]);
  },
);
