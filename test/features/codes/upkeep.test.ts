// Which codes gifts get, and what the cron handler does with codes.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { resealCodes } from "../../../src/features/codes/reseal.ts";
import {
  type CodeEnv,
  currentKeyId,
  fingerprintsOf,
  seal,
  unseal,
} from "../../../src/features/codes/seal.ts";
import { addCodes } from "../../../src/features/codes/upload-queries.ts";
import { readSealed, voidExpiringCodes } from "../../../src/features/codes/upkeep-queries.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  addCodesTo,
  codeProduct,
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
} from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const columnsOf = async (productId: number) =>
  (
    await sql(
      `SELECT id, sealed, key_id AS keyId, order_id AS orderId, sequence, void_reason AS reason
       FROM codes WHERE product_id = ? ORDER BY id`,
      productId,
    ).all<Parameters<typeof unseal>[1] & { id: number; reason: string | null }>()
  ).results;

test("free codes that expire soon leave the stock, the first ones first, except those of sold gifts", async () => {
  const { product } = await openShop(codeProduct());
  const nowMs = Date.now();
  const { id } = product.product;
  await addCodesTo(
    product,
    [29, 3, 1, 31].map((days) => ({ expiresAtMs: nowMs + days * DAY_MS })),
  );
  await createGift(startWorker(), [product]);
  await createGift(startWorker(), [product]);
  await voidExpiringCodes(env.DB, nowMs);
  await voidExpiringCodes(env.DB, nowMs);
  const reasons = (await columnsOf(id)).map(({ reason }) => reason);
  expect(reasons).toEqual([null, "expired", "expired", null]);
  expect(await stockOf(id)).toBe(0);
  expect(
    await sql("SELECT 1 FROM availability_changes WHERE product_id = ?", id).first(),
  ).not.toBeNull();
});

test("the expiry reads rows that are linear in the codes that it removes", async () => {
  const { product } = await openShop(codeProduct());
  const expiresAtMs = Date.now() + DAY_MS;
  await addCodesTo(product, 300);
  await addCodesTo(
    product,
    Array.from({ length: 100 }, () => ({ expiresAtMs })),
  );
  const run = async () => {
    const meter = newMeter();
    await voidExpiringCodes(meteredD1(env.DB, meter), Date.now());
    return meter;
  };
  const { rowsRead, rowsWritten } = await run();
  expect([rowsRead < 1_500, rowsWritten < 1_000]).toEqual([true, true]);
  expect(await run()).toMatchObject({ rowsWritten: 0 });
  expect(await stockOf(product.product.id)).toBe(300);
});

test("codes of the previous secret are encrypted again, and are read and recognised before and after", async () => {
  const { product } = await openShop(codeProduct());
  const { id } = product.product;
  const [, ...texts] = await addCodesTo(product, 3);
  await sql(
    "UPDATE codes SET sealed = '' WHERE id = (SELECT min(id) FROM codes WHERE product_id = ?)",
    id,
  ).run();
  const CODE_SECRET = "another code secret of the tests, long enough";
  const rotated = { CODE_SECRET, CODE_SECRET_PREVIOUS: env.CODE_SECRET };
  const checkWith = async (secrets: CodeEnv) => {
    const rows = texts.map(async (code) => {
      const content = { code, pin: null, url: null };
      const [, earlierFingerprint] = await fingerprintsOf(secrets, content);
      const row = { productId: id, variationId: 0, batch: "again", createdAtMs: 0 };
      return {
        ...row,
        ...(await seal(secrets, content)),
        expiresAtMs: undefined,
        earlierFingerprint,
      };
    });
    expect(await addCodes(env.DB, await Promise.all(rows))).toBe(0);
    const read = (await columnsOf(id)).map((code) => unseal(secrets, code));
    const codes = (await Promise.all(read)).map((content) => content?.code);
    expect(codes.toSorted()).toEqual([...texts, undefined].toSorted());
  };
  const resealAll = async (secrets: CodeEnv, keyId: string) => {
    while ((await readSealed(env.DB, keyId, 1)).length > 0) await resealCodes(env.DB, secrets);
  };
  await checkWith(rotated);
  await resealAll(rotated, await currentKeyId(env));
  await checkWith(rotated);
  await checkWith({ CODE_SECRET });
  // Other tests use the same database.
  const back = { CODE_SECRET: env.CODE_SECRET, CODE_SECRET_PREVIOUS: CODE_SECRET };
  await resealAll(back, await currentKeyId({ CODE_SECRET }));
});

const worker = startWorker();

test("gifts that are bought outright get the codes that expire first, with the order", async () => {
  const { product, client } = await openShop(codeProduct());
  await addCodesTo(product, 3);
  const body = orderOf(product, { recipient_details: recipients(2) });
  const placed = await worker.post(client, "/api/order", body);
  const again = await worker.post(client, "/api/order", body);
  expect(again.text).toBe(placed.text);
  expect(again.meter.rowsWritten).toBe(0);
  expect(await stockOf(product.product.id)).toBe(1);
  const { results } = await sql(
    "SELECT sequence FROM codes WHERE product_id = ? ORDER BY id",
    product.product.id,
  ).all();
  expect(results).toEqual([{ sequence: 1 }, { sequence: 2 }, { sequence: null }]);
});

test("the rows of an order of codes are linear in its recipients", async () => {
  const { product, client } = await openShop(codeProduct());
  await addCodesTo(product, 1_000);
  const body = orderOf(product, { recipient_details: recipients(500) });
  const { meter } = await worker.post(client, "/api/order", body);
  expect(meter.rowsRead).toBeLessThan(50 * 500);
  expect(meter.rowsWritten).toBeLessThan(17 * 500);
});

test("orders and acceptances of codes take as many round trips as those of parcels", async () => {
  const products = [simpleProduct(), codeProduct()];
  const client = await createClient({ products });
  // The first request authenticates.
  await worker.get(client, "/api/credit-balance");
  const trips = [];
  for (const product of products) {
    if (product.product.digital) await addCodesTo(product, 3);
    const first = await worker.post(client, "/api/gift-link", orderOf(product));
    const { pathname } = new URL(first.json.recipient_return[0].gift_url as string);
    const accepted = await accept(worker, pathname);
    const hot = await worker.post(client, "/api/order", orderOf(product));
    expect(hot.meter.roundTrips).toBe(1);
    trips.push([first, accepted].map(({ meter }) => meter.roundTrips));
  }
  expect(trips[1]).toEqual(trips[0]);
});
