// Gifts whose recipients have all kinds of personal data, each with a marker that is unique for the gift.
import { expect } from "vitest";
import {
  type ClientOptions,
  simpleProduct,
  type TestProduct,
  unique,
} from "../../support/fixtures.ts";
import { accept, changeParcels, createGift, type TestGift, thank } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

export interface PersonalGift extends TestGift {
  /** A part of each personal value of the gift, in lower case. */
  marker: string;
  email: string;
  /** The request of the placement. */
  body: Record<string, unknown>;
}

/** A gift-link order for one recipient with all fields. `count` further recipients have no marker. */
export async function createPersonal(
  options: ClientOptions & { further?: number } = {},
): Promise<PersonalGift> {
  const { further = 0, products, ...client } = options;
  // A phone number can contain it, too.
  const marker = `55501000${String(unique()).padStart(6, "0")}`;
  const email = `${marker}@example.com`;
  const address = {
    address_line_1: `1 ${marker}`,
    suburb: marker,
    postcode_zipcode: "3056",
    country: "AU",
  };
  const person = {
    first_name: `First ${marker}`,
    last_name: `Last ${marker}`,
    email,
    phone_number: `+61 ${marker}`,
    delivery_address: address,
    external_id: `external ${marker}`,
    metadata: { employee: marker },
    redemption_message: `Dear ${marker}`,
    language: "de",
  };
  const others = Array.from({ length: further }, (_, n) => ({
    first_name: "Noor",
    last_name: "Haddad",
    email: `noor${String(n)}@example.com`,
  }));
  const body = {
    order_ref_id: `ref-${String(unique())}`,
    sender_name: `Sender ${marker}`,
    metadata: { campaign: marker },
    recipient_details: [person, ...others],
  };
  const product: TestProduct = products?.[0] ?? simpleProduct();
  const gift = await createGift(startWorker(), [product], body, client);
  const placed = {
    product_id: product.product.id,
    currency: "AUD",
    base_location: "AU",
    ...body,
  };
  return { ...gift, marker, email, body: placed };
}

/** The recipient accepts the gift, with delivery notes. */
export async function redeem({ path, marker }: PersonalGift): Promise<void> {
  const fields = { address_line_1: `2 ${marker}`, delivery_notes: `Gate ${marker}` };
  expect((await accept(startWorker(), path, fields)).status).toBe(303);
}

/** The gifts with these sequences are shipped, with tracking. */
export async function ship({ orderId, marker }: PersonalGift, sequences = [1]): Promise<void> {
  const parcels = sequences.map((sequence) => ({
    orderId,
    sequence,
    carrier: "DHL",
    trackingNumber: marker,
    trackingUrl: `https://dhl.example/${marker}`,
  }));
  const outcomes = await changeParcels("ship", parcels);
  expect(outcomes.map(({ result }) => result)).toEqual(sequences.map(() => "shipped"));
}

/** A gift that is accepted, thanked for and shipped, with a tracking number that was corrected. */
export async function createFinished(
  options: Parameters<typeof createPersonal>[0] = {},
): Promise<PersonalGift> {
  const gift = await createPersonal(options);
  await redeem(gift);
  expect((await thank(startWorker(), gift.path, `Thanks from ${gift.marker}`)).status).toBe(303);
  await ship(gift);
  const { orderId, marker } = gift;
  const parcel = { orderId, sequence: 1, carrier: "DHL", trackingNumber: `2-${marker}` };
  const [corrected] = await changeParcels("correct", [parcel]);
  expect(corrected?.result).toBe("corrected");
  return gift;
}

/** The rows of a gift, its order and its client. */
const ROWS_OF_GIFT = {
  orders: "id = ?1",
  gifts: "order_id = ?1",
  shipments: "order_id = ?1",
  audit_entries: "order_id = ?1",
  events: "client_id = ?2",
  credit_entries: "client_id = ?2",
};

/** The columns in which personal data of the gift is stored, such as `gifts.email`. */
export async function personalColumns(gift: PersonalGift): Promise<string[]> {
  const { orderId, client, marker } = gift;
  const found: string[] = [];
  for (const [table, condition] of Object.entries(ROWS_OF_GIFT)) {
    const select = `SELECT * FROM ${table} WHERE ${condition} AND ?1 > 0 AND ?2 <> ''`;
    const { results } = await sql(select, orderId, client.clientId).all();
    found.push(...columnsIn(table, results, marker));
  }
  return found.sort();
}

/** The columns of the whole database in which personal data of the gift is stored. */
export async function personalColumnsAnywhere({ marker }: PersonalGift): Promise<string[]> {
  const { results: tables } = await sql(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const found: string[] = [];
  for (const { name } of tables) {
    const { results: columns } = await sql(`PRAGMA table_info(${name})`).all<{ name: string }>();
    const contains = columns.map(({ name }) => `instr(lower(${name}), ?1) > 0`).join(" OR ");
    const select = `SELECT * FROM ${name} WHERE ${contains}`;
    const { results } = await sql(select, marker).all();
    found.push(...columnsIn(name, results, marker));
  }
  return found.sort();
}

function columnsIn(table: string, rows: Record<string, unknown>[], text: string): string[] {
  return Object.keys(rows[0] ?? {})
    .filter((column) => rows.some((row) => String(row[column]).toLowerCase().includes(text)))
    .map((column) => `${table}.${column}`);
}
