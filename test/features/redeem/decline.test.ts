// Declining a gift, taking that back, and the end of a declined gift.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { expireGifts } from "../../../src/features/lifecycle/expire.ts";
import { extendGift } from "../../../src/features/lifecycle/extend.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";
import { MAILING, plannedKinds } from "../../support/emails.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import {
  balanceOf,
  brokenAccounts,
  type ClientOptions,
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
  postForm,
  press,
  readRecipient,
  reinstate,
  takeStep,
  type TestGift,
  textOf,
} from "../../support/gift.ts";
import { differencesOf } from "../../support/invariants.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { eventsOf } from "../../support/events.ts";

const worker = startWorker();
const clients: TestGift["client"][] = [];

/** The price of a gift of `simpleProduct`: 25.00, with 5.00 shipping and a fee of 4 %. */
const PAID_MINOR = 3_120;

interface PlacedGift extends TestGift {
  product: TestProduct;
  /** The balance after the placement. */
  balance: number;
}

async function placed(options: ClientOptions = {}): Promise<PlacedGift> {
  const product = simpleProduct();
  const gift = await createGift(worker, [product], { recipient_details: recipients(2) }, options);
  clients.push(gift.client);
  return { ...gift, product, balance: await balanceOf(gift.client.clientId) };
}

async function declined(options: ClientOptions = {}): Promise<PlacedGift> {
  const gift = await placed(options);
  expect((await decline(worker, gift.path)).status).toBe(303);
  return gift;
}

/** The events after the placement. */
const laterEventsOf = async ({ client }: TestGift) =>
  (await eventsOf(client)).filter(({ type }) => type !== "order.paid");

const typesOf = async (gift: TestGift) => (await laterEventsOf(gift)).map(({ type }) => type);

/** The pieces and the credit that have returned. */
async function returned({ product, client, balance }: PlacedGift) {
  const pieces = (await stockOf(product.product.id)) ?? 0;
  return [pieces - 98, (await balanceOf(client.clientId)) - balance];
}

/** Runs the cron handler's checks after these days. */
const after = (days: number) => expireGifts(env.DB, Date.now() + days * DAY_MS);

const cancel = ({ client, orderId }: TestGift, sequence = 1) =>
  worker.post(client, "/api/order/cancel", {
    order_id: orderId,
    suborder_ids: [orderId * 1000 + sequence],
  });

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
  expect(await differencesOf(clients.splice(0))).toEqual([]);
});

describe("declining a gift", () => {
  test("closes it in two round trips, after a page that explains it", async () => {
    const gift = await placed();
    const start = await worker.fetch(gift.path);
    const question = await press(worker, gift.path, start, { step: "question" });
    expect([question.status, question.meter.rowsWritten]).toEqual([200, 0]);
    const scanned = await press(worker, gift.path, question, { step: "decline" });
    expect([scanned.status, scanned.meter.rowsWritten]).toEqual([422, 0]);
    const reason = { reason: "not_allowed" };
    const answer = await press(worker, gift.path, scanned, { step: "decline" }, reason);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, gift.path]);
    expect(answer.meter.roundTrips).toBe(2);
    const page = await worker.fetch(gift.path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(texts.closed.declined.title);
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
    expect(await returned(gift)).toEqual([0, 0]);
    const [event, ...others] = await laterEventsOf(gift);
    const finalAt = Date.parse(event?.created_at ?? "") + 7 * DAY_MS;
    expect(event).toMatchObject({ type: "gift.declined" });
    expect(event?.data).toEqual({
      decline_reason: "not_allowed",
      final_at: new Date(finalAt).toISOString(),
    });
    expect(others).toEqual([]);
    expect((await accept(worker, gift.paths[1] ?? "")).status).toBe(303);
  });

  test("a second time changes nothing, and it cannot be accepted", async () => {
    const gift = await declined();
    const again = await decline(worker, gift.path);
    expect([again.status, again.meter.rowsWritten]).toEqual([409, 0]);
    expect((await accept(worker, gift.path)).status).toBe(409);
    expect(await typesOf(gift)).toEqual(["gift.declined"]);
  });
});

describe("a declined gift", () => {
  test("ends once after the client's days, as every ending", async () => {
    const gift = await declined();
    await after(6.9);
    expect(await typesOf(gift)).toEqual(["gift.declined"]);
    await Promise.all([after(7.1), after(7.1)]);
    await after(8);
    expect(await returned(gift)).toEqual([1, PAID_MINOR]);
    const [, event, ...others] = await laterEventsOf(gift);
    const data = { redemption_status: "cancelled", currency: "AUD", refund: "31.20" };
    expect(event).toMatchObject({ type: "gift.cancelled", data });
    expect(others).toEqual([]);
    expect((await reinstate(worker, gift.path)).status).toBe(409);
    expect((await worker.fetch(gift.path)).text).toContain(texts.closed.declined.title);
  });

  test("ends with its order if it is the last one, also after no days", async () => {
    const gift = await placed();
    await sql("UPDATE clients SET final_after_days = 0 WHERE id = ?", gift.client.clientId).run();
    for (const path of gift.paths) await decline(worker, path);
    await after(0.1);
    expect(await typesOf(gift)).toEqual(["gift.declined", "gift.declined", "order.cancelled"]);
    expect(await returned(gift)).toEqual([2, 2 * PAID_MINOR]);
  });

  test.each(["time", "sender"])(
    "returns no credit if the client's settings keep it, when it ends by the %s",
    async (who) => {
      const gift = await declined({ refundDeclined: false });
      await (who === "time" ? after(8) : cancel(gift));
      expect(await returned(gift)).toEqual([1, 0]);
      expect((await laterEventsOf(gift)).at(-1)).toMatchObject({
        type: "gift.cancelled",
        data: { refund: "0.00" },
      });
      await takeStep(gift, "cancel");
      expect(await returned(gift)).toEqual([2, PAID_MINOR]);
    },
  );

  test("gets no e-mails and no reminders until that is taken back", async () => {
    const mailing = startWorker({ env: MAILING });
    const changes = {
      send_method: "email",
      send_at: new Date(Date.now() + 5 * DAY_MS).toISOString(),
      redeem_by: dayIn(9, Date.now()),
    };
    const options = { finalAfterDays: 30 };
    const { client, orderId, path } = await createGift(
      mailing,
      [simpleProduct()],
      changes,
      options,
    );
    expect(await plannedKinds(orderId)).toEqual(["invitation"]);
    await decline(worker, path);
    await extendGift(
      env.DB,
      { orderId, sequence: 1, ...NO_CLIENT },
      dayIn(12, Date.now()),
      Date.now(),
    );
    expect(await plannedKinds(orderId)).toEqual([null]);
    await after(11);
    expect((await eventsOf(client)).map(({ type }) => type)).not.toContain("gift.expiring");
    await reinstate(worker, path);
    expect(await plannedKinds(orderId)).toEqual(["invitation"]);
    await after(12);
    expect((await eventsOf(client)).at(-1)).toMatchObject({ type: "gift.reinstated" });
  });

  test("is cancelled by its sender at once", async () => {
    const gift = await declined();
    expect((await cancel(gift)).status).toBe(200);
    expect(await returned(gift)).toEqual([1, PAID_MINOR]);
    await after(8);
    expect(await typesOf(gift)).toEqual(["gift.declined", "gift.cancelled"]);
  });

  test("ends as declined if its last day passes too", async () => {
    const gift = await declined();
    await sql(
      "UPDATE orders SET expires_at_ms = ? WHERE id = ?",
      Date.now() + DAY_MS,
      gift.orderId,
    ).run();
    const later = startWorker({ now: () => Date.now() + 2 * DAY_MS });
    expect((await reinstate(later, gift.path)).status).toBe(409);
    expect((await later.fetch(gift.path)).text).not.toContain('value="reinstate"');
    for (const days of [8, 9]) await after(days);
    expect(await typesOf(gift)).toEqual([
      "gift.declined",
      "gift.cancelled",
      "gift.expired",
      "order.cancelled",
    ]);
  });
});

describe("taking back that a gift was declined", () => {
  test("opens it again with a tick, in two round trips, and moves nothing", async () => {
    const gift = await declined();
    const page = await worker.fetch(gift.path);
    const scanned = await postForm(worker, gift.path, { step: "reinstate" });
    expect([scanned.status, scanned.meter.rowsWritten]).toEqual([409, 0]);
    expect(scanned.text).toContain(texts.problems.tick);
    const answer = await press(worker, gift.path, page, { step: "reinstate" });
    expect([answer.status, answer.meter.roundTrips]).toEqual([303, 2]);
    expect((await laterEventsOf(gift)).at(-1)).toMatchObject({ type: "gift.reinstated", data: {} });
    await after(8);
    expect(await returned(gift)).toEqual([0, 0]);
    expect((await accept(worker, gift.path)).status).toBe(303);
  });

  test.each(["before the commit", "after the commit"] as const)(
    "happens once if it is requested five times and a response is lost %s",
    async (when) => {
      const gift = await declined();
      const DB = failingBatches(new Error(LOST), when, 1, 1);
      const doors = [startWorker({ env: { DB } }), ...Array.from({ length: 4 }, () => worker)];
      await Promise.all(doors.map((door) => reinstate(door, gift.path)));
      expect(await typesOf(gift)).toEqual(["gift.declined", "gift.reinstated"]);
    },
  );

  test.each(["time", "sender"])("or its end by the %s at once has one effect", async (who) => {
    const gift = await declined();
    const later = startWorker({ now: () => Date.now() + 8 * DAY_MS });
    await Promise.all([
      reinstate(later, gift.path),
      who === "time" ? after(8) : cancel(gift),
      reinstate(later, gift.path),
    ]);
    const types = await typesOf(gift);
    const hasEnded = types.includes("gift.cancelled");
    if (who === "time") expect(types.includes("gift.reinstated")).toBe(!hasEnded);
    expect(await returned(gift)).toEqual(hasEnded ? [1, PAID_MINOR] : [0, 0]);
  });
});

describe("declining a gift during other changes", () => {
  test("five times at once closes the gift once", async () => {
    const gift = await placed();
    const answers = await Promise.all(Array.from({ length: 5 }, () => decline(worker, gift.path)));
    for (const { status } of answers) expect([303, 409]).toContain(status);
    expect(await typesOf(gift)).toEqual(["gift.declined"]);
  });

  test.each(["before the commit", "after the commit"] as const)(
    "succeeds once if a response is lost %s",
    async (when) => {
      const gift = await placed();
      // The first batch reads.
      const DB = failingBatches(new Error(LOST), when, 1, 1);
      const answer = await decline(startWorker({ env: { DB } }), gift.path);
      expect(answer.status).toBe(303);
      expect(await typesOf(gift)).toEqual(["gift.declined"]);
    },
  );

  test("and accepting at the same time has one of the two effects", async () => {
    for (let round = 0; round < 2; round++) {
      const gift = await placed();
      await Promise.all([decline(worker, gift.path), accept(worker, gift.path)]);
      const { redemption_status: status } = await readRecipient(worker, gift);
      expect(await typesOf(gift)).toEqual([status === null ? "gift.declined" : "gift.redeemed"]);
    }
  });

  test("has no effect on a gift that was accepted or cancelled after the read", async () => {
    for (const change of ["accept", "cancel"] as const) {
      const gift = await placed();
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
    }
  });

  test("has no effect by a link that was replaced after the read", async () => {
    const gift = await placed();
    const renewal = { suborder_id: gift.orderId * 1000 + 1 };
    const DB = changingAfterRead(() => worker.post(gift.client, "/api/gift-link/renew", renewal));
    await decline(startWorker({ env: { DB } }), gift.path);
    expect(await typesOf(gift)).toEqual(["gift.renewed"]);
    const again = await decline(worker, gift.path);
    expect([again.status, again.meter.rowsWritten]).toEqual([410, 0]);
  });
});
