// Metadata of orders and recipients, and the partner's ids of recipients: in placements, orders, lists and events.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorOf } from "../support/errors.ts";
import {
  bytesOf,
  metadataOf,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
} from "../support/fixtures.ts";
import { accept, createGift } from "../support/gift.ts";
import { listOrders } from "../support/listed-orders.ts";
import { createSampleShop } from "../support/orders.ts";
import { eventList } from "../support/events.ts";
import { startWorker, type Credentials } from "../support/worker.ts";
import { runs } from "../support/runs.ts";

const worker = startWorker();
const PATHS = ["/api/order", "/api/gift-link"];

/** Recipients with the fields of `each`, one recipient for each. */
const recipientsWith = (...each: object[]) =>
  recipients(each.length).map((person, index) => ({ ...person, ...each[index] }));

const read = async (client: Credentials, reference: string, more = "") =>
  worker.get(client, `/api/order?order_ref_id=${encodeURIComponent(reference)}${more}`);

type Entries = [string, string][];

const anyKey = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }),
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "1", "01", "a.b"),
);
const anyMetadata: fc.Arbitrary<Entries> = fc
  .uniqueArray(fc.tuple(anyKey, fc.string({ maxLength: 500, unit: "grapheme" })), {
    maxLength: 20,
    selector: ([name]) => name,
  })
  .filter((entries) => !/[^\P{Cc}\t\n\r]/u.test(entries.flat().join("")))
  .filter((entries) => entries.every(([name, value]) => name.length <= 40 && value.length <= 500))
  .filter((entries) => bytesOf(Object.fromEntries(entries)) <= 4_096);
const textOf = (entries: Entries) =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
const sorted = (entries: Entries) => entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
const sortedEntries = (metadata: object) => sorted(Object.entries(metadata) as Entries);

const long = (length: number) => "x".repeat(length);
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${String(n)}`, "value"]));

const INVALID_METADATA: unknown[] = [
  ...["text", ["a"], 7, keys(21)],
  ...[{ [long(41)]: "a" }, { ["\u{1f381}".repeat(41)]: "a" }, { "": "a" }, { "a\u0000": "a" }],
  ...[{ a: 7 }, { a: null }, { a: { b: "c" } }],
  ...[{ a: long(501) }, { a: "\u{1f381}".repeat(501) }, { a: "\ud800" }],
  ...["x", '"', "é", "\u{1f381}"].map((character) => metadataOf(4_097, character)),
];

describe.each(PATHS)("metadata of POST %s", (path) => {
  test("is stored, and returned by GET /api/order only with include=metadata", async () => {
    const { product, client } = await createSampleShop();
    const body = orderOf(product, {
      metadata: { campaign: "spring", cost_centre: "4711" },
      recipient_details: recipientsWith(
        { external_id: "employee-1", metadata: { team: "sales" } },
        { external_id: "employee-2" },
        {},
      ),
    });
    expect((await worker.post(client, path, body)).status).toBe(200);
    const { json } = await read(client, body.order_ref_id, "&include=metadata");
    expect(json.metadata).toEqual({ campaign: "spring", cost_centre: "4711" });
    expect(
      (json.recipients as Record<string, unknown>[]).map(({ external_id, metadata }) => ({
        external_id,
        metadata,
      })),
    ).toEqual([
      { external_id: "employee-1", metadata: { team: "sales" } },
      { external_id: "employee-2", metadata: {} },
      { external_id: null, metadata: {} },
    ]);

    const { json: shown, text } = await read(client, body.order_ref_id);
    delete json.metadata;
    for (const recipient of json.recipients as Record<string, unknown>[]) {
      delete recipient["external_id"];
      delete recipient["metadata"];
    }
    expect(JSON.stringify(json)).toBe(text);
    expect(shown).toEqual(json);
  });

  test("writes no additional rows", async () => {
    const { product, client } = await createSampleShop();
    const written = async (metadata?: object) => {
      const recipient_details = recipientsWith({ metadata, external_id: "1" }, { metadata });
      const body = orderOf(product, { metadata, recipient_details });
      const { status, meter } = await worker.post(client, path, body);
      return [status, meter.rowsWritten];
    };
    expect(await written({ a: "b" })).toEqual(await written());
  });

  test("is returned unchanged, and the order of its keys does not matter", async () => {
    const { product, client } = await createSampleShop();
    await fc.assert(
      fc.asyncProperty(anyMetadata, anyMetadata, async (ofOrder, ofRecipient) => {
        const body = orderOf(product, {
          metadata: "ORDER",
          recipient_details: recipientsWith({ metadata: "RECIPIENT" }),
        });
        const send = (order: Entries, recipient: Entries) =>
          worker.post(
            client,
            path,
            JSON.stringify(body)
              .replace('"ORDER"', () => textOf(order))
              .replace('"RECIPIENT"', () => textOf(recipient)),
          );
        const placed = await send(ofOrder, ofRecipient);
        expect(placed.status, placed.text).toBe(200);
        const replay = await send(ofOrder.toReversed(), ofRecipient.toReversed());
        expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
        const { json } = await read(client, body.order_ref_id, "&include=metadata");
        expect(sortedEntries(json.metadata as object)).toEqual(sorted(ofOrder));
        expect(sortedEntries(json.recipients[0].metadata as object)).toEqual(sorted(ofRecipient));
      }),
      { numRuns: runs(30) },
    );
  });

  test("conflicts with other metadata or another external_id under a used reference", async () => {
    const { product, client } = await createSampleShop();
    const body = orderOf(product, {
      metadata: { a: "1" },
      recipient_details: recipientsWith({ external_id: "1", metadata: { b: "2" } }),
    });
    await worker.post(client, path, body);
    for (const changes of [
      { metadata: { a: "2" } },
      { metadata: { a: "1", b: "2" } },
      { metadata: undefined },
      { recipient_details: recipientsWith({ external_id: "2", metadata: { b: "2" } }) },
      { recipient_details: recipientsWith({ external_id: "1", metadata: { c: "2" } }) },
      { recipient_details: recipientsWith({ external_id: "1" }) },
    ]) {
      const { json } = await worker.post(client, path, { ...body, ...changes });
      expect(json.code).toBe("order_ref_conflict");
    }
  });
});

describe.each(PATHS)("POST %s", (path) => {
  test("refuses metadata other than an object of short texts with at most 4,096 bytes", async () => {
    const { product, client } = await createSampleShop();
    for (const metadata of INVALID_METADATA) {
      const recipient_details = recipientsWith({ metadata });
      const answer = await worker.post(
        client,
        path,
        orderOf(product, { metadata, recipient_details }),
      );
      const fields = errorOf(answer).errors?.map(({ field }) => field);
      expect([metadata, fields]).toEqual([metadata, ["recipient_details[0].metadata", "metadata"]]);
    }
  });

  test.each([
    [
      "20 keys of 40 characters",
      Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [String(n).padStart(40, "k"), long(150)]),
      ),
    ],
    ["values of 500 characters", { a: "é".repeat(500), b: long(500) }],
    ["4,096 bytes of letters", metadataOf(4_096)],
    ["4,096 bytes of two-byte characters", metadataOf(4_096, "é")],
    ["4,096 bytes of emojis", metadataOf(4_096, "\u{1f381}")],
    ["4,096 bytes of quotes", metadataOf(4_096, '"')],
    ["40 and 500 emojis", { ["\u{1f381}".repeat(40)]: "\u{1f381}".repeat(500) }],
  ])("accepts metadata with %s, and an external_id of 100", async (_, metadata) => {
    const { product, client } = await createSampleShop();
    const recipient_details = recipientsWith({ metadata, external_id: long(100) });
    const body = orderOf(product, { metadata, recipient_details });
    expect((await worker.post(client, path, body)).status).toBe(200);
    const { json } = await read(client, body.order_ref_id, "&include=metadata");
    expect(json).toMatchObject({ metadata, recipients: [{ metadata, external_id: long(100) }] });
  });

  test("returns an order whose metadata fills a body of 1 MiB", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 1000 }));
    const metadata = metadataOf(4_096, '"');
    const body = orderOf(product, {
      recipient_details: recipientsWith(...Array.from({ length: 235 }, () => ({ metadata }))),
    });
    const bytes = JSON.stringify(body).length;
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThan(1024 * 1024);
    expect((await worker.post(client, path, body)).status).toBe(200);
    const { json, meter } = await read(client, body.order_ref_id, "&include=metadata");
    expect(json.recipients[234].metadata).toEqual(metadata);
    expect(meter.roundTrips).toBe(1);
  });
});

test("GET /api/orders returns the metadata of each order", async () => {
  const { product, client } = await createSampleShop();
  await worker.post(client, "/api/order", orderOf(product, { metadata: { a: "b" } }));
  await worker.post(client, "/api/order", orderOf(product));
  const { orders } = await listOrders(worker, client, {});
  expect(orders.map(({ metadata }) => metadata)).toEqual([{}, { a: "b" }]);
  const byReference = await listOrders(worker, client, { order_ref_id_prefix: "ref-" });
  expect(byReference.orders.map(({ metadata }) => metadata)).toEqual([{ a: "b" }, {}]);
});

test("events have the metadata of the order, and in events of one gift that of its recipient", async () => {
  const gift = await createGift(worker, [simpleProduct()], {
    metadata: { campaign: "spring" },
    recipient_details: recipientsWith(
      { external_id: "employee-1", metadata: { team: "sales" } },
      {},
    ),
  });
  for (const path of gift.paths) await accept(worker, path);
  const { json, meter } = await worker.get(gift.client, "/api/events");
  const { events } = eventList(json);
  const partnerData = events.map(({ type, data }) => {
    const { metadata, external_id, recipient_metadata } = data as Record<string, unknown>;
    return [type, metadata, external_id, recipient_metadata];
  });
  const campaign = { campaign: "spring" };
  expect(partnerData).toEqual([
    ["order.paid", campaign, undefined, undefined],
    ["gift.redeemed", campaign, "employee-1", { team: "sales" }],
    ["gift.redeemed", campaign, undefined, undefined],
  ]);
  expect(meter.roundTrips).toBe(1);
  expect(meter.rowsRead).toBeLessThanOrEqual(3 * events.length + 2);
});

test("events have no such fields if the order has no metadata", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  await accept(worker, gift.path);
  const { text } = await worker.get(gift.client, "/api/events");
  expect(text).not.toContain("metadata");
  expect(text).not.toContain("external_id");
});
