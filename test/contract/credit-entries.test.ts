// The entries of a client's credit accounts, and their balances.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { errorOf } from "../support/errors.ts";
import {
  createClient,
  OTHER_ACCOUNTS,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  openShop,
} from "../support/fixtures.ts";
import type {
  CreditBalanceListResponse,
  CreditEntryListResponse,
} from "../../src/features/credit/contract.ts";
import { startWorker } from "../support/worker.ts";

const atMs = Date.parse("2026-03-04T05:06:07.089Z");
const worker = startWorker({ now: () => atMs });

const readEntries = async (client: TestClient, query = "") =>
  (await worker.get(client, `/api/credit-entries${query}`)).json as CreditEntryListResponse;

const adjust = ({ clientId }: TestClient, amountMinor: number, reference: string) =>
  adjustCredit(env.DB, {
    clientId,
    currency: "AUD",
    amountMinor,
    reference,
    note: "seen by operators only",
    nowMs: atMs,
  });

describe("GET /api/credit-entries", () => {
  test("shows orders, refunds, top-ups and corrections with the balance after each", async () => {
    const { product, client } = await openShop(simpleProduct(), { creditMinor: 0 });
    await adjust(client, 500_00, "INV-7");
    const body = orderOf(product, { recipient_details: recipients(2) });
    const { json } = await worker.post(client, "/api/order", body);
    const { order_id } = json.order_data;
    expect(json.order_totals.order_total).toBe(62.4);
    await worker.post(client, "/api/order/cancel", { order_id });
    await adjust(client, -1, "CORR-1");
    const order = { order_id, order_ref_id: body.order_ref_id, reference: null };
    const ours = { order_id: null, order_ref_id: null };
    expect(await readEntries(client)).toMatchObject({
      currency: "AUD",
      credit_entries: [
        { ...ours, sequence: 1, kind: "top_up", amount: "500.00", reference: "INV-7" },
        { ...order, kind: "order", amount: "-62.40", balance: "437.60" },
        { ...order, kind: "refund", amount: "62.40", balance: "500.00" },
        { ...ours, sequence: 4, kind: "correction", amount: "-0.01", reference: "CORR-1" },
      ],
      next_after: 4,
      has_more: false,
    });
  });

  test("pages through the entries at the cost of those that it shows, in one round trip", async () => {
    const client = await createClient({ creditMinor: 0 });
    for (let n = 1; n <= 12; n++) await adjust(client, n, `INV-${String(n)}`);
    const first = await readEntries(client, "?limit=5");
    expect(first).toMatchObject({ next_after: 5, has_more: true });
    const { json, meter } = await worker.get(client, "/api/credit-entries?after=5&limit=5");
    const references = (json.credit_entries as { reference: string }[]).map((e) => e.reference);
    expect(references).toEqual([6, 7, 8, 9, 10].map((n) => `INV-${String(n)}`));
    expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(meter.rowsRead).toBeLessThanOrEqual(2 * 5 + 2);
    expect(await readEntries(client, "?after=10")).toMatchObject({ next_after: 12 });
    expect(await readEntries(client, "?after=12")).toMatchObject({
      credit_entries: [],
      next_after: 12,
      has_more: false,
    });
  });

  test("refuses a position beyond the last entry, and has none of another client or currency", async () => {
    const client = await createClient();
    const error = errorOf(await worker.get(client, "/api/credit-entries?after=2"));
    expect(error).toMatchObject({ code: "validation_error", errors: [{ field: "after" }] });
    expect(await readEntries(client, "?currency=JPY")).toMatchObject({
      currency: "JPY",
      credit_entries: [],
      next_after: 0,
      has_more: false,
    });
    const other = await createClient({ creditMinor: 0 });
    expect((await readEntries(other)).credit_entries).toEqual([]);
  });
});

test("GET /api/credit-balances shows the accounts of the client in all currencies", async () => {
  const client = await createClient({ creditMinor: 9_906_444 });
  await worker.get(client, "/api/credit-balance");
  const { json, meter } = await worker.get(client, "/api/credit-balances");
  expect((json as CreditBalanceListResponse).credit_balances).toEqual(
    [
      ...[{ credit_balance: OTHER_ACCOUNTS.AED / 100, currency: "AED" }],
      ...[{ credit_balance: 99064.44, currency: "AUD", credit_balance_formatted: "A$99,064.44" }],
      ...[{ credit_balance: OTHER_ACCOUNTS.USD / 100, currency: "USD" }],
    ].map((balance) => expect.objectContaining(balance) as unknown),
  );
  expect(meter.roundTrips).toBe(1);
});

test("GET /api/credit-balance shows the balance as a number, its currency, and both as text", async () => {
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

test("GET /api/credit-balance is 0 in a currency without an account", async () => {
  const client = await createClient();
  const answer = await worker.get(client, "/api/credit-balance?currency=GBP");
  expect(answer.json).toEqual({
    credit_balance: 0,
    currency: "GBP",
    credit_balance_formatted: "£0.00",
  });
});
