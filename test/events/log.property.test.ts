// Property test of the event log: many clients' requests, operators' transitions, recipients' redemptions and lost
// responses at the same time. fast-check prints the seed if the property does not hold.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { transition, type Transition } from "../support/transition.ts";
import { overriding } from "../support/counting.ts";
import { LOST, watchLog, type When } from "../support/faults.ts";
import {
  brokenAccounts,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
  unique,
} from "../support/fixtures.ts";
import { accept } from "../support/gift.ts";
import { EventList, GiftLinkPlacement, Placement } from "../support/shapes.ts";
import { startWorker } from "../support/worker.ts";

interface Loss {
  when: When;
  /** The Worker tries three times. After three failures, the caller gets an error. */
  times: 1 | 3;
}

type Action = { loss: Loss | null; client: number; pick: number } & (
  | { kind: "place"; path: "/api/order" | "/api/gift-link"; qty: number }
  | { kind: "transition"; name: Transition }
  | { kind: "redeem"; another: boolean }
);

const LOSS = fc.option(
  fc.record<Loss>({
    when: fc.constantFrom("before the commit", "after the commit"),
    times: fc.constantFrom(1, 3),
  }),
  { freq: 3 },
);
const COMMON = { loss: LOSS, client: fc.nat(2), pick: fc.nat(9) };

/** Half of the references are used more than once, for replays and for conflicts. */
const ACTION: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...COMMON,
      kind: fc.constant("place" as const),
      path: fc.constantFrom("/api/order" as const, "/api/gift-link" as const),
      qty: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...COMMON,
      kind: fc.constant("transition" as const),
      name: fc.constantFrom<Transition>("pay", "pay", "fail", "fail", "cancel"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...COMMON,
      kind: fc.constant("redeem" as const),
      another: fc.boolean(),
    }),
  },
);

/** Rounds of actions. The actions of a round run at the same time. */
const ROUNDS = fc.array(fc.array(ACTION, { minLength: 4, maxLength: 10 }), {
  minLength: 3,
  maxLength: 5,
});

const gifts = { kind: "place", path: "/api/gift-link", qty: 2, loss: null } as const;

/** Actions that run one after another and cause each type of event. */
const EVERY_TYPE: Action[][] = [
  [{ ...gifts, client: 2, pick: 0 }],
  [{ kind: "redeem", another: true, loss: null, client: 2, pick: 0 }],
  [{ kind: "transition", name: "cancel", loss: null, client: 2, pick: 0 }],
  [{ ...gifts, client: 1, pick: 0 }],
  [{ kind: "transition", name: "fail", loss: null, client: 1, pick: 1 }],
];

/** D1 whose batches fail, except the first `skipped`. `last` is the result of the last batch that was executed. */
function losing(loss: Loss | null, skipped: number) {
  let calls = 0;
  const seen: { last?: D1Result[] } = {};
  const DB = overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      calls += 1;
      const fails = loss !== null && calls > skipped && calls <= skipped + loss.times;
      if (fails && loss.when === "before the commit") throw new Error(LOST);
      seen.last = await env.DB.batch(statements);
      if (fails) throw new Error(LOST);
      return seen.last;
    },
  });
  return { DB, seen };
}

/** The clients of the test, and its observations. */
interface World {
  clients: TestClient[];
  product: TestProduct;
  another: TestProduct;
  prefix: string;
  orderIds: Set<number>;
  /** The orders that became paid by a transition. */
  paidLater: Set<number>;
  giftPaths: Set<string>;
}

async function createWorld(): Promise<World> {
  const product = simpleProduct({}, { quantity: 40 });
  const another = simpleProduct({ priceMinor: 2000 }, { quantity: 3 });
  const products = [product, another];
  return {
    product,
    another,
    clients: [
      // The credit suffices for some of the orders.
      await createClient({ products, creditMinor: 40_000 }),
      await createClient({ products, billing: "invoice" }),
      await createClient({ products }),
    ],
    prefix: `log-${String(unique())}`,
    orderIds: new Set(),
    paidLater: new Set(),
    giftPaths: new Set(),
  };
}

const pickFrom = <T>(values: Set<T>, pick: number) => [...values][pick % Math.max(values.size, 1)];

async function perform(world: World, action: Action): Promise<void> {
  const client = world.clients[action.client] as TestClient;
  if (action.kind === "place") {
    const { DB } = losing(action.loss, 0);
    const answer = await startWorker({ env: { DB } }).post(
      client,
      action.path,
      orderOf(world.product, {
        order_ref_id: `${world.prefix}-${String(action.pick)}`,
        gift_of_choice: "Y",
        recipient_details: recipients(action.qty),
      }),
    );
    if (answer.status !== 200) return;
    const gifts = GiftLinkPlacement.safeParse(answer.json);
    const { order_data } = gifts.success ? gifts.data : Placement.parse(answer.json);
    world.orderIds.add(order_data.order_id);
    for (const { gift_url } of gifts.data?.recipient_return ?? []) {
      world.giftPaths.add(new URL(gift_url).pathname);
    }
  } else if (action.kind === "transition") {
    const orderId = pickFrom(world.orderIds, action.pick);
    if (orderId === undefined) return;
    const { DB, seen } = losing(action.loss, 0);
    await transition(DB, orderId, action.name, Date.now()).catch(() => undefined);
    const changed = seen.last?.at(-2)?.meta.changes === 1;
    if (changed && action.name === "pay") world.paidLater.add(orderId);
  } else {
    const path = pickFrom(world.giftPaths, action.pick);
    if (path === undefined) return;
    // The first batch of a redemption reads the gift.
    const { DB } = losing(action.loss, 1);
    const fields = action.another ? { product_id: String(world.another.product.id) } : {};
    await accept(startWorker({ env: { DB } }), path, fields);
  }
}

type FeedEvent = EventList["events"][number];

async function readPage(client: TestClient, after: number, limit: number) {
  const query = `after=${String(after)}&limit=${String(limit)}`;
  const answer = await startWorker().get(client, `/api/events?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return EventList.parse(answer.json);
}

/** Reads the feed in small pages while `writing()` is true, and then to its end. */
async function follow(client: TestClient, writing: () => boolean): Promise<FeedEvent[]> {
  const seen: FeedEvent[] = [];
  for (let after = 0, polls = 0; ; polls++) {
    const last = !writing();
    const page = await readPage(client, after, 1 + (polls % 4));
    seen.push(...page.events);
    after = page.next_after;
    if (last && !page.has_more) return seen;
    // Without a pause, the readers delay the writers until the test ends.
    await scheduler.wait(polls % 7);
  }
}

interface OrderFacts {
  id: number;
  client_id: string;
  order_ref_id: string;
  status: string;
  debit_sequence: number | null;
  order_total_minor: number;
  qty: number;
  redeemed_gifts: number;
  cancelled_gifts: number;
  updated_at_ms: number | null;
  created_at_ms: number;
}

interface SubOrderFacts {
  sequence: number;
  redemption_status: string | null;
  product_id: number;
}

async function factsOf(clientId: string) {
  const { results } = await env.DB.prepare("SELECT * FROM orders WHERE client_id = ? ORDER BY id")
    .bind(clientId)
    .all<OrderFacts>();
  return Promise.all(
    results.map(async (order) => {
      const subOrders = await env.DB.prepare(
        "SELECT sequence, redemption_status, product_id FROM sub_orders WHERE order_id = ?",
      )
        .bind(order.id)
        .all<SubOrderFacts>();
      return { order, subOrders: subOrders.results };
    }),
  );
}

/** Checks an order's events and columns against its state and its sub-orders. */
function checkOrder(
  { paidLater }: World,
  { order, subOrders }: Awaited<ReturnType<typeof factsOf>>[number],
  events: FeedEvent[],
): void {
  const withStatus = (status: string) =>
    subOrders.filter(({ redemption_status }) => redemption_status === status);
  const [redeemed, cancelled] = [withStatus("redeemed"), withStatus("cancelled")];
  const ended = { failed: "order.failed", cancieled: "order.cancelled" }[order.status];
  expect(events.map(({ type }) => type)).toEqual([
    order.debit_sequence === null ? "order.created" : "order.paid",
    ...(paidLater.has(order.id) ? ["order.paid"] : []),
    ...redeemed.map(() => "gift.redeemed"),
    ...(ended ? [ended] : []),
  ]);
  expect(events.every(({ order_ref_id }) => order_ref_id === order.order_ref_id)).toBe(true);
  const gifts = events.flatMap((event) =>
    event.type === "gift.redeemed" ? [[event.suborder_id, event.data.product_id]] : [],
  );
  expect(gifts.sort()).toEqual(
    redeemed.map(({ sequence, product_id }) => [order.id * 1000 + sequence, product_id]).sort(),
  );
  const end = events.find((event) => ended === event.type);
  if (end) {
    const refundMinor =
      order.debit_sequence === null
        ? 0
        : Math.floor((order.order_total_minor * cancelled.length) / order.qty);
    expect(end.data).toMatchObject({
      cancelled_count: cancelled.length,
      refund: (refundMinor / 100).toFixed(2),
    });
  }
  expect([order.redeemed_gifts, order.cancelled_gifts]).toEqual([
    redeemed.length,
    cancelled.length,
  ]);
  const changes = events.slice(1).map(({ created_at }) => Date.parse(created_at));
  expect(order.updated_at_ms).toBe(changes.length > 0 ? Math.max(...changes) : null);
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("the feed has one event for each change, in order and without gaps, and readers see each exactly once", async () => {
  watchLog();
  const types: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(ROUNDS, async (rounds) => {
      const world = await createWorld();
      let writing = true;
      const readers = world.clients.map((client) => follow(client, () => writing));
      try {
        for (const round of rounds) {
          await Promise.all(round.map((action) => perform(world, action)));
        }
      } finally {
        writing = false;
      }
      const seen = await Promise.all(readers);

      for (const [index, client] of world.clients.entries()) {
        const { events, has_more } = await readPage(client, 0, 500);
        expect(has_more).toBe(false);
        expect(seen[index]).toEqual(events);
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1));
        const facts = await factsOf(client.clientId);
        for (const fact of facts) {
          const own = events.filter(({ order_id }) => order_id === fact.order.id);
          checkOrder(world, fact, own);
        }
        // There are no events about other orders.
        const ids = new Set(facts.map(({ order }) => order.id));
        expect(events.filter(({ order_id }) => !ids.has(order_id ?? 0))).toEqual([]);
        for (const { type } of events) types[type] = (types[type] ?? 0) + 1;
      }
      expect(await brokenAccounts()).toEqual([]);
    }),
    { numRuns: 10, endOnFailure: true, examples: [[EVERY_TYPE]] },
  );
  // All types have occurred.
  expect(Object.keys(types).sort()).toEqual([
    "gift.redeemed",
    "order.cancelled",
    "order.created",
    "order.failed",
    "order.paid",
  ]);
}, 120_000);
