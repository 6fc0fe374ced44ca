// The id of a request: a change is carried out at most once for each, and an id belongs to one request.
import { expect, test } from "vitest";
import { openConsole } from "../../console/console.ts";
import { createClient, simpleProduct } from "../../support/fixtures.ts";
import { openOperatorApi } from "../operator-api.ts";

const opened = await openConsole();
const engineer = await openOperatorApi(["engineer"], opened);
const finance = await openOperatorApi(["finance"], opened);

/** A change that was carried out, with its request id. */
async function booked() {
  const { clientId: client } = await createClient({ products: [simpleProduct()] });
  const input = { client, amount: "10.00", reference: "INV-1" };
  const { digest } = await engineer.plan("credit add", input);
  const request_id = crypto.randomUUID();
  const { status } = await engineer.call("credit add", input, { digest, request_id });
  expect(status).toBe(200);
  return { client, input, digest, request_id };
}

const balanceOf = async (client: string) =>
  (await engineer.view("credit show", { client })).lists["accounts"];

test("the same request is answered as carried out", async () => {
  const { input, digest, request_id } = await booked();
  const again = await engineer.call("credit add", input, { digest, request_id });
  expect([again.status, JSON.parse(again.html).repeated]).toEqual([200, [expect.any(String)]]);
});

test.each([
  ["another input", "credit add", { reference: "INV-2" }, engineer],
  ["another operation", "credit alert", { amount: undefined, reference: undefined }, engineer],
  ["another operator", "credit add", {}, finance],
])("the id of an earlier request is refused with %s", async (_, name, changed, api) => {
  const { client, input, request_id } = await booked();
  const before = await balanceOf(client);
  const other = { ...input, ...changed, ...(name === "credit alert" && { below: "5.00" }) };
  const { digest } = await api.plan(name, other);
  const { status, html } = await api.call(name, other, { digest, request_id });
  const { code, errors } = JSON.parse(html);
  expect([status, code, errors?.[0].field]).toEqual([400, "validation_error", "request_id"]);
  expect(await balanceOf(client)).toEqual(before);
});
