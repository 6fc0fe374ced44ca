import { describe, expect, test } from "vitest";
import { createClient } from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker();

describe("GET /api/credit-balance", () => {
  test("shows the balance as a number, its currency, and both as text", async () => {
    const client = await createClient({ creditMinor: 9_906_444 });
    const answer = await worker.get(client, "/api/credit-balance");
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      credit_balance: 99064.44,
      currency: "AUD",
      credit_balance_formatted: "A$99,064.44",
    });
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  });

  test("is 0 in a currency without an account", async () => {
    const client = await createClient();
    const answer = await worker.get(client, "/api/credit-balance?currency=GBP");
    expect(answer.json).toEqual({
      credit_balance: 0,
      currency: "GBP",
      credit_balance_formatted: "£0.00",
    });
  });
});
