// A server that is killed while its cron handler expires gifts.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { DAY_MS } from "../../src/core/values/time.ts";
import { callDemo, demoOrder } from "../servers/demo-gift.ts";
import { useDemoServer } from "../servers/demo-server.ts";

const PRODUCT_ID = 1001;
const ORDERS = 240;
const GIFTS = 3;
/** Every third order is due for a reminder, and the others for their expiry. */
const isReminder = (n: number) => n % 3 === 0;
const MAX_KILLS = 6;

const server = useDemoServer();

async function placeOrder(n: number): Promise<number> {
  const redeem_by = new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 10);
  const order = demoOrder(`expiry-${String(n)}`, { redeem_by }, GIFTS);
  const { order_data } = await callDemo<{ order_data: { order_id: number } }>(
    server,
    "/api/gift-link",
    order,
  );
  return order_data.order_id;
}

/** The number of due orders, the stock, the balance, and for each order the numbers of its events by type. */
async function readState(DB: D1Database) {
  const number = async (sql: string) => Number(await DB.prepare(sql).first<number>("n"));
  const account = "client_id = 'demo' AND currency = 'AUD'";
  const { results: events } = await DB.prepare(
    `SELECT order_id AS orderId, type, count(*) AS n, count(DISTINCT suborder_sequence) AS gifts
     FROM events WHERE client_id = 'demo' AND type <> 'order.paid' GROUP BY order_id, type`,
  ).all<{ orderId: number; type: string; n: number; gifts: number }>();
  return {
    due: await number(
      `SELECT count(*) AS n FROM orders WHERE next_expiry_check_ms <= ${String(Date.now())}`,
    ),
    stock: await number(`SELECT quantity AS n FROM stock WHERE product_id = ${String(PRODUCT_ID)}`),
    balanceMinor: await number(`SELECT balance_minor AS n FROM credit_accounts WHERE ${account}`),
    ledgerMinor: await number(`SELECT sum(amount_minor) AS n FROM credit_entries WHERE ${account}`),
    totalMinor: await number("SELECT max(order_total_minor) AS n FROM orders WHERE qty = 3"),
    missingEvents: await number(
      "SELECT max(sequence) - count(*) AS n FROM events WHERE client_id = 'demo'",
    ),
    events,
  };
}

test(
  "a server killed while many orders are due expires and reports each gift once",
  { timeout: 900_000 },
  async () => {
    await server.kill();
    const before = await server.state.use(({ DB }) => readState(DB));
    await server.restart();
    const ids: number[] = [];
    for (let n = 0; n < ORDERS; n++) ids.push(await placeOrder(n));
    await server.kill();
    await server.state.use(({ DB }) =>
      DB.batch(
        ids.map((id, n) =>
          DB.prepare(
            "UPDATE orders SET created_at_ms = 0, next_expiry_check_ms = ?, expires_at_ms = ? WHERE id = ?",
          ).bind(n + 1, isReminder(n) ? Date.now() + 2 * DAY_MS : n + 1, id),
        ),
      ),
    );

    const leftAtKills: number[] = [];
    for (let kill = 0; kill < MAX_KILLS; kill++) {
      await server.restart();
      // Two runs at once, as after a delay of the platform.
      const runs = [1, 2].map(() =>
        fetch(`${server.url}/cdn-cgi/handler/scheduled`).catch(() => undefined),
      );
      await sleep(60 + 90 * kill);
      await server.kill();
      await Promise.all(runs);
      leftAtKills.push((await server.state.use(({ DB }) => readState(DB))).due);
    }
    // The process was killed during the work, not only before or after it.
    expect(leftAtKills.some((left) => left > 0 && left < ORDERS)).toBe(true);

    await server.restart();
    for (let run = 0; run < ORDERS / 80 + 1; run++) {
      const response = await fetch(`${server.url}/cdn-cgi/handler/scheduled`);
      expect(response.status).toBe(200);
    }
    await server.kill();
    const after = await server.state.use(({ DB }) => readState(DB));
    await server.restart();

    expect(after.due).toBe(0);
    const counted = (id: number) =>
      after.events
        .filter(({ orderId }) => orderId === id)
        .map(({ type, n, gifts }) => `${type} ${String(n)} ${String(gifts)}`)
        .sort();
    for (const [n, id] of ids.entries()) {
      expect(counted(id)).toEqual(
        isReminder(n) ? ["gift.expiring 3 3"] : ["gift.expired 3 3", "order.cancelled 1 0"],
      );
    }
    const open = ids.filter((_, n) => isReminder(n)).length;
    expect(after.stock).toBe(before.stock - open * GIFTS);
    expect(after.balanceMinor).toBe(before.balanceMinor - open * after.totalMinor);
    expect(after.ledgerMinor).toBe(after.balanceMinor);
    expect(after.missingEvents).toBe(0);
  },
);
