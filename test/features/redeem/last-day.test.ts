// The recipient's pages of gifts with a last day.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { extend } from "../../../src/features/lifecycle/extend.ts";
import { expiryOf } from "../../../src/core/values/redeem-by.ts";
import { sweep } from "../../support/expiry.ts";
import { type ClientOptions, simpleProduct, stockOf } from "../../support/fixtures.ts";
import { accept, createGift, readRecipient, textOf } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const PLACED_AT_MS = Date.parse("2026-12-01T10:00:00Z");
const REDEEM_BY = "2027-01-31";
const EXPIRES_AT_MS = expiryOf(REDEEM_BY) as number;
const acceptBy = (day: string) => texts.gift.acceptBy.replace("{day}", day);
const SENTENCE = acceptBy("31 January 2027");
const ANY_DAY = acceptBy("").replace(".", "");

const at = (nowMs: number) => startWorker({ now: () => nowMs });

async function createDated(options: ClientOptions = {}, changes: object = {}) {
  const products = options.products ?? [simpleProduct()];
  const gift = await createGift(
    at(PLACED_AT_MS),
    products,
    { redeem_by: REDEEM_BY, ...changes },
    options,
  );
  return { ...gift, productId: products[0]?.product.id ?? 0 };
}

describe("a gift with a last day", () => {
  test("shows it in words, and as a date for programs", async () => {
    const { path } = await createDated();
    const page = await at(PLACED_AT_MS).fetch(path);
    expect(textOf(page)).toContain(SENTENCE);
    expect(page.text).toContain('<time datetime="2027-01-31">31 January 2027</time>');
    const without = await createGift(startWorker(), [simpleProduct()]);
    expect((await startWorker().fetch(without.path)).text).not.toContain(ANY_DAY);
  });

  test("shows it on the pages of other gifts and of a refused choice", async () => {
    const products = [simpleProduct(), simpleProduct()];
    const worker = at(PLACED_AT_MS);
    const { path } = await createDated({ products }, { gift_of_choice: "Y" });
    expect(textOf(await worker.fetch(`${path}?others=`))).toContain("31 January 2027");
    const refused = await worker.fetch(`${path}?step=address&product_id=1`);
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain(SENTENCE);
  });

  test("shows the new day after an extension, and none without an expiry", async () => {
    const { path, orderId } = await createDated();
    const worker = at(PLACED_AT_MS);
    await extend(env.DB, { orderId, clientId: null }, "2028-02-29", PLACED_AT_MS);
    expect(textOf(await worker.fetch(path))).toContain(acceptBy("29 February 2028"));
    await extend(env.DB, { orderId, clientId: null }, null, PLACED_AT_MS);
    expect(textOf(await worker.fetch(path))).not.toContain(ANY_DAY);
  });

  test("can be accepted in the last millisecond, and not at the expiry", async () => {
    const [early, late] = [await createDated(), await createDated()];
    const [before, after] = [at(EXPIRES_AT_MS - 1), at(EXPIRES_AT_MS)];
    expect((await before.fetch(early.path)).status).toBe(200);
    expect((await accept(before, early.path)).status).toBe(303);
    expect((await after.fetch(early.path)).status).toBe(200);

    expect((await before.fetch(late.path)).status).toBe(200);
    for (const expired of [await after.fetch(late.path), await accept(after, late.path)]) {
      expect(expired.status).toBe(410);
      const { title, day } = texts.closed.expired;
      expect(textOf(expired)).toContain(title);
      expect(textOf(expired)).toContain(day.replace("{day}", "31 January 2027"));
    }
    // The cron handler has not run. It then returns the stock.
    expect(await readRecipient(after, late)).toMatchObject({ redemption_status: null });
    expect(await stockOf(late.productId)).toBe(99);
    await sweep(EXPIRES_AT_MS);
    expect(await readRecipient(after, late)).toMatchObject({ redemption_status: "expired" });
    expect(await stockOf(late.productId)).toBe(100);
    for (const worker of [before, after]) {
      expect((await worker.fetch(late.path)).status).toBe(410);
      expect((await accept(worker, late.path)).status).toBe(410);
    }
  });
});
