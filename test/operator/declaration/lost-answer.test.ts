// A change whose answer is lost after the commit, at the operator API and in the commands.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { runProgram } from "../../../src/cli/operations/program.ts";
import { wrapCalls } from "../../../src/platform/db/wrapped-calls.ts";
import { openConsole } from "../../console/console.ts";
import { LOST } from "../../support/faults.ts";
import { createClient, simpleProduct } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { openOperatorApi } from "../operator-api.ts";

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
    progressBar: () => () => undefined,
    open: (name) => Promise.reject(new Error(name)),
  });
  expect(code, notes.join("\n")).toBe(0);
  expect(await bookings()).toBe(1);
});
