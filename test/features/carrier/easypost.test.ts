// The events of EasyPost and what they change, callers without its secret, and the registration of numbers.
import { env } from "cloudflare:workers";
import { expect, inject, test, vi } from "vitest";
import texts from "../../../public/languages/en.json";
import { handleCron } from "../../../src/cron.ts";
import { recordReport } from "../../../src/features/carrier/record.ts";
import { registerParcels } from "../../../src/features/carrier/register.ts";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import type { ShipmentListResponse } from "../../../src/features/fulfilment/contract.ts";
import { writeErasure } from "../../../src/features/privacy/queries.ts";
import type { ShipmentKey } from "../../../src/features/fulfilment/shipment.ts";
import { readTimeline } from "../../../src/operator/order/timeline.ts";
import { openOperatorApi } from "../../operator/operator-api.ts";
import { meteredD1, newMeter, overriding } from "../../support/counting.ts";
import { eventsOf } from "../../support/events.ts";
import { watchLog } from "../../support/faults.ts";
import { createClient, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import type { TestClient } from "../../support/fixtures.ts";
import { accept, changeParcels, createGift, fetchAccepted } from "../../support/gift.ts";
import { receivingPath } from "../../support/received.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const SECRET = "Ünicode-secret-of-EasyPost-0123456789";
const worker = startWorker({ env: { EASYPOST_WEBHOOK_SECRET: SECRET } });
const PATH = "/carrier/easypost";

const newNumber = () => `JD${crypto.randomUUID().replaceAll("-", "").toUpperCase().slice(0, 20)}`;

/** The body of an event, in the shape that EasyPost documents. */
const eventOf = (trackingCode: string, result: Record<string, unknown> = {}) => ({
  id: "evt_5f1d4c6a7b8e11f0a1b2c3d4e5f60718",
  object: "Event",
  description: "tracker.updated",
  mode: "production",
  previous_attributes: { status: "pre_transit" },
  created_at: "2031-05-02T09:30:12.000Z",
  pending_urls: ["https://api.acme.example/carrier/easypost"],
  completed_urls: [],
  updated_at: "2031-05-02T09:30:12.000Z",
  user_id: "user_0a1b2c3d",
  status: "pending",
  result: {
    id: "trk_0a1b2c3d4e5f60718293a4b5c6d7e8f9",
    object: "Tracker",
    mode: "production",
    tracking_code: trackingCode,
    status: "in_transit",
    status_detail: "departed_facility",
    created_at: "2031-05-01T08:00:00Z",
    updated_at: "2031-05-02T09:30:11Z",
    signed_by: null,
    weight: 17.6,
    est_delivery_date: "2031-05-08T00:00:00Z",
    shipment_id: null,
    carrier: "DHLPaket",
    tracking_details: [
      {
        object: "TrackingDetail",
        message: "Departed the facility",
        status: "in_transit",
        status_detail: "departed_facility",
        datetime: "2031-05-02T09:12:00Z",
        source: "DHLPaket",
        tracking_location: { object: "TrackingLocation", city: "Köln", state: null, country: "DE" },
      },
    ],
    carrier_detail: { object: "CarrierDetail", service: "Paket", est_delivery_date_local: null },
    finalized: false,
    is_return: false,
    public_url: "https://track.easypost.example/x",
    ...result,
  },
});

async function sign(body: string, secret = SECRET): Promise<Record<string, string>> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const raw = bytes(secret.normalize("NFKD"));
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(body)));
  const hex = Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { "X-Hmac-Signature": `hmac-sha256-hex=${hex}` };
}

const send = (body: string, headers: Record<string, string>) =>
  worker.fetch(PATH, { method: "POST", body, headers });

async function report(number: string, result: Record<string, unknown>) {
  const body = JSON.stringify(eventOf(number, result));
  const answer = await send(body, await sign(body));
  expect([answer.status, answer.text]).toEqual([200, '{"status":"success"}']);
  return answer;
}

/** A minute of 2 May. */
const at = (minute: number) => new Date(Date.UTC(2031, 4, 2, 0, minute)).toISOString();

/** Gifts that are shipped with this number. */
async function ship(trackingNumber: string, { count = 1, carrier = "DHL" } = {}) {
  const product = simpleProduct({}, { quantity: 5_000 });
  const client = await createClient({ products: [product] });
  const body = orderOf(product, { recipient_details: recipients(count) });
  const { json } = await worker.post(client, "/api/order", body);
  const orderId: number = json.order_data.order_id;
  const gifts = Array.from({ length: count }, (_, index) => ({ orderId, sequence: index + 1 }));
  const parcels = gifts.map((gift) => ({ ...gift, carrier, trackingNumber }));
  for (const { result } of await changeParcels("ship", parcels)) expect(result).toBe("shipped");
  return { client, orderId, gifts };
}

async function shipmentsOf(client: TestClient, orderId: number) {
  const { json } = await worker.get(client, `/api/shipments?order_id=${String(orderId)}`);
  return (json as ShipmentListResponse).shipments;
}

const eventTypes = async (client: TestClient) =>
  (await eventsOf(client)).map(({ type }) => type).filter((type) => type.startsWith("gift."));

test.each([
  ["in_transit", {}, "shipped", "in_transit", null],
  ["out_for_delivery", {}, "shipped", "out_for_delivery", null],
  ["available_for_pickup", {}, "shipped", "available_for_pickup", null],
  ["pre_transit", {}, "shipped", null, null],
  ["unknown", {}, "shipped", null, null],
  ["failure", { status_detail: "delayed" }, "shipped", "exception", null],
  ["delivered", { status_detail: "arrived_at_destination" }, "delivered", "delivered", null],
  ["failure", { status_detail: "lost" }, "failed", "failed", "lost"],
  ["failure", { status_detail: "damaged" }, "failed", "failed", "damaged"],
  ["failure", { status_detail: "delayed", finalized: true }, "failed", "failed", "other"],
  ["return_to_sender", { status_detail: "refused" }, "returned", "returned", "refused"],
  ["return_to_sender", { status_detail: "expired" }, "returned", "returned", "unclaimed"],
  ["return_to_sender", { status_detail: null }, "returned", "returned", "other"],
  ["return_to_sender", { status_detail: "constructor" }, "returned", "returned", "other"],
  ["toString", { status_detail: "__proto__" }, "shipped", null, null],
])("%s, %o → %s", async (status, detail, shipmentStatus, carrierStatus, problem) => {
  const number = newNumber();
  const { client, orderId } = await ship(number);
  await report(number, { status, ...detail });
  expect(await shipmentsOf(client, orderId)).toMatchObject([
    {
      shipment_status: shipmentStatus,
      shipment_problem: problem,
      carrier_status: carrierStatus,
      expected_delivery: carrierStatus === "delivered" ? null : "2031-05-08",
    },
  ]);
  const changed = shipmentStatus === "shipped" ? [] : [`gift.${shipmentStatus}`];
  expect(await eventTypes(client)).toEqual(["gift.shipped", ...changed]);
});

test("a repeated or older event changes nothing, and a newer one does", async () => {
  const number = newNumber();
  const { client, orderId } = await ship(number);
  const rowOf = () => sql("SELECT * FROM shipments WHERE order_id = ?", orderId).first();
  await report(number, { status: "failure", status_detail: "lost", updated_at: at(2) });
  const lost = await rowOf();
  const again = { status: "failure", status_detail: "lost", updated_at: at(2) };
  const repeated = await report(number, again);
  expect(repeated.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  await report(number, { status: "delivered", updated_at: at(1) });
  expect(await rowOf()).toEqual(lost);
  await report(number, { status: "delivered", updated_at: at(3) });
  expect(await rowOf()).toMatchObject({ status: "delivered", problem: null });
  expect(await eventTypes(client)).toEqual(["gift.shipped", "gift.failed", "gift.delivered"]);
  await report(number, { status: "return_to_sender", updated_at: at(4) });
  await report(number, { status: "delivered", updated_at: at(5) });
  expect(await rowOf()).toMatchObject({ status: "returned" });
});

test.each([
  ["an operator", []],
  ["the carrier", ["return_to_sender", "in_transit"]],
])("a parcel that came back, as %s said, is delivered to its sender", async (_, statuses) => {
  const number = newNumber();
  const { client, orderId, gifts } = await ship(number);
  for (const [n, status] of statuses.entries()) await report(number, { status, updated_at: at(n) });
  if (statuses.length === 0)
    await changeParcels("return", [{ ...(gifts[0] as ShipmentKey), problem: "refused" }]);
  await report(number, { status: "delivered", updated_at: at(5) });
  expect(await shipmentsOf(client, orderId)).toMatchObject([{ shipment_status: "returned" }]);
  expect(await eventTypes(client)).toEqual(["gift.shipped", "gift.returned"]);
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const scan = (status: string, days: number) => ({ status, datetime: daysAgo(days) });

test.each([
  ["shipped", "DHL", { carrier: "FedEx" }],
  ["shipped", "Hop Lane Couriers", { carrier: "UPS" }],
  ["shipped", "UPSilon Couriers", { carrier: "UPS" }],
  ["shipped", "DHL", { is_return: true }],
  ["shipped", "DHL", { updated_at: daysAgo(8), tracking_details: null }],
  ["shipped", "DHL", { tracking_details: [scan("delivered", 200)] }],
  ["shipped", "DHL", { tracking_details: [scan("pre_transit", 0), scan("delivered", 8)] }],
  ["delivered", "DHL Paket", { carrier: "DHLGlobalMail" }],
  ["delivered", "DPD", { carrier: "DPDUK" }],
  ["delivered", "Toll Priority", { carrier: "Toll" }],
  ["delivered", "DHL", { carrier: null, created_at: daysAgo(3), mode: "test" }],
  // A warehouse records on Monday what has left on Friday.
  ["delivered", "DHL", { tracking_details: [scan("delivered", 200), scan("delivered", 3)] }],
])("a gift is %s if a tracker of its number, with %s, has %o", async (status, carrier, result) => {
  const number = newNumber();
  const { client, orderId } = await ship(number, { carrier });
  await report(number, { status: "delivered", ...result });
  const carrier_status = status === "shipped" ? null : status;
  expect(await shipmentsOf(client, orderId)).toMatchObject([
    { shipment_status: status, carrier_status },
  ]);
});

test("events of the test mode do not count in production", async () => {
  const deployed = { ENVIRONMENT: "production", PUBLIC_URL: "https://api.example.com" } as const;
  const production = startWorker({ env: { ...deployed, EASYPOST_WEBHOOK_SECRET: SECRET } });
  const number = newNumber();
  const { client, orderId } = await ship(number);
  for (const mode of ["test", "production"]) {
    const body = JSON.stringify({ ...eventOf(number, { status: "delivered" }), mode });
    const init = { method: "POST", body, headers: await sign(body) };
    expect((await production.fetch(PATH, init)).status).toBe(200);
    const status = mode === "test" ? "shipped" : "delivered";
    expect(await shipmentsOf(client, orderId)).toMatchObject([{ shipment_status: status }]);
  }
});

test("a number that is used again is that of the later gift", async () => {
  const number = newNumber();
  const [earlier, later] = [await ship(number), await ship(number)];
  await sql("UPDATE shipments SET shipped_at_ms = 0 WHERE order_id = ?", earlier.orderId).run();
  await report(number, { status: "return_to_sender" });
  expect(await eventTypes(earlier.client)).toEqual(["gift.shipped"]);
  expect(await eventTypes(later.client)).toEqual(["gift.shipped", "gift.returned"]);
});

test.each([
  ["in_transit", "delivered", "delivered"],
  ["delivered", "in_transit", "delivered"],
  ["return_to_sender", "out_for_delivery", "returned"],
])("of %s and %s in one second, %s is further on", async (first, second, status) => {
  const number = newNumber();
  const { client, orderId } = await ship(number);
  for (const each of [first, second]) await report(number, { status: each });
  expect(await shipmentsOf(client, orderId)).toMatchObject([{ shipment_status: status }]);
});

test("a parcel is delivered at the time of its scan, but not before its shipment", async () => {
  const number = newNumber();
  const { orderId } = await ship(number, { count: 2 });
  const delivered = scan("delivered", 0.1);
  const atMs = Date.parse(delivered.datetime);
  await sql("UPDATE orders SET created_at_ms = 0 WHERE id = ?", orderId).run();
  const set = "UPDATE shipments SET shipped_at_ms = ? + 8000 * (2 * sequence - 3)";
  await sql(`${set} WHERE order_id = ?`, atMs, orderId).run();
  await report(number, { status: "delivered", tracking_details: [delivered] });
  const select = "SELECT delivered_at_ms AS at FROM shipments WHERE order_id = ? ORDER BY sequence";
  const { results } = await sql(select, orderId).all();
  expect(results).toEqual([{ at: atMs }, { at: atMs + 8_000 }]);
});

test.each([
  ["delivered", "delivered"],
  ["return_to_sender", "returned"],
])("a corrected number takes back that the parcel was %s", async (status, taken) => {
  const [wrong, right] = [newNumber(), newNumber()];
  const { client, orderId, gifts } = await ship(wrong);
  const correct = (trackingNumber: string, carrier = "DHL") =>
    changeParcels("correct", [{ ...(gifts[0] as ShipmentKey), carrier, trackingNumber }]);
  await report(wrong, { status });
  await correct(right);
  await report(wrong, { status, updated_at: at(59) });
  const [shipment] = await shipmentsOf(client, orderId);
  expect(shipment).toMatchObject({ shipment_status: "shipped", shipment_problem: null });
  expect(shipment).toMatchObject({ carrier_status: null, expected_delivery: null });
  const mark = "SELECT fulfilment FROM gifts WHERE order_id = ?";
  expect(await sql(mark, orderId).first("fulfilment")).toBe("shipped");
  await report(right, { status: "delivered" });
  await correct(right, "DHL Paket");
  await correct(`${right}; ${newNumber()}`);
  expect(await eventTypes(client)).toEqual([
    ...["gift.shipped", `gift.${taken}`, "gift.shipped", "gift.delivered"],
  ]);
});

test("a corrected carrier takes back what another one reported about the same number", async () => {
  const number = newNumber();
  const { client, orderId } = await ship(number, { carrier: "UPS" });
  const operator = await openOperatorApi(["fulfilment"]);
  const correct = (carrier: string) =>
    operator.run("shipment correct", { gift: toGiftNumber(orderId, 1), carrier });
  await report(number, { status: "delivered", carrier: "UPS" });
  await correct("UPS Ground");
  expect(await shipmentsOf(client, orderId)).toMatchObject([{ shipment_status: "delivered" }]);
  await correct("FedEx");
  await report(number, { status: "delivered", carrier: "UPS", updated_at: at(59) });
  const taken = { shipment_status: "shipped", carrier_status: null, delivered_at: null };
  expect(await shipmentsOf(client, orderId)).toMatchObject([taken]);
  await report(number, { status: "delivered", carrier: "FedEx" });
  expect(await eventTypes(client)).toEqual([
    ...["gift.shipped", "gift.delivered", "gift.shipped", "gift.delivered"],
  ]);
});

test("a number that is recorded twice is that of one parcel", async () => {
  const number = newNumber();
  const { client } = await ship(`${number}, ${number}`);
  await report(number, { status: "delivered" });
  expect(await eventTypes(client)).toEqual(["gift.shipped", "gift.delivered"]);
});

test("a gift in two parcels is delivered with the second one, and shows the later day", async () => {
  const [one, two] = [newNumber(), newNumber()];
  const { client, orderId } = await ship(`${one}, ${two}`);
  await report(two, { updated_at: at(1) });
  await report(one, { updated_at: at(1), est_delivery_date: "2031-05-09T20:00:00Z" });
  const [shipment] = await shipmentsOf(client, orderId);
  expect(shipment).toMatchObject({ expected_delivery: "2031-05-09", carrier_status: "in_transit" });
  await report(one, { status: "delivered", updated_at: at(2) });
  expect((await shipmentsOf(client, orderId))[0]).toMatchObject({
    shipment_status: "shipped",
    carrier_status: "in_transit",
    expected_delivery: "2031-05-08",
  });
  await report(two, { status: "delivered", updated_at: at(2) });
  expect((await shipmentsOf(client, orderId))[0]).toMatchObject({ shipment_status: "delivered" });
});

test("all gifts in a parcel are delivered with it, but not one that was cancelled", async () => {
  const number = newNumber();
  const { client, orderId, gifts } = await ship(number, { count: 3, carrier: "Deutsche Post DHL" });
  const [first] = gifts;
  if (!first) throw new Error("no gift");
  await changeParcels("return", [{ ...first, problem: "refused" }]);
  await sql(
    "UPDATE gifts SET redemption_status = 'cancelled', fulfilment = NULL WHERE order_id = ? AND sequence = 1",
    orderId,
  ).run();
  await report(number.toLowerCase(), { status: "delivered" });
  const { results } = await sql("SELECT status FROM shipments WHERE order_id = ?", orderId).all();
  expect(results.map(({ status }) => status)).toEqual(["returned", "delivered", "delivered"]);
  expect((await eventTypes(client)).filter((type) => type === "gift.delivered")).toHaveLength(2);
});

test("a report whose step is refused is stored", async () => {
  const number = newNumber();
  const { client, orderId } = await ship(number);
  // No step of a parcel is possible for a digital gift.
  await sql(
    "UPDATE product_revisions SET delivery = 'digital' WHERE product_id = (SELECT product_id FROM orders WHERE id = ?)",
    orderId,
  ).run();
  await report(number, { status: "delivered" });
  expect(await shipmentsOf(client, orderId)).toMatchObject([
    { shipment_status: "shipped", carrier_status: "delivered" },
  ]);
});

test("200 events at once deliver each gift once", async () => {
  const parcels = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const number = newNumber();
      return { number, ...(await ship(number)) };
    }),
  );
  const events = parcels.flatMap(({ number }) =>
    Array.from({ length: 20 }, () => report(number, { status: "delivered" })),
  );
  await Promise.all(events);
  for (const { client } of parcels) {
    expect(await eventTypes(client)).toEqual(["gift.shipped", "gift.delivered"]);
  }
});

test("events that concern no gift are answered, logged, and cost one round trip", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const [number, one, two] = [newNumber(), newNumber(), newNumber()];
  const { client, orderId } = await ship(`${one}, ${two}`);
  for (const code of [number, one + two]) {
    const { meter } = await report(code, { status: "delivered" });
    expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(meter.rowsRead).toBeLessThan(8);
  }
  const lines = log.mock.calls.map(([line]) => JSON.parse(line as string) as { event: string });
  const counted = lines.filter(({ event }) => event === "carrier.unknown_number");
  expect(counted).toHaveLength(2);
  expect(JSON.stringify(lines)).not.toContain(number);
  const other = JSON.stringify({ ...eventOf(number), description: "batch.created" });
  expect(await send(other, await sign(other))).toMatchObject({ status: 200 });
  expect((await shipmentsOf(client, orderId))[0]).toMatchObject({ carrier_status: null });
});

test("a caller without the secret learns and changes nothing", async () => {
  const number = newNumber();
  const { client, orderId } = await ship(number);
  const body = JSON.stringify(eventOf(number, { status: "delivered" }));
  const signed = await sign(body);
  const value = signed["X-Hmac-Signature"] ?? "";
  const cases: [number, string, Record<string, string>][] = [
    [401, body, {}],
    [401, body, await sign(body, "another")],
    [401, `${body} `, signed],
    [401, body, { "X-Hmac-Signature": value.slice(0, -1) }],
    [401, body, { "X-Hmac-Signature": value.replace("hmac-sha256-hex=", "") }],
    [401, "{", { "X-Hmac-Signature": "hmac-sha256-hex=" }],
    [413, "x".repeat(1024 * 1024 + 1), signed],
    [400, "{", await sign("{")],
    [200, "[]", await sign("[]")],
  ];
  for (const [status, sent, headers] of cases) {
    const answer = await send(sent, headers);
    expect(answer.status, sent.slice(0, 10)).toBe(status);
    expect(answer.meter.roundTrips).toBe(0);
  }
  expect((await worker.fetch(PATH)).status).toBe(405);
  expect((await shipmentsOf(client, orderId))[0]).toMatchObject({ shipment_status: "shipped" });
  const without = startWorker();
  for (const init of [{}, { method: "POST", body, headers: signed }])
    expect((await without.fetch(PATH, init)).status).toBe(404);
});

test("the gift page shows when the parcel arrives", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  await accept(worker, gift.path);
  const number = newNumber();
  const parcel = { orderId: gift.orderId, sequence: 1, carrier: "DHL", trackingNumber: number };
  await changeParcels("ship", [parcel]);
  const page = async () => (await fetchAccepted(worker, gift.path)).text;
  await report(number, { updated_at: at(1) });
  expect(await page()).toContain('Arrives on <time datetime="2031-05-08">');
  await report(number, { status: "out_for_delivery", updated_at: at(2) });
  expect(await page()).toContain(texts.shipment.outForDelivery);
  const { lists } = await readTimeline(env.DB, { orderId: gift.orderId, sequence: 1 }, 50);
  const what = `The carrier last reported out for delivery for ${number}, expected on 2031-05-08`;
  expect(lists.timeline).toContainEqual(expect.objectContaining({ what }));
  await report(number, { status: "exception", est_delivery_date: "2026-01-01", updated_at: at(3) });
  expect(await page()).not.toContain("Arrives on");
  await report(number, { status: "delivered", updated_at: at(4) });
  expect(await page()).not.toContain(texts.shipment.outForDelivery);
});

test("numbers are registered once, after an outage and a correction too, and only with a key", async () => {
  watchLog();
  const receiver = receivingPath(inject("receiverUrl"), crypto.randomUUID());
  const run = (key = "EZAK-key", DB = env.DB) =>
    registerParcels({ ...env, DB, EASYPOST_API_KEY: key }, Date.now, receiver.url);
  const received = async () =>
    (await receiver.received()).map(
      ({ body }) =>
        (JSON.parse(body) as { tracker: { tracking_code: string } }).tracker.tracking_code,
    );
  while ((await receiver.received()).length === 0) await run();
  await run();
  const earlier = (await received()).length;
  const since = async () => (await received()).slice(earlier);
  const [one, two, three] = [newNumber(), newNumber(), newNumber()];
  const { gifts } = await ship(`${one}; ${two}`, { count: 50 });
  const without = newMeter();
  await run("", meteredD1(env.DB, without));
  expect([without.roundTrips, await since()]).toEqual([0, []]);
  await receiver.behave({ status: 503 });
  await expect(run()).rejects.toThrow("503");
  expect(await since()).toEqual([one]);
  await receiver.behave({ status: 422 });
  await run();
  await run();
  expect(await since()).toEqual([one, one, two]);
  await receiver.behave({ status: 201 });
  await changeParcels(
    "correct",
    gifts.map((gift) => ({ ...gift, carrier: "DHL", trackingNumber: `${two},${three}` })),
  );
  await report(two, {});
  await run();
  await run();
  expect(await since()).toEqual([one, one, two, three]);
  expect((await receiver.received()).at(-1)).toMatchObject({
    method: "POST",
    headers: { authorization: `Basic ${btoa("EZAK-key:")}`, "content-type": "application/json" },
  });
  const meter = newMeter();
  await run("EZAK-key", meteredD1(env.DB, meter));
  const clients = await sql("SELECT count(*) AS count FROM clients").first<number>("count");
  expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  expect(meter.rowsRead).toBeLessThanOrEqual(3 * (clients ?? 0));
});

test("EasyPost receives the known carrier, and the numbers that it refuses are listed", async () => {
  watchLog();
  const receiver = receivingPath(inject("receiverUrl"), crypto.randomUUID());
  const number = newNumber();
  const { client } = await ship(number, { carrier: "UPSDAP" });
  for (const carrier of ["Auspost - Parcel Post", "DPD (UK)", "DHL Express", "GLS", "Hop Lane"])
    await ship(number, { carrier });
  await receiver.behave({ status: 422 });
  const bindings = { ...env, EASYPOST_API_KEY: "EZAK-key" };
  for (let run = 0; run < 3; run++) await registerParcels(bindings, Date.now, receiver.url);
  const bodies = (await receiver.received()).map(({ body }) => JSON.parse(body));
  const named = ["UPS", "AustraliaPost", "DPDUK", "DHLExpress", undefined];
  expect(bodies.filter(({ tracker }) => tracker.tracking_code === number)).toEqual(
    named.map((carrier) => ({ tracker: { tracking_code: number, carrier } })),
  );
  const filter = { status: "shipped", client: client.clientId };
  const { rows } = await (await openOperatorApi()).list("shipment list", filter);
  expect(rows).toMatchObject([{ tracking_number: number, problem: "unknown to EasyPost" }]);
});

test("the cron handler starts the registration if there is a key", async () => {
  const send = vi.fn(() => Promise.resolve());
  const WEBHOOK_QUEUE = overriding(env.WEBHOOK_QUEUE, { send });
  const minute = () => Date.UTC(2031, 4, 2, 10, 1);
  await handleCron({ ...env, EMAIL_FROM: "", WEBHOOK_QUEUE }, minute);
  expect(send.mock.calls).toEqual([[{ type: "vendors" }]]);
  send.mockClear();
  const set = { EASYPOST_API_KEY: "EZAK-key", EASYPOST_WEBHOOK_SECRET: SECRET };
  await handleCron({ ...env, EMAIL_FROM: "", WEBHOOK_QUEUE, ...set }, minute);
  expect(send.mock.calls).toEqual([[{ type: "vendors" }], [{ type: "trackers" }]]);
});

test("a number that is written twice is returned once", async () => {
  const number = newNumber();
  const { client, orderId } = await ship(`${number}, ${number.slice(0, 2)}-${number.slice(2)}`);
  await report(number, { status: "return_to_sender" });
  expect(await eventTypes(client)).toEqual(["gift.shipped", "gift.returned"]);
  expect(await shipmentsOf(client, orderId)).toMatchObject([{ carrier_status: "returned" }]);
});

test("a report stores nothing with a shipment whose tracking is erased meanwhile", async () => {
  const number = newNumber();
  const { orderId } = await ship(number);
  const batch = async (statements: D1PreparedStatement[]) => {
    await writeErasure(env.DB, [orderId * 1000 + 1], Date.now());
    return env.DB.batch(statements);
  };
  const times = { atMs: Date.now(), scannedAtMs: Date.now() };
  const delivery = { number, carrier: "DHL", status: "delivered" as const, ...times };
  const report = { ...delivery, problem: undefined, expectedOn: null };
  await recordReport(overriding(env.DB, { batch }), report, Date.now());
  const answers = sql("SELECT carrier_answers FROM shipments WHERE order_id = ?", orderId);
  expect(await answers.first("carrier_answers")).toBeNull();
});
