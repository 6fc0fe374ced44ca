// Product exports of WooCommerce shops with several languages.
import { describe, expect, test } from "vitest";
import { csv, readText } from "../../../support/shop-files.ts";

type Fields = Record<string, string>;

const POLYLANG = { language: "Language", group: "Translation group" };
const WPML = {
  language: "Meta: _wpml_import_language_code",
  group: "Meta: _wpml_import_translation_group",
};

const HEAD = [
  ...["ID", "Type", "SKU", "Name", "Published", "Visibility in catalog", "Short description"],
  ...["Description", "In stock?", "Stock", "Regular price", "Categories", "Images", "Parent"],
  ...["Attribute 1 name", "Attribute 1 value(s)", "Attribute 1 visible", "Attribute 1 global"],
];

/** Reads a file with a row for each of `rows`, with the columns of a plugin. */
function read(columns: typeof POLYLANG, rows: Fields[], changes: { language?: string } = {}) {
  const named = rows.map(({ language = "", group = "", ...row }) => ({
    ...{ Type: "simple", Published: "1", "In stock?": "1" },
    ...{ "Regular price": "10.00", Images: "https://shop.example/image.jpg" },
    ...row,
    ...{ [columns.language]: language, [columns.group]: group },
  }));
  return readText(csv([...HEAD, columns.language, columns.group], named), changes);
}

const candle = { ID: "1", SKU: "C", Name: "Candle", Description: "<p>Soy.</p>" };
const kerze = { ID: "2", SKU: "C", Name: "Kerze", Description: "<p>Soja,\\nklar.</p>" };

describe.each([
  ["Polylang", POLYLANG],
  ["WPML", WPML],
])("an export with %s", (_, columns) => {
  test("has the texts of its products in other languages", () => {
    const { products, problems, unpublished } = read(columns, [
      { ...candle, language: "en", group: "g1" },
      { ...kerze, language: "de", group: "g1" },
      { ID: "3", SKU: "C", Name: "Vela", language: "pt-br", group: "g1" },
      { ID: "4", SKU: "C", Name: "Bougie", language: "fr", group: "g1", Published: "-1" },
      { ID: "5", SKU: "M", Name: "Mug", language: "en", group: "g2" },
      { ID: "6", SKU: "P", Name: "Plate" },
    ]);
    expect([problems, unpublished]).toEqual([[], 0]);
    expect(products.map(({ keys, product }) => [keys[0], product.product_name])).toEqual([
      ["id:1", "Candle"],
      ["id:5", "Mug"],
      ["id:6", "Plate"],
    ]);
    const texts = { shortDescription: "" };
    expect(products.map(({ product }) => product.translations)).toEqual([
      {
        de: { ...texts, name: "Kerze", description: "<p>Soja,\nklar.</p>" },
        "pt-BR": { ...texts, name: "Vela", description: "" },
      },
      undefined,
      undefined,
    ]);
  });

  test("has the names and options of variations in other languages, matched by their groups", () => {
    const shirt = { Type: "variable", "Regular price": "", "Attribute 1 name": "Colour" };
    const rows: Fields[] = [
      { ...shirt, ID: "1", Name: "Shirt", language: "en", group: "s" },
      { ...shirt, ID: "2", Name: "Hemd", language: "de", group: "s" },
      { ...shirt, ID: "3", Name: "Camicia", language: "it", group: "s" },
    ];
    const colours = [
      ["Green", "Grün", "Verde"],
      ["Red", "Rot", ""],
    ];
    for (const [c, names] of colours.entries()) {
      for (const [l, colour] of names.entries()) {
        rows.push({
          ...{ Type: "variation", ID: `${String(l + 1)}${String(c)}`, SKU: `S-${String(c)}` },
          ...{ Parent: `id:${String(l + 1)}`, group: `v${String(c)}` },
          language: ["en", "de", "it"][l] ?? "",
          "Attribute 1 name": ["Colour", "Farbe", "Colore"][l] ?? "",
          "Attribute 1 value(s)": colour,
        });
      }
    }
    const { products, problems } = read(columns, rows);
    expect(problems).toEqual([]);
    expect(products).toHaveLength(1);
    const { translations, variations } = products[0]?.product ?? {};
    expect(variations?.map(({ options }) => options[0]?.option)).toEqual(["Green", "Red"]);
    expect(translations).toMatchObject({
      de: { name: "Hemd", options: { Colour: "Farbe", Green: "Grün", Red: "Rot" } },
      it: { name: "Camicia" },
    });
    expect(translations?.["it"]?.options).toBeUndefined();
  });

  test.for<[string, Fields[]]>([
    ["a text has two translations", [{ value: "Grün" }, { value: "Rot", name: "Größe" }]],
    ["a row has an attribute less", [{ value: "Grün" }, { value: "", name: "" }]],
    ["a row has a value less", [{ value: "Grün" }, { value: "" }]],
  ])("has no options in another language if %s", ([, translations]) => {
    const shirt = { Type: "variable", "Regular price": "" };
    const rows = [
      { ...shirt, ID: "1", Name: "Shirt", language: "en", group: "s" },
      { ...shirt, ID: "2", Name: "Hemd", language: "de", group: "s" },
      ...translations.flatMap(({ value = "", name = "Farbe" }, n) =>
        [["en", "Colour", ["Green", "Red"][n] ?? ""] as const, ["de", name, value] as const].map(
          ([language, attribute, option], l) => ({
            ...{ Type: "variation", ID: `${String(l + 1)}${String(n)}`, SKU: `S-${String(n)}` },
            ...{ Parent: `id:${String(l + 1)}`, group: `v${String(n)}`, language },
            ...{ "Attribute 1 name": attribute, "Attribute 1 value(s)": option },
          }),
        ),
      ),
    ];
    const { products, problems } = read(columns, rows);
    expect(problems).toEqual([]);
    expect(products[0]?.product.translations?.["de"]).toMatchObject({ name: "Hemd" });
    expect(products[0]?.product.translations?.["de"]?.options).toBeUndefined();
  });

  test.for<[string | undefined, string]>([
    ["de", "Kerze"],
    ["de-AT", "Kerze"],
    ["en-GB", "Candle"],
    ["fr", "Candle"],
    [undefined, "Candle"],
  ])("of a catalogue in %s has %s as its original", ([language, name]) => {
    const rows = [
      { ...candle, language: "en", group: "g" },
      { ...kerze, language: "de", group: "g" },
    ];
    const { products } = read(columns, rows, language === undefined ? {} : { language });
    expect(products.map(({ product }) => product.product_name)).toEqual([name]);
  });

  test("reports a translation with its language and field", () => {
    const long = "x".repeat(501);
    const { products, problems } = read(columns, [
      { ...candle, language: "en", group: "g" },
      { ...kerze, Name: long, language: "de", group: "g" },
      { ...kerze, ID: "3", language: "cn", group: "g" },
    ]);
    expect(products).toEqual([]);
    expect(problems.map(({ row, field, reason }) => `${String(row)} ${field} ${reason}`)).toEqual([
      "2 translations.de.product_name must have at most 500 characters",
      "2 translations.cn is not the tag of a language, such as de, pt-BR or zh-Hant",
    ]);
  });
});
