// Orders of clients on invoice.
import { env } from "cloudflare:workers";
import { orderNumber } from "../../src/core/values/ids.ts";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { createClient, orderOf, recipients, simpleProduct } from "./fixtures.ts";
import { placeOrder } from "./orders.ts";
import { sql } from "./sql.ts";
import { startWorker } from "./worker.ts";
import { requireOrder } from "../../src/operator/order/queries.ts";

/** Unpaid orders of a new client, each of `gifts` gifts for 31.20 AUD each. */
export async function invoicedOrders(count = 1, gifts = 1) {
  const product = simpleProduct({}, { quantity: 1_000 });
  const client = await createClient({ products: [product], billing: "invoice", creditMinor: 0 });
  const orders: { id: number; number: string; reference: string }[] = [];
  for (let n = 0; n < count; n++) {
    const body = orderOf(product, { recipient_details: recipients(gifts) });
    const { order_data } = await placeOrder(startWorker(), client, body);
    const id = order_data.order_id;
    orders.push({ id, number: orderNumber(id), reference: body.order_ref_id });
  }
  const [first = { id: 0, number: "", reference: "" }] = orders;
  return { client, product, orders, ...first };
}

export const stateOf = async (orderId: number) => {
  const { status, owedMinor } = await requireOrder(env.DB, orderId);
  return { status, owedMinor };
};

/** The kinds, amounts and references of the client's entries, oldest first. */
export async function entriesOf(clientId: string) {
  const { results } = await sql(
    "SELECT kind, amount_minor, reference FROM invoice_entries WHERE client_id = ? ORDER BY sequence",
    clientId,
  ).all();
  return results.map((row) => Object.values(row));
}

/** The latest entry of the order in the audit log. */
export const lastChange = async (orderId: number) =>
  (await listAudit(env.DB, { orderId, kind: "changes", limit: 1 }))[0];
