// `catalogue publish`: refused files, repeated publications, and one that is killed.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readPage } from "../../../src/features/catalogue/queries.ts";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";
import { NODE, OPS } from "../../servers/command.ts";
import { json, refusal, runOps, SEED } from "../ops.ts";
import { OWN_PRODUCT } from "../../operator/catalogue/import/shop-files.ts";
import { platform, usePlatform } from "../platform.ts";

const { folder, state } = usePlatform();

const fixture = (name: string) =>
  path.join(PROJECT_ROOT, "test/operator/catalogue/import/files", name);

describe("catalogue", () => {
  test("check lists every problem and writes nothing; publish refuses the same file", async () => {
    const file = fixture("woocommerce-problems.csv");
    const [checked, refused] = await Promise.all([
      runOps("catalogue", "check", file, "--currency", "AUD"),
      runOps("catalogue", "publish", file, "--currency", "AUD", "--catalogue", "problems"),
    ]);
    for (const { code, out, err } of [checked, refused]) {
      expect(code).toBe(1);
      expect(out).toMatch(/ROW +PRODUCT +FIELD +PROBLEM/);
      expect(out).toMatch(/5 +Lost +Parent +is not a variable product in this file: id:99/);
      expect(err).toContain("7 problems in 6 rows");
    }
    await refusal(1, "there is no catalogue problems", "catalogue", "show", "problems");
    await refusal(1, "UTF-8", "catalogue", "check", fixture("latin-1.csv"), "--currency", "AUD");
  });

  test("publish keeps ids and stock, and skips invalid products with --skip-invalid", async () => {
    const publishing = (file: string) =>
      json(
        "catalogue publish --currency AUD --catalogue shop --skip-invalid --allow-unpublish",
        fixture(file),
      );
    expect(await publishing("woocommerce.csv")).toMatchObject({ version: 1, added: 4 });
    expect(await publishing("woocommerce.csv")).toMatchObject({
      version: 2,
      added: 0,
      changed: 0,
      unpublished: 0,
    });
    expect(await publishing("woocommerce-problems.csv")).toMatchObject({
      version: 3,
      added: 1,
      unpublished: 4,
    });
  });
});

describe("a catalogue file that affects other products", () => {
  /** A file with the first `count` products of the seed. */
  function fileOf(count: number): string {
    const file = path.join(folder, `seed-${String(count)}.json`);
    const { products } = JSON.parse(readFileSync(SEED, "utf8")) as { products: unknown[] };
    writeFileSync(file, JSON.stringify({ products: products.slice(0, count) }));
    return file;
  }

  test("is published with products of another catalogue only with --share-stock", async () => {
    await json("catalogue", "publish", SEED);
    const publishing = ["catalogue", "publish", fileOf(2), "--catalogue", "vendor"];
    await refusal(1, "product_id 1001, 1002 (of catalogue main)", ...publishing);
    await refusal(1, "there is no catalogue vendor", "catalogue", "show", "vendor");
    expect(await json(...publishing, "--share-stock")).toMatchObject({ version: 1, added: 2 });
  });

  test("is published only with --allow-unpublish if it removes more than a tenth of the catalogue", async () => {
    const publishing = (count: number, ...words: string[]) => [
      "catalogue",
      "publish",
      fileOf(count),
      "--catalogue",
      "tenth",
      "--share-stock",
      ...words,
    ];
    await json(...publishing(20));
    expect(await json(...publishing(18))).toMatchObject({ version: 2, unpublished: 2 });
    await refusal(1, "unpublish 2 of 18 products", ...publishing(16));
    expect(await json("catalogue", "show", "tenth")).toMatchObject({ version: 2, total: 18 });
    expect(await json(...publishing(16, "--allow-unpublish"))).toMatchObject({
      version: 3,
      unpublished: 2,
    });
  });
});

describe("a large publication that is killed", () => {
  const SIZE = 100;

  /** `SIZE` products, all of them named `name`, which are staged in several chunks. */
  function writeCatalogue(name: string): string {
    const file = path.join(folder, `${name}.json`);
    const products = Array.from({ length: SIZE }, (_, n) => ({
      ...OWN_PRODUCT,
      product_id: 500_000 + n,
      product_name: name,
      product_description: `<p>${"One of very many. ".repeat(1_000)}</p>`,
      featured_image: "/images/products/gift.svg",
    }));
    writeFileSync(file, JSON.stringify({ products }));
    return file;
  }

  /** Kills the command and the runtime that it has started after its first progress output. */
  function killAtFirstProgress(child: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      child.stderr?.on("data", (text: Buffer) => {
        if (/published [\d,]+ of/.test(text.toString())) process.kill(-(child.pid ?? 0), "SIGKILL");
      });
      child.on("exit", (code, signal) => {
        if (signal === "SIGKILL") resolve();
        else reject(new Error(`the command was not killed, it ended with ${String(code)}`));
      });
    });
  }

  /** The product names that readers receive, each with its number of products. */
  async function shown(): Promise<Record<string, number>> {
    const { DB } = platform.env;
    const catalogue = await DB.prepare(
      `SELECT c.id, c.version, v.total_products AS total FROM catalogues c
       JOIN catalogue_versions v ON v.catalogue_id = c.id AND v.version = c.version
       WHERE c.name = 'large'`,
    ).first<{ id: number; version: number; total: number }>();
    if (!catalogue) throw new Error("the catalogue is not there");
    const { id, version, total } = catalogue;
    const current = { id, version, totals: { all: total, physical: total, digital: 0 } };
    const names: Record<string, number> = {};
    const { totals, listed } = await readPage(DB, current, { limit: 500, page: 1, delivery: null });
    expect(totals.all).toBe(SIZE);
    for (const { product } of listed) names[product.name] = (names[product.name] ?? 0) + 1;
    return names;
  }

  test("leaves the complete old catalogue, and completes when it runs again", async () => {
    const publishing = ["catalogue", "publish", "--catalogue", "large"];
    const [old, next] = [writeCatalogue("old"), writeCatalogue("next")];
    expect(await json(...publishing, old)).toMatchObject({ version: 1, added: SIZE });

    // A trigger holds the last chunk, so that the kill does not depend on the speed of the machine.
    const { DB } = platform.env;
    await DB.prepare(
      `CREATE TRIGGER hold BEFORE INSERT ON product_revisions
       WHEN (SELECT count(*) FROM product_revisions WHERE product_id >= 500000) = ${String(2 * SIZE - 1)}
       BEGIN SELECT count(*) FROM products a, products b, products c, products d, products e; END`,
    ).run();
    const words = [OPS, "--persist-to", state, ...publishing, next];
    const child = spawn(NODE, words, { cwd: PROJECT_ROOT, detached: true });
    await killAtFirstProgress(child);
    await DB.prepare("DROP TRIGGER hold").run();
    expect(await shown()).toEqual({ old: SIZE });

    expect(await json(...publishing, next)).toMatchObject({ version: 3, changed: SIZE });
    expect(await shown()).toEqual({ next: SIZE });
  });
});
