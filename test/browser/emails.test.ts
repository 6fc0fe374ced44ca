// The messages to recipients in Chromium, as a mail program with and without images, styles and dark mode shows them.
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EMAIL_KINDS, type EmailKind } from "../../src/core/values/email-kinds.ts";
import type { MessageGift } from "../../src/features/email/email.ts";
import { renderEmail } from "../../src/features/email/message/render.tsx";
import { LANGUAGES } from "../../src/features/redeem/language.ts";
import { LINKS, messageGift, SETTINGS } from "../support/message.ts";
import { violationsOf } from "./axe.ts";
import { launchChromium } from "./chromium.ts";
import { overflowOf } from "./layout.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SCREENSHOTS = path.join(ROOT, "screenshots");

const ASSETS = {
  fetch: (url: string) =>
    Promise.resolve(new Response(readFileSync(path.join(ROOT, "public", new URL(url).pathname)))),
} as unknown as Fetcher;

const render = (kind: EmailKind, changes: Partial<MessageGift>) =>
  renderEmail({ ...SETTINGS, ASSETS }, kind, messageGift(changes), LINKS);

/** A logo, and a picture of a product, in the place of the company's own ones. */
const picture = (width: number, height: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
const LOGO = picture(
  300,
  80,
  '<text x="0" y="58" font-family="serif" font-size="52" fill="#1f4d5c">Northwind</text>',
);
const TEAPOT = readFileSync(path.join(ROOT, "public/images/products/good-letters-writing-set.svg"));

let browser: Browser;

beforeAll(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  browser = await launchChromium();
});

afterAll(() => browser.close());

const PHONE = { width: 320, height: 640 };
const DESKTOP = { width: 1024, height: 800 };

interface View extends BrowserContextOptions {
  images?: boolean;
}

/** Shows the message, and returns the page and the URLs that it requests. */
async function show(html: string, { images = true, ...options }: View = {}) {
  const context = await browser.newContext({ viewport: PHONE, ...options });
  const page = await context.newPage();
  const requested: string[] = [];
  await page.route("**", (route) => {
    requested.push(route.request().url());
    if (!images) return route.abort("blockedbyclient");
    const body = route.request().url().includes("logo") ? LOGO : TEAPOT;
    return route.fulfill({ body, contentType: "image/svg+xml" });
  });
  await page.setContent(html);
  return { page, requested };
}

const store = (page: Page, name: string) =>
  page.screenshot({ path: path.join(SCREENSHOTS, `email-${name}.png`), fullPage: true });

const BRANDS = {
  company: {},
  platform: { branding: null, senderName: null, letter: null },
  wrapped: { wrapEmails: 1, branding: { ...SHARP(), logo: "" } },
} satisfies Record<string, Partial<MessageGift>>;

/** Colours with little contrast to white and to each other. */
function SHARP() {
  return {
    ...{ logo: "https://northwind.example/logo.png", claimLogo: "" },
    ...{ primaryColor: "#ffe600", secondaryColor: "#fff9c2" },
  };
}

describe.each(Object.entries(BRANDS))("with the brand %s", (brand, changes) => {
  test.each(EMAIL_KINDS)("%s is readable everywhere", async (kind) => {
    const { html } = await render(kind, changes);
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
        for (const images of [true, false]) {
          const { page } = await show(html, { viewport, colorScheme, images });
          const name = [kind, brand, device, colorScheme, ...(images ? [] : ["blocked"])].join("-");
          await store(page, name);
          expect(await overflowOf(page), name).toEqual([]);
          expect(await violationsOf(page), name).toEqual([]);
          await page.context().close();
        }
      }
    }
  });
});

test.each(LANGUAGES)("an invitation in %s fits on a narrow phone", async (language) => {
  const { html } = await render("last_days", { language });
  const { page } = await show(html);
  await store(page, `language-${language}`);
  expect(await overflowOf(page)).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);
  await page.context().close();
});

test("long values do not widen a message", async () => {
  const long = "Donaudampfschifffahrtsgesellschaft".repeat(3).slice(0, 100);
  const { html } = await render("shipped", {
    ...{ firstName: long, senderName: long, company: long, productName: long, letter: long },
    ...{
      carrier: long,
      trackingNumber: long,
      supportEmail: `${long}@${long.slice(0, 60)}.example`,
    },
    branding: { ...SHARP(), logo: "" },
  });
  const { page } = await show(html);
  expect(await overflowOf(page)).toEqual([]);
  await page.context().close();
});

test("requests only the logo and the picture, and needs neither them nor a style sheet", async () => {
  const { html } = await render("reminder", {});
  const { page, requested } = await show(html);
  expect(requested.sort()).toEqual([
    "https://cdn.example/teapot.jpg",
    "https://northwind.example/logo.png",
  ]);
  const { page: bare } = await show(html.replace(/<style>.*<\/style>/, ""), {
    colorScheme: "dark",
    images: false,
  });
  await store(bare, "without-style");
  expect(await overflowOf(bare)).toEqual([]);
  const expected = ["Northwind", "Picture of Sunday Teapot"];
  for (const alt of expected) expect(await bare.getByAltText(alt).count()).toBe(1);
  await Promise.all([page.context().close(), bare.context().close()]);
});
