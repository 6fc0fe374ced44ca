// The operations `order note` and `gift note`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { orderNumber, toGiftNumber } from "../../../src/core/values/ids.ts";
import { eraseGifts } from "../../../src/operator/recipient/erase.ts";
import { recipients, simpleProduct } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();
const api = await openOperatorApi(["support"]);

async function newOrder() {
  const changes = { recipient_details: recipients(2) };
  const created = await createGift(worker, [simpleProduct()], changes);
  const { orderId } = created;
  const order = orderNumber(orderId);
  const gifts = [1, 2].map((sequence) => toGiftNumber(orderId, sequence));
  return { ...created, order, gifts, gift: gifts[0] ?? "" };
}

const notesOf = async (name: string, input: object) => {
  const { lists } = await api.view(name, { ...input });
  return (lists["timeline"] ?? [])
    .map(({ what }) => what as string)
    .filter((what) => what.startsWith("Note by "));
};

test("shows the note of a gift on its page and on that of its order, and that of an order on all", async () => {
  const { order, gifts, gift, client } = await newOrder();
  await api.run("gift note", { gift, text: "Moves in June.\nCalled." });
  await api.run("order note", { order, text: "Invoice by post" });
  const [onOrder, onGift, onOther] = await Promise.all([
    notesOf("order show", { order }),
    ...gifts.map((each) => notesOf("gift show", { gift: each })),
  ]);
  expect(onOrder).toHaveLength(2);
  expect(onOrder[1]).toMatch(/^Note by .+@.+: Moves in June\.\nCalled\.$/);
  expect(onGift).toEqual(onOrder);
  expect(onOther).toEqual(onOrder.slice(0, 1));
  const { text } = await worker.get(client, `/api/order?order_number=${order}`);
  expect(text).not.toContain("Moves in June");
});

test.each(["one after the other", "at once"])(
  "writes one note for a request that is sent twice, %s",
  async (when) => {
    const { gift } = await newOrder();
    const input = { gift, text: "Called" };
    const { digest } = await api.plan("gift note", input);
    const request = { digest, request_id: crypto.randomUUID() };
    const send = () => api.call("gift note", input, request);
    const answers =
      when === "at once" ? await Promise.all([send(), send()]) : [await send(), await send()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await notesOf("gift show", { gift })).toHaveLength(1);
  },
);

test("keeps two notes that are written at once, and refuses more than fifty", async () => {
  const { order, orderId } = await newOrder();
  await Promise.all(["A", "B"].map((text) => api.run("order note", { order, text })));
  expect(await notesOf("order show", { order })).toHaveLength(2);
  const full = JSON.stringify(Array.from({ length: 50 }, (_, atMs) => ({ atMs, actor: "a" })));
  await sql("UPDATE orders SET staff_notes = ? WHERE id = ?", full, orderId).run();
  const { status, html } = await api.confirm("order note", { order, text: "C" });
  expect([status, JSON.parse(html).code]).toEqual([409, "refused"]);
});

test("erases the notes of a gift with its recipient, and those of the order with the last one", async () => {
  const { client, order, orderId, gifts, gift } = await newOrder();
  for (const each of gifts) await api.run("gift note", { gift: each, text: `On ${each}` });
  await api.run("order note", { order, text: "On all" });
  const left = [];
  for (const index of gifts.keys()) {
    const { rows } = await api.list("recipient export", { gift: [gifts[index]], reason: "R" });
    expect(rows[0]).toMatchObject({
      staff_notes: [{ text: `On ${String(gifts[index])}` }],
      order_staff_notes: [{ text: "On all" }],
    });
    await worker.post(client, "/api/order/cancel", {
      order_id: orderId,
      suborder_ids: [orderId * 1000 + index + 1],
    });
    await eraseGifts(env.DB, [orderId * 1000 + index + 1], Date.now());
    left.push((await notesOf("order show", { order })).length);
  }
  expect(left).toEqual([2, 0]);
  const { status } = await api.confirm("gift note", { gift, text: "Again" });
  expect(status).toBe(409);
});
