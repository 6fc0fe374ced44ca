// Ids in bodies, queries, forms and commands: integers from 1 to MAX_ID.
import { describe, expect, test } from "vitest";
import { readInput } from "../../src/features/redeem/form.ts";
import { MAX_ID, MAX_ORDER_ID, parseId, splitGiftId, toGiftId } from "../../src/core/values/ids.ts";
import { MAX_RECIPIENTS } from "../../src/features/orders/contract.ts";
import { idField, queryId } from "../../src/core/validation/fields.ts";
import { accept, createGift, readRecipient } from "../support/gift.ts";
import { orderOf, simpleProduct, variableProduct } from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";

/** The ids that the form of the recipient's page contains. 0 is not the id of a product. */
function inForm(text: string) {
  const form = new URLSearchParams({ product_id: text, variation_id: text });
  const { productId, variationId } = readInput(form);
  return { productId, variationId };
}

const TOO_LARGE = "9007199254740992";

describe("an id", () => {
  test("may be an integer from 1 to MAX_ID in a body, a query, a form and a command", () => {
    for (const value of [1, 42, 999_999_999_999_999, 1_000_000_000_000_000, MAX_ID]) {
      const text = String(value);
      expect(idField().parse(value)).toBe(value);
      expect(queryId().parse(text)).toBe(value);
      expect(parseId(text)).toBe(value);
      expect(inForm(text)).toEqual({ productId: value, variationId: value });
    }
  });

  test("may not be another text. In a form, the choice then matches no gift", () => {
    for (const text of ["0", "-1", "1.5", "1e3", "0x10", TOO_LARGE, "1".repeat(17)]) {
      expect(inForm(text)).toEqual({ productId: 0, variationId: 0 });
      expect([queryId().safeParse(text).success, parseId(text)]).toEqual([false, undefined]);
    }
    for (const text of ["", " 1"]) {
      expect([queryId().safeParse(text).success, parseId(text)]).toEqual([false, undefined]);
    }
  });

  test("in a form may have spaces around it, and may be empty", () => {
    expect(inForm(" 1 ")).toEqual({ productId: 1, variationId: 1 });
    expect(inForm("")).toEqual({ productId: null, variationId: null });
  });

  test("above MAX_ID is refused in a body", () => {
    expect(idField().safeParse(Number(TOO_LARGE)).success).toBe(false);
  });
});

test("the largest ids can be listed, ordered, chosen and redeemed", async () => {
  const simple = simpleProduct({ id: 1_000_000_000_000_000, name: "Large" });
  const variable = variableProduct({ id: 1_000_000_000_000_001 });
  const [small, large] = variable.product.variations;
  if (!small || !large) throw new Error("a variable product has variations");
  large.id = 1_000_000_000_000_002;
  variable.stock.forEach((level, index) => {
    level.variationId = index === 0 ? small.id : large.id;
  });
  const worker = startWorker();
  const offered = simpleProduct({ priceMinor: 5_000 });
  const gift = await createGift(worker, [offered, simple, variable], { gift_of_choice: "Y" });

  const found = await worker.get(
    gift.client,
    `/api/product?product_id=${String(simple.product.id)}`,
  );
  expect(found.json).toMatchObject({ product_name: "Large" });
  const placed = await worker.post(
    gift.client,
    "/api/order",
    orderOf(variable, { variation_id: large.id }),
  );
  expect(placed.status).toBe(200);
  const accepted = await accept(worker, gift.path, {
    product_id: String(variable.product.id),
    variation_id: String(large.id),
  });
  expect(accepted.status).toBe(303);
  expect(await readRecipient(worker, gift)).toMatchObject({
    product_selected: {
      product_id: String(variable.product.id),
      variation_id: String(large.id),
    },
  });
});

test("the largest ids of gifts belong to the largest order", () => {
  const last = toGiftId(MAX_ORDER_ID, 999);
  expect(last).toBeLessThanOrEqual(MAX_ID);
  expect(toGiftId(MAX_ORDER_ID + 1, 999)).toBeGreaterThan(MAX_ID);
  expect(splitGiftId(last)).toEqual({ orderId: MAX_ORDER_ID, sequence: 999 });
  expect(MAX_RECIPIENTS).toBeLessThanOrEqual(999);
  // The database has the same limit: test/platform/db/constraints.test.ts.
  expect(MAX_ORDER_ID).toBe(9_007_199_254_739);
});
