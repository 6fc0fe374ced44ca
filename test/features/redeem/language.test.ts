// The language of the gift page.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { LANGUAGES, supportedLocale } from "../../../src/features/redeem/language.ts";
import { recipients, simpleProduct, variableProduct } from "../../support/fixtures.ts";
import { accept, CHOICE, createGift, press } from "../../support/gift.ts";
import { type Answer, startWorker } from "../../support/worker.ts";
const worker = startWorker();

const htmlTag = ({ text }: Pick<Answer, "text">) => /<html [^>]*>/.exec(text)?.[0];

/** An order whose recipient has a language. */
const inLanguage = (language: string | undefined) => ({
  recipient_details: recipients(1).map((person) => ({ ...person, ...(language && { language }) })),
});

/** The language in the URL, of the recipient, and in Accept-Language. */
type Sources = [requested?: string | undefined, recipient?: string | undefined, accepted?: string];

async function openedIn(
  [requested, recipient, accepted]: Sources,
  status = 200,
): Promise<string | null> {
  const { path } = await createGift(worker, [simpleProduct()], inLanguage(recipient));
  const query = requested === undefined ? "" : `?lang=${encodeURIComponent(requested)}`;
  const headers: HeadersInit = accepted === undefined ? {} : { "Accept-Language": accepted };
  const page = await worker.fetch(path + query, { headers });
  expect(page.status).toBe(status);
  expect(page.headers.get("Vary")).toMatch(/^Accept-Language\b/);
  return page.headers.get("Content-Language");
}

describe("the language of the page", () => {
  test.each<[Sources, string]>([
    [[], "en"],
    [["de", "fr", "it"], "de"],
    [[undefined, "fr", "it"], "fr"],
    [[undefined, undefined, "it"], "it"],
    [["xx", "fr", "it"], "fr"],
    [["", "fr", "it"], "fr"],
    [["xx", "pl", "it"], "it"],
    [["xx", "pl", "sv"], "en"],
    [["de-AT"], "de"],
    [["DE"], "de"],
    [[undefined, "pt-BR"], "pt"],
    [['"><script>', "nl"], "nl"],
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
  ])("is that of the URL, the recipient or the browser: %j gives %s", async (sources, language) => {
    expect(await openedIn(sources)).toBe(language);
  });

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
        ...[/<div class="options" lang="([^"]*)"/, /<span class="name" lang="([^"]*)"/],
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
    for (const step of ["address", "confirm"]) {
      page = await press(worker, path, page, { step });
      expect(htmlTag(page)).toContain('lang="ja"');
    }
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

describe("the page in Traditional Chinese", () => {
  test("is shown to browsers from Taiwan, with its dates, countries and names", async () => {
    const recipient = { first_name: "雅婷", last_name: "陳", delivery_address: undefined };
    const recipient_details = recipients(1).map((each) => ({ ...each, ...recipient }));
    const changes = { recipient_details, redeem_by: "2030-05-09" };
    const { path } = await createGift(worker, [simpleProduct()], changes);
    const headers = { "Accept-Language": "zh-TW,zh;q=0.9,en;q=0.8" };
    const { text } = await worker.fetch(path, { headers });
    expect(text).toContain('<html lang="zh-Hant" dir="ltr">');
    expect(text).toContain("<h1><bdi>陳雅婷</bdi>，您有一份禮物</h1>");
    expect(text).toContain("2030年5月9日");
    expect(text).toContain('<span lang="zh-Hant" aria-current="true">繁體中文</span>');
    expect(text).toContain('<a lang="zh" hreflang="zh" href="?lang=zh">简体中文</a>');
    const address = await worker.fetch(`${path}?step=address`, { headers });
    expect(address.text).toMatch(/<option value="DE"[^>]*>德國<\/option>/);
    expect(address.text).toContain("郵遞區號");
  });
});

describe("without the files of the texts", () => {
  const failing = (response: () => Promise<Response>) =>
    startWorker({ env: { ASSETS: { fetch: response } as unknown as Fetcher } });

  test.each([
    ["fails", () => Promise.reject(new Error("the assets are down"))],
    ["returns a status of 404", () => Promise.resolve(new Response("", { status: 404 }))],
  ])(
    "that are not loaded yet, the page is a plain message if the binding %s",
    async (_, response) => {
      const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
      vi.resetModules();
      const { createApp } = await import("../../../src/app.ts");
      const { createExecutionContext } = await import("cloudflare:test");
      const { path } = await createGift(worker, [simpleProduct()]);
      const ASSETS = { fetch: response } as unknown as Fetcher;
      for (const [url, status] of [
        [path, 500],
        ["/redeem/forged", 404],
      ] as const) {
        const request = new Request(new URL(`${url}?lang=it`, env.PUBLIC_URL));
        const answer = await createApp().fetch(
          request,
          { ...env, ASSETS },
          createExecutionContext(),
        );
        const text = await answer.text();
        expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
          status,
          expect.stringMatching(/^text\/plain/),
        ]);
        expect(text).toBe("This page cannot be shown at the moment. Please try again in a minute.");
        expect(answer.headers.get("Cache-Control")).toBe("no-store");
        expect(answer.headers.get("Referrer-Policy")).toBe("no-referrer");
      }
      expect(log).toHaveBeenCalled();
    },
  );

  test("that are loaded, the page needs no binding", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    expect((await worker.fetch(`${path}?lang=de`)).status).toBe(200);
    const broken = failing(() => Promise.reject(new Error("the assets are down")));
    expect((await broken.fetch(`${path}?lang=de`)).status).toBe(200);
  });
});
