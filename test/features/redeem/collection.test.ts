// The gift page of an order with a collection.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { collect, PICKS, uncollect } from "../../support/collections.ts";
import {
  createClient,
  orderOf,
  simpleProduct,
  stockOf,
  type TestClient,
  type TestProduct,
} from "../../support/fixtures.ts";
import {
  accept,
  cardNames,
  changingAfterRead,
  choose,
  nextPage,
  CHOICE,
  readRecipient,
  textOf,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();
const named = (name: string, changes = {}, level = {}) =>
  simpleProduct({ name, ...changes }, level);

interface Shop {
  client: TestClient;
  offered: TestProduct;
}

async function openShop(products: TestProduct[], collected: TestProduct[], changes = {}) {
  const offered = named("Offered");
  const client = await createClient({ products: [offered, ...products] });
  await collect(client, collected, changes);
  return { client, offered };
}

async function giftOf({ client, offered }: Shop) {
  const body = orderOf(offered, { ...CHOICE, collection: PICKS });
  const { json, text } = await worker.post(client, "/api/gift-link", body);
  expect(json.status, text).not.toBe("error");
  const path = new URL(json.recipient_return[0].gift_url as string).pathname;
  return { client, orderId: json.order_data.order_id as number, path, paths: [path] };
}

test("shows the texts of the collection and its products, in its order", async () => {
  const [b, a, c] = [named("B"), named("A", { priceMinor: 100 }), named("C")] as const;
  const outside = named("Outside");
  const hidden = [
    named("Too dear", { priceMinor: 2501 }),
    named("In dollars", { currency: "USD" }),
    named("Not for Australia", { locations: ["NZ"] }),
    named("Sold out", {}, { quantity: 0 }),
  ];
  const shop = await openShop([b, a, c, outside, ...hidden], [b, ...hidden, a, c], {
    description: "Made in <small> numbers",
    translations: { de: { name: "Unsere Auswahl" } },
  });
  const { path } = await giftOf(shop);
  for (const query of ["", "?others="]) {
    const page = await worker.fetch(path + query);
    expect(cardNames(page.text)).toEqual(["B", "A", "C"]);
    expect(textOf(page)).toContain("Our picks");
    expect(page.text).toContain("Made in &lt;small&gt; numbers");
    expect(page.meter).toMatchObject({ roundTrips: query === "" ? 1 : 3, rowsWritten: 0 });
  }
  const german = (await worker.fetch(`${path}?lang=de`)).text;
  expect(german).toContain('<div class="collection" lang="de" dir="auto">');
  expect(german).toContain("Unsere Auswahl");
  const view = await worker.fetch(`${path}?show=${String(outside.product.id)}`);
  expect(textOf(view)).toContain(texts.gone.other);
  expect(cardNames((await worker.fetch(`${path}?show=${String(a.product.id)}`)).text)).toEqual([
    ...["B", "C"],
  ]);
});

test("a product outside the collection cannot be accepted", async () => {
  const [inside, outside] = [named("Inside"), named("Outside")];
  const gift = await giftOf(await openShop([inside, outside], [inside]));
  const refused = await accept(worker, gift.path, choose(outside));
  expect(refused.status).toBe(409);
  expect(textOf(refused)).toContain(texts.gone.other);
  expect(await stockOf(outside.product.id)).toBe(100);
  expect((await accept(worker, gift.path, choose(inside))).status).toBe(303);
  expect(await readRecipient(worker, gift)).toMatchObject({
    redemption_status: "redeemed",
    product_selected: { product_id: String(inside.product.id) },
  });
  expect(await stockOf(inside.product.id)).toBe(99);
});

test("the offered gift can be accepted, whether or not it is in the collection, and after it was removed", async () => {
  const other = named("Other");
  for (const change of [
    () => Promise.resolve(),
    ({ client }: Shop) => uncollect(client),
    ({ client }: Shop) => collect(client, []),
    ({ client, offered }: Shop) => collect(client, [offered]),
    ({ client }: Shop) => publish(env.DB, client.catalogue, [named("New")], Date.now()),
  ]) {
    const mine = named("Mine");
    const shop = await openShop([mine, other], [mine]);
    const gift = await giftOf(shop);
    await change(shop);
    const page = await worker.fetch(gift.path);
    expect(page.status).toBe(200);
    expect(cardNames(page.text)).not.toContain("Other");
    expect((await accept(worker, gift.path)).status).toBe(303);
    expect(await stockOf(shop.offered.product.id)).toBe(99);
  }
});

test("a product that left the collection meanwhile cannot be accepted", async () => {
  const [kept, left] = [named("Kept"), named("Left")];
  const shop = await openShop([kept, left], [kept, left]);
  const { path } = await giftOf(shop);
  expect(cardNames((await worker.fetch(path)).text)).toEqual(["Kept", "Left"]);
  await collect(shop.client, [kept]);
  const refused = await accept(worker, path, choose(left));
  expect(refused.status).toBe(409);
  expect(cardNames((await worker.fetch(path)).text)).toEqual(["Kept"]);
  // The same between the reading of the gift and the acceptance.
  const DB = changingAfterRead(() => uncollect(shop.client));
  expect((await accept(startWorker({ env: { DB } }), path, choose(kept))).status).toBe(409);
  expect(await stockOf(kept.product.id)).toBe(100);
  expect((await accept(worker, path)).status).toBe(303);
});

test("has pages of 24, at a cost that is linear in the collection", async () => {
  const many = Array.from({ length: 60 }, (_, n) => named(`Gift ${String(n).padStart(2, "0")}`));
  const outside = Array.from({ length: 100 }, () => named("Outside"));
  const { path } = await giftOf(await openShop([...many, ...outside], many));
  const seen: string[][] = [];
  let query: string | undefined = "?others=";
  while (query !== undefined) {
    const { text, meter } = await worker.fetch(path + query);
    // For each product: its place, twice, its entry, its revision and its stock, and the order of the page.
    expect(meter.rowsRead).toBeLessThan(8 * 60);
    seen.push(cardNames(text));
    query = nextPage(text);
  }
  expect(seen.map(({ length }) => length)).toEqual([24, 24, 12]);
  expect(seen.flat()).toEqual(many.map(({ product }) => product.name));
});
