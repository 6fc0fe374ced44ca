// The protocol of the operator API: methods, bodies, pages and errors.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { formatDay } from "../../src/core/values/time.ts";
import { wrapCalls } from "../../src/platform/db/wrapped-calls.ts";
import {
  ADDRESS,
  createClient,
  orderOf,
  recipients,
  unique,
  openShop,
} from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";
import { copyOrder, importWith } from "../support/listed-orders.ts";
import { openOperatorApi } from "../operator/operator-api.ts";
import { openConsole } from "./console.ts";

const testConsole = await openConsole();
const api = await openOperatorApi(["engineer"], testConsole);
const engineer = await testConsole.signIn("engineer");

const send = async (path: string, init: RequestInit = {}) => {
  const { status, html, headers } = await engineer.fetch(`/operations/${path}`, init);
  return { status, headers, text: html, json: () => JSON.parse(html) };
};

const post = (body: BodyInit, type: string): RequestInit => ({
  method: "POST",
  body,
  headers: { "Content-Type": type },
});

test("answers what is no operation, and another method, with JSON", async () => {
  for (const path of ["order", "order/lists", "__proto__/list", "order/list/"]) {
    expect((await send(path)).json()).toMatchObject({ status: "error", code: "not_found" });
  }
  expect((await send("gift/extend")).json()).toMatchObject({ code: "method_not_allowed" });
  expect((await send("order/list", { method: "DELETE" })).status).toBe(405);
});

test("takes JSON and forms, and refuses other bodies", async () => {
  const path = "order/list?limit=1";
  const { clientId } = await createClient();
  const form = new URLSearchParams({ client: clientId }).toString();
  for (const init of [
    post(JSON.stringify({ client: clientId }), "application/json"),
    post(form, "application/x-www-form-urlencoded"),
  ]) {
    expect((await send(path, init)).json()).toEqual({
      rows: [],
      next: null,
      text: "",
      warnings: [],
    });
  }
  expect((await send(path, post("client=nobody", "text/plain"))).status).toBe(415);
  for (const body of ["{", "[]", "null", '"a"']) {
    expect((await send(path, post(body, "application/json"))).json()).toMatchObject({
      code: "invalid_json",
    });
  }
});

test("takes a file only from a form", async () => {
  for (const file of [{ bytes: "a" }, { name: "a", bytes: [1] }, { bytes: null }, "a", ["a"]]) {
    const body = JSON.stringify({ file, reason: "Ticket 7" });
    const { status, json } = await send("stock/upload", post(body, "application/json"));
    expect([status, json().errors[0].field]).toEqual([400, "file"]);
  }
});

test("HEAD has the status of GET", async () => {
  for (const path of ["order/list?client=nobody", "order/show?order=GO-99999", "order/show"]) {
    const { status } = await send(path);
    expect((await send(path, { method: "HEAD" })).status, path).toBe(status);
  }
});

test("refuses a limit or a position that no page has", async () => {
  for (const query of ["limit=0", "limit=1001", "limit=x", "after=x"]) {
    const { status, json } = await send(`order/list?${query}`);
    expect([status, json().errors[0].field]).toEqual([400, query.split("=")[0]]);
  }
});

test("pages follow each other, and CSV has all of them", async () => {
  const { product, client } = await openShop();
  const { clientId } = client;
  await copyOrder(await importWith(client, product), 1_000, 1);
  const first = await api.list("order list", { client: clientId }, { limit: 1_000 });
  expect([first.rows.length, first.next]).toEqual([1_000, expect.any(String)]);
  const last = await api.list("order list", { client: clientId }, { after: first.next ?? "" });
  expect([last.rows.length, last.next]).toEqual([1, null]);
  const { text, headers } = await send(`order/list?client=${clientId}`, {
    headers: { Accept: "text/csv" },
  });
  expect(headers.get("Content-Type")).toContain("text/csv");
  const day = formatDay(Date.now());
  expect(headers.get("Content-Disposition")).toContain(`"order-list-${clientId}-${day}.csv"`);
  const statement = await send(`statement/entries?client=${clientId}&month=2026-05`, {
    headers: { Accept: "text/csv" },
  });
  expect(statement.headers.get("Content-Disposition")).toContain(
    `"statement-entries-${clientId}-2026-05.csv"`,
  );
  const orders = text.trimEnd().split("\r\n").slice(1);
  expect(orders.map((row) => row.split(",")[0])).toEqual(
    [...first.rows, ...last.rows].map((row) => row["order"]),
  );
});

test("a pick list for Excel has a byte order mark, and keeps the zeros of postcodes and references", async () => {
  const { product, client } = await openShop();
  const [person] = recipients(1);
  const delivery_address = { ...ADDRESS, state: "", country: "DE", postcode_zipcode: "01067" };
  const order_ref_id = `000${String(unique())}`;
  const recipient_details = [{ ...person, delivery_address }];
  const body = orderOf(product, { order_ref_id, recipient_details });
  await startWorker().post(client, "/api/order", body);
  const user = await testConsole.signIn("fulfilment");
  const path = "/operations/shipment/picklist";
  const input = { client: client.clientId };
  const headers = { "Content-Type": "application/json", Accept: "application/vnd.ms-excel" };
  const { html } = await user.fetch(path, {
    method: "POST",
    body: JSON.stringify(input),
    headers,
  });
  expect(html.startsWith("\ufeffgift,")).toBe(true);
  expect(html).toContain(`"=""${order_ref_id}"""`);
  expect(html).toContain('"=""01067"""');
});

test("an error after the first page of CSV aborts the answer, and is logged", async () => {
  const { product, client } = await openShop();
  await copyOrder(await importWith(client, product), 1_000, 1);
  let calls = 0;
  const DB = wrapCalls(env.DB, (call) => {
    calls += 1;
    return calls > 1 ? Promise.reject(new Error("broken")) : call();
  });
  const user = await (await openConsole({ env: { DB } })).signIn("viewer");
  const log = vi.spyOn(console, "error").mockReturnValue();
  const headers = { Accept: "text/csv" };
  await expect(
    user.fetch(`/operations/order/list?client=${client.clientId}`, { headers }),
  ).rejects.toThrow("broken");
  expect(log.mock.calls.map(([line]) => JSON.parse(line as string))).toMatchObject([
    { event: "request.failed", error: expect.stringContaining("broken") },
  ]);
});

test("a run needs both the digest and a UUID", async () => {
  for (const query of ["digest=x", "request_id=x", "digest=x&request_id=1"]) {
    const { json } = await send(`gift/extend?${query}`, post("{}", "application/json"));
    expect(json()).toMatchObject({ code: "validation_error", errors: [{ field: "request_id" }] });
  }
});

test("refuses what a browser sends for another site, and who has no role", async () => {
  const headers = { Origin: "https://evil.example", "Content-Type": "application/json" };
  expect((await send("gift/extend", { method: "POST", body: "{}", headers })).status).toBe(403);
  const nobody = await testConsole.fetch("/operations/order/list");
  expect([nobody.status, JSON.parse(nobody.html).code]).toEqual([403, "forbidden"]);
});
