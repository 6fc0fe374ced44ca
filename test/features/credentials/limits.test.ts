// Spending limits of credential sets, by day and month in UTC.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CredentialListResponse } from "../../../src/features/credentials/contract.ts";
import type { OrderListResponse } from "../../../src/features/orders/contract.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/values/time.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { errorOf } from "../../support/errors.ts";
import { eventsOf } from "../../support/events.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import {
  balanceOf,
  createClient,
  openShop,
  orderOf,
  ordersOf,
  recipients,
  simpleProduct,
  type TestClient,
} from "../../support/fixtures.ts";
import { runs } from "../../support/runs.ts";
import { databaseState } from "../../support/state.ts";
import { type Credentials, startWorker, type TestWorker } from "../../support/worker.ts";

/** Ten in the morning, on the last day of a month. */
const START_MS = Date.UTC(2030, 0, 31, 10);
const EXCEEDED = { http: 402, code: "spending_limit_exceeded" };
const worker = startWorker({ now: () => START_MS });
const at = (nowMs: number) => startWorker({ now: () => nowMs });

interface Limit {
  period: "order" | "day" | "month";
  currency: string;
  amount: string;
}
const limit = (period: Limit["period"], amount: string, currency = "AUD"): Limit => ({
  period,
  currency,
  amount,
});

/** A set with the scope `order` and these limits, as its client has created it. */
async function limited(client: TestClient, limits: Limit[]) {
  const body = { scope: "order", limits };
  const { json, text } = await worker.post(client, "/api/credential", body);
  expect(json.status, text).not.toBe("error");
  const { credential_id: id, api_key: apiKey, api_password: apiPassword } = json;
  return { id: id as number, clientId: client.clientId, apiKey, apiPassword } as Credentials & {
    id: number;
  };
}

const limitsOf = async (caller: Credentials, id: number, by = worker) => {
  const { credentials } = (await by.get(caller, "/api/credentials")).json as CredentialListResponse;
  return credentials.find(({ credential_id }) => credential_id === id)?.limits;
};

/** 30.00 AUD for each piece. */
const shop = () =>
  openShop(simpleProduct({ priceMinor: 2_500, shippingMinor: 500 }, { quantity: null }), {
    feeBasisPoints: 0,
    creditMinor: 100_000_00,
  });

describe("a set with limits", () => {
  test("cannot spend more in an order, a day or a month than they are", async () => {
    const { client, product } = await shop();
    const set = await limited(client, [
      limit("order", "60.00"),
      limit("day", "90.00"),
      limit("month", "150.00"),
    ]);
    const place = async (by: TestWorker, qty: number) => {
      const body = orderOf(product, { recipient_details: recipients(qty) });
      return by.post(set, "/api/order", body);
    };
    expect(errorOf(await place(worker, 3))).toMatchObject(EXCEEDED);
    const placed = await place(worker, 2);
    expect(placed.headers.get("Regalo-Spending-Left")).toBe(
      "AUD; order=60.00; day=30.00; month=90.00",
    );
    const refused = await place(worker, 2);
    for (const amount of ["60.00", "90.00"]) expect(refused.text).toContain(amount);
    expect((await place(worker, 1)).status).toBe(200);
    expect(errorOf(await place(worker, 1))).toMatchObject(EXCEEDED);

    const nextMonth = at(START_MS + DAY_MS);
    expect((await place(nextMonth, 2)).headers.get("Regalo-Spending-Left")).toBe(
      "AUD; order=60.00; day=30.00; month=90.00",
    );
    const nextDay = at(START_MS + 2 * DAY_MS);
    expect((await place(nextDay, 2)).headers.get("Regalo-Spending-Left")).toBe(
      "AUD; order=60.00; day=30.00; month=30.00",
    );
    expect(errorOf(await place(nextDay, 2))).toMatchObject(EXCEEDED);
    expect(await limitsOf(client, set.id, nextDay)).toEqual([
      { ...limit("order", "60.00"), used: "0.00", left: "60.00" },
      { ...limit("day", "90.00"), used: "60.00", left: "30.00" },
      { ...limit("month", "150.00"), used: "120.00", left: "30.00" },
    ]);
    // Other sets of the client have no limits.
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(200);
  });

  test("is told beforehand by a quote, and changes nothing when it is refused", async () => {
    const { client, product } = await shop();
    const set = await limited(client, [limit("day", "30.00")]);
    const content = {
      product_id: product.product.id,
      currency: "AUD",
      base_location: "AU",
    };
    for (const [qty, isSufficient] of [
      [1, true],
      [2, false],
    ] as const) {
      const { json, headers } = await worker.post(set, "/api/quote", { ...content, qty });
      expect(json).toMatchObject({ credit_sufficient: true, limit_sufficient: isSufficient });
      expect(headers.get("Regalo-Spending-Left")).toBe("AUD; day=30.00");
    }
    const state = await databaseState();
    const body = orderOf(product, { recipient_details: recipients(2) });
    expect(errorOf(await worker.post(set, "/api/order", body))).toMatchObject(EXCEEDED);
    expect(await databaseState()).toEqual(state);
  });

  test("cannot order in a currency without a limit", async () => {
    const { client, product } = await shop();
    const set = await limited(client, [limit("day", "1000.00", "USD")]);
    const refused = await worker.post(set, "/api/order", orderOf(product));
    expect(errorOf(refused)).toMatchObject(EXCEEDED);
    expect(refused.headers.get("Regalo-Spending-Left")).toBeNull();
  });

  test("counts an order once that is repeated, and keeps counting it when it is cancelled", async () => {
    const { client, product } = await shop();
    const set = await limited(client, [limit("day", "30.00")]);
    const body = orderOf(product);
    const first = await worker.post(set, "/api/gift-link", body);
    const again = await worker.post(set, "/api/gift-link", body);
    expect(again.text).toBe(first.text);
    const { order_id } = first.json.order_data as { order_id: number };
    expect((await worker.post(client, "/api/order/cancel", { order_id })).status).toBe(200);
    expect(await limitsOf(client, set.id)).toMatchObject([{ used: "30.00", left: "0.00" }]);
    expect(errorOf(await worker.post(set, "/api/order", orderOf(product)))).toMatchObject(EXCEEDED);
  });

  test("never exceeds one by a cent with 50 orders at once", async () => {
    const { client, product } = await shop();
    const set = await limited(client, [limit("day", "209.99"), limit("month", "1000.00")]);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => worker.post(set, "/api/order", orderOf(product))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(await ordersOf(client.clientId)).toBe(6);
    expect(await balanceOf(client.clientId)).toBe(100_000_00 - 6 * 30_00);
    expect(await limitsOf(client, set.id)).toMatchObject([{ used: "180.00" }, { used: "180.00" }]);
  });

  test("counts a late order of the day before for the day that has begun", async () => {
    const { client, product } = await shop();
    const set = await limited(client, [limit("day", "60.00")]);
    const midnight = at(START_MS + DAY_MS);
    const place = (by: TestWorker) => by.post(set, "/api/order", orderOf(product));
    expect((await place(midnight)).status).toBe(200);
    expect((await place(worker)).status).toBe(200);
    expect(errorOf(await place(midnight))).toMatchObject(EXCEEDED);
    expect(errorOf(await place(worker))).toMatchObject(EXCEEDED);
  });

  test("writes one row for an order beyond those of other sets, and reads a constant number", async () => {
    const { client, product } = await shop();
    const set = await limited(client, [limit("day", "6000.00"), limit("month", "9000.00")]);
    const rows = async (caller: Credentials) => {
      await worker.post(caller, "/api/order", orderOf(product));
      const body = orderOf(product, { recipient_details: recipients(2) });
      return (await worker.post(caller, "/api/order", body)).meter;
    };
    const [without, with_] = [await rows(client), await rows(set)];
    expect(with_.rowsWritten - without.rowsWritten).toBe(1);
    expect(with_.rowsWritten).toBeLessThanOrEqual(24);
    expect(with_.rowsRead - without.rowsRead).toBeLessThanOrEqual(16);
    expect([without.roundTrips, with_.roundTrips]).toEqual([1, 1]);
  });
});

describe("a budget", () => {
  const add = async (client: TestClient, changes: object) => {
    const body = { scope: "order", limits: [limit("month", "90.00")], ...changes };
    const { json } = await worker.post(client, "/api/credential", body);
    const { credential_id: id, api_key: apiKey, api_password: apiPassword } = json;
    const set = { id, clientId: client.clientId, apiKey, apiPassword };
    return set as Credentials & { id: number };
  };

  test("is shared by its sets, never exceeded by orders at once, and outlives a revoked set", async () => {
    const { client, product } = await shop();
    const sets = [await add(client, { budget: "Agents" }), await add(client, { budget: "Agents" })];
    const alone = await add(client, {});
    const others = await add(client, { budget: `#${String(alone.id)}` });
    const place = (set: Credentials | undefined) =>
      worker.post(set as Credentials, "/api/order", orderOf(product));
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => place(sets[n % 2])));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await place(alone)).status).toBe(200);
    expect(await limitsOf(client, others.id)).toMatchObject([{ used: "0.00" }]);
    await worker.post(client, "/api/credential/revoke", { credential_id: sets[0]?.id });
    const next = await add(client, { budget: "Agents" });
    expect(errorOf(await place(next))).toMatchObject(EXCEEDED);
    expect(await limitsOf(client, next.id)).toMatchObject([{ used: "90.00", left: "0.00" }]);
  });

  test("has the orders of the month that its set placed without limits, as the list of its orders has them", async () => {
    const { client, product } = await shop();
    const set = await add(client, { limits: [] });
    for (const day of [0, 0, -1, -40]) {
      const { status } = await at(START_MS + day * DAY_MS).post(
        set,
        "/api/order",
        orderOf(product),
      );
      expect(status).toBe(200);
    }
    const limits = [limit("day", "30.00"), limit("month", "500.00")];
    await worker.post(client, "/api/credential/limits", { credential_id: set.id, limits });
    await worker.post(set, "/api/order", orderOf(product));
    expect(await limitsOf(client, set.id)).toMatchObject([{ used: "60.00" }, { used: "90.00" }]);
    const month = `credential_id=${String(set.id)}&created_from=2030-01-01`;
    const { orders } = (await worker.get(client, `/api/orders?${month}`)).json as OrderListResponse;
    expect(orders.map(({ order_totals }) => order_totals.order_total)).toEqual(
      Array.from({ length: 3 }, () => "30.00"),
    );
  });

  test("begins a new month on the client's clock of the sandbox", async () => {
    const { client, product } = await shop();
    const set = await add(client, { limits: [limit("month", "30.00")] });
    const place = () => startWorker().post(set, "/api/order", orderOf(product));
    expect((await place()).status).toBe(200);
    expect(errorOf(await place())).toMatchObject(EXCEEDED);
    const clock = await startWorker().post(client, "/api/sandbox/clock", { advance: "P31D" });
    expect(clock.status, clock.text).toBe(200);
    expect((await place()).headers.get("Regalo-Spending-Left")).toBe("AUD; month=0.00");
    expect(errorOf(await place())).toMatchObject(EXCEEDED);
  });
});

describe("the limits of a set", () => {
  test("are replaced and removed by another set, and what is used stays used", async () => {
    const { client, product } = await shop();
    const set = await limited(client, [limit("day", "30.00")]);
    await worker.post(set, "/api/order", orderOf(product));
    const change = (limits: Limit[]) =>
      worker.post(client, "/api/credential/limits", { credential_id: set.id, limits });
    const lowered = await change([limit("day", "10.00"), limit("order", "500.00")]);
    expect(lowered.json.limits).toEqual([
      { ...limit("day", "10.00"), used: "30.00", left: "0.00" },
      { ...limit("order", "500.00"), used: "0.00", left: "500.00" },
    ]);
    const state = await databaseState();
    await change([limit("day", "10.00"), limit("order", "500.00")]);
    expect(await databaseState()).toEqual(state);
    await change([limit("day", "50.00")]);
    expect(errorOf(await worker.post(set, "/api/order", orderOf(product)))).toMatchObject(EXCEEDED);
    expect((await change([])).json.limits).toBeNull();
    expect((await worker.post(set, "/api/order", orderOf(product))).status).toBe(200);
    expect(
      (await eventsOf(client)).filter(({ type }) => type === "credential.limited"),
    ).toHaveLength(3);
    const [last] = await listAudit(env.DB, { clientId: client.clientId, limit: 1 });
    expect(last).toMatchObject({
      action: "credential limit",
      before: { limits: [{ period: "day", currency: "AUD", limitMinor: 50_00 }] },
      after: { limits: null },
    });
  });

  test("refuse an order of a free product if more is used than they are", async () => {
    const [product, free] = [simpleProduct(), simpleProduct({ priceMinor: 0, shippingMinor: 0 })];
    const client = await createClient({ products: [product, free], feeBasisPoints: 0 });
    const set = await limited(client, [limit("day", "100.00")]);
    await worker.post(set, "/api/order", orderOf(product));
    const limits = [limit("day", "1.00")];
    await worker.post(client, "/api/credential/limits", { credential_id: set.id, limits });
    expect(errorOf(await worker.post(set, "/api/order", orderOf(free)))).toMatchObject(EXCEEDED);
  });

  test("are only for sets with the scope order, and only a set with the scope admin changes them", async () => {
    const client = await createClient();
    const set = await limited(client, [limit("day", "30.00")]);
    const limits = [limit("day", "9000.00")];
    const change = (by: Credentials, credential_id: number) =>
      worker.post(by, "/api/credential/limits", { credential_id, limits });
    expect(errorOf(await change(set, set.id))).toMatchObject({
      http: 403,
      code: "insufficient_scope",
    });
    const [own] = ((await worker.get(client, "/api/credentials")).json as CredentialListResponse)
      .credentials;
    expect(errorOf(await change(client, own?.credential_id ?? 0))).toMatchObject({
      http: 409,
      code: "not_allowed_in_state",
    });
    const other = await createClient();
    expect(errorOf(await change(other, set.id))).toMatchObject({ http: 404, code: "not_found" });
    const admin = await worker.post(client, "/api/credential", { scope: "admin", limits });
    expect(errorOf(admin)).toMatchObject({ http: 400, code: "validation_error" });
    expect(await limitsOf(client, set.id)).toMatchObject([{ amount: "30.00" }]);
  });

  test.each([
    [[limit("day", "1.234")], "limits[0].amount"],
    [[limit("day", "-1")], "limits[0].amount"],
    [[limit("day", "1.5", "JPY")], "limits[0].amount"],
    [[limit("day", "1", "XXY")], "limits[0].currency"],
    [[limit("day", "1"), limit("day", "2")], "limits[1].period"],
    [[{ ...limit("day", "1"), period: "week" }], "limits[0].period"],
  ])("%j are refused at %s", async (limits, field) => {
    const client = await createClient();
    const { json } = await worker.post(client, "/api/credential", { scope: "order", limits });
    expect((json.errors as { field: string }[]).map((each) => each.field)).toEqual([field]);
  });
});

test("with random sets, limits, orders, repeats and lost responses, the counters are the sums and within the limits", async () => {
  const SETS = 3;
  const STEP = fc.record({
    set: fc.nat(SETS - 1),
    hours: fc.integer({ min: 0, max: 30 }),
    qty: fc.integer({ min: 1, max: 4 }),
    verb: fc.constantFrom("order", "repeat", "lose", "limit"),
    amount: fc.integer({ min: 0, max: 40_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 8, maxLength: 24 }), async (steps) => {
      const { client, product } = await shop();
      const sets: (Credentials & { id: number })[] = [];
      for (let index = 0; index < SETS; index++) {
        sets.push(await limited(client, [limit("day", "150.00"), limit("month", "400.00")]));
      }
      const spent = new Map<string, number>();
      let last: { set: Credentials; body: object } | undefined;
      let nowMs = START_MS;
      for (const { set: index, hours, qty, verb, amount } of steps) {
        nowMs += hours * HOUR_MS;
        const by = at(nowMs);
        const set = sets[index] as Credentials & { id: number };
        if (verb === "limit") {
          const day = (amount / 100).toFixed(2);
          const limits = [limit("day", day), limit("month", "400.00")];
          await by.post(client, "/api/credential/limits", { credential_id: set.id, limits });
          continue;
        }
        if (verb === "repeat" && last) {
          expect((await by.post(last.set, "/api/order", last.body)).status).toBe(200);
          continue;
        }
        const before = await limitsOf(client, set.id, by);
        const body = orderOf(product, { recipient_details: recipients(qty) });
        // The response of the write is lost, and the retry finds the order.
        const DB = failingBatches(new Error(LOST), "after the commit", 1, 1);
        const isolate = verb === "lose" ? startWorker({ env: { DB }, now: () => nowMs }) : by;
        const answer = await isolate.post(set, "/api/order", body);
        const day = new Date(nowMs).toISOString().slice(0, 10);
        const isWithin = before?.every(({ left }) => Number(left) >= qty * 30);
        expect([verb, answer.status]).toEqual([verb, isWithin ? 200 : 402]);
        if (answer.status !== 200) continue;
        last = { set, body };
        for (const key of [day, day.slice(0, 7)]) {
          const name = `${String(set.id)} ${key}`;
          spent.set(name, (spent.get(name) ?? 0) + qty * 30);
        }
        const after = await limitsOf(client, set.id, by);
        expect(after?.map(({ used }) => Number(used))).toEqual([
          spent.get(`${String(set.id)} ${day}`),
          spent.get(`${String(set.id)} ${day.slice(0, 7)}`),
        ]);
        for (const each of after ?? [])
          expect(Number(each.used)).toBeLessThanOrEqual(Number(each.amount));
      }
    }),
    { numRuns: runs(4), endOnFailure: true },
  );
});
