// A gift's next e-mail is right although the Worker was killed between a change and planEmails().
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { suborderId } from "../../../src/core/values/ids.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { requestInvitation } from "../../../src/features/email/request.ts";
import { correct } from "../../../src/features/lifecycle/correct.ts";
import { extend, extendGift } from "../../../src/features/lifecycle/extend.ts";
import { replaceLink } from "../../../src/features/lifecycle/renew.ts";
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

const email = "other@example.com";
const keyOf = (orderId: number) => ({ orderId, sequence: 1, clientId: null, nowMs: NOW });
const link = { generation: null, nonce: null, firstName: null, lastName: null, email };

const CHANGES: Record<string, (db: D1Database, id: number) => Promise<unknown>> = {
  "sent later": (db, id) => requestInvitation(db, { ...keyOf(id), sendAtMs: NOW + 3 * DAY_MS }),
  renewed: (db, id) => replaceLink(db, { ...keyOf(id), ...link }),
  corrected: (db, id) => correct(db, keyOf(id), { suborder_id: suborderId(id, 1), email }),
  "extended with its order": (db, id) => extend(db, id, day(12), NOW),
  "left without a last day": (db, id) => extend(db, id, null, NOW),
  extended: (db, id) => extendGift(db, keyOf(id), day(12), NOW),
};
const STATES = ["waiting", "invited", "redeemed", "unpaid"];

test.each(STATES.flatMap((state) => Object.keys(CHANGES).map((change) => [state, change])))(
  "a gift that is %s and then %s",
  async (state, change) => {
    const product = simpleProduct({}, { quantity: null });
    const billing = state === "unpaid" ? "invoice" : "credit";
    const client = await createClient({ products: [product], billing });
    const send_at = new Date(NOW + (state === "waiting" ? DAY_MS : 0)).toISOString();

    const run = async (db: D1Database) => {
      const options = { redeem_by: day(30), send_at };
      const { orderId, gifts } = await placeGifts(worker, { client, product }, 1, options);
      await runOutbox();
      const gift = { suborder_id: gifts[0]?.suborder_id };
      if (state === "redeemed") await worker.post(client, "/api/sandbox/redeem-gift", gift);
      const result = await CHANGES[change]?.(db, orderId).catch(String);
      const service = emailService();
      await runOutbox({ service });
      const plan = "SELECT next_email, next_email_ms FROM sub_orders WHERE order_id = ?";
      return { result, plan: await sql(plan, orderId).first(), sent: service.sent.length };
    };
    const { plan, sent } = await run(env.DB);
    expect(await run(lostAfterBatch())).toMatchObject({ plan, sent });
  },
);
