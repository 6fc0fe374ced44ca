// A client cannot see or use the orders, products and credit of another client.
import { expect, test } from "vitest";
import { createClient, orderOf, simpleProduct } from "../support/fixtures.ts";
import type { OrderListResponse } from "../../src/features/orders/contract.ts";
import { ErrorBody, Placement, ProductList } from "../support/shapes.ts";
import { databaseState } from "../support/state.ts";
import { type Credentials, startWorker, visible } from "../support/worker.ts";

const worker = startWorker();

test("another client cannot read an order: the response is that for an unknown order", async () => {
  const product = simpleProduct();
  const owner = await createClient({ products: [product] });
  const other = await createClient({ products: [product] });
  const body = orderOf(product);
  const { order_data } = Placement.parse((await worker.post(owner, "/api/order", body)).json);
  const never = await worker.get(other, "/api/order?order_id=99999999");
  expect(never.status).toBe(404);
  for (const query of [
    `order_id=${String(order_data.order_id)}`,
    `order_number=${order_data.order_number}`,
    `order_ref_id=${body.order_ref_id}`,
    `order_ref_id=${body.order_ref_id}&include=metadata,thank_you,delivery_email,details,emails`,
  ]) {
    expect((await worker.get(owner, `/api/order?${query}`)).status).toBe(200);
    expect(visible(await worker.get(other, `/api/order?${query}`))).toEqual(visible(never));
  }
});

test("another client cannot list orders, also with the owner's cursor", async () => {
  const product = simpleProduct();
  const owner = await createClient({ products: [product] });
  const other = await createClient({ products: [product] });
  const references = ["same-1", "same-2", "same-3"];
  for (const order_ref_id of references) {
    await worker.post(owner, "/api/order", orderOf(product, { order_ref_id }));
  }
  for (const filter of ["", "order_status=paid&", "order_ref_id_prefix=same&"]) {
    const list = (client: Credentials, more = "") =>
      worker.get(client, `/api/orders?${filter}limit=1${more}`);
    const { orders, next_cursor } = (await list(owner)).json as OrderListResponse;
    expect(orders).toHaveLength(1);
    for (const more of ["", `&cursor=${String(next_cursor)}`]) {
      const page = (await list(other, more)).json as OrderListResponse;
      expect(page).toEqual({ status: "success", orders: [], next_cursor: null });
    }
  }
});

test("another client can neither see nor order products outside of its own catalogue", async () => {
  const theirs = simpleProduct();
  const own = simpleProduct();
  await createClient({ products: [theirs] });
  const client = await createClient({ products: [own] });
  const list = ProductList.parse((await worker.get(client, "/api/products")).json);
  expect(list.total_products).toBe(1);
  expect(list.products.map(({ product_id }) => product_id)).toEqual([own.product.id]);

  const product = await worker.get(client, `/api/product?product_id=${String(theirs.product.id)}`);
  expect(product.status).toBe(404);
  const before = await databaseState();
  for (const path of ["/api/order", "/api/gift-link"]) {
    const answer = await worker.post(client, path, orderOf(theirs));
    expect(answer.status).toBe(422);
    expect(ErrorBody.parse(answer.json).code).toBe("product_not_found");
  }
  expect(await databaseState()).toEqual(before);
});
