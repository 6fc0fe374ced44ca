import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import type { Product } from "../../../src/features/catalogue/product.ts";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import {
  brokenAccounts,
  recipients,
  productWithOptions,
  simpleProduct,
  stockOf,
  variableProduct,
} from "../../support/fixtures.ts";
import {
  accept,
  changingAfterRead,
  CHOICE,
  choose,
  createGift,
  fieldsOf,
  press,
  textOf,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import { sql } from "../../support/sql.ts";

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
    expect(text.match(/type="radio" name="variation_id"/g)).toHaveLength(2);
    expect(text).toContain(`value="${String(large)}" checked=""`);
    expect((await accept(worker, path, choose(gift, small))).status).toBe(303);
    const left = [await stockOf(gift.product.id, small), await stockOf(gift.product.id, large)];
    expect(left).toEqual([99, 100]);
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
      expect((await worker.fetch(path)).text).not.toContain('type="radio" name="variation_id"');
      expect((await accept(worker, path, choose(gift, small))).status).toBe(409);
      expect((await accept(worker, path)).status).toBe(303);
    },
  );

  test("must name a variation of a gift with several variations", async () => {
    const [gift, other] = [simpleProduct({ priceMinor: 9000 }), variableProduct()];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const answer = await accept(worker, path, choose(other));
    expect(answer.status).toBe(422);
    const described = /<fieldset aria-describedby="([^"]+)"/.exec(answer.text)?.[1] ?? "none";
    const problem = new RegExp(`<p id="${described}"[^>]* role="alert">([^<]*)</p>`);
    expect(problem.exec(answer.text)?.[1]).toBe(texts.gift.choiceMissing);
    expect(answer.text).toContain(`<title>${texts.problems.pageTitle.split("{")[0] ?? ""}`);
    const radios = [...answer.text.matchAll(/<input type="radio" name="v[^>]*>/g)].map(
      ([tag]) => tag,
    );
    const [small, large] = other.product.variations.map(({ id }) => String(id));
    expect(radios).toEqual([
      `<input type="radio" name="variation_id" value="${small ?? ""}" required="" autofocus=""/>`,
      `<input type="radio" name="variation_id" value="${large ?? ""}" required=""/>`,
    ]);
    const page = await worker.fetch(`${path}?show=${String(other.product.id)}`);
    expect(textOf(page)).toContain("Choose a size");
    expect(page.text).not.toContain(texts.gift.choiceMissing);
  });
});

describe("another variation of the offered gift at the same price", () => {
  const shirt = () =>
    productWithOptions(["Size"], [["S"], ["M"], ["L"], ["XL"]], { name: "Shirt" });
  const create = async (chooseVariation: boolean) => {
    const gift = shirt();
    const [small, medium, large, dear] = gift.product.variations as [Size, Size, Size, Size];
    dear.priceMinor += 1;
    const soldOut = gift.stock.find(({ variationId }) => variationId === large.id);
    Object.assign(soldOut ?? {}, { quantity: 0 });
    const { path, ...rest } = await createGift(
      worker,
      [gift, simpleProduct({ name: "Other" })],
      { variation_id: small.id },
      { chooseVariation },
    );
    return { ...rest, gift, path, small, medium, large, dear };
  };
  type Size = Product["variations"][number];

  test("may be taken without gift_of_choice, and swaps stock", async () => {
    const { gift, path, client, small, medium, large, dear } = await create(true);
    const { text } = await worker.fetch(path);
    expect(
      [...text.matchAll(/type="radio" name="variation_id" value="(\d+)"/g)].map(([, id]) => id),
    ).toEqual([small, medium].map(({ id }) => String(id)));
    expect(text).not.toContain("Other");
    for (const { id } of [large, dear]) {
      expect((await accept(worker, path, choose(gift, id))).status).toBe(409);
    }
    const DB = changingAfterRead(() => setVariationChoice(client.clientId, false));
    const other = startWorker({ env: { DB } });
    expect((await accept(other, path, choose(gift, medium.id))).status).toBe(409);
    await setVariationChoice(client.clientId, true);
    expect((await accept(worker, path, choose(gift, medium.id))).status).toBe(303);
    const left = [small, medium].map(({ id }) => stockOf(gift.product.id, id));
    expect(await Promise.all(left)).toEqual([5, 4]);
    expect(await brokenAccounts()).toEqual([]);
  });

  test("cannot be taken if the client permits none", async () => {
    const { gift, path, medium } = await create(false);
    expect((await worker.fetch(path)).text).not.toContain('type="radio" name="variation_id"');
    expect((await accept(worker, path, choose(gift, medium.id))).status).toBe(409);
    expect((await accept(worker, path)).status).toBe(303);
  });
});

const setVariationChoice = (client: string, isOn: boolean) =>
  sql("UPDATE clients SET choose_variation = ? WHERE id = ?", Number(isOn), client).run();

/** A product in two sizes and two colours. One of the four combinations does not exist, and another has run out. */
const jumper = () =>
  productWithOptions(
    ["Size", "Colour"],
    [
      ["S", "Navy"],
      ["L", "Navy"],
      ["S", "Green"],
    ],
    { name: "Jumper" },
  );

const radiosOf = ({ text }: { text: string }) =>
  [...text.matchAll(/<input type="radio" name="option_(\d)" value="\d+"([^>]*)><bdi>(\w+)</g)].map(
    ([, id = "", rest = "", name = ""]) => `${id} ${name}${rest.includes("checked") ? "!" : ""}`,
  );

describe("a choice of size and colour", () => {
  const create = async () => {
    const [gift, other] = [simpleProduct({ priceMinor: 9000 }), jumper()];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const [smallNavy, largeNavy, smallGreen] = other.product.variations.map(({ id }) => id);
    const variationWith = (name: string) =>
      String(
        other.product.variations.find((each) => each.options.some(({ option }) => option === name))
          ?.id,
      );
    const select = (size?: string, colour?: string) => ({
      product_id: String(other.product.id),
      ...(size && { option_1: variationWith(size) }),
      ...(colour && { option_2: variationWith(colour) }),
    });
    const address = (choices: Record<string, string>) =>
      worker.fetch(`${path}?${new URLSearchParams({ step: "address", ...choices }).toString()}`);
    return { path, other, select, address, smallNavy, largeNavy, smallGreen };
  };

  test("has a group for each, and becomes the id of the variation", async () => {
    const { path, other, select, address, largeNavy } = await create();
    const page = await worker.fetch(`${path}?show=${String(other.product.id)}`);
    expect(radiosOf(page)).toEqual(["1 S", "1 L", "2 Navy", "2 Green"]);
    const next = await address(select("L", "Navy"));
    expect(fieldsOf(next)["variation_id"]).toBe(String(largeNavy));
    expect((await accept(worker, path, select("L", "Navy"))).status).toBe(303);
    expect(await stockOf(other.product.id, largeNavy)).toBe(4);
  });

  test("is kept if the combination is not available, with the reason", async () => {
    const { path, select, address } = await create();
    for (const page of [
      await address(select("L", "Green")),
      await accept(worker, path, { ...select("L", "Green"), delivery_notes: "Kept" }),
    ]) {
      expect(page.status).toBe(422);
      expect(textOf(page)).toContain(texts.gift.combination.replace("{combination}", "L, Green"));
      expect(radiosOf(page)).toEqual(["1 S", "1 L!", "2 Navy", "2 Green!"]);
    }
  });

  test("names what is missing, and keeps the other", async () => {
    const { select, address } = await create();
    for (const [choices, radios] of [
      [select("S"), ["1 S!", "1 L", "2 Navy", "2 Green"]],
      [select(undefined, "Green"), ["1 S", "1 L", "2 Navy", "2 Green!"]],
      [select("XXL", "Green"), ["1 S", "1 L", "2 Navy", "2 Green!"]],
      [select(), ["1 S", "1 L", "2 Navy", "2 Green"]],
    ] as const) {
      const page = await address(choices);
      expect(page.status).toBe(422);
      expect(radiosOf(page)).toEqual(radios);
      expect(page.text.match(/<fieldset aria-describedby/g)).toHaveLength(1);
      expect(page.text).not.toContain("XXL");
    }
  });

  test("is kept on the way back from the form", async () => {
    const { path, address, select } = await create();
    const page = await address(select("L", "Navy"));
    const back = await press(worker, path, page, { show: fieldsOf(page)["product_id"] ?? "" });
    expect(radiosOf(back).filter((each) => each.endsWith("!"))).toEqual(["1 L!", "2 Navy!"]);
  });

  test("is not replaced if the combination runs out and one other is left", async () => {
    const { path, other, select, smallNavy, largeNavy, smallGreen } = await create();
    for (const id of [largeNavy, smallGreen]) {
      await env.DB.prepare("UPDATE stock SET quantity = 0 WHERE variation_id = ?").bind(id).run();
    }
    const answer = await accept(worker, path, select("L", "Navy"));
    expect(answer.status).toBe(409);
    expect(textOf(answer)).toContain(texts.gone.optionSoldOut);
    expect(fieldsOf(answer)["product_id"]).not.toBe(String(other.product.id));
    expect(await stockOf(other.product.id, smallNavy)).toBe(5);
  });

  test("may still be the id of the variation", async () => {
    const { path, other, smallGreen } = await create();
    const variation = { variation_id: String(smallGreen) };
    const page = await worker.fetch(
      `${path}?step=address&product_id=${String(other.product.id)}&variation_id=${String(smallGreen)}`,
    );
    expect(fieldsOf(page)).toMatchObject(variation);
    expect((await accept(worker, path, choose(other, smallGreen))).status).toBe(303);
  });
});

test("a gift that has just sold out was redeemed by as many of 6 simultaneous recipients as there were pieces", async () => {
  const [gift, rare] = [offered(), simpleProduct({ name: "Rare" }, { quantity: 2 })];
  const { paths } = await createGift(worker, [gift, rare], {
    ...CHOICE,
    recipient_details: recipients(6),
  });
  const answers = await Promise.all(paths.map((path) => accept(worker, path, choose(rare))));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(2);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
  // Each of the 6 recipients has one piece: 2 of the rare gift, 4 of the offered one.
  expect([await stockOf(rare.product.id), await stockOf(gift.product.id)]).toEqual([0, 96]);
});
