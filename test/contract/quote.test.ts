// POST /api/quote: totals, the two flags, and the errors that it shares with placements.
import fc from "fast-check";
import { expect, test } from "vitest";
import { errorOf } from "../support/errors.ts";
import {
  balanceOf,
  type ClientOptions,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  type TestProduct,
  variableProduct,
} from "../support/fixtures.ts";
import { createSampleShop, SAMPLE_TOTALS } from "../support/orders.ts";
import { laggingDatabase, replicate } from "../support/replica.ts";
import type { QuoteResponse } from "../../src/features/orders/contract.ts";
import { databaseState } from "../support/state.ts";
import { type Credentials, startWorker } from "../support/worker.ts";
import { anyCurrency, minorOf } from "../support/money.ts";
import { runs } from "../support/runs.ts";

const worker = startWorker();

const quoteOf = ({ product }: Pick<TestProduct, "product">, changes: object = {}) => ({
  product_id: product.id,
  ...(product.variations[0] && { variation_id: product.variations[0].id }),
  currency: product.currency,
  base_location: "AU",
  qty: 2,
  ...changes,
});

const send = (client: Credentials, body: object) => worker.post(client, "/api/quote", body);

async function quote(client: Credentials, body: object) {
  const answer = await send(client, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json as QuoteResponse;
}

test("POST /api/quote returns the totals of a placement, and writes nothing in 1 round trip", async () => {
  const { product, client } = await createSampleShop();
  await send(client, quoteOf(product));
  const before = await databaseState();
  for (const isolate of [worker, startWorker()]) {
    const { json, meter } = await isolate.post(client, "/api/quote", quoteOf(product));
    expect(json).toEqual({
      status: "success",
      order_totals: SAMPLE_TOTALS,
      credit_sufficient: true,
      limit_sufficient: true,
      stock_sufficient: true,
    });
    expect(meter).toMatchObject({ rowsWritten: 0, kvWrites: 0 });
    expect(meter.roundTrips).toBe(1);
    expect(meter.rowsRead).toBeLessThanOrEqual(10);
  }
  expect(await databaseState()).toEqual(before);
});

test("POST /api/quote is read from the primary", async () => {
  const { product, client } = await openShop(simpleProduct({}, { quantity: 2 }));
  await replicate(client);
  await worker.post(client, "/api/order", orderOf(product));
  const behind = startWorker({ env: { DB: laggingDatabase() } });
  const { json } = await behind.post(client, "/api/quote", quoteOf(product));
  expect((json as QuoteResponse).stock_sufficient).toBe(false);
});

test("POST /api/quote accepts the fields of gift links only with gift_order_method api-giftlink", async () => {
  const { product, client } = await createSampleShop();
  const fields = { gift_of_choice: "Y", order_branding: "platform" };
  await quote(client, quoteOf(product, { ...fields, gift_order_method: "api-giftlink" }));
  await quote(client, quoteOf(product, { gift_of_choice: null, order_branding: null }));
  for (const gift_order_method of [undefined, "api-purchase"]) {
    const { errors } = errorOf(
      await send(client, quoteOf(product, { ...fields, gift_order_method })),
    );
    expect(errors).toMatchObject([{ field: "gift_of_choice" }, { field: "order_branding" }]);
  }
});

const money = fc.integer({ min: 0, max: 5_000 });
const anyScenario = fc.record({
  currency: anyCurrency,
  variable: fc.boolean(),
  priceMinor: money,
  shippingMinor: money,
  quantity: fc.option(fc.integer({ min: 0, max: 5 })),
  sellable: fc.boolean(),
  locations: fc.constantFrom<string[]>([], ["AU"], ["NZ"]),
  client: fc.record<ClientOptions>({
    billing: fc.constantFrom("credit", "invoice"),
    feeBasisPoints: fc.integer({ min: 0, max: 2_000 }),
    creditMinor: fc.integer({ min: 0, max: 20_000 }),
  }),
  qty: fc.integer({ min: 1, max: 6 }),
  path: fc.constantFrom("/api/order", "/api/gift-link"),
  request: fc.constantFrom<Record<string, unknown>>(
    ...[{}, {}, {}, { currency: "USD" }, { base_location: "NZ" }, { variation_id: 1 }],
    ...[{ variation_id: undefined }, { product_id: 999_999_999 }],
  ),
  branding: fc.constantFrom({}, {}, { order_branding: "company", gift_of_choice: "Y" }),
});
type Scenario = typeof anyScenario extends fc.Arbitrary<infer Value> ? Value : never;

const PLACED: Scenario = {
  currency: "KWD",
  variable: false,
  priceMinor: 100,
  shippingMinor: 0,
  quantity: 5,
  sellable: true,
  locations: [],
  client: { billing: "credit", feeBasisPoints: 0, creditMinor: 900 },
  qty: 1,
  path: "/api/gift-link",
  request: {},
  branding: {},
};

/** One example of each outcome. */
const EXAMPLES = [
  ...[{}, { quantity: 0 }, { priceMinor: 901 }, { request: { currency: "USD" } }],
  ...[{ locations: ["NZ"] }, { request: { product_id: 999_999_999 } }, { variable: true }],
  { branding: { order_branding: "company" } },
  { client: { billing: "invoice" as const, feeBasisPoints: 400, creditMinor: 0 } },
].map((changes) => [{ ...PLACED, ...changes }] as [Scenario]);

/** Quotes the scenario and then places it. */
async function quoteAndPlace({ path, qty, request, currency, branding, ...each }: Scenario) {
  const { quantity, sellable, priceMinor, shippingMinor, locations } = each;
  const { product, client } = await openShop(
    each.variable
      ? variableProduct({ currency, shippingMinor, locations }, quantity)
      : simpleProduct({ currency, priceMinor, shippingMinor, locations }, { quantity, sellable }),
    { ...each.client, currency },
  );
  const isGiftLink = path === "/api/gift-link";
  const changes = { ...request, ...(isGiftLink && branding) };
  const method = isGiftLink && { gift_order_method: "api-giftlink" };
  const quoted = await send(client, quoteOf(product, { qty, ...method, ...changes }));
  const balance = await balanceOf(client.clientId, currency);
  // The addresses are in a country where the product is available.
  const [country = "AU"] = locations;
  const people = recipients(qty).map((person) => ({
    ...person,
    delivery_address: { ...person.delivery_address, country },
  }));
  const body = orderOf(product, { recipient_details: people, ...changes });
  return { quoted, balance, placed: await worker.post(client, path, body) };
}

test("POST /api/quote agrees with a placement right after it, on the totals and on the refusal", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyScenario, async (scenario) => {
      const { quoted, balance, placed } = await quoteAndPlace(scenario);
      if (quoted.status !== 200) {
        expect(placed.text).toBe(quoted.text);
        outcomes.add(quoted.json.code as string);
        return;
      }
      const { order_totals, credit_sufficient, stock_sufficient } = quoted.json as QuoteResponse;
      const refusal = credit_sufficient ? undefined : "insufficient_credit";
      const code = stock_sufficient ? refusal : "out_of_stock";
      expect(placed.json.code).toBe(code);
      outcomes.add(code ?? "placed");
      if (code === undefined) expect(placed.json.order_totals).toEqual(order_totals);
      const isLow = balance < minorOf(order_totals.order_total, scenario.currency);
      expect(credit_sufficient).toBe(scenario.client.billing === "invoice" || !isLow);
    }),
    { numRuns: Math.max(EXAMPLES.length, runs(100)), examples: EXAMPLES },
  );
  expect(outcomes).toContain("placed");
  expect(outcomes.size).toBeGreaterThan(5);
}, 120_000);
