// The pages of gifts with a last day, and of gifts that cannot be accepted: what happened, when, and whom to ask.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { toGiftId } from "../../../src/core/values/ids.ts";
import { writeErasure } from "../../../src/features/privacy/queries.ts";
import { type ClientOptions, simpleProduct, stockOf } from "../../support/fixtures.ts";
import {
  accept,
  changeParcels,
  createGift,
  decline,
  readRecipient,
  takeStep,
  type TestGift,
  textOf,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { extend } from "../../../src/features/lifecycle/extend.ts";
import { expiryOf } from "../../../src/core/values/redeem-by.ts";
import { sweep } from "../../support/expiry.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";

const worker = startWorker();
const YEAR = new Date().getUTCFullYear() + 1;
const AFTER_LAST_DAY_MS = Date.UTC(YEAR, 1, 2);

type ClosedState = keyof typeof texts.closed;

/** The change after which an unpaid or paid gift is in the state. */
const CHANGES: Record<ClosedState, (gift: TestGift) => Promise<unknown>> = {
  unpaid: async () => {},
  failed: (gift) => takeStep(gift, "fail"),
  cancelled: (gift) => takeStep(gift, "cancel"),
  expired: async () => {},
  declined: ({ path }) => decline(worker, path),
  replaced: ({ client, orderId }) =>
    worker.post(client, "/api/gift-link/renew", { suborder_id: toGiftId(orderId, 1) }),
  erased: async ({ orderId, path }) => {
    await accept(worker, path);
    await changeParcels("ship", [{ orderId, sequence: 1 }]);
    await writeErasure(env.DB, [toGiftId(orderId, 1)], Date.now());
  },
};

test.each(Object.keys(CHANGES) as ClosedState[])("%s", async (state) => {
  const isUnpaid = state === "unpaid" || state === "failed";
  const gift = await createGift(
    worker,
    [simpleProduct()],
    { redeem_by: `${String(YEAR)}-01-31` },
    { supportEmail: "help@acme.example", ...(isUnpaid && { billing: "invoice" }) },
  );
  await CHANGES[state](gift);
  const nowMs = state === "expired" ? AFTER_LAST_DAY_MS : Date.now();
  const page = await startWorker({ now: () => nowMs }).fetch(gift.path);
  expect(page.text).toContain(`<h1>${texts.closed[state].title}</h1>`);
  expect(page.meter.roundTrips).toBeLessThanOrEqual(2);

  expect(page.text).toContain('class="claim"');
  // Only the link of a gift that can still be accepted is secret.
  const isComing = state === "unpaid" || state === "declined";
  expect(textOf(page).includes(texts.page.secret)).toBe(isComing);
  const number = `GO-${String(gift.orderId).padStart(5, "0")}-1`;
  const link = `<a class="primary" href="mailto:help@acme.example?subject=Gift%20number%3A%20${number}">`;
  expect(page.text.includes(link)).toBe(!isComing);
  expect(textOf(page)).toContain(texts.page.help.replace("{contact}", "help@acme.example"));
  const word = { expired: "was", unpaid: "by" }[state as string];
  const day = `31 January ${String(YEAR)}`;
  expect(textOf(page).includes(day)).toBe(word !== undefined);
  expect(textOf(page)).toContain(word === undefined ? "" : `${word} ${day}`);
});

test("the page of an unknown link does not ask to keep it secret", async () => {
  const page = await worker.fetch("/redeem/1001-forged");
  expect([page.status, textOf(page).includes(texts.page.secret)]).toEqual([404, false]);
});

test.each([
  ["help@acme.example", "mailto:help@acme.example"],
  // In a URL, the question mark would begin the headers of the mail.
  ["a?cc=b&c%20d@acme.example", "mailto:a%3Fcc%3Db%26c%2520d@acme.example"],
])("the address for help is the client's, %s", async (supportEmail, href) => {
  const { path } = await createGift(worker, [simpleProduct()], {}, { supportEmail });
  expect((await worker.fetch(path)).text).toContain(
    `<a href="${href}">${supportEmail.replace("&", "&amp;")}</a>`,
  );
});

test.each<[string | null, string, string | undefined]>([
  ["https://acme.example/p?a&b", "https://regalo.example/p", "https://acme.example/p?a&amp;b"],
  [null, "https://regalo.example/p", "https://regalo.example/p"],
  [null, "", undefined],
])("beside the form, the privacy notice is %s, or else %s", async (...row) => {
  const [privacyUrl, PRIVACY_URL, link] = row;
  const own = startWorker({ env: { PRIVACY_URL } });
  const { path } = await createGift(own, [simpleProduct()], {}, { privacyUrl });
  const { text } = await own.fetch(`${path}?step=address`);
  const links = [...text.matchAll(/<a href="([^"]*)" target="_blank" [^>]*>Privacy/g)];
  expect(links.map(([, url]) => url)).toEqual(link === undefined ? [] : [link]);
});

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
    await extend(env.DB, { orderId, ...NO_CLIENT }, "2028-02-29", PLACED_AT_MS);
    expect(textOf(await worker.fetch(path))).toContain(acceptBy("29 February 2028"));
    await extend(env.DB, { orderId, ...NO_CLIENT }, null, PLACED_AT_MS);
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
    // The cron handler returns the stock seven days later.
    expect(await readRecipient(after, late)).toMatchObject({ redemption_status: null });
    expect(await stockOf(late.productId)).toBe(99);
    await sweep(EXPIRES_AT_MS + 7 * DAY_MS);
    expect(await readRecipient(after, late)).toMatchObject({ redemption_status: "expired" });
    expect(await stockOf(late.productId)).toBe(100);
    for (const worker of [before, after]) {
      expect((await worker.fetch(late.path)).status).toBe(410);
      expect((await accept(worker, late.path)).status).toBe(410);
    }
  });
});
