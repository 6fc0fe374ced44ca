// The pages of gifts that cannot be accepted: what happened, when, and whom to ask.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { suborderId } from "../../../src/core/values/ids.ts";
import { writeErasure } from "../../../src/features/privacy/queries.ts";
import { simpleProduct } from "../../support/fixtures.ts";
import {
  accept,
  changeParcels,
  createGift,
  decline,
  takeStep,
  type TestGift,
  textOf,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

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
    worker.post(client, "/api/gift-link/renew", { suborder_id: suborderId(orderId, 1) }),
  erased: async ({ orderId, path }) => {
    await accept(worker, path);
    await changeParcels("ship", [{ orderId, sequence: 1 }]);
    await writeErasure(env.DB, [suborderId(orderId, 1)], Date.now());
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
  const isComing = state === "unpaid";
  expect(textOf(page).includes(texts.page.secret)).toBe(isComing);
  const number = `GO-${String(gift.orderId).padStart(5, "0")}-1`;
  const link = `<a class="primary" href="mailto:help@acme.example?subject=${number}">`;
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
