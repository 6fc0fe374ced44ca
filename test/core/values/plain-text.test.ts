// Characters that cannot be seen, and styled letters.
import { expect, test } from "vitest";
import {
  invisibleIn,
  inPlainLetters,
  withoutInvisible,
} from "../../../src/core/values/plain-text.ts";

test.each([
  ...["علی\u200cرضا", "ക്\u200dഷ", "ന്\u200d", "ක්\u200dරිස්", "葛\u{e0100}城", "ᠠ\u180b"],
  ...["👩🏽\u200d💻", "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3", "🏴\u{e0067}\u{e0062}\u{e007f}"],
  ...["🇩🇪", "☎\ufe0e"],
  ...["Mª José", "Արևիկ", "น้ำ", "ຄຳ", "Ⅳ", "ﬁ", "№ 5", "x²", "Ł", "Ǆ"],
])("%j stays as it is", (text) => {
  expect(withoutInvisible(text)).toBe(text);
  expect(inPlainLetters(text)).toBe(text);
});

test.each([
  ["a\u200bb\u00adc\ufeff", "abc", "a zero-width space (U+200B)"],
  ["\u200fعلی\u200f", "علی", "a right-to-left mark (U+200F)"],
  ["a\u200db", "ab", "a zero-width joiner (U+200D)"],
  ["علی\u200c", "علی", "a zero-width non-joiner (U+200C)"],
  ["1\ufe0f2", "12", "a character that cannot be seen (U+FE0F)"],
  [
    "🏴\u{e0070}\u{e0061}\u{e0079}\u{e0020}\u{e006d}\u{e0065}\u{e007f}",
    "🏴",
    "a character that cannot be seen (U+E0070)",
  ],
  ["a\u{e0041}", "a", "a character that cannot be seen (U+E0041)"],
  ["\u00a0a\u2007b\u2800", "a b", "a no-break space (U+00A0)"],
  ["\u3164", "", "a character that cannot be seen (U+3164)"],
])("%j becomes %j", (text, expected, found) => {
  expect(withoutInvisible(text)).toBe(expected);
  expect(invisibleIn(text)).toBe(found);
  expect(invisibleIn(expected)).toBeUndefined();
});

test.each([
  ["𝐀𝐝𝐚 ℋ", "Ada H"],
  ["Ａｄａ　＠２１", "Ada @21"],
  ["Ⓐⓓⓐ e\u0301", "Ada é"],
  ["ｶﾞｷﾞ", "ガギ"],
])("%j is %j in plain letters", (text, plain) => {
  expect(inPlainLetters(text)).toBe(plain);
});
