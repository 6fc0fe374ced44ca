// Repeated publication of shops' files: settings, prompts and comparisons.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Product } from "../../../src/features/catalogue/product.ts";
import type { ProductStock } from "../../../src/operator/catalogue/stock.ts";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";
import {
  csv,
  INVENTORY_HEAD,
  OWN_PRODUCT,
  shopifyFile,
  wooCommerceFile,
} from "../../operator/catalogue/import/shop-files.ts";
import { runOps, wordsOf } from "../ops.ts";
import { platform, usePlatform } from "../platform.ts";

const { folder } = usePlatform();

let files = 0;

/** Creates a file with this content. */
function fileOf(content: string): string {
  const file = path.join(folder, `file-${String(++files)}`);
  writeFileSync(file, content);
  return file;
}

const catalogue = (...words: string[]) => runOps("catalogue", ...wordsOf(words));

/** The JSON output of a command that must succeed. It is untyped. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function json(...words: string[]): Promise<any> {
  const { code, out, err } = await catalogue(...words, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

/** The published products in the database, by name. */
async function published(name: string) {
  const { results } = await platform.env.DB.prepare(
    `SELECT r.shipping_minor AS shippingMinor, r.locations, r.content, s.quantity
     FROM catalogues c
     JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
     JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision
     JOIN stock s ON s.product_id = e.product_id
     WHERE c.name = ? ORDER BY e.position`,
  )
    .bind(name)
    .all<{ shippingMinor: number; locations: string; content: string; quantity: number }>();
  return results.map(({ content, ...row }) => {
    const { featuredImage, vendor } = JSON.parse(content) as Pick<
      Product,
      "featuredImage" | "vendor"
    >;
    return { ...row, image: featuredImage, vendor: vendor.name, logo: vendor.logo };
  });
}

describe("settings", () => {
  const file = fileOf(wooCommerceFile([{}]));
  const publishing = (name: string, ...words: string[]) =>
    catalogue("publish", file, "--catalogue", name, ...words);

  test("are kept until a flag changes them, and are displayed", async () => {
    const refused = await publishing("remembering");
    expect(refused.err).toContain("does not contain a currency");
    const first = await publishing(
      ...["remembering", "--currency", "AUD", "--shipping", "9.50", "--locations", "AU, NZ"],
      ...["--vendor", "Acme", "--vendor-logo", "https://acme.example/logo.svg"],
      ...["--language", "pt-br"],
    );
    expect(first.out).toContain(
      "Saved settings: currency AUD, locations AU,NZ, shipping 9.50, vendor Acme, " +
        "vendor logo https://acme.example/logo.svg, language pt-BR.",
    );
    const expected = {
      shippingMinor: 950,
      locations: '["AU","NZ"]',
      quantity: null,
      image: "https://shop.example/image.jpg",
      vendor: "Acme",
      logo: "https://acme.example/logo.svg",
    };
    expect(await published("remembering")).toEqual([expected]);

    const again = await publishing("remembering");
    expect(again.out).not.toContain("Saved settings");
    expect(again.out).toContain("0 changed");
    expect(await published("remembering")).toEqual([expected]);

    const changed = await publishing("remembering", "--shipping", "12", "--locations", "");
    expect(changed.out).toContain(
      "Saved settings: locations none (before AU,NZ), shipping 12.00 (before 9.50).",
    );
    expect(await published("remembering")).toEqual([
      { ...expected, shippingMinor: 1_200, locations: "[]" },
    ]);
    const { out } = await catalogue("show", "remembering");
    expect(out).toMatch(/currency +AUD\nlocations +-\nshipping +12.00\nvendor +Acme\nvendor logo/);
    const list = await catalogue("list");
    expect(list.out).toMatch(/CURRENCY +SHIPPING +LOCATIONS +VENDOR +LANGUAGE\n/);
    expect(list.out).toMatch(/^remembering .* AUD +12\.00 +- +Acme +pt-BR$/m);

    const removed = await publishing("remembering", "--language", "");
    expect(removed.out).toContain("Saved settings: language none (before pt-BR).");
    const other = await publishing("remembering", "--language", "pt_BR");
    expect([other.code, other.err]).toEqual([
      2,
      "error: --language must be a BCP 47 language tag, such as de or pt-BR: pt_BR\n",
    ]);
  });

  test("do not change if a file is refused or only checked", async () => {
    await publishing("careful", "--currency", "AUD", "--shipping", "9.50");
    const wrong = fileOf(wooCommerceFile([{ Stock: "x" }]));
    const refused = await catalogue("publish", wrong, "--catalogue", "careful", "--shipping", "1");
    expect([refused.code, refused.err]).toEqual([
      1,
      `error: ${wrong} has 1 problem in 1 row. Nothing was published. ` +
        "Correct the file, or skip these products with --skip-invalid.\n",
    ]);
    await catalogue("check", file, "--catalogue", "careful", "--shipping", "2");
    expect((await json("show", "careful")).settings).toEqual({
      currency: "AUD",
      shippingMinor: 950,
    });
  });

  test.for<[string, string, string]>([
    ["--placeholder", "//cdn.example/a.jpg", "--placeholder must be an http(s) URL, or a path"],
    ["--vendor-logo", "logo.svg", "--vendor-logo must be an http(s) URL, or a path"],
    ["--shipping", "9.50505", "--shipping must be an amount such as 110.00"],
    ["--locations", "Australia", "--locations must be ISO 3166-1 alpha-2 codes"],
    ["--currency", "aud", "--currency aud must be an ISO 4217 code"],
  ])("are wrong usage: %s %s", async ([option, value, message]) => {
    const { code, err } = await publishing("wrong", option, value);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test("have a shipping cost up to the largest price", async () => {
    const refused = await publishing("wrong", "--currency", "AUD", "--shipping", "100000000.00");
    expect([refused.code, refused.err]).toEqual([
      2,
      "error: --shipping must be at most 99999999.99 AUD: 100000000.00\n",
    ]);
  });

  test("have a shipping cost in their currency, with its decimals", async () => {
    const whole = fileOf(wooCommerceFile([{ "Regular price": "1200.00" }]));
    const publishWhole = async (...words: string[]) =>
      catalogue("publish", whole, "--catalogue", "decimals", ...words);
    const refused = await publishWhole("--currency", "JPY", "--shipping", "9.50");
    expect([refused.code, refused.err]).toEqual([
      2,
      "error: --shipping must be an amount in JPY, which has 0 decimals: 9.50\n",
    ]);
    const saved = await publishWhole("--currency", "JPY", "--shipping", "800");
    expect(saved.out).toContain("Saved settings: currency JPY, shipping 800.");
    expect(await published("decimals")).toMatchObject([{ shippingMinor: 800 }]);
    expect((await publishWhole("--shipping", "9.50")).err).toContain("JPY, which has 0 decimals");
    const changed = await publishWhole("--currency", "KWD");
    expect([changed.code, changed.err]).toEqual([
      2,
      "error: the saved shipping cost is 800 JPY: give --shipping in KWD.\n",
    ]);
    const both = await publishWhole("--currency", "KWD", "--shipping", "1.25");
    expect(both.out).toContain("currency KWD (before JPY), shipping 1.250 (before 800)");
    expect(await published("decimals")).toMatchObject([{ shippingMinor: 1_250 }]);
  });

  test("of shops' files do not apply to Regalo's own files", async () => {
    const own = path.join(PROJECT_ROOT, "seed/catalogue.json");
    const { code, err } = await catalogue("check", own, "--shipping", "5");
    expect(code).toBe(1);
    expect(err).toContain("contains its own currency, locations, shipping costs and vendors");
  });
});

describe("images", () => {
  const bare = fileOf(wooCommerceFile([{ Images: "" }]));
  const words = ["--catalogue", "pictures", "--currency", "AUD"];

  test("are required, and the placeholder is kept until it is removed", async () => {
    const refused = await catalogue("publish", bare, ...words);
    expect(refused.out).toMatch(/2 +Product 1 +Images +is empty: --placeholder sets an image/);
    await json("publish", bare, ...words, "--placeholder", "/images/products/gift.svg");
    await json("publish", bare, "--catalogue", "pictures");
    expect(await published("pictures")).toMatchObject([
      { image: "/images/products/gift.svg", logo: "/images/vendors/vendor.svg" },
    ]);
    const away = await catalogue("publish", bare, "--catalogue", "pictures", "--placeholder", "");
    expect(away.err).toContain("1 problem");
  });

  test("are also filled in Regalo's own files", async () => {
    const own = fileOf(JSON.stringify({ products: [OWN_PRODUCT] }));
    const refused = await catalogue("publish", own, "--catalogue", "own");
    expect(refused.out).toMatch(/1 +Vase +featured_image +is empty: --placeholder sets/);
    await json("publish", own, "--catalogue", "own", "--placeholder", "/a.svg");
    expect(await published("own")).toMatchObject([{ image: "/a.svg", logo: "/b.svg" }]);
  });
});

describe("a Shopify export without quantities", () => {
  const without = { without: ["Variant Inventory Qty"] };
  const file = fileOf(shopifyFile([{}, { Handle: "other", Title: "Other" }], without));
  const inventory = fileOf(
    csv(
      [...INVENTORY_HEAD, "Paris", "Rome"],
      ["product", "other"].map((Handle) => ({
        Handle,
        "Option1 Name": "Title",
        "Option1 Value": "Default Title",
        Paris: "2",
        Rome: "3",
      })),
    ),
  );
  const publishing = (name: string, ...words: string[]) =>
    catalogue("publish", file, "--currency", "AUD", "--catalogue", name, ...words);
  const quantities = async (name: string) =>
    (await published(name)).map(({ quantity }) => quantity);

  test("is published with untracked stock, which is reported once", async () => {
    const { code, out } = await publishing("uncounted");
    expect(code).toBe(0);
    expect(out.match(/stock is not tracked/g)).toHaveLength(1);
    expect(await quantities("uncounted")).toEqual([null, null]);
    expect((await publishing("uncounted", "--untracked")).out).not.toContain("not tracked");
  });

  test("takes its quantities from an inventory, which is then required", async () => {
    const counted = await publishing("counted", "--stock-from", inventory);
    expect(counted.out).toContain(`Quantities are read from ${inventory}: Paris, Rome.`);
    expect(await quantities("counted")).toEqual([5, 5]);
    for (const refused of [
      await publishing("counted"),
      await catalogue("check", file, "--currency", "AUD", "--catalogue", "counted"),
    ]) {
      expect(refused.code).toBe(1);
      expect(refused.err).toContain("catalogue counted tracks the stock of 2 products");
    }
    expect(await quantities("counted")).toEqual([5, 5]);
    expect((await publishing("counted", "--untracked")).code).toBe(0);
    expect(await quantities("counted")).toEqual([null, null]);
  });

  test("accepts one of the two options, and readable files only", async () => {
    expect((await publishing("both", "--untracked", "--stock-from", inventory)).code).toBe(2);
    const missing = await publishing("both", "--stock-from", path.join(folder, "none.csv"));
    expect([missing.code, missing.err]).toEqual([
      1,
      `error: ${folder}/none.csv cannot be read (ENOENT).\n`,
    ]);
    const wrong = await publishing("both", "--stock-from", file);
    expect(wrong.err).toContain(`${file} cannot be read: row 2`);
  });
});

describe("a file that does not track a product", () => {
  const name = "tracked";
  const words = ["--catalogue", name];
  const file = fileOf(wooCommerceFile([{}, { Name: "Other" }]));
  const quantities = async () => (await published(name)).map(({ quantity }) => quantity);

  test("ends the tracking of a quantity only with --untracked, and is counted alike by both commands", async () => {
    await json("publish", file, ...words, "--currency", "AUD");
    const set = ["stock", "set", "SKU-1", "--quantity", "5", "--reason", "count", ...words];
    expect((await runOps(...set)).code).toBe(0);
    const { productId } = JSON.parse(
      (await runOps("stock", "show", "SKU-1", ...words, "--json")).out,
    ) as ProductStock;
    const refusal =
      `error: catalogue ${name} tracks the stock of 1 product that the file does not track: ` +
      `${String(productId)} Product 1 (5 left).`;

    const checked = await catalogue("check", file, ...words);
    expect([checked.code, checked.err]).toEqual([1, expect.stringContaining(refusal)]);
    expect(checked.out).toMatch(/changed +\d+ +Product 1 +track_inventory\n/);
    expect(checked.out).toContain("0 new, 1 changed, 0 unpublished, 1 unchanged.");
    const refused = await catalogue("publish", file, ...words);
    expect([refused.code, refused.out, refused.err]).toEqual([
      1,
      "",
      expect.stringContaining(refusal),
    ]);
    expect(await quantities()).toEqual([5, null]);

    expect(await json("check", file, ...words, "--untracked")).toMatchObject({
      changed: [{ fields: ["track_inventory"] }],
    });
    expect(await json("publish", file, ...words, "--untracked")).toMatchObject({
      version: 2,
      added: 0,
      changed: 1,
      unpublished: 0,
    });
    expect(await quantities()).toEqual([null, null]);
    // Nothing is tracked any more.
    expect(await json("publish", file, ...words)).toMatchObject({ version: 3, changed: 0 });
  });
});

describe("a file with very many problems", () => {
  test("is read until the hundredth, and is refused", async () => {
    const file = fileOf(`[${"{},".repeat(2_999_999)}{}]`);
    for (const command of ["check", "publish"]) {
      const startMs = performance.now();
      const { code, out, err } = await catalogue(command, file, "--json");
      expect([code, (JSON.parse(out) as { problems: [] }).problems.length]).toEqual([1, 100]);
      expect(err).toMatch(/at least 100 problems in \d rows, after which reading stopped/);
      expect(performance.now() - startMs).toBeLessThan(15_000);
    }
  });

  test("is published without these products if they can be skipped", async () => {
    const words = ["--catalogue", "skipping", "--currency", "AUD", "--skip-invalid"];
    const unpriced = { "Regular price": "" };
    const rows = [...Array.from({ length: 150 }, () => unpriced), {}];
    const shop = fileOf(wooCommerceFile(rows));
    const checked = await catalogue("check", shop, ...words.slice(0, 4));
    expect(checked.err).toContain("at least 100 problems in 100 rows");
    expect(checked.out).not.toContain("Compared");
    const { out } = await catalogue("publish", shop, ...words);
    expect(out).toContain("and 50 more, which --json lists\n");
    expect(out).toContain("1 products, 1 new");
    const many = fileOf(wooCommerceFile(Array.from({ length: 10_001 }, () => unpriced)));
    const { code, err } = await catalogue("publish", many, ...words);
    expect(code).toBe(1);
    expect(err).toContain("at least 10,000 problems");
    expect(err).toContain("Correct the file.\n");
  });

  test("or with texts that were encoded incorrectly is repaired, which is reported", async () => {
    const file = fileOf(wooCommerceFile([{ Name: "â€œVaseâ€\u009d\u009d" }]));
    const words = ["--catalogue", "encoded", "--currency", "AUD"];
    const { code, out } = await catalogue("publish", file, ...words);
    expect([code, out]).toEqual([0, expect.stringContaining("Removed 1 control character of")]);
    expect((await json("check", file, ...words)).unchanged).toBe(1);
  });
});

describe("check", () => {
  const rows = ["Vase", "Bowl", "Cup"].map((Name) => ({ Name, ID: Name, SKU: Name }));
  const changed = fileOf(
    wooCommerceFile([
      { ...rows[0], "Regular price": "12.00", Stock: "5" },
      { ...rows[1] },
      { ...rows[2], ID: "Jug", SKU: "Jug", Name: "Jug" },
    ]),
  );

  test("lists the products that publishing would add, change and unpublish, and changes nothing", async () => {
    const words = ["--catalogue", "checked", "--currency", "AUD"];
    const file = fileOf(wooCommerceFile(rows));
    const nothing = await catalogue("check", file, ...words);
    expect(nothing.out).toContain("This catalogue has not been published yet.");
    expect((await catalogue("show", "checked")).err).toBe(
      "error: there is no catalogue checked.\n",
    );

    await json("publish", file, ...words);
    const same = await json("check", file, "--catalogue", "checked");
    expect(same).toMatchObject({ added: [], changed: [], unpublished: [], unchanged: 3 });
    const before = await json("show", "checked");
    const { code, out } = await catalogue(
      "check",
      changed,
      ...words.slice(0, 2),
      "--shipping",
      "7",
    );
    expect(code).toBe(0);
    expect(out).toMatch(/new +- +Jug +-\n/);
    expect(out).toMatch(/changed +\d+ +Vase +price, shipping_cost, track_inventory\n/);
    expect(out).toMatch(/changed +\d+ +Bowl +shipping_cost\n/);
    expect(out).toMatch(/unpublished +\d+ +Cup +-\n/);
    expect(out).toContain("Settings that publishing would save: shipping 7.00.");
    expect(out).toContain("Compared with version 1: 1 new, 2 changed, 1 unpublished, 0 unchanged.");
    expect(out).toContain("publishing asks for confirmation or needs --allow-unpublish.\n");
    expect(same).toMatchObject({ notes: [] });
    expect(await json("show", "checked")).toEqual(before);

    const found = await json("check", changed, "--catalogue", "checked");
    expect(found).toMatchObject({
      version: 1,
      settingsChanged: [],
      added: [{ name: "Jug" }],
      changed: [{ name: "Vase", fields: ["price", "track_inventory"] }],
      unpublished: [{ name: "Cup" }],
      unchanged: 1,
    });
    const published = await json("publish", changed, "--catalogue", "checked", "--allow-unpublish");
    expect(published).toMatchObject({ added: 1, changed: 1, unpublished: 1 });
  });

  test("without --catalogue names the catalogue that it compares with, and the others", async () => {
    const ownFile = (id: number) => fileOf(JSON.stringify([{ ...OWN_PRODUCT, product_id: id }]));
    const [own, picture] = [ownFile(900_003), ["--placeholder", "/a.svg"]];
    await json("publish", own, ...picture);
    await json("publish", ownFile(900_004), ...picture, "--catalogue", "second");
    const { notes } = await json("check", own, ...picture);
    expect(notes).toEqual([
      expect.stringMatching(
        /^--catalogue is not given, so the file is compared with catalogue main\. .* another catalogue \(.*\bsecond\b.*\)/,
      ),
    ]);
    expect((await json("check", own, ...picture, "--catalogue", "main")).notes).toEqual([]);
  });

  test("lists at most 50 changes as text, and all as JSON", async () => {
    const many = Array.from({ length: 60 }, (_, n) => ({ Name: `New ${String(n)}` }));
    const words = [fileOf(wooCommerceFile(many)), "--catalogue", "many", "--currency", "AUD"];
    const { out } = await catalogue("check", ...words);
    expect(out.match(/^new /gm)).toHaveLength(50);
    expect(out).toContain("and 10 more, which --json lists");
    expect((await json("check", ...words)).added).toHaveLength(60);
  });

  test("reports the problems of single products, then the reason to refuse the whole file", async () => {
    const own = { ...OWN_PRODUCT, product_id: 900_002, featured_image: "/a.svg" };
    const file = fileOf(JSON.stringify([own, { ...own, product_id: "x" }]));
    await json("publish", fileOf(JSON.stringify([own])), "--catalogue", "owner");
    const refused = await catalogue("check", file, "--catalogue", "taker");
    expect(refused.code).toBe(1);
    expect(refused.out).toMatch(/2 +Vase +product_id +must be/);
    expect(refused.err).toContain("share the stock");
    const shared = await catalogue("check", file, "--catalogue", "taker", "--share-stock");
    expect(shared.err).toContain("1 problem in 1 row. Publishing it is refused, unless");
  });
});
