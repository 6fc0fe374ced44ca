// The operations that show, replace and withdraw codes.
import { expect, test } from "vitest";
import { addCodesTo, codeProduct, openShop, orderOf, stockOf } from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { placeOrder } from "../../support/orders.ts";
import { plannedKinds } from "../../support/emails.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { openOperatorApi } from "../operator-api.ts";
import { withCode, withCodes } from "../samples.ts";

const api = await openOperatorApi(["support", "fulfilment"]);
const reason = "Ticket 7";

/** The codes of the gift, the void ones first. */
const codesOf = async (orderId: number) =>
  (
    await sql(
      "SELECT void_reason AS reason FROM codes WHERE order_id = ? ORDER BY voided_at_ms IS NULL, id",
      orderId,
    ).all()
  ).results.map((row) => row["reason"]);

test("a code is shown with its reason, which is recorded before", async () => {
  const { client, product } = await openShop(codeProduct());
  const [code] = await addCodesTo(product, [{ pin: "0042", url: "https://shop.example/r" }]);
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product));
  const gift = toGiftNumber(order_data.order_id, 1);
  const { facts } = await api.view("code show", { gift, reason });
  expect(facts).toMatchObject({ code, pin: "0042", url: "https://shop.example/r", batch: "test" });
  const entry = sql(
    "SELECT actor, reason, after FROM audit_entries WHERE action = 'code show' AND order_id = ?",
    order_data.order_id,
  );
  expect(await entry.first()).toMatchObject({ reason, after: '{"read":"code"}' });
});

test("a code is replaced by a free one, which is mailed, with an event", async () => {
  const { orderId, gift, id } = await withCode();
  await api.run("code replace", { gift, reason });
  expect(await codesOf(orderId)).toEqual(["replaced", null]);
  expect(await stockOf(id)).toBe(1);
  const state = sql(
    `SELECT o.shipped_gifts, o.finished, s.fulfilment, (SELECT count(*) FROM events e
       WHERE e.order_id = o.id AND e.type = 'gift.sent') AS events
     FROM orders o JOIN gifts s ON s.order_id = o.id WHERE o.id = ?`,
    orderId,
  );
  const sent = { shipped_gifts: 1, finished: 1, fulfilment: "shipped", events: 2 };
  expect(await state.first()).toEqual(sent);
  expect(await plannedKinds(orderId)).toEqual(["code"]);
  await api.run("code replace", { gift, reason });
  const refused = await api.confirm("code replace", { gift, reason });
  expect([refused.status, await state.first()]).toEqual([409, { ...sent, events: 3 }]);
  expect(await codesOf(orderId)).toEqual(["replaced", "replaced", null]);
  expect(await stockOf(id)).toBe(0);
});

test("a code that was given with the shipment is not replaced from the stock", async () => {
  const { gift } = await withCode();
  expect((await api.view("gift show", { gift })).actions).toContain("code replace");
  await api.run("shipment reopen", { gift });
  await api.run("shipment ship", { gift: [gift], code: crypto.randomUUID() });
  expect((await api.view("gift show", { gift })).actions).not.toContain("code replace");
  expect((await api.refusal("code replace", { gift, reason })).status).toBe(409);
});

test("two operators replace a code once", async () => {
  const { orderId, gift } = await withCode();
  const answers = await api.confirmTwice("code replace", { gift, reason });
  expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  expect(await codesOf(orderId)).toEqual(["replaced", null]);
});

test("a gift that has got no code takes the one that is reserved for it", async () => {
  const worker = startWorker();
  const product = codeProduct();
  await openShop(product);
  await addCodesTo(product, 1);
  const { orderId, path } = await createGift(worker, [product]);
  await sql("UPDATE codes SET expires_at_ms = 1 WHERE product_id = ?", product.product.id).run();
  await accept(worker, path);
  expect(await codesOf(orderId)).toEqual([]);
  const gift = toGiftNumber(orderId, 1);
  expect((await api.view("gift show", { gift })).actions[0]).toBe("code replace");
  expect((await api.confirm("code replace", { gift, reason })).status).toBe(409);
  await sql("UPDATE codes SET expires_at_ms = NULL WHERE product_id = ?", product.product.id).run();
  await api.run("code replace", { gift, reason });
  expect(await codesOf(orderId)).toEqual([null]);
  expect(await stockOf(product.product.id)).toBe(0);
});

test("the codes of a batch become void, except those that sold gifts need", async () => {
  const { product, id } = await withCodes();
  await createGift(startWorker(), [product]);
  const input = { product: String(id), batch: "test", reason };
  expect((await api.plan("code void", input)).will).toContain("2 of 3 ");
  await api.run("code void", input);
  const { rows } = await api.list("code list", { product: String(id) });
  expect(rows).toMatchObject([
    { product: id, batch: "test", free: 1, given: 0, opened: 0, void: 2 },
  ]);
  expect(await stockOf(id)).toBe(0);
  expect((await api.refusal("code void", input)).status).toBe(409);
  expect((await api.plan("code void", { ...input, batch: "other" })).will).toBeNull();
});

test("lists codes by product, batch and last day, with rows that are linear in the codes", async () => {
  const { product, client } = await openShop(codeProduct());
  const day = Date.UTC(2030, 0, 1, 12);
  await addCodesTo(product, [{}, { expiresAtMs: day }, {}]);
  await placeOrder(startWorker(), client, orderOf(product));
  const input = { product: String(product.product.id) };
  const { rows, meters } = await api.all("code list", input, 1);
  expect(rows).toMatchObject([
    { valid_until: "2029-12-31", free: 0, given: 1 },
    { valid_until: null, free: 2, given: 0 },
  ]);
  for (const { rowsRead } of meters) expect(rowsRead).toBeLessThan(40);
});

test("lists batches whose names have underscores, on several pages", async () => {
  const { id } = await withCodes();
  await sql("UPDATE codes SET batch = 'may_' || id || '_codes' WHERE product_id = ?", id).run();
  const { rows } = await api.all("code list", { product: String(id) }, 1);
  expect(rows.length).toBeGreaterThan(1);
  expect(new Set(rows.map(({ batch }) => batch)).size).toBe(rows.length);
});

test("a code that was returned is reported until its recipient has opened it", async () => {
  const { orderId, gift } = await withCode();
  await sql(
    `INSERT INTO emails (order_id, sequence, number, kind, status, reason, due_ms, link_generation, attempts, attempted_at_ms)
     VALUES (?, 1, 1, 'code', 'bounced', 'hard_bounce', 1, 0, 1, ?)`,
    orderId,
    Date.now(),
  ).run();
  await sql(
    `INSERT INTO events (client_id, sequence, type, order_id, gift_sequence, data, created_at_ms)
     SELECT client_id, max(sequence) + 1, 'gift.email_failed', ?1, 1, '{"emailKind":"code"}', ?2
     FROM events WHERE client_id = (SELECT client_id FROM orders WHERE id = ?1)`,
    orderId,
    Date.now(),
  ).run();
  await sql(
    `UPDATE gifts SET emails_stopped = 'bounced', next_email_ms = NULL
     WHERE order_id = ?`,
    orderId,
  ).run();
  const unresolved = async () =>
    (await api.list("email list", { status: "unresolved" })).rows.filter(
      (row) => row["gift"] === gift,
    );
  expect(await unresolved()).toMatchObject([{ kind: "code", status: "bounced" }]);
  const shown = await api.view("gift show", { gift });
  expect([shown.warnings.length, shown.actions[0]]).toEqual([1, "recipient correct"]);
  await sql("UPDATE codes SET opened_at_ms = 1 WHERE order_id = ?", orderId).run();
  expect(await unresolved()).toEqual([]);
  await sql("UPDATE emails SET status = 'delivered' WHERE order_id = ?", orderId).run();
  expect((await api.view("gift show", { gift })).text).toContain("the code was delivered");
});
