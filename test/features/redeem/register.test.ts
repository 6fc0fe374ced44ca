// The way in which the texts of the gift page and the e-mails address the recipient.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Gift } from "../../../src/features/redeem/gift.ts";
import type { Language } from "../../../src/features/redeem/language.ts";
import { loadTexts } from "../../../src/features/redeem/texts.ts";
import { recipients, simpleProduct } from "../../support/fixtures.ts";
import { CHOICE, createGift } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

const mainOf = ({ text }: { text: string }) =>
  text.slice(text.indexOf("<main")).replaceAll(/<[^>]+>/g, " ");

describe("the pages of a client's gifts", () => {
  test.each<[Gift["register"], RegExp, RegExp]>([
    ["informal", /\b(?:du|dein|dich)\b/i, /\b(?:Sie|Ihr|Ihre|Ihnen)\b/],
    ["formal", /\b(?:Sie|Ihr|Ihre|Ihnen)\b/, /\b(?:du|dein|dich)\b/i],
    [null, /\b(?:Sie|Ihr|Ihre|Ihnen)\b/, /\b(?:du|dein|dich)\b/i],
  ])("address the recipient in German as the client wishes: %s", async (register, used, unused) => {
    const products = [simpleProduct(), simpleProduct()];
    const options = { redeem_by: "2030-05-09", ...CHOICE };
    const { path } = await createGift(worker, products, options, { register });
    const stopPath = path.replace("/redeem/", "/stop-emails/");
    const queries = ["", "&others=", "&step=address", "&step=confirm", "&step=question"];
    for (const url of [
      ...queries.map((query) => `${path}?lang=de${query}`),
      `${stopPath}?lang=de`,
    ]) {
      const page = await worker.fetch(url);
      expect(page.status).toBe(200);
      expect(mainOf(page)).toMatch(used);
      expect(mainOf(page)).not.toMatch(unused);
    }
  });

  test("have the texts of each language's register", async () => {
    const { path } = await createGift(worker, [simpleProduct()], {}, { register: "formal" });
    const yoursIn = async (language: Language) =>
      /<p class="eyebrow">([^<]*)/.exec((await worker.fetch(`${path}?lang=${language}`)).text)?.[1];
    expect(await yoursIn("es")).toBe("Su regalo");
    expect(await yoursIn("nl")).toBe("Uw cadeau");
    expect(await yoursIn("fr")).toBe("Votre cadeau");
    expect(await yoursIn("en")).toBe("Your gift");
  });

  test("keep the texts that the registers share", async () => {
    const [texts, informal] = await Promise.all([
      loadTexts(env.ASSETS, "de"),
      loadTexts(env.ASSETS, "de", "informal"),
    ]);
    expect(informal.labels).toEqual(texts.labels);
    expect(informal.gift.yours).toBe("Dein Geschenk");
    expect(texts.gift.yours).toBe("Ihr Geschenk");
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

test("the title in Japanese has the full name, with the family name first", async () => {
  const names = { first_name: "さくら", last_name: "田中" };
  const recipient_details = recipients(1).map((each) => ({ ...each, ...names }));
  const { path } = await createGift(worker, [simpleProduct()], { recipient_details });
  const { text } = await worker.fetch(`${path}?lang=ja`);
  expect(text).toContain("<title>田中 さくら様にギフトが届いています</title>");
  expect(text).toContain("<h1><bdi>田中 さくら</bdi>様にギフトが届いています</h1>");
});
