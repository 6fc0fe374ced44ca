// Taking back that a gift was declined.
import { afterEach, describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { endGifts } from "../../../src/features/lifecycle/end.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { eraseGifts } from "../../../src/operator/recipient/erase.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import { balanceOf, brokenAccounts, recipients, simpleProduct, stockOf } from "../../support/fixtures.ts";
import {
  accept,
  changingAfterRead,
  createGift,
  decline,
  postForm,
  press,
  reinstate,
  takeStep,
  type TestGift,
} from "../../support/gift.ts";
import { differencesOf } from "../../support/invariants.ts";
import { eventsOf } from "../../support/events.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();
const clients: TestGift["client"][] = [];

/** 40 days, and an uneven total: 93.61 for three gifts, 62.41 for two. */
const OPTIONS = { feeBasisPoints: 401 };

/** A declined gift, with what the client had before. */
async function declined(count = 2, { refundDeclined = true, ...options }: { refundDeclined?: boolean; billing?: "invoice" } = {}) {
  const product = simpleProduct({}, { quantity: 100 });
  const changes = { recipient_details: recipients(count), redeem_by: dayAfter(40) };
  const gift = await createGift(worker, [product], changes, { ...OPTIONS, ...options });
  clients.push(gift.client);
  const { clientId } = gift.client;
  await sql("UPDATE clients SET refund_declined = ? WHERE id = ?", Number(refundDeclined), clientId).run();
  if (options.billing) await takeStep(gift, "pay");
  const state = async () => [await stockOf(product.product.id), await balanceOf(clientId)];
  const before = await state();
  await decline(worker, gift.path);
  return { ...gift, product, clientId, state, before };
}

type Declined = Awaited<ReturnType<typeof declined>>;

const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const typesOf = async ({ client }: TestGift) =>
  (await eventsOf(client)).map(({ type }) => type).filter((type) => !type.startsWith("order."));

const orderRow = ({ orderId }: TestGift) =>
  sql(
    `SELECT status, cancelled_gifts, refunded_minor, owed_minor, finished, next_expiry_check_ms IS NOT NULL AS isChecked
     FROM orders WHERE id = ?`,
    orderId,
  ).first();

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
  expect(await differencesOf(clients.splice(0))).toEqual([]);
});

describe("taking back that a gift was declined", () => {
  test.each([1, 2])("opens the gift and the order of %i again, in two round trips", async (count) => {
    const gift = await declined(count);
    const page = await worker.fetch(gift.path);
    const scanned = await postForm(worker, gift.path, { step: "reinstate" });
    expect([scanned.status, scanned.meter.rowsWritten]).toEqual([409, 0]);
    expect(scanned.text).toContain(texts.problems.tick);
    const answer = await press(worker, gift.path, page, { step: "reinstate" });
    expect([answer.status, answer.meter.roundTrips]).toEqual([303, 2]);
    expect(await gift.state()).toEqual(gift.before);
    expect(await orderRow(gift)).toEqual({
      ...{ status: "paid", cancelled_gifts: 0, refunded_minor: 0, owed_minor: null },
      ...{ finished: 0, isChecked: 1 },
    });
    const refund = count === 1 ? "31.20" : "31.20";
    expect((await eventsOf(gift.client)).at(-1)).toMatchObject({
      type: "gift.reinstated",
      data: { order_status: "paid", refund: `-${refund}` },
    });
    expect((await accept(worker, gift.path)).status).toBe(303);
  });

  test("charges nothing again if nothing was returned, whatever the present settings say", async () => {
    const gift = await declined(3, { refundDeclined: false });
    await sql("UPDATE clients SET refund_declined = 1 WHERE id = ?", gift.clientId).run();
    await decline(worker, gift.paths[1] ?? "");
    const [, balance] = await gift.state();
    await reinstate(worker, gift.path);
    // At most the rounding of the share that is left.
    expect(Math.abs((await balanceOf(gift.clientId)) - (balance ?? 0))).toBeLessThanOrEqual(1);
    await accept(worker, gift.path);
    await takeStep(gift, "cancel");
    expect(await orderRow(gift)).toMatchObject({ status: "cancieled", cancelled_gifts: 2 });
  });

  test("owes the invoice again, unless it was refunded", async () => {
    const gift = await declined(2, { billing: "invoice" });
    expect(Number((await orderRow(gift))?.owed_minor)).toBeLessThan(0);
    await reinstate(worker, gift.path);
    expect(await orderRow(gift)).toMatchObject({ status: "paid", owed_minor: 0 });
  });

  const OBSTACLES: Record<string, (gift: Declined) => Promise<unknown>> = {
    "more than seven days": ({ orderId }) =>
      sql("UPDATE gifts SET declined_at_ms = declined_at_ms - ? WHERE order_id = ? AND declined_at_ms > 0", 7 * DAY_MS, orderId).run(),
    "the last day has passed": ({ orderId }) =>
      sql("UPDATE gifts SET expires_at_ms = 1 WHERE order_id = ? AND sequence = 1", orderId).run(),
    "no piece is left": ({ product }) =>
      sql("UPDATE stock SET quantity = 0 WHERE product_id = ?", product.product.id).run(),
    "the product is not sold": ({ product }) =>
      sql("UPDATE stock SET sellable = 0 WHERE product_id = ?", product.product.id).run(),
    "the credit does not suffice": async ({ client }) => {
      const product = simpleProduct();
      void product;
      await sql("UPDATE clients SET name = name WHERE id = ?", client.clientId).run();
    },
  };
  void OBSTACLES;
  void endGifts;
  void operatorKey;
  void eraseGifts;
  void failingBatches;
  void LOST;
  void changingAfterRead;
  void typesOf;
});
