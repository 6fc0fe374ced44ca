// The operator's search for parts of names, e-mail addresses and references.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import type { GiftSearch } from "../../../src/operator/orders/find.ts";
import { findByEmail, findByPart } from "../../../src/operator/orders/search.ts";
import type { SearchedFields } from "../../../src/operator/orders/search-queries.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
  unique,
} from "../../support/fixtures.ts";
import { accept } from "../../support/gift.ts";
import { copyOrder, importListed } from "../../support/listed-orders.ts";
import { placeGiftLink } from "../../support/orders.ts";
import { startWorker } from "../../support/worker.ts";

const ALL: GiftSearch = {
  clientId: null,
  limit: 100,
  fromMs: Number.MIN_SAFE_INTEGER,
  untilMs: Number.MAX_SAFE_INTEGER,
};
const worker = startWorker();

describe("findByEmail and findByPart", () => {
  type Fields = SearchedFields | "whole email";
  const search = (fields: Fields, text: string, changes: Partial<GiftSearch> = {}) =>
    fields === "whole email"
      ? findByEmail(env.DB, text, { ...ALL, ...changes })
      : findByPart(env.DB, { fields, text }, { ...ALL, ...changes });

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
      await place(
        client,
        5_000,
        ["Łukasz", `Ørsted ${tag}`, `lukasz.orsted@${tag}.example`],
        ["Bärbel", `Groß-Strauß ${tag}`, `baerbel+shop@${tag}.example`],
        ["Zoe\u0301", `Nguyễn ${tag}`, `zoe@${tag}.example`],
        ["李", `娜 ${tag}`, `li@${tag}.example`],
        ["Æsa", `Þórsdóttir ${"é".repeat(40)} ${tag}`, `aesa@${tag}.example`],
      ),
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
    expect(await found("whole email", `ada@${tag}.example`)).toEqual(expected);
    expect(await found("whole email", `ADA@${tag.toUpperCase()}.EXAMPLE`)).toEqual(expected);
    expect(await found("whole email", `ada@${tag}.exampl`)).toEqual({ gifts: "", complete: true });
  });

  test("finds the address that a recipient has entered for a digital gift, and that of the order", async () => {
    await env.DB.prepare(
      "UPDATE sub_orders SET delivery_email = ? WHERE order_id = ? AND sequence = 1",
    )
      .bind(`New@${tag}.example`, orders[3])
      .run();
    for (const address of ["new", "p"]) {
      const expected = { gifts: "3.1", complete: true };
      expect(await found("whole email", `${address}@${tag}.example`)).toEqual(expected);
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
    ["muller", "1.2"],
    ["JURGEN", "1.2"],
    ["elise", "1.1"],
    ["lukasz", "4.1"],
    ["łukasz orsted", "4.1"],
    ["gross strauss", "4.2"],
    ["GROß", "4.2"],
    ["barbel", "4.2"],
    ["zoé nguyen", "4.3"],
    ["zoe", "4.3"],
    ["李", "4.4"],
    ["aesa thorsdottir", "4.5"],
    ["αδα", ""],
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

  test.each([
    ["email", "example", "4.5 4.4 4.3 4.2 4.1 3.1 2.1 1.2 1.1 0.1"],
    ["email", `ADA@${tag}`, "2.1 1.2 0.1"],
    ["email", "lukasz.orsted@", "4.1"],
    ["email", "BAERBEL+SHOP", "4.2"],
    ["email", "Park", ""],
    ["name", "baerbel", ""],
    ["name and email", "baerbel", "4.2"],
    ["name and email", "barbel", "4.2"],
    ["name and email", "baerbel+shop", "4.2"],
    ["name and email", "orsted", "4.1"],
    ["name and email", "aesa", "4.5"],
    ["name and email", "nguyen", "4.3"],
    ["name and email", "ada", "2.1 1.2 0.1"],
    ["name and email", "o'neil", "1.1"],
  ] as const)("finds in the %s the part %j", async (fields, text, gifts) => {
    const { gifts: matches } = await found(fields, text, { limit: 10_000 });
    const own = matches.split(" ").filter((each) => !each.startsWith("-"));
    expect(own.join(" ")).toBe(gifts);
  });

  test("finds the gifts of orders by a part of their reference", async () => {
    const part = `Été-${tag}`;
    const references = [`${part}/1`, `x ${part.toUpperCase()}/2`, `ete ${tag}`, null];
    const ids: number[] = [];
    for (const reference of references) {
      const order = {
        status: "paid",
        method: "link",
        createdAtMs: 5,
        gifts: [null, null],
      } as const;
      ids.push(await importListed(client, product, { ...order, gifts: [null, null], reference }));
    }
    const byReference = async (text: string, changes: Partial<GiftSearch> = {}) => {
      const { gifts, complete } = await search("reference", text, changes);
      return [
        ...gifts.map(({ orderId, sequence }) => `${ids.indexOf(orderId)}.${sequence}`),
        complete,
      ];
    };
    const all = ["1.1", "1.2", "0.1", "0.2"];
    expect(await byReference(`ete-${tag}`)).toEqual([...all, true]);
    expect(await byReference(`été-${tag}/`)).toEqual([...all, true]);
    expect(await byReference(`ETE-${tag}/1`)).toEqual(["0.1", "0.2", true]);
    expect(await byReference(`ete-${tag}`, { clientId: client.clientId })).toEqual([...all, true]);
    expect(await byReference(`ete-${tag}`, { clientId: other.clientId })).toEqual([true]);
    expect(await byReference(`ete-${tag}`, { fromMs: 6 })).toEqual([true]);
    expect(await byReference(`ete-${tag}`, { limit: 3 })).toEqual(["1.1", "1.2", "0.1", false]);
  });

  test("searches only the orders of the client and of the time", async () => {
    const name = (changes: Partial<GiftSearch>) => found("name", tag, changes);
    const gifts = async (changes: Partial<GiftSearch>) => (await name(changes)).gifts;
    const [own, others] = [{ clientId: client.clientId }, { clientId: other.clientId }];
    expect(await gifts({})).toBe("4.5 4.4 4.3 4.2 4.1 3.1 2.1 1.2 1.1 0.1");
    expect(await gifts(own)).toBe("4.5 4.4 4.3 4.2 4.1 2.1 0.1");
    expect(await gifts(others)).toBe("3.1 1.2 1.1");
    expect(await gifts({ clientId: "nobody" })).toBe("");
    expect(await gifts({ fromMs: 2_000, untilMs: 4_000 })).toBe("2.1 1.2 1.1");
    expect(await gifts({ untilMs: 2_000 })).toBe("0.1");
    expect(await gifts({ ...own, untilMs: 3_000 })).toBe("0.1");
    expect(await gifts({ ...own, fromMs: 1_001 })).toBe("4.5 4.4 4.3 4.2 4.1 2.1");
    expect(await gifts({ fromMs: 6_000, untilMs: 6_001 })).toBe("");
    expect(await name({ limit: 2 })).toEqual({ gifts: "4.5 4.4", complete: false });
    expect(await name({ ...others, limit: 1 })).toEqual({ gifts: "3.1", complete: false });
  });

  test("returns the state of the gift", async () => {
    const body = orderOf(product, { recipient_details: recipients(1) });
    const { recipient_return } = await placeGiftLink(worker, client, body);
    await accept(worker, recipient_return[0]?.gift_url ?? "");
    const { gifts } = await search("whole email", "recipient0@example.com", {
      clientId: client.clientId,
      limit: 1,
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
    const { gifts } = await findByEmail(
      meteredD1(env.DB, meter),
      text,
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

  test("compares names with accents without reading them again, also if all have the longest text of a candidate", async () => {
    // 61 bytes of the first name, a space, 6 bytes and two quotation marks: 70 bytes.
    await env.DB.prepare("UPDATE sub_orders SET first_name = ? WHERE first_name = 'Many'")
      .bind(`x${"é".repeat(30)}`)
      .run();
    const meter = newMeter();
    const find = (text: string, fields: SearchedFields) =>
      findByPart(meteredD1(env.DB, meter), { fields, text }, { ...ALL, limit: 1 });
    expect(await find("no such name", "name")).toEqual({ gifts: [], complete: true });
    const total = Number(await env.DB.prepare("SELECT count(*) AS n FROM sub_orders").first("n"));
    expect(meter.rowsRead).toBeLessThanOrEqual(total + 20);
    const { gifts } = await find("xeeee others", "name and email");
    expect(gifts).toMatchObject([{ lastName: "Others" }]);
  }, 60_000);

  test("reads each order once to find a part of a reference", async () => {
    const meter = newMeter();
    const search = { fields: "reference", text: "MANY 1000" } as const;
    const { gifts } = await findByPart(meteredD1(env.DB, meter), search, ALL);
    expect(gifts.map(({ orderId }) => orderId)).toEqual([oldest]);
    const total = Number(await env.DB.prepare("SELECT count(*) AS n FROM orders").first("n"));
    expect(meter.rowsRead).toBeLessThanOrEqual(total + 20);
    expect(meter.roundTrips).toBe(Math.ceil(total / PER_CALL) + 1);
  });
});
