// The client's setting for how the texts of the gift page address the recipient.
import { expect, test } from "vitest";
import type { Gift } from "../../../src/features/redeem/gift.ts";
import { simpleProduct } from "../../support/fixtures.ts";
import { CHOICE, createGift } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

const mainOf = ({ text }: { text: string }) =>
  text.slice(text.indexOf("<main")).replaceAll(/<[^>]+>/g, " ");

test.each<[Gift["register"], RegExp, RegExp]>([
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
  },
);
