import { describe, expect, test } from "vitest";
import { mintClient, orderOf, ordersOf, simpleProduct } from "./support/mint.ts";
import { startWorker } from "./support/worker.ts";

describe("POST /api/order", () => {
  test("places one order for 20 identical requests at once, with 20 identical answers", async () => {
    const product = simpleProduct();
    const client = await mintClient({ products: [product] });
    const worker = startWorker();
    const body = orderOf(product);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => worker.post(client, "/api/order", body)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers.filter(({ headers }) => !headers.has("Idempotent-Replayed"))).toHaveLength(1);
    expect(await ordersOf(client.clientId)).toBe(1);
  });
});
