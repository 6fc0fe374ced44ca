// Adjustments of clients' credit, and the lists of entries and accounts.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { type Adjustment, adjustCredit } from "../../../src/features/credit/adjust-queries.ts";
import {
  findSimilarReferences,
  listAccounts,
  listEntries,
} from "../../../src/operator/credit/queries.ts";
import {
  openShop,
  balanceOf,
  brokenAccounts,
  createClient,
  type TestClient,
  orderOf,
  OTHER_ACCOUNTS,
  simpleProduct,
} from "../../support/fixtures.ts";
import type { Currency } from "../../../src/core/values/iso.ts";
import { startWorker } from "../../support/worker.ts";

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

const entriesOf = ({ clientId }: TestClient, currency: Currency = "AUD") =>
  listEntries(env.DB, clientId, currency, { limit: 100 });

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe("an adjustment", () => {
  test("is booked once for each reference, also if the second one has other values", async () => {
    const client = await createClient({ creditMinor: 1_000 });
    expect(await adjust(client)).toBe(true);
    expect(await adjust(client)).toBe(false);
    expect(await adjust(client, { amountMinor: 900, note: "again" })).toBe(false);
    expect(await balanceOf(client.clientId)).toBe(1_500);
    expect(await entriesOf(client)).toHaveLength(2);
  });

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

describe("an account's entries", () => {
  test("are listed newest first with the balance after each, including orders and their refunds", async () => {
    const { product, client } = await openShop(simpleProduct(), { creditMinor: 10_000 });
    const placedAtMs = Date.now();
    const worker = startWorker({ now: () => placedAtMs });
    const { json } = await worker.post(client, "/api/order", orderOf(product));
    await adjust(client, { amountMinor: -80, note: "correction" });
    const entries = await entriesOf(client);
    const adjusted = {
      currency: "AUD",
      reference: "INV-1",
      note: "correction",
      createdAtMs: Date.UTC(2090, 0),
    };
    const ordered = { currency: "AUD", reference: null, note: null, createdAtMs: placedAtMs };
    const orderId: unknown = json.order_data.order_id;
    expect(entries).toEqual([
      {
        sequence: 3,
        kind: "adjustment",
        amountMinor: -80,
        balanceMinor: 6_800,
        orderId: null,
        ...adjusted,
      },
      { sequence: 2, kind: "order", amountMinor: -3_120, balanceMinor: 6_880, orderId, ...ordered },
      expect.objectContaining({ sequence: 1, balanceMinor: 10_000, reference: "initial credit" }),
    ]);
  });

  test("are selected by account, sequence and number", async () => {
    const client = await createClient();
    await adjust(client);
    const entries = await entriesOf(client);
    const { clientId } = client;
    expect(await listEntries(env.DB, clientId, "AUD", { limit: 1 })).toEqual(entries.slice(0, 1));
    expect(await listEntries(env.DB, clientId, "AUD", { after: { sequence: 2 }, limit: 9 })).toEqual([
      entries[1],
    ]);
    expect(await listEntries(env.DB, clientId, undefined, { limit: 9 })).toEqual(entries);
    expect(await entriesOf(client, "EUR")).toEqual([]);
    expect(await entriesOf(client, "USD")).toMatchObject([
      { sequence: 1, amountMinor: OTHER_ACCOUNTS.USD },
    ]);
  });
});

test("of a client's accounts are sorted by currency", async () => {
  const client = await createClient({ creditMinor: 10 });
  await adjust(client, { currency: "EUR" });
  const { clientId } = client;
  expect(await listAccounts(env.DB, clientId)).toEqual([
    {
      clientId,
      currency: "AED",
      balanceMinor: OTHER_ACCOUNTS.AED,
      entries: 1,
      alertBelowMinor: null,
    },
    { clientId, currency: "AUD", balanceMinor: 10, entries: 1, alertBelowMinor: null },
    { clientId, currency: "EUR", balanceMinor: 500, entries: 1, alertBelowMinor: null },
    {
      clientId,
      currency: "USD",
      balanceMinor: OTHER_ACCOUNTS.USD,
      entries: 1,
      alertBelowMinor: null,
    },
  ]);
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
