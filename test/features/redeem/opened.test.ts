// When a gift was first opened.
import { expect, test } from "vitest";
import { type ClientOptions, simpleProduct } from "../../support/fixtures.ts";
import { accept, createGift, decline, postForm, type TestGift } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { eventsOf } from "../../support/events.ts";
import { deadDatabase } from "../../support/faults.ts";
import { sql } from "../../support/sql.ts";

const NOW = Date.now();
const worker = startWorker({ now: () => NOW });

const create = (options: ClientOptions = {}) =>
  createGift(worker, [simpleProduct()], {}, { trackOpened: true, ...options });

const visit = ({ path }: TestGift, query = "?opened", init: RequestInit = {}) =>
  worker.fetch(path + query, init);

async function openings({ client, orderId }: TestGift) {
  const query = `order_id=${String(orderId)}&include=details`;
  const { json } = await worker.get(client, `/api/order?${query}`);
  const events = (await eventsOf(client)).filter(({ type }) => type === "gift.opened");
  return [json.recipients[0].opened_at, events.length];
}

const OPENED = [new Date(NOW).toISOString(), 1];

test("the first opening is stored and reported once, and no repeat writes a row", async () => {
  const gift = await create();
  for (const look of ["", "?lang=de", "?step=address"]) {
    expect((await visit(gift, look)).meter.rowsWritten).toBe(0);
  }
  expect((await visit(gift, "?opened", { method: "HEAD" })).meter.rowsWritten).toBe(0);
  expect(await openings(gift)).toEqual([null, 0]);
  const first = await visit(gift);
  expect([first.status, first.meter]).toMatchObject([204, { roundTrips: 1, rowsWritten: 3 }]);
  expect((await visit(gift)).meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  await postForm(worker, gift.path, { step: "gift", suburb: "Elsewhere" });
  await Promise.all([accept(worker, gift.path), visit(gift)]);
  expect(await openings(gift)).toEqual(OPENED);
});

test.each<[string, (path: string) => Promise<unknown>]>([
  ["a form that is shown again", (path) => postForm(worker, path, { step: "check" })],
  ["an acceptance", (path) => accept(worker, path)],
  ["a decline", (path) => decline(worker, path)],
  ["a decline without a reason", (path) => postForm(worker, path, { step: "decline" })],
])("%s is the first opening of a gift that was not unwrapped", async (_, send) => {
  const gift = await create();
  await send(gift.path);
  expect(await openings(gift)).toEqual(OPENED);
});

test.each<[string, HeadersInit, ClientOptions]>([
  ["the browser sends DNT", { DNT: "1" }, {}],
  ["the browser sends Sec-GPC", { "Sec-GPC": "1" }, {}],
  ["the browser loads it before a person asks for it", { "Sec-Purpose": "prefetch" }, {}],
  ["the client's setting is off", {}, { trackOpened: false }],
])("nothing is stored if %s", async (_, headers, options) => {
  const gift = await create(options);
  const opening = await visit(gift, "?opened", { headers });
  expect([opening.status, opening.headers.getSetCookie()].flat()).toHaveLength(2);
  await postForm(worker, gift.path, { step: "gift", suburb: "Elsewhere" }, headers as never);
  expect(await openings(gift)).toEqual([null, 0]);
});

test("a link that was replaced, and one of an erased recipient, open nothing", async () => {
  const [replaced, erased] = [await create(), await create()];
  await sql("UPDATE gifts SET link_generation = 1 WHERE order_id = ?", replaced.orderId).run();
  await worker.post(erased.client, "/api/order/cancel", { order_id: erased.orderId });
  await sql(
    `UPDATE gifts SET first_name = 'Erased', last_name = 'recipient', email = '', phone_number = NULL,
       email_message = NULL, delivery_address = NULL, delivery_notes = NULL, external_id = NULL, metadata = NULL,
       language = NULL, search_terms = NULL, erased_at_ms = 1 WHERE order_id = ?`,
    erased.orderId,
  ).run();
  for (const gift of [replaced, erased]) {
    expect((await visit(gift)).meter.rowsWritten).toBe(0);
    expect(await openings(gift)).toEqual([null, 0]);
  }
});

test("a database that fails leaves the page as it is, and a later form is the opening", async () => {
  const gift = await create();
  const DB = deadDatabase();
  const failed = await startWorker({ env: { DB } }).fetch(`${gift.path}?opened`);
  expect(failed.status).toBe(204);
  await accept(worker, gift.path);
  expect(await openings(gift)).toEqual(OPENED);
});
