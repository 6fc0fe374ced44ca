// A server that is killed while its cron handler expires gifts.
import { expect, test } from "vitest";
import { DAY_MS } from "../../src/core/values/time.ts";
import { callDemo, demoOrder } from "../servers/demo-gift.ts";
import { useDemoServer } from "../servers/demo-server.ts";
import { expectSound } from "../servers/sound.ts";

const ORDERS = 60;
const GIFTS = 3;
/** Every third order is due for a reminder, and the others for their expiry. */
const REMINDED = "CAST(substr(order_ref_id, 8) AS INTEGER) % 3 = 0";

const server = useDemoServer();

/** Places orders that are due. */
async function placeDueOrders(): Promise<void> {
  const redeem_by = new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 10);
  const references = Array.from({ length: ORDERS }, (_, n) => `expiry-${String(n)}`);
  await Promise.all(
    references.map((reference) =>
      callDemo(server, "/api/gift-link", demoOrder(reference, { redeem_by }, GIFTS)),
    ),
  );
  server.sql(
    `UPDATE orders SET created_at_ms = 0, next_expiry_check_ms = id,
       expires_at_ms = iif(${REMINDED}, ${String(Date.now() + 2 * DAY_MS)}, id)
     WHERE order_ref_id LIKE 'expiry-%'`,
  );
}

const eventsOfDue = () =>
  server.sql<{ due: number; events: number }>(
    `SELECT (SELECT count(*) FROM orders WHERE next_expiry_check_ms <= ${String(Date.now())}) AS due,
       (SELECT count(*) FROM events WHERE type IN ('gift.expired', 'gift.expiring')) AS events`,
  )[0];

/**
 * Runs the cron handler twice at once, as after a delay of the platform, and kills the server in the middle of an order,
 * when it has inserted this number of events.
 */
async function killAfter(events: number): Promise<void> {
  // The trigger holds the transaction, so that the moment does not depend on the speed of the machine.
  server.sql(
    `CREATE TRIGGER hold BEFORE INSERT ON events
     WHEN (SELECT count(*) FROM events WHERE type IN ('gift.expired', 'gift.expiring')) >= ${String(events)}
     BEGIN SELECT count(*) FROM events a, events b, events c, events d, events e, events f; END`,
  );
  const runs = [1, 2].map(() => server.cron().catch(() => undefined));
  const committed = events - (events % GIFTS);
  await expect.poll(() => eventsOfDue()?.events, { timeout: 120_000 }).toBe(committed);
  await server.kill();
  await Promise.all(runs);
  server.sql("DROP TRIGGER hold");
  await server.restart();
}

test("a server killed while many orders are due expires and reports each gift once", async () => {
  await placeDueOrders();
  for (const events of [10, 65, 131]) await killAfter(events);
  expect(eventsOfDue()).toEqual({ due: ORDERS - 43, events: 129 });
  while (eventsOfDue()?.due !== 0) expect((await server.cron()).status).toBe(200);

  const reported = server.sql<{ reminded: number; types: string; orders: number }>(
    `SELECT reminded, types, count(*) AS orders FROM (
       SELECT ${REMINDED} AS reminded, group_concat(e.type || ' ' || coalesce(e.gift_sequence, '')) AS types
       FROM orders o JOIN (SELECT * FROM events ORDER BY type, gift_sequence) e ON e.order_id = o.id
       WHERE order_ref_id LIKE 'expiry-%' AND e.type <> 'order.paid' GROUP BY o.id)
     GROUP BY reminded, types`,
  );
  expect(reported).toEqual([
    {
      reminded: 0,
      types: "gift.expired 1,gift.expired 2,gift.expired 3,order.cancelled ",
      orders: (ORDERS * 2) / 3,
    },
    {
      reminded: 1,
      types: "gift.expiring 1,gift.expiring 2,gift.expiring 3",
      orders: ORDERS / 3,
    },
  ]);
  await server.state.use(({ DB }) => expectSound(DB, { productId: 1001, quantity: 5_000 }));
});
