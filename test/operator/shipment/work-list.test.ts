// The operator's work list: which gifts it contains, its filters, what recipients receive, and the rows that it reads.
import { env } from "cloudflare:workers";
import { SHIPMENT_STATUSES } from "../../../src/core/values/shipment-states.ts";
import { describe, expect, test } from "vitest";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { PICK_LIST_COLUMNS } from "../../../src/operator/shipment/picklist.ts";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import {
  openShop,
  ADDRESS,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  unusedOrderId,
  variableProduct,
} from "../../support/fixtures.ts";
import { accept, changeParcels, createGift } from "../../support/gift.ts";
import { copyOrder, importListed } from "../../support/listed-orders.ts";
import { placeOrder } from "../../support/orders.ts";
import { sql } from "../../support/sql.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";
import { openConsole } from "../../console/console.ts";
import { openOperatorApi } from "../operator-api.ts";

type Filters = Record<string, string>;

const api = await openOperatorApi(["fulfilment"]);

/** All gifts of the list, in pages of `limit`, with what each page has cost. */
async function pagesOf(filters: Filters, limit?: number) {
  const { rows, meters } = await api.all("shipment list", filters, limit);
  return { numbers: rows.map(({ gift }) => gift as string), meters };
}

/** The numbers of the gifts to ship. */
const openOf = async ({ clientId }: TestClient, filters: Filters = {}) =>
  (await pagesOf({ client: clientId, ...filters })).numbers;

const place = async (
  client: TestClient,
  product: Parameters<typeof orderOf>[0],
  changes: Record<string, unknown> = {},
): Promise<number> => {
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product, changes));
  return order_data.order_id;
};

const ship = (gifts: { orderId: number; sequence: number }[], nowMs?: number) =>
  changeParcels("ship", gifts, nowMs);

const numbersOf = (orderId: number, ...sequences: number[]) =>
  sequences.map((sequence) => toGiftNumber(orderId, sequence));

const countTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

const giftsOf = (orderId: number, ...sequences: number[]) =>
  sequences.map((sequence) => ({ orderId, sequence }));

/** Copies the order with its gifts and shipments, as `copyOrder` does. Returns the ids of the copies. */
async function copyWithGifts(id: number, ...more: CopyArguments): Promise<number[]> {
  const newest = await unusedOrderId();
  await copyOrder(id, ...more);
  const copies = await sql("SELECT id FROM orders WHERE id >= ? ORDER BY id", newest).raw<
    [number]
  >();
  const ids = copies.flat();
  for (const table of ["gifts", "shipments"]) {
    const names = await sql("SELECT name FROM pragma_table_info(?)", table).raw<[string]>();
    const columns = names.flat().filter((name) => name !== "order_id");
    await sql(
      `INSERT INTO ${table} (order_id, ${columns.join()})
       SELECT c.value, ${columns.join()} FROM ${table}, json_each(?) c WHERE order_id = ?`,
      JSON.stringify(ids),
      id,
    ).run();
  }
  return ids;
}

type CopyArguments = Parameters<typeof copyOrder> extends [number, ...infer More] ? More : never;

describe("the list of gifts to ship", () => {
  test("contains paid gifts that were bought outright, until they are shipped", async () => {
    const { product, client } = await openShop(simpleProduct(), { billing: "invoice" });
    const unpaid = await place(client, product);
    const paid = await place(client, product, { recipient_details: recipients(3) });
    const cancelled = await place(client, product);
    const failed = await place(client, product);
    expect(await openOf(client)).toEqual([]);
    await transition(env.DB, paid, "pay", Date.now());
    await transition(env.DB, cancelled, "pay", Date.now());
    await transition(env.DB, cancelled, "cancel", Date.now());
    await transition(env.DB, failed, "fail", Date.now());
    expect(await openOf(client)).toEqual(numbersOf(paid, 1, 2, 3));
    await ship(giftsOf(paid, 2));
    expect(await openOf(client)).toEqual(numbersOf(paid, 1, 3));
    await transition(env.DB, unpaid, "pay", Date.now());
    expect(await openOf(client)).toEqual([toGiftNumber(unpaid, 1), ...numbersOf(paid, 1, 3)]);
    await ship([...giftsOf(paid, 1, 3), ...giftsOf(unpaid, 1)]);
    expect(await openOf(client)).toEqual([]);
  });

  test("contains a gift with a link from its redemption on, also if its order is then cancelled", async () => {
    const worker = startWorker();
    const { client, orderId, paths } = await createGift(worker, [simpleProduct()], {
      recipient_details: recipients(3),
    });
    expect(await openOf(client)).toEqual([]);
    await accept(worker, paths[2] ?? "");
    await accept(worker, paths[0] ?? "");
    expect(await openOf(client)).toEqual(numbersOf(orderId, 1, 3));
    await transition(env.DB, orderId, "cancel", Date.now());
    expect(await openOf(client)).toEqual(numbersOf(orderId, 1, 3));
    await ship(giftsOf(orderId, 1));
    expect(await openOf(client)).toEqual(numbersOf(orderId, 3));
  });

  test("contains no expired gift and nothing of another client", async () => {
    const { product, client } = await openShop();
    const other = await createClient({ products: [product] });
    const order = { reference: "imported", status: "paid", createdAtMs: Date.now() } as const;
    const id = await importListed(client, product, {
      ...order,
      method: "email",
      gifts: [null, "cancelled", "redeemed"],
    });
    await env.DB.prepare(
      "UPDATE gifts SET redemption_status = 'expired' WHERE order_id = ? AND sequence = 1",
    )
      .bind(id)
      .run();
    await importListed(other, product, { ...order, method: "api-purchase", gifts: [null] });
    expect(await openOf(client)).toEqual(numbersOf(id, 3));
  });

  test("of a client has no gifts of others, also after a position in the list of all clients", async () => {
    const product = simpleProduct({}, { quantity: null });
    const [first, second] = [
      await createClient({ products: [product] }),
      await createClient({ products: [product] }),
    ].sort((a, b) => (a.clientId < b.clientId ? -1 : 1)) as [TestClient, TestClient];
    for (const client of [first, first, second]) await place(client, product);
    const { next } = await api.list("shipment list", { client: first.clientId }, { limit: 1 });
    const after = next ?? "";
    const { rows } = await api.list("shipment list", { client: second.clientId }, { after });
    expect(rows.map(({ gift }) => gift)).toEqual(await openOf(second));
  });

  test("is by client and time of the order, across chunks", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 400 }));
    const later = await createClient({ products: [product] });
    const first = await place(client, product, { recipient_details: recipients(400) });
    const nowMs = Date.now();
    const others = { client_id: `'${later.clientId}'` };
    const ids = [
      first,
      ...(await copyWithGifts(first, 1, nowMs + DAY_MS)),
      ...(await copyWithGifts(first, 2, nowMs, others)),
    ];
    const found = (await pagesOf({}, 700)).numbers.filter((number) =>
      ids.some((id) => number.startsWith(toGiftNumber(id, 0).slice(0, -1))),
    );
    expect(found).toEqual(ids.flatMap((id) => numbersOf(id, ...countTo(400))));
  });
});

/** The row of the client's first gift in a pick list. */
const rowOf = async ({ clientId }: TestClient) => {
  const { rows } = await api.list("shipment picklist", { client: clientId }, { limit: 1 });
  return rows[0] ?? {};
};

describe("an entry", () => {
  test("has the address, the product and the message of the card", async () => {
    const product = variableProduct({ name: "Mug" });
    const [, large] = product.product.variations;
    const { client, orderId, path } = await createGift(startWorker(), [product], {
      order_ref_id: "spring",
      variation_id: large?.id,
      recipient_details: [{ ...recipients(1)[0], redemption_message: "Well done!\nYour team" }],
    });
    await accept(startWorker(), path, { delivery_notes: "Ring twice", country: "Australia" });
    const row = await rowOf(client);
    expect(Object.keys(row)).toEqual(Object.keys(PICK_LIST_COLUMNS));
    expect(row).toMatchObject({
      ...ADDRESS,
      gift: toGiftNumber(orderId, 1),
      order_ref_id: "spring",
      client_id: client.clientId,
      delivery: "physical",
      vendor: "A Vendor",
      sku: large?.sku,
      product: "Mug",
      variation: "Size: L",
      name: "First0 Last0",
      email: null,
      phone_number: "+61 2 5550 0100",
      country: "AU",
      delivery_notes: "Ring twice",
      message: "Well done!\nYour team",
      shipment_status: "open",
      shipped_date: null,
      carrier: null,
      tracking_number: null,
      tracking_url: null,
    });
    expect(row["ready_date"]).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test.for([
    ["AU", "AU", "3056", null],
    ["AU", "New Zealand", "6011", "origin_country, customs_value"],
    ["FR", "Germany", "10115", null],
    ["FR", "Switzerland", "8001", "origin_country, customs_value"],
    ["GB", "IE", "D02 AF30", "origin_country, customs_value"],
  ] as const)(
    "for a parcel from %s to %s %s names %s as missing",
    async ([from, to, postcode_zipcode, missing]) => {
      const product = simpleProduct({
        currency: "AUD",
        locations: [],
        customs: { hs_code: "691200" },
      });
      const order = { base_location: from };
      const { client, path } = await createGift(startWorker(), [product], order);
      await accept(startWorker(), path, {
        country: to,
        ...(to !== "AU" && { state: "" }),
        postcode_zipcode,
      });
      expect(await rowOf(client)).toMatchObject({
        hs_code: "691200",
        origin_country: null,
        customs_value: null,
        customs_missing: missing,
      });
    },
  );

  test("has the customs value with its currency", async () => {
    const customs = { hs_code: "691200", origin_country: "PT", customs_value: "20.50" };
    const { client, path } = await createGift(startWorker(), [simpleProduct({ customs })]);
    await accept(startWorker(), path, { country: "New Zealand" });
    expect(await rowOf(client)).toMatchObject({
      origin_country: "PT",
      customs_value: "20.50",
      customs_currency: "AUD",
      customs_missing: null,
    });
  });

  test("has the gift that the recipient chose", async () => {
    const offered = simpleProduct();
    const { vendor } = offered.product;
    const chosen = variableProduct({ vendor: { ...vendor, name: "Other Vendor" } });
    const [small] = chosen.product.variations;
    const { client, path } = await createGift(startWorker(), [offered, chosen], {
      gift_of_choice: "Y",
    });
    await accept(startWorker(), path, {
      product_id: String(chosen.product.id),
      variation_id: String(small?.id),
    });
    expect(await rowOf(client)).toMatchObject({
      vendor: "Other Vendor",
      sku: small?.sku,
      product: chosen.product.name,
      variation: "Size: S",
    });
  });

  test("of a digital gift has the last e-mail address and the order's country, and no postal address", async () => {
    const { product, client } = await openShop(simpleProduct({ delivery: "digital" }));
    const orderId = await place(client, product, { base_location: "NZ" });
    expect(await rowOf(client)).toMatchObject({
      delivery: "digital",
      email: "recipient0@example.com",
      country: "NZ",
      phone_number: null,
      address_line_1: null,
      postcode_zipcode: null,
      variation: null,
    });
    // As the recipient has entered it.
    await sql(
      "UPDATE gifts SET delivery_email = 'new@a.example' WHERE order_id = ?",
      orderId,
    ).run();
    expect((await rowOf(client))["email"]).toBe("new@a.example");
  });
});

describe("a filter", () => {
  test("selects by vendor, catalogue, delivery and country", async () => {
    const book = simpleProduct();
    const { vendor } = book.product;
    const tea = simpleProduct({ vendor: { ...vendor, name: "Zoë & Co" } });
    const card = simpleProduct({ delivery: "digital" });
    const client = await createClient({ products: [book, tea, card] });
    const other = await createClient();
    const abroad = recipients(2).map((recipient, index) => ({
      ...recipient,
      delivery_address: { ...ADDRESS, country: ["New Zealand", "Australia"][index] },
    }));
    const [books, teas, cards] = await Promise.all([
      place(client, book, { recipient_details: abroad }),
      place(client, tea),
      place(client, card, { base_location: "NZ" }),
    ]);
    expect(await openOf(client, { vendor: "ZOë & co" })).toEqual(numbersOf(teas, 1));
    for (const filter of [{ country: "Atlantis" }, { country: "XX" }]) {
      const fields = Object.keys(filter);
      expect(await api.refusal("shipment picklist", filter)).toMatchObject({ status: 400, fields });
    }
    expect(await openOf(client, { delivery: "digital" })).toEqual(numbersOf(cards, 1));
    const inNewZealand = [toGiftNumber(books, 1), toGiftNumber(cards, 1)].sort();
    expect(await openOf(client, { country: "NZ" })).toEqual(inNewZealand);
    expect(await openOf(client, { country: "NZ", delivery: "physical" })).toEqual([
      toGiftNumber(books, 1),
    ]);
    expect(await openOf(client, { catalogue: other.catalogue })).toEqual([]);
    expect(await openOf(client, { catalogue: client.catalogue })).toHaveLength(4);
  });

  test("selects by age: since the order, or since the redemption", async () => {
    const { product, client } = await openShop();
    const worker = startWorker();
    const nowMs = Date.now();
    const order = { reference: "imported", status: "paid" } as const;
    const old = await importListed(client, product, {
      ...order,
      method: "api-purchase",
      gifts: [null],
      createdAtMs: nowMs - 3 * DAY_MS,
    });
    await place(client, product);
    const gift = await createGift(worker, [product]);
    await env.DB.prepare("UPDATE orders SET created_at_ms = ? WHERE id = ?")
      .bind(nowMs - 3 * DAY_MS, gift.orderId)
      .run();
    await accept(worker, gift.path);
    const before = (days: number) => ({ older_than: `${String(days)}d` });
    expect(await openOf(client, before(2))).toEqual(numbersOf(old, 1));
    expect(await openOf(client, before(4))).toEqual([]);
    expect(await openOf(gift.client, before(2))).toEqual([]);
    await env.DB.prepare("UPDATE gifts SET redeemed_at_ms = ? WHERE order_id = ?")
      .bind(nowMs - 2.5 * DAY_MS, gift.orderId)
      .run();
    expect(await openOf(gift.client, before(2))).toHaveLength(1);
  });
});

describe("the list of recorded shipments", () => {
  const time = (ms: number) => new Date(ms).toISOString();
  const recordedOf = async ({ clientId }: TestClient, filters: Filters = {}) =>
    (await pagesOf({ client: clientId, status: "shipped", ...filters })).numbers;

  test("contains the shipments of one status whose last change is in the range", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 5_000 }));
    const id = await place(client, product, { recipient_details: recipients(3) });
    const nowMs = Date.now();
    await ship(giftsOf(id, 3), nowMs - 2 * DAY_MS);
    await ship(giftsOf(id, 2, 1), nowMs);
    expect(await recordedOf(client)).toEqual(numbersOf(id, 3, 1, 2));
    expect(await recordedOf(client, { since: time(nowMs - DAY_MS) })).toHaveLength(2);
    expect(await recordedOf(client, { until: time(nowMs - DAY_MS) })).toEqual(numbersOf(id, 3));
    expect(await recordedOf(client, { status: "delivered" })).toEqual([]);
    expect(await recordedOf(client, { country: "NZ" })).toEqual([]);
    expect(await openOf(client)).toEqual([]);
    const everyone = await pagesOf({ status: "shipped" });
    expect(everyone.numbers).toEqual(expect.arrayContaining(numbersOf(id, 3)));
  });

  test("is complete across pages, and reads rows in proportion to what it shows", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 5_000 }));
    const sinceMs = Date.now();
    const sequences = countTo(450);
    const id = await place(client, product, { recipient_details: recipients(450) });
    await ship(giftsOf(id, ...sequences));
    const ids = [id, ...(await copyWithGifts(id, 2, sinceMs))];
    const shipped = ids.flatMap((each) => numbersOf(each, ...sequences));
    const rest = await place(client, product, { recipient_details: recipients(2) });
    await ship(giftsOf(rest, 1, 2), sinceMs + DAY_MS);
    expect(await recordedOf(client, { until: time(sinceMs + DAY_MS) })).toEqual(shipped);
    expect(await recordedOf(client, { until: time(sinceMs + DAY_MS), country: "AU" })).toEqual(
      shipped,
    );
    const late = await pagesOf({
      client: client.clientId,
      status: "shipped",
      since: time(sinceMs + DAY_MS),
    });
    expect(late.numbers).toHaveLength(2);
    expect(late.meters).toMatchObject([{ roundTrips: 2 }]);
    expect(late.meters[0]?.rowsRead).toBeLessThan(40);
    const page = await api.call("shipment list", { status: "shipped" }, { limit: "50" });
    expect(JSON.parse(page.html).text).toContain("More than 1,000 gifts");
    // Of these, at most 1,001 are counted. Each client has a range.
    expect(page.meter.rowsRead).toBeLessThan(2_500);
  });

  test("is reached by tabs without the times of the gifts to ship", async () => {
    const user = await (await openConsole()).signIn("viewer");
    const { vendor } = simpleProduct().product;
    await openShop(simpleProduct({ vendor: { ...vendor, name: "Hop Lane" } }));
    const page = await user.get("/shipment/list?older_than=2d&vendor=Hop+Lane");
    const tabs = [...page.html.matchAll(/<a href="(\?[^"]*status=[^"]*)"/g)];
    const hrefs = tabs.map(([, href = ""]) => `/shipment/list${href.replaceAll("&amp;", "&")}`);
    expect(hrefs).toHaveLength(SHIPMENT_STATUSES.length);
    for (const href of hrefs) {
      expect(href).toContain("vendor=Hop+Lane");
      expect([href, (await user.get(href)).status]).toEqual([href, 200]);
    }
  });

  test("has other times than the list of gifts to ship", async () => {
    const since = { since: "2026-01-01" };
    expect(await api.refusal("shipment list", since)).toMatchObject({ fields: ["since"] });
    const age = { status: "shipped", older_than: "2d" };
    expect(await api.refusal("shipment list", age)).toMatchObject({ fields: ["older_than"] });
  });
});

test("the pick list records the reading of each gift, and of no other", async () => {
  const product = simpleProduct({}, { quantity: 1_000 });
  const { client } = await openShop(product);
  const id = await place(client, product, { recipient_details: recipients(3) });
  const other = await place(client, product);
  const actionsOf = async (orderId: number) =>
    (await listAudit(env.DB, { orderId, limit: 10 })).map(({ action, before }) => [action, before]);
  const { html } = await api.call(
    "shipment picklist",
    { client: client.clientId },
    {},
    { headers: { Accept: "text/csv", "Content-Type": "application/json" } },
  );
  const lines = html.split("\r\n");
  expect(lines[0]).toBe(Object.keys(PICK_LIST_COLUMNS).join());
  expect(lines[1]).toMatch(new RegExp(`^${toGiftNumber(id, 1)},.*14 Plane Tree Lane`));
  expect(lines).toHaveLength(6);
  expect(await actionsOf(id)).toEqual(Array(3).fill(["shipment picklist", null]));
  await api.list("shipment picklist", { client: client.clientId }, { limit: 3 });
  expect(await actionsOf(other)).toHaveLength(1);
});

describe("the cost", () => {
  test("does not depend on the number of finished orders, nor of orders that are not paid", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 5_000 }));
    const id = await place(client, product);
    const copy = async (count: number) => {
      await copyOrder(id, 10 * count, 1, { shipped_gifts: "qty" });
      await copyOrder(id, count, 1, { status: "'created'" });
      await copyOrder(id, count, 1, { gift_order_method: "'api-giftlink'" });
    };
    // The row after a range is also read. With a copy of each kind, every range has one.
    await copy(1);
    const filters: Filters[] = [{ client: client.clientId }, {}];
    const before = await Promise.all(filters.map((each) => pagesOf(each)));
    // The second one records the reading.
    expect(before[0]?.meters).toMatchObject([{ roundTrips: 2 }]);
    await copy(200);
    expect(await Promise.all(filters.map((each) => pagesOf(each)))).toEqual(before);
  });

  test("of a page is in proportion to its gifts, of all clients or one, and redeemed or bought", async () => {
    const product = simpleProduct({}, { quantity: 5_000 });
    const { client } = await openShop(product);
    const bought = await place(client, product);
    const gift = { reference: null, status: "paid", method: "email", createdAtMs: 1 } as const;
    const redeemed = await importListed(client, product, { ...gift, gifts: ["redeemed"] });
    for (const id of [bought, redeemed]) {
      await copyWithGifts(id, 2_000, 1, { redeemed_gifts: "redeemed_gifts" });
    }
    for (const filters of [{ client: client.clientId }, {}]) {
      const { html, meter } = await api.call("shipment list", filters, { limit: "50" });
      expect(JSON.parse(html).rows).toHaveLength(50);
      // Without a filter, the gifts are counted.
      const isCounted = Object.keys(filters).length === 0;
      expect(meter.roundTrips).toBe(isCounted ? 3 : 2);
      // By vendor, 1,001 gifts are counted.
      expect(meter.rowsRead).toBeLessThan(isCounted ? 8_000 : 1_000);
    }
    const { numbers } = await pagesOf({ client: client.clientId }, 300);
    expect([numbers.length, new Set(numbers).size]).toEqual([4_002, 4_002]);
  });
});
