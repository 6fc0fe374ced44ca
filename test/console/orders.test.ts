// The pages of orders and gifts.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { orderNumber, suborderNumber } from "../../src/core/values/ids.ts";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { openConsole, type TestConsole } from "./console.ts";
import { openShop, recipients, simpleProduct } from "../support/fixtures.ts";
import { accept, createGift } from "../support/gift.ts";
import { startWorker } from "../support/worker.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole();
});

const HOSTILE = '<img src=x onerror=alert(1)> "Ada"';
const MAX_BYTES = 60_000;

async function newOrder(count: number, changes: Record<string, unknown> = {}) {
  const product = simpleProduct({ name: `Vase ${HOSTILE}` }, { quantity: 1_000 });
  const gift = await createGift(startWorker(), [product], {
    recipient_details: recipients(count),
    ...changes,
  });
  return { ...gift, number: orderNumber(gift.orderId) };
}

test("an order's page shows its recipients, totals and timeline in two round trips", async () => {
  const [first] = recipients(1);
  const order = await newOrder(1, {
    recipient_details: [{ ...first, first_name: HOSTILE }],
  });
  await accept(startWorker(), order.path);
  const user = await testConsole.signIn("viewer");
  const page = await user.get(`/orders/${order.number}`);
  expect(page.status).toBe(200);
  for (const text of [HOSTILE, "recipient0@example.com", "14 Plane Tree Lane", "31.20 AUD"]) {
    expect(page.text).toContain(text);
  }
  for (const text of ["order.paid", "gift.redeemed", "redeemed"]) expect(page.text).toContain(text);
  expect(page.html).not.toContain("<img src=x");
  expect(page.html).not.toContain("/redeem/");
  expect(page.html).not.toContain("/cancel");
  expect(page.html).toMatch(/<title>GO-\d+ – /);
  expect(page.meter.roundTrips).toBe(2);
  const gift = await user.get(`/gifts/${order.number}-1`);
  expect(gift.text).toContain(HOSTILE);
  expect(gift.html).not.toContain("/redeem/");
  expect(gift.meter.roundTrips).toBe(2);
});

test("opening an order or a gift is recorded, without a place in the timeline", async () => {
  const { orderId, number } = await newOrder(1);
  const user = await testConsole.signIn("viewer");
  await user.get(`/orders/${number}`);
  const page = await user.get(`/gifts/${number}-1`);
  const entries = await listAudit(env.DB, { orderId, limit: 9 });
  expect(entries.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
    [user.name, "order show", `${number}-1`],
    [user.name, "order show", number],
  ]);
  expect(entries.every(({ requestId }) => requestId !== null)).toBe(true);
  expect(page.text).not.toContain("order show");
});

test("an order of many gifts has pages, and each page is small", async () => {
  const { orderId, number } = await newOrder(60);
  const ids = Array.from({ length: 60 }, (_, n) => orderId * 1_000 + n + 1);
  await env.DB.batch(
    ids.map((id) =>
      env.DB.prepare(
        `INSERT INTO emails (order_id, sequence, number, kind, status, due_ms, link_generation,
          attempts, attempted_at_ms, reason)
        VALUES (?, ?, 1, 'invitation', 'bounced', 1, 0, 1, 1, 'hard_bounce')`,
      ).bind(orderId, id % 1_000),
    ),
  );
  const user = await testConsole.signIn("engineer");
  const first = await user.get(`/orders/${number}`);
  expect(first.html).toContain(`id="${number}-50"`);
  expect(first.html).not.toContain(`id="${number}-51"`);
  expect(first.text).toContain("There are earlier entries");
  expect(first.text).toContain(`e-mail invitation ${number}-60`);
  expect(first.html.length).toBeLessThan(MAX_BYTES);
  const last = await user.get(`/orders/${number}?after=50`);
  expect(last.html).toContain(`id="${number}-60"`);
  expect(last.text).not.toContain("Next page");
});

test("the page of a gift shows the events of the gift and of its order only", async () => {
  const order = await newOrder(2);
  await accept(startWorker(), order.paths[1] ?? "");
  const user = await testConsole.signIn("viewer");
  const [first, second] = [1, 2].map((n) => suborderNumber(order.orderId, n));
  expect((await user.get(`/gifts/${String(first)}`)).text).not.toContain("gift.redeemed");
  expect((await user.get(`/gifts/${String(second)}`)).text).toContain("gift.redeemed");
});

test("there is no page for an order or a gift that does not exist", async () => {
  const { number } = await newOrder(1);
  const user = await testConsole.signIn("viewer");
  for (const path of ["/orders/GO-99999999", `/gifts/${number}-2`, "/orders/x", "/gifts/GO-1"]) {
    expect((await user.get(path)).status, path).toBe(404);
  }
});
