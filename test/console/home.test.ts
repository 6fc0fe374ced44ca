// The first page: what waits.
import { beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../src/core/values/time.ts";
import { openConsole, type TestConsole } from "./console.ts";
import { openShop, simpleProduct, recipients } from "../support/fixtures.ts";
import { accept, createGift } from "../support/gift.ts";
import { sql } from "../support/sql.ts";
import { startWorker } from "../support/worker.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole();
});

const tileOf = (text: string, label: string) =>
  Number(new RegExp(`([\\d,]+) ${label}`).exec(text)?.[1]?.replaceAll(",", ""));

test("counts what waits, in two round trips", async () => {
  const user = await testConsole.signIn("viewer");
  const before = await user.get("/");
  const worker = startWorker();
  const product = simpleProduct({}, { quantity: 100 });
  const gift = await createGift(worker, [product], { recipient_details: recipients(2) });
  await accept(worker, gift.paths[0] ?? "");
  await createGift(worker, [product], { recipient_details: recipients(1) }, { billing: "invoice" });
  const failed = `INSERT INTO events (client_id, sequence, type, created_at_ms)
    SELECT client_id, max(sequence) + 1, 'gift.email_failed', ? FROM events WHERE client_id = ?`;
  for (const days of [6, 8])
    await sql(failed, Date.now() - days * DAY_MS, gift.client.clientId).run();
  const after = await user.get("/");
  const grown = (label: string) => tileOf(after.text, label) - tileOf(before.text, label);
  expect(grown("Gifts to ship")).toBe(1);
  expect(grown("Unpaid orders")).toBe(1);
  expect(grown("E-mails that failed in the last seven days")).toBe(1);
  expect(grown("Waiting for more than two days")).toBe(0);
  expect(after.meter.roundTrips).toBe(2);
});
