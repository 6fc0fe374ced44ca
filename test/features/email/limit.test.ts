// The limit of the e-mails that an address gets from a client in a day.
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { emailService, MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { failingBatches, LOST, watchLog } from "../../support/faults.ts";
import { createClient, recipients, simpleProduct, unique } from "../../support/fixtures.ts";
import { ONE_CLICK, postForm } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";

beforeEach(async () => {
  watchLog();
  await resetOutbox();
});

async function openShop() {
  const clock = createClock();
  // Noon, so that minutes and hours later are on the same day.
  clock.advance(DAY_MS - (clock.nowMs() % DAY_MS) + DAY_MS / 2);
  const worker = clock.start(MAILING);
  const product = simpleProduct({}, { quantity: null });
  const client = await createClient({ products: [product] });
  const service = emailService();
  const address = `${String(unique())}@example.com`;

  const placeTo = (emails: string[], changes = {}, shop = { client, product }) =>
    placeGifts(worker, shop, emails.length, {
      recipient_details: recipients(emails.length).map((each, index) => ({
        ...each,
        email: emails[index],
      })),
      ...changes,
    });
  /** Runs the outbox after this time. Returns the number of e-mails that were sent to the address. */
  async function sentAfter(ms: number) {
    clock.advance(ms);
    service.sent = [];
    await runOutbox({ nowMs: clock.nowMs(), service });
    return service.sent.filter(({ to }) => to.toLowerCase() === address).length;
  }
  const emailsOf = async (orderId: number) => {
    const path = `/api/order?order_id=${String(orderId)}&include=emails`;
    const { recipients: gifts } = (await worker.get(client, path)).json;
    return gifts.map(({ emails }: { emails: object[] }) => emails) as object[][];
  };
  return { clock, worker, product, client, service, address, placeTo, sentAfter, emailsOf };
}

const midnight = (nowMs: number, days: number) =>
  new Date(nowMs - (nowMs % DAY_MS) + days * DAY_MS).toISOString();

test("an address gets three invitations a day from a client, across orders and renewals", async () => {
  const { clock, worker, client, address, placeTo, sentAfter, emailsOf } = await openShop();
  await placeTo([address, address.toUpperCase()]);
  const { orderId, gifts } = await placeTo([address, "other@example.com"]);
  expect(await sentAfter(0)).toBe(3);
  clock.advance(MINUTE_MS);
  const renewal = { suborder_id: gifts[1]?.suborder_id, email: address };
  expect((await worker.post(client, "/api/gift-link/renew", renewal)).status).toBe(200);
  expect(await sentAfter(MINUTE_MS)).toBe(0);
  expect((await emailsOf(orderId))[1]?.at(-1)).toEqual({
    kind: "invitation",
    status: "scheduled",
    at: midnight(clock.nowMs(), 1),
    reason: "address_limit",
  });
  expect(await sentAfter(11 * HOUR_MS)).toBe(0);
  expect(await sentAfter(HOUR_MS)).toBe(1);
});

test("two runs at once, and one that repeats a lost claim, keep the limit", async () => {
  const { clock, service, address, placeTo, sentAfter } = await openShop();
  await placeTo(Array.from({ length: 8 }, () => address));
  const run = (DB = env.DB) => runOutbox({ nowMs: clock.nowMs(), service }, { DB });
  await Promise.all([run(failingBatches(new Error(LOST), "after the commit", 1, 1)), run()]);
  expect(service.sent).toHaveLength(3);
  const later = [];
  for (let day = 1; day <= 4; day++) later.push(await sentAfter(DAY_MS));
  expect(Math.max(...later)).toBeLessThanOrEqual(3);
  expect(later.reduce((sum, count) => sum + count)).toBe(5);
});

test("another client's e-mails to the address do not count", async () => {
  const { address, product, placeTo, sentAfter } = await openShop();
  await placeTo([address, address, address, address]);
  await placeTo(
    [address, address],
    {},
    { client: await createClient({ products: [product] }), product },
  );
  expect(await sentAfter(0)).toBe(5);
});

test("60 gifts to one address are sent in 20 days, and each day reads the order once", async () => {
  const { clock, address, placeTo, sentAfter } = await openShop();
  const { orderId } = await placeTo(Array.from({ length: 60 }, () => address));
  expect(await sentAfter(0)).toBe(3);
  const { results } = await sql(
    `SELECT count(*) AS count, max(next_attempt_at_ms) AS last FROM emails
     WHERE order_id = ? AND status = 'retry' GROUP BY next_attempt_at_ms`,
    orderId,
  ).all<{ count: number; last: number }>();
  expect(results.map(({ count }) => count)).toEqual(Array.from({ length: 19 }, () => 3));
  expect(new Date(results.at(-1)?.last ?? 0).toISOString()).toBe(midnight(clock.nowMs(), 19));

  const reads = async (ms: number) => {
    const meter = newMeter();
    clock.advance(ms);
    await runOutbox({ nowMs: clock.nowMs() }, { DB: meteredD1(env.DB, meter) });
    return meter;
  };
  // A run without due e-mails reads each client once.
  const clients = Number(await sql("SELECT count(*) AS n FROM clients").first("n"));
  expect((await reads(MINUTE_MS)).rowsRead).toBeLessThan(50 + clients);
  const day = await reads(DAY_MS);
  expect([day.rowsRead < 100 * 60, day.rowsWritten < 100]).toEqual([true, true]);
});

test("reminders count, and e-mails about a shipment do not", async () => {
  const { worker, client, address, placeTo, sentAfter } = await openShop();
  const { gifts } = await placeTo([address, address, address]);
  await sentAfter(0);
  await placeTo([address]);
  // Noon in Sydney.
  expect(await sentAfter(7 * DAY_MS + 14 * HOUR_MS)).toBe(3);
  for (const { suborder_id } of gifts) {
    await worker.post(client, "/api/sandbox/event", { event: "gift.redeemed", suborder_id });
    await worker.post(client, "/api/sandbox/event", { event: "gift.shipped", suborder_id });
  }
  expect(await sentAfter(MINUTE_MS)).toBe(3);
});

test("after days without a run, the e-mails of one day are sent", async () => {
  const { address, placeTo, sentAfter } = await openShop();
  await placeTo(Array.from({ length: 9 }, () => address));
  await sentAfter(0);
  expect(await sentAfter(5 * DAY_MS)).toBe(3);
  expect(await sentAfter(DAY_MS)).toBe(3);
});

type Shop = Awaited<ReturnType<typeof openShop>>;
type Gift = Awaited<ReturnType<Shop["placeTo"]>>["gifts"][number];

/** What ends the wait of a gift's e-mail. */
const ENDINGS: Record<string, (shop: Shop, gift: Gift) => Promise<{ status: number }>> = {
  accepted: ({ worker, client }, { suborder_id }) =>
    worker.post(client, "/api/sandbox/event", { event: "gift.redeemed", suborder_id }),
  stopped: ({ worker }, { gift_url }) =>
    postForm(worker, gift_url.replace("/redeem/", "/stop-emails/"), ONE_CLICK),
  renewed: ({ worker, client }, { suborder_id }) => {
    const email = `${String(suborder_id)}@example.com`;
    return worker.post(client, "/api/gift-link/renew", { suborder_id, email });
  },
  cancelled: ({ worker, client }, { suborder_id }) => {
    const body = { order_id: Math.floor(suborder_id / 1000), suborder_ids: [suborder_id] };
    return worker.post(client, "/api/order/cancel", body);
  },
};

test.each(Object.entries(ENDINGS))("the days of %s gifts are free again", async (name, end) => {
  const shop = await openShop();
  const { clock, address, placeTo, sentAfter, emailsOf } = shop;
  const { gifts } = await placeTo(Array.from({ length: 7 }, () => address));
  await sentAfter(0);
  for (const gift of gifts) expect((await end(shop, gift)).status).toBe(200);
  const next = await placeTo([address]);
  // Those who were invited get an e-mail about the acceptance, which does not count.
  expect(await sentAfter(MINUTE_MS)).toBe(name === "accepted" ? 3 : 0);
  expect(await emailsOf(next.orderId)).toMatchObject([[{ at: midnight(clock.nowMs(), 1) }]]);
});

test.each([
  ["corrected", "/api/order/correct"],
  ["renewed", "/api/gift-link/renew"],
])("the link to a %s address is sent at once, although the old one waits", async (_, path) => {
  const { worker, client, service, address, placeTo, sentAfter } = await openShop();
  const { gifts } = await placeTo([address, address, address, address]);
  await sentAfter(0);
  const change = { suborder_id: gifts[3]?.suborder_id, email: "right@example.com" };
  expect((await worker.post(client, path, change)).status).toBe(200);
  await sentAfter(MINUTE_MS);
  expect(service.sent.map(({ to }) => to)).toEqual(["right@example.com"]);
});

test("an e-mail that waits keeps its day when it is asked for again", async () => {
  const { clock, worker, client, address, placeTo, sentAfter, emailsOf } = await openShop();
  const { orderId, gifts } = await placeTo(Array.from({ length: 6 }, () => address));
  await sentAfter(0);
  for (const { suborder_id } of gifts.slice(3)) {
    const { status } = await worker.post(client, "/api/gift-link/send", { suborder_id });
    expect(status).toBe(200);
    expect(await sentAfter(MINUTE_MS)).toBe(0);
  }
  const waiting = (await emailsOf(orderId)).slice(3);
  expect(waiting).toMatchObject([0, 1, 2].map(() => [{ at: midnight(clock.nowMs(), 1) }]));
  expect(await sentAfter(DAY_MS)).toBe(3);
});

test.each(["one address", "different addresses"])(
  "the rows that are read for gifts to %s are linear in their number",
  async (to) => {
    const { clock, address, placeTo } = await openShop();
    async function readsOf(gifts: number) {
      const addresses = Array.from({ length: gifts }, (_, index) =>
        to === "one address"
          ? `${String(gifts)}${address}`
          : `${String(index)}.${String(gifts)}${address}`,
      );
      await placeTo(addresses);
      const meter = newMeter();
      const bindings = { DB: meteredD1(env.DB, meter) };
      await runOutbox({ nowMs: clock.nowMs(), service: emailService() }, bindings);
      return meter.rowsRead / gifts;
    }
    const few = await readsOf(40);
    expect(await readsOf(120)).toBeLessThan(1.1 * few);
    expect(few).toBeLessThan(to === "one address" ? 70 : 140);
  },
);
