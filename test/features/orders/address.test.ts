// Delivery addresses: required parts, and countries where the product is available. test/doors.test.ts has the rules of values.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import {
  ADDRESS,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
} from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { databaseState } from "../../support/state.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();
const inOceania = (changes = {}) => simpleProduct({ locations: ["AU", "NZ"], ...changes });

/** One recipient for each country, with a complete address in it. */
const inCountries = (...countries: unknown[]) =>
  recipients(countries.length).map((person, index) => ({
    ...person,
    delivery_address: {
      ...ADDRESS,
      state: "",
      postcode_zipcode: POSTCODES[String(countries[index])] ?? "3056",
      country: countries[index],
    },
  }));

const POSTCODES: Record<string, string> = {
  DE: "10115",
  Germany: "10115",
  germany: "10115",
  Alemania: "10115",
  "U.S.A.": "78701",
};

const countryField = (index: number) =>
  `recipient_details[${String(index)}].delivery_address.country`;

describe.each(["/api/order", "/api/gift-link"])("POST %s", (path) => {
  test("refuses each recipient in a country where the product is not available", async () => {
    const { product, client } = await openShop(inOceania());
    const before = await databaseState();
    const people = inCountries("AU", "DE", "NZL", "Alemania", "U.S.A.");
    const body = orderOf(product, { recipient_details: people });
    const { status, json } = await worker.post(client, path, body);
    expect([status, json.code]).toEqual([400, "validation_error"]);
    expect(json.errors.map(({ field }: { field: string }) => field)).toEqual(
      [1, 3, 4].map(countryField),
    );
    expect(await databaseState()).toEqual(before);
  });

  test("checks the address for a digital product, too", async () => {
    const { product, client } = await openShop(inOceania({ delivery: "digital" }));
    for (const [country, status] of [
      ["DE", 400],
      ["NZ", 200],
    ] as const) {
      const body = orderOf(product, { recipient_details: inCountries(country) });
      const { json, ...answer } = await worker.post(client, path, body);
      expect([answer.status, json.errors?.[0]?.field]).toEqual([
        ...[status, status === 400 ? countryField(0) : undefined],
      ]);
    }
  });

  test("replays an order whose country is no longer available", async () => {
    const { product, client } = await openShop(simpleProduct({ locations: [] }));
    const body = orderOf(product, { recipient_details: inCountries("DE") });
    const placed = await worker.post(client, path, body);
    expect(placed.status).toBe(200);
    const narrowed = { ...product, product: { ...product.product, locations: ["AU"] } };
    await publish(env.DB, client.catalogue, [narrowed], Date.now());
    const other = { ...body, order_ref_id: "a new order" };
    expect((await startWorker().post(client, path, other)).json.code).toBe("validation_error");
    expect((await startWorker().post(client, path, body)).text).toBe(placed.text);
  });
});

test("POST /api/order reports missing parts and unavailable countries together, in the order of the recipients", async () => {
  const { product, client } = await openShop(inOceania());
  const [first, second, third] = recipients(3);
  const people = [
    { ...first, delivery_address: undefined },
    {
      ...second,
      delivery_address: { ...ADDRESS, suburb: " ", postcode_zipcode: "10115", country: "DE" },
    },
    { ...third, delivery_address: { ...ADDRESS, country: "" } },
  ];
  const { json } = await worker.post(
    client,
    "/api/order",
    orderOf(product, { recipient_details: people }),
  );
  expect(json.errors.map(({ field }: { field: string }) => field)).toEqual([
    "recipient_details[0].delivery_address",
    countryField(1),
    "recipient_details[1].delivery_address.suburb",
    countryField(2),
  ]);
});

describe("the recipient's page", () => {
  const withoutAddress = {
    recipient_details: recipients(1).map(({ delivery_address, ...person }) => {
      expect(delivery_address).toBeDefined();
      return person;
    }),
  };

  test("checks the country for the chosen gift, not for the offered one", async () => {
    const [offered, other] = [inOceania(), simpleProduct({ locations: ["AU", "DE"] })];
    const choice = { ...withoutAddress, gift_of_choice: "Y" };
    const chosen = { product_id: String(other.product.id) };
    const gift = await createGift(worker, [offered, other], choice);
    expect((await accept(worker, gift.path, { ...chosen, country: "NZ" })).status).toBe(422);
    expect(await stockOf(other.product.id)).toBe(100);
    const german = { ...chosen, country: "DE", postcode_zipcode: "10115" };
    expect((await accept(worker, gift.path, german)).status).toBe(303);
    expect(await stockOf(other.product.id)).toBe(99);
  });
});
