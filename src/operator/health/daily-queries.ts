// What happened on a day, for the chart of the console.
import { batch, type Database, statement } from "../../platform/db/statement.ts";
import { lastEventBefore } from "../events/last-before.ts";

interface Day {
  fromMs: number;
  untilMs: number;
}

export interface DayTotals {
  orders: number;
  accepted: number;
  shipped: number;
  failedEmails: number;
}

// For each client, a range of the index orders_by_client.
const COUNT_ORDERS = statement<Day, Pick<DayTotals, "orders">>()`
  SELECT count(*) AS orders FROM clients c CROSS JOIN orders o
  ON o.client_id = c.id AND o.created_at_ms >= ${"fromMs"} AND o.created_at_ms < ${"untilMs"}`;

// For each client, the events of the day.
const COUNT_EVENTS = statement<Day, Omit<DayTotals, "orders">>()`
  SELECT count(*) FILTER (WHERE v.type = 'gift.redeemed') AS accepted,
    count(*) FILTER (WHERE v.type IN ('gift.shipped', 'gift.sent')) AS shipped,
    count(*) FILTER (WHERE v.type = 'gift.email_failed') AS failedEmails
  FROM clients c CROSS JOIN events v ON v.client_id = c.id
    AND v.sequence > ${lastEventBefore("fromMs")} AND v.sequence <= ${lastEventBefore("untilMs")}`;

/** The rows read are linear in the orders and the events of the day. One round trip. */
export async function countDay(db: Database, day: Day): Promise<DayTotals> {
  const { orders, events } = await batch(db, {
    orders: COUNT_ORDERS.bind(db, day),
    events: COUNT_EVENTS.bind(db, day),
  });
  const [ordered] = orders.results;
  const [happened] = events.results;
  if (!ordered || !happened) throw new Error("D1 returned no counts");
  return { ...ordered, ...happened };
}
