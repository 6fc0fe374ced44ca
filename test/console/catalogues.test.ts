// The pages of catalogues.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { carryOut, planChange } from "../../src/operator/change.ts";
import { fromSource } from "../../src/operator/catalogue/publish/identity.ts";
import { publish } from "../../src/operator/catalogue/publish/publish.ts";
import { MAX_UPLOAD_PRODUCTS, PUBLISH_FILE } from "../../src/operator/catalogue/publish-file.ts";
import { listCatalogues } from "../../src/operator/catalogue/queries.ts";
import { type ConsolePage, type ConsoleUser, openConsole, type TestConsole } from "./console.ts";
import type { CatalogueSettings } from "../../src/platform/db/schema.ts";
import { simpleProduct, unique } from "../support/fixtures.ts";
import { runs } from "../support/runs.ts";
import { OWN_PRODUCT, readText, wooCommerceFile } from "../operator/catalogue/import/shop-files.ts";

let testConsole: TestConsole;
let engineer: ConsoleUser;

beforeAll(async () => {
  testConsole = await openConsole();
  engineer = await testConsole.signIn("engineer");
});

const HOSTILE = "<script>alert(1)</script>";

type Rows = Parameters<typeof wooCommerceFile>[0];

/** A catalogue of a WooCommerce shop, whose rows are published. */
async function openCatalogue(
  rows: Rows,
  settings: CatalogueSettings = { currency: "AUD", shippingMinor: 950, vendor: HOSTILE },
) {
  const name = `shop ${String(unique())} & Söhne?`;
  const { products } = readText(wooCommerceFile(rows), { vendor: HOSTILE, locations: [] });
  await publish(env.DB, name, products.map(fromSource), Date.now(), { settings });
  return { name, path: `/catalogues/${encodeURIComponent(name)}` };
}

const upload = (rows: Rows, name = "products.csv") => ({
  file: new File([wooCommerceFile(rows)], name),
});

const versionOf = async (name: string) => (await listCatalogues(env.DB, name))[0]?.version;

const changesOf = async (name: string) =>
  (await listAudit(env.DB, { limit: 20 })).filter(({ subject }) => subject === name);

const review = async (path: string, values: Record<string, string | File>): Promise<ConsolePage> =>
  engineer.submit(await engineer.get(`${path}/publish`), "Continue", values);

const tracked = (count: number, changes: Rows[number] = {}): Rows =>
  Array.from({ length: count }, () => ({ Stock: "5", ...changes }));

test("lists catalogues", async () => {
  const { name, path } = await openCatalogue(tracked(3));
  const page = await engineer.get("/catalogues?after=shop");
  expect(page.status).toBe(200);
  expect(page.text).toContain(`${name} 1 3 3 0 0`);
  expect(page.html).toContain(`href="${path}"`);
  expect(page.meter.roundTrips).toBe(1);
  expect(page.html.length).toBeLessThan(60_000);
});

test("shows a catalogue with its settings and versions", async () => {
  const { path } = await openCatalogue(tracked(3));
  const page = await engineer.get(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain("shipping 9.50");
  expect(page.text).toContain(HOSTILE);
  expect(page.html).not.toContain(HOSTILE);
  expect(page.meter.roundTrips).toBe(2);
  const support = await testConsole.signIn("support");
  expect((await support.get(path)).html).not.toContain("/publish");
  expect((await support.get(`${path}/publish`)).status).toBe(403);
  expect((await engineer.get("/catalogues/unknown")).status).toBe(404);
});

test("publishes a file after its differences are confirmed", async () => {
  const { name, path } = await openCatalogue(tracked(20));
  const rows = [...tracked(19), { Stock: "5", Name: HOSTILE }, { Name: "Another" }];
  const form = await engineer.get(`${path}/publish`);
  expect(form.text).toContain("At most 4 MB and 2000 products");
  const plan = await engineer.submit(form, "Continue", upload(rows));
  expect(plan.status).toBe(200);
  expect(plan.text).toContain(
    `This will replace version 1 of catalogue ${name}, which 0 clients can order from, with 21 products of the file products.csv: 1 new, 1 changed, 0 unpublished, 19 unchanged; existing products keep their quantity.`,
  );
  expect(plan.text).toMatch(/changed <script>alert\(1\)<\/script> \d+ product_name/);
  expect(plan.text).toContain("new Another");
  expect(plan.html).not.toContain(HOSTILE);
  expect(await versionOf(name)).toBe(1);
  const done = await engineer.submit(plan, "Publish a file");
  expect(done.text).toContain("Version 2 with 21 products is published.");
  expect(await versionOf(name)).toBe(2);
  expect(await changesOf(name)).toMatchObject([
    { action: "catalogue publish", actor: engineer.name, after: { version: 2, products: 21 } },
  ]);
  expect((await changesOf(name))[0]?.requestId).not.toBeNull();
  const versions = await engineer.get(path);
  expect(versions.text).toMatch(/2 [\d-]+ [\d:]+ UTC 21 21 0 1 /);
});

test("shows the plan again if somebody else has published meanwhile", async () => {
  const { name, path } = await openCatalogue(tracked(20));
  const plan = await review(path, upload(tracked(21)));
  const other = await testConsole.signIn("engineer");
  const theirs = await other.submit(
    await other.get(`${path}/publish`),
    "Continue",
    upload(tracked(22)),
  );
  await other.submit(theirs, "Publish a file");
  const again = await engineer.submit(plan, "Publish a file");
  expect(again.text).toContain("Check it again");
  expect(again.text).toContain("replace version 2");
  expect(await versionOf(name)).toBe(2);
});

test("refuses to replace a version that follows the one of the plan", async () => {
  const { name } = await openCatalogue(tracked(20));
  const bytes = new TextEncoder().encode(wooCommerceFile(tracked(21)));
  const none = {
    currency: null,
    skipInvalid: false,
    untracked: false,
    shareStock: false,
    allowUnpublish: false,
  };
  const file = { catalogue: name, file: "products.csv", bytes, stock: "keep" as const, ...none };
  const plan = await planChange(env, PUBLISH_FILE, file, Date.now());
  const operator = { actor: engineer.name, requestId: null, reason: null };
  const run = () => carryOut(env, PUBLISH_FILE, plan, operator, Date.now());
  expect(await run()).toMatchObject({ version: 2 });
  await expect(run()).rejects.toThrow("has been published meanwhile. Nothing was changed.");
  expect(await versionOf(name)).toBe(2);
});

test("refuses a file with problems, and lists those of the products that it leaves out", async () => {
  const { name, path } = await openCatalogue(tracked(20));
  const rows = [...tracked(20), { Name: HOSTILE, "Regular price": "free" }];
  const refused = await review(path, upload(rows, `${HOSTILE}.csv`));
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("has 1 problem in 1 row. The first: row 22, Regular price");
  expect(refused.html).not.toContain(HOSTILE);
  const plan = await review(path, { ...upload(rows), skip_invalid: "on" });
  expect(plan.text).toContain("Problems in the file: 1 of 1");
  expect(plan.text).toMatch(/22 <script>alert\(1\)<\/script> Regular price must/);
  expect(plan.text).toContain("20 unchanged");
  expect(await versionOf(name)).toBe(1);
});

test("ends the tracking of stock only if it is allowed, and shows where", async () => {
  const { path } = await openCatalogue(tracked(20));
  const rows = [...tracked(19), {}];
  const refused = await review(path, upload(rows));
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringMatching(/tracks the stock of 1 product that the file does not track/),
  ]);
  const plan = await review(path, { ...upload(rows), untracked: "on" });
  expect(plan.text).toContain("the tracking of 1 stock record ends");
  expect(plan.text).toMatch(
    /Stock whose tracking ends, .*: 1 of 1 Product Variation Quantity \d+ – 5/,
  );
});

test("unpublishes more than a tenth of a catalogue only if it is allowed", async () => {
  const { name, path } = await openCatalogue(tracked(20));
  const refused = await review(path, upload(tracked(17)));
  expect(refused.text).toContain(`This would unpublish 3 of 20 products of catalogue ${name}`);
  const plan = await review(path, { ...upload(tracked(17)), allow_unpublish: "on" });
  expect(plan.text).toContain("3 unpublished");
  await engineer.submit(plan, "Publish a file");
  expect(await versionOf(name)).toBe(2);
});

test("refuses products of another catalogue, unreadable files and no file", async () => {
  const { path } = await openCatalogue(tracked(20));
  const other = simpleProduct();
  await publish(env.DB, `owner ${String(unique())}`, [other], Date.now());
  const unreadable = await review(path, { file: new File(["neither"], "text.csv") });
  expect([unreadable.status, unreadable.text]).toEqual([
    409,
    expect.stringContaining("The file text.csv is neither a Regalo JSON file"),
  ]);
  const none = await review(path, {});
  expect([none.status, none.text]).toEqual([
    422,
    expect.stringContaining("File must be chosen, and must not be empty."),
  ]);
  expect((await engineer.get("/catalogues/unknown/publish")).status).toBe(404);
  const foreign = JSON.stringify([
    { ...OWN_PRODUCT, product_id: other.product.id, featured_image: "/a.svg" },
  ]);
  const own = { file: new File([foreign], "own.json"), allow_unpublish: "on" };
  const taken = await review(path, own);
  expect(taken.text).toContain("these products belong to another catalogue");
});

test("asks once for the currency of a shop's file", async () => {
  const { name, path } = await openCatalogue([{}], {});
  const rule = "does not contain a currency, which must be given";
  expect((await review(path, upload([{}]))).text).toContain(rule);
  const plan = await review(path, { ...upload([{}]), currency: "nzd" });
  await engineer.submit(plan, "Publish a file");
  expect((await listCatalogues(env.DB, name))[0]).toMatchObject({ settings: { currency: "NZD" } });
  expect((await review(path, upload([{}]))).text).toContain("No product would be changed.");
});

test("names the size of a file that is too large, and the command", async () => {
  const { path } = await openCatalogue(tracked(1));
  const large = await review(path, { file: new File(["x".repeat(4_100_000)], "large.csv") });
  expect(large.text).toContain("The file large.csv has 4.1 MB. The console publishes at most 4 MB");
  expect(large.text).toContain("catalogue publish");
  const many = await review(path, upload(tracked(MAX_UPLOAD_PRODUCTS + 1)));
  expect(many.text).toContain("has 2,001 products. The console publishes at most");
});

test("publishes a file of the maximum size within the limits of a request", async () => {
  // A file of the same size with a tenth of the products, except in a full run.
  const count = runs(MAX_UPLOAD_PRODUCTS);
  const words = "Made by hand in small numbers. ".repeat((56 * MAX_UPLOAD_PRODUCTS) / count);
  const rows = tracked(count, { Description: `<p>${words}</p>` });
  const { name, path } = await openCatalogue(rows);
  const changed = rows.map((row, n) => (n % 2 === 0 ? row : { ...row, Name: "New name" }));
  const file = upload(changed);
  expect(file.file.size).toBeGreaterThan(3_400_000);
  const plan = await review(path, file);
  expect(plan.text).toContain(`${String(count / 2)} changed`);
  expect(plan.html.length).toBeLessThan(60_000);
  const done = await engineer.submit(plan, "Publish a file");
  expect(done.text).toContain("is published");
  expect(done.meter.roundTrips).toBeLessThan(100);
  expect(await versionOf(name)).toBe(2);
});
