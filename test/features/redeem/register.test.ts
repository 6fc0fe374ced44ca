// The client's setting for how the texts of the gift page address the recipient.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Gift } from "../../../src/features/redeem/gift.ts";
import type { Language } from "../../../src/features/redeem/language.ts";
import { loadTexts } from "../../../src/features/redeem/texts.ts";
import { simpleProduct } from "../../support/fixtures.ts";
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
