// The operations `order refund` and `order fail`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { giftNumber } from "../../../src/core/values/ids.ts";
import { entriesOf, invoicedOrders, lastChange, stateOf } from "../../support/invoiced-orders.ts";
import { transition } from "../../support/transition.ts";
import { openOperatorApi } from "../operator-api.ts";
import { stockOf } from "../../support/fixtures.ts";

const api = await openOperatorApi(["engineer"]);
const given = { reference: "Back 1", reason: "Cancelled by phone" };

test("records what is to be refunded, once, with its reference and reason", async () => {
  const { client, id, number: order } = await invoicedOrders(1, 2);
  const input = { order, ...given };
  expect(await api.refusal("order refund", input)).toMatchObject({ status: 409 });
  await transition(env.DB, id, "pay", Date.now());
  expect(await api.refusal("order refund", input)).toMatchObject({ status: 409 });
  await transition(env.DB, id, "cancel", Date.now());
  const done = await api.run("order refund", input);
  expect(done.text).toContain("62.40 AUD");
  expect((await entriesOf(client.clientId)).at(-1)).toEqual(["refund", 6_240, "Back 1"]);
  expect(await lastChange(id)).toMatchObject({ reason: "Back 1: Cancelled by phone" });
  expect(await api.refusal("order refund", input)).toMatchObject({ status: 409 });
});

test("does not record another amount than the confirmed one", async () => {
  const { id, number: order } = await invoicedOrders(1, 3);
  await transition(env.DB, id, "pay", Date.now());
  const gift = (sequence: number) => [giftNumber(id * 1_000 + sequence)];
  const reason = "Ticket 7";
  await api.run("order cancel", { order, gift: gift(1), reason });
  const input = { order, ...given };
  const cancelAnother = () => api.run("order cancel", { order, gift: gift(2), reason });
  expect((await api.confirm("order refund", input, cancelAnother)).status).toBe(409);
  expect(await stateOf(id)).toEqual({ status: "paid", owedMinor: -6_240 });
});

test("fails an unpaid order, which returns its stock, and no other", async () => {
  const api = await openOperatorApi(["finance"]);
  const { id, number: order, product } = await invoicedOrders(1, 2);
  const reason = "No transfer";
  expect(await stockOf(product.product.id)).toBe(998);
  await api.run("order fail", { order, reason });
  expect(await stockOf(product.product.id)).toBe(1_000);
  expect((await api.view("order show", { order })).facts).toMatchObject({ status: "failed" });
  expect(await lastChange(id)).toMatchObject({ action: "order fail", reason });
  expect(await api.refusal("order fail", { order, reason })).toMatchObject({ status: 409 });
});
