// The id of a request: a change is carried out at most once for each, and an id belongs to one request. Lost answers.
import { expect, test } from "vitest";
import { openConsole } from "../../console/console.ts";
import { createClient, simpleProduct } from "../../support/fixtures.ts";
import { openOperatorApi } from "../operator-api.ts";
import { env } from "cloudflare:workers";
import { runProgram } from "../../../src/cli/operations/program.ts";
import { wrapCalls } from "../../../src/platform/db/wrapped-calls.ts";
import { LOST } from "../../support/faults.ts";
import { invoicedOrders } from "../../support/invoiced-orders.ts";
import { sql } from "../../support/sql.ts";

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

const gradual: [name: string, inputOf: () => Promise<object>][] = [
  ["order pay", async () => ({ order: (await invoicedOrders(12)).orders.map((o) => o.number) })],
  [
    "payment upload",
    async () => {
      const rows = (await invoicedOrders(12)).orders.map(({ number }) => `${number};31.20`);
      return { rows: ["order_number;amount", ...rows].join("\n") };
    },
  ],
  [
    "stock upload",
    async () => {
      const product = simpleProduct();
      await createClient({ products: [product] });
      const file = new File([`product,quantity\n${String(product.product.id)},77\n`], "a.csv");
      return { file, reason: "count" };
    },
  ],
];

test.each(gradual)(
  "of %s, confirmed several times at once, one answers and the others are repeated",
  async (name, inputOf) => {
    const input = { ...(await inputOf()) };
    const { digest } = await engineer.plan(name, input);
    const query = { digest, request_id: crypto.randomUUID() };
    const answers = await Promise.all([1, 2, 3, 4].map(() => engineer.call(name, input, query)));
    const results = answers.map(({ status, html }) => [status, "repeated" in JSON.parse(html)]);
    const others = [1, 2, 3].map(() => [200, true]);
    expect(results.toSorted()).toEqual([[200, false], ...others]);
  },
);

/** A client, and a console whose database loses the answer of the booking, once. */
async function openShop() {
  const { clientId: client } = await createClient({ products: [simpleProduct()] });
  const bookings = () =>
    sql("SELECT count(*) AS n FROM audit_entries WHERE client_id = ?", client).first("n");
  let isLost = false;
  const DB = wrapCalls(env.DB, async (call) => {
    const result = await call();
    if (isLost || (await bookings()) === 0) return result;
    isLost = true;
    throw new Error(LOST);
  });
  return { client, bookings, opened: await openConsole({ env: { DB } }) };
}

test("the API answers 503, also to a program that asks for progress, and then as carried out", async () => {
  const { client, bookings, opened } = await openShop();
  const api = await openOperatorApi(["engineer"], opened);
  const input = { client, amount: "10.00", reference: "INV-1" };
  const { digest } = await api.plan("credit add", input);
  const query = { digest, request_id: crypto.randomUUID() };
  const headers = { Accept: "application/x-ndjson", "Content-Type": "application/json" };
  const init = { headers, body: JSON.stringify(input) };
  expect((await api.call("credit add", input, query, init)).status).toBe(503);
  const again = await api.call("credit add", input, query, init);
  expect([again.status, JSON.parse(again.html).repeated]).toEqual([200, [expect.any(String)]]);
  expect(await bookings()).toBe(1);
});

test("a command sends the same request again", async () => {
  const { client, bookings, opened } = await openShop();
  const user = await opened.signIn("engineer");
  const notes: string[] = [];
  const code = await runProgram(["credit", "add", client, "10.00", "--reference", "INV-1"], {
    fetch: async (url, init) => {
      const { pathname, search } = new URL(url as URL);
      const { html, status, headers } = await user.fetch(pathname + search, init);
      return new Response(html, { status, headers });
    },
    write: () => Promise.resolve(),
    note: (text) => notes.push(text),
    confirm: undefined,
    progress: () => () => undefined,
    open: (name) => Promise.reject(new Error(name)),
  });
  expect(code, notes.join("\n")).toBe(0);
  expect(await bookings()).toBe(1);
});
