// In every combination of states, the guard of a statement agrees with the reason that callers get.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { ApiError } from "../../../src/core/api-error.ts";
import { toGiftId } from "../../../src/core/values/ids.ts";
import {
  countsAsShipped,
  isUndelivered,
  SHIPMENT_STATUSES,
  statesThat,
} from "../../../src/core/values/shipment-states.ts";
import { HOUR_MS } from "../../../src/core/values/time.ts";
import {
  changeShipments,
  planShipments,
  type RequestedShipment,
} from "../../../src/features/fulfilment/change.ts";
import { SHIPMENT_STEPS } from "../../../src/features/fulfilment/shipment.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { requireGiftToChange } from "../../../src/features/lifecycle/change.ts";
import { presentState } from "../../../src/features/lifecycle/gift-state.ts";
import { requireOrderState, waivedBy } from "../../../src/features/lifecycle/queries.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { ORDER_STATUSES } from "../../../src/features/orders/order.ts";
import { writeRedemption } from "../../../src/features/redeem/queries.ts";
import { readContent, sealCodes } from "../../../src/operator/code/content.ts";
import { openShop, simpleProduct, type TestProduct } from "../../support/fixtures.ts";
import { importWith, revisionOf } from "../../support/listed-orders.ts";
import { sql } from "../../support/sql.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";

const NOW = Date.now();
const NONCE = "nonce123";

/** The columns of a gift that the database permits together. */
const GIFTS = [null, "redeemed", "cancelled", "expired"].flatMap((redemption_status) =>
  [null, ...SHIPMENT_STATUSES].flatMap((shipment) =>
    [0, 1].flatMap((declined) =>
      [0, 1].flatMap((erased) => {
        const isShipped = countsAsShipped(shipment);
        const fulfilment = isUndelivered(shipment) ? "undelivered" : isShipped ? "shipped" : null;
        const hasEnded = redemption_status === "cancelled" || redemption_status === "expired";
        if (hasEnded && isShipped) return [];
        const mayBeDeclined = redemption_status === null || redemption_status === "cancelled";
        if (declined && !mayBeDeclined) return [];
        return [{ redemption_status, shipment, declined, erased, fulfilment }];
      }),
    ),
  ),
);

/** An order in each state, of each method and with each expiry, and with all gifts. */
async function importAll(product: TestProduct, expiries: (number | null)[] = [null]) {
  const digital = product.product.delivery === "digital";
  const gifts = GIFTS.filter(
    ({ shipment }) => shipment === null || shipment === "open" || (shipment === "sent") === digital,
  );
  const people = gifts.map(() => ({}));
  const { client } = await openShop(product);
  const orderIds: number[] = [];
  for (const status of ORDER_STATUSES) {
    for (const giftOrderMethod of ["api-purchase", "api-giftlink"] as const) {
      for (const expiresAtMs of expiries) {
        const linkNonce = giftOrderMethod === "api-giftlink" ? NONCE : null;
        const order = { status, giftOrderMethod, expiresAtMs, linkNonce, ...reference() };
        orderIds.push(await importWith(client, product, order, people));
      }
    }
  }
  await env.DB.batch(
    gifts.map((gift, n) =>
      env.DB.prepare(
        `UPDATE gifts SET redemption_status = ?2, declined_at_ms = iif(?3, 1, NULL), fulfilment = ?4,
          erased_at_ms = iif(?5, 1, NULL), first_name = iif(?5, 'Erased', first_name), email = iif(?5, '', email),
          last_name = iif(?5, 'recipient', last_name), search_terms = iif(?5, NULL, search_terms), client_id = ?7
         WHERE sequence = ?1 AND order_id IN (SELECT value FROM json_each(?6))`,
      ).bind(
        ...[n + 1, gift.redemption_status, gift.declined, gift.fulfilment, gift.erased],
        ...[JSON.stringify(orderIds), client.clientId],
      ),
    ),
  );
  const shipments = gifts.flatMap(({ shipment }, n) => (shipment ? [[n + 1, shipment]] : []));
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO shipments (order_id, sequence, client_id, status, shipped_at_ms, delivered_at_ms, problem, updated_at_ms, change_id)
       SELECT o.value, v.value ->> 0, ?3, v.value ->> 1, iif(v.value ->> 1 = 'open', NULL, 1),
         iif(v.value ->> 1 = 'delivered', 2, NULL), iif(v.value ->> 1 IN (${statesThat((state) => state.isUndelivered)}), 'lost', NULL), o.key * 1000 + v.key, 'before'
       FROM json_each(?1) o, json_each(?2) v`,
    ).bind(JSON.stringify(orderIds), JSON.stringify(shipments), client.clientId),
    env.DB.prepare(
      `UPDATE orders SET shipped_gifts = (SELECT count(*) FILTER (WHERE fulfilment IS NOT NULL) FROM gifts s WHERE s.order_id = orders.id),
         redeemed_gifts = (SELECT count(*) FROM gifts s WHERE s.order_id = orders.id AND redemption_status = 'redeemed')
       WHERE id IN (SELECT value FROM json_each(?1))`,
    ).bind(JSON.stringify(orderIds)),
  ]);
  return orderIds.flatMap((orderId) => gifts.map((_, n) => ({ orderId, sequence: n + 1 })));
}

const reference = () => ({
  orderRefId: crypto.randomUUID(),
  placementId: "placement",
  requestDigest: "digest",
});

const rowsOf = async (gifts: readonly RequestedShipment[]) => {
  const { results } = await sql(
    `SELECT s.redemption_status, s.fulfilment, h.status, h.updated_at_ms
     FROM json_each(?) v JOIN gifts s ON s.order_id = v.value ->> 'orderId' AND s.sequence = v.value ->> 'sequence'
     LEFT JOIN shipments h USING (order_id, sequence) ORDER BY v.key`,
    JSON.stringify(gifts),
  ).all();
  return results.map((row) => JSON.stringify(row));
};

test.for(
  ([...SHIPMENT_STEPS, "ship with codes"] as const).flatMap((what) =>
    (["physical", "digital"] as const).map((delivery) => [what, delivery] as const),
  ),
)("the plan to %s: %s gifts have the outcomes of the change", async ([what, delivery]) => {
  const step = what === "ship with codes" ? "ship" : what;
  const gifts = await importAll(simpleProduct({ delivery }));
  const tracking = step === "correct" ? { carrier: "Post", trackingNumber: "1" } : {};
  const coded = gifts.map((gift) => ({
    ...gift,
    content: readContent({ code: crypto.randomUUID() }),
  }));
  if (step !== what) await sealCodes(env, coded, NOW);
  const requested = coded.map((gift) => ({ ...gift, ...tracking, problem: "lost" as const }));
  const before = await rowsOf(requested);
  const planned = await planShipments(env.DB, step, requested, { clientId: null });
  const request = { clientId: null, requestId: crypto.randomUUID(), nowMs: NOW };
  const done = await changeShipments(env.DB, step, requested, request);
  const after = await rowsOf(requested);
  const outcomeOf = ({ result, ...rest }: (typeof done)[number]) =>
    "reason" in rest ? rest.reason : result;
  expect(planned.map(outcomeOf)).toEqual(done.map(outcomeOf));
  const changed = after.map((row, n) => row !== before[n]);
  expect(done.map(({ result }) => result !== "refused" && result !== "unchanged")).toEqual(changed);
});

test("a gift is redeemed if and only if its state is open", async () => {
  const product = simpleProduct({}, { quantity: null });
  const { id: productId } = product.product;
  const gifts = await importAll(product, [null, NOW - HOUR_MS]);
  const redemption = {
    productId,
    variationId: null,
    revision: await revisionOf(productId),
    corrections: {},
    address: undefined,
    notes: undefined,
    email: undefined,
    nowMs: NOW,
    isDigital: false,
  };
  for (const key of gifts) {
    const gift = await requireGiftToChange(env.DB, { ...key, ...NO_CLIENT });
    const isLinked = gift.linkNonce !== null;
    const link = { ...key, nonce: NONCE, generation: 0 };
    const redemptionId = crypto.randomUUID();
    const { view } = await writeRedemption(env.DB, link, { ...redemption, redemptionId }, {});
    const isRedeemed = view?.gift.redemptionId === redemptionId;
    expect(isRedeemed, JSON.stringify(gift)).toBe(isLinked && presentState(gift, NOW) === "open");
  }
});

test("a cancellation ends exactly the gifts without an obstacle, and otherwise is refused", async () => {
  const gifts = await importAll(simpleProduct({}, { quantity: null }));
  for (const [n, { orderId, sequence }] of gifts.entries()) {
    const order = await requireOrderState(env.DB, operatorKey(orderId));
    const obstacle = order.gifts.find((gift) => gift.sequence === sequence)?.obstacle;
    const waiver = {
      withRedeemed: n % 2 === 0,
      undelivered: n % 3 === 0 ? { restocks: false, keepsShipping: true } : undefined,
    };
    const giftIds = [toGiftId(orderId, sequence)];
    const request = { ...waiver, giftIds, requestId: crypto.randomUUID(), nowMs: NOW };
    const outcome = await cancel(env.DB, { ...operatorKey(orderId), ...request }).catch(
      (error: unknown) => (error as ApiError).code,
    );
    const result = typeof outcome === "string" ? outcome : outcome.changed;
    const mayEnd = obstacle === null || (obstacle && waivedBy(waiver).includes(obstacle));
    const expected = obstacle === "ended" ? false : mayEnd || "not_cancellable";
    expect([orderId, sequence, result]).toEqual([orderId, sequence, expected]);
    const isOver = order.status === "failed" || (order.status === "cancieled" && obstacle === null);
    expect(isOver && result === true).toBe(false);
  }
});
