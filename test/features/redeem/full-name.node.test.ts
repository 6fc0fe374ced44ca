// The names of recipients in each language of the page.
import { expect, test } from "vitest";
import { nameOnPage, greetingName } from "../../../src/features/redeem/full-name.ts";
import { LANGUAGES } from "../../../src/features/redeem/language.ts";

const nameIn = (language: (typeof LANGUAGES)[number], firstName: string, lastName: string) =>
  nameOnPage({ firstName, lastName }, { language, tag: language });

test("has the family name first if it is written in Chinese, Japanese or Korean characters", () => {
  expect(nameIn("ja", "さくら", "田中")).toBe("田中 さくら");
  expect(nameIn("en", "さくら", "田中")).toBe("田中 さくら");
  expect(nameIn("en", "민준", "김")).toBe("김 민준");
  expect(nameIn("zh", "小明", "王")).toBe("王小明");
  expect(nameIn("zh-Hant", "雅婷", "陳")).toBe("陳雅婷");
});

test("has the family name last if it is written in other characters", () => {
  for (const language of LANGUAGES) {
    expect(nameIn(language, "Ada", "Okafor")).toBe("Ada Okafor");
    expect(nameIn(language, "ジョン", "スミス")).toBe("ジョン スミス");
  }
});

test("is the name in greetings in Japanese and Chinese", () => {
  const person = { firstName: "さくら", lastName: "田中" };
  const greeted = LANGUAGES.map((language) => greetingName(person, { language, tag: language }));
  expect(new Set(greeted)).toEqual(new Set(["さくら", "田中 さくら", "田中さくら"]));
  expect(greetingName(person, { language: "en", tag: "en-GB" })).toBe("さくら");
  expect(greetingName(person, { language: "ja", tag: "ja-JP" })).toBe("田中 さくら");
});
