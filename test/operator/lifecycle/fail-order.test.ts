// The operation `order fail`.
import { expect, test } from "vitest";
import { stockOf } from "../../support/fixtures.ts";
import { invoicedOrders, lastChange } from "../../support/invoiced-orders.ts";
import { openOperatorApi } from "../operator-api.ts";

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
