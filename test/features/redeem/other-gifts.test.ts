import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { recipients, simpleProduct, stockOf, variableProduct } from "../../support/fixtures.ts";
import {
  accept,
  cardNames,
  CHOICE,
  choose,
  createGift,
  fieldsOf,
  readRecipient,
  textOf,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

/** The offered gift costs 25.00 plus 5.00 shipping, so another gift may cost 30.00. */
const offered = () => simpleProduct({ name: "Offered" });

describe("other gifts", () => {
  test("are in stock, in the same currency, available at the location, and cost at most what was paid", async () => {
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
    const page = await worker.fetch(`${path}?others=`);
    expect(page.status).toBe(200);
    // Sorted by name: an order by price would tell it.
    expect(cardNames(page.text)).toEqual([
      ...["Cheaper", "Exactly as dear", "For Australia", "Small is affordable", "Untracked"],
    ]);
    expect(page.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    // The first page has those that cost most.
    expect(cardNames((await worker.fetch(path)).text)).toEqual([
      ...["Exactly as dear", "For Australia", "Small is affordable", "Untracked"],
    ]);
  });

  test("are shown with the name of their category", async () => {
    const translations = { de: { categories: ["Kerzen", "Anderes"] } };
    const categories = ["Home > Candles", "Other"];
    const others = [simpleProduct({ categories, translations }), simpleProduct({ categories: [] })];
    const { path } = await createGift(worker, [offered(), ...others], CHOICE);
    for (const [query, span] of [
      ["", 'lang="" dir="auto">Candles<'],
      ["?lang=de", 'lang="de" dir="auto">Kerzen<'],
    ] as const) {
      const { text } = await worker.fetch(path + query);
      expect(text).toContain(`<span class="category" ${span}`);
      expect(text.match(/class="category"/g)).toHaveLength(1);
    }
  });

  test("belong to the sender's current catalogue", async () => {
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
    expect(answer.text).toContain(texts.gone.other);
  });
});

describe("other gifts that are not offered", () => {
  test("are not shown and cannot be redeemed if the sender permits no choice", async () => {
    const [gift, other] = [offered(), simpleProduct({ name: "Other" })];
    const soldOut = simpleProduct({ name: "Other, sold out" }, { quantity: 0 });
    const giftOrder = await createGift(worker, [gift, other, soldOut]);
    for (const query of [
      "",
      "?others=",
      ...[other, soldOut].map((p) => `?show=${String(p.product.id)}`),
    ]) {
      expect((await worker.fetch(giftOrder.path + query)).text).not.toContain("Other");
    }
    expect((await accept(worker, giftOrder.path, choose(other))).status).toBe(409);
    expect(await readRecipient(worker, giftOrder)).toMatchObject({ redemption_status: null });
    expect(await stockOf(other.product.id)).toBe(100);
  });

  test("that cost too much are not reported as run out", async () => {
    const dear = simpleProduct({ name: "Too dear", priceMinor: 9_999_00 });
    const { path } = await createGift(worker, [offered(), dear], CHOICE);
    const tried = await accept(worker, path, { ...choose(dear), suburb: "Typed" });
    const viewed = await worker.fetch(`${path}?show=${String(dear.product.id)}`);
    for (const answer of [tried, viewed]) {
      expect(answer.text).toContain(texts.gone.other);
      expect(answer.text).not.toContain(texts.gone.soldOut.replace("{product} ", ""));
    }
    const ofGift = (text: string) => text.replace("{product}", "Offered");
    for (const page of [tried, viewed]) {
      expect(textOf(page)).toContain(ofGift(texts.gone.original));
    }
    expect(fieldsOf(tried)["suburb"]).toBe("Typed");
  });
});

describe("other gifts on the page of a gift", () => {
  test.each([
    ["none", 0, 0, { cards: 0, more: false }],
    ["four", 4, 0, { cards: 4, more: false }],
    ["five", 5, 0, { cards: 4, more: true }],
    ["two, and 14 that have run out", 2, 14, { cards: 2, more: true }],
    ["two, and 13 that have run out", 2, 13, { cards: 2, more: false }],
  ])(
    "are shown for %s, at most four, with a link to all if there may be more",
    async (_, available, soldOut, expected) => {
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
      expect({
        cards: cardNames(text).length,
        more: text.includes(`>${texts.others.all}</a>`),
      }).toEqual(expected);
    },
  );

  test("do not include the displayed gift", async () => {
    const [first, second] = [simpleProduct({ name: "First" }), simpleProduct({ name: "Second" })];
    const { path } = await createGift(worker, [offered(), first, second], CHOICE);
    const page = await worker.fetch(`${path}?show=${String(first.product.id)}`);
    expect(cardNames(page.text)).toEqual(["Second"]);
  });
});

describe("the list of other gifts", () => {
  test.each([
    [24, [24]],
    [25, [24, 1]],
    [49, [24, 24, 1]],
  ])("has pages of 24, if there are %i", async (count, expected) => {
    const others = Array.from({ length: count }, () => simpleProduct());
    const { path } = await createGift(worker, [offered(), ...others], CHOICE);
    const sizes: number[] = [];
    let query: string | undefined = "?others=";
    while (query !== undefined) {
      const { text } = await worker.fetch(path + query);
      expect(text.includes(texts.others.first)).toBe(sizes.length > 0);
      sizes.push(cardNames(text).length);
      query = /\?others=\d+/.exec(text)?.[0];
    }
    expect(sizes).toEqual(expected);
  });

  test("goes on after a page of gifts that have all run out", async () => {
    const gone = Array.from({ length: 96 }, () => simpleProduct({}, { quantity: 0 }));
    const last = simpleProduct({ name: "Left", priceMinor: 100 });
    const { path } = await createGift(worker, [offered(), ...gone, last], CHOICE);
    const first = (await worker.fetch(`${path}?others=`)).text;
    expect(cardNames(first)).toEqual([]);
    expect(first).not.toContain(texts.others.empty);
    const next = /\?others=\d+/.exec(first)?.[0] ?? "";
    expect(cardNames((await worker.fetch(path + next)).text)).toEqual(["Left"]);
  });

  test("has each gift once, at the same cost on the last page of a large catalogue", async () => {
    const many = Array.from({ length: 210 }, (_, n) =>
      simpleProduct(
        { name: `Gift ${String(n)}`, priceMinor: 1000 + (n % 7) },
        n % 3 === 0 ? { quantity: 0 } : {},
      ),
    );
    const { path } = await createGift(worker, [offered(), ...many], CHOICE);
    const seen: string[] = [];
    let query: string | undefined = "?others=";
    while (query !== undefined) {
      const page = await worker.fetch(path + query);
      // Each entry of the window is read once with its revision and its stock, on every page.
      expect(page.meter.rowsRead).toBeLessThan(4 * 96 + 23);
      expect(page.text.includes(`>${texts.others.first}</a>`)).toBe(query !== "?others=");
      seen.push(...cardNames(page.text));
      query = /\?others=\d+/.exec(page.text)?.[0];
      expect(page.text.includes(`>${texts.others.next}</a>`)).toBe(query !== undefined);
    }
    expect(seen).toHaveLength(140);
    expect(new Set(seen).size).toBe(140);
  });

  test("is one page without a way to others when there are few, or none", async () => {
    for (const [others, hint] of [
      [[simpleProduct()], texts.others.hint],
      [[], texts.others.empty],
    ] as const) {
      const { path } = await createGift(worker, [offered(), ...others], CHOICE);
      const { text } = await worker.fetch(`${path}?others=`);
      expect(text).toContain(hint);
      expect(cardNames(text)).toHaveLength(others.length);
      expect(text).not.toContain(texts.others.pages);
    }
  });

  test("is not queried for a gift without a choice or a gift that is not open", async () => {
    const others = Array.from({ length: 30 }, () => simpleProduct());
    const fixed = await createGift(worker, [offered(), ...others]);
    const unpaid = await createGift(worker, [offered(), ...others], CHOICE, { billing: "invoice" });
    for (const { path } of [fixed, unpaid]) {
      for (const query of ["", "?others="]) {
        expect((await worker.fetch(path + query)).meter.rowsRead).toBeLessThan(20);
      }
    }
  });

  test("requires no more rows if the catalogue has many gifts that cost too much", async () => {
    // For three recipients 90.00 was paid: 30.00 for each.
    const dear = Array.from({ length: 150 }, () => simpleProduct({ priceMinor: 8000 }));
    const { path } = await createGift(worker, [offered(), ...dear, simpleProduct()], {
      ...CHOICE,
      recipient_details: recipients(3),
    });
    const page = await worker.fetch(path);
    expect(cardNames(page.text)).toHaveLength(1);
    expect(page.meter.rowsRead).toBeLessThan(40);
  });
});
