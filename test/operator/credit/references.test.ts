import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { adjustCredit, findSimilarReferences } from "../../../src/operator/credit/queries.ts";
import { createClient } from "../../support/fixtures.ts";

function book(clientId: string, reference: string, currency = "AUD"): Promise<boolean> {
  return adjustCredit(env.DB, {
    clientId,
    currency,
    amountMinor: 100,
    reference,
    note: null,
    nowMs: 0,
  });
}

describe("similar references", () => {
  test("differ only in case, spaces or punctuation", async () => {
    const { clientId } = await createClient();
    const similar = ["INV-9", "inv 9", "Inv9", "INV/9"];
    for (const reference of [...similar, "INV-90", "INV-8", "9-INV"])
      await book(clientId, reference);

    const found = await findSimilarReferences(env.DB, clientId, "AUD", "inv_9");
    expect(found.sort()).toEqual(similar.sort());
    expect(await findSimilarReferences(env.DB, clientId, "AUD", "INV-9")).not.toContain("INV-9");
    expect(await findSimilarReferences(env.DB, clientId, "AUD", "PO-1")).toEqual([]);
  });

  test("belong to the same client and currency", async () => {
    const { clientId } = await createClient();
    const other = await createClient();
    await book(clientId, "INV-9", "USD");
    await book(other.clientId, "INV-9");
    expect(await findSimilarReferences(env.DB, clientId, "AUD", "inv-9")).toEqual([]);
    expect(await findSimilarReferences(env.DB, clientId, "USD", "inv-9")).toEqual(["INV-9"]);
  });
});
