// What waits for operators, as a view and as the first page of the console.
import { beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { SCRIPT } from "../../../src/console/ui/script.ts";
import { STYLE } from "../../../src/console/ui/style.ts";
import { openConsole, type TestConsole } from "../../console/console.ts";
import { openShop, recipients, simpleProduct } from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole();
});

test("counts what waits, in two round trips", async () => {
  const api = await openOperatorApi(["viewer"], testConsole);
  const { facts: before } = await api.view("home");
  const worker = startWorker();
  const product = simpleProduct({}, { quantity: 100 });
  const gift = await createGift(worker, [product], { recipient_details: recipients(2) });
  await accept(worker, gift.paths[0] ?? "");
  await createGift(worker, [product], { recipient_details: recipients(1) }, { billing: "invoice" });
  const { clientId } = gift.client;
  const failed = `INSERT INTO events (client_id, sequence, type, created_at_ms)
    SELECT client_id, max(sequence) + 1, 'gift.email_failed', ? FROM events WHERE client_id = ?`;
  for (const days of [6, 8]) await sql(failed, Date.now() - days * DAY_MS, clientId).run();
  await sql(
    "UPDATE credit_accounts SET alert_below_minor = balance_minor + 1 WHERE client_id = ? AND currency = 'AUD'",
    clientId,
  ).run();
  const answer = await api.call("home");
  const { facts } = JSON.parse(answer.html);
  const grown = Object.fromEntries(
    Object.entries(before)
      .filter(([, value]) => typeof value === "number")
      .map(([name, value]) => [name, facts[name] - (value as number)]),
  );
  const expected = { to_ship: 1, late: 0, unpaid: 1, to_refund: 0, failing_webhooks: 0 };
  expect(grown).toEqual({ ...expected, failed_emails: 1, low_accounts: 1 });
  expect(answer.meter.roundTrips).toBe(2);
});

test("is the first page, whose links and menu lead to pages", async () => {
  const user = await testConsole.signIn("viewer", "finance");
  const { html, text, meter } = await user.get("/");
  // Finance works on the unpaid orders, and others ship.
  expect(text).toMatch(/\d+ Unpaid orders .*For others .*\d+ Gifts to ship/);
  expect(html).not.toContain("<b>0</b>");
  expect(meter.roundTrips).toBe(2);
  expect(html.length + STYLE.length + SCRIPT.length).toBeLessThan(30_000);
  const links = [...html.matchAll(/<a href="(\/[^"]*)"/g)].map(([, href = ""]) => href);
  expect(links.length).toBeGreaterThan(12);
  for (const href of links) expect([href, (await user.get(href)).status]).toEqual([href, 200]);
});
