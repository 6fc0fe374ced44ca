// The operation `catalogue publish`: its plan, what it refuses, and two publications at once.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import seed from "../../../seed/catalogue.json" with { type: "json" };
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { openConsole } from "../../console/console.ts";
import { overriding } from "../../support/counting.ts";
import { simpleProduct, unique } from "../../support/fixtures.ts";
import { openOperatorApi } from "../operator-api.ts";
import { OWN_PRODUCT, wooCommerceFile } from "./import/shop-files.ts";
import {
  addCatalogue,
  fileOf,
  openCatalogue,
  publishedIn,
  quantitiesIn,
  shopFile,
  tracked,
  versionOf,
} from "./published.ts";

const api = await openOperatorApi(["engineer"]);

const PUBLISH = "catalogue publish";

const entriesOf = async (catalogue: string) =>
  (await listAudit(env.DB, { limit: 20 })).filter(({ subject }) => subject === catalogue);

/** A file of Regalo's own format. */
const ownFile = (products: object[]) => fileOf(JSON.stringify({ products }), "own.json");

const own = (changes: object = {}) => ({
  ...OWN_PRODUCT,
  product_id: 800_000 + unique(),
  featured_image: "/a.svg",
  ...changes,
});

describe("the plan", () => {
  test("has the products that are new, changed and unpublished, with the fields that differ", async () => {
    const rows = ["Vase", "Bowl", "Cup"].map((Name) => ({ Name, ID: Name, SKU: Name }));
    const catalogue = await openCatalogue(api, rows);
    const input = {
      catalogue,
      file: shopFile([
        { ...rows[0], "Regular price": "12.00", Stock: "5" },
        { ...rows[1] },
        { Name: "Jug", ID: "Jug", SKU: "Jug" },
      ]),
      allow_large_changes: true,
    };
    const plan = await api.plan(PUBLISH, { ...input, shipping: "7" });
    expect(plan.changes).toEqual([{ label: "Shipping cost", before: "9.50", after: "7.00" }]);
    const counts = { added: 1, changed: 2, unpublished: 1, unchanged: 0 };
    expect(plan.facts).toEqual({ products: 3, ...counts, raised: 1, largest_rise: "20" });
    expect(plan.lists).toMatchObject({
      added: [{ name: "Jug" }],
      changed: [
        {
          name: "Vase",
          changes: "price from 10.00 to 12.00, shipping cost from 9.5 to 7, track inventory",
        },
        { name: "Bowl", changes: "shipping cost from 9.5 to 7" },
      ],
      unpublished: [{ name: "Cup" }],
    });
    expect(await versionOf(api, catalogue)).toBe(1);
    const done = await api.run(PUBLISH, input);
    expect(done.facts).toMatchObject({ version: 2, added: 1, changed: 1, unpublished: 1 });
    expect(await entriesOf(catalogue)).toMatchObject([
      { action: PUBLISH, actor: "engineer@regalo.example", after: { version: 2, products: 3 } },
      { action: PUBLISH, after: { version: 1 } },
      { action: "catalogue add" },
    ]);
    const again = await api.plan(PUBLISH, input);
    expect(again.facts).toMatchObject({ added: 0, changed: 0, unpublished: 0, unchanged: 3 });
  });

  test("has the first hundred of many changes", async () => {
    const catalogue = await addCatalogue(api);
    const plan = await api.plan(PUBLISH, { catalogue, file: shopFile(tracked(120)) });
    expect([plan.facts["added"], plan.lists["added"]?.length, plan.warnings.length]).toEqual([
      120, 100, 1,
    ]);
  });

  test("depends on the file, and on the version that it replaces", async () => {
    const catalogue = await openCatalogue(api, tracked(20));
    const input = { catalogue, file: shopFile(tracked(21)) };
    const { digest } = await api.plan(PUBLISH, input);
    const other = { catalogue, file: shopFile(tracked(21, { Tags: "x" })) };
    const query = { digest, request_id: crypto.randomUUID() };
    expect((await api.call(PUBLISH, other, query)).status).toBe(409);
    const publishMore = () => api.run(PUBLISH, { catalogue, file: shopFile(tracked(22)) });
    const late = await api.confirm(PUBLISH, input, publishMore);
    expect([late.status, JSON.parse(late.html).code]).toEqual([409, "plan_changed"]);
    expect(await versionOf(api, catalogue)).toBe(2);
  });
});

test("a publication that is overtaken between its plan and its first write changes nothing", async () => {
  const catalogue = await openCatalogue(api, tracked(20));
  let step: "planning" | "starting" | "overtaken" = "planning";
  const DB = overriding(env.DB, {
    prepare: (text: string) => {
      if (step === "planning" && text.includes("staged_version + 1")) step = "starting";
      return env.DB.prepare(text);
    },
    batch: async (statements: D1PreparedStatement[]) => {
      if (step === "starting") {
        step = "overtaken";
        await api.run(PUBLISH, { catalogue, file: shopFile(tracked(22)) });
      }
      return env.DB.batch(statements);
    },
  });
  const other = await openOperatorApi(["engineer"], await openConsole({ env: { DB } }));
  const input = { catalogue, file: shopFile(tracked(21)) };
  const late = await other.confirm(PUBLISH, input);
  expect([step, late.status, JSON.parse(late.html).code]).toEqual(["overtaken", 409, "refused"]);
  expect(await publishedIn(catalogue)).toHaveLength(22);
});

describe("a file with problems", () => {
  const unpriced = { "Regular price": "" };

  test("is refused with all of them, or published without these products", async () => {
    const catalogue = await openCatalogue(api, tracked(20));
    const file = shopFile([...tracked(20), { Name: "Lost", "Regular price": "free" }]);
    const refused = await api.plan(PUBLISH, { catalogue, file });
    expect(refused).toMatchObject({
      will: null,
      hasProblems: true,
      lists: { problems: [{ row: 22, product: "Lost", field: "Regular price" }] },
    });
    expect((await api.confirm(PUBLISH, { catalogue, file })).status).toBe(409);
    expect(await versionOf(api, catalogue)).toBe(1);
    const done = await api.run(PUBLISH, { catalogue, file, skip_invalid: true });
    expect(done).toMatchObject({
      hasProblems: true,
      facts: { version: 2, products: 20, problems: 1 },
      lists: { problems: [{ row: 22 }] },
    });
  });

  test("such as a price of zero that is not confirmed, or a confirmation of another product, is refused", async () => {
    const catalogue = await addCatalogue(api);
    const file = shopFile([{ Name: "Card", SKU: "C-1", "Regular price": "0" }, {}]);
    const plan = await api.plan(PUBLISH, { catalogue, file, free: ["Crad"] });
    expect(plan).toMatchObject({ will: null, lists: { problems: [{ product: "Card" }] } });
    const wrong = { catalogue, file, free: ["C-1", "Crad"] };
    expect(await api.refusal(PUBLISH, wrong)).toMatchObject({ status: 400, fields: ["free"] });
    await api.run(PUBLISH, { catalogue, file, free: ["C-1"] });
    expect(await publishedIn(catalogue)).toHaveLength(2);
  });

  test("is read until the hundredth, or the thousandth if they are left out", async () => {
    const catalogue = await addCatalogue(api);
    const shop = shopFile([...Array.from({ length: 150 }, () => unpriced), {}]);
    const first = await api.plan(PUBLISH, { catalogue, file: shop });
    expect([first.will, first.lists["problems"]]).toMatchObject([null, [{ row: 2, count: 100 }]]);
    const left = await api.plan(PUBLISH, { catalogue, file: shop, skip_invalid: true });
    expect(left.facts).toMatchObject({ products: 1, problems: 150 });
    const many = shopFile(Array.from({ length: 1_001 }, () => unpriced));
    const none = await api.plan(PUBLISH, { catalogue, file: many, skip_invalid: true });
    expect([none.will, none.lists["problems"]]).toMatchObject([null, [{ row: 2, count: 1_000 }]]);
  });

  test("or encoded incorrectly is repaired, which is reported", async () => {
    const catalogue = await addCatalogue(api);
    const file = shopFile([{ Name: "â€œVaseâ€\u009d\u009d" }]);
    expect((await api.run(PUBLISH, { catalogue, file })).warnings).toHaveLength(1);
    expect(await publishedIn(catalogue)).toMatchObject([{ name: "“Vase”" }]);
    expect((await api.plan(PUBLISH, { catalogue, file })).facts).toMatchObject({ unchanged: 1 });
  });

  test("is refused if it is not a catalogue, has no product, too many, or lacks its currency", async () => {
    const catalogue = await addCatalogue(api, {});
    const status = async (file: File) => (await api.refusal(PUBLISH, { catalogue, file })).status;
    expect(await status(fileOf("neither"))).toBe(400);
    expect(await status(shopFile([{}]))).toBe(400);
    expect(await status(fileOf("x".repeat(20_000_001)))).toBe(400);
    const currency = "AUD";
    const draft = shopFile([{ Published: "-1" }]);
    const hidden = await api.plan(PUBLISH, { catalogue, file: draft, currency });
    expect(hidden).toMatchObject({ will: null, hasProblems: true, facts: { left_out: 1 } });
  });
});

describe("a file that does not track a product", () => {
  test("ends its tracking only if that is allowed, which is shown", async () => {
    const catalogue = await openCatalogue(api, [{}, { Name: "Other" }]);
    const [product] = await publishedIn(catalogue);
    const file = shopFile([{}, { Name: "Other" }]);
    await api.run("stock set", { product: product?.id, quantity: 5, reason: "Count" });
    const refused = await api.plan(PUBLISH, { catalogue, file });
    expect([refused.will, refused.text]).toEqual([
      null,
      expect.stringContaining(`${String(product?.id)} Product 1 (5 left)`),
    ]);
    expect(refused.lists["changed"]).toMatchObject([{ changes: "track inventory" }]);
    const input = { catalogue, file, untracked: true };
    const plan = await api.plan(PUBLISH, input);
    expect(plan.lists["ended"]).toEqual([{ product: product?.id, variation: null, quantity: 5 }]);
    await api.run(PUBLISH, input);
    expect(await quantitiesIn(catalogue)).toEqual([null, null]);
    expect((await api.run(PUBLISH, { catalogue, file })).facts).toMatchObject({ changed: 0 });
  });
});

test("the quantities of existing products are kept, or replaced by those of the file", async () => {
  const catalogue = await openCatalogue(api, tracked(2));
  const file = shopFile(tracked(3, { Stock: "9" }));
  await api.run(PUBLISH, { catalogue, file });
  expect(await quantitiesIn(catalogue)).toEqual([5, 5, 9]);
  await api.run(PUBLISH, { catalogue, file, stock: "replace" });
  expect(await quantitiesIn(catalogue)).toEqual([9, 9, 9]);
});

test("more than a tenth of a catalogue is unpublished only if it is allowed", async () => {
  const catalogue = await openCatalogue(api, tracked(20));
  const file = (count: number) => shopFile(tracked(count));
  await api.run(PUBLISH, { catalogue, file: file(18) });
  const refused = await api.plan(PUBLISH, { catalogue, file: file(16) });
  expect(refused).toMatchObject({ will: null, hasProblems: true, facts: { unpublished: 2 } });
  const input = { catalogue, file: file(16), allow_large_changes: true };
  expect((await api.run(PUBLISH, input)).facts).toMatchObject({ version: 3, unpublished: 2 });
});

test("products of another catalogue are published only if the stock is shared", async () => {
  const catalogue = await addCatalogue(api, {});
  const other = simpleProduct();
  await publish(env.DB, `owner ${String(unique())}`, [other], Date.now());
  const file = ownFile([own({ product_id: other.product.id }), own({ product_id: "x" })]);
  const refused = await api.plan(PUBLISH, { catalogue, file, skip_invalid: true });
  expect([refused.will, refused.text]).toEqual([null, expect.stringContaining("share the stock")]);
  expect(refused.lists["problems"]).toMatchObject([{ row: 2, field: "product_id" }]);
  const input = { catalogue, file, skip_invalid: true, share_stock: true, untracked: true };
  expect((await api.run(PUBLISH, input)).facts).toMatchObject({ version: 1, added: 1 });
});

test("Regalo's own file of the seed is published again without a change", async () => {
  const catalogue = await addCatalogue(api, { language: "en" });
  const file = fileOf(JSON.stringify(seed), "catalogue.json");
  const input = { catalogue, file, share_stock: true };
  expect((await api.run(PUBLISH, input)).facts).toMatchObject({ added: seed.products.length });
  expect((await api.run(PUBLISH, input)).facts).toMatchObject({ version: 2, changed: 0, added: 0 });
});

test("reports its progress", async () => {
  const catalogue = await addCatalogue(api);
  const input = { catalogue, file: fileOf(wooCommerceFile(tracked(5))) };
  const { digest } = await api.plan(PUBLISH, input);
  const query = { digest, request_id: crypto.randomUUID() };
  const headers = { Accept: "application/x-ndjson" };
  const { html } = await api.call(PUBLISH, input, query, { headers });
  const steps = html
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(steps).toMatchObject([
    { done: 5, total: 5 },
    { status: 200, body: { facts: { version: 1 } } },
  ]);
});
