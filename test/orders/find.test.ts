// The operator's search for orders and gifts.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import {
  findByRecipient,
  findExactly,
  type GiftSearch,
  isLinkOfOrder,
  recognise,
} from "../../src/orders/find.ts";
import { renewedGiftUrl } from "../../src/orders/gift-link.ts";
import { meteredD1, newMeter } from "../support/counting.ts";
import {
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
  unique,
} from "../support/fixtures.ts";
import { accept } from "../support/gift.ts";
import { copyOrder, importListed } from "../support/listed-orders.ts";
import { placeGiftLink, placeOrder } from "../support/orders.ts";
import { startWorker } from "../support/worker.ts";

const ALL: GiftSearch = {
  ...{ clientId: null, limit: 100 },
  ...{ fromMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER },
};
const worker = startWorker();

const keys = (gifts: { orderId: number; sequence: number | null }[]) =>
  gifts.map(({ orderId, sequence }) => [orderId, sequence]);

const exactly = (text: string, search: Partial<GiftSearch> = {}) =>
  findExactly(env.DB, recognise(text), { ...ALL, ...search });

describe("recognise", () => {
  const none = { orderIds: [], suborderIds: [], link: null };
  test.each<[string, object]>([
    ["GO-00042", { ...none, orderIds: [42], reference: "GO-00042" }],
    ["go-00042-3", { ...none, suborderIds: [42_003], reference: "go-00042-3" }],
    ["42003", { ...none, orderIds: [42_003], suborderIds: [42_003], reference: "42003" }],
    ["9007199254740991", { ...none, suborderIds: [9007199254740991] }],
    ["GO-42", { ...none, reference: "GO-42" }],
    ["PO-7", { ...none, reference: "PO-7" }],
    ["ada@example.com", { ...none, reference: "ada@example.com" }],
  ])("of %j is %j", (text, expected) => {
    expect(recognise(text)).toMatchObject(expected);
  });

  test("of a gift URL is its sub-order, with text around the link", () => {
    const token = `42003-abcd12345678${"0".repeat(24)}`;
    for (const text of [token, `https://a.example/redeem/${token}`, `</redeem/${token}>`]) {
      expect(recognise(text)).toMatchObject({
        ...{ orderIds: [], suborderIds: [42_003], reference: null },
        link: { orderId: 42, sequence: 3, generation: 0, nonce: "12345678" },
      });
    }
    const renewed = `https://a.example/redeem/42003-2-${token.slice(6)}`;
    expect(recognise(renewed)).toMatchObject({ link: { generation: 2 } });
    for (const text of ["https://a.example/redeem/", `/redeem/${token}x`, "/redeem/42003"]) {
      expect(recognise(text)).toMatchObject({ suborderIds: [], link: null });
    }
  });
});

describe("findExactly", () => {
  test("finds an order by its number, its id and its reference, and a gift by its own", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const people = recipients(3).map((each, n) => ({ ...each, first_name: `Ada${String(n)}` }));
    const body = orderOf(product, { recipient_details: people });
    const { order_data } = await placeOrder(worker, client, body);
    const { order_id: orderId, order_number: number } = order_data;
    const all = await exactly(number);
    expect(keys(all)).toEqual([1, 2, 3].map((sequence) => [orderId, sequence]));
    expect(all[1]).toEqual({
      ...{ orderId, sequence: 2, clientId: client.clientId, orderRefId: body.order_ref_id },
      ...{ declinedAtMs: null, deliveryEmail: null, erasedAtMs: null },
      ...{ orderStatus: "paid", giftOrderMethod: "api-purchase", expiresAtMs: null },
      ...{ firstName: "Ada1", lastName: "Last1", email: "recipient1@example.com" },
      ...{ redemptionStatus: null, declinedAtMs: null, linkGeneration: 0, shipmentStatus: null },
      createdAtMs: expect.any(Number),
    });
    expect(await exactly(body.order_ref_id)).toEqual(all);
    expect(await exactly(number, { limit: 2 })).toEqual(all.slice(0, 2));
    expect(await exactly(`${number}-2`)).toEqual(all.slice(1, 2));
    // Without the client, the digits may also be an id of another test's order or sub-order.
    const own = { clientId: client.clientId };
    expect(await exactly(String(orderId), own)).toEqual(all);
    expect(await exactly(String(orderId * 1_000 + 3), own)).toEqual(all.slice(2));
    expect(await exactly(`${number}-4`)).toEqual([]);
    expect(await exactly(body.order_ref_id.toUpperCase())).toEqual([]);
  });

  test("finds both the order and the gift with an id", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const { order_data } = await placeOrder(worker, client, orderOf(product));
    const id = order_data.order_id * 1_000 + 1;
    await copyOrder(order_data.order_id, 1, 1_000, { id: String(id) });
    const found = await exactly(String(id), { clientId: client.clientId });
    await env.DB.prepare("DELETE FROM orders WHERE id = ?").bind(id).run();
    const expected = [
      [id, null],
      [order_data.order_id, 1],
    ];
    expect(keys(found)).toEqual(expected);
  });

  test("finds the reference of every client, newest order first, or of one client", async () => {
    const product = simpleProduct();
    const reference = `PO ${String(unique())}`;
    const placed = [];
    for (let n = 0; n < 2; n++) {
      const client = await createClient({ products: [product] });
      const body = orderOf(product, { order_ref_id: reference });
      const { order_data } = await placeOrder(worker, client, body);
      placed.push({ clientId: client.clientId, orderId: order_data.order_id });
    }
    const [first, second] = placed;
    expect((await exactly(reference)).map(({ orderId }) => orderId)).toEqual([
      second?.orderId,
      first?.orderId,
    ]);
    const own = { clientId: first?.clientId ?? "" };
    expect(keys(await exactly(reference, own))).toEqual([[first?.orderId, 1]]);
    expect(await exactly(`GO-${String(second?.orderId).padStart(5, "0")}`, own)).toEqual([]);
    expect(await exactly(reference, { untilMs: 1_000 })).toEqual([]);
    expect(await exactly(reference, { fromMs: Date.now() + 60_000 })).toEqual([]);
  });

  test("finds a gift by its URL, and compares the nonce of the link with the order's", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const body = orderOf(product, { recipient_details: recipients(2) });
    const { order_data, recipient_return } = await placeGiftLink(worker, client, body);
    const url = recipient_return[1]?.gift_url ?? "";
    expect(keys(await exactly(url))).toEqual([[order_data.order_id, 2]]);
    const { link } = recognise(url);
    if (!link) throw new Error("the URL has no token");
    expect(await isLinkOfOrder(env.DB, link)).toBe(true);
    expect(await isLinkOfOrder(env.DB, { ...link, nonce: "00000000" })).toBe(false);
    expect(await isLinkOfOrder(env.DB, { ...link, orderId: link.orderId + 1_000_000 })).toBe(false);
    const order = { id: link.orderId, linkKeyId: link.keyId, linkNonce: link.nonce };
    const renewed = await renewedGiftUrl(env, order, { sequence: 2, generation: 1 });
    expect(keys(await exactly(renewed))).toEqual([[order_data.order_id, 2]]);
  });

  test("finds an order without recipients", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const id = await importListed(client, product, {
      ...{ reference: null, status: "paid", method: "link", createdAtMs: 5, gifts: [null] },
    });
    await env.DB.prepare("DELETE FROM sub_orders WHERE order_id = ?").bind(id).run();
    expect(await exactly(String(id), { clientId: client.clientId })).toMatchObject([
      { orderId: id, sequence: null, email: null },
    ]);
  });

  test("reads the same rows with many orders as with few", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const body = orderOf(product, { recipient_details: recipients(2) });
    const { order_data, recipient_return } = await placeGiftLink(worker, client, body);
    const texts = [
      order_data.order_number,
      `${order_data.order_number}-2`,
      body.order_ref_id,
      recipient_return[0]?.gift_url ?? "",
      "no such reference",
    ];
    async function rowsRead(): Promise<number[]> {
      const rows: number[] = [];
      for (const text of texts) {
        const meter = newMeter();
        const wanted = recognise(text);
        await findExactly(meteredD1(env.DB, meter), wanted, ALL);
        expect(meter.roundTrips).toBeLessThanOrEqual(2);
        rows.push(meter.rowsRead);
      }
      return rows;
    }
    const before = await rowsRead();
    await copyOrder(order_data.order_id, 2_000, 1_000);
    expect(await rowsRead()).toEqual(before);
    const clients = Number(await env.DB.prepare("SELECT count(*) AS n FROM clients").first("n"));
    for (const rows of before) expect(rows).toBeLessThanOrEqual(2 * clients + 12);
  });
});

describe("findByRecipient", () => {
  const search = (field: "email" | "name", text: string, changes: Partial<GiftSearch> = {}) =>
    findByRecipient(env.DB, { field, text }, { ...ALL, ...changes });

  let product: TestProduct;
  let client: TestClient;
  let other: TestClient;
  const tag = `zq${String(unique())}x`;

  /** Places an order at the time for recipients with these first names, last names and addresses. */
  async function place(of: TestClient, atMs: number, ...people: [string, string, string][]) {
    const recipient_details = recipients(people.length).map((each, index) => {
      const [first_name, last_name, email] = people[index] ?? ["", "", ""];
      return { ...each, first_name, last_name, email };
    });
    const body = orderOf(product, { recipient_details });
    const { order_data } = await placeGiftLink(startWorker({ now: () => atMs }), of, body);
    return order_data.order_id;
  }

  let orders: number[];
  beforeAll(async () => {
    product = simpleProduct({}, { quantity: null });
    client = await createClient({ products: [product] });
    other = await createClient({ products: [product] });
    orders = [
      await place(client, 1_000, ["Ada", `Park-${tag}`, `Ada@${tag}.example`]),
      await place(
        other,
        2_000,
        ["Élise", `O'Neil ${tag}`, `elise@${tag}.example`],
        ["Jürgen", `MÜLLER${tag}`, `ada@${tag}.example`],
      ),
      await place(client, 3_000, ["ada", `lovelace ${tag}`, `xada@${tag}.example`]),
      await place(other, 4_000, ["Παύλος", `Ωραίος ${tag}`, `p@${tag}.example`]),
    ];
  });

  /** The found gifts, such as `1.2` for the second gift of `orders[1]`. */
  async function found(...args: Parameters<typeof search>) {
    const { gifts, complete } = await search(...args);
    const places = gifts.map(({ orderId, sequence }) => `${orders.indexOf(orderId)}.${sequence}`);
    return { gifts: places.join(" "), complete };
  }

  test("finds an exact e-mail address in any case, newest orders first", async () => {
    const expected = { gifts: "1.2 0.1", complete: true };
    expect(await found("email", `ada@${tag}.example`)).toEqual(expected);
    expect(await found("email", `ADA@${tag.toUpperCase()}.EXAMPLE`)).toEqual(expected);
    expect(await found("email", `ada@${tag}.exampl`)).toEqual({ gifts: "", complete: true });
  });

  test("finds the address that a recipient has entered for a digital gift, and that of the order", async () => {
    await env.DB.prepare(
      "UPDATE sub_orders SET delivery_email = ? WHERE order_id = ? AND sequence = 1",
    )
      .bind(`New@${tag}.example`, orders[3])
      .run();
    for (const address of ["new", "p"]) {
      const expected = { gifts: "3.1", complete: true };
      expect(await found("email", `${address}@${tag}.example`)).toEqual(expected);
    }
  });

  test.each([
    ["ADA", "2.1 0.1"],
    ["park ada", "0.1"],
    ["lovel", "2.1"],
    ["élise", "1.1"],
    ["ÉLISE o'neil", "1.1"],
    ["jürgen", "1.2"],
    ["müller", "1.2"],
    ["ür", "1.2"],
    ["παύλ", "3.1"],
    ["ΩΡΑ", "3.1"],
    ["e\u0301lise", "1.1"],
    ["ada müller", ""],
  ])("finds the name %j", async (text, gifts) => {
    // The tag excludes the recipients of other tests.
    expect(await found("name", `${text} ${tag}`)).toEqual({ gifts, complete: true });
    const alone = await found("name", text, { limit: 10_000 });
    expect(
      alone.gifts
        .split(" ")
        .filter((each) => !each.startsWith("-"))
        .join(" "),
    ).toBe(gifts);
  });

  test("searches only the orders of the client and of the time", async () => {
    const name = (changes: Partial<GiftSearch>) => found("name", tag, changes);
    const gifts = async (changes: Partial<GiftSearch>) => (await name(changes)).gifts;
    const [own, others] = [{ clientId: client.clientId }, { clientId: other.clientId }];
    expect(await gifts({})).toBe("3.1 2.1 1.2 1.1 0.1");
    expect(await gifts(own)).toBe("2.1 0.1");
    expect(await gifts(others)).toBe("3.1 1.2 1.1");
    expect(await gifts({ clientId: "nobody" })).toBe("");
    expect(await gifts({ fromMs: 2_000, untilMs: 4_000 })).toBe("2.1 1.2 1.1");
    expect(await gifts({ untilMs: 2_000 })).toBe("0.1");
    expect(await gifts({ ...own, untilMs: 3_000 })).toBe("0.1");
    expect(await gifts({ ...own, fromMs: 1_001 })).toBe("2.1");
    expect(await gifts({ fromMs: 5_000, untilMs: 5_001 })).toBe("");
    expect(await name({ limit: 2 })).toEqual({ gifts: "3.1 2.1", complete: false });
    expect(await name({ ...others, limit: 1 })).toEqual({ gifts: "3.1", complete: false });
  });

  test("returns the state of the gift", async () => {
    const body = orderOf(product, { recipient_details: recipients(1) });
    const { recipient_return } = await placeGiftLink(worker, client, body);
    await accept(worker, recipient_return[0]?.gift_url ?? "");
    const { gifts } = await search("email", "recipient0@example.com", {
      ...{ clientId: client.clientId, limit: 1 },
    });
    expect(gifts).toMatchObject([{ redemptionStatus: "redeemed", shipmentStatus: null }]);
  });
});

describe("a search of many recipients", () => {
  const COUNT = 45_000;
  const PER_CALL = 20_000;
  let client: TestClient;
  let small: TestClient;
  let oldest: number;

  beforeAll(async () => {
    const product = simpleProduct({}, { quantity: null });
    [client, small] = [
      await createClient({ products: [product] }),
      await createClient({ products: [product] }),
    ];
    const order = { status: "paid", method: "api-purchase", gifts: [null] } as const;
    const listed = (createdAtMs: number) => {
      return { ...order, gifts: [null], reference: `many ${createdAtMs}`, createdAtMs };
    };
    oldest = await importListed(small, product, listed(1_000));
    const first = await importListed(client, product, listed(2_000));
    await copyOrder(first, COUNT, 3_000);
    await env.DB.prepare(
      `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id)
       SELECT id, 1, 'Many', 'Others', 'many@example.com', product_id FROM orders WHERE id > ?`,
    )
      .bind(first)
      .run();
    await env.DB.prepare(
      "UPDATE sub_orders SET email = 'the.oldest@example.com' WHERE order_id = ?",
    )
      .bind(oldest)
      .run();
  }, 60_000);

  async function measured(changes: Partial<GiftSearch>, text = "the.oldest@example.com") {
    const meter = newMeter();
    const progress: number[] = [];
    const { gifts } = await findByRecipient(
      meteredD1(env.DB, meter),
      { field: "email", text },
      { ...ALL, ...changes },
      ({ searched }) => progress.push(searched),
    );
    return { meter, progress, found: gifts.map(({ orderId }) => orderId) };
  }

  test("reads each recipient once, in calls of 20,000", async () => {
    const { meter, progress, found } = await measured({});
    const total = Number(await env.DB.prepare("SELECT count(*) AS n FROM sub_orders").first("n"));
    expect(found).toEqual([oldest]);
    const calls = Math.ceil(total / PER_CALL);
    expect(progress).toEqual(
      Array.from({ length: calls }, (_, index) => Math.min(total, (index + 1) * PER_CALL)),
    );
    // Each call reads one row past its end, and the found gift is read.
    expect(meter.rowsRead).toBeLessThanOrEqual(total + 20);
    expect(meter.roundTrips).toBe(progress.length + 1);
  });

  test("stops at the limit", async () => {
    const { meter, found } = await measured({ limit: 3 }, "MANY@example.com");
    expect(found).toHaveLength(3);
    expect(meter.roundTrips).toBe(2);
    expect(meter.rowsRead).toBeLessThanOrEqual(PER_CALL + 3_000);
  });

  test("reads no other client's orders with --client", async () => {
    const { meter, found } = await measured({ clientId: small.clientId });
    expect(found).toEqual([oldest]);
    expect(meter.rowsRead).toBeLessThanOrEqual(50);
    const many = await measured({ clientId: client.clientId });
    expect(many.found).toEqual([]);
    // For each order, its row, the row of the JSON with its id, its recipient, and the row after the recipient.
    expect(many.meter.rowsRead).toBeLessThanOrEqual(4 * COUNT + 1_000);
    expect(many.meter.roundTrips).toBe(2 * Math.ceil(COUNT / 10_000));
  });

  test("reads the orders of the time only", async () => {
    const { meter, found } = await measured({ fromMs: 1_000, untilMs: 1_001 });
    expect(found).toEqual([oldest]);
    const clients = Number(await env.DB.prepare("SELECT count(*) AS n FROM clients").first("n"));
    expect(meter.roundTrips).toBe(3);
    expect(meter.rowsRead).toBeLessThanOrEqual(150 * clients);
  });
});
