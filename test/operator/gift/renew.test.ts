// The operation `gift renew`.
import { expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { openConsole } from "../../console/console.ts";
import { MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { openShop, recipients, simpleProduct } from "../../support/fixtures.ts";
import { createGift, decline } from "../../support/gift.ts";
import { lastChange } from "../../support/invoiced-orders.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();

const api = await openOperatorApi(["support"], await openConsole({ env: MAILING }));

const newGift = async (count = 1) => {
  const details = { recipient_details: recipients(count) };
  const created = await createGift(worker, [simpleProduct()], details);
  return { ...created, gift: toGiftNumber(created.orderId, 1) };
};

test("shows a new link once, corrects the address, and stores neither in the audit log", async () => {
  const { gift, orderId, path } = await newGift();
  const input = { gift, email: "New@example.com" };
  const requestId = crypto.randomUUID();
  const { facts } = await api.run("gift renew", input, requestId);
  const url = new URL(facts["link"] as string);
  expect((await worker.fetch(url.pathname)).status).toBe(200);
  expect((await worker.fetch(path)).status).not.toBe(200);
  const email = sql("SELECT email FROM gifts WHERE order_id = ?", orderId).first("email");
  expect(await email).toBe("New@example.com");
  const entry = await lastChange(orderId);
  expect(entry).toMatchObject({ action: "gift renew", subject: gift });
  expect(JSON.stringify(entry)).not.toMatch(/redeem\/|new@example/i);
});

test("invites the recipient at the new address after a bounce", async () => {
  await resetOutbox();
  const { orderId } = await placeGifts(startWorker({ env: MAILING }), await openShop());
  await runOutbox();
  await sql("UPDATE gifts SET emails_stopped = 'bounced' WHERE order_id = ?", orderId).run();
  await sql("UPDATE emails SET status = 'bounced' WHERE order_id = ?", orderId).run();
  const gift = toGiftNumber(orderId, 1);
  await api.run("gift renew", { gift, email: "right@example.com" });
  const { facts } = await api.view("gift show", { gift });
  expect(facts).toMatchObject({ email: "right@example.com", next_email: "invitation" });
  expect(facts["no_emails_because"]).toBeUndefined();
});

test("does not renew a link twice for one request, or two confirmations of one plan", async () => {
  const { gift } = await newGift();
  const { digest } = await api.plan("gift renew", { gift });
  const send = (request_id: string) => api.call("gift renew", { gift }, { digest, request_id });
  const id = crypto.randomUUID();
  expect((await send(id)).status).toBe(200);
  const again = await send(id);
  expect(JSON.parse(again.html).repeated).toEqual([`gift ${gift}`]);
  expect(again.html).not.toContain("/redeem/");
  expect((await send(crypto.randomUUID())).status).toBe(409);
  const { lists } = await api.view("gift show", { gift });
  expect(
    lists["timeline"]?.filter(({ what }) => /replaced/.test(JSON.stringify(what))),
  ).toHaveLength(1);
});

test("refuses gifts that have ended or do not exist, and links of another secret", async () => {
  const { gift, orderId, path } = await newGift(2);
  await decline(worker, path);
  expect(await api.refusal("gift renew", { gift })).toMatchObject({ status: 409 });
  const missing = toGiftNumber(orderId, 3);
  expect(await api.refusal("gift renew", { gift: missing })).toMatchObject({ status: 404 });
  await sql("UPDATE orders SET link_key_id = 'other' WHERE id = ?", orderId).run();
  const other = await api.refusal("gift renew", { gift: toGiftNumber(orderId, 2) });
  expect(other).toMatchObject({ status: 409 });
});
