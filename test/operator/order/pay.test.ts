// The operation `order pay`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { giftNumber } from "../../../src/core/values/ids.ts";
import { openConsole } from "../../console/console.ts";
import { replacingBatch } from "../../support/faults.ts";
import { entriesOf, invoicedOrders, lastChange, stateOf } from "../../support/invoiced-orders.ts";
import { transition } from "../../support/transition.ts";
import { openOperatorApi } from "../operator-api.ts";

const api = await openOperatorApi(["finance"]);
const reference = "Transfer 4711";

test("pays several orders, each once, with a reference that the ledger and the audit log have", async () => {
  const { client, orders } = await invoicedOrders(3);
  const [one, two, three] = orders.map(({ id }) => id);
  const order = orders.slice(0, 2).map(({ number }) => number);
  const plan = await api.plan("order pay", { order: [...order, order[0]], reference });
  expect(plan.will).toContain("62.40 AUD");
  const done = await api.run("order pay", { order: [...order, order[0]], reference });
  expect(done.lists["payments"]).toMatchObject(
    order.map((number) => ({
      order: number,
      client: client.clientId,
      amount: { amount: "31.20", currency: "AUD" },
      reference,
      result: "paid",
    })),
  );
  expect((await stateOf(one ?? 0)).status).toBe("paid");
  expect((await stateOf(three ?? 0)).status).toBe("created");
  expect((await entriesOf(client.clientId)).slice(-2)).toEqual([
    ["payment", -3_120, reference],
    ["payment", -3_120, reference],
  ]);
  expect(await lastChange(two ?? 0)).toMatchObject({ action: "order pay", reason: reference });
  const again = await api.plan("order pay", { order, reference });
  expect(again.will).toBeNull();
  expect(again.lists["payments"]).toMatchObject([{ result: "unchanged" }, { result: "unchanged" }]);
});

test("pays more orders than a transaction has, and none if one cannot be paid", async () => {
  const { orders } = await invoicedOrders(13);
  const order = orders.map(({ number }) => number);
  const last = orders.at(-1)?.id ?? 0;
  await transition(env.DB, last, "fail", Date.now());
  expect(await api.refusal("order pay", { order })).toMatchObject({ status: 409 });
  const done = await api.run("order pay", { order: order.slice(0, -1) });
  expect(done.lists["payments"]).toHaveLength(12);
  for (const { id } of orders.slice(0, -1)) expect((await stateOf(id)).status).toBe("paid");
});

test("says how many are paid when the database fails, and pays the others when it is repeated", async () => {
  const { orders } = await invoicedOrders(13);
  const order = orders.map(({ number }) => number);
  let [batches, allowed] = [0, Infinity];
  const DB = replacingBatch((statements, run) => {
    batches += 1;
    return batches > allowed ? Promise.reject(new Error("broken")) : run(statements);
  });
  const failing = await openOperatorApi(["finance"], await openConsole({ env: { DB } }));
  const { digest } = await failing.plan("order pay", { order });
  // The plan is made once more, and then there is a transaction.
  allowed = 2 * batches + 1;
  const query = { digest, request_id: crypto.randomUUID() };
  const { status, html } = await failing.call("order pay", { order }, query);
  expect([status, JSON.parse(html).message]).toEqual([409, expect.stringContaining("10 of 13")]);
  const states = async () =>
    (await Promise.all(orders.map(({ id }) => stateOf(id)))).filter(
      (each) => each.status === "paid",
    );
  expect(await states()).toHaveLength(10);
  const { lists } = await api.run("order pay", { order });
  expect(lists["payments"]?.filter(({ result }) => result === "paid")).toHaveLength(3);
  expect(await states()).toHaveLength(13);
});

test("does not pay another amount than the confirmed one", async () => {
  const { id, number } = await invoicedOrders(1, 3);
  const input = { order: [number], reference };
  const { digest } = await api.plan("order pay", input);
  const support = await openOperatorApi(["support"]);
  const gift = [giftNumber(id * 1_000 + 1)];
  await support.run("order cancel", { order: number, gift, reason: "Ticket 7" });
  const query = { digest, request_id: crypto.randomUUID() };
  const { status, html } = await api.call("order pay", input, query);
  expect([status, JSON.parse(html).code]).toEqual([409, "plan_changed"]);
  expect(await stateOf(id)).toEqual({ status: "created", owedMinor: 6_240 });
});
