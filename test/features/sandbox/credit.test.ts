// POST /api/sandbox/credit.
import { afterEach, describe, expect, test } from "vitest";
import { lossyQueue } from "../../support/delivery.ts";
import { errorOf } from "../../support/errors.ts";
import { eventsOf, typesOf } from "../../support/events.ts";
import { brokenAccounts, createClient, type TestClient } from "../../support/fixtures.ts";
import { differencesOf } from "../../support/invariants.ts";
import { databaseState } from "../../support/state.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue } });

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe("credit", () => {
  const add = (client: TestClient, body: object) =>
    worker.post(client, "/api/sandbox/credit", body);

  test("is added once for each reference, in any currency", async () => {
    const client = await createClient({ creditMinor: 100 });
    const [usual, yen] = [
      { amount: "12.50", reference: "T-1" },
      { amount: "300", currency: "JPY", reference: "T-1" },
    ];
    for (const body of [usual, usual]) {
      const { json } = await add(client, body);
      expect(json).toMatchObject({ currency: "AUD", credit_balance: 13.5 });
    }
    const { json } = await add(client, yen);
    expect(json).toMatchObject({ currency: "JPY", credit_balance: 300 });
    expect(await differencesOf([client])).toEqual([]);
  });

  test.each<[object, string, string?]>([
    [{ amount: "1.001", reference: "T" }, "validation_error", "amount"],
    [{ amount: "-1.00", reference: "T" }, "validation_error", "amount"],
    [{ amount: "1.00", reference: " " }, "validation_error", "reference"],
    [{ amount: "1.00", reference: "T", alert_below: "0.001" }, "validation_error", "alert_below"],
    [{ amount: "9999999999999.99", reference: "T" }, "not_allowed_in_state"],
    [{ amount: "2.00", reference: "used" }, "not_allowed_in_state"],
  ])("is refused: %j", async (body, code, field) => {
    const client = await createClient();
    await add(client, { amount: "1.00", reference: "used" });
    const before = await databaseState();
    const error = errorOf(await add(client, body));
    expect([error.code, error.errors?.[0]?.field]).toEqual([code, field]);
    expect(await databaseState()).toEqual(before);
  });

  test("below the alert is reported once, until it was above it", async () => {
    const client = await createClient({ creditMinor: 1_000 });
    await add(client, { amount: "0", reference: "0", alert_below: "20.00" });
    await add(client, { amount: "1.00", reference: "1", alert_below: "20.00" });
    expect(await eventsOf(client)).toMatchObject([
      { type: "credit.low", data: { credit_balance: "10.00", alert_below: "20.00" } },
    ]);
    await add(client, { amount: "50.00", reference: "2" });
    await add(client, { amount: "0", reference: "3", alert_below: "100.00" });
    expect(await typesOf(client)).toEqual(["credit.low", "credit.low"]);
  });
});
