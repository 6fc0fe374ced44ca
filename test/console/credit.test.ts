// The pages of credit: accounts, entries, bookings and alerts.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { listAccounts } from "../../src/operator/credit/queries.ts";
import { balanceOf, createClient } from "../support/fixtures.ts";
import { type ConsoleUser, openConsole, type TestConsole } from "./console.ts";

let testConsole: TestConsole;
let user: ConsoleUser;

beforeAll(async () => {
  testConsole = await openConsole();
  user = await testConsole.signIn("finance");
});

test("shows the balances and the entries of a currency, 50 a page in at most 60 KB", async () => {
  const { clientId } = await createClient({ creditMinor: 12_345 });
  for (let n = 1; n <= 60; n++) {
    await adjustCredit(env.DB, {
      clientId,
      currency: "AUD",
      amountMinor: 100,
      nowMs: Date.now(),
      reference: `<b>INV ${String(n)}</b>`,
      note: "Paid by <i>transfer</i>",
    });
  }
  const page = await user.get(`/clients/${clientId}/credit`);
  expect(page.meter.roundTrips).toBe(3);
  expect(page.text).toContain("183.45 AUD");
  expect(page.text).toContain("2222222222.22 USD");
  expect(page.text).toContain("<b>INV 60</b>");
  expect(page.html).not.toMatch(/<b>INV|<i>transfer/);
  expect(new TextEncoder().encode(page.html).byteLength).toBeLessThan(60_000);
  const [, next = ""] = /rel="next" href="([^"]+)"/.exec(page.html) ?? [];
  const second = await user.get(`/clients/${clientId}/credit${next.replaceAll("&amp;", "&")}`);
  expect(second.text).toContain("initial credit");
  expect(second.text).not.toContain("INV 11<");
  expect((await user.get(`/clients/${clientId}/credit?currency=USD`)).text).toContain(
    "Entries in USD",
  );
  expect((await user.get("/clients/nobody-here/credit")).status).toBe(404);
});

test("books an amount once for each reference", async () => {
  const { clientId } = await createClient({ creditMinor: 1_000 });
  const form = await user.get(`/clients/${clientId}/credit/add`);
  const values = { amount: "-2.50", reference: "CORR-7", note: "Agreed" };
  const plan = await user.submit(form, "Continue", values);
  expect(plan.text).toContain(
    `This will book -2.50 AUD for ${clientId} (Company ${clientId}), whose balance is 10.00 AUD.`,
  );
  const done = await user.submit(plan, "Book credit");
  expect(done.text).toContain("Booked -2.50 AUD. The balance is 7.50 AUD.");
  expect((await user.submit(plan, "Book credit")).text).toContain("Already done");
  expect(await balanceOf(clientId)).toBe(750);
  const [entry] = await listAudit(env.DB, { clientId, limit: 9 });
  expect(entry).toMatchObject({
    actor: user.name,
    action: "credit add",
    subject: `${clientId} AUD`,
    reason: "CORR-7: Agreed",
    requestId: expect.any(String),
  });
  expect((await user.submit(form, "Continue", values)).text).toContain("Nothing would be changed.");
  const other = await user.submit(form, "Continue", { ...values, amount: "3" });
  expect(other.text).toContain("was already booked with another amount, -2.50 AUD.");
  const similar = await user.submit(form, "Continue", { ...values, reference: "corr 7" });
  expect(similar.text).toContain("similar references: CORR-7");
  const low = await user.submit(form, "Continue", { amount: "-100", reference: "X" });
  expect(low.text).toContain(`The balance of ${clientId} in AUD is too low.`);
});

test("says what is wrong with an amount", async () => {
  const { clientId } = await createClient();
  const form = await user.get(`/clients/${clientId}/credit/add`);
  for (const [amount, message] of [
    ["1.234", "Amount must be an amount in AUD, which has 2 decimals."],
    ["0", "Amount must not be zero."],
    ["<b>", "Amount must be an amount in AUD"],
    ["", "Amount must not be empty."],
  ] as const) {
    const page = await user.submit(form, "Continue", { amount, reference: "X" });
    expect([page.status, page.text]).toEqual([422, expect.stringContaining(message)]);
  }
  const currency = await user.submit(form, "Continue", { currency: "XX", amount: "1" });
  expect(currency.text).toContain("Currency must be an ISO 4217 code");
});

test("sets and removes the alert of an account", async () => {
  const { clientId } = await createClient();
  const path = `/clients/${clientId}/credit/alert`;
  const alertOf = async () =>
    (await listAccounts(env.DB, clientId)).find(({ currency }) => currency === "USD")
      ?.alertBelowMinor;
  const change = async (below: string) =>
    user.submit(
      await user.submit(await user.get(`${path}?currency=USD`), "Continue", { below }),
      "Change the credit alert",
    );
  expect((await change("50")).text).toContain("A balance below 50.00 USD is reported.");
  expect(await alertOf()).toBe(5_000);
  expect((await user.get(`${path}?currency=USD`)).html).toContain('value="50.00"');
  expect((await change("")).text).toContain("Low balances are not reported.");
  expect(await alertOf()).toBeNull();
  expect(await listAudit(env.DB, { clientId, limit: 9 })).toMatchObject([
    { actor: user.name, action: "credit alert" },
    { actor: user.name, action: "credit alert" },
  ]);
});

test("changes credit only for finance", async () => {
  const { clientId } = await createClient();
  const support = await testConsole.signIn("support");
  expect((await support.get(`/clients/${clientId}/credit`)).html).not.toContain("credit/add");
  expect((await support.get(`/clients/${clientId}/credit/add`)).status).toBe(403);
});
