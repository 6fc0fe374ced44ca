// Publications of products with translations.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { ProductWithStock } from "../../../../src/features/catalogue/product.ts";
import type { Translations } from "../../../../src/features/catalogue/product.ts";
import { planPublication } from "../../../../src/operator/catalogue/publish/plan.ts";
import { publish } from "../../../../src/operator/catalogue/publish/publish.ts";
import { createClient, simpleProduct } from "../../../support/fixtures.ts";

const DE: Translations = { de: { name: "Teekanne" } };

const translatedTo = ({ product, stock }: ProductWithStock, translations?: Translations) => ({
  product: { ...product, translations },
  stock,
});

const revisionsOf = async ({ product }: ProductWithStock) => {
  const { results } = await env.DB.prepare(
    "SELECT revision, content, translations FROM product_revisions WHERE product_id = ?",
  )
    .bind(product.id)
    .all<{ revision: string; content: string; translations: string | null }>();
  return results;
};

const changedProducts = async (catalogue: string) => {
  const { results } = await env.DB.prepare(
    `SELECT m.changes FROM product_changes m JOIN catalogues c ON c.id = m.catalogue_id WHERE c.name = ?`,
  )
    .bind(catalogue)
    .all();
  return results;
};

describe("a publication", () => {
  test("of unchanged translations writes no revision, and of others a new one", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [translatedTo(product, DE)] });
    const [first] = await revisionsOf(product);
    expect(first?.revision).toMatch(/^[0-9a-f]{16}-[0-9a-f]{16}$/);
    expect(JSON.parse(first?.translations ?? "")).toEqual(DE);
    expect(first?.content).not.toContain("Teekanne");

    await publish(env.DB, client.catalogue, [translatedTo(product, DE)], 1);
    expect(await revisionsOf(product)).toEqual([first]);

    const next = translatedTo(product, { de: { name: "Kanne" } });
    await publish(env.DB, client.catalogue, [next], 1);
    expect(await revisionsOf(product)).toHaveLength(2);

    await publish(env.DB, client.catalogue, [translatedTo(product)], 1);
    const [plain] = (await revisionsOf(product)).filter(
      ({ translations }) => translations === null,
    );
    expect(plain?.revision).toBe(first?.revision.slice(0, 16));
    // Partners see none of these changes.
    expect(await changedProducts(client.catalogue)).toEqual([]);
  });

  test.for<[string, Translations | undefined, Translations | undefined, string[]]>([
    ["added", undefined, DE, ["translations"]],
    ["changed", DE, { de: { name: "Kanne" } }, ["translations"]],
    ["removed", DE, undefined, ["translations"]],
    ["the same", DE, DE, []],
    ["missing in both", undefined, undefined, []],
  ])("plans translations that are %s", async ([, before, after, fields]) => {
    const product = simpleProduct();
    const { catalogue } = await createClient({ products: [translatedTo(product, before)] });
    const plan = await planPublication(env.DB, catalogue, [translatedTo(product, after)]);
    expect(plan.comparison.changed.map((each) => each.fields)).toEqual(
      fields.length > 0 ? [fields] : [],
    );
  });

  test("plans a change of the content beside that of a translation", async () => {
    const product = simpleProduct();
    const { catalogue } = await createClient({ products: [translatedTo(product, DE)] });
    const next = translatedTo(product, { de: { name: "Kanne" } });
    next.product.name = "Renamed";
    const plan = await planPublication(env.DB, catalogue, [next]);
    expect(plan.comparison.changed[0]?.fields).toEqual(["product_name", "translations"]);
    next.product.translations = DE;
    const renamed = await planPublication(env.DB, catalogue, [next]);
    expect(renamed.comparison.changed[0]?.fields).toEqual(["product_name"]);
  });
});
