// Keeps a copy of your orders in SQLite, with the event feed. Each page of events and the new position are saved in one
// transaction, so the program may be killed at any point. Run it again, and it continues at the saved position. After a
// restore of Regalo's database, it deletes the copy and reads the feed from the beginning.
import type { DatabaseSync } from "node:sqlite";
import { type Account, createClient, type Schemas } from "../packages/client/src/index.ts";

type Event = Schemas["Event"];

export interface SyncSettings extends Account {
  database: DatabaseSync;
  /** Events in a request, at most 500. */
  limit?: number;
  /** Called after a page was saved, with the new position. */
  onSaved?: (position: number) => void;
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS position (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    after INTEGER NOT NULL,
    -- The sequence of the last data.restored for which the copy was deleted.
    restored INTEGER NOT NULL
  );
  INSERT OR IGNORE INTO position (id, after, restored) VALUES (1, 0, 0);
  CREATE TABLE IF NOT EXISTS orders (
    order_id INTEGER PRIMARY KEY,
    -- Null for orders of Regalo's online store.
    order_ref_id TEXT,
    order_status TEXT NOT NULL,
    currency TEXT NOT NULL,
    order_total TEXT NOT NULL,
    refunded_minor INTEGER NOT NULL DEFAULT 0,
    recipient_count INTEGER NOT NULL,
    redeem_by TEXT
  );
  -- The gifts that are redeemed, cancelled or expired.
  CREATE TABLE IF NOT EXISTS gifts (
    suborder_id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL,
    redemption_status TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS gifts_by_order ON gifts (order_id, redemption_status);
  CREATE VIEW IF NOT EXISTS counted_orders AS
    SELECT o.*, count(*) FILTER (WHERE g.redemption_status = 'redeemed') AS redeemed_count,
      count(*) FILTER (WHERE g.redemption_status = 'cancelled') AS cancelled_count,
      count(*) FILTER (WHERE g.redemption_status = 'expired') AS expired_count
    FROM orders o LEFT JOIN gifts g USING (order_id) GROUP BY o.order_id;`;

/** Reads the feed from the saved position to its end. The first run starts at the beginning. */
export async function syncOrders({ database, limit = 500, ...account }: SyncSettings) {
  const regalo = createClient(account);
  // Only one process at a time may sync. Others wait for the lock.
  database.exec(`PRAGMA busy_timeout = 5000; ${TABLES}`);

  for (;;) {
    const { after, restored } = database
      .prepare("SELECT after, restored FROM position")
      .get() as unknown as { after: number; restored: number };
    const { events, next_after, has_more } = await regalo.get("/api/events", { after, limit });
    const restore = findRestore(after, restored, events);
    const position = restore ? 0 : next_after;
    database.exec("BEGIN IMMEDIATE");
    try {
      const moved = database
        .prepare("UPDATE position SET after = ?, restored = ? WHERE after = ? AND restored = ?")
        .run(position, restore?.sequence ?? restored, after, restored);
      // If another process has saved this page, its events must not be counted again.
      if (moved.changes === 1) {
        if (restore) database.exec("DELETE FROM orders; DELETE FROM gifts");
        else for (const event of events) applyEvent(database, event);
      }
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
    account.onSaved?.(position);
    if (!has_more && !restore) return;
  }
}

/**
 * The first `data.restored` after which the copy may contain events that a restore of Regalo's database has undone,
 * because the event before it is not the last valid one. Each one is returned once, so that the copy ends. `after` is
 * the position before the page.
 */
function findRestore(after: number, restored: number, events: Event[]): Event | undefined {
  return events.find(({ type, sequence, data }, index) => {
    const previous = events[index - 1]?.sequence ?? after;
    return type === "data.restored" && sequence > restored && previous > (data.last_sequence ?? 0);
  });
}

/** Sets what the event's data contains. It does not depend on the type of the event, because types may be added. */
function applyEvent(database: DatabaseSync, event: Event): void {
  const { order_id, order_ref_id, suborder_id, data } = event;
  if (data.order_status !== undefined) {
    database
      .prepare(
        `INSERT INTO orders
           (order_id, order_ref_id, order_status, currency, order_total, recipient_count)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (order_id) DO UPDATE SET order_status = excluded.order_status`,
      )
      .run(
        order_id,
        order_ref_id,
        data.order_status,
        data.currency ?? null,
        data.order_total ?? null,
        data.recipient_count ?? null,
      );
  }
  // A single gift can have another last day than its order.
  if (data.redeem_by !== undefined && suborder_id === null) {
    database
      .prepare("UPDATE orders SET redeem_by = ? WHERE order_id = ?")
      .run(data.redeem_by, order_id);
  }
  if (data.refund !== undefined) {
    database
      .prepare("UPDATE orders SET refunded_minor = refunded_minor + ? WHERE order_id = ?")
      // The amount has all decimals of its currency, so its digits are its minor units.
      .run(Number(data.refund.replace(".", "")), order_id);
  }
  const setGift = database.prepare(
    `INSERT INTO gifts (suborder_id, order_id, redemption_status) VALUES (?, ?, ?)
     ON CONFLICT (suborder_id) DO UPDATE SET redemption_status = excluded.redemption_status`,
  );
  if (data.redemption_status !== undefined)
    setGift.run(suborder_id, order_id, data.redemption_status);
  // An order that was cancelled or has failed lists the gifts that ended with it.
  for (const id of data.suborder_ids ?? []) setGift.run(id, order_id, "cancelled");
}
