import { describe, expect, test } from "vitest";
import { SECOND_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { createClient, orderOf, simpleProduct } from "../../support/fixtures.ts";

async function shop() {
  const product = simpleProduct();
  return { product, client: await createClient({ products: [product] }) };
}

describe("the cached offer of a product", () => {
  test("is used for 10 s", async () => {
    const clock = createClock();
    const worker = clock.start();
    const { client, product } = await shop();
    const roundTripsAfter = async (ms: number) => {
      clock.advance(ms);
      await worker.get(client, "/api/credit-balance"); // caches the client in the isolate
      return (await worker.post(client, "/api/order", orderOf(product))).meter.roundTrips;
    };
    expect(await roundTripsAfter(0)).toBe(2);
    expect(await roundTripsAfter(10 * SECOND_MS - 1)).toBe(1);
    expect(await roundTripsAfter(10 * SECOND_MS)).toBe(2);
  });
});
