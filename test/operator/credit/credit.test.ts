// The operations `credit list`, `show`, `add`, `alert` and `ledger`.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { adjustCredit, type Adjustment } from "../../../src/features/credit/adjust-queries.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { openConsole } from "../../console/console.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  OTHER_ACCOUNTS,
  type TestClient,
} from "../../support/fixtures.ts";
import { openOperatorApi, type OperatorApi } from "../operator-api.ts";
import { listSimilarReferences, listAccounts } from "../../../src/operator/credit/queries.ts";
import type { Currency } from "../../../src/core/values/iso.ts";

let api: OperatorApi;

beforeAll(async () => {
  api = await openOperatorApi(["finance"]);
});

const aud = (amount: string) => ({ amount, currency: "AUD" });

async function book(clientId: string, count: number) {
  for (let n = 1; n <= count; n++) {
    const booking = { clientId, currency: "AUD", amountMinor: 100, note: null } as const;
    await adjustCredit(env.DB, { ...booking, reference: `INV ${String(n)}`, nowMs: Date.now() });
  }
}

describe("credit add", () => {
  test("books an amount once for each reference, and opens an account", async () => {
    const { clientId: client } = await createClient({ creditMinor: 1_000 });
    const input = { client, amount: "-2.50", reference: "CORR-7", note: "Agreed" };
    const plan = await api.plan("credit add", input);
    expect(plan.changes).toEqual([{ label: "Balance", before: "10.00 AUD", after: "7.50 AUD" }]);
    expect(await balanceOf(client)).toBe(1_000);
    const done = await api.run("credit add", input);
    expect(done.facts).toEqual({ booked: true, balance: aud("7.50") });
    expect(await balanceOf(client)).toBe(750);
    expect(await listAudit(env.DB, { clientId: client, limit: 9 })).toMatchObject([
      { subject: `${client} AUD`, reason: "CORR-7: Agreed" },
    ]);
    expect((await api.plan("credit add", input)).will).toBeNull();
    expect(await api.refusal("credit add", { ...input, amount: "3" })).toMatchObject({
      code: "refused",
      message: expect.stringContaining("-2.50 AUD"),
    });
    const similar = await api.plan("credit add", { ...input, reference: "corr 7" });
    expect(similar.warnings).toEqual([expect.stringContaining("CORR-7")]);
    const opened = await api.run("credit add", { ...input, amount: "5", currency: "eur" });
    expect(opened.facts["balance"]).toEqual({ amount: "5.00", currency: "EUR" });
  });

  test("is booked once by two operators at the same time", async () => {
    const { clientId: client } = await createClient({ creditMinor: 1_000 });
    const input = { client, amount: "5", reference: "INV-1" };
    const answers = await api.confirmTwice("credit add", input);
    const booked = answers.map(({ html }) => JSON.parse(html).facts?.booked);
    expect(booked.filter((each) => each === true)).toHaveLength(1);
    expect(await balanceOf(client)).toBe(1_500);
  });

  test("refuses a balance below zero or above the maximum", async () => {
    const { clientId: client } = await createClient({ creditMinor: 1_000 });
    for (const amount of ["-10.01", "9999999999999.99"]) {
      const input = { client, amount, reference: "X" };
      expect(await api.refusal("credit add", input)).toMatchObject({ code: "refused" });
    }
    expect(await balanceOf(client)).toBe(1_000);
  });

  test("refuses an amount that is none of the currency", async () => {
    const { clientId: client } = await createClient();
    for (const amount of ["1.234", "0", "-0.00", "1e3", "<b>", "9".repeat(15)]) {
      const input = { client, amount, reference: "X" };
      expect(await api.refusal("credit add", input), amount).toMatchObject({
        status: 400,
        fields: ["amount"],
      });
    }
    const invalid = { client, amount: "1", currency: "XX", reference: "x".repeat(101) };
    const { fields } = await api.refusal("credit add", invalid);
    expect(fields.toSorted()).toEqual(["currency", "reference"]);
  });

  test.each([
    ["JPY", "1234567", "12.5"],
    ["KWD", "1234567.891", "12.5001"],
    ["CLF", "12345.6789", "0.00001"],
  ])("has the decimals of %s", async (currency, amount, wrong) => {
    const { clientId: client } = await createClient({ creditMinor: 0 });
    const input = { client, currency, reference: "A" };
    const refused = await api.refusal("credit add", { ...input, amount: wrong });
    expect(refused.fields).toEqual(["amount"]);
    await api.run("credit add", { ...input, amount });
    const { rows } = await api.list("credit ledger", { client, currency });
    const money = { amount, currency };
    expect(rows).toMatchObject([{ sequence: 1, amount: money, balance: money, reference: "A" }]);
    const alert = { client, currency, below: wrong };
    expect((await api.refusal("credit alert", alert)).fields).toEqual(["below"]);
  });
});

describe("credit alert", () => {
  test("is set, shown in the list of low accounts, and removed", async () => {
    const { clientId: client } = await createClient({ creditMinor: 4_000 });
    const done = await api.run("credit alert", { client, below: "50" });
    expect(done.facts).toEqual({ alert_below: aud("50.00") });
    await api.run("credit alert", { client, currency: "USD", below: "50" });
    const low = async () => (await api.list("credit list", { client, low: true })).rows;
    expect(await low()).toEqual([
      { client, currency: "AUD", balance: aud("40.00"), alert_below: aud("50.00"), entries: 1 },
    ]);
    expect((await api.plan("credit alert", { client, below: "50.00" })).will).toBeNull();
    expect((await api.plan("credit alert", { client })).will).toBeNull();
    await api.run("credit alert", { client, below: null });
    expect(await low()).toEqual([]);
  });

  test("needs an account and an amount", async () => {
    const { clientId: client } = await createClient();
    const missing = await api.refusal("credit alert", { client, currency: "GBP", below: "1" });
    expect(missing.code).toBe("refused");
    for (const below of ["0", "-1", "1.234"]) {
      const { fields } = await api.refusal("credit alert", { client, below });
      expect(fields).toEqual(["below"]);
    }
  });
});

test("credit show has the newest entries of each account in three round trips", async () => {
  const { clientId: client } = await createClient({ creditMinor: 12_345 });
  await book(client, 100);
  const { html, meter } = await api.call("credit show", { client });
  const { lists } = JSON.parse(html);
  expect(lists.accounts).toMatchObject([
    { currency: "AED" },
    { currency: "AUD", balance: aud("223.45"), entries: 101 },
    { currency: "USD" },
  ]);
  const entries = lists.entries as { sequence: number; amount: { currency: string } }[];
  const ofAccount = entries.filter(({ amount }) => amount.currency === "AUD");
  expect(ofAccount.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 20 }, (_, n) => 101 - n),
  );
  expect(entries).toHaveLength(22);
  expect(meter.roundTrips).toBe(3);
  expect(meter.rowsRead).toBeLessThan(100);
});

test("credit ledger has all entries in pages of one round trip", async () => {
  const { clientId: client } = await createClient({ creditMinor: 100 });
  await book(client, 6);
  const { rows, meters } = await api.all("credit ledger", { client }, 3);
  expect(rows.map(({ sequence }) => sequence)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect(meters.map(({ roundTrips }) => roundTrips)).toEqual([1, 1, 1]);
  expect((await api.list("credit ledger", { client, currency: "EUR" })).rows).toEqual([]);
});

test("credit list has the accounts of all clients in pages of one round trip", async () => {
  const { clientId: client } = await createClient();
  await createClient();
  const first = await api.list("credit list", {}, { limit: 2 });
  expect(first.next).not.toBeNull();
  const all = (await api.list("credit list", {}, { limit: 1_000 })).rows;
  const rest = await api.list("credit list", {}, { limit: 999, after: first.next ?? "" });
  expect([...first.rows, ...rest.rows]).toEqual(all);
  const { html, meter } = await api.call("credit list", { client, currency: "USD" });
  expect(JSON.parse(html).rows).toMatchObject([{ client, currency: "USD" }]);
  expect(meter.roundTrips).toBe(1);
  expect((await api.call("credit list", {}, { after: "x" })).status).toBe(400);
});

test("a form of an account has its present alert", async () => {
  const user = await (await openConsole()).signIn("finance");
  const { clientId } = await createClient();
  await api.run("credit alert", { client: clientId, currency: "USD", below: "50" });
  const form = await user.get(`/credit/alert?client=${clientId}&currency=USD`);
  expect(form.html).toContain('value="50.00"');
});

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
});

describe("similar references", () => {
  const similarTo = ({ clientId }: TestClient, reference: string, currency?: Currency) =>
    listSimilarReferences(env.DB, clientId, currency ?? "AUD", reference);

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
