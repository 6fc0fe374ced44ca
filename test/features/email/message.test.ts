// The messages of e-mails to recipients.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import english from "../../../public/languages/en.json";
import {
  concernsDelivery,
  EMAIL_FACTS,
  EMAIL_KINDS,
  type EmailKind,
} from "../../../src/core/values/email-kinds.ts";
import type { MessageGift } from "../../../src/features/email/email.ts";
import { renderEmail } from "../../../src/features/email/message/render.tsx";
import { LANGUAGES } from "../../../src/features/pages/language.ts";
import { loadTexts } from "../../../src/features/pages/texts.ts";
import { BRANDS, LINKS, messageGift, secretsOf, SETTINGS } from "./message.ts";

const settings = { ...SETTINGS, ASSETS: env.ASSETS };

const render = (kind: EmailKind, changes: Partial<MessageGift> = {}, other = {}) =>
  renderEmail({ ...settings, ...other }, kind, messageGift(changes), secretsOf(kind));

const count = (text: string, part: string) => text.split(part).length - 1;
const bytes = (...texts: string[]) => new TextEncoder().encode(texts.join("")).byteLength;

/** The text that a mail program shows, without the title and the preview. */
const visible = (html: string) =>
  html
    .replace(/^.*<body[^>]*>/s, "")
    .replace(/<div style="display:none.*?<\/div>/s, "")
    .replace(/<br\/?>/g, "\n")
    .replace(/<[^>]+>|\u200b/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const EVERY_MESSAGE = EMAIL_KINDS.flatMap((kind) =>
  LANGUAGES.map((language) => [kind, language] as const),
);

describe.each(EVERY_MESSAGE)("the message %s in %s", (kind, language) => {
  const { brings } = EMAIL_FACTS[kind];
  const isCode = brings === "code";
  const isNotice = concernsDelivery(kind) && !isCode;
  const isReminder = kind === "reminder" || kind === "last_days";

  test("has the same contents as HTML and as text, in the order of the design", async () => {
    const texts = await loadTexts(env.ASSETS, language);
    const name = /^(?:ja|zh)/.test(language) ? "Grace Hopper" : "Grace";
    for (const [brand, changes] of Object.entries(BRANDS)) {
      const { html, text } = await render(kind, { language, ...changes });
      const parts = [
        texts.email[kind].title.replace("{name}", name),
        texts.email[kind].text,
        ...(brand === "wrapped" && !isNotice && !isCode ? [] : ["Sunday Teapot"]),
        ...(brings === "tracking"
          ? ["DHL", "JJD000123", texts.shipment.track, texts.email.view]
          : kind === "accepted"
            ? ["Fitzroy", "8", texts.accepted.keep, texts.email.view]
            : isNotice
              ? [texts.email.view]
              : isCode
                ? ["ABCD-1234-EFGH", "4711", "2027", texts.code.open, texts.email.view]
                : [texts.email.open, "2027"]),
        ...(isCode ? [texts.code.how, "Enter the code at the checkout."] : []),
        ...(isNotice || brand === "platform" ? [] : ["We would be lost without you."]),
        ...(isNotice ? [] : [brand === "platform" ? "Northwind" : "Ada Park"]),
        "Northwind",
        "help@northwind.example",
        ...(isReminder ? [texts.email.stop] : []),
        SETTINGS.EMAIL_IMPRINT,
        texts.page.secret,
      ];
      for (const shown of [text.replace(/[\u2068\u2069]/g, ""), visible(html)]) {
        expect(shown).not.toMatch(/[{}]|undefined|null|NaN|\[object/);
        let from = 0;
        for (const part of parts.map((each) => each.replaceAll("\u200b", ""))) {
          const at = shown.indexOf(part, from);
          expect(at, `${part} after ${shown.slice(from, from + 40)}`).toBeGreaterThanOrEqual(from);
          from = at + part.length;
        }
      }
    }
  });

  test("contains the link as a button and as text, and no other address than is needed", async () => {
    const { html, text } = await render(kind, { language });
    const urls = (html.match(/(?:href|src)="[^"]*"/g) ?? []).sort();
    expect(urls).toEqual(
      [
        `href="${LINKS.giftUrl}"`,
        'href="mailto:help@northwind.example"',
        'src="https://northwind.example/logo.png"',
        'src="https://cdn.example/teapot.jpg"',
        ...(brings === "tracking" ? ['href="https://carrier.example/track/JJD000123"'] : []),
        ...(isCode ? ['href="https://shop.example/redeem"'] : []),
        ...(isReminder ? [`href="${LINKS.stopUrl}"`] : []),
      ].sort(),
    );
    expect(count(html, LINKS.giftUrl)).toBe(2);
    expect(visible(html)).toContain(LINKS.giftUrl);
    expect(count(text, `\n${LINKS.giftUrl}\n`)).toBe(1);
    expect(count(text, LINKS.stopUrl)).toBe(isReminder ? 1 : 0);
    expect(html).not.toMatch(/<(?:script|link|iframe|form)|@import|@font-face|url\(/i);
  });

  test("names its language and direction, and the sender in its subject", async () => {
    const { html, subject, from } = await render(kind, { language });
    const dir = language === "ar" ? "rtl" : "ltr";
    expect(html).toContain(`<html lang="${language}" dir="${dir}">`);
    expect(html).toContain(`<div role="main" lang="${language}" dir="${dir}"`);
    expect(from.email).toBe("gifts@regalo.example");
    expect(from.name).toMatch(
      language === "ja" ? /^Northwind Ada Park$/ : /^Ada Park\b.*Northwind/,
    );
    expect(subject).toContain(from.name);
    expect(subject).not.toMatch(/[{}]/);
    expect((await render(kind, { language, senderName: null })).subject).toContain("Northwind");
  });

  test("has fields that the e-mail service accepts, and its headers", async () => {
    const message = await render(kind, { language });
    expect(message).toMatchObject({ to: "grace@example.com", replyTo: "help@northwind.example" });
    const international = await render(kind, { language, email: "grace@münchen.example" });
    expect(international.to).toBe("grace@xn--mnchen-3ya.example");
    expect(message.headers).toEqual({
      "List-Unsubscribe": `<${LINKS.stopUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "Auto-Submitted": "auto-generated",
      "X-Regalo-Email": `42003-${kind}-1`,
    });
    // The local binding accepts every message, so the rules of the service stand here.
    for (const changes of Object.values(BRANDS)) {
      const { html, text, ...rest } = await render(kind, { language, ...changes });
      const { to, from, replyTo, subject, headers } = rest;
      for (const address of [to, from.email, replyTo])
        expect(address).toMatch(/^[^\s<>"@]+@[^\s<>"@]+$/);
      for (const line of [from.name, subject, ...Object.values(headers)]) {
        expect(line).toMatch(/^[^\p{Cc}]{1,998}$/u);
      }
      expect([html, text, subject, from.name].every((value) => value.isWellFormed())).toBe(true);
      const sent = await env.EMAIL_SERVICE.send({ ...rest, html, text });
      expect(sent).toEqual({ messageId: expect.any(String) });
    }
  });
});

describe("a message", () => {
  test("is in English if the recipient's language is unknown", async () => {
    for (const language of [null, "pl", "sv"]) {
      expect((await render("invitation", { language })).html).toContain(
        '<html lang="en" dir="ltr">',
      );
    }
    const { text } = await render("invitation", { language: "en-US" });
    expect(text).toContain("January 31, 2027");
  });

  test("addresses the recipient as the client wishes", async () => {
    const titleOf = async (language: string, register: MessageGift["register"]) =>
      /<h1[^>]*>(.*?)<\/h1>/.exec((await render("reminder", { language, register })).html)?.[1];
    for (const [tag, language, register] of [
      ["de", "de", null],
      ["de", "de", "formal"],
      ["de-AT", "de", "informal"],
      ["nl", "nl", "formal"],
    ] as const) {
      const { email } = await loadTexts(env.ASSETS, language, register);
      expect(await titleOf(tag, register)).toBe(email.reminder.title);
    }
    const { text } = await render("invitation", { language: "de", register: "informal" });
    expect(text).not.toMatch(/\b(?:Sie|Ihr|Ihre|Ihnen)\b/);
  });

  test("has the recipient's full name in Chinese and Japanese", async () => {
    const name = { firstName: "雅婷", lastName: "陳" };
    const { html } = await render("invitation", { language: "zh-TW", ...name });
    expect(html).toContain('<html lang="zh-Hant" dir="ltr">');
    expect(visible(html)).toContain("陳雅婷，您有一份禮物");
    const japanese = await render("invitation", { language: "ja" });
    expect(japanese.text).toContain("Grace Hopper様");
    expect(japanese.html).toContain("ギフトを\u200b開いて、お届け先を\u200bお知らせください。");
    expect(japanese.subject + japanese.text).not.toContain("\u200b");
  });

  test("names the company alone if there is no sender's name", async () => {
    const { from, text, subject } = await render("invitation", { senderName: null, letter: null });
    expect(from.name).toBe("Northwind");
    expect(subject).toBe(english.email.invitation.subject.replace("{sender}", "Northwind"));
    const by = english.email.by.replace("{company}", "Northwind");
    expect(text).toContain(`\n\n${by}\n\n`);
  });

  test("names no last day if the gift does not expire", async () => {
    const { html, text } = await render("invitation", { expiresAtMs: null });
    expect(html + text).not.toContain("2027");
  });

  test("goes back to the client's address for answers, or to the one for help", async () => {
    const replyTo = "gifts@northwind.example";
    expect((await render("invitation", { replyTo })).replyTo).toBe(replyTo);
    const { replyTo: other, text } = await render("invitation", { supportEmail: null });
    expect([other, text.includes("support@regalo.example")]).toEqual([
      "support@regalo.example",
      true,
    ]);
  });
});

describe("the pictures and links of a message", () => {
  test("do not show a surprise until the recipient has accepted it", async () => {
    const surprise = { wrapEmails: 1, delivery: "digital" } as const;
    const { html, text } = await render("invitation", surprise);
    expect(html + text).not.toMatch(/teapot/i);
    expect(html + text).not.toContain(english.gift.digital);
    expect(html).toContain(`brand/wrapped.png" alt="${english.email.wrapped}"`);
    expect(text).toContain(english.email.invitation.digital);
    expect((await render("shipped", surprise)).text).toContain("Sunday Teapot");
  });

  test("are left out if they are vector pictures or have invalid URLs", async () => {
    for (const picture of ["/images/gift.svg", "javascript:alert(1)", ""]) {
      const branding = { ...(messageGift().branding as object), logo: picture } as never;
      const { html } = await render("reminder", { productImage: picture, branding });
      expect(html).not.toContain("<img");
      expect(visible(html)).toMatch(/^Northwind/);
    }
    expect((await render("reminder", { branding: null })).html).toContain("#7a1f3d");
  });

  test("come with the company's typeface, accent and background", async () => {
    const brand = { accentColor: "#0b5fff", backgroundColor: "#f2f6ff" };
    const rendered = async (changes: object) => {
      const branding = { ...(messageGift().branding as object), ...changes } as never;
      return (await render("invitation", { branding })).html;
    };
    const html = await rendered({ ...brand, typeface: "sans" });
    expect(html).not.toContain("Georgia");
    expect(html).toContain("background:#f2f6ff");
    expect(html).toContain("color:#0b5fff");
    expect(await rendered({ typeface: "serif" })).not.toContain("Segoe");
    const platform = await rendered({});
    for (const font of ["Georgia", "Segoe"]) expect(platform).toContain(font);
  });

  test("are loaded in the size in which they are shown, if they can be resized", async () => {
    const { html } = await render("invitation", {}, { IMAGE_TRANSFORMATIONS: "on" });
    expect(html).toContain(
      'src="https://api.regalo.example/cdn-cgi/image/width=1120,quality=60,format=jpeg,background=white,onerror=redirect/https://cdn.example/teapot.jpg"',
    );
  });

  const SITE = "https://cdn.example/";

  test.each([
    ["a.webp", ["b.AVIF", "c.svg", "d.heic?v=1", "e.tif", "f.PNG?v=2", "g.jpg"], "f.PNG?v=2"],
    ["a.png?format=webp", ["b.gif"], "b.gif"],
    ["f_avif/a", ["b.jpeg"], "b.jpeg"],
    ["a.heic?fm=jpg", ["b.jpg"], "a.heic?fm=jpg"],
    ["image.php", ["b.jpg"], "image.php"],
    ["a.webp", ["b.webp"], null],
  ])("of the pictures %s and %j show %s", async (first, more, shown) => {
    const moreImages = more.map((name) => SITE + name);
    const { html } = await render("reminder", { productImage: SITE + first, moreImages });
    const pictures = [...html.matchAll(/<img[^>]* src="https:\/\/cdn\.example\/([^"]*)"/g)];
    expect(pictures.map(([, name]) => name)).toEqual(shown === null ? [] : [shown]);
  });

  test("show a WebP picture as a JPEG, if it can be converted and the product has no other", async () => {
    const changes = { productImage: `${SITE}a.webp`, moreImages: [`${SITE}b.avif`] };
    const { html } = await render("reminder", changes, { IMAGE_TRANSFORMATIONS: "on" });
    expect(html).toContain(`,format=jpeg,background=white/${SITE}a.webp"`);
  });

  test("show the company's name instead of a logo in another format", async () => {
    const branding = { ...(messageGift().branding as object), logo: `${SITE}logo.webp` } as never;
    const { html } = await render("reminder", { branding });
    expect(html).not.toContain("logo.webp");
    expect(visible(html)).toMatch(/^Northwind/);
  });

  test("lead to the tracking page of each parcel", async () => {
    const { html, text } = await render("shipped", {
      trackingNumber: "JD01, JD02",
      trackingUrl: "https://dhl.example/{tracking_number}",
    });
    for (const url of ["https://dhl.example/JD01", "https://dhl.example/JD02"]) {
      expect(html).toContain(`href="${url}"`);
      expect(text).toContain(url);
    }
  });

  test("do not lead to an unsafe tracking page", async () => {
    for (const trackingUrl of [
      "http://evil.example",
      "https://dhl.com@evil.example",
      "javascript:1",
    ]) {
      const { html, text } = await render("shipped", { trackingUrl });
      expect(html + text).not.toMatch(/evil|javascript/);
    }
  });
});

test("a message in Arabic isolates the values in its text", async () => {
  const { text } = await render("shipped", { language: "ar", trackingNumber: "33-ABC" });
  expect(text).toContain("\u206833-ABC\u2069");
});

describe("values that people have typed", () => {
  const MARKUP = `<img src=x onerror="alert(1)"> & '</style><script>`;
  const FORGED = `Ada\r\nBcc: all@example.com\u202e\u2066 "Bank" <a@bank.example>\u0007`;

  test("are shown as they are, without control characters", async () => {
    for (const value of [MARKUP, FORGED]) {
      const values = {
        firstName: value,
        senderName: value,
        company: value,
        productName: value,
        letter: value,
        carrier: value,
        trackingNumber: value,
        city: value,
      };
      for (const kind of EMAIL_KINDS) {
        const message = await render(kind, values);
        expect(message.html).not.toMatch(/<img src="?x|<script|<\/style>.*<\/style>|<a@/s);
        expect(message.html).not.toMatch(/[\p{Cc}\u202e\u2066]/u);
        expect(message.text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e\u2066]/u);
        const fields = [message.subject, message.from.name, ...Object.values(message.headers)];
        for (const field of fields) expect(field).not.toMatch(/[\p{Cc}\u202e\u2066]/u);
        expect(message.from.name).not.toMatch(/["<>\\]/);
        // A delivered gift has the names of the product and the company.
        const least = kind === "delivered" ? 2 : 3;
        if (value === MARKUP) {
          expect(count(visible(message.html), value)).toBeGreaterThanOrEqual(least);
        }
      }
    }
  });

  test("are not read as placeholders", async () => {
    const { html, text } = await render("invitation", {
      senderName: "{company}",
      company: "$& $1",
    });
    expect(text).toContain("{company}, $& $1");
    expect(visible(html)).toContain("{company}, $& $1");
  });

  test("keep the line breaks of the letter, with at most one empty line between paragraphs", async () => {
    const letter = "\r\n \r\nDear Grace,\r\n\r\n\r\n\r\nthank\tyou\u2028so much.\r\n\n";
    const { html, text } = await render("invitation", { letter });
    expect(text).toContain("\n\nDear Grace,\n\nthank you\nso much.\n\n— Ada Park, Northwind\n");
    expect(html).toContain("Dear Grace,<br/><br/>thank you<br/>so much.");
    expect(html).toContain(">Dear Grace, thank you so much.</a>");
    expect((await render("invitation", { letter: " \n\t" })).text).toContain(
      " Ada Park at Northwind\n",
    );
  });

  test("have the product's name in the recipient's language", async () => {
    const translations = JSON.stringify({ de: { name: "Sonntagskanne" } });
    const german = await render("invitation", { translations, language: "de-AT" });
    expect(german.html).toMatch(/<h2[^>]* lang="de"[^>]*>(<[^>]*>)*Sonntagskanne/);
    expect(german.text).toContain("Sonntagskanne");
    const french = await render("invitation", { translations, language: "fr" });
    expect(french.html).toMatch(/<h2[^>]* lang="en"[^>]*>(<[^>]*>)*Sunday Teapot/);
  });

  test("are inside an element of which mail programs make no links", async () => {
    const url = "https://evil.example/login";
    const { html } = await render("shipped", {
      firstName: url,
      senderName: url,
      company: url,
      productName: url,
      carrier: url,
      trackingNumber: url,
    });
    const invited = await render("invitation", { letter: `See ${url}\nnow` });
    for (const shown of [html, invited.html]) {
      expect(shown).not.toContain(`href="${url}`);
      const body = shown.slice(shown.indexOf("<body"));
      // Alternative texts are no links.
      const outside = body.replace(/alt="[^"]*"/g, "").replace(/<a style=[^>]*>.*?<\/a>/gs, "");
      expect(outside).not.toContain(url);
    }
  });

  test("are cut off in the sender's name and the subject", async () => {
    const name = "Wolfeschlegelsteinhausenbergerdorff 🎁".repeat(3);
    const { from, subject } = await render("invitation", { senderName: name, company: name });
    const short = "Wolfeschlegelsteinhausenbergerdorff 🎁Wo…";
    expect(from.name).toBe(`${short} at ${short}`);
    expect(subject).toContain(`${short} at ${short}`);
  });
});

test("a message has at most 25 KB, also with the longest values", async () => {
  const sizes: Record<string, number> = {};
  const letters = {
    none: null,
    japanese: "拝啓、いつも大変お世話になっております。".repeat(100),
    quotes: '"'.repeat(2_000),
    lines: '"\n'.repeat(1_000),
    emoji: "🎁".repeat(2_000),
  };
  for (const [name, letter] of Object.entries(letters)) {
    for (const language of LANGUAGES) {
      const { html, text } = await render("last_days", { language, letter });
      sizes[name] = Math.max(sizes[name] ?? 0, bytes(html, text));
    }
  }
  const long = {
    senderName: '"'.repeat(100),
    company: '"'.repeat(100),
    productName: '"'.repeat(500),
    firstName: '"'.repeat(100),
    supportEmail: `${"a".repeat(64)}@${"b".repeat(60)}.example`,
    productImage: `https://cdn.example/${"p".repeat(480)}`,
    letter: letters.quotes,
  };
  const { html, text } = await render("last_days", { ...long, language: "ja" });
  sizes["long values"] = bytes(html, text);
  console.log(sizes);
  for (const [name, size] of Object.entries(sizes)) {
    expect([name, size <= 25_000]).toEqual([name, true]);
  }
});
