// Vendors are told of gifts to ship: their endpoints at once, and vendors without an endpoint by e-mail on working mornings.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { beforeAll, beforeEach, expect, inject, test } from "vitest";
import { handleCron } from "../../../src/cron.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/values/time.ts";
import { tellVendors } from "../../../src/features/vendors/tell.tsx";
import { handleQueue } from "../../../src/queue.ts";
import { openConsole } from "../../console/console.ts";
import { type OperatorApi, openOperatorApi } from "../../operator/operator-api.ts";
import { meteredD1, newMeter, overriding } from "../../support/counting.ts";
import { emailService, MAILING } from "../../support/emails.ts";
import {
  type ClientOptions,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
} from "../../support/fixtures.ts";
import { accept, changeParcels, createGift } from "../../support/gift.ts";
import { placeOrder } from "../../support/orders.ts";
import { type Behaviour, receivingPath } from "../../support/received.ts";
import { sql } from "../../support/sql.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";

let engineer: OperatorApi;
let own: OperatorApi;

beforeAll(async () => {
  const opened = await openConsole();
  engineer = await openOperatorApi(["engineer"], opened);
  // A user of the vendor `A Vendor`.
  own = await openOperatorApi(["vendor"], opened);
});

beforeEach(async () => {
  await sql("UPDATE vendors SET email = NULL, webhook_url = NULL").run();
});

const productOf = (name: string) =>
  simpleProduct({ vendor: { ...simpleProduct().product.vendor, name } });

/** Places an order of gifts that this vendor sends, at the time if it is given. */
async function place(
  vendor: string,
  count: number,
  atMs = Date.now(),
  billing: ClientOptions["billing"] = "credit",
) {
  const product = productOf(vendor);
  const client = await createClient({ products: [product], billing });
  const order = orderOf(product, { recipient_details: recipients(count) });
  const { order_data } = await placeOrder(startWorker({ now: () => atMs }), client, order);
  return order_data.order_id;
}

/** Sets an endpoint of the vendor that behaves like this, and returns what it has received. */
async function openEndpoint(vendor: string, behaviour: Behaviour = {}) {
  await createClient({ products: [productOf(vendor)] });
  const path = receivingPath(inject("receiverUrl"), crypto.randomUUID());
  await path.behave(behaviour);
  const { facts } = await engineer.run("vendor set", { vendor, webhook_url: path.url });
  const secret = facts["secret"] as string;
  const messages = async () =>
    (await path.received()).map(({ body }) => JSON.parse(body) as { data: object });
  const counts = async () => (await messages()).map(({ data }) => data);
  return { ...path, messages, counts, secret };
}

/** What the cron handler sends to the queue, and the queue's consumer does. */
async function runAt(atMs: number, changes: object = {}) {
  const messages: { body: unknown }[] = [];
  const send = (body: unknown) => Promise.resolve(messages.push({ body }));
  const sendBatch = () => Promise.resolve();
  const WEBHOOK_QUEUE = overriding(env.WEBHOOK_QUEUE, { send, sendBatch });
  const bindings = { ...env, ...changes, WEBHOOK_QUEUE };
  await handleCron(bindings, () => atMs);
  const context = createExecutionContext();
  const batch = { queue: "webhooks", messages: messages as Message[] };
  await handleQueue(batch, bindings, context, () => atMs);
  await waitOnExecutionContext(context);
}

test("an endpoint is notified of gifts to ship with a count, again after a failure and until they are fetched", async () => {
  const startMs = Date.now() - 10 * HOUR_MS;
  const minute = (n: number) => startMs + n * MINUTE_MS;
  const endpoint = await openEndpoint("A Vendor", { status: 500 });
  await runAt(minute(0));
  expect(await endpoint.messages()).toEqual([]);

  await place("A Vendor", 2);
  await place("Somebody else", 3);
  await runAt(minute(1));
  const created_at = new Date(minute(1)).toISOString();
  const first = { type: "shipments.ready", created_at, data: { count: 2 } };
  expect(await endpoint.messages()).toEqual([first]);
  const shown = await engineer.view("vendor show", { vendor: "A Vendor" });
  expect(shown.facts).toMatchObject({ told: created_at, answer: "500" });

  // At most once a minute.
  await place("A Vendor", 1);
  await runAt(minute(1.5));
  expect(await endpoint.counts()).toHaveLength(1);
  await endpoint.behave({});
  await runAt(minute(2));
  await runAt(minute(2.5));
  expect(await endpoint.counts()).toEqual([{ count: 2 }, { count: 3 }]);
  // Its 200 is no proof that somebody has seen the gifts.
  await runAt(minute(11.9));
  await runAt(minute(12));
  expect((await endpoint.counts()).slice(2)).toEqual([{ count: 3 }]);

  await engineer.list("shipment list", { vendor: "A Vendor" });
  await own.list("shipment picklist", { status: "shipped" });
  await runAt(minute(22));
  expect(await endpoint.counts()).toHaveLength(4);
  await own.list("shipment picklist");
  await runAt(minute(590));
  expect(await endpoint.counts()).toHaveLength(4);
});

test("an endpoint is notified of a gift that is redeemed, paid or reopened, and not of one that is shipped", async () => {
  const vendor = `Vendor ${crypto.randomUUID()}`;
  const endpoint = await openEndpoint(vendor);
  let atMs = Date.now();
  const countAfter = async (change: () => Promise<unknown>) => {
    await change();
    atMs += MINUTE_MS;
    // Fetched at once.
    await runAt(atMs);
    await sql("UPDATE vendors SET fetched_at_ms = told_at_ms").run();
    return (await endpoint.counts()).slice(told).map((each) => (told++, each));
  };
  let told = 0;
  const worker = startWorker();
  const gift = await createGift(worker, [productOf(vendor)]);
  expect(await countAfter(() => Promise.resolve())).toEqual([]);
  expect(await countAfter(() => accept(worker, gift.path))).toEqual([{ count: 1 }]);
  const orderId = await place(vendor, 1, Date.now(), "invoice");
  expect(await countAfter(() => Promise.resolve())).toEqual([]);
  const pay = () => transition(env.DB, orderId, "pay", Date.now());
  expect(await countAfter(pay)).toEqual([{ count: 2 }]);
  const parcel = [{ orderId: gift.orderId, sequence: 1 }];
  expect(await countAfter(() => changeParcels("ship", parcel))).toEqual([]);
  expect(await countAfter(() => changeParcels("reopen", parcel))).toEqual([{ count: 2 }]);
});

/** A Tuesday at midnight in Sydney, where the clocks are 10 hours ahead. */
const TUESDAY_MS = Date.UTC(2026, 5, 1, 14);
const at = (day: number, hour: number) => TUESDAY_MS + ((day - 2) * 24 + hour) * HOUR_MS;

test("a vendor without an endpoint gets an e-mail at 7 in its zone on working days, once", async () => {
  const vendor = `Vendor ${crypto.randomUUID()}`;
  const service = emailService();
  const production = { ENVIRONMENT: "production", PUBLIC_URL: "https://api.regalo.example" };
  const settings = { ...MAILING, ...production, EMAIL: service.binding };
  const run = (atMs: number) => runAt(atMs, settings);
  const subjects = () => service.sent.splice(0).map(({ subject }) => subject);
  await createClient({ products: [productOf(vendor)] });
  const email = "parcels@vendor.example";
  await engineer.run("vendor set", { vendor, email, time_zone: "Australia/Sydney" });

  await run(at(2, 7));
  expect(subjects()).toEqual([]);
  await place(vendor, 3, at(2, 9));
  await place(vendor, 9, at(3, 9));
  await run(at(4, 6.9));
  expect(subjects()).toEqual([]);
  await Promise.all([run(at(4, 7)), run(at(4, 7))]);
  const [message] = service.sent;
  expect(message).toMatchObject({ to: email });
  for (const text of [message?.text, message?.html]) {
    expect(text).toContain(`${env.CONSOLE_URL}/shipment/list`);
  }
  expect(subjects()).toEqual(["12 gifts to ship, 3 since Tuesday"]);
  await run(at(4, 7.5));
  await run(at(5, 8.1));
  expect(subjects()).toEqual([]);

  service.fail = () => "E_INTERNAL_SERVER_ERROR";
  await run(at(5, 7));
  service.fail = () => undefined;
  await run(at(5, 7.1));
  expect(subjects()).toEqual([]);
  await run(at(5, 7.2));
  expect(subjects()).toEqual(["12 gifts to ship, 3 since Tuesday"]);
  await run(at(6, 7));
  await run(at(7, 7));
  expect(subjects()).toEqual([]);
  await run(at(10, 7));
  expect(subjects()).toEqual(["12 gifts to ship, 3 since 2 June 2026"]);
});

test("of runs at the same time, one tells the endpoint, and signs the message as webhooks are", async () => {
  const vendor = `Vendor ${crypto.randomUUID()}`;
  const endpoint = await openEndpoint(vendor);
  await place(vendor, 1);
  await Promise.all(Array.from({ length: 4 }, () => runAt(Date.now())));
  const received = await endpoint.received();
  expect(received).toHaveLength(1);
  const { headers = {}, body = "" } = received[0] ?? {};
  expect(new Webhook(endpoint.secret).verify(body, headers)).toMatchObject({ data: { count: 1 } });
});

test("gifts are read once for all vendors that are told, and not for others", async () => {
  let minute = 0;
  const read = async () => {
    const meter = newMeter();
    const atMs = Date.now() + MINUTE_MS * minute++;
    await tellVendors({ ...env, DB: meteredD1(env.DB, meter) }, () => atMs);
    return meter;
  };
  const vendors = [1, 2].map((n) => `Vendor ${String(n)} ${crypto.randomUUID()}`);
  for (const vendor of vendors) {
    await place(vendor, 10);
    await sql("UPDATE vendors SET email = 'parcels@vendor.example' WHERE name = ?", vendor).run();
  }
  expect(await read()).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  for (const vendor of vendors) await openEndpoint(vendor);
  await read();
  const { rowsRead, roundTrips, rowsWritten } = await read();
  const { vendors: total, gifts } = (await sql(
    `SELECT (SELECT count(*) FROM vendors) AS vendors, (SELECT count(*) FROM gifts) AS gifts`,
  ).first<{ vendors: number; gifts: number }>()) ?? { vendors: 0, gifts: 0 };
  expect([roundTrips, rowsWritten]).toEqual([2, 0]);
  expect(rowsRead).toBeLessThanOrEqual(total + 6 * gifts);
});
