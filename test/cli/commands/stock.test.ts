// `stock …`.
import path from "node:path";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";
import { json, refusal, runOps, SEED } from "../ops.ts";
import { platform, usePlatform } from "../platform.ts";

usePlatform();

const REASON = ["--reason", "Stocktaking"];

describe("stock", () => {
  test("show, set, adjust and low work together", async () => {
    await json("catalogue", "publish", SEED);
    const shown = await runOps("stock", "show", "1001");
    expect(shown.out).toMatch(/product +1001\nname +\S.*\ncatalogues +main\n/);
    expect(shown.out).toMatch(/^- .* +5000 +yes +yes$/m);
    expect(await json("stock set 1001 --quantity 3", ...REASON)).toEqual({
      environment: "local",
      productId: 1001,
      variationId: 0,
      changed: true,
      before: 5000,
      after: 3,
      reason: "Stocktaking",
    });
    const repeated = await runOps("stock set 1001 --quantity 3", ...REASON);
    expect(repeated.out).toContain("product 1001 is 3 already. Nothing was changed.\n");
    const added = await runOps("stock adjust 1001 +4", ...REASON);
    expect(added.out).toBe(
      "Environment: local\nThe stock of product 1001 is 7. Before, it was 3.\n",
    );
    expect(await json("stock adjust 1001 -2", ...REASON)).toMatchObject({
      before: 7,
      after: 5,
    });
    await refusal(1, "1001 is 5, so it cannot be reduced", "stock adjust 1001 -6", ...REASON);
    expect(await json("stock low --below 6 --catalogue main")).toMatchObject({
      low: expect.arrayContaining([
        expect.objectContaining({ productId: 1001, quantity: 5, catalogues: "main" }),
      ]),
    });
    const low = await runOps("stock low --below 6000 --limit 2");
    expect(low.out).toMatch(/^PRODUCT +VARIATION +SKU/);
    expect(low.out).toMatch(/\n\nThese are 2 of \d+\. Use --limit\.\n$/);
    const untracked = await runOps("stock set 1001 --untracked", ...REASON);
    expect(untracked.out).toContain("The stock of product 1001 is untracked. Before, it was 5.\n");
    await refusal(1, "is not tracked", "stock adjust 1001 +1", ...REASON);

    // Commands that were refused or changed nothing have no entry.
    const { DB } = platform.env;
    const { results } = await DB.prepare(
      `SELECT action, subject, reason, before ->> '$.quantity' AS before,
         after ->> '$.quantity' AS after
       FROM audit_entries WHERE subject_type = 'stock' ORDER BY id`,
    ).all();
    const entries = results;
    const entry = { subject: "1001", reason: "Stocktaking" };
    expect(entries).toEqual([
      { ...entry, action: "stock set", before: 5000, after: 3 },
      { ...entry, action: "stock adjust", before: 3, after: 7 },
      { ...entry, action: "stock adjust", before: 7, after: 5 },
      { ...entry, action: "stock set", before: 5, after: null },
    ]);
  });

  test("changes a variation, which its id or a key of the shop's file selects", async () => {
    const file = path.join(PROJECT_ROOT, "test/operator/catalogue/import/files/woocommerce.csv");
    const publishing = ["--currency", "AUD", "--catalogue", "shop"];
    await json("catalogue", "publish", file, ...publishing);
    const { DB } = platform.env;
    const found = await DB.prepare(
      `SELECT k.product_id AS productId, k.variation_id AS variationId, k.source_key AS key
       FROM product_sources k JOIN stock s USING (product_id, variation_id)
       WHERE k.variation_id > 0 AND k.source_key LIKE 'sku:%' AND s.quantity > 0`,
    ).first<{ productId: number; variationId: number; key: string }>();
    if (!found) throw new Error("the file has no variation with a SKU and tracked stock");
    const { productId, variationId, key } = found;
    const sku = key.replace("sku:", "");
    const change = ["--variation", String(variationId), "--quantity", "9", ...REASON];
    expect(await json("stock", "set", String(productId), ...change)).toMatchObject({ after: 9 });
    expect(
      await json("stock", "adjust", sku, "-1", "--catalogue", "shop", ...REASON),
    ).toMatchObject({ productId, variationId, before: 9, after: 8 });
    expect((await runOps("stock", "show", sku, "--catalogue", "shop")).out).toMatch(
      new RegExp(`^${String(variationId)} .* 8 +yes +yes$`, "m"),
    );
    const product = String(productId);
    const set = ["--quantity", "1", ...REASON];
    await Promise.all([
      refusal(1, "a change needs one of the variations", "stock", "set", product, ...set),
      refusal(
        1,
        `is product ${product}, variation ${String(variationId)}, not variation 7`,
        `stock set ${sku} --catalogue shop --variation 7`,
        ...set,
      ),
      refusal(1, "no source key, SKU or handle X", "stock show X --catalogue shop"),
      refusal(1, "there is no catalogue none", "stock show X --catalogue none"),
      refusal(1, "there is no catalogue none", "stock low --catalogue none"),
      refusal(1, "there is no product 9", "stock", "set", "9", ...set),
    ]);
  });

  test("refuses a wrong command line before it connects to an environment", async () => {
    await Promise.all([
      refusal(2, "--reason <text>' not specified", "stock set 1001 --quantity 1"),
      refusal(2, "--reason must not be empty", 'stock adjust 1001 +1 --reason " "'),
      refusal(2, "either --quantity or --untracked", "stock", "set", "1001", ...REASON),
      refusal(
        2,
        "either --quantity or --untracked",
        "stock set 1001 --quantity 1 --untracked",
        ...REASON,
      ),
      refusal(2, "--quantity must be", "stock set 1001 --quantity -1", ...REASON),
      refusal(2, "with its sign", "stock adjust 1001 5", ...REASON),
      refusal(2, "with its sign", "stock adjust 1001 +0", ...REASON),
      refusal(2, "a SKU with --catalogue", "stock", "show", "MUG"),
      refusal(2, "Write sku:1001", "stock show 1001 --catalogue main"),
      refusal(2, "--variation must be", "stock adjust 1 +1 --variation x", ...REASON),
      refusal(2, "--below must be", "stock low --below x"),
      refusal(2, "--yes", "stock adjust 1 +1 --env sandbox --as me", ...REASON),
    ]);
  });
});
