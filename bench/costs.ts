// Counts the resources of one request of each kind, and calculates the cost of a million of them.
import { startReceiver } from "../test/support/receiver.ts";
import type { Cases } from "./cases.ts";
import type { Call } from "./load.ts";
import type { Taken } from "./meter.ts";
import { DOLLARS_PER_MILLION } from "./prices.ts";

export interface Cost {
  /** The request, and whether the caches are warm or cold. */
  name: string;
  taken: Taken;
  queueOperations: number;
  /** For a million requests, without CPU time. */
  dollars: number;
  /** Another request of the same kind. */
  next?: () => Call;
}

/** A message is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3;

export async function measureCosts(prepared: Cases): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const { name, next } of prepared.cases) {
    const cold = await prepared.meter(next(), "cold");
    // Warm requests are the common case of a busy client: the isolate has cached its record and its data.
    await prepared.meter(next(), "warm");
    const warm = await prepared.meter(next(), "warm");
    costs.push({ name: `${name}, warm`, taken: warm, ...requestCost(warm), next });
    costs.push({ name: `${name}, cold`, taken: cold, ...requestCost(cold), next });
  }
  return [...costs, await measureDelivery(prepared), await measureEmail(prepared)];
}

/** The delivery of one event to one endpoint: its message, and the invocation that sends it. */
async function measureDelivery({ d1, clientId, meter }: Cases): Promise<Cost> {
  const receiver = await startReceiver();
  try {
    // The endpoint starts before the client's last event.
    const webhook = await d1
      .prepare(
        `INSERT INTO webhooks (client_id, url, secret_nonce, position, created_at_ms)
         SELECT ?1, ?2, 'nonce', max(sequence) - 1, 0 FROM events WHERE client_id = ?1 RETURNING id`,
      )
      .bind(clientId, `${receiver.url}/bench`)
      .first<{ id: number }>();
    const call = { path: `/deliver?webhook_id=${String(webhook?.id)}` };
    const taken = await meter(call, "warm");
    const queueOperations = OPERATIONS_PER_MESSAGE;
    const dollars =
      dollarsFor(taken) +
      DOLLARS_PER_MILLION.requests +
      DOLLARS_PER_MILLION.queueOperations * queueOperations;
    return { name: "an event, to one endpoint", taken, queueOperations, dollars };
  } finally {
    await receiver.close();
  }
}

/** The recipients of the measured order, and the largest batch of reports. */
const EMAILS = 100;

/** One of the e-mails of a large order, with the report that it was delivered. */
async function measureEmail({ placement, post, meter }: Cases): Promise<Cost> {
  const { path, body } = placement("/api/gift-link", EMAILS);
  const order = JSON.parse(String(body)) as object;
  await meter(post(path, { ...order, send_method: "email" }), "warm");
  const total = await meter({ path: "/emails" }, "warm");
  const share = (count: number) => Number((count / EMAILS).toPrecision(2));
  const [roundTrips, rowsRead] = [share(total.roundTrips), share(total.rowsRead)];
  const taken = { ...total, roundTrips, rowsRead, rowsWritten: share(total.rowsWritten) };
  // Each report is a message. All e-mails are sent in one invocation, and all reports are received in another one.
  const queueOperations = OPERATIONS_PER_MESSAGE;
  const { emails, requests, queueOperations: operations } = DOLLARS_PER_MILLION;
  const dollars = emails + dollarsFor(taken) + requests * share(2) + operations * queueOperations;
  return { name: "an e-mail, with its report", taken, queueOperations, dollars };
}

function requestCost(taken: Taken): Pick<Cost, "queueOperations" | "dollars"> {
  // Each request writes one log line.
  const { requests, logLines } = DOLLARS_PER_MILLION;
  return { queueOperations: 0, dollars: requests + logLines + dollarsFor(taken) };
}

/** The price of the storage operations. */
function dollarsFor(taken: Taken): number {
  return (
    DOLLARS_PER_MILLION.rowsRead * taken.rowsRead +
    DOLLARS_PER_MILLION.rowsWritten * taken.rowsWritten +
    DOLLARS_PER_MILLION.kvReads * taken.kvReads +
    DOLLARS_PER_MILLION.kvWrites * taken.kvWrites
  );
}

export const COST_COLUMNS = [
  "request",
  "D1 round trips",
  "rows read",
  "rows written",
  "KV reads",
  "KV writes",
  "queue operations",
  "$ a million",
];

/** The cells of the table row. */
export function costCells({ name, taken, queueOperations, dollars }: Cost): string[] {
  const { roundTrips, rowsRead, rowsWritten, kvReads, kvWrites } = taken;
  const counts = [roundTrips, rowsRead, rowsWritten, kvReads, kvWrites, queueOperations].map(
    String,
  );
  return [name, ...counts, dollars.toFixed(2)];
}
