// A change plans the next e-mail of a gift in its transaction, so a Worker that is killed afterwards leaves the right plan.
import { ADDRESS_RULES } from "../../../src/operator/address-rules.ts";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { suborderId } from "../../../src/core/values/ids.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { requestInvitation } from "../../../src/features/email/request.ts";
import { correct } from "../../../src/features/lifecycle/correct.ts";
import { extend, extendGift } from "../../../src/features/lifecycle/extend.ts";
import { renew } from "../../../src/features/lifecycle/renew.ts";
import { overriding } from "../../support/counting.ts";
import { emailService, MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { createClient, simpleProduct } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

beforeEach(resetOutbox);

const worker = startWorker({ env: MAILING });
const NOW = Date.now();
const day = (days: number) => new Date(NOW + days * DAY_MS).toISOString().slice(0, 10);

/** A database that is lost after its first batch. */
function lostAfterBatch(): D1Database {
  let batches = 0;
  const lose = () => {
    throw new Error("killed");
  };
  return overriding(env.DB, {
    batch: (all: D1PreparedStatement[]) => (++batches > 1 ? lose() : env.DB.batch(all)),
    prepare: (text: string) => (batches > 0 ? lose() : env.DB.prepare(text)),
  });
}

const keyOf = (orderId: number) => ({ orderId, sequence: 1, clientId: null });
const emailOf = (orderId: number) => `${String(orderId)}@example.com`;

const CHANGES: Record<string, (db: D1Database, id: number) => Promise<unknown>> = {
  "sent later": (db, id) =>
    requestInvitation(db, keyOf(id), { sendAtMs: NOW + 3 * DAY_MS, nowMs: NOW }),
  renewed: (db, id) => renew(db, { ...keyOf(id), replaced: null, email: emailOf(id), nowMs: NOW }),
  corrected: (db, id) =>
    correct(
      db,
      { clientId: null, nowMs: NOW, addresses: ADDRESS_RULES },
      { suborder_id: suborderId(id, 1), email: emailOf(id) },
    ),
  "extended with its order": (db, id) => extend(db, { orderId: id, clientId: null }, day(12), NOW),
  "left without a last day": (db, id) => extend(db, { orderId: id, clientId: null }, null, NOW),
  extended: (db, id) => extendGift(db, keyOf(id), day(12), NOW),
};
const STATES = ["waiting", "invited", "redeemed", "unpaid"] as const;

/** Two gifts in each state, for which the outbox has run. */
async function placeAll() {
  const product = simpleProduct({}, { quantity: null });
  const open = (billing: "credit" | "invoice") => createClient({ products: [product], billing });
  const clients = { credit: await open("credit"), invoice: await open("invoice") };
  const placed = [];
  for (const state of STATES.flatMap((each) => [each, each])) {
    const client = clients[state === "unpaid" ? "invoice" : "credit"];
    const send_at = new Date(NOW + (state === "waiting" ? DAY_MS : 0)).toISOString();
    const options = { redeem_by: day(30), send_at };
    const { orderId, gifts } = await placeGifts(worker, { client, product }, 1, options);
    placed.push({ state, client, orderId, gift: gifts[0] });
  }
  await runOutbox();
  for (const { state, client, gift } of placed) {
    const body = { suborder_id: gift?.suborder_id };
    if (state === "redeemed") await worker.post(client, "/api/sandbox/redeem-gift", body);
  }
  return placed;
}

test.each(Object.entries(CHANGES))("a gift in any state that is %s", async (_, change) => {
  const placed = await placeAll();
  // The second gift of each state loses the database after the first batch.
  for (const [index, { orderId }] of placed.entries()) {
    await change(index % 2 === 0 ? env.DB : lostAfterBatch(), orderId).catch(String);
  }
  const service = emailService();
  await runOutbox({ service });
  const outcomes = placed.map(async ({ state, orderId, gift }) => {
    const plan = "SELECT next_email, next_email_ms FROM sub_orders WHERE order_id = ?";
    const addresses = [gift?.email, emailOf(orderId)];
    const sent = service.sent.filter(({ to }) => addresses.includes(to)).length;
    return { state, sent, plan: await sql(plan, orderId).first() };
  });
  const all = await Promise.all(outcomes);
  const [complete, lost] = [0, 1].map((rest) => all.filter((_, index) => index % 2 === rest));
  expect(lost).toEqual(complete);
});
