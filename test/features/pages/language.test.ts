// The language of the gift page, and how it addresses the recipient.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import type { PageGift } from "../../../src/features/pages/gift.ts";
import { LANGUAGES, localeOf, supportedLocale } from "../../../src/features/pages/language.ts";
import { recipients, simpleProduct, variableProduct } from "../../support/fixtures.ts";
import { accept, CHOICE, createGift, press } from "../../support/gift.ts";
import { type Answer, startWorker } from "../../support/worker.ts";
const worker = startWorker();

const htmlTag = ({ text }: Pick<Answer, "text">) => /<html [^>]*>/.exec(text)?.[0];

/** An order whose recipient has a language. */
const inLanguage = (language?: string | null) => ({
  recipient_details: recipients(1).map((person) => ({ ...person, ...(language && { language }) })),
});

/** The language in the URL, of the recipient, and in Accept-Language. */
type Sources = [
  requested?: string | undefined,
  recipient?: string | null | undefined,
  accepted?: string,
];

describe("the language of the page", () => {
  test.each<[Sources, string]>([
    [[], "en"],
    [["de", "fr", "it"], "de"],
    [[undefined, "fr", "it"], "fr"],
    [[undefined, undefined, "it"], "it"],
    [['"><script>', "nl"], "nl"],
  ])("is that of the URL, the recipient or the browser: %j gives %s", async (sources, language) => {
    const [requested, recipient, accepted] = sources;
    const { path } = await createGift(worker, [simpleProduct()], inLanguage(recipient));
    const query = requested === undefined ? "" : `?lang=${encodeURIComponent(requested)}`;
    const headers: HeadersInit = accepted === undefined ? {} : { "Accept-Language": accepted };
    const page = await worker.fetch(path + query, { headers });
    expect([page.status, page.headers.get("Content-Language")]).toEqual([200, language]);
    expect(page.headers.get("Vary")).toMatch(/^Accept-Language\b/);
  });

  test.each<[Sources, string]>([
    [["xx", "fr", "it"], "fr"],
    [["", "fr", "it"], "fr"],
    [["xx", "pl", "it"], "it"],
    [["xx", "pl", "sv"], "en"],
    [["de-AT"], "de"],
    [["DE"], "de"],
    [[undefined, "pt"], "pt-BR"],
    [[undefined, "pt-AO"], "pt-PT"],
    [["../en", "nl"], "nl"],
    [[undefined, undefined, "sv, fr;q=0.5, ja;q=0.8"], "ja"],
    [[undefined, undefined, "de;q=0, fr;q=0.1"], "fr"],
    [[undefined, undefined, "*"], "en"],
    ...["zh", "zh-CN", "zh-SG", "zh-Hans", "zh-Hans-TW"].map(
      (tag) => [[undefined, undefined, `${tag}, es`], "zh"] as [Sources, string],
    ),
    ...["zh-TW", "zh-HK", "zh-MO", "zh-Hant", "zh-hant-hk"].map(
      (tag) => [[undefined, undefined, `${tag}, es`], "zh-Hant"] as [Sources, string],
    ),
    [["zh-TW", "zh-CN"], "zh-Hant"],
    [[undefined, "zh-Hant-TW", "zh-CN"], "zh-Hant"],
    [[undefined, undefined, "zh-Latn, es"], "es"],
    [[undefined, undefined, ",;q=,x;q=1.1.1,ar"], "ar"],
  ])(
    "is the first that the page has: %j gives %s",
    ([requested, recipient, accepted], language) => {
      const sources = { requested, recipient: recipient ?? null, accepted };
      expect(localeOf(sources).language).toBe(language);
    },
  );
});

describe("the language of a page", () => {
  test.each([
    ["zh", "zh"],
    ["zh-CN", "zh-Hans-CN"],
    ["zh-Hans-HK", "zh-Hans-HK"],
    ["zh-Hans-TW", "zh-Hans-TW"],
    ["zh-TW", "zh-Hant-TW"],
    ["zh-Hant-HK", "zh-Hant-HK"],
  ])("keeps the script of %s in its tag %s", (tag, expected) => {
    const locale = supportedLocale(tag);
    expect(locale?.tag).toBe(expected);
    expect(new Date(0).toLocaleDateString(expected, { dateStyle: "long" })).toContain("1970年");
    expect(new Intl.Locale(expected).maximize().script).toBe(
      locale?.language === "zh" ? "Hans" : "Hant",
    );
  });

  test("is marked on the document, with its direction", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    for (const language of LANGUAGES) {
      const page = await worker.fetch(`${path}?lang=${language}`);
      const direction = language === "ar" ? "rtl" : "ltr";
      expect(htmlTag(page)).toBe(`<html lang="${language}" dir="${direction}">`);
      expect(page.headers.get("Content-Language")).toBe(language);
      const marked = [...page.text.matchAll(/<(?:a|span) lang="([\w-]+)"/g)].map(
        ([, code]) => code,
      );
      expect(marked).toEqual(LANGUAGES);
      expect(page.text).toContain(`<span lang="${language}" aria-current="true">`);
    }
  });

  test("is that of the catalogue on the catalogue's texts, and unknown without a setting", async () => {
    const products = [variableProduct({ name: "Chaussettes" }), simpleProduct({ priceMinor: 100 })];
    // The large variation is offered, so both may be chosen.
    const variation_id = products[0]?.product.variations[1]?.id;
    const gift = await createGift(worker, products, { ...CHOICE, variation_id });
    const marks = async () => {
      const { text } = await worker.fetch(`${gift.path}?lang=de`);
      return [
        ...[/<h2 id="gift-name" lang="([^"]*)"/, /<div class="prose" lang="([^"]*)"/],
        ...[/<div class="options" lang="([^"]*)"/, /<h3 class="name" lang="([^"]*)"/],
      ].map((pattern) => pattern.exec(text)?.[1]);
    };
    expect(await marks()).toEqual(["", "", "", ""]);
    const settings = { language: "fr-CA" };
    await publish(env.DB, gift.client.catalogue, products, Date.now(), { settings });
    expect(await marks()).toEqual(["fr-CA", "fr-CA", "fr-CA", "fr-CA"]);
  });

  test("stays the chosen one in every link and form, and no page sets a cookie for it", async () => {
    const { path } = await createGift(worker, [simpleProduct(), simpleProduct()], CHOICE);
    let page = await worker.fetch(`${path}?lang=ja`);
    page = await press(worker, path, page, { step: "address" });
    expect(htmlTag(page)).toContain('lang="ja"');
    const pages = [
      page,
      await worker.fetch(`${path}?lang=ja`),
      await worker.fetch(`${path}?lang=ja&others=`),
      await worker.fetch(`${path}?lang=ja&step=question`),
    ];
    for (const { text, headers } of pages) {
      const main = text.slice(text.indexOf("<main"), text.indexOf('<nav class="languages"'));
      // The URL of a form with the method GET is made of its fields.
      const others = main.replaceAll(/<form[^>]* method="get"[^>]*>/g, "");
      const urls = [...others.matchAll(/ (?:href|action|formaction)="(\?[^"]*)"/g)];
      for (const [, url] of urls) expect(url).toMatch(/^\?lang=ja\b/);
      for (const [form] of main.matchAll(/<form[^>]*method="get".*?<\/form>/gs)) {
        expect(form).toContain('<input type="hidden" name="lang" value="ja"/>');
      }
      expect(headers.get("Set-Cookie") ?? "").not.toContain("ja");
    }
    const redirect = await accept(worker, `${path}?lang=ja`);
    expect(redirect.headers.get("Location")).toBe(`${path}?lang=ja`);
  });
});

test("browsers from Taiwan get Traditional Chinese, with its dates, countries and names", async () => {
  const recipient = { first_name: "雅婷", last_name: "陳", delivery_address: undefined };
  const recipient_details = recipients(1).map((each) => ({ ...each, ...recipient }));
  const changes = { recipient_details, redeem_by: "2030-05-09" };
  const { path } = await createGift(worker, [simpleProduct()], changes);
  const headers = { "Accept-Language": "zh-TW,zh;q=0.9,en;q=0.8" };
  const { text } = await worker.fetch(path, { headers });
  for (const part of ['<html lang="zh-Hant"', "<h1><bdi>陳雅婷</bdi>", "2030年5月9日"]) {
    expect(text).toContain(part);
  }
  const address = await worker.fetch(`${path}?step=address`, { headers });
  expect(address.text).toMatch(/<option value="DE"[^>]*>德國<\/option>/);
});

describe("without the files of the texts", () => {
  const down = () => Promise.reject(new Error("the assets are down"));
  const serving = (fetch: () => Promise<Response>) => ({ ASSETS: { fetch } as unknown as Fetcher });

  test("that are not loaded yet, the page is a plain message", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    vi.resetModules();
    const { createApp } = await import("../../../src/app.ts");
    const app = createApp();
    const { path } = await createGift(worker, [simpleProduct()]);
    const missing = () => Promise.resolve(new Response("", { status: 404 }));
    for (const [url, status, fetch] of [
      [path, 500, down],
      [path, 500, missing],
      ["/redeem/forged", 404, down],
      ["/redeem/forged", 404, missing],
    ] as const) {
      const request = new Request(new URL(`${url}?lang=it`, env.PUBLIC_URL));
      const bindings = { ...env, ...serving(fetch) };
      const answer = await app.fetch(request, bindings, createExecutionContext());
      expect([answer.status, await answer.text()]).toEqual([
        status,
        "This page cannot be shown at the moment. Please try again in a minute.",
      ]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": expect.stringMatching(/^text\/plain/) as string,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      });
    }
    expect(log).toHaveBeenCalled();
  });

  test("that are loaded, the page needs no binding", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    expect((await worker.fetch(`${path}?lang=de`)).status).toBe(200);
    expect((await startWorker({ env: serving(down) }).fetch(`${path}?lang=de`)).status).toBe(200);
  });
});

const mainOf = ({ text }: { text: string }) =>
  text.slice(text.indexOf("<main")).replaceAll(/<[^>]+>/g, " ");

test.each<[PageGift["register"], RegExp, RegExp]>([
  ["informal", /\b(?:du|dein|dich)\b/i, /\b(?:Sie|Ihr|Ihre|Ihnen)\b/],
  ["formal", /\b(?:Sie|Ihr|Ihre|Ihnen)\b/, /\b(?:du|dein|dich)\b/i],
  [null, /\b(?:Sie|Ihr|Ihre|Ihnen)\b/, /\b(?:du|dein|dich)\b/i],
])(
  "the pages of a client's gifts address the recipient in German as the client wishes: %s",
  async (register, used, unused) => {
    const products = [simpleProduct(), simpleProduct()];
    const options = { redeem_by: "2030-05-09", ...CHOICE };
    const { path } = await createGift(worker, products, options, { register });
    const stopPath = path.replace("/redeem/", "/stop-emails/");
    const queries = ["", "&others=", "&step=address", "&step=question"];
    for (const url of [
      ...queries.map((query) => `${path}?lang=de${query}`),
      `${stopPath}?lang=de`,
    ]) {
      const page = await worker.fetch(url);
      expect(page.status).toBe(200);
      expect(mainOf(page)).toMatch(used);
      expect(mainOf(page)).not.toMatch(unused);
    }
  },
);

test.each([
  ["es", "formal", "Su regalo"],
  ["nl", "formal", "Uw cadeau"],
  ["fr", "informal", "Ton cadeau"],
  ["fr", "formal", "Votre cadeau"],
  ["en", "formal", "Your gift"],
] as const)("the page in %s of a client that wishes to be %s has: %s", async (...given) => {
  const [language, register, yours] = given;
  const { path } = await createGift(worker, [simpleProduct()], {}, { register });
  const { text } = await worker.fetch(`${path}?lang=${language}`);
  expect(text).toContain(`<p class="eyebrow">${yours}</p>`);
});
