// Adjustments of clients' credit.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { type Adjustment, adjustCredit } from "../../../src/features/credit/adjust-queries.ts";
import { findSimilarReferences, listAccounts } from "../../../src/operator/credit/queries.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  type TestClient,
  OTHER_ACCOUNTS,
} from "../../support/fixtures.ts";
import type { Currency } from "../../../src/core/values/iso.ts";

const adjust = (client: TestClient, changes: Partial<Adjustment> = {}) =>
  adjustCredit(env.DB, {
    clientId: client.clientId,
    currency: "AUD",
    amountMinor: 500,
    reference: "INV-1",
    note: null,
    nowMs: Date.UTC(2090, 0),
    ...changes,
  });

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe("an adjustment", () => {
  test("is booked once if it is sent several times at once", async () => {
    const client = await createClient({ creditMinor: 1_000 });
    const booked = await Promise.all(Array.from({ length: 8 }, () => adjust(client)));
    expect(booked.filter(Boolean)).toHaveLength(1);
    expect(await balanceOf(client.clientId)).toBe(1_500);
  });

  test("changes only the account of its client and currency", async () => {
    const [client, other] = [await createClient(), await createClient()];
    const [mine, theirs] = [
      await listAccounts(env.DB, client.clientId),
      await listAccounts(env.DB, other.clientId),
    ];
    await adjust(client);
    expect(await listAccounts(env.DB, client.clientId)).toEqual(
      mine.map((account) =>
        account.currency === "AUD"
          ? { ...account, balanceMinor: account.balanceMinor + 500, entries: 2 }
          : account,
      ),
    );
    expect(await listAccounts(env.DB, other.clientId)).toEqual(theirs);
  });

  test("may have a reference of another account or client", async () => {
    const [client, other] = [await createClient(), await createClient()];
    await adjust(client);
    expect(await adjust(client, { currency: "USD" })).toBe(true);
    expect(await adjust(other)).toBe(true);
    expect(await balanceOf(client.clientId, "USD")).toBe(OTHER_ACCOUNTS.USD + 500);
    expect(await balanceOf(other.clientId)).toBe(100_000_500);
  });

  test("opens an account, and may reduce the balance to zero but not below", async () => {
    const client = await createClient();
    expect(await balanceOf(client.clientId, "EUR")).toBe(0);
    await adjust(client, { currency: "EUR" });
    expect(await balanceOf(client.clientId, "EUR")).toBe(500);
    const below = adjust(client, { currency: "EUR", amountMinor: -501, reference: "b" });
    await expect(below).rejects.toThrow("credit_not_negative");
    expect(await adjust(client, { currency: "EUR", amountMinor: -500, reference: "c" })).toBe(true);
    expect(await balanceOf(client.clientId, "EUR")).toBe(0);
  });
});

describe("similar references", () => {
  const similarTo = ({ clientId }: TestClient, reference: string, currency?: Currency) =>
    findSimilarReferences(env.DB, clientId, currency ?? "AUD", reference);

  test("differ only in case, spaces or punctuation", async () => {
    const client = await createClient();
    const similar = ["INV-9", "inv 9", "Inv9", "INV/9"];
    for (const reference of [...similar, "INV-90", "INV-8", "9-INV"]) {
      await adjust(client, { reference });
    }
    expect((await similarTo(client, "inv_9")).sort()).toEqual(similar.sort());
    expect(await similarTo(client, "INV-9")).not.toContain("INV-9");
    expect(await similarTo(client, "PO-1")).toEqual([]);
  });

  test("belong to the same client and currency", async () => {
    const client = await createClient();
    await adjust(client, { reference: "INV-9", currency: "USD" });
    await adjust(await createClient(), { reference: "INV-9" });
    expect(await similarTo(client, "inv-9")).toEqual([]);
    expect(await similarTo(client, "inv-9", "USD")).toEqual(["INV-9"]);
  });
});
