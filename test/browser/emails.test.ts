// The messages to recipients in Chromium, as a mail program with and without images, styles and dark mode shows them.
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { EMAIL_KINDS, type EmailKind } from "../../src/core/values/email-kinds.ts";
import type { MessageGift } from "../../src/features/email/email.ts";
import { renderEmail } from "../../src/features/email/message/render.tsx";
import {
  BRANDS,
  COMPANY_BRANDING,
  LINKS,
  messageGift,
  secretsOf,
  SETTINGS,
  SHARP_BRANDING,
} from "../features/email/message.ts";
import { ASSETS } from "../servers/assets.ts";
import { violationsOf } from "./axe.ts";
import { overflowOf, storeScreenshot } from "./layout.ts";
import { LANGUAGES, SCHEMES, turn } from "./sample.ts";
import { NARROW, DESKTOP } from "./windows.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

const render = (kind: EmailKind, changes: Partial<MessageGift>, secrets = secretsOf(kind)) =>
  renderEmail({ ...SETTINGS, ASSETS }, kind, messageGift(changes), secrets);

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

afterAll(() => browser.close());

/** The pages of two contexts, because pictures that one of them has loaded are cached. */
let showing: Page;
let blocking: Page;
/** The URLs that messages request. */
const requested: string[] = [];

beforeAll(async () => {
  browser = await chromium.connect(inject("chromiumUrl"));
  [showing, blocking] = await Promise.all([browser.newPage(), browser.newPage()]);
  await showing.route("**", (route) => {
    const url = route.request().url();
    requested.push(url);
    return route.fulfill({
      body: url.includes("logo") ? LOGO : TEAPOT,
      contentType: "image/svg+xml",
    });
  });
  await blocking.route("**", (route) => route.abort("blockedbyclient"));
});

interface View {
  viewport?: { width: number; height: number };
  colorScheme?: "light" | "dark";
  images?: boolean;
}

/** Shows the message, by default on a phone, and returns the page. */
async function show(html: string, view: View = {}) {
  const { viewport = NARROW, colorScheme = "light", images = true } = view;
  const page = images ? showing : blocking;
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  await page.setContent(html);
  return page;
}

const store = (page: Page, name: string) => storeScreenshot(page, `email-${name}`);

/** Each message. Light and dark mode, narrow and wide windows, and pictures that are blocked take turns. */
const EVERY_VIEW = Object.entries(BRANDS).flatMap(([brand, changes], brandIndex) =>
  EMAIL_KINDS.flatMap((kind, kindIndex) =>
    turn(SCHEMES, brandIndex + kindIndex).map((colorScheme) => {
      const schemeIndex = SCHEMES.indexOf(colorScheme);
      const isPhone = (kindIndex + schemeIndex) % 2 === 0;
      const images = (brandIndex + Math.floor(kindIndex / 2) + schemeIndex) % 2 === 0;
      const words = [kind, brand, isPhone ? "phone" : "desktop", colorScheme];
      const name = [...words, ...(images ? [] : ["blocked"])].join("-");
      return { name, kind, changes, viewport: isPhone ? NARROW : DESKTOP, colorScheme, images };
    }),
  ),
);

test.each(EVERY_VIEW)("$name is readable", async ({ name, kind, changes, ...view }) => {
  const { html } = await render(kind, changes);
  const page = await show(html, view);
  await store(page, name);
  expect(await overflowOf(page)).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);
});

const IN_LANGUAGES = LANGUAGES.flatMap((language) =>
  (["last_days", "code"] as const).map((kind) => ({ language, kind })),
);

test.each(IN_LANGUAGES)("$kind in $language fits on a narrow phone", async ({ language, kind }) => {
  const { html } = await render(kind, { language });
  const page = await show(html);
  await store(page, `language-${language}-${kind}`);
  expect(await overflowOf(page)).toEqual([]);
  // The other texts have the same elements and colours.
  if (language === "ar") expect(await violationsOf(page)).toEqual([]);
});

test.each(["shipped", "code"] as const)("long values do not widen a message %s", async (kind) => {
  const long = "Donaudampfschifffahrtsgesellschaft".repeat(3).slice(0, 100);
  const code = kind === "code" ? { code: long.repeat(5), pin: long, url: null } : null;
  const { html } = await render(
    kind,
    {
      firstName: long,
      senderName: long,
      company: long,
      productName: long,
      letter: long,
      carrier: long,
      trackingNumber: long,
      branding: SHARP_BRANDING,
      supportEmail: `${long}@${long.slice(0, 60)}.example`,
    },
    { ...LINKS, code },
  );
  const page = await show(html);
  await store(page, "long");
  expect(await overflowOf(page)).toEqual([]);
});

test("requests only the logo and the picture, and needs neither them nor a style sheet", async () => {
  // Pictures that no other message has, because the browser caches them.
  const [logo, productImage] = [
    "https://northwind.example/own-logo.png",
    "https://cdn.example/own.jpg",
  ];
  const branding = { ...COMPANY_BRANDING, logo };
  const { html } = await render("reminder", { productImage, branding });
  requested.length = 0;
  await show(html);
  expect(requested.sort()).toEqual([productImage, logo]);
  const bare = html.replace(/<style>.*<\/style>/, "");
  const page = await show(bare, { colorScheme: "dark", images: false });
  await store(page, "without-style");
  expect(await overflowOf(page)).toEqual([]);
  const expected = ["Northwind", "Picture of Sunday Teapot"];
  for (const alt of expected) expect(await page.getByAltText(alt).count()).toBe(1);
});
