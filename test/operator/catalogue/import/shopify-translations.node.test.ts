// Shopify's export of translations, beside its product export.
import { describe, expect, test } from "vitest";
import { readTranslations } from "../../../../src/operator/catalogue/import/shopify/translations.ts";
import {
  csv,
  readShopifyRows,
  readText,
  shopifyFile,
  shopifyProblems,
  shopifyProduct,
  wooCommerceFile,
} from "../../../support/shop-files.ts";

const HEAD = [
  ...["Type", "Identification", "Field", "Locale", "Market", "Status"],
  ...["Default content", "Translated content"],
];

type Row = [id: string, field: string, locale: string, original: string, text: string];

const encode = (text: string) => new TextEncoder().encode(text);

/** The export with rows of products, or of another type: `OPTION 7`. */
const translationsIn = (rows: Row[], market = "") =>
  readTranslations(
    encode(
      csv(
        HEAD,
        rows.map(([id, field, locale, original, text]) => {
          const [type = "", number] = id.split(" ");
          return {
            ...{ Type: number === undefined ? "PRODUCT" : `PRODUCT_${type}`, Market: market },
            ...{ Identification: `'${number ?? type}`, Field: field, Locale: locale },
            ...{ "Default content": original, "Translated content": text },
          };
        }),
      ),
    ),
  );

const bowl = { Handle: "tea-bowl", Title: "Tea bowl", "Body (HTML)": "<p>Clay.</p>" };

const BOWL: Row[] = [
  ["8", "title", "de", "Tea bowl", "Teeschale"],
  ["8", "body_html", "de", "<p>Clay.</p>", "<p>Ton.</p>\r\n<p>Schön.</p>"],
  ["8", "handle", "de", "tea-bowl", ""],
  ["8", "product_type", "de", "Bowls", "Schalen"],
  ["8", "title", "pt-BR", "Tea bowl", "Tigela"],
  ["8", "title", "fr", "Tea bowl", ""],
  ["9", "title", "de", "Another", "Etwas anderes"],
];

const translated = (rows: Row[], market?: string, product = bowl) =>
  shopifyProduct([product], {}, { translationsOf: translationsIn(rows, market) })?.translations;

describe("an export of translations", () => {
  test("has the titles and descriptions of products, which are found by their handle", () => {
    const expected = {
      de: { name: "Teeschale", description: "<p>Ton.</p>\n<p>Schön.</p>" },
      "pt-BR": { name: "Tigela" },
    };
    expect(translated(BOWL)).toEqual(expected);
    expect(translated(BOWL, "", { ...bowl, Title: "Renamed" })).toEqual(expected);
  });

  test("has nothing for a product without a row of its handle", () => {
    expect(translated(BOWL.filter(([, field]) => field !== "handle"))).toBeUndefined();
    expect(translated(BOWL, "", { ...bowl, Handle: "another" })).toBeUndefined();
  });

  test("of a single market is left out", () => {
    expect(translated(BOWL, "Switzerland")).toBeUndefined();
  });

  const COLOURS: Row[] = [
    ["OPTION 1", "name", "de", "Colour", "Farbe"],
    ["OPTION_VALUE 2", "name", "de", "Green", "Grün"],
    ["OPTION_VALUE 3", "name", "de", "Red", "Rot"],
    ["OPTION_VALUE 4", "name", "de", "Green", "Grün"],
    ["OPTION_VALUE 5", "name", "fr", "Green", "Vert"],
  ];
  const optionsIn = (rows: Row[]) => {
    const first = { "Option1 Name": "Colour", "Option1 Value": "Green" };
    const second = {
      "Option1 Value": "Red",
      "Variant Price": "10.00",
      "Variant Inventory Qty": "1",
    };
    const translationsOf = translationsIn(rows);
    return shopifyProduct(
      [
        { ...bowl, ...first },
        { Handle: "tea-bowl", ...second },
      ],
      { without: ["Variant Inventory Tracker"] },
      { translationsOf },
    )?.translations;
  };

  test("has the names and values of options, if it has all of them", () => {
    expect(optionsIn(COLOURS)).toEqual({
      de: { options: { Colour: "Farbe", Green: "Grün", Red: "Rot" } },
    });
    expect(optionsIn(COLOURS.slice(0, 2))).toBeUndefined();
  });

  test("with two translations of an option has none", () => {
    expect(optionsIn([...COLOURS, ["OPTION_VALUE 6", "name", "de", "Red", "Weinrot"]])).toBe(
      undefined,
    );
  });

  test("with an unknown language is reported at the product", () => {
    const translationsOf = translationsIn([...BOWL, ["8", "title", "jp", "Tea bowl", "茶碗"]]);
    expect(shopifyProblems([bowl], {}, { translationsOf })).toEqual([
      "2 translations.jp is not the tag of a language, such as de, pt-BR or zh-Hant",
    ]);
  });

  test.for([
    ["another file", "Handle,Title\n", "is not an export of translations of Shopify (missing"],
    ["a broken row", `${HEAD.join()}\n1,2,3,4,5,6,7,8,9\n`, "cannot be read: row 2"],
  ] as const)("is refused if it is %s", ([, text, reason]) => {
    expect(() => readTranslations(encode(text))).toThrow(reason);
  });

  test("is refused beside files that contain their translations", () => {
    const translationsOf = translationsIn(BOWL);
    for (const text of [wooCommerceFile([{}]), "[]"]) {
      expect(() => readText(text, { translationsOf })).toThrow("--translations-from are only for");
    }
    expect(readText(shopifyFile([bowl]), { translationsOf }).problems).toEqual([]);
    expect(readShopifyRows([bowl]).products[0]?.product.translations).toBeUndefined();
  });
});
