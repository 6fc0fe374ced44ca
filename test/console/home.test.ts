// The first page: what waits, and the last days.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { updateDays } from "../../src/operator/health/daily.ts";
import { DAY_MS, formatDay } from "../../src/core/values/time.ts";
import { openConsole, type TestConsole } from "../support/console.ts";
import { openShop, simpleProduct, recipients } from "../support/fixtures.ts";
import { accept, changeParcels, createGift } from "../support/gift.ts";
import { meteredD1, newMeter } from "../support/counting.ts";
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
  const after = await user.get("/");
  const grown = (label: string) => tileOf(after.text, label) - tileOf(before.text, label);
  expect(grown("Gifts to ship")).toBe(1);
  expect(grown("Unpaid orders")).toBe(1);
  expect(grown("Waiting for more than two days")).toBe(0);
  expect(after.meter.roundTrips).toBe(2);
});

const NO_TRACKING = { carrier: null, trackingNumber: null, trackingUrl: null };

const DAY = Date.UTC(2041, 4, 10);

/** An order whose two gifts are accepted on the first day and shipped on the second. */
async function threeDays() {
  let nowMs = DAY + 1_000;
  const worker = startWorker({ now: () => nowMs });
  const product = simpleProduct({}, { quantity: 100 });
  const gift = await createGift(worker, [product], { recipient_details: recipients(2) });
  for (const path of gift.paths) await accept(worker, path);
  nowMs += DAY_MS;
  const parcels = [1, 2].map((sequence) => ({ orderId: gift.orderId, sequence }));
  for (const parcel of parcels) await changeParcels("ship", [{ ...parcel, ...NO_TRACKING }], nowMs);
}

test("shows the last 30 days, which are counted once an hour", async () => {
  await threeDays();
  const nowMs = DAY + 2 * DAY_MS + 1_000;
  const dated = await openConsole({ now: () => nowMs });
  const user = await dated.signIn("viewer");
  await updateDays(env, nowMs);
  const { text, html, meter } = await user.get("/");
  expect(text).toContain(`${formatDay(DAY)} 1 2 0`);
  expect(text).toContain(`${formatDay(DAY + DAY_MS)} 0 0 2`);
  expect(html.match(/<polyline/g)).toHaveLength(3);
  expect(meter.roundTrips).toBe(2);
});

test("counts a past day once, and reads rows linear in the days that it counts", async () => {
  const nowMs = DAY + 3 * DAY_MS;
  await updateDays(env, nowMs);
  const meter = newMeter();
  await updateDays({ ...env, DB: meteredD1(env.DB, meter) }, nowMs + 1_000);
  // Only today, of which there is no order.
  expect(meter.roundTrips).toBe(1);
  const events = await env.DB.prepare("SELECT count(*) AS n FROM events").first<{ n: number }>();
  const clients = await env.DB.prepare("SELECT count(*) AS n FROM clients").first<{ n: number }>();
  // A bisection of each client's events, and no other rows.
  const perClient = 2 * (4 + Math.ceil(Math.log2(events?.n ?? 1)) * 3);
  expect(meter.rowsRead).toBeLessThan((clients?.n ?? 0) * perClient);
});
