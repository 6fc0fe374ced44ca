// The recipient's page while the nearest replica lags behind.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { toGiftId } from "../../../src/core/values/ids.ts";
import { simpleProduct, stockOf } from "../../support/fixtures.ts";
import {
  accept,
  createGift,
  decline,
  fieldsOf,
  postForm,
  TICKED,
  textOf,
  thank,
} from "../../support/gift.ts";
import { replicated } from "../../support/replica.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const worker = startWorker();

/** A gift that a replica has, and a Worker near that replica. */
async function createNear() {
  const product = simpleProduct();
  const gift = await createGift(worker, [product]);
  const replica = await replicated(gift.client);
  return { ...gift, product, replica, near: startWorker({ env: { DB: replica.DB } }) };
}

/** The request header that a browser sends after the response. */
const cookieOf = ({ headers }: Answer) => ({
  Cookie: headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; "),
});

/** The link of the gift after a renewal for another recipient. */
async function renew({ client, orderId }: Awaited<ReturnType<typeof createNear>>) {
  const suborder_id = toGiftId(orderId, 1);
  const changes = { first_name: "Ottoline", last_name: "Featherstonehaugh" };
  const corrected = await worker.post(client, "/api/order/correct", { suborder_id, ...changes });
  expect(corrected.status, corrected.text).toBe(200);
  const { json } = await worker.post(client, "/api/gift-link/renew", { suborder_id });
  return new URL(json.recipient.gift_url).pathname;
}

describe("a gift page near a replica that lags behind", () => {
  test("opens with one call of the replica, and sets no bookmark", async () => {
    const { near, path, replica } = await createNear();
    const page = await near.fetch(path);
    expect(textOf(page)).toContain("First0");
    expect([page.meter.roundTrips, replica.reads, replica.waits]).toEqual([1, 1, 0]);
    expect(page.headers.get("Set-Cookie")).toBeNull();
  });

  test("opens a gift that the replica does not have yet", async () => {
    const { near } = await createNear();
    const later = await createGift(worker, [simpleProduct()]);
    expect((await near.fetch(later.path)).status).toBe(200);
  });

  test("accepts with one call of the primary, and shows the new state from then on", async () => {
    const { near, path, product, replica } = await createNear();
    const accepted = await accept(near, path);
    expect([accepted.status, accepted.meter.roundTrips, replica.reads]).toEqual([303, 2, 1]);
    expect(accepted.headers.getSetCookie()[1]).toMatch(
      /^regalo-bookmark=[0-9a-f-]+; Path=\/redeem; Max-Age=60; HttpOnly; SameSite=Lax$/,
    );
    const location = accepted.headers.get("Location") ?? "";
    const shown = await near.fetch(location, { headers: cookieOf(accepted) });
    expect(replica.waits).toBe(1);
    expect(textOf(shown)).toContain(texts.accepted.thanks);
    expect(await stockOf(product.product.id)).toBe(99);
  });

  test("shows the old state without the cookie, and accepts nothing twice", async () => {
    const { near, path, product } = await createNear();
    expect((await accept(worker, path)).status).toBe(303);
    const old = await near.fetch(path);
    expect(fieldsOf(old)).not.toEqual({});
    const again = await accept(near, path, { last_name: "Somebody Else" });
    expect([again.status, textOf(again).includes(texts.accepted.text)]).toEqual([409, true]);
    expect(await stockOf(product.product.id)).toBe(99);
    const shown = await near.fetch(path, { headers: cookieOf(again) });
    expect(textOf(shown)).toContain(texts.accepted.text);
    expect((await decline(near, path)).status).toBe(409);
    expect((await thank(near, path, "Thank you")).status).toBe(303);
  });

  test("shows an old link until the replica has caught up, and never the new recipient", async () => {
    const gift = await createNear();
    const { near, path, replica } = gift;
    const renewed = await renew(gift);
    for (const reached of [false, true]) {
      if (reached) await replica.catchUp();
      const old = await near.fetch(path);
      expect([old.status, old.text.includes("Ottoline")]).toEqual([reached ? 410 : 200, false]);
      expect((await accept(near, path)).status).toBe(410);
      const current = await near.fetch(renewed);
      expect([current.status, current.text.includes("Ottoline")]).toEqual([200, true]);
      expect(textOf(current)).not.toContain("First0");
    }
    expect((await accept(near, renewed)).status).toBe(303);
  });

  test("accepts without an address in the form with the corrected address", async () => {
    const gift = await createNear();
    const correction = { suborder_id: toGiftId(gift.orderId, 1), first_name: "Ottoline" };
    expect((await worker.post(gift.client, "/api/order/correct", correction)).status).toBe(200);
    await postForm(gift.near, gift.path, { ...TICKED, step: "accept" });
    expect(gift.replica.reads).toBe(0);
  });

  test.each([
    ["paid", 409, "status = 'created'"],
    ["extended", 410, "expires_at_ms = 1"],
  ])("accepts a gift that was %s on the primary", async (_, status, state) => {
    const { near, path, orderId } = await createNear();
    await env.REPLICA_DB.prepare(`UPDATE orders SET ${state} WHERE id = ?`).bind(orderId).run();
    expect((await near.fetch(path)).status).toBe(status);
    expect((await accept(near, path)).status).toBe(303);
  });

  test("refuses a gift that was cancelled on the primary", async () => {
    const { near, path, client, orderId, product } = await createNear();
    const { status } = await worker.post(client, "/api/order/cancel", { order_id: orderId });
    expect(status).toBe(200);
    expect((await near.fetch(path)).status).toBe(200);
    expect((await accept(near, path)).status).toBe(410);
    expect(await stockOf(product.product.id)).toBe(100);
  });

  test("ignores other cookies", async () => {
    const { near, path } = await createNear();
    for (const Cookie of ["regalo-bookmark=first-primary", "regalo-bookmark=", "other=1"]) {
      expect((await near.fetch(path, { headers: { Cookie } })).status).toBe(200);
    }
  });
});
