import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import {
  brokenAccounts,
  recipients,
  simpleProduct,
  stockOf,
  variableProduct,
} from "../../support/fixtures.ts";
import {
  accept,
  CHOICE,
  choose,
  createGift,
  fieldsOf,
  orderAll,
  readRecipient,
  textOf,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { failingBatches, LOST } from "../../support/faults.ts";

const worker = startWorker();

/** The offered gift costs 25.00 plus 5.00 shipping, so another gift may cost 30.00. */
const offered = () => simpleProduct({ name: "Offered" });

describe("a choice", () => {
  test("takes one piece of the chosen gift, returns one of the offered gift, and keeps offer and totals", async () => {
    const [gift, other] = [offered(), simpleProduct({ name: "Other", priceMinor: 2000 })];
    const giftOrder = await createGift(worker, [gift, other], CHOICE);
    const query = `/api/order?order_id=${String(giftOrder.orderId)}`;
    const before = await worker.get(giftOrder.client, query);
    expect(await stockOf(gift.product.id)).toBe(99);

    const page = await worker.fetch(`${giftOrder.path}?show=${String(other.product.id)}`);
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

  test("whose response was lost is shown as redeemed, once", async () => {
    const [gift, other] = [offered(), simpleProduct()];
    const giftOrder = await createGift(worker, [gift, other], CHOICE);
    // The replica is read. The first batch of the primary redeems, and its response is lost.
    const DB = failingBatches(new Error(LOST), "after the commit", 1);
    const answer = await accept(startWorker({ env: { DB } }), giftOrder.path, choose(other));
    expect([answer.status, answer.meter.roundTrips]).toEqual([303, 3]);
    expect([await stockOf(gift.product.id), await stockOf(other.product.id)]).toEqual([100, 99]);
  });

  test("is shown as it was at the redemption after changes of the catalogue", async () => {
    const [gift, other] = [offered(), simpleProduct({ name: "Chosen then" })];
    const { path, client } = await createGift(worker, [gift, other], CHOICE);
    await accept(worker, path, choose(other));
    const renamed = { ...other, product: { ...other.product, name: "Renamed since" } };
    await publish(env.DB, client.catalogue, [gift, renamed], Date.now());
    expect((await worker.fetch(path)).text).toContain("Chosen then");
  });

  test("of another variation of the same gift swaps stock between the two", async () => {
    const gift = variableProduct();
    const [small, large] = gift.product.variations.map(({ id }) => id) as [number, number];
    const { path } = await createGift(worker, [gift], { ...CHOICE, variation_id: large });
    const { text } = await worker.fetch(path);
    expect(text.match(/type="radio"/g)).toHaveLength(2);
    expect(text).toContain(`value="${String(large)}" checked=""`);
    expect((await accept(worker, path, choose(gift, small))).status).toBe(303);
    const left = [await stockOf(gift.product.id, small), await stockOf(gift.product.id, large)];
    expect(left).toEqual([99, 100]);
  });

  test("may be the offered gift also if it has run out or has left the catalogue", async () => {
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
    "does not include other variations of the offered gift if the catalogue has %s",
    async (_, published) => {
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

  test("must name a variation of a gift with several variations", async () => {
    const [gift, other] = [simpleProduct({ priceMinor: 9000 }), variableProduct()];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const answer = await accept(worker, path, { ...choose(other), suburb: "Kept Town" });
    expect(answer.status).toBe(422);
    const described = /<fieldset aria-describedby="([^"]+)"/.exec(answer.text)?.[1] ?? "none";
    const problem = new RegExp(`<p id="${described}"[^>]* role="alert">([^<]*)</p>`);
    expect(problem.exec(answer.text)?.[1]).toBe(texts.gift.choiceMissing);
    expect(answer.text).toContain("<title>Please check: First0, a gift for you</title>");
    expect(fieldsOf(answer)["suburb"]).toBe("Kept Town");
    const radios = [...answer.text.matchAll(/<input type="radio"[^>]*>/g)].map(([tag]) => tag);
    const [small, large] = other.product.variations.map(({ id }) => String(id));
    expect(radios).toEqual([
      `<input type="radio" name="variation_id" value="${small ?? ""}" required="" autofocus=""/>`,
      `<input type="radio" name="variation_id" value="${large ?? ""}" required=""/>`,
    ]);
    const page = await worker.fetch(`${path}?show=${String(other.product.id)}`);
    expect(textOf(page)).toContain("Choose: Size");
    expect(page.text).not.toContain(texts.gift.choiceMissing);
  });
});

describe("a gift that has just sold out", () => {
  test("is named, the entered values are kept, and nothing changes", async () => {
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
    expect(textOf(answer)).toContain("The Last One has just sold out");
    expect(answer.text).toContain("By the gate");
    expect(answer.text).toContain(`name="product_id" value="${String(gift.product.id)}"`);
    expect(await readRecipient(worker, giftOrder)).toEqual(before);
    expect([await stockOf(gift.product.id), await stockOf(last.product.id)]).toEqual([99, 0]);
    expect((await accept(worker, first, choose(gift))).status).toBe(303);
  });

  test("can still be chosen in its other variations", async () => {
    const [gift, other] = [simpleProduct({ priceMinor: 9000 }), variableProduct({ name: "Socks" })];
    const [small, large] = other.product.variations.map(({ id }) => id) as [number, number];
    const { path, client } = await createGift(worker, [gift, other], CHOICE);
    await orderAll(worker, client, other, small);
    const answer = await accept(worker, path, choose(other, small));
    expect(answer.status).toBe(409);
    expect(textOf(answer)).toContain(texts.gone.optionSoldOut);
    expect(textOf(answer)).toContain(texts.gone.chooseAgain);
    expect(answer.text).toContain(`name="variation_id" value="${String(large)}"`);
  });

  test("was redeemed by as many of 12 simultaneous recipients as there were pieces", async () => {
    const [gift, rare] = [offered(), simpleProduct({ name: "Rare" }, { quantity: 5 })];
    const { paths } = await createGift(worker, [gift, rare], {
      ...CHOICE,
      recipient_details: recipients(12),
    });
    const answers = await Promise.all(paths.map((path) => accept(worker, path, choose(rare))));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    // Each of the 12 recipients has one piece: 5 of the rare gift, 7 of the offered one.
    expect([await stockOf(rare.product.id), await stockOf(gift.product.id)]).toEqual([0, 93]);
  });

  test("changes its stock once for simultaneous submissions of one gift", async () => {
    const worker = startWorker({ now: () => 1_800_000_000_000 });
    const [gift, other] = [offered(), simpleProduct()];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => accept(worker, path, choose(other))),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect([await stockOf(gift.product.id), await stockOf(other.product.id)]).toEqual([100, 99]);
  });
});
