// The pages of stock.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { type ConsoleUser, openConsole, type TestConsole } from "./console.ts";
import {
  createClient,
  openShop,
  simpleProduct,
  stockOf,
  variableProduct,
} from "../support/fixtures.ts";
import { sql } from "../support/sql.ts";

let testConsole: TestConsole;
let user: ConsoleUser;

beforeAll(async () => {
  testConsole = await openConsole();
  user = await testConsole.signIn("fulfilment");
});

const HOSTILE = "<img src=x onerror=alert(1)>";

const changesOf = async (productId: number) =>
  (await listAudit(env.DB, { limit: 50 })).filter(({ subject }) =>
    subject.startsWith(String(productId)),
  );

const inCatalogue = (catalogue: string) => `catalogue=${encodeURIComponent(catalogue)}`;

test("lists products with low stock, lowest first", async () => {
  const [low, lower, enough] = [
    simpleProduct({ name: HOSTILE }, { quantity: 3 }),
    simpleProduct({ name: "Lower" }, { quantity: 2 }),
    simpleProduct({ name: "Enough" }, { quantity: 10 }),
  ];
  const { catalogue } = await createClient({ products: [low, lower, enough] });
  const page = await user.get(`/stock?${inCatalogue(catalogue)}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain("fewer than 10 pieces: 2");
  expect(page.text.indexOf("Lower")).toBeLessThan(page.text.indexOf(HOSTILE));
  expect(page.html).not.toContain("<img");
  expect(page.text).not.toContain("Enough");
  expect(page.meter.roundTrips).toBe(2);
  const more = await user.get(`/stock?below=11&${inCatalogue(catalogue)}`);
  expect(more.text).toContain("Enough");
  const none = await user.get(`/stock?below=1&${inCatalogue(catalogue)}`);
  expect(none.text).toContain("No tracked stock is that low");
});

test("pages through all products with low stock", async () => {
  const products = Array.from({ length: 110 }, (_, i) =>
    simpleProduct({}, { quantity: Math.floor(i / 60) }),
  );
  const { catalogue } = await createClient({ products });
  const seen: string[] = [];
  let path: string | null = `/stock?${inCatalogue(catalogue)}`;
  while (path !== null) {
    const page = await user.get(path);
    expect(page.html.length).toBeLessThan(60_000);
    expect(page.text).toContain("fewer than 10 pieces: 110");
    seen.push(...[...page.html.matchAll(/href="\/stock\/(\d+)"/g)].map(([, id = ""]) => id));
    const next: string | undefined = /rel="next" href="([^"]+)"/.exec(page.html)?.[1];
    path = next === undefined ? null : `/stock${next.replaceAll("&amp;", "&")}`;
  }
  expect(seen.toSorted()).toEqual(products.map(({ product }) => String(product.id)).toSorted());
});

test("opens a product by its id, or by its key in a shop", async () => {
  const { product, client } = await openShop();
  const id = String(product.product.id);
  const byId = await user.get(`/stock?product=${id}`);
  expect([byId.status, byId.headers.get("Location")]).toEqual([303, `/stock/${id}`]);
  await sql(
    "INSERT INTO product_sources (catalogue_id, source_key, product_id, variation_id) VALUES (?, 'sku:MUG', ?, 0)",
    client.catalogueId,
    product.product.id,
  ).run();
  const bySku = await user.get(`/stock?product=MUG&${inCatalogue(client.catalogue)}`);
  expect(bySku.headers.get("Location")).toBe(`/stock/${id}`);
  const unknown = await user.get(`/stock?product=CUP&${inCatalogue(client.catalogue)}`);
  expect(unknown.text).toContain("has no source key, SKU or handle CUP");
  const incomplete = await user.get("/stock?product=MUG");
  expect(incomplete.text).toContain("Product must be the id of a product");
});

test("shows the stock of a product's variations", async () => {
  const shop = variableProduct({ name: HOSTILE }, 7);
  const { catalogue } = await createClient({ products: [shop] });
  const { id, variations } = shop.product;
  const page = await user.get(`/stock/${String(id)}`);
  expect(page.text).toContain(HOSTILE);
  expect(page.html).not.toContain("<img");
  expect(page.text).toContain(catalogue);
  for (const variation of variations) {
    expect(page.text).toContain(`${String(variation.id)} ${variation.sku} Size`);
    expect(page.html).toContain(`/stock/${String(id)}/${String(variation.id)}/set`);
  }
  expect(page.meter.roundTrips).toBe(1);
  const viewer = await testConsole.signIn("viewer");
  expect((await viewer.get(`/stock/${String(id)}`)).html).not.toContain("/set");
  expect((await viewer.get(`/stock/${String(id)}/0/set`)).status).toBe(403);
  expect((await user.get("/stock/999999999")).status).toBe(404);
});

test("sets the stock", async () => {
  const { product } = await openShop(simpleProduct({ name: HOSTILE }, { quantity: 40 }));
  const { id } = product.product;
  const form = await user.get(`/stock/${String(id)}/0/set`);
  const values = { quantity: "25", reason: "Stocktaking" };
  const plan = await user.submit(form, "Continue", values);
  expect(plan.text).toContain(
    `This will change the stock of product ${String(id)} (${HOSTILE}) to 25. It is 40 now.`,
  );
  expect(plan.html).not.toContain("<img");
  expect(await changesOf(id)).toEqual([]);
  const done = await user.submit(plan, "Set the stock");
  expect(done.text).toContain(`The stock of product ${String(id)} is 25. Before, it was 40.`);
  expect(await stockOf(id)).toBe(25);
  expect(await changesOf(id)).toMatchObject([
    { action: "stock set", actor: user.name, reason: "Stocktaking", subject: String(id) },
  ]);
  expect((await changesOf(id))[0]?.requestId).not.toBeNull();
  const same = await user.submit(form, "Continue", values);
  expect(same.text).toContain("Nothing would be changed.");
});

test("ends the tracking of a variation", async () => {
  const shop = variableProduct({}, 7);
  await createClient({ products: [shop] });
  const { id, variations } = shop.product;
  const variation = variations[0]?.id ?? 0;
  const form = await user.get(`/stock/${String(id)}/${String(variation)}/set`);
  const plan = await user.submit(form, "Continue", { untracked: "on", reason: "Made to order" });
  expect(plan.text).toContain("to untracked. It is 7 now.");
  await user.submit(plan, "Set the stock");
  expect([await stockOf(id, variation), await stockOf(id, variations[1]?.id)]).toEqual([null, 7]);
  expect(await changesOf(id)).toMatchObject([
    { subject: `${String(id)}/${String(variation)}`, after: { quantity: null } },
  ]);
});

test("adds and removes pieces", async () => {
  const { product } = await openShop(simpleProduct({}, { quantity: 5 }));
  const { id } = product.product;
  const form = await user.get(`/stock/${String(id)}/0/adjust`);
  const plan = await user.submit(form, "Continue", { pieces: "12", reason: "Delivery 4711" });
  expect(plan.text).toContain("by +12. It is 5 now.");
  await user.submit(plan, "Adjust the stock");
  const broken = await user.submit(form, "Continue", { pieces: "-3", reason: "Broken" });
  await user.submit(broken, "Adjust the stock");
  expect(await stockOf(id)).toBe(14);
  expect(await changesOf(id)).toMatchObject([
    { action: "stock adjust", reason: "Broken" },
    { action: "stock adjust", reason: "Delivery 4711" },
  ]);
  const tooMany = await user.submit(form, "Continue", { pieces: "-15", reason: "Broken" });
  expect([tooMany.status, tooMany.text]).toEqual([
    409,
    expect.stringContaining(
      `The stock of product ${String(id)} is 14, so it cannot be reduced by 15`,
    ),
  ]);
});

test("shows the plan again if an order has changed the stock", async () => {
  const { product } = await openShop(simpleProduct({}, { quantity: 5 }));
  const { id } = product.product;
  const form = await user.get(`/stock/${String(id)}/0/adjust`);
  const plan = await user.submit(form, "Continue", { pieces: "2", reason: "Found" });
  await sql("UPDATE stock SET quantity = 4 WHERE product_id = ?", id).run();
  const again = await user.submit(plan, "Adjust the stock");
  expect(again.text).toContain("by +2. It is 4 now.");
  expect(await stockOf(id)).toBe(4);
  await user.submit(again, "Adjust the stock");
  expect(await stockOf(id)).toBe(6);
});

test("refuses invalid quantities, and changes without a reason", async () => {
  const { product } = await openShop();
  const { id } = product.product;
  const set = await user.get(`/stock/${String(id)}/0/set`);
  const adjust = await user.get(`/stock/${String(id)}/0/adjust`);
  const refused = async (form: typeof set, values: Record<string, string>, text: string) => {
    const page = await user.submit(form, "Continue", values);
    expect([page.status, page.text]).toEqual([422, expect.stringContaining(text)]);
  };
  await refused(set, { reason: "Count" }, "Quantity is required unless untracked is set");
  await refused(set, { quantity: "-1", reason: "Count" }, "Quantity must be an integer from 0");
  await refused(set, { quantity: "1", reason: "" }, "Reason must be one line of text");
  await refused(adjust, { pieces: "0", reason: "Count" }, "Pieces must be a whole number other");
  const wrong = await user.get(`/stock/${String(id)}/7/adjust`);
  const variation = await user.submit(wrong, "Continue", { pieces: "1", reason: "Count" });
  expect(variation.text).toContain(`Product ${String(id)} has no variations.`);
  expect(await changesOf(id)).toEqual([]);
});
