// GET /api/recipients, and the recipients in GET /api/orders.
import { describe, expect, test } from "vitest";
import {
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  unique,
} from "../support/fixtures.ts";
import { importWith } from "../support/listed-orders.ts";
import type { GiftListResponse, OrderListResponse } from "../../src/features/orders/contract.ts";
import { sql } from "../support/sql.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker();

/** Reads all gifts, page by page. Each page takes one round trip and writes nothing. */
async function readGifts(client: TestClient, filter: Record<string, string>, limit = "100") {
  const pages: { gifts: GiftListResponse["gifts"]; rowsRead: number }[] = [];
  await worker.get(client, "/api/credit-balance");
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ ...filter, limit, ...(cursor !== null && { cursor }) });
    const { json, meter } = await worker.get(client, `/api/recipients?${query.toString()}`);
    expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    const page = json as GiftListResponse;
    pages.push({ gifts: page.gifts, rowsRead: meter.rowsRead });
    cursor = page.next_cursor;
  } while (cursor !== null);
  return pages;
}

const idsOf = (pages: Awaited<ReturnType<typeof readGifts>>) =>
  pages.flatMap(({ gifts }) => gifts.map(({ recipient }) => recipient.suborder_id));

/** Gift links for two others, and for Ada twice. */
async function placeForAda(product = simpleProduct(), client?: TestClient) {
  const shop = client ?? (await createClient({ products: [product] }));
  const ada = { external_id: "employee-7", email: "ada@example.com", language: "de" };
  const people = recipients(4).map((person, index) => ({
    ...person,
    ...(index % 2 === 1 ? ada : { external_id: `other-${String(unique())}` }),
  }));
  const body = orderOf(product, { recipient_details: people, metadata: { team: "red" } });
  const { json } = await worker.post(shop, "/api/gift-link", body);
  return { client: shop, product, body, placed: json };
}

describe("GET /api/recipients", () => {
  test("shows the gifts of a person with their links, those of the newest order first", async () => {
    const { client, product, body, placed } = await placeForAda();
    const { placed: later } = await placeForAda(product, client);
    const pages = await readGifts(client, { external_id: "employee-7" });
    const links = [later, placed].flatMap(({ recipient_return: all }) => [all[1], all[3]]);
    expect(idsOf(pages)).toEqual(links.map(({ suborder_id }) => suborder_id));
    expect(pages[0]?.gifts.map(({ recipient }) => recipient.recipient_details.gift_url)).toEqual(
      links.map(({ gift_url }) => gift_url as string),
    );
    expect(pages[0]?.gifts[2]).toMatchObject({
      order_id: placed.order_data.order_id,
      order_ref_id: body.order_ref_id,
      order_status: "paid",
      gift_order_method: "api-giftlink",
      recipient: { external_id: "employee-7", recipient_details: { language: "de" } },
    });
    for (const email of ["ada@example.com", "Ada@Example.COM"]) {
      expect(idsOf(await readGifts(client, { email }))).toEqual(idsOf(pages));
    }
    for (const limit of ["1", "3"]) {
      expect(idsOf(await readGifts(client, { external_id: "employee-7" }, limit))).toEqual(
        idsOf(pages),
      );
    }
  });

  test("shows the link that a renewal returned, and finds the corrected address only", async () => {
    const { client, placed } = await placeForAda();
    const { suborder_id, gift_url } = placed.recipient_return[0];
    const correction = { email: "new@example.com" };
    const body = { suborder_id, gift_url, ...correction };
    const { json: renewed } = await worker.post(client, "/api/gift-link/renew", body);
    const newUrl: unknown = renewed.recipient.gift_url;
    expect(newUrl).not.toBe(gift_url);
    const [page] = await readGifts(client, correction);
    expect(page?.gifts[0]?.recipient.recipient_details.gift_url).toBe(newUrl);
    const { email } = placed.recipient_return[0];
    expect(idsOf(await readGifts(client, { email }))).not.toContain(suborder_id);
  });

  test("finds an international address in each of its forms, and no similar one", async () => {
    const { product } = await placeForAda();
    const client = await createClient({ products: [product] });
    const emails = [" Ada@MÜNCHEN.example", "ada＠xn--mnchen-3ya.example", "ada@munchen.example"];
    const people = recipients(3).map((person, index) => ({ ...person, email: emails[index] }));
    const body = orderOf(product, { recipient_details: people });
    const { json } = await worker.post(client, "/api/gift-link", body);
    const [first, second, other] = json.recipient_return;
    expect([first.email, second.email]).toEqual([
      "Ada@münchen.example",
      "ada@xn--mnchen-3ya.example",
    ]);
    const both = [first.suborder_id, second.suborder_id];
    for (const email of ["ada@münchen.example", "ADA@XN--MNCHEN-3YA.example"]) {
      expect(idsOf(await readGifts(client, { email }))).toEqual(both);
    }
    expect(idsOf(await readGifts(client, { email: "ada@munchen.example" }))).toEqual([
      other.suborder_id,
    ]);
  });

  test("compares exactly, and never finds gifts of another client", async () => {
    const { client } = await placeForAda();
    for (const filter of [{ external_id: "Employee-7" }, { external_id: "employee" }]) {
      expect(idsOf(await readGifts(client, filter))).toEqual([]);
    }
    const other = await createClient();
    expect(idsOf(await readGifts(other, { email: "ada@example.com" }))).toEqual([]);
  });

  test("reads rows in proportion to a page, among gifts of other people and other clients", async () => {
    const { product, client } = await openShop();
    const other = await createClient({ products: [product] });
    const gifts = Array.from({ length: 90 }, (_, index) => ({
      sequence: index + 1,
      email: index % 9 === 0 ? "ada@example.com" : "imogen@example.com",
      externalId: "1",
    }));
    for (const each of [client, other, client]) await importWith(each, product, {}, gifts);
    const pages = await readGifts(client, { email: "ada@example.com" }, "15");
    expect(pages.map(({ gifts: found }) => found.length)).toEqual([15, 5]);
    const all = await readGifts(client, { external_id: "1" }, "50");
    expect(all.map(({ gifts: found }) => found.length)).toEqual([50, 50, 50, 30]);
    for (const { gifts: found, rowsRead } of [...pages, ...all]) {
      // A page that continues in an order reads the keys of its earlier gifts again.
      expect(rowsRead).toBeLessThanOrEqual(3 * found.length + 100);
    }
    expect(pages[0]?.rowsRead).toBeLessThanOrEqual(3 * 15 + 10);
  });

  test("shows the last day of each gift, and that of its order", async () => {
    const { product, client } = await openShop();
    const [own, ofOrder] = [Date.UTC(2030, 0, 2, 12), Date.UTC(2030, 5, 2, 12)];
    const gifts = [{ expiresAtMs: own }, {}];
    await importWith(client, product, { expiresAtMs: ofOrder }, gifts);
    const [page] = await readGifts(client, { email: "imogen@example.com" });
    expect(page?.gifts.map(({ recipient }) => recipient.redeem_by)).toEqual([
      "2030-01-01",
      "2030-06-01",
    ]);
  });
});

test("GET /api/orders?expand=recipients shows what GET /api/order shows of each recipient", async () => {
  const { client, placed } = await placeForAda();
  await worker.get(client, "/api/credit-balance");
  const { json, meter } = await worker.get(client, "/api/orders?expand=recipients");
  const include = "metadata,thank_you,delivery_email,details";
  const { order_id } = placed.order_data;
  const { json: order } = await worker.get(
    client,
    `/api/order?order_id=${String(order_id)}&include=${include}`,
  );
  expect((json as OrderListResponse).orders[0]?.recipients).toEqual(order.recipients);
  expect(meter).toMatchObject({ roundTrips: 2, rowsWritten: 0 });
});

test("GET /api/orders?expand=recipients ends a page with the order that brings its recipients to 1,000", async () => {
  const { product, client } = await openShop();
  const ids = [];
  for (let order = 0; order < 4; order++) {
    const totals = { qty: 400, subtotalMinor: 1_000_000, orderTotalMinor: 1_000_005 };
    ids.push(await importWith(client, product, { createdAtMs: order, ...totals }));
  }
  await sql(
    `INSERT INTO gifts (order_id, sequence, first_name, last_name, email, product_minor, shipping_minor, fee_minor, product_id)
     WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < 400)
     SELECT value, n, 'A', 'B', 'a@example.com', 0, 0, 0, ? FROM n, json_each(?)`,
    product.product.id,
    JSON.stringify(ids),
  ).run();
  const { json, meter } = await worker.get(client, "/api/orders?expand=recipients");
  const page = json as OrderListResponse;
  expect(page.orders.map((order) => order.recipients?.length)).toEqual([400, 400, 400]);
  expect(meter.rowsRead).toBeLessThanOrEqual(2 * 1200 + 40);
  const query = `?expand=recipients&cursor=${page.next_cursor ?? ""}`;
  const next = (await worker.get(client, `/api/orders${query}`)).json as OrderListResponse;
  expect([next.orders.length, next.next_cursor]).toEqual([1, null]);
});
