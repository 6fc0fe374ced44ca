// Declining a gift.
import { afterEach, describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { failingBatches, LOST } from "../../support/faults.ts";
import {
  balanceOf,
  brokenAccounts,
  recipients,
  simpleProduct,
  stockOf,
  type TestProduct,
} from "../../support/fixtures.ts";
import {
  accept,
  changingAfterRead,
  createGift,
  decline,
  press,
  readRecipient,
  takeStep,
  type TestGift,
  textOf,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { eventsOf } from "../../support/events.ts";

const worker = startWorker();

/** The price of a gift of `simpleProduct`: 25.00, with 5.00 shipping and a fee of 4 %. */
const PAID_MINOR = 3_120;

interface PlacedGift extends TestGift {
  product: TestProduct;
  /** The balance after the placement. */
  balance: number;
}

async function placed(refundDeclined = true, count = 1): Promise<PlacedGift> {
  const product = simpleProduct();
  const changes = { recipient_details: recipients(count) };
  const gift = await createGift(worker, [product], changes, { refundDeclined });
  return { ...gift, product, balance: await balanceOf(gift.client.clientId) };
}

/** The events after the placement. */
const laterEventsOf = async ({ client }: TestGift) =>
  (await eventsOf(client)).filter(({ type }) => type !== "order.paid");

const typesOf = async (gift: TestGift) => (await laterEventsOf(gift)).map(({ type }) => type);

/** The pieces and the credit that have returned. */
async function returned({ product, client, balance }: PlacedGift, count = 1) {
  const pieces = (await stockOf(product.product.id)) ?? 0;
  return [pieces - (100 - count), (await balanceOf(client.clientId)) - balance];
}

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe("declining a gift", () => {
  test("cancels it in two round trips, after a page that explains it", async () => {
    const gift = await placed(true, 2);
    const start = await worker.fetch(gift.path);
    const question = await press(worker, gift.path, start, { step: "question" });
    expect([question.status, question.meter.rowsWritten]).toEqual([200, 0]);
    expect(question.text).toContain(texts.decline.title);
    expect(await returned(gift, 2)).toEqual([0, 0]);

    const scanned = await press(worker, gift.path, question, { step: "decline" });
    expect([scanned.status, scanned.meter.rowsWritten]).toEqual([422, 0]);
    const reason = { reason: "not_allowed" };
    const answer = await press(worker, gift.path, scanned, { step: "decline" }, reason);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, gift.path]);
    expect(answer.meter.roundTrips).toBe(2);
    const page = await worker.fetch(gift.path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(texts.closed.declined.title);
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: "cancelled" });
    expect(await returned(gift, 2)).toEqual([1, PAID_MINOR]);
    const [event, ...others] = await laterEventsOf(gift);
    expect(event).toMatchObject({
      type: "gift.declined",
      data: { currency: "AUD", refund: "31.20", decline_reason: "not_allowed" },
    });
    expect(others).toEqual([]);
    // The other recipient's gift is not changed.
    expect((await accept(worker, gift.paths[1] ?? "")).status).toBe(303);
  });

  test("returns stock and no credit if the client's settings say so", async () => {
    const gift = await placed(false, 2);
    await decline(worker, gift.path);
    expect(await returned(gift, 2)).toEqual([1, 0]);
    expect(await laterEventsOf(gift)).toMatchObject([
      { type: "gift.declined", data: { refund: "0.00" } },
    ]);
    // A cancellation of the other gift returns the credit of that gift only.
    await takeStep(gift, "cancel");
    expect(await returned(gift, 2)).toEqual([2, PAID_MINOR]);
  });

  test("of the last gift ends the order", async () => {
    const gift = await placed();
    await decline(worker, gift.path);
    expect(await typesOf(gift)).toEqual(["gift.declined", "order.cancelled"]);
    expect(await returned(gift)).toEqual([1, PAID_MINOR]);
  });

  test("a second time changes nothing", async () => {
    const gift = await placed(true, 2);
    await decline(worker, gift.path);
    const again = await decline(worker, gift.path);
    expect([again.status, again.meter.rowsWritten]).toEqual([409, 0]);
    expect(again.text).toContain(texts.closed.declined.title);
    expect(await returned(gift, 2)).toEqual([1, PAID_MINOR]);
    expect(await typesOf(gift)).toEqual(["gift.declined"]);
    expect((await accept(worker, gift.path)).status).toBe(409);
  });
});

describe("declining a gift during other changes", () => {
  test("five times at once cancels the gift once", async () => {
    const gift = await placed(true, 2);
    const answers = await Promise.all(Array.from({ length: 5 }, () => decline(worker, gift.path)));
    for (const { status } of answers) expect([303, 409]).toContain(status);
    expect(await returned(gift, 2)).toEqual([1, PAID_MINOR]);
    expect(await typesOf(gift)).toEqual(["gift.declined"]);
  });

  test.each(["before the commit", "after the commit"] as const)(
    "succeeds once if a response is lost %s",
    async (when) => {
      const gift = await placed(true, 2);
      // The first batch reads.
      const DB = failingBatches(new Error(LOST), when, 1, 1);
      const answer = await decline(startWorker({ env: { DB } }), gift.path);
      expect(answer.status).toBe(303);
      expect(await returned(gift, 2)).toEqual([1, PAID_MINOR]);
      expect(await typesOf(gift)).toEqual(["gift.declined"]);
    },
  );

  test("and accepting at the same time has one of the two effects", async () => {
    for (let round = 0; round < 2; round++) {
      const gift = await placed(true, 2);
      await Promise.all([decline(worker, gift.path), accept(worker, gift.path)]);
      const { redemption_status: status } = await readRecipient(worker, gift);
      expect(["cancelled", "redeemed"]).toContain(status);
      const isDeclined = status === "cancelled";
      expect(await returned(gift, 2)).toEqual(isDeclined ? [1, PAID_MINOR] : [0, 0]);
      expect(await typesOf(gift)).toEqual([isDeclined ? "gift.declined" : "gift.redeemed"]);
    }
  });

  test("has no effect on a gift that was accepted or cancelled after the read", async () => {
    for (const change of ["accept", "cancel"] as const) {
      const gift = await placed(true, 2);
      const DB = changingAfterRead(() =>
        change === "accept" ? accept(worker, gift.path) : takeStep(gift, "cancel"),
      );
      await decline(startWorker({ env: { DB } }), gift.path);
      const page = await worker.fetch(gift.path);
      expect(textOf(page)).toContain(
        change === "accept" ? texts.accepted.text : texts.closed.cancelled.title,
      );
      expect(await typesOf(gift)).toEqual([
        change === "accept" ? "gift.redeemed" : "order.cancelled",
      ]);
      expect(await returned(gift, 2)).toEqual(change === "accept" ? [0, 0] : [2, 2 * PAID_MINOR]);
    }
  });

  test("has no effect by a link that was replaced after the read", async () => {
    const gift = await placed(true, 2);
    const renewal = { suborder_id: gift.orderId * 1000 + 1 };
    const DB = changingAfterRead(() => worker.post(gift.client, "/api/gift-link/renew", renewal));
    await decline(startWorker({ env: { DB } }), gift.path);
    expect(await typesOf(gift)).toEqual(["gift.renewed"]);
    expect(await returned(gift, 2)).toEqual([0, 0]);
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
    const again = await decline(worker, gift.path);
    expect([again.status, again.meter.rowsWritten]).toEqual([410, 0]);
  });
});
