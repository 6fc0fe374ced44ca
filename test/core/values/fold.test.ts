import fc from "fast-check";
import { expect, test } from "vitest";
import { fold } from "../../../src/core/values/fold.ts";

test.each([
  ["Müller", "muller"],
  ["Mu\u0308ller", "muller"],
  ["ŁUKASZ", "lukasz"],
  ["Ørsted", "orsted"],
  ["Ǿ", "o"],
  ["Straße", "strasse"],
  ["GROẞ", "gross"],
  ["Þór Ægir", "thor aegir"],
  ["Nguyễn Đức", "nguyen duc"],
  ["İSTANBUL ışık", "istanbul isik"],
  [" O'Neil ", "o'neil"],
  ["Παύλος ΟΔΌΣ", "παυλοσ οδοσ"],
  ["Андрей Ёлкин", "андреи елкин"],
  ["李娜", "李娜"],
  ["がぎぐ ｶﾞ", "がぎぐ ガ"],
  ["ＴＥＡ ﬁg Kettle™", "tea fig kettle"],
  ["שָׁלוֹם مَكْتَب", "שלום مكتب"],
  ["हिन्दी ไทย", "हिन्दी ไทย"],
  ["김민준", "김민준"],
])("%j is compared as %j", (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test("a folded text stays the same, and ASCII is only put in lower case", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(fold(text)).toBe(text.toLowerCase().trim());
    }),
  );
});
