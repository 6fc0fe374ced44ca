import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { publish } from "../../src/catalogue/publish/publish.ts";
import { overriding } from "../support/counting.ts";
import {
  accept,
  cardNames,
  createGift,
  orderAll,
  readRecipient,
  takeStep,
  textOf,
} from "../support/gift.ts";
import { transition } from "../../src/orders/admin.ts";
import {
  balanceOf,
  brokenAccounts,
  recipients,
  simpleProduct,
  stockOf,
  variableProduct,
  withStock,
} from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";

const CHOICE = { gift_of_choice: "Y" };

/** The offered gift of these tests costs 25.00 and 5.00 to send: 30.00 may be spent. */
const offered = () => simpleProduct({ name: "Offered" });

const choose = ({ product }: { product: { id: number } }, variationId?: number) => ({
  product_id: String(product.id),
  ...(variationId !== undefined && { variation_id: String(variationId) }),
});

describe("other gifts", () => {
  test("are those in stock, in the currency, at the location, for at most what was paid", async () => {
    const worker = startWorker();
    const named = (name: string, changes = {}, level = {}) =>
      simpleProduct({ name, ...changes }, level);
    const { path } = await createGift(
      worker,
      [
        offered(),
        named("Exactly as dear", { priceMinor: 2999, shippingMinor: 1 }),
        named("A cent too dear", { priceMinor: 2999, shippingMinor: 2 }),
        named("Cheaper", { priceMinor: 100 }),
        named("Untracked", { priceMinor: 200 }, { quantity: null }),
        named("Sold out", { priceMinor: 300 }, { quantity: 0 }),
        named("Not sellable", { priceMinor: 300 }, { sellable: false }),
        named("In dollars", { priceMinor: 300, currency: "USD" }),
        named("Not for Australia", { priceMinor: 300, locations: ["NZ"] }),
        named("For Australia", { priceMinor: 400, locations: ["NZ", "AU"] }),
        { ...variableProduct({ name: "Small is affordable" }) },
        { ...variableProduct({ name: "No size left" }, 0) },
      ],
      { ...CHOICE, recipient_details: recipients(3) },
    );
    const page = await worker.fetch(`${path}?gifts`);
    expect(page.status).toBe(200);
    // The most valuable first, by the least that they cost.
    expect(cardNames(page.text)).toEqual([
      "Exactly as dear",
      "Small is affordable",
      "For Australia",
      "Untracked",
      "Cheaper",
    ]);
    expect(page.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(cardNames((await worker.fetch(path)).text)).toEqual([
      "Exactly as dear",
      "Small is affordable",
      "For Australia",
      "Untracked",
    ]);
  });

  test("are only those of the sender's own, current catalogue", async () => {
    const worker = startWorker();
    const [gift, gone, kept, added] = [
      offered(),
      ...["Gone", "Kept", "Added"].map((name) => simpleProduct({ name })),
    ] as const;
    if (!gone || !kept || !added) throw new Error("unreachable");
    const { path, client } = await createGift(worker, [gift, gone, kept], CHOICE);
    await createGift(worker, [simpleProduct({ name: "Of another client" })]);
    await publish(env.DB, client.catalogue, [gift, kept, added], Date.now());
    expect(cardNames((await worker.fetch(path)).text).sort()).toEqual(["Added", "Kept"]);
    const answer = await accept(worker, path, choose(gone));
    expect(answer.status).toBe(409);
    expect(answer.text).toContain("That gift cannot be chosen");
  });

  test("are none where the sender leaves no choice, and none can be taken", async () => {
    const worker = startWorker();
    const [gift, other] = [offered(), simpleProduct({ name: "Other" })];
    const soldOut = simpleProduct({ name: "Other, sold out" }, { quantity: 0 });
    const giftOrder = await createGift(worker, [gift, other, soldOut]);
    for (const query of [
      "",
      "?gifts",
      ...[other, soldOut].map((p) => `?gift=${String(p.product.id)}`),
    ]) {
      expect((await worker.fetch(giftOrder.path + query)).text).not.toContain("Other");
    }
    expect((await accept(worker, giftOrder.path, choose(other))).status).toBe(409);
    expect(await readRecipient(worker, giftOrder)).toMatchObject({ redemption_status: null });
    expect(await stockOf(other.product.id)).toBe(100);
  });

  test.each([
    { product_id: "abc" },
    { product_id: "1e3" },
    { product_id: "99999999999999999999" },
    { variation_id: "abc" },
    { variation_id: "-1" },
  ])("that are no gift's id are not taken for none: %j", async (fields) => {
    const worker = startWorker();
    const giftOrder = await createGift(worker, [offered()], CHOICE);
    const answer = await accept(worker, giftOrder.path, fields);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain("That gift cannot be chosen");
    expect(await readRecipient(worker, giftOrder)).toMatchObject({ redemption_status: null });
  });

  test("that cost too much are not said to have run out", async () => {
    const worker = startWorker();
    const dear = simpleProduct({ name: "Too dear", priceMinor: 9_999_00 });
    const { path } = await createGift(worker, [offered(), dear], CHOICE);
    const tried = await accept(worker, path, choose(dear));
    const looked = await worker.fetch(`${path}?gift=${String(dear.product.id)}`);
    for (const answer of [tried, looked]) {
      expect(answer.text).toContain("That gift cannot be chosen");
      expect(answer.text).not.toContain("run out");
    }
    expect(textOf(tried)).toContain("Offered is still yours, and what you typed is still here.");
    expect(textOf(looked)).toContain("Offered is still yours.");
  });

  test.each([
    ["none", 0, 0, { cards: 0, more: false }],
    ["four", 4, 0, { cards: 4, more: false }],
    ["five", 5, 0, { cards: 4, more: true }],
    ["two, and 14 that have run out", 2, 14, { cards: 2, more: true }],
    ["two, and 13 that have run out", 2, 13, { cards: 2, more: false }],
  ])(
    "of %s the page shows four at most, and the way to all if there may be more",
    async (_, available, soldOut, expected) => {
      const worker = startWorker();
      const { path } = await createGift(
        worker,
        [
          offered(),
          ...Array.from({ length: available }, () => simpleProduct()),
          ...Array.from({ length: soldOut }, () => simpleProduct({}, { quantity: 0 })),
        ],
        CHOICE,
      );
      const { text } = await worker.fetch(path);
      expect({ cards: cardNames(text).length, more: text.includes('name="gifts"') }).toEqual(
        expected,
      );
    },
  );

  test("do not include the one that is looked at", async () => {
    const worker = startWorker();
    const [first, second] = [simpleProduct({ name: "First" }), simpleProduct({ name: "Second" })];
    const { path } = await createGift(worker, [offered(), first, second], CHOICE);
    const page = await worker.fetch(`${path}?gift=${String(first.product.id)}`);
    expect(cardNames(page.text)).toEqual(["Second"]);
  });

  test.each([
    [24, [24]],
    [25, [24, 1]],
    [49, [24, 24, 1]],
  ])("of which there are %i come in pages of 24", async (count, expected) => {
    const worker = startWorker();
    const others = Array.from({ length: count }, () => simpleProduct());
    const { path } = await createGift(worker, [offered(), ...others], CHOICE);
    const sizes: number[] = [];
    let query: string | undefined = "?gifts";
    while (query !== undefined) {
      const { text } = await worker.fetch(path + query);
      expect(text.includes("Back to the first gifts")).toBe(sizes.length > 0);
      sizes.push(cardNames(text).length);
      query = /\?gifts=\d+/.exec(text)?.[0];
    }
    expect(sizes).toEqual(expected);
  });

  test("come after a page of gifts that have all run out", async () => {
    const worker = startWorker();
    const gone = Array.from({ length: 96 }, () => simpleProduct({}, { quantity: 0 }));
    const last = simpleProduct({ name: "Left", priceMinor: 100 });
    const { path } = await createGift(worker, [offered(), ...gone, last], CHOICE);
    const first = (await worker.fetch(`${path}?gifts`)).text;
    expect(cardNames(first)).toEqual([]);
    const next = /\?gifts=\d+/.exec(first)?.[0] ?? "";
    expect(cardNames((await worker.fetch(path + next)).text)).toEqual(["Left"]);
  });

  test("come a page at a time, each once, and cost the same at the end of a large catalogue", async () => {
    const worker = startWorker();
    const many = Array.from({ length: 600 }, (_, n) =>
      simpleProduct(
        { name: `Gift ${String(n)}`, priceMinor: 1000 + (n % 7) },
        n % 3 === 0 ? { quantity: 0 } : {},
      ),
    );
    const { path } = await createGift(worker, [offered(), ...many], CHOICE);
    const seen: string[] = [];
    let query: string | undefined = "?gifts";
    while (query !== undefined) {
      const page = await worker.fetch(path + query);
      // Each entry of the window is read once with its revision and its stock, whichever page it is.
      expect(page.meter.rowsRead).toBeLessThan(4 * 96 + 20);
      seen.push(...cardNames(page.text));
      query = /\?gifts=\d+/.exec(page.text)?.[0];
    }
    expect(seen).toHaveLength(400);
    expect(new Set(seen).size).toBe(400);
  });

  test("are not read for a gift without a choice, and not for one that is not open", async () => {
    const worker = startWorker();
    const others = Array.from({ length: 30 }, () => simpleProduct());
    const fixed = await createGift(worker, [offered(), ...others]);
    const unpaid = await createGift(worker, [offered(), ...others], CHOICE, { billing: "invoice" });
    for (const { path } of [fixed, unpaid]) {
      for (const query of ["", "?gifts"]) {
        expect((await worker.fetch(path + query)).meter.rowsRead).toBeLessThan(20);
      }
    }
  });

  test("read no more rows when the catalogue is full of gifts that cost too much", async () => {
    const worker = startWorker();
    // For three recipients 90.00 was paid, for each 30.00.
    const dear = Array.from({ length: 500 }, () => simpleProduct({ priceMinor: 8000 }));
    const { path } = await createGift(worker, [offered(), ...dear, simpleProduct()], {
      ...CHOICE,
      recipient_details: recipients(3),
    });
    const page = await worker.fetch(path);
    expect(cardNames(page.text)).toHaveLength(1);
    expect(page.meter.rowsRead).toBeLessThan(40);
  });
});

describe("choosing", () => {
  test("a swap takes one of the new and returns one of the old; the offer and the totals stay", async () => {
    const worker = startWorker();
    const [gift, other] = [offered(), simpleProduct({ name: "Other", priceMinor: 2000 })];
    const giftOrder = await createGift(worker, [gift, other], CHOICE);
    const query = `/api/order?order_id=${String(giftOrder.orderId)}`;
    const before = await worker.get(giftOrder.client, query);
    expect(await stockOf(gift.product.id)).toBe(99);

    const page = await worker.fetch(`${giftOrder.path}?gift=${String(other.product.id)}`);
    expect(page.text).toContain(`name="product_id" value="${String(other.product.id)}"`);
    expect(textOf(page)).toContain("Back to Offered");
    const answer = await accept(worker, giftOrder.path, choose(other));
    expect([answer.status, answer.meter.roundTrips]).toEqual([303, 2]);

    expect([await stockOf(gift.product.id), await stockOf(other.product.id)]).toEqual([100, 99]);
    const after = await worker.get(giftOrder.client, query);
    expect(after.json.recipients[0].product_selected).toEqual({
      product_id: String(other.product.id),
      variation_id: null,
    });
    expect(after.json.product_offered).toEqual(before.json.product_offered);
    expect(after.json.order_totals).toEqual(before.json.order_totals);
    expect((await worker.fetch(giftOrder.path)).text).toContain("Other");
    expect(await brokenAccounts()).toEqual([]);
  });

  test("a redemption whose answer was lost is found done, once", async () => {
    const [gift, other] = [offered(), simpleProduct()];
    const giftOrder = await createGift(startWorker(), [gift, other], CHOICE);
    let batches = 0;
    const DB = overriding(env.DB, {
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await env.DB.batch(statements);
        // The first batch reads; the second redeems, and its answer never comes.
        if (++batches === 2) throw new Error("D1_ERROR: Network connection lost.");
        return results;
      },
    });
    const worker = startWorker({ env: { DB } });
    expect((await accept(worker, giftOrder.path, choose(other))).status).toBe(303);
    expect(batches).toBe(3);
    expect([await stockOf(gift.product.id), await stockOf(other.product.id)]).toEqual([100, 99]);
  });

  test("what was chosen reads as it was then, however the catalogue changes", async () => {
    const worker = startWorker();
    const [gift, other] = [offered(), simpleProduct({ name: "Chosen then" })];
    const { path, client } = await createGift(worker, [gift, other], CHOICE);
    await accept(worker, path, choose(other));
    const renamed = { ...other, product: { ...other.product, name: "Renamed since" } };
    await publish(env.DB, client.catalogue, [gift, renamed], Date.now());
    expect((await worker.fetch(path)).text).toContain("Chosen then");
  });

  test("untracked gifts are swapped without a count", async () => {
    const worker = startWorker();
    const gift = simpleProduct({ name: "Offered" }, { quantity: null });
    const other = simpleProduct({}, { quantity: null });
    const { path, paths } = await createGift(worker, [gift, other], {
      ...CHOICE,
      recipient_details: recipients(2),
    });
    const swap = await accept(worker, path, choose(other));
    const noSwap = await accept(worker, paths[1] ?? "");
    expect([swap.status, swap.meter.rowsWritten]).toEqual([303, noSwap.meter.rowsWritten]);
    expect([await stockOf(gift.product.id), await stockOf(other.product.id)]).toEqual([null, null]);
  });

  test("another variation of the same gift is a swap between the two", async () => {
    const worker = startWorker();
    const gift = variableProduct();
    const [small, large] = gift.product.variations.map(({ id }) => id) as [number, number];
    const { path } = await createGift(worker, [gift], { ...CHOICE, variation_id: large });
    expect((await worker.fetch(path)).text.match(/type="radio"/g)).toHaveLength(2);
    expect((await accept(worker, path, choose(gift, small))).status).toBe(303);
    const left = [await stockOf(gift.product.id, small), await stockOf(gift.product.id, large)];
    expect(left).toEqual([99, 100]);
  });

  test("the offered gift is theirs also when it has run out or has left the catalogue", async () => {
    const worker = startWorker();
    const gift = simpleProduct({}, { quantity: 1 });
    const { path, client } = await createGift(worker, [gift], CHOICE);
    await publish(env.DB, client.catalogue, [], Date.now());
    expect((await accept(worker, path, choose(gift))).status).toBe(303);
    expect(await stockOf(gift.product.id)).toBe(0);
  });

  test.each<[string, (gift: ReturnType<typeof variableProduct>) => object[]]>([
    ["another revision of it", ({ product }) => [{ product: { ...product, name: "Renamed" } }]],
    ["it no more", () => []],
  ])(
    "other variations of the offered gift go when the catalogue shows %s",
    async (_, published) => {
      const worker = startWorker();
      const gift = variableProduct();
      const [small, large] = gift.product.variations.map(({ id }) => id) as [number, number];
      const { path, client } = await createGift(worker, [gift], { ...CHOICE, variation_id: large });
      const products = published(gift).map((changes) => ({ ...gift, ...changes }));
      await publish(env.DB, client.catalogue, products, Date.now());
      expect((await worker.fetch(path)).text).not.toContain('type="radio"');
      expect((await accept(worker, path, choose(gift, small))).status).toBe(409);
      expect((await accept(worker, path)).status).toBe(303);
    },
  );

  test("a variation that costs more than was paid is not among the options", async () => {
    const worker = startWorker();
    const gift = variableProduct();
    const [small, large] = gift.product.variations.map(({ id }) => id) as [number, number];
    const { path } = await createGift(worker, [gift], { ...CHOICE, variation_id: small });
    expect((await worker.fetch(path)).text).not.toContain('type="radio"');
    expect((await accept(worker, path, choose(gift, large))).status).toBe(409);
    expect(await stockOf(gift.product.id, large)).toBe(100);
  });

  test("where a gift has several variations, one must be chosen", async () => {
    const worker = startWorker();
    const [gift, other] = [simpleProduct({ priceMinor: 9000 }), variableProduct()];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const answer = await accept(worker, path, { ...choose(other), suburb: "Kept Town" });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("Choose one of the options");
    expect(answer.text).toContain('value="Kept Town"');
    expect(answer.text.match(/type="radio"/g)).toHaveLength(2);
  });

  test("looking at another gift from the filled-in form keeps what was typed and redeems nothing", async () => {
    const worker = startWorker();
    const [gift, other] = [offered(), simpleProduct({ name: "Other" })];
    const giftOrder = await createGift(worker, [gift, other], CHOICE);
    const show = String(other.product.id);
    const answer = await accept(worker, giftOrder.path, { show, delivery_notes: "Typed before" });
    expect([answer.status, answer.meter.roundTrips, answer.meter.rowsWritten]).toEqual([200, 1, 0]);
    expect(answer.text).toContain(`name="product_id" value="${show}"`);
    expect(answer.text).toContain("Typed before");
    expect(await readRecipient(worker, giftOrder)).toMatchObject({ redemption_status: null });
  });
});

describe("a gift that has just run out", () => {
  test("is named, what was typed is kept, and nothing changes", async () => {
    const worker = startWorker();
    const [gift, last] = [offered(), simpleProduct({ name: "The Last One" }, { quantity: 1 })];
    const giftOrder = await createGift(worker, [gift, last], {
      ...CHOICE,
      recipient_details: recipients(2),
    });
    const [first = "", second = ""] = giftOrder.paths;
    await accept(worker, second, choose(last));
    const before = await readRecipient(worker, giftOrder);
    const answer = await accept(worker, first, { ...choose(last), delivery_notes: "By the gate" });
    expect(answer.status).toBe(409);
    expect(textOf(answer)).toContain("The Last One has just run out");
    expect(answer.text).toContain("By the gate");
    expect(answer.text).toContain(`name="product_id" value="${String(gift.product.id)}"`);
    expect(await readRecipient(worker, giftOrder)).toEqual(before);
    expect([await stockOf(gift.product.id), await stockOf(last.product.id)]).toEqual([99, 0]);
    expect((await accept(worker, first, choose(gift))).status).toBe(303);
  });

  test("leaves its other variations to choose from", async () => {
    const worker = startWorker();
    const [gift, other] = [simpleProduct({ priceMinor: 9000 }), variableProduct({ name: "Socks" })];
    const [small, large] = other.product.variations.map(({ id }) => id) as [number, number];
    const { path, client } = await createGift(worker, [gift, other], CHOICE);
    await orderAll(worker, client, other, small);
    const answer = await accept(worker, path, choose(other, small));
    expect(answer.status).toBe(409);
    expect(textOf(answer)).toContain("Socks has just run out");
    expect(textOf(answer)).toContain("Nothing has changed, and what you typed is still here.");
    expect(answer.text).toContain(`name="variation_id" value="${String(large)}"`);
  });

  test("gets nothing back by a swap when it took no stock", async () => {
    const worker = startWorker();
    const [gift, other] = [simpleProduct({}, { quantity: null }), simpleProduct()];
    const { path, client } = await createGift(worker, [gift, other], CHOICE);
    await publish(env.DB, client.catalogue, [withStock(gift, 0), other], Date.now());
    expect((await accept(worker, path, choose(other))).status).toBe(303);
    expect([await stockOf(gift.product.id), await stockOf(other.product.id)]).toEqual([0, 99]);
  });

  test("goes to as many of 12 recipients at once as there are pieces", async () => {
    const worker = startWorker();
    const [gift, rare] = [offered(), simpleProduct({ name: "Rare" }, { quantity: 5 })];
    const { paths } = await createGift(worker, [gift, rare], {
      ...CHOICE,
      recipient_details: recipients(12),
    });
    const answers = await Promise.all(paths.map((path) => accept(worker, path, choose(rare))));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    // Each of the 12 holds one piece: 5 of the rare, 7 of the offered, and the rest is in stock.
    expect([await stockOf(rare.product.id), await stockOf(gift.product.id)]).toEqual([0, 93]);
  });

  test("moves its stock once, however often one gift is submitted at once", async () => {
    const worker = startWorker({ now: () => 1_800_000_000_000 });
    const [gift, other] = [offered(), simpleProduct()];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => accept(worker, path, choose(other))),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect([await stockOf(gift.product.id), await stockOf(other.product.id)]).toEqual([100, 99]);
  });

  test("a cancellation after a swap leaves the redeemed gift sold and paid for, and returns the rest", async () => {
    const worker = startWorker();
    const [gift, other] = [offered(), simpleProduct()];
    const giftOrder = await createGift(worker, [gift, other], {
      ...CHOICE,
      recipient_details: recipients(2),
    });
    const paid = await balanceOf(giftOrder.client.clientId);
    expect((await accept(worker, giftOrder.path, choose(other))).status).toBe(303);
    expect([await stockOf(gift.product.id), await stockOf(other.product.id)]).toEqual([99, 99]);

    const outcome = await transition(env.DB, giftOrder.orderId, "cancel", 1);
    expect(outcome).toMatchObject({ changed: true, redeemed: 1, status: "cancieled" });
    expect([await stockOf(gift.product.id), await stockOf(other.product.id)]).toEqual([100, 99]);
    // Two pieces of 25.00 with 5.00 shipping and a fee of 4 %: half of 62.40 comes back.
    expect((await balanceOf(giftOrder.client.clientId)) - paid).toBe(3120);
    expect(await brokenAccounts()).toEqual([]);
    expect((await worker.fetch(giftOrder.paths[1] ?? "")).status).toBe(410);
  });

  test("is not swapped for once its order is cancelled", async () => {
    const worker = startWorker();
    const [gift, other] = [offered(), simpleProduct()];
    const giftOrder = await createGift(worker, [gift, other], CHOICE);
    await takeStep(giftOrder, "cancel");
    expect((await accept(worker, giftOrder.path, choose(other))).status).toBe(410);
    expect([await stockOf(gift.product.id), await stockOf(other.product.id)]).toEqual([100, 100]);
  });
});
