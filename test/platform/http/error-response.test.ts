import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { errorOf } from "../../support/errors.ts";
import { orderOf, openShop } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

describe("an unexpected error", () => {
  test("has a fixed message for the caller, and all details in the log", async () => {
    const { product, client } = await openShop();
    const broken = startWorker({ env: { DB: env.EMPTY_DB } });
    const log = vi.spyOn(console, "error").mockReturnValue();

    // First the database fails during authentication, then in the handlers, with the client from KV.
    const cold = await broken.get(client, "/api/products");
    expect(cold.status).toBe(500);
    await worker.get(client, "/api/credit-balance");
    const answers = [
      cold,
      await broken.get(client, "/api/products?limit=7"),
      await broken.get(client, "/api/product?product_id=1"),
      await broken.get(client, "/api/order?order_id=1"),
      await broken.get(client, "/api/credit-balance"),
      await broken.post(client, "/api/order", orderOf(product)),
      await broken.post(client, "/api/gift-link", orderOf(product)),
    ];
    for (const answer of answers) {
      expect(errorOf(answer)).toEqual({
        http: 500,
        status: "error",
        code: "internal_error",
        message: "Something went wrong on our side.",
      });
      expect(answer.text + JSON.stringify([...answer.headers])).not.toMatch(/D1|SQL|no such table/);
      const id = answer.headers.get("X-Request-Id") ?? "";
      const logged = log.mock.calls
        .flat()
        .map(String)
        .filter((line) => line.includes(id));
      expect(logged).toHaveLength(1);
      expect(logged[0]).toContain("no such table");
      expect(logged[0]).not.toContain("example.com");
    }
    log.mockRestore();
  });
});
