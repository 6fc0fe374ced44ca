import { describe, expect, test } from "vitest";
import { shippingCountries } from "../../../src/features/redeem/countries.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";

const CODES = COUNTRIES.split(" ");

describe("the countries to which a product ships", () => {
  test.each([
    ["en", "Germany", "China", "Côte d’Ivoire"],
    ["de", "Deutschland", "China", "Côte d’Ivoire"],
    ["fr", "Allemagne", "Chine", "Côte d’Ivoire"],
    ["es", "Alemania", "China", "Côte d’Ivoire"],
    ["pt", "Alemanha", "China", "Costa do Marfim"],
    ["it", "Germania", "Cina", "Costa d’Avorio"],
    ["nl", "Duitsland", "China", "Ivoorkust"],
    ["ja", "ドイツ", "中国", "コートジボワール"],
    ["zh", "德国", "中国", "科特迪瓦"],
    ["ar", "ألمانيا", "الصين", "ساحل العاج"],
  ])("have names in %s", (locale, ...expected) => {
    const { shipping: countries, others } = shippingCountries([], locale);
    expect(others).toEqual([]);
    const nameOf = new Map(countries.map(({ code, name }) => [code, name]));
    expect(["DE", "CN", "CI"].map((code) => nameOf.get(code))).toEqual(expected);
    expect([...nameOf.keys()].sort()).toEqual(CODES);
    expect(new Set(nameOf.values()).size).toBe(CODES.length);
    expect(countries.filter(({ code, name }) => name === code)).toEqual([]);
  });

  test("are those of the product", () => {
    expect(shippingCountries(["NZ", "DE", "AU"], "en").shipping).toEqual([
      { code: "AU", name: "Australia" },
      { code: "DE", name: "Germany" },
      { code: "NZ", name: "New Zealand" },
    ]);
  });

  test("are sorted as usual in the language", () => {
    const codes = (locations: string[], locale: string) =>
      shippingCountries(locations, locale).shipping.map(({ code }) => code);
    // Ägypten, Albanien, Österreich, Zypern
    expect(codes(["CY", "AT", "EG", "AL"], "de")).toEqual(["EG", "AL", "AT", "CY"]);
    // アメリカ合衆国, ドイツ, 日本
    expect(codes(["JP", "DE", "US"], "ja")).toEqual(["US", "DE", "JP"]);
    // 德国 (déguó), 美国 (měiguó), 日本 (rìběn), 中国 (zhōngguó)
    expect(codes(["CN", "US", "JP", "DE"], "zh")).toEqual(["DE", "US", "JP", "CN"]);
  });
});
