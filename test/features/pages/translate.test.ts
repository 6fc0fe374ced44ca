// Which texts of a product a recipient reads.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Product, Translations } from "../../../src/features/catalogue/product.ts";
import { languagesFor, translated } from "../../../src/features/pages/translate.ts";
import { simpleProduct, variableProduct } from "../../support/fixtures.ts";

test.for<[wanted: string, available: string[], found: string[]]>([
  ["de", ["en", "de"], ["de"]],
  ["de-AT", ["de"], ["de"]],
  ["de-AT", ["de", "de-CH", "de-AT"], ["de-AT", "de", "de-CH"]],
  ["de", ["de-AT"], ["de-AT"]],
  ["de", ["de-AT", "de-DE", "de"], ["de", "de-DE", "de-AT"]],
  ["de-DE", ["de", "de-DE"], ["de-DE", "de"]],
  ["en-GB", ["en-US", "en"], ["en", "en-US"]],
  ["es-MX", ["es"], ["es"]],
  ["pt", ["pt-PT", "pt-BR"], ["pt-BR", "pt-PT"]],
  ["pt-PT", ["pt", "pt-PT"], ["pt-PT", "pt"]],
  ["zh-TW", ["zh", "zh-Hant"], ["zh-Hant"]],
  ["zh-TW", ["zh-CN", "zh-TW"], ["zh-TW"]],
  ["zh-HK", ["zh-TW", "zh-Hant"], ["zh-Hant", "zh-TW"]],
  ["zh-Hant", ["zh-TW", "zh-Hans"], ["zh-TW"]],
  ["zh-CN", ["zh-Hant", "zh"], ["zh"]],
  ["zh", ["zh-TW", "zh-Hans"], ["zh-Hans"]],
  ["ja", ["en", "zh"], []],
  ["nl", [], []],
])("a reader of %s finds among %j: %j", ([wanted, available, found]) => {
  expect(languagesFor(wanted, available)).toEqual(found);
});

const tag = fc.constantFrom(
  ...["en", "en-US", "de", "de-AT", "pt", "pt-BR", "zh", "zh-Hant", "zh-TW", "zh-HK", "ja", "ar"],
);
const tags = fc.uniqueArray(tag);

describe("the languages for a reader", () => {
  test("are some of the available ones, all of the reader's language", () => {
    fc.assert(
      fc.property(tag, tags, (wanted, available) => {
        const found = languagesFor(wanted, available);
        expect(available).toEqual(expect.arrayContaining(found));
        const languages = found.map((each) => each.split("-")[0]);
        expect(new Set(languages).size).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("begin with the reader's own tag if it is available, in any order of the tags", () => {
    fc.assert(
      fc.property(tag, tags, (wanted, available) => {
        const [first] = languagesFor(wanted, available);
        if (available.includes(wanted)) expect(first).toBe(wanted);
        expect(languagesFor(wanted, available.toReversed())[0]).toBe(first);
      }),
    );
  });
});

const product = (translations: Translations, changes: Partial<Product> = {}): Product => ({
  ...simpleProduct({ name: "Teapot", description: "<p>For two.</p>", ...changes }).product,
  translations,
});

describe("a translated product", () => {
  test("has each text in the best language that has it, and its language", () => {
    const found = translated(
      product({
        de: { name: "Teekanne", description: "<p>Für zwei.</p>", bio: "" },
        "de-AT": { name: "Teekandl", shortDescription: "" },
      }),
      "de-AT",
      "en",
    );
    expect(found).toMatchObject({ name: "Teekandl", description: "<p>Für zwei.</p>" });
    expect(found.languages).toEqual({ name: "de-AT", description: "de" });
    expect(found.vendor).toEqual(product({}).vendor);
  });

  test.for<[string, string, string | null, string]>([
    ["a better language of the catalogue", "pt-BR", "pt-BR", "Teapot"],
    ["a catalogue of the same language in another region", "pt-PT", "pt-BR", "Bule"],
    ["an unknown language of the catalogue", "pt-BR", null, "Bule"],
    ["another script", "zh-TW", "en", "Teapot"],
  ])("with %s", ([, wanted, original, name]) => {
    const found = translated(
      product({ "pt-PT": { name: "Bule" }, zh: { name: "茶壶" } }),
      wanted,
      original,
    );
    expect(found.name).toBe(name);
  });

  test("has the translated names and options of its variations, with their ids", () => {
    const original = variableProduct().product;
    const words = original.variations.flatMap(({ options }) =>
      options.flatMap(({ name, option }) => [name, option]),
    );
    const options = Object.fromEntries(words.map((word) => [word, `${word} (de)`]));
    const found = translated({ ...original, translations: { de: { options } } }, "de", "en");
    expect(found.variations).toEqual(
      original.variations.map((variation) => ({
        ...variation,
        options: variation.options.map(({ id, name, option }) => ({
          id,
          name: `${name} (de)`,
          option: `${option} (de)`,
          original: option,
        })),
      })),
    );
    expect(found.languages).toEqual({ options: "de" });
  });

  test("differs from the original in nothing but its texts", () => {
    fc.assert(
      fc.property(tag, tags, fc.option(tag), (wanted, available, original) => {
        const translations = Object.fromEntries(available.map((each) => [each, { name: each }]));
        const given = product(translations);
        const { languages, name, ...others } = translated(given, wanted, original);
        const { name: before, ...same } = given;
        expect(others).toEqual(same);
        expect(name).toBe(languages?.name ?? before);
        if (original !== null) expect(languages?.name).not.toBe(original);
      }),
    );
  });
});
