import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { suborderId } from "../src/ids.ts";
import { giftUrls, readToken } from "../src/orders/link.ts";
import { MAX_RECIPIENTS } from "../src/orders/wire.ts";

const env = { PUBLIC_URL: "https://gifts.example", GIFT_LINK_SECRET: "k".repeat(32) };
const orderIds = fc.integer({ min: 1, max: 9_000_000_000_000 });
const tokenOf = (url: string | undefined) => String(url).slice(`${env.PUBLIC_URL}/redeem/`.length);

describe("a gift link", () => {
  test("opens its own sub-order, whichever of the largest order it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        orderIds,
        fc.integer({ min: 1, max: MAX_RECIPIENTS }),
        async (orderId, sequence) => {
          const urls = await giftUrls(env, orderId, MAX_RECIPIENTS);
          expect(new Set(urls).size).toBe(MAX_RECIPIENTS);
          const token = tokenOf(urls[sequence - 1]);
          expect(await readToken(env, token)).toEqual({ orderId, sequence });
        },
      ),
      { numRuns: 20 },
    );
  });

  test("is the same however many recipients are asked for", async () => {
    const [first, second] = await giftUrls(env, 42, 2);
    expect((await giftUrls(env, 42, 7)).slice(0, 2)).toEqual([first, second]);
  });

  test("opens nothing with another's token, another secret, at another address", async () => {
    await fc.assert(
      fc.asyncProperty(orderIds, orderIds, async (orderId, other) => {
        fc.pre(orderId !== other);
        const [first, second] = (await giftUrls(env, orderId, 2)).map(tokenOf);
        const mac = (token: string | undefined) => String(token).split(/-(.*)/)[1] ?? "";
        const tokens = [
          `${String(suborderId(orderId, 1))}-${mac(second)}`,
          `${String(suborderId(other, 1))}-${mac(first)}`,
          `${String(suborderId(orderId, 3))}-${mac(first)}`,
        ];
        for (const token of tokens) expect(await readToken(env, token)).toBeNull();
        const elsewhere = [
          { ...env, GIFT_LINK_SECRET: "l".repeat(32) },
          { ...env, PUBLIC_URL: "https://sandbox.gifts.example" },
        ];
        for (const where of elsewhere) expect(await readToken(where, String(first))).toBeNull();
      }),
    );
  });

  test("is refused, not an error, for sub-orders that no order has", async () => {
    for (const sequence of [0, 511, 999]) {
      const token = `${String(suborderId(42, sequence))}-${"A".repeat(22)}`;
      expect(await readToken(env, token)).toBeNull();
    }
  });
});
