// The names of recipients in each language of the page.
import { expect, test } from "vitest";
import { fullName, greetingName } from "../../../src/features/redeem/full-name.ts";
import { LANGUAGES } from "../../../src/features/redeem/language.ts";

const nameIn = (language: (typeof LANGUAGES)[number], firstName: string, lastName: string) =>
  fullName({ firstName, lastName }, { language, tag: language });

test("has the family name first in Japanese and Chinese", () => {
  expect(nameIn("ja", "さくら", "田中")).toBe("田中 さくら");
  expect(nameIn("ja", "サクラ", "タナカ")).toBe("タナカ サクラ");
  expect(nameIn("zh", "小明", "王")).toBe("王小明");
  expect(nameIn("zh-Hant", "雅婷", "陳")).toBe("陳雅婷");
});

test("has the family name last in other languages, and if it is written in another script", () => {
  for (const language of LANGUAGES) {
    expect(nameIn(language, "Ada", "Okafor")).toBe("Ada Okafor");
  }
  expect(nameIn("en", "さくら", "田中")).toBe("さくら 田中");
});

test("is the name in greetings in Japanese and Chinese", () => {
  const person = { firstName: "さくら", lastName: "田中" };
  const greeted = LANGUAGES.map((language) => greetingName(person, { language, tag: language }));
  expect(new Set(greeted)).toEqual(new Set(["さくら", "田中 さくら", "田中さくら"]));
  expect(greetingName(person, { language: "en", tag: "en-GB" })).toBe("さくら");
  expect(greetingName(person, { language: "ja", tag: "ja-JP" })).toBe("田中 さくら");
});
