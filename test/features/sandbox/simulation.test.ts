// Simulation of a partner's tests: placements, cancellations, redemptions, the clock and credit, at the same time
// and with lost responses of the database. fast-check prints the seed if a property does not hold.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { lossyQueue } from "../../support/delivery.ts";
import { MAILING, runOutbox } from "../../support/emails.ts";
import { eventsOf } from "../../support/events.ts";
import { failingBatches, LOST, watchLog, type When } from "../../support/faults.ts";
import {
  brokenAccounts,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
  unique,
  openShop,
} from "../../support/fixtures.ts";
import { differencesOf } from "../../support/invariants.ts";
import { runs } from "../../support/runs.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const CLOCK = ["P1D", "P6D", "P15D"] as const;

const ACTION = fc.record({
  kind: fc.constantFrom(
    ...(["place", "place", "place", "cancel", "redeem", "ship", "clock", "credit"] as const),
  ),
  pick: fc.nat(5),
  loss: fc.option(fc.constantFrom<When>("before the commit", "after the commit"), { freq: 4 }),
});
type Action = typeof ACTION extends fc.Arbitrary<infer Value> ? Value : never;

const ROUNDS = fc.array(fc.array(ACTION, { minLength: 2, maxLength: 6 }), {
  minLength: 3,
  maxLength: 8,
});

/** Random rounds do not always accept a gift. */
const ACCEPTED: Action[][] = [
  [{ kind: "place", pick: 0, loss: null }],
  [{ kind: "redeem", pick: 0, loss: null }],
];

const QUANTITY = 200;

async function createWorld() {
  const { product, client } = await openShop(simpleProduct({}, { quantity: QUANTITY }), {
    creditMinor: 500_000,
  });
  return { product, client, prefix: `sandbox-${String(unique())}` };
}
type World = Awaited<ReturnType<typeof createWorld>>;

async function perform({ product, client, prefix }: World, action: Action): Promise<void> {
  const { kind, pick, loss } = action;
  const DB = loss ? failingBatches(new Error(LOST), loss, 1) : env.DB;
  const worker = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue, DB, ...MAILING } });
  const order_ref_id = `${prefix}-${String(pick)}`;
  const first = async () => {
    const { json } = await worker.get(client, `/api/order?order_ref_id=${order_ref_id}`);
    return Number(json.order_id ?? 0) * 1000 + 1;
  };
  const post = async (path: string, body: object) => {
    const { status, text } = await worker.post(client, `/api/${path}`, body);
    expect(status === 503 ? loss : null, text).toBe(status === 503 ? loss : null);
    expect(status, text).not.toBe(500);
  };
  switch (kind) {
    case "place":
      return post("gift-link", {
        ...orderOf(product, { order_ref_id, recipient_details: recipients(1 + (pick % 3)) }),
        redeem_by: new Date(Date.now() + 20 * DAY_MS).toISOString().slice(0, 10),
        ...(pick % 2 === 1 && { send_method: "email" }),
      });
    case "cancel":
      return post("order/cancel", { order_ref_id });
    case "redeem":
      return post("sandbox/event", { event: "gift.redeemed", suborder_id: await first() });
    case "ship":
      return post("sandbox/event", { event: "gift.shipped", suborder_id: await first() });
    case "clock":
      return post("sandbox/clock", { advance: CLOCK[pick % CLOCK.length] });
    case "credit":
      return post("sandbox/credit", { amount: "10.00", reference: String(pick) });
  }
}

/** The gifts that hold stock: open and redeemed ones. */
const SELECT_HELD = `
  SELECT count(*) AS held FROM gifts s JOIN orders o ON o.id = s.order_id
  WHERE s.product_id = ? AND coalesce(s.redemption_status, 'redeemed') = 'redeemed'
    AND (o.status = 'paid' OR s.redemption_status = 'redeemed')`;

/** The example in short runs, and always the same rounds, with each loss in each kind of action. */
const RUNS = runs(20) < 20 ? { numRuns: 2, seed: 332 } : { numRuns: 24 };

test("stock, credit, events and invariants hold after any tests of a partner", async () => {
  watchLog();
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  const kinds = new Set<string>();
  const tried = new Set<string>();
  await fc.assert(
    fc.asyncProperty(ROUNDS, async (rounds) => {
      const world = await createWorld();
      const { client, product } = world;
      for (const round of rounds) {
        for (const { kind, loss } of round) if (loss) tried.add(`${kind} ${loss}`);
        await Promise.all(round.map((action) => perform(world, action)));
        await runOutbox({}, { DB: env.DB });
        const { id } = product.product;
        const held = await sql(SELECT_HELD, id).first<number>("held");
        expect(await stockOf(id)).toBe(QUANTITY - Number(held));
      }
      expect(await brokenAccounts()).toEqual([]);
      expect(await differencesOf([client])).toEqual([]);
      const events = await eventsOf(client);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1));
      for (const { type } of events) kinds.add(type);
    }),
    { ...RUNS, endOnFailure: true, examples: [[ACCEPTED]] },
  );
  // Six kinds of actions, with each of the two losses.
  expect(tried.size).toBe(12);
  expect([...kinds]).toEqual(expect.arrayContaining(["order.paid", "gift.redeemed"]));
}, 240_000);
