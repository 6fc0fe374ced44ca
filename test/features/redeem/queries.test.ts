// The conditions of the write of a redemption: the state may change after the read, and forms may contain any id.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import type { Product } from "../../../src/features/catalogue/product.ts";
import texts from "../../../public/languages/en.json";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { writeRedemption } from "../../../src/features/redeem/queries.ts";
import { readToken } from "../../../src/features/orders/gift-link.ts";
import {
  accept,
  changingAfterRead,
  CHOICE,
  choose,
  createGift,
  orderAll,
  readRecipient,
  takeStep,
  type TestGift,
  textOf,
} from "../../support/gift.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  recipients,
  simpleProduct,
  stockOf,
  type TestProduct,
  variableProduct,
} from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";
const worker = startWorker();

/** Posts the form; `change` happens between read and write. */
const acceptWhile = (
  change: () => Promise<unknown>,
  path: string,
  fields: Record<string, string> = {},
) => accept(startWorker({ env: { DB: changingAfterRead(change) } }), path, fields);

const stocks = (...products: TestProduct[]) =>
  Promise.all(products.map(({ product }) => stockOf(product.id)));

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe("between read and write of a redemption", () => {
  test("the order is cancelled: nothing is redeemed, and stock and credit are returned once", async () => {
    const [gift, other] = [simpleProduct(), simpleProduct()];
    const giftOrder = await createGift(worker, [gift, other], CHOICE);
    const paid = await balanceOf(giftOrder.client.clientId);
    const answer = await acceptWhile(
      () => takeStep(giftOrder, "cancel"),
      giftOrder.path,
      choose(other),
    );
    expect(answer.status).toBe(410);
    expect(answer.text).toContain(texts.closed.cancelled.title);
    expect(await stocks(gift, other)).toEqual([100, 100]);
    expect((await balanceOf(giftOrder.client.clientId)) - paid).toBe(3120);
    const recipient = await readRecipient(worker, giftOrder);
    expect(recipient.redemption_status).toBe("cancelled");
    expect(recipient.product_selected.product_id).toBe(String(gift.product.id));
  });

  test.each(["the same gift", "another gift"])(
    "the gift is accepted from another window, and this one chooses %s: the first one counts",
    async (which) => {
      const [gift, first, second] = [simpleProduct(), simpleProduct(), simpleProduct()];
      const giftOrder = await createGift(worker, [gift, first, second], CHOICE);
      const chosen = which === "the same gift" ? first : second;
      const answer = await acceptWhile(
        () => accept(worker, giftOrder.path, { ...choose(first), delivery_notes: "The first." }),
        giftOrder.path,
        { ...choose(chosen), delivery_notes: "The second." },
      );
      expect(answer.status).toBe(409);
      expect(answer.text).toContain(texts.accepted.text);
      expect(await stocks(gift, first, second)).toEqual([100, 99, 100]);
      const { recipient_details } = await readRecipient(worker, giftOrder);
      expect(recipient_details.delivery_notes).toBe("The first.");
    },
  );

  test("the last piece is ordered: the chosen gift has run out, and the gift stays open", async () => {
    const [gift, last] = [simpleProduct(), simpleProduct({ name: "The Last" }, { quantity: 1 })];
    const giftOrder = await createGift(worker, [gift, last], CHOICE);
    const answer = await acceptWhile(
      () => orderAll(worker, giftOrder.client, last),
      giftOrder.path,
      choose(last),
    );
    expect(answer.status).toBe(409);
    expect(textOf(answer)).toContain(texts.gone.soldOut.replace("{product}", "The Last"));
    expect(await stocks(gift, last)).toEqual([99, 0]);
    expect((await accept(worker, giftOrder.path)).status).toBe(303);
  });

  test("the last piece of a variation is ordered: the form is kept, with the offered gift", async () => {
    const [gift, other] = [simpleProduct({ priceMinor: 9000 }), variableProduct({}, 1)];
    const [small, large] = other.product.variations.map(({ id }) => id) as [number, number];
    const giftOrder = await createGift(worker, [gift, other], CHOICE);
    const answer = await acceptWhile(
      () => orderAll(worker, giftOrder.client, other, small),
      giftOrder.path,
      choose(other, small),
    );
    expect(answer.status).toBe(409);
    expect(answer.text).toContain(`name="product_id" value="${String(gift.product.id)}"`);
    expect(textOf(answer)).toContain(texts.gone.optionSoldOut);
    expect(await stockOf(other.product.id, large)).toBe(1);
  });

  test("the offered gift leaves the catalogue and runs out: it is redeemed", async () => {
    const gift = simpleProduct({}, { quantity: 2 });
    const giftOrder = await createGift(worker, [gift]);
    const answer = await acceptWhile(async () => {
      await orderAll(worker, giftOrder.client, gift);
      await publish(env.DB, giftOrder.client.catalogue, [], Date.now());
    }, giftOrder.path);
    expect(answer.status).toBe(303);
    expect(await stocks(gift)).toEqual([0]);
  });
});

const VIEW = { window: 0 };

/** The current revision of the product, which is in one catalogue. */
async function revisionOf({ product }: Pick<TestProduct, "product">): Promise<string> {
  const revision = await sql(
    `SELECT e.revision FROM catalogues k JOIN catalogue_entries e
       ON e.catalogue_id = k.id AND e.version = k.version
     WHERE e.product_id = ?`,
    product.id,
  ).first<string>("revision");
  return revision ?? "";
}

/** Writes the redemption of the first recipient's gift, and returns whether it succeeded. */
async function write(
  giftOrder: TestGift,
  { product }: TestProduct,
  changes: { variationId?: number; revision?: string } = {},
): Promise<boolean> {
  const key = await readToken(env, giftOrder.path.slice("/redeem/".length));
  if (!key) throw new Error("the link opens nothing");
  const { view } = await writeRedemption(
    env.DB,
    key,
    {
      redemptionId: "written",
      nowMs: 1,
      productId: product.id,
      variationId: null,
      revision: await revisionOf({ product }),
      corrections: {},
      isDigital: false,
      address: undefined,
      notes: undefined,
      email: undefined,
      ...changes,
    },
    VIEW,
  );
  return view?.gift.redemptionId === "written";
}

/** A paid gift-link order, its offered gift and another gift of the sender's catalogue. */
async function createChoice(options: Parameters<typeof createGift>[3] = {}, changes = {}) {
  const [gift, other] = [simpleProduct(), simpleProduct()];
  const giftOrder = await createGift(worker, [gift, other], { ...CHOICE, ...changes }, options);
  return { gift, other, giftOrder };
}

describe("the write of a redemption", () => {
  test("succeeds for the offered gift and for another gift of the catalogue", async () => {
    for (const which of ["gift", "other"] as const) {
      const { giftOrder, ...products } = await createChoice();
      expect(await write(giftOrder, products[which])).toBe(true);
    }
  });

  test.each([
    ["not paid", []],
    ["failed", ["fail"]],
    ["cancelled", ["cancel"]],
  ] as const)("is refused for an order that is %s", async (_, steps) => {
    for (const which of ["gift", "other"] as const) {
      const { giftOrder, ...products } = await createChoice({ billing: "invoice" });
      for (const step of steps) await takeStep(giftOrder, step);
      expect(await write(giftOrder, products[which])).toBe(false);
    }
  });

  test("requires the sender's permission for another gift or another variation", async () => {
    const { giftOrder, gift, other } = await createChoice({}, { gift_of_choice: "N" });
    expect(await write(giftOrder, other)).toBe(false);
    expect(await write(giftOrder, gift)).toBe(true);

    const socks = variableProduct();
    const [small, large] = socks.product.variations.map(({ id }) => id) as [number, number];
    const request = { variation_id: large };
    const fixed = await createGift(worker, [socks], request, { chooseVariation: false });
    expect(await write(fixed, socks, { variationId: small })).toBe(false);
    expect(await write(fixed, socks)).toBe(false);
    expect(await write(fixed, socks, { variationId: large })).toBe(true);
  });

  test("requires the current revision of the gift", async () => {
    const { giftOrder, gift, other } = await createChoice();
    const revision = await revisionOf(other);
    const renamed = { ...other, product: { ...other.product, name: "Renamed" } };
    await publish(env.DB, giftOrder.client.catalogue, [gift, renamed], Date.now());
    expect(await write(giftOrder, other, { revision })).toBe(false);
    expect(await write(giftOrder, other)).toBe(true);
  });

  test("requires an entry of the sender's own catalogue", async () => {
    const { giftOrder, other } = await createChoice();
    const foreign = simpleProduct();
    await createClient({ products: [foreign] });
    expect(await write(giftOrder, foreign)).toBe(false);
    // The result is the same with the revision of a product that the catalogue has.
    const revision = await revisionOf(other);
    expect(await write(giftOrder, foreign, { revision })).toBe(false);
  });

  test.each([
    ["one piece", { quantity: 1 }, true],
    ["no piece", { quantity: 0 }, false],
    ["what is not tracked", { quantity: null }, true],
    ["what is not sellable", { sellable: false }, false],
    ["what is not tracked and not sellable", { quantity: null, sellable: false }, false],
  ])("with stock that is %s", async (_, level, expected) => {
    const [gift, other] = [simpleProduct(), simpleProduct({}, level)];
    const giftOrder = await createGift(worker, [gift, other], CHOICE);
    const before = await stockOf(other.product.id);
    expect(await write(giftOrder, other)).toBe(expected);
    const taken = before === null ? null : before - Number(expected);
    expect(await stocks(gift, other)).toEqual([expected ? 100 : 99, taken]);
  });

  test("takes and returns stock of exactly these variations", async () => {
    const [gift, other] = [variableProduct({}, 10), variableProduct({}, 20)];
    const [offeredId, sibling] = gift.product.variations.map(({ id }) => id).reverse() as [
      number,
      number,
    ];
    const [chosen, unchosen] = other.product.variations.map(({ id }) => id) as [number, number];
    const giftOrder = await createGift(worker, [gift, other], {
      ...CHOICE,
      variation_id: offeredId,
    });
    expect(await write(giftOrder, other, { variationId: chosen })).toBe(true);
    expect([
      await stockOf(gift.product.id, offeredId),
      await stockOf(gift.product.id, sibling),
      await stockOf(other.product.id, chosen),
      await stockOf(other.product.id, unchosen),
    ]).toEqual([10, 10, 19, 20]);
  });
});

/** The offered gift costs 25.00 plus 5.00 shipping. The order has two recipients. */
const NOT_OFFERED: [string, () => TestProduct, (product: Product) => number | undefined][] = [
  ["costs a cent more", () => simpleProduct({ priceMinor: 2501 }), () => undefined],
  ["costs a cent more to send", () => simpleProduct({ shippingMinor: 501 }), () => undefined],
  ["is sold in another currency", () => simpleProduct({ currency: "USD" }), () => undefined],
  [
    "is digital and does not go to the country",
    () => simpleProduct({ delivery: "digital", locations: ["NZ"] }),
    () => undefined,
  ],
  ["is a dearer variation", () => variableProduct(), ({ variations }) => variations[1]?.id],
  ["is a variation that the product does not have", () => variableProduct(), () => 100_001],
  ["is a simple product with a variation", () => simpleProduct(), () => 1],
];

test.each(NOT_OFFERED)(
  "a choice that the page does not offer, because it %s, is refused and changes nothing",
  async (_, make, variationOf) => {
    const [gift, other] = [simpleProduct(), make()];
    const order = { ...CHOICE, recipient_details: recipients(2) };
    const giftOrder = await createGift(worker, [gift, other], order);
    const before = await readRecipient(worker, giftOrder);
    const stock = await stocks(gift, other);
    const answer = await accept(worker, giftOrder.path, choose(other, variationOf(other.product)));
    expect([answer.status, answer.meter.rowsWritten]).toEqual([409, 0]);
    expect(await stocks(gift, other)).toEqual(stock);
    expect(await readRecipient(worker, giftOrder)).toEqual(before);
  },
);
