// An order as operators see it: its gifts with their state, product and shipment.
import { readEmails } from "../../features/orders/email-queries.ts";
import { operatorsStateOf } from "../../features/lifecycle/gift-state.ts";
import { findClientAndExpiry } from "../orders/queries.ts";
import { findOrder } from "../../features/orders/queries.ts";
import { readGiftDetails } from "./order-view-queries.ts";

export type OrderView = NonNullable<Awaited<ReturnType<typeof readOrderView>>>;

/** The order, or null. Two round trips. The rows read are linear in its gifts and their e-mails. */
export async function readOrderView(d1: D1Database, orderId: number, nowMs: number) {
  const columns = await findClientAndExpiry(d1, orderId);
  if (!columns) return null;
  const [found, details, emails] = await Promise.all([
    findOrder(d1, columns.clientId, { id: orderId }),
    readGiftDetails(d1, orderId),
    readEmails(d1, { orderId, sequence: null }),
  ]);
  if (!found) return null;
  return {
    ...columns,
    ...found,
    emails,
    /** The name of the order's product. Null for an order without recipients. */
    offeredName: details[0]?.offeredName ?? null,
    /** In the order of `subOrders`. The state is `declined`, `shipped` or `to ship`, for example. */
    gifts: details.map((gift) => ({ ...gift, state: operatorsStateOf(gift, nowMs) })),
  };
}
