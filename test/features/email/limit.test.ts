// The limit of the e-mails that an address gets from a client in a day.
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { emailService, MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { failingBatches, LOST, watchLog } from "../../support/faults.ts";
import { createClient, recipients, simpleProduct, unique } from "../../support/fixtures.ts";

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

/** As many gifts to the address as it gets e-mails in a day, and these more. */
const many = (address: string, more = 0) => Array.from({ length: 20 + more }, () => address);

test("an address gets 20 e-mails a day from a client, across orders and renewals, and the others fail", async () => {
  const { clock, worker, client, address, placeTo, sentAfter, emailsOf } = await openShop();
  await placeTo(many(address).slice(1));
  const { orderId, gifts } = await placeTo([address.toUpperCase(), "other@example.com"]);
  expect(await sentAfter(0)).toBe(20);
  clock.advance(MINUTE_MS);
  const renewal = { suborder_id: gifts[1]?.suborder_id, email: address };
  await worker.post(client, "/api/gift-link/renew", renewal);
  expect(await sentAfter(MINUTE_MS)).toBe(0);
  const limited = { kind: "invitation", status: "failed", reason: "address_limit" };
  expect((await emailsOf(orderId))[1]).toContainEqual(expect.objectContaining(limited));
  const { json } = await worker.get(client, "/api/events?limit=100");
  const failure = { email_kind: "invitation", email_failure: "address_limit" };
  const { data } = json.events.find(({ type }: { type: string }) => type === "gift.email_failed");
  expect(data).toEqual(failure);
  await sentAfter(12 * HOUR_MS);
  await worker.post(client, "/api/gift-link/send", { suborder_id: gifts[1]?.suborder_id });
  expect(await sentAfter(MINUTE_MS)).toBe(1);
});

test("two runs at once, and one that repeats a lost claim, keep the limit", async () => {
  const { clock, service, address, placeTo } = await openShop();
  await placeTo(many(address, 2));
  const run = (DB = env.DB) => runOutbox({ nowMs: clock.nowMs(), service }, { DB });
  await Promise.all([run(failingBatches(new Error(LOST), "after the commit", 1, 1)), run()]);
  expect(service.sent).toHaveLength(20);
});

test("another client's e-mails to the address do not count", async () => {
  const { address, product, placeTo, sentAfter } = await openShop();
  await placeTo(many(address, 1));
  await placeTo(
    [address, address],
    {},
    { client: await createClient({ products: [product] }), product },
  );
  expect(await sentAfter(0)).toBe(22);
});

test("reminders count, and e-mails about a shipment do not", async () => {
  const { worker, client, address, placeTo, sentAfter } = await openShop();
  const { gifts } = await placeTo(many(address));
  await sentAfter(0);
  await placeTo([address]);
  // Noon in Sydney.
  expect(await sentAfter(7 * DAY_MS + 14 * HOUR_MS)).toBe(20);
  for (const { suborder_id } of gifts) {
    await worker.post(client, "/api/sandbox/event", { event: "gift.redeemed", suborder_id });
    await worker.post(client, "/api/sandbox/event", { event: "gift.shipped", suborder_id });
  }
  expect(await sentAfter(MINUTE_MS)).toBe(20);
});

test.each([
  ["corrected", "/api/order/correct"],
  ["renewed", "/api/gift-link/renew"],
])(
  "the link to a %s address is sent at once, although the old one had no e-mail left",
  async (_, path) => {
    const { clock, worker, client, service, address, placeTo, sentAfter } = await openShop();
    const { gifts } = await placeTo(many(address, 1));
    await sentAfter(0);
    clock.advance(MINUTE_MS);
    const change = { suborder_id: gifts[20]?.suborder_id, email: "right@example.com" };
    expect((await worker.post(client, path, change)).status).toBe(200);
    await sentAfter(MINUTE_MS);
    expect(service.sent.map(({ to }) => to)).toEqual(["right@example.com"]);
  },
);

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
