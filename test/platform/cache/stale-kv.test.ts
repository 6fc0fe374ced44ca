// KV that returns old values for minutes, or fails for minutes. D1 decides within the documented ages.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { markRevoked } from "../../../src/features/credentials/queries.ts";
import { listClientCredentials } from "../../../src/operator/client/queries.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { overriding } from "../../support/counting.ts";
import { broken, watchLog } from "../../support/faults.ts";
import { createCredentials, orderOf, simpleProduct, openShop } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

/** KV in which no write arrives any more, so that every read returns the present value. */
const stale = () =>
  overriding(env.KV, {
    put: () => Promise.resolve(),
    delete: () => Promise.resolve(),
  });

const failing = () => broken(() => Promise.reject(new Error("KV is down"))) as KVNamespace;

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each<[string, () => KVNamespace]>([
  ["stale", stale],
  ["failing", failing],
])("while KV is %s", (_, kvOf) => {
  /** A client whose record and page are in KV and in an isolate's memory, both of them 10 s old, and a later KV. */
  async function warm() {
    watchLog();
    const { product, client } = await openShop(
      simpleProduct({ priceMinor: 10_00, shippingMinor: 0 }),
      { feeBasisPoints: 0 },
    );
    const clock = createClock();
    const isolates = [clock.start(), clock.start({ KV: kvOf() })];
    for (const isolate of isolates) await isolate.get(client, "/api/products");
    clock.advance(10 * SECOND_MS);
    /** A new isolate, and one that was used before. */
    const later = () => [clock.start({ KV: kvOf() }), ...isolates.slice(1)];
    return { product, client, clock, later };
  }

  test("a revoked credential is refused from a minute on, and the other set is not", async () => {
    const { client, clock, later } = await warm();
    const other = await createCredentials(client.clientId);
    const [first] = await listClientCredentials(env.DB, client.clientId);
    const key = { clientId: client.clientId, credentialId: first?.id ?? 0, usedId: null };
    await markRevoked(env.DB, { ...key, nowMs: Date.now() });
    for (const minute of [1, 2, 5, 10]) {
      clock.advance(minute === 1 ? 50 * SECOND_MS : 3 * MINUTE_MS);
      for (const isolate of later()) {
        expect((await isolate.get(client, "/api/credit-balance")).status).toBe(401);
        expect((await isolate.get(other, "/api/credit-balance")).status).toBe(200);
      }
    }
  });

  test("a suspended client is refused from a minute on, and served again a minute after its end", async () => {
    const { client, clock, later } = await warm();
    for (const [status, answer] of [
      ["suspended", 403],
      ["active", 200],
    ] as const) {
      await sql("UPDATE clients SET status = ? WHERE id = ?", status, client.clientId).run();
      clock.advance(MINUTE_MS);
      for (const isolate of later()) {
        expect((await isolate.get(client, "/api/products")).status).toBe(answer);
      }
    }
  });

  test("an order is charged the present price at once, and the list shows it from a minute on", async () => {
    const { product, client, clock, later } = await warm();
    const total = async (isolate: ReturnType<typeof startWorker>) => {
      const { json, text } = await isolate.post(client, "/api/order", orderOf(product));
      return [text.slice(0, 18), json.order_totals?.order_total];
    };
    const before = await total(clock.start({ KV: kvOf() }));
    const dearer = { ...product, product: { ...product.product, priceMinor: 12_00 } };
    await publish(env.DB, client.catalogue, [dearer], Date.now());
    const results = [];
    for (const isolate of later()) results.push(await total(isolate));
    expect(before).toEqual(['{"status":"success', 10]);
    expect(results).toEqual(results.map(() => ['{"status":"success', 12]));

    clock.advance(MINUTE_MS);
    for (const isolate of later()) {
      const { json } = await isolate.get(client, "/api/products");
      expect(json.products[0].price).toBe("12.00");
    }
  });

  test("a changed fee is charged from a minute on", async () => {
    const { product, client, clock, later } = await warm();
    await sql("UPDATE clients SET fee_basis_points = 1000 WHERE id = ?", client.clientId).run();
    clock.advance(50 * SECOND_MS);
    for (const isolate of later()) {
      const { json } = await isolate.post(client, "/api/order", orderOf(product));
      expect(json.order_totals.order_fee).toBe(1);
    }
  });

  test("the link of a cancelled gift is closed at once", async () => {
    watchLog();
    const worker = startWorker({ env: { KV: kvOf() } });
    const gift = await createGift(worker, [simpleProduct()]);
    const open = await worker.fetch(gift.path);
    expect([open.status, open.text.includes('name="step"')]).toEqual([200, true]);
    const { json } = await worker.post(gift.client, "/api/order/cancel", {
      order_id: gift.orderId,
    });
    expect(json.order_status).toBe("cancieled");
    for (const isolate of [worker, startWorker({ env: { KV: kvOf() } })]) {
      expect((await isolate.fetch(gift.path)).text).not.toContain('name="step"');
    }
  });
});
