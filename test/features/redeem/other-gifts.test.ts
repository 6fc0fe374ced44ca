import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { updateAvailability } from "../../../src/features/catalogue/availability-queries.ts";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import {
  recipients,
  simpleProduct,
  stockOf,
  type TestProduct,
  variableProduct,
} from "../../support/fixtures.ts";
import {
  accept,
  cardNames,
  CHOICE,
  choose,
  createGift,
  fieldsOf,
  nextPage,
  press,
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
    // In the order of their ids: an order by price would tell it.
    expect(cardNames(page.text)).toEqual([
      ...["Exactly as dear", "Cheaper", "Untracked", "For Australia", "Small is affordable"],
    ]);
    expect(page.meter).toMatchObject({ roundTrips: 3, rowsWritten: 0 });
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

/** The page numbers. `!` marks the present one. */
function numbersOf(page: string): string[] {
  const [nav = ""] = /<nav class="pages".*?<\/nav>/s.exec(page) ?? [];
  const numbers = [...nav.matchAll(/<(?:a href|span)([^>]*)>(\d+|…)</g)];
  return numbers.map(([, rest, number = ""]) => number + (rest?.includes("current") ? "!" : ""));
}

describe("the list of other gifts", () => {
  const readAll = async (path: string, start = "?others=") => {
    const read: { names: string[]; rows: number }[] = [];
    let query: string | undefined = start;
    while (query !== undefined) {
      const { text, meter } = await worker.fetch(path + query);
      read.push({ names: cardNames(text), rows: meter.rowsRead });
      query = nextPage(text);
    }
    return read;
  };

  test.each([
    [24, [24], []],
    [25, [24, 1], ["1!", "2"]],
    [49, [24, 24, 1], ["1!", "2", "3"]],
  ])("has numbered pages of 24, if there are %i", async (count, sizes, numbers) => {
    const others = Array.from({ length: count }, () => simpleProduct());
    const { path } = await createGift(worker, [offered(), ...others], CHOICE);
    expect((await readAll(path)).map(({ names }) => names.length)).toEqual(sizes);
    const { text } = await worker.fetch(`${path}?others=`);
    expect(text).toContain(`>Gifts: ${String(count)}<`);
    expect(numbersOf(text)).toEqual(numbers);
    const beyond = await worker.fetch(`${path}?others=&page=99`);
    expect(cardNames(beyond.text)).toHaveLength(sizes.at(-1) ?? 0);
  });

  test("has each gift once, in an order and at a cost that do not depend on prices and the catalogue", async () => {
    const many = Array.from({ length: 600 }, (_, n) =>
      simpleProduct(
        { name: `Gift ${String(n)}`, priceMinor: 1000 + ((n * 7) % 13) * (n % 5 === 0 ? 300 : 1) },
        n % 3 === 0 ? { quantity: 0 } : {},
      ),
    );
    const { path } = await createGift(worker, [offered(), ...many], CHOICE);
    await updateAvailability(env.DB, Date.now());
    const read = await readAll(path);
    const isListed = ({ product, stock }: TestProduct) =>
      (product.priceMinor ?? 0) <= 2500 && stock[0]?.quantity !== 0;
    expect(read.flatMap(({ names }) => names)).toEqual(
      many.filter(isListed).map(({ product }) => product.name),
    );
    // For each gift: its place, its entry, its revision, its stock and the order of the page.
    for (const { rows } of read) expect(rows).toBeLessThan(7 * 24 + 40);
    const { text } = await worker.fetch(`${path}?others=&page=7`);
    expect(numbersOf(text).join(" ")).toBe(`1 … 5 6 7! 8 9 … ${String(read.length)}`);
  });

  test("is searched and read by category, and every gift leads back to the same page", async () => {
    const translations = { de: { categories: ["Haus > Kerzen"] } };
    const candles = Array.from({ length: 30 }, (_, n) =>
      simpleProduct({ name: `Candle ${String(n)}`, categories: ["Home > Candles"], translations }),
    );
    const vase = simpleProduct({ name: "Vase of clay", categories: ["Home > Vases"] });
    const tea = simpleProduct({ name: "Tea", categories: ["Food & Drink"] });
    const { path } = await createGift(worker, [offered(), ...candles, vase, tea], CHOICE);
    const open = async (query: string) => {
      const { text } = await worker.fetch(`${path}?others=&${query}`);
      const [, nav = ""] = /<nav class="categories"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
      const categories = [...nav.matchAll(/<li[^>]*><(a|span)[^>]*>([^<]*)/g)];
      return {
        text,
        count: /Gifts: (\d+)|Geschenke: (\d+)/.exec(text)?.slice(1).find(Boolean),
        categories: categories.map(([, tag, name = ""]) => (tag === "a" ? name : `${name}!`)),
      };
    };
    for (const [query, count, categories] of [
      ["", "32", ["Food &amp; Drink", "Home"]],
      ["lang=de", "32", ["Food &amp; Drink", "Haus"]],
      ["category=Home", "31", ["Food &amp; Drink", "Home!", "Candles", "Vases"]],
      ["category=Home+>+Candles&lang=de", "30", ["Food &amp; Drink", "Haus", "Kerzen!", "Vases"]],
      ["category=Food+%26+Drink", "1", ["Food &amp; Drink!", "Home"]],
      ["q=CLA", "1", ["Home"]],
      ["q=cla&category=Home", "1", ["Home!", "Vases"]],
      ["q=nothing", "0", []],
      ["category=Nothing", "0", ["Food &amp; Drink", "Home"]],
    ] as const) {
      expect(await open(query), query).toMatchObject({ count, categories });
    }
    const place = "q=candle&category=Home&page=2";
    const { text } = await open(place);
    expect(cardNames(text)).toHaveLength(6);
    expect(text).toContain('type="search" name="q" value="candle"');
    const show = candles[25]?.product.id ?? 0;
    expect(text).toContain(
      `href="?show=${String(show)}&amp;${place.replaceAll("&", "&amp;")}#shown"`,
    );
    const viewed = await worker.fetch(`${path}?show=${String(show)}&${place}`);
    const address = await press(worker, path, viewed, { step: "address" });
    const again = await press(worker, path, address, { show: String(show) });
    const back = await press(worker, path, again, { others: "" });
    expect(cardNames(back.text)).toEqual(cardNames(text));
  });

  test("shows how each gift comes, and a gift whose affordable size has sold out without a link", async () => {
    const [mug, card] = [
      simpleProduct({ name: "Mug" }),
      simpleProduct({ name: "Card", delivery: "digital" }),
    ];
    const shirt = variableProduct({ name: "Shirt" });
    Object.assign(shirt.stock[0] ?? {}, { quantity: 0 });
    const { path } = await createGift(worker, [offered(), mug, card, shirt], CHOICE);
    const { text } = await worker.fetch(`${path}?others=`);
    const cards = text.split("</li>").slice(0, 3);
    const by = cards.map((each) => /<span class="by">([^<]*)/.exec(each)?.[1]);
    expect(by).toEqual([texts.others.byPost, texts.others.byEmail, texts.others.byPost]);
    const isLink = cards.map((each) => each.includes('<a class="card" href='));
    expect(isLink).toEqual([true, true, false]);
    expect(cards[2]).toContain("Shirt has just sold out");
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
