// The operator's search for orders and gifts.
import { ApiError } from "../../../src/core/api-error.ts";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { changeShipments } from "../../../src/features/fulfilment/change.ts";
import type { ShipmentStep } from "../../../src/features/fulfilment/shipment.ts";
import { searchTermsOf } from "../../../src/features/orders/search-terms.ts";
import { readMatches, type GiftSearch, recognise } from "../../../src/operator/order/find-gifts.ts";
import { renewedGiftUrl } from "../../../src/features/orders/gift-link.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  unique,
} from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { copyOrder, importWith } from "../../support/listed-orders.ts";
import { placeGiftLink, placeOrder } from "../../support/orders.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const ALL: GiftSearch = {
  by: null,
  clientId: null,
  limit: 100,
  fromMs: Number.MIN_SAFE_INTEGER,
  untilMs: Number.MAX_SAFE_INTEGER,
};
const worker = startWorker();

/** The keys of the found gifts, such as `42.1`. */
async function found(text: string, search: Partial<GiftSearch> = {}, db = env.DB) {
  const { gifts } = await readMatches({ ...env, DB: db }, text, { ...ALL, ...search });
  return gifts.map(({ orderId, sequence }) => `${String(orderId)}.${String(sequence)}`);
}

describe("recognise", () => {
  test.each<[string, number[]]>([
    ["GO-00042", [42_000]],
    ["go-00042-3", [42_003]],
    ["42003", [42_003_000, 42_003]],
    ["42000", [42_000_000]],
    ["9007199254740991", [9007199254740991]],
    ["go-42", [42_000]],
    ["GO-42-3", [42_003]],
    ["GO-42-03", []],
    ["GO 00042", [42_000]],
    ["go–OO42/3", [42_003]],
    ["PO-7", []],
  ])("of %j is %j", (text, ids) => {
    expect(recognise(text)).toEqual({ ids, link: null });
  });

  test("of a gift URL is its gift, with text around the link", () => {
    const token = `42003-abcd12345678${"0".repeat(24)}`;
    const url = `https://a.example/redeem/${token}`;
    for (const text of [token, url, url.toUpperCase(), `</redeem/${token}>`]) {
      const link = { orderId: 42, sequence: 3, generation: 0, nonce: "12345678" };
      expect(recognise(text)).toMatchObject({ ids: [42_003], link });
    }
    const renewed = `https://a.example/redeem/42003-2-${token.slice(6)}`;
    expect(recognise(renewed)).toMatchObject({ link: { generation: 2 } });
    for (const text of ["https://a.example/redeem/", `/redeem/${token}x`, "/redeem/42003"]) {
      expect(recognise(text)).toEqual({ ids: [], link: null });
    }
  });
});

test("an international e-mail address is found in each of its forms", async () => {
  const { product, client } = await openShop();
  const people = [{ ...recipients(1)[0], email: "ada@münchen.example" }];
  await placeOrder(worker, client, orderOf(product, { recipient_details: people }));
  const own = { clientId: client.clientId };
  for (const text of [
    "ada@münchen.example",
    "ADA@xn--mnchen-3ya.example",
    "ada＠MÜNCHEN.example",
  ]) {
    expect(await found(text, own)).toHaveLength(1);
  }
  expect(await found("ada@munchen.example", own)).toEqual([]);
});

describe("what is exactly the text", () => {
  test("is an order by its number, its id and its reference, and a gift by its own", async () => {
    const { product, client } = await openShop();
    const body = orderOf(product, { recipient_details: recipients(3) });
    const { order_data } = await placeOrder(worker, client, body);
    const { order_id: orderId, order_number: number } = order_data;
    const all = [1, 2, 3].map((sequence) => `${String(orderId)}.${String(sequence)}`);
    // Without the client, the digits may also be an id of another test's order or gift.
    const own = { clientId: client.clientId };
    const { order_ref_id: reference } = body;
    for (const text of [number, reference, reference.toUpperCase(), `Invoice ${number}, thanks`]) {
      expect(await found(text)).toEqual(all);
    }
    expect(await found(String(orderId), own)).toEqual(all);
    expect(await found(number, { limit: 2 })).toEqual(all.slice(0, 2));
    expect(await found(`${number}-2`)).toEqual(all.slice(1, 2));
    expect(await found(String(orderId * 1_000 + 3), own)).toEqual(all.slice(2));
    expect(await found(`${number}-4`)).toEqual([]);
    expect(await found(body.order_ref_id, { fromMs: Date.now() + 60_000 })).toEqual([]);
  });

  test("is both the order and the gift with an id", async () => {
    const { product, client } = await openShop();
    const { order_data } = await placeOrder(worker, client, orderOf(product));
    const id = order_data.order_id * 1_000 + 1;
    await importWith(client, product, { id });
    const own = { clientId: client.clientId };
    expect(await found(String(id), own)).toEqual([`${id}.1`, `${order_data.order_id}.1`]);
  });

  test("is the reference of every client, newest order first, or of one client", async () => {
    const product = simpleProduct();
    const order_ref_id = `PO ${String(unique())}`;
    const placed: [string, string][] = [];
    for (let n = 0; n < 2; n++) {
      const client = await createClient({ products: [product] });
      await placeOrder(worker, client, orderOf(product, { order_ref_id: `${order_ref_id}0` }));
      const { order_data } = await placeOrder(worker, client, orderOf(product, { order_ref_id }));
      placed.unshift([client.clientId, `${order_data.order_id}.1`]);
    }
    expect(await found(order_ref_id)).toEqual(placed.map(([, key]) => key));
    for (const [clientId, key] of placed) {
      expect(await found(order_ref_id, { clientId })).toEqual([key]);
    }
  });

  test("is a gift by its URL, also if it was renewed, but not with another order's nonce", async () => {
    const { product, client } = await openShop();
    const body = orderOf(product, { recipient_details: recipients(2) });
    const { order_data, recipient_return } = await placeGiftLink(worker, client, body);
    const url = recipient_return[1]?.gift_url ?? "";
    const key = `${order_data.order_id}.2`;
    expect(await found(url)).toEqual([key]);
    const { link } = recognise(url);
    if (!link) throw new Error("the URL has no token");
    const order = { id: link.orderId, linkKeyId: link.keyId, linkNonce: link.nonce };
    const renewed = await renewedGiftUrl(env, order, { sequence: 2, generation: 1 });
    expect((await readMatches(env, renewed, ALL)).notes).toHaveLength(1);
    await sql("UPDATE orders SET link_nonce = '00000000' WHERE id = ?", link.orderId).run();
    await expect(found(url)).rejects.toThrow(ApiError);
  });

  test("is an order without recipients", async () => {
    const { product, client } = await openShop();
    const id = await importWith(client, product);
    await sql("DELETE FROM gifts WHERE order_id = ?", id).run();
    expect(await found(String(id), { clientId: client.clientId })).toEqual([`${id}.null`]);
  });
});

describe("the beginnings of terms", () => {
  let client: TestClient;
  const tag = `zq${String(unique())}`;
  const phone = `+61 ${String(unique())} 55`;
  const PEOPLE = [
    ["Ada", `Park-${tag}`, `Ada@${tag}.example`],
    ["Élise", `O'Neil ${tag}`, `elise.smith@${tag}.example`],
    ["Jürgen", `MÜLLER ${tag}`, `ada@${tag}.example`],
    ["Παύλος", `Ωραίος ${tag}`, `p@${tag}.example`],
    ["Łukasz", `Ørsted ${tag}`, `baerbel+shop@${tag}.example`],
    ["Bärbel", `Groß-Strauß ${tag}`, `b@${tag}.example`],
    ["Zoe\u0301", `Nguyễn ${tag}`, `zoe@${tag}.example`],
    ["娜", `李 ${tag}`, `li@${tag}.example`],
  ] as const;

  beforeAll(async () => {
    const product = simpleProduct({}, { quantity: null });
    client = await createClient({ products: [product] });
    const recipient_details = recipients(PEOPLE.length).map((each, index) => {
      const [first_name, last_name, email] = PEOPLE[index] ?? ["", "", ""];
      return { ...each, first_name, last_name, email, external_id: `${tag}/${String(index + 1)}` };
    });
    Object.assign(recipient_details[7] ?? {}, { phone_number: phone });
    const body = orderOf(product, { order_ref_id: `Été ${tag} 17`, recipient_details });
    await placeGiftLink(worker, client, body);
  });

  const sequences = async (text: string, search: Partial<GiftSearch> = {}) => {
    const keys = await found(text, { clientId: client.clientId, ...search });
    return keys.map((key) => Number(key.split(".")[1])).sort();
  };
  const everyone = PEOPLE.map((_, index) => index + 1);

  test.each<[string, number[]]>([
    ["ADA", [1, 3]],
    ["par ada", [1]],
    ["ÉLISE o'neil", [2]],
    ["e\u0301lise", [2]],
    ["jurgen mull", [3]],
    ["ada müller", [3]],
    ["uller", []],
    ["ΩΡΑ", [4]],
    ["παύλ", [4]],
    ["łukasz orsted", [5]],
    ["gross-strauss", [6]],
    ["barbel", [6]],
    ["zoé nguyen", [7]],
    ["李娜", [8]],
    ["娜", [8]],
    [`ada@${tag}.EXAMPLE`, [1, 3]],
    ["BAERBEL+SHOP", [5]],
    [`${tag}.ex`, everyone],
    [`@${tag}.example`, everyone],
    [`ada @${tag}.example`, [1, 3]],
    [`ada park ${tag}.example`, [1]],
    [`${tag}/2`, [2]],
    [`ete ${tag} 17`, everyone],
    [`ete ${tag} 1`, everyone],
    [`ete ${tag} 18`, []],
    [phone, [8]],
    [phone.replaceAll(" ", "").replace("+", "00").slice(0, -1), [8]],
    [phone.replace("+61 ", "+61 (0)"), [8]],
    ["!", []],
  ])("%j finds the gifts %j", async (text, gifts) => {
    expect(await sequences(text)).toEqual(gifts);
    expect(await sequences(text, { clientId: "other" })).toEqual([]);
  });

  test.each<[GiftSearch["by"], string, number[]]>([
    ["name", "ada", [1]],
    ["email", "ada", [1, 3]],
    ["email", "park", []],
    ["phone", phone, [8]],
    ["external-id", `${tag}/3`, [3]],
    ["reference", `${tag}/3`, []],
    ["tracking", "ada", []],
    ["number", "ada", []],
  ])("of the kind %s: %j finds the gifts %j", async (by, text, gifts) => {
    expect(await sequences(text, { by })).toEqual(gifts);
  });
});

describe("what people write in several ways", () => {
  let client: TestClient;
  const ref = `PO-${String(unique())}/7`;
  const PEOPLE: [first: string, last: string, phone: string][] = [
    ["Jürgen", "Müller", "+61 412 345 678"],
    ["Juergen", "Mueller", "0412 345 679"],
    ["Søren", "Ågård", "(415) 555-0100"],
    ["Soeren", "Aagaard", "+1 415 555 0101"],
    ["Anne-Marie", "O'Brien", "+7 912 345-67-89"],
    ["Annemarie", "OBrien", "8 912 345-67-80"],
    ["Jan", "Van der Berg", "0044 20 7946 0958"],
    ["Jan", "Vanderberg", "020 7946 0959"],
    ["Samuel", "Perez de la Cruz", "61412345670"],
    ["Chloe", "D’Angelo-Smith", "+353 1 234 5678"],
  ];

  beforeAll(async () => {
    const product = simpleProduct({}, { quantity: null });
    client = await createClient({ products: [product] });
    const recipient_details = recipients(PEOPLE.length).map((each, index) => {
      const [first_name, last_name, phone_number] = PEOPLE[index] ?? ["", "", ""];
      return { ...each, email: `${String(index)}@a.example`, first_name, last_name, phone_number };
    });
    await placeGiftLink(worker, client, orderOf(product, { order_ref_id: ref, recipient_details }));
  });

  test.each<[gifts: string, texts: string[]]>([
    ["1,2", ["Müller", "Mueller", "muller", "juergen muel", "Jürgen MÜLLER"]],
    ["1", ["jurgen mueller 0@"]],
    ["3,4", ["Søren", "soeren", "Soren", "Ågård", "Agard", "Aagaard", "soren aagard"]],
    ["5,6", ["O'Brien", "O’Brien", "obrien", "o brien", "anne-marie obrien"]],
    ["5", ["brien"]],
    ["7,8", ["Van der Berg", "vanderberg", "van derberg", "van der Berg Jan", "vanderberg, jan"]],
    ["7", ["berg"]],
    ["9", ["delacruz", "de la cruz", "de lacruz", "perezdela", "samu", "perez cruz"]],
    ["10", ["Dangelo", "d'angelo", "angelo", "smith", "dangelo smith", "Chloé"]],
    ["1", ["+61 412 345 678", "0412 345 678", "0061412345678", "61412345678", "412 345 678"]],
    ["2", ["0011 61 412 345 679", "+61 (0)412 345 679", "(+61) 0412 345-679", "tel:+61412345679"]],
    ["3", ["+1 415 555 0100", "1-415-555-0100", "415.555.0100", "4155550100", "001 415 5550100"]],
    ["4", ["(415) 555-0101"]],
    ["5", ["8 (912) 345-67-89", "+7 912 345 67 89", "9123456789"]],
    ["6", ["+7 912 345 67 80"]],
    ["7", ["020 7946 0958"]],
    ["8", ["+44 20 7946 0959"]],
    ["9", ["+61 412 345 670"]],
    ["10", ["01 234 5678"]],
  ])("the gifts %s are found by %j", async (gifts, texts) => {
    for (const text of texts) {
      const keys = await found(text, { clientId: client.clientId });
      const sequences = keys.map((key) => Number(key.split(".")[1])).sort((a, b) => a - b);
      expect([text, sequences.join()]).toEqual([text, gifts]);
    }
  });

  test("an order is found by its reference with other separators", async () => {
    for (const text of [
      ref,
      ref.replaceAll(/[-/]/g, " "),
      ref.replaceAll(/[-/]/g, "").toLowerCase(),
    ]) {
      expect(await found(text, { clientId: client.clientId })).toHaveLength(PEOPLE.length);
    }
  });
});

test("a gift is found by its corrected values", async () => {
  const { client: owner, orderId: id, path } = await createGift(worker, [simpleProduct()]);
  const own = { clientId: owner.clientId };
  const correct = (fields: object) =>
    worker.post(owner, "/api/order/correct", { suborder_id: id * 1_000 + 1, ...fields });
  await correct({ last_name: "Lovelace First0", email: "new@other.example" });
  expect([await found("last0", own), await found("lovel new@", own)]).toEqual([[], [`${id}.1`]]);
  await accept(worker, path, { first_name: "Grace", last_name: "First0", phone_number: "" });
  expect([await found("lovel", own), await found("grace fir", own)]).toEqual([[], [`${id}.1`]]);
  await expectExactTerms(id);
});

test("a gift is found by its present tracking number", async () => {
  const { client: owner, orderId: id, path } = await createGift(worker, [simpleProduct()]);
  await accept(worker, path);
  const change = async (step: ShipmentStep, trackingNumber: string | null) => {
    const request = { clientId: null, nowMs: Date.now(), requestId: `r${String(unique())}` };
    const parcel = { orderId: id, sequence: 1, carrier: "DHL", trackingNumber };
    await changeShipments(env.DB, step, [parcel], request);
    const search = { clientId: owner.clientId, by: "tracking" } as const;
    return [await found("1z a", search), await found("1z b", search)];
  };
  const key = `${id}.1`;
  expect(await change("ship", "1Z A")).toEqual([[key], []]);
  expect(await change("correct", "1Z B")).toEqual([[], [key]]);
  expect(await change("reopen", null)).toEqual([[], []]);
  await expectExactTerms(id);
});

/** The table has exactly the terms of the columns of the order's first gift. */
async function expectExactTerms(orderId: number) {
  const gift = await sql("SELECT * FROM gifts WHERE order_id = ?", orderId).first();
  const expected = Object.entries(searchTermsOf(gift ?? {})).flatMap(([kind, terms]) =>
    (terms ?? []).map((term) => `${kind} ${term}`),
  );
  const { results } = await sql(
    "SELECT kind || ' ' || term AS row FROM search_terms WHERE order_id = ? AND sequence = 1",
    orderId,
  ).all<{ row: string }>();
  expect(results.map(({ row }) => row).sort()).toEqual(expected.sort());
}

test("hostile values have at most 10 terms of 100 characters", async () => {
  const { product, client } = await openShop();
  const [person] = recipients(1);
  const hostile = {
    ...person,
    first_name: String.fromCodePoint(...Array.from({ length: 100 }, (_, n) => 0x4e00 + n)),
    last_name: "Æ".repeat(100),
    email: `${"a.".repeat(31)}a@${"b".repeat(60)}.${"c".repeat(60)}.example`,
    external_id: "\ufdfa".repeat(100),
  };
  const body = orderOf(product, { recipient_details: [hostile] });
  const { order_data } = await placeOrder(worker, client, body);
  const { results } = await sql(
    "SELECT kind, count(*) AS terms, max(length(term)) <= 100 AS short FROM search_terms WHERE order_id = ? GROUP BY 1",
    order_data.order_id,
  ).all<{ kind: string; terms: number; short: number }>();
  expect(results).toHaveLength(6);
  expect(results.every(({ terms, short }) => terms <= 10 && short === 1)).toBe(true);
  expect(await found(hostile.external_id)).toEqual([`${order_data.order_id}.1`]);
});

describe("among 5,000 gifts with the same name", () => {
  let client: TestClient;
  let rareId: number;
  beforeAll(async () => {
    const { product, client: largest } = await openShop();
    client = await createClient({ products: [product] });
    const gifts = (count: number, lastName: string) =>
      Array.from({ length: count }, () => ({ firstName: "Wilhelmina", lastName }));
    rareId = await importWith(client, product, {}, gifts(1, "Featherstone"));
    await importWith(client, product, {}, gifts(3, "Common"));
    const id = await importWith(largest, product, {}, gifts(1, "Common"));
    await copyOrder(id, 5_000, 1_000);
    await sql(
      `INSERT INTO gifts (order_id, sequence, first_name, last_name, email, product_minor, shipping_minor, fee_minor, product_id)
       SELECT o.id, 1, s.first_name, s.last_name, s.email, 0, 0, 0, s.product_id
       FROM gifts s, orders o WHERE s.order_id = ?1 AND o.id > ?1`,
      id,
    ).run();
    await sql(
      `UPDATE gifts SET search_terms = (SELECT search_terms FROM gifts WHERE order_id = ?1)
       WHERE order_id > ?1`,
      id,
    ).run();
  });

  test.each<[text: string, gifts: number, complete: boolean, rows: number]>([
    ["wilhelmina", 50, false, 2_300],
    ["wilhelm", 50, false, 2_300],
    ["wilhelmina feather", 1, true, 1_100],
    ["wilhelmina common", 50, false, 3_300],
    ["wilhelmina other", 0, true, 1_100],
  ])(
    "%j shows %d gifts, and reads a bounded number of rows",
    async (text, count, complete, rows) => {
      const meter = newMeter();
      const search = { ...ALL, limit: 50 };
      const answer = await readMatches({ ...env, DB: meteredD1(env.DB, meter) }, text, search);
      expect([answer.gifts.length, answer.complete]).toEqual([count, complete]);
      expect(meter.rowsRead).toBeLessThanOrEqual(rows);
      expect(meter.roundTrips).toBeLessThanOrEqual(3);
    },
  );

  test("a client's own are all found by the whole word", async () => {
    const search = { ...ALL, clientId: client.clientId };
    const { gifts, complete } = await readMatches(env, "wilhelmina", search);
    expect([gifts.length, gifts.at(-1)?.orderId, complete]).toEqual([4, rareId, true]);
  });
});

test("says that there may be more if gifts are found by their external id and their reference", async () => {
  const { product, client } = await openShop();
  const tag = `twice${String(unique())}`;
  const id = await importWith(client, product, {}, [{ externalId: tag }]);
  await copyOrder(id, 150, 1_000, { order_ref_id: `'${tag}-' || n` });
  await sql(
    `INSERT INTO gifts (order_id, sequence, first_name, last_name, email, product_minor, shipping_minor, fee_minor, product_id)
     SELECT o.id, 1, 'Ada', 'Park', '', 0, 0, 0, o.product_id
     FROM orders o WHERE o.client_id = ? AND o.order_ref_id IS NOT NULL`,
    client.clientId,
  ).run();
  await sql(
    `UPDATE gifts SET search_terms = json_object('external_id', json_array(o.order_ref_id))
     FROM orders o WHERE o.id = gifts.order_id AND o.client_id = ? AND o.order_ref_id IS NOT NULL`,
    client.clientId,
  ).run();
  await sql(
    `INSERT INTO search_terms SELECT order_ref_id, client_id, id, 0, 'order_ref_id' FROM orders
     WHERE client_id = ? AND order_ref_id IS NOT NULL`,
    client.clientId,
  ).run();
  for (const limit of [120, 150, 151]) {
    const { gifts, complete } = await readMatches(env, tag, { ...ALL, limit });
    expect([gifts.length, complete]).toEqual([limit, limit === 151]);
  }
});
