// The operation `order find`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { giftNumber, orderNumber } from "../../../src/core/values/ids.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { openConsole } from "../../console/console.ts";
import { recipients, simpleProduct, unique } from "../../support/fixtures.ts";
import { accept, changeParcels, createGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

/** An order with recipients of a surname that no other order has. */
async function newOrder(count: number, firstName = "Zoë") {
  const surname = `Müller${String(unique())}`;
  const reference = `PO ${String(unique())}`;
  const product = simpleProduct({}, { quantity: 1_000 });
  const order = await createGift(startWorker(), [product], {
    order_ref_id: reference,
    recipient_details: recipients(count).map((recipient) => ({
      ...recipient,
      first_name: firstName,
      last_name: surname,
    })),
  });
  const { orderId } = order;
  const numbers = Array.from({ length: count }, (_, n) => giftNumber(orderId * 1_000 + n + 1));
  return { ...order, surname, reference, number: orderNumber(orderId), numbers };
}

const opened = await openConsole();
const api = await openOperatorApi(["viewer"], opened);
const find = async (input: object) =>
  (await api.list("order find", { ...input })).rows.map(({ gift }) => gift);

test("records each gift that is shown, without the text", async () => {
  const { orderId, surname, numbers } = await newOrder(2);
  await find({ text: surname });
  const entries = await listAudit(env.DB, { orderId, limit: 9 });
  expect(entries.map(({ action, subject, after }) => [action, subject, after])).toEqual(
    numbers.map((number) => ["order find", number, { searchedBy: "words" }]),
  );
});

test("can be narrowed to a client and a period", async () => {
  const { client, surname, numbers } = await newOrder(1);
  const text = surname.slice(0, -1);
  expect(await find({ text, client: client.clientId })).toEqual(numbers);
  expect(await find({ text, until: "2001-01-01" })).toEqual([]);
});

test("refuses texts of another kind, forged links, and texts in URLs", async () => {
  for (const [text, by] of [
    ["42", "name"],
    ["42", "url"],
    ["Ana", "number"],
    [" ", undefined],
  ]) {
    expect(await api.refusal("order find", { text, by })).toMatchObject({ fields: ["text"] });
  }
  const { path, orderId } = await newOrder(1);
  await sql("UPDATE orders SET link_nonce = '00000000' WHERE id = ?", orderId).run();
  const forged = { text: `https://other.example${path}` };
  expect(await api.refusal("order find", forged)).toMatchObject({ code: "refused" });
  const init = { method: "GET", body: null };
  const { status } = await api.call("order find", {}, { text: "Ada" }, init);
  expect(status).toBe(405);
});

test("a number, a reference or a link in the field of each page leads to its order or gift", async () => {
  const { number, numbers, orderId, reference, paths } = await newOrder(3);
  const tracked = `JD${String(orderId)}X`;
  await accept(startWorker(), paths[1] ?? "");
  await changeParcels("ship", [
    { orderId, sequence: 2, carrier: "DHL", trackingNumber: tracked, trackingUrl: null },
  ]);
  const user = await opened.signIn("viewer");
  const home = await user.get("/order/list");
  const [, second = ""] = numbers;
  for (const [text, path] of [
    [number, `/order/show?order=${number}`],
    [`go-${String(orderId)}`, `/order/show?order=${number}`],
    [reference, `/order/show?order=${number}`],
    [second, `/gift/show?gift=${second}`],
    [tracked, `/gift/show?gift=${second}`],
    [`${env.PUBLIC_URL}${paths[2] ?? ""}`, `/gift/show?gift=${String(numbers[2])}`],
  ] as const) {
    const answer = await user.submit(home, "Search", { text });
    expect([answer.status, answer.headers.get("Location")], text).toEqual([303, path]);
    expect(answer.meter.roundTrips, text).toBeLessThanOrEqual(4);
  }
});
