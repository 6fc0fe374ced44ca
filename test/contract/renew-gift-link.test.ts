// POST /api/gift-link/renew: the new link, the old one, and the requests that are refused.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Bindings } from "../../src/platform/env.ts";
import { operatorKey } from "../../src/features/lifecycle/order-key.ts";
import { endGifts } from "../../src/features/lifecycle/end.ts";
import { toGiftId } from "../../src/core/values/ids.ts";
import { failingBatches, LOST } from "../support/faults.ts";
import { errorOf } from "../support/errors.ts";
import { createClient, orderOf, recipients, simpleProduct } from "../support/fixtures.ts";
import {
  accept,
  changingAfterRead,
  createGift,
  readRecipient,
  takeStep,
  type TestGift,
  textOf,
} from "../support/gift.ts";
import { listOrders } from "../support/listed-orders.ts";
import type { RenewalResponse } from "../../src/features/lifecycle/contract.ts";
import { databaseState } from "../support/state.ts";
import { type Answer, startWorker, type TestWorker } from "../support/worker.ts";
import { sql } from "../support/sql.ts";
import { eventsOf } from "../support/events.ts";

const worker = startWorker();
const PATH = "/api/gift-link/renew";

const urlOf = (path: string) => new URL(path, env.PUBLIC_URL).href;
const pathOf = (url: string) => new URL(url).pathname;
const tokenOf = (url: string) => pathOf(url).slice("/redeem/".length);

function send(gift: TestGift, changes: object = {}, through: TestWorker = worker): Promise<Answer> {
  return through.post(gift.client, PATH, { suborder_id: toGiftId(gift.orderId, 1), ...changes });
}

/** Renews the link of the first recipient, and returns the recipient with the new link. */
async function renew(gift: TestGift, changes: object = {}, through: TestWorker = worker) {
  const answer = await send(gift, changes, through);
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as RenewalResponse).recipient;
}

const renewedEvents = async ({ client }: TestGift) =>
  (await eventsOf(client)).filter(({ type }) => type === "gift.renewed");

/** Checks that the link shows that it was replaced, and nothing about the gift. */
async function expectReplaced(path: string, secrets: string[] = []): Promise<void> {
  for (const answer of [await worker.fetch(path), await accept(worker, path)]) {
    expect(answer.status).toBe(410);
    expect(textOf(answer)).toContain("This link has been replaced");
    for (const secret of secrets) expect(answer.text).not.toContain(secret);
  }
}

test("POST /api/gift-link/renew returns a new link, and the old one shows that it was replaced", async () => {
  const product = simpleProduct();
  const gift = await createGift(worker, [product], { recipient_details: recipients(2) });
  const { json } = await send(gift);
  const { order_data, recipient } = json as RenewalResponse;
  const number = `GO-${String(gift.orderId).padStart(5, "0")}`;
  expect(order_data).toEqual({ order_id: gift.orderId, order_number: number });
  expect(recipient).toMatchObject({
    suborder_id: toGiftId(gift.orderId, 1),
    suborder_number: `${number}-1`,
    first_name: "First0",
    last_name: "Last0",
    email: "recipient0@example.com",
  });
  const path = pathOf(recipient.gift_url);
  expect(path).not.toBe(gift.path);
  const secrets = [product.product.name, product.product.featuredImage, "First0", "Plane Tree"];
  await expectReplaced(gift.path, secrets);
  expect((await worker.fetch(path)).status).toBe(200);
  expect((await worker.fetch(gift.paths[1] ?? "")).status).toBe(200);
  expect((await accept(worker, path)).status).toBe(303);
  await expectReplaced(gift.path, secrets);
});

test("POST /api/gift-link/renew corrects the name and the e-mail address, each only if it is given", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  expect(await renew(gift, { email: "corrected@example.com" })).toMatchObject({
    first_name: "First0",
    last_name: "Last0",
    email: "corrected@example.com",
  });
  const names = { first_name: "Ada", last_name: "Park", email: null };
  const recipient = await renew(gift, names);
  expect(recipient).toMatchObject({ ...names, email: "corrected@example.com" });
  const read = await readRecipient(worker, gift);
  expect(read.recipient_details).toMatchObject({
    name: "Ada Park",
    email: "corrected@example.com",
    gift_url: recipient.gift_url,
  });
  expect((await worker.fetch(pathOf(recipient.gift_url))).text).toContain("Ada");
});

test("POST /api/gift-link/renew changes nothing if gift_url was replaced already, and returns the current link", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  const request = { gift_url: urlOf(gift.path), email: "corrected@example.com" };
  const first = await send(gift, request);
  const before = await databaseState();
  const again = await send(gift, request);
  expect(again.text).toBe(first.text);
  expect(again.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  const other = await send(gift, { ...request, email: "other@example.com" });
  expect(other.text).toBe(first.text);
  expect(await databaseState()).toEqual(before);

  const second = await renew(gift, {
    gift_url: (first.json as RenewalResponse).recipient.gift_url,
  });
  expect((await renew(gift, request)).gift_url).toBe(second.gift_url);
  expect(await renewedEvents(gift)).toHaveLength(2);
});

test("POST /api/gift-link/renew renews once for 4 simultaneous requests with the same gift_url", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  const request = { gift_url: urlOf(gift.path) };
  const answers = await Promise.all(Array.from({ length: 4 }, () => send(gift, request)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await renewedEvents(gift)).toHaveLength(1);
});

test("POST /api/gift-link/renew renews for each request without gift_url, and the link of the last one works", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  const answers = await Promise.all(Array.from({ length: 3 }, () => renew(gift)));
  const urls = answers.map(({ gift_url }) => gift_url);
  expect(new Set(urls).size).toBe(3);
  const statuses = await Promise.all(
    urls.map(async (url) => (await worker.fetch(pathOf(url))).status),
  );
  expect(statuses.toSorted()).toEqual([200, 410, 410]);
  const current = (await readRecipient(worker, gift)).recipient_details.gift_url as string;
  expect((await worker.fetch(pathOf(current))).status).toBe(200);
});

test("POST /api/gift-link/renew writes 4 rows in 2 round trips, and 2 for the terms of another address, also in an order for 100 recipients", async () => {
  const gift = await createGift(worker, [simpleProduct()], {
    recipient_details: recipients(100),
  });
  for (const [changes, rowsWritten] of [
    [{}, 4],
    [{ email: "corrected@example.com" }, 6],
  ] as const) {
    const { meter } = await send(gift, changes);
    expect(meter).toMatchObject({ roundTrips: 2, rowsWritten, kvReads: 0, kvWrites: 0 });
    expect(meter.rowsRead).toBeLessThanOrEqual(80);
  }
});

test("POST /api/gift-link/renew inserts an event without personal data and without the link", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  const at = startWorker({ now: () => Date.UTC(2031, 0, 1) });
  await renew(gift, { email: "corrected@example.com" }, at);
  expect(await renewedEvents(gift)).toMatchObject([
    {
      type: "gift.renewed",
      created_at: "2031-01-01T00:00:00.000Z",
      order_id: gift.orderId,
      suborder_id: toGiftId(gift.orderId, 1),
      data: {},
    },
  ]);
  const { orders } = await listOrders(worker, gift.client, {});
  expect(orders[0]?.updated_at).toBe("2031-01-01T00:00:00.000Z");
});

test("POST /api/gift-link/renew renews once if a committed answer of the database is lost, with gift_url", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  for (const when of ["before the commit", "after the commit"] as const) {
    const current = (await readRecipient(worker, gift)).recipient_details.gift_url as string;
    const DB = failingBatches(new Error(LOST), when, 1);
    const recipient = await renew(gift, { gift_url: current }, startWorker({ env: { DB } }));
    expect(recipient.gift_url).not.toBe(current);
  }
  expect(await renewedEvents(gift)).toHaveLength(2);
});

describe("a gift whose link is to be renewed", () => {
  test("may be unpaid: the new link shows that the gift is being prepared", async () => {
    const gift = await createGift(worker, [simpleProduct()], {}, { billing: "invoice" });
    const { gift_url } = await renew(gift);
    expect((await worker.fetch(pathOf(gift_url))).status).toBe(409);
    await expectReplaced(gift.path);
    await takeStep(gift, "pay");
    expect((await accept(worker, pathOf(gift_url))).status).toBe(303);
  });

  test("may be redeemed: the old link no longer shows the address", async () => {
    for (const cancelled of [false, true]) {
      const gift = await createGift(worker, [simpleProduct()], {
        recipient_details: recipients(2),
      });
      await accept(worker, gift.path);
      if (cancelled) await takeStep(gift, "cancel");
      expect((await worker.fetch(gift.path)).text).toContain("Brunswick");
      const { gift_url } = await renew(gift);
      await expectReplaced(gift.path, ["Brunswick"]);
      expect((await worker.fetch(pathOf(gift_url))).text).toContain("Brunswick");
    }
  });

  async function expectRefused(gift: TestGift, through = worker): Promise<void> {
    const before = await databaseState();
    for (const changes of [{}, { gift_url: urlOf(gift.path) }]) {
      const answer = await send(gift, changes, through);
      expect(errorOf(answer)).toMatchObject({ http: 409, code: "not_renewable" });
      expect(answer.meter.rowsWritten).toBe(0);
    }
    expect(await databaseState()).toEqual(before);
  }

  test("must not be cancelled or failed, with its order or alone", async () => {
    for (const step of ["cancel", "fail"] as const) {
      const gift = await createGift(worker, [simpleProduct()], {}, { billing: "invoice" });
      await takeStep(gift, step);
      await expectRefused(gift);
    }
    const people = { recipient_details: recipients(2) };
    const other = await createGift(worker, [simpleProduct()], people);
    const [first, second] = [toGiftId(other.orderId, 1), toGiftId(other.orderId, 2)];
    const body = { order_id: other.orderId, suborder_ids: [first] };
    expect((await worker.post(other.client, "/api/order/cancel", body)).status).toBe(200);
    await expectRefused(other);
    expect((await send(other, { suborder_id: second })).status).toBe(200);
  });

  test("must not be expired, before and after the cron handler has ended it", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const expiresAtMs = Date.now();
    await sql("UPDATE orders SET expires_at_ms = ? WHERE id = ?", expiresAtMs, gift.orderId).run();
    const at = (nowMs: number) => startWorker({ now: () => nowMs });
    await expectRefused(gift, at(expiresAtMs));
    await endGifts(env.DB, {
      ...operatorKey(gift.orderId),
      kind: "expire",
      requestId: "test",
      giftIds: null,
      nowMs: expiresAtMs,
    });
    await expectRefused(gift, at(expiresAtMs));
  });

  test("must not have 999 renewals", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    await sql("UPDATE gifts SET link_generation = 998 WHERE order_id = ?", gift.orderId).run();
    const { gift_url } = await renew(gift);
    expect((await worker.fetch(pathOf(gift_url))).status).toBe(200);
    for (const changes of [{ gift_url }, {}]) {
      expect(errorOf(await send(gift, changes)).code).toBe("not_renewable");
    }
    // A repeated request still gets the current link.
    expect((await renew(gift, { gift_url: urlOf(gift.path) })).gift_url).toBe(gift_url);
  });
});

test("a redemption at the same time as a renewal with the old link fails if the renewal came first", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  const page = await worker.fetch(gift.path);
  expect(page.status).toBe(200);
  const DB = changingAfterRead(() => renew(gift));
  const answer = await accept(startWorker({ env: { DB } }), gift.path);
  expect(answer.status).toBe(410);
  expect(textOf(answer)).toContain("This link has been replaced");
  expect((await readRecipient(worker, gift)).redemption_status).toBeNull();
});

test("a redemption at the same time as a renewal has one winner", async () => {
  for (let n = 0; n < 2; n++) {
    const gift = await createGift(worker, [simpleProduct()]);
    const [redemption, renewal] = await Promise.all([accept(worker, gift.path), renew(gift)]);
    expect([303, 410]).toContain(redemption.status);
    const isRedeemed = redemption.status === 303;
    const { redemption_status } = await readRecipient(worker, gift);
    expect(redemption_status).toBe(isRedeemed ? "redeemed" : null);
    await expectReplaced(gift.path);
    const again = await accept(worker, pathOf(renewal.gift_url));
    expect(again.status).toBe(isRedeemed ? 409 : 303);
  }
});

describe("refused requests", () => {
  test("for gifts without a gift link of the client get the same response", async () => {
    const product = simpleProduct();
    const gift = await createGift(worker, [product], { recipient_details: recipients(2) });
    const other = await createClient({ products: [product] });
    const bought = await worker.post(gift.client, "/api/order", orderOf(product));
    const ids = [
      toGiftId(bought.json.order_data.order_id as number, 1),
      toGiftId(gift.orderId, 3),
      toGiftId(gift.orderId, 0),
      toGiftId(99_999_999, 1),
      Number.MAX_SAFE_INTEGER,
      1,
    ];
    const before = await databaseState();
    const answers = await Promise.all(ids.map((id) => send(gift, { suborder_id: id })));
    answers.push(await send({ ...gift, client: other }));
    answers.push(await send({ ...gift, client: other }, { gift_url: urlOf(gift.path) }));
    const texts = answers.map((answer) => [errorOf(answer).http, answer.text]);
    expect(new Set(texts.map((text) => JSON.stringify(text))).size).toBe(1);
    expect(texts[0]?.[0]).toBe(404);
    expect(await databaseState()).toEqual(before);
  });

  test("with a gift_url of another gift or a forged one cost no query", async () => {
    const gift = await createGift(worker, [simpleProduct()], { recipient_details: recipients(2) });
    const other = await createGift(worker, [simpleProduct()]);
    const url = urlOf(gift.path);
    for (const gift_url of [
      urlOf(gift.paths[1] ?? ""),
      urlOf(other.path),
      url.slice(0, -1),
      url.replace("/redeem/", "/redeemed/"),
      url.replace("://", "://other."),
      tokenOf(url),
      "",
    ]) {
      const answer = await send(gift, { gift_url });
      expect(errorOf(answer)).toMatchObject({
        code: "validation_error",
        errors: [{ field: "gift_url" }],
      });
      expect(answer.meter).toMatchObject({ roundTrips: 0 });
    }
  });

  test("with the link of an order that a database restore has removed change nothing", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    await sql("UPDATE orders SET link_nonce = 'another0' WHERE id = ?", gift.orderId).run();
    const before = await databaseState();
    const answer = await send(gift, { gift_url: urlOf(gift.path) });
    expect(errorOf(answer)).toMatchObject({ errors: [{ field: "gift_url" }] });
    expect(await databaseState()).toEqual(before);
  });
});

test("a renewed link survives a rotation of GIFT_LINK_SECRET, and can be renewed after it", async () => {
  const rotated = startWorker({
    env: {
      GIFT_LINK_SECRET: "another secret of the tests, long enough to be a key",
      GIFT_LINK_SECRET_PREVIOUS: env.GIFT_LINK_SECRET,
    } satisfies Partial<Bindings>,
  });
  const gift = await createGift(worker, [simpleProduct()]);
  const { gift_url } = await renew(gift);
  expect((await rotated.fetch(pathOf(gift_url))).status).toBe(200);
  const shown = (await readRecipient(rotated, gift)).recipient_details.gift_url as string;
  expect(shown).toBe(gift_url);
  const second = await renew(gift, { gift_url }, rotated);
  expect((await rotated.fetch(pathOf(gift_url))).status).toBe(410);
  expect((await accept(rotated, pathOf(second.gift_url))).status).toBe(303);
});
