// GET /api/shipments: its fields, its two lists, pages, other tenants, and costs.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RequestedShipment } from "../../src/features/fulfilment/change.ts";
import type { ShipmentStep } from "../../src/features/fulfilment/shipment.ts";
import { errorOf } from "../support/errors.ts";
import {
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
} from "../support/fixtures.ts";
import { accept, changeParcels, createGift } from "../support/gift.ts";
import { orderNumberOf } from "../support/orders.ts";
import type { ShipmentListResponse } from "../../src/features/fulfilment/contract.ts";
import { transition } from "../support/transition.ts";
import { type Answer, startWorker } from "../support/worker.ts";
import { runs } from "../support/runs.ts";

const worker = startWorker();
const DHL = {
  carrier: "DHL",
  trackingNumber: "JD01, JD02",
  trackingUrl: "https://dhl.example/{tracking_number}",
};
const DAY_MS = Date.UTC(2031, 4, 1);

type Query = Record<string, string | number>;
type Page = ShipmentListResponse & { meter: Answer["meter"] };

const ask = (client: TestClient, query: Query) => {
  const text = new URLSearchParams(Object.entries(query).map(([name, v]) => [name, String(v)]));
  return worker.get(client, `/api/shipments?${text.toString()}`);
};

async function list(client: TestClient, query: Query): Promise<Page> {
  const answer = await ask(client, query);
  expect(answer.status, answer.text).toBe(200);
  return { ...(answer.json as ShipmentListResponse), meter: answer.meter };
}

/** All pages. `afterPage` runs between two pages. */
async function listAll(client: TestClient, query: Query, afterPage?: () => Promise<void>) {
  const pages = [await list(client, query)];
  for (let last = pages[0]; last?.has_more; last = pages.at(-1)) {
    await afterPage?.();
    pages.push(await list(client, { ...query, cursor: last.next_cursor ?? "" }));
  }
  return pages;
}

async function change(step: ShipmentStep, gifts: RequestedShipment[], nowMs?: number) {
  for (const { result } of await changeParcels(step, gifts, nowMs)) {
    expect(result).not.toBe("refused");
  }
}

async function shop(billing: "credit" | "invoice" = "credit") {
  const products = [{}, { delivery: "digital" as const }].map((changes) =>
    simpleProduct(changes, { quantity: 50_000 }),
  ) as [TestProduct, TestProduct];
  const client = await createClient({ products, billing });
  /** Places an order that is bought outright. */
  const buy = async (count: number, product = products[0], people = recipients(count)) => {
    const body = orderOf(product, { recipient_details: people });
    const { json } = await worker.post(client, "/api/order", body);
    const orderId: number = json.order_data.order_id;
    const gifts = Array.from({ length: count }, (_, index) => ({ orderId, sequence: index + 1 }));
    return { orderId, reference: body.order_ref_id, gifts };
  };
  return { client, products, buy };
}

const shown = ({ shipments }: Pick<Page, "shipments">) =>
  shipments.map(({ suborder_id, shipment_status }) => `${String(suborder_id)} ${shipment_status}`);

const keyOf = ({ orderId, sequence }: RequestedShipment) => orderId * 1000 + sequence;

const NO_PARCEL = {
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  other_tracking_urls: [],
  shipped_at: null,
  delivered_at: null,
  updated_at: null,
  external_id: null,
};

/** A gift that was shipped at `DAY_MS` with `DHL`, one that was delivered a minute later, and an open one. */
const SHIPMENTS = [
  {
    ...NO_PARCEL,
    external_id: "employee-7",
    shipment_status: "shipped",
    carrier: "DHL",
    tracking_number: "JD01, JD02",
    tracking_url: "https://dhl.example/JD01",
    other_tracking_urls: ["https://dhl.example/JD02"],
    shipped_at: "2031-05-01T00:00:00.000Z",
    updated_at: "2031-05-01T00:00:00.000Z",
  },
  {
    ...NO_PARCEL,
    shipment_status: "delivered",
    carrier: "DHL",
    shipped_at: "2031-05-01T00:00:00.000Z",
    delivered_at: "2031-05-01T00:01:00.000Z",
    updated_at: "2031-05-01T00:01:00.000Z",
  },
  { ...NO_PARCEL, shipment_status: "open" },
];

test("the shipments of an order have the fields of the shipment, by each of the three selectors", async () => {
  const { client, buy } = await shop();
  const people = recipients(3).map((person, index) =>
    index === 0 ? { ...person, external_id: "employee-7" } : person,
  );
  const { orderId, reference, gifts } = await buy(3, undefined, people);
  await change("ship", [{ ...(gifts[0] as RequestedShipment), ...DHL }], DAY_MS);
  await change("ship", [{ ...(gifts[1] as RequestedShipment), carrier: "DHL" }], DAY_MS);
  await change("deliver", gifts.slice(1, 2), DAY_MS + 60_000);
  const order_number = orderNumberOf(orderId);
  const shipments = SHIPMENTS.map((shipment, index) => ({
    ...shipment,
    order_id: orderId,
    order_number,
    order_ref_id: reference,
    suborder_id: orderId * 1000 + index + 1,
    suborder_number: `${order_number}-${String(index + 1)}`,
  }));
  for (const query of [{ order_id: orderId }, { order_number }, { order_ref_id: reference }]) {
    const page = { shipments, next_cursor: null, has_more: false };
    expect(await list(client, query)).toMatchObject(page);
  }
});

test("the shipments of an order are empty before the order is paid, open afterwards, and stay after a cancellation", async () => {
  const { client, buy } = await shop("invoice");
  const { orderId, gifts } = await buy(2);
  const query = { order_id: orderId };
  const empty = { shipments: [], next_cursor: null, has_more: false };
  expect(await list(client, query)).toMatchObject(empty);
  await transition(env.DB, orderId, "pay", Date.now());
  const [first, second] = [orderId * 1000 + 1, orderId * 1000 + 2].map(String);
  expect(shown(await list(client, query))).toEqual([
    `${String(first)} open`,
    `${String(second)} open`,
  ]);
  await change("ship", gifts.slice(1));
  await worker.post(client, "/api/order/cancel", query);
  expect(shown(await list(client, query))).toEqual([`${String(second)} shipped`]);
});

test("the shipments of an order of a gift-link order are those of its redeemed gifts", async () => {
  const { client, orderId, paths } = await createGift(
    worker,
    [simpleProduct({ delivery: "digital" })],
    {
      recipient_details: recipients(3),
    },
  );
  const query = { order_id: orderId };
  expect(shown(await list(client, query))).toEqual([]);
  await accept(worker, paths[1] ?? "");
  expect(shown(await list(client, query))).toEqual([`${String(orderId * 1000 + 2)} open`]);
  await change("ship", [{ orderId, sequence: 2 }]);
  const { shipments } = await list(client, query);
  expect(shipments).toMatchObject([{ shipment_status: "sent", delivered_at: null }]);
  expect(shipments[0]?.shipped_at).toBe(shipments[0]?.updated_at);
});

test("the shipments of an order are listed in pages, whose cursor belongs to the order", async () => {
  const { client, buy } = await shop();
  const { orderId, reference, gifts } = await buy(7);
  const other = await buy(1);
  await change("ship", gifts.slice(2, 4));
  const whole = (await list(client, { order_id: orderId, limit: 7 })).shipments;
  for (const limit of [1, 3, 6]) {
    const pages = await listAll(client, { order_ref_id: reference, limit });
    expect(pages.flatMap(({ shipments }) => shipments)).toEqual(whole);
    expect(pages).toHaveLength(Math.ceil(7 / limit));
  }
  const { next_cursor: cursor } = await list(client, { order_id: orderId, limit: 3 });
  for (const query of [
    { order_ref_id: other.reference, cursor: cursor ?? "" },
    { updated_from: "2026-01-01", cursor: cursor ?? "" },
  ]) {
    expect(errorOf(await ask(client, query)).errors?.[0]?.field).toBe("cursor");
  }
  const updated = await list(client, { updated_from: "2026-01-01", limit: 1 });
  const misused = { order_id: orderId, cursor: updated.next_cursor ?? "" };
  expect(errorOf(await ask(client, misused)).code).toBe("validation_error");
});

test("the shipments since a time are those that changed then or later, in the order of their changes", async () => {
  const { client, buy, products } = await shop();
  const first = await buy(3);
  const second = await buy(1, products[1]);
  expect((await list(client, { updated_from: "2026-01-01" })).shipments).toEqual([]);
  const [a, b, c] = first.gifts.map((gift) => String(keyOf(gift))) as [string, string, string];
  const [d = ""] = second.gifts.map((gift) => String(keyOf(gift)));
  await change("ship", first.gifts.slice(1, 2), DAY_MS);
  await change("ship", [...first.gifts.slice(0, 1), ...first.gifts.slice(2)], DAY_MS + 1_000);
  const from = (time: string) => list(client, { updated_from: time }).then(shown);
  expect(await from("2026-01-01")).toEqual([`${b} shipped`, `${a} shipped`, `${c} shipped`]);
  expect(await from("2031-05-01T00:00:00.001Z")).toEqual([`${a} shipped`, `${c} shipped`]);
  await change("correct", [{ ...(first.gifts[0] as RequestedShipment), ...DHL }], DAY_MS + 2_000);
  await change("deliver", first.gifts.slice(1, 2), DAY_MS + 3_000);
  expect(await from("2031-05-01T02:00:01+02:00")).toEqual([
    `${c} shipped`,
    `${a} shipped`,
    `${b} delivered`,
  ]);
  expect(await from("2031-05-01T00:00:03.001Z")).toEqual([]);
  await change("ship", second.gifts, DAY_MS);
  expect(await from("2031-05-01T00:00:03.001Z")).toEqual([`${d} sent`]);
});

test("the shipments since a time contain a shipment that was opened again, as open and with the time", async () => {
  const { client, buy } = await shop();
  const { orderId, gifts } = await buy(2);
  await change("ship", gifts, DAY_MS);
  const query = { updated_from: "2026-01-01" };
  const { next_cursor: cursor } = await list(client, query);
  await change("reopen", gifts.slice(0, 1), DAY_MS + 1_000);
  const opened = {
    suborder_id: orderId * 1000 + 1,
    shipment_status: "open",
    shipped_at: null,
    updated_at: "2031-05-01T00:00:01.000Z",
  };
  expect((await list(client, { ...query, cursor: cursor ?? "" })).shipments).toMatchObject([
    opened,
  ]);
  expect((await list(client, { order_id: orderId })).shipments[0]).toMatchObject(opened);
});

test("the shipments since a time refuse a cursor of another time", async () => {
  const { client, buy } = await shop();
  const { gifts } = await buy(1);
  await change("ship", gifts, DAY_MS);
  const { next_cursor: cursor } = await list(client, { updated_from: "2031-05-01" });
  const at = (updated_from: string) => ({ updated_from, cursor: cursor ?? "" });
  expect((await list(client, at("2031-05-01T00:00:00Z"))).shipments).toEqual([]);
  for (const updated_from of ["2026-01-01", "2031-05-02"]) {
    expect(errorOf(await ask(client, at(updated_from))).errors).toMatchObject([
      { field: "cursor" },
    ]);
  }
});

interface AnyChange {
  step: ShipmentStep;
  afterMs: number;
  gifts: number[];
}

/** A client with 21 gifts, changes of their shipments, and the copy of a partner that has one saved cursor. */
async function createCopied() {
  const { client, buy } = await shop();
  const gifts = [await buy(12), await buy(9)].flatMap((order) => order.gifts);
  const copy = new Map<number, Page["shipments"][number]>();
  const query: Query = { updated_from: "2026-01-01" };
  let [nowMs, number] = [DAY_MS, 0];
  const apply = async ({ step, afterMs, gifts: chosen }: AnyChange) => {
    nowMs += afterMs;
    number += 1;
    const tracking = { carrier: `carrier ${String(number)}` };
    const requested = chosen.map((index) => ({
      ...(gifts[index] as RequestedShipment),
      ...(step === "correct" && tracking),
    }));
    await changeParcels(step, requested, nowMs);
  };
  /** Reads the pages after the saved cursor. Each of the changes happens between two pages. */
  const readOn = async (limit: number, changes: AnyChange[]) => {
    const pages = await listAll(client, { ...query, limit }, async () => {
      const next = changes.shift();
      if (next) await apply(next);
    });
    for (const { shipments, next_cursor, meter } of pages) {
      for (const each of shipments) copy.set(each.suborder_id, each);
      query["cursor"] = next_cursor ?? "";
      expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    }
  };
  return { client, gifts, copy, apply, readOn };
}

const changesOf = (gifts: number) =>
  fc.record<AnyChange>({
    step: fc.constantFrom<ShipmentStep>("ship", "ship", "deliver", "correct"),
    afterMs: fc.integer({ min: 0, max: 3 }),
    gifts: fc.uniqueArray(fc.nat(gifts - 1), { maxLength: 6 }),
  });

test("the shipments since a time are each in the pages after their last change, while shipments change between two pages", async () => {
  const { client, gifts, copy, apply, readOn } = await createCopied();
  const changes = fc.array(changesOf(gifts.length), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(changes, fc.integer({ min: 2, max: 8 }), async (changes, limit) => {
      const [first, ...others] = changes;
      if (first) await apply(first);
      await readOn(limit, others);
      const whole = await list(client, { updated_from: "2026-01-01", limit: 500 });
      const times = whole.shipments.map(({ updated_at }) => updated_at ?? "");
      expect(times).toEqual([...times].sort());
      const known = [...copy.values()].sort(
        (a, b) =>
          (a.updated_at ?? "").localeCompare(b.updated_at ?? "") || a.suborder_id - b.suborder_id,
      );
      expect(known).toEqual(whole.shipments);
    }),
    { numRuns: runs(60) },
  );
  // Some gifts may not have been shipped yet.
  await apply({ step: "ship", afterMs: 1, gifts: [...gifts.keys()] });
  await readOn(8, []);
  expect(copy.size).toBe(gifts.length);
}, 120_000);

test("the request shows an order and shipments of another client as ones that do not exist", async () => {
  const { client, buy } = await shop();
  const { orderId, reference, gifts } = await buy(2);
  await change("ship", gifts);
  const other = await shop();
  await change("ship", (await other.buy(1)).gifts);
  for (const query of [
    { order_id: orderId },
    { order_number: orderNumberOf(orderId) },
    { order_ref_id: reference },
    { order_id: 999_999_999 },
    { order_number: "GO-1" },
  ]) {
    const error = errorOf(await ask(other.client, query));
    expect(error).toMatchObject({ http: 404, code: "not_found" });
  }
  const all = { updated_from: "2026-01-01" };
  const { next_cursor: cursor } = await list(client, { ...all, limit: 1 });
  expect((await list(other.client, all)).shipments).toHaveLength(1);
  const ids = (await list(other.client, { ...all, cursor: cursor ?? "" })).shipments;
  expect(ids.filter(({ order_id }) => order_id === orderId)).toEqual([]);
});

const FREE = { roundTrips: 1, rowsWritten: 0, kvReads: 0, kvWrites: 0 };

test("the cost of an order's shipments is one round trip, and rows in proportion to the page", async () => {
  const { client, buy } = await shop();
  const { orderId, gifts } = await buy(120);
  await change("ship", gifts.slice(0, 5));
  for (const limit of [10, 100]) {
    const { shipments, meter } = await list(client, { order_id: orderId, limit });
    expect(shipments).toHaveLength(limit);
    expect(meter).toMatchObject(FREE);
    expect(meter.rowsRead).toBeLessThanOrEqual(2 * limit + 7);
  }
});

test("the cost of the shipments since a time is one round trip, and rows in proportion to the page, among many shipments", async () => {
  const { client, buy } = await shop();
  // 120 shipments have the same time.
  for (let n = 0; n < 2; n++) await change("ship", (await buy(120)).gifts);
  await buy(120);
  const other = await shop();
  await change("ship", (await other.buy(120)).gifts);
  for (const limit of [1, 40, 150]) {
    let cursor = "";
    for (let n = 0; n < 3; n++) {
      const query = { updated_from: "2026-01-01", limit, ...(cursor && { cursor }) };
      const { shipments, meter, next_cursor } = await list(client, query);
      expect(meter).toMatchObject(FREE);
      expect(meter.rowsRead).toBeLessThanOrEqual(3 * (shipments.length + 1) + 2);
      cursor = next_cursor ?? "";
    }
  }
  const newest = await list(client, { updated_from: "2099-01-01" });
  expect([newest.shipments, newest.meter.rowsRead]).toEqual([[], 1]);
});
