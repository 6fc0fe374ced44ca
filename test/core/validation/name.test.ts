// The rule of senders' names.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayName, looksLikeAddress } from "../../../src/core/validation/name.ts";
import { brokenRule } from "../../../src/core/validation/validate.ts";
import { runs } from "../../support/runs.ts";

test.each([
  ...["Dr. Ada Park", "J.R.R. Tolkien", "St. Mary's", "Ada Park, Ph.D.", "Müller & Co. KG"],
  ...["U.S.A. Office", "Northwind Pty. Ltd.", "S.p.A. Rossi", "Team 2.0", "No. 7", "A/B Studio"],
  ...["モーニング娘。", "株式会社。東京", "山田　太郎", "آدا بارك"],
  ...["علی\u200cرضا", "👩\u200d💻 Ada"],
  ...["Ada (www team)", "Ada: Park", "Ada Park…", "@ada", "O’Neill-Park"],
  ...["Null", "Undefined Labs", "《财新》", "ООО «Ромашка»", "Ke$ha & Friends"],
])("%j is a name", (name) => {
  expect(brokenRule(displayName(100), name)).toBeUndefined();
});

test.each([
  ...["evil.com", "EVIL.COM", "Ada Park evil.com", "evil。com", "evil．com", "evil｡com"],
  ...["ｅｖｉｌ.ｃｏｍ", "https://evil", "Ada http://1.2.3.4/", "www.evil"],
  ...["a@evil.com", "x.co/y", "例え.jp", "例え。jp", "пример.рф", "उदाहरण.भारत"],
  ...["evil.xn--p1ai", "evil\u200b.com", "evil.\u2060com", "e\u00advil.com"],
  ...["evil․com", "St.Mary"],
])("%j is an address, and not a name", (name) => {
  expect(looksLikeAddress(name)).toBe(true);
  expect(brokenRule(displayName(100), name)).toBeDefined();
});

test.each([
  // Several lines, a control character and a word for a missing value.
  ...["Ada\nPark", "Ada\tPark", "Ada\u0007", " ", "\u200b", "\u202e"],
  ...["{{company}}", "[Your Company]", "Team {name}", "undefined", "N/A", "「名前」"],
])("%j is not a name", (name) => {
  expect(looksLikeAddress(name)).toBe(false);
  expect(brokenRule(displayName(100), name)).toBeDefined();
});

describe("for arbitrary text", () => {
  const word = fc.stringMatching(/^[a-z](?:[a-z0-9-]{0,8}[a-z0-9])?$/);
  const around = fc.string({ unit: "grapheme", maxLength: 10 });

  test("an address is found between other words, in any case and width", () => {
    const form = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) =>
        text.replace(/[!-~]/g, (ascii) => String.fromCharCode(ascii.charCodeAt(0) + 0xfee0)),
      (text: string) => text.replaceAll(".", "。"),
      (text: string) => Array.from(text).join("\u200b"),
    );
    const domain = fc
      .tuple(word, fc.stringMatching(/^[a-z]{2,6}$/))
      .map((parts) => parts.join("."));
    fc.assert(
      fc.property(around, domain, around, form, (before, address, after, write) => {
        expect(looksLikeAddress(`${before} ${write(address)} ${after}`)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  test("names with initials and abbreviations before spaces are accepted", () => {
    const part = fc.oneof(
      fc.stringMatching(/^[A-Z][a-zäéñ]{1,8}$/),
      fc.stringMatching(/^(?:[A-Z]\.){1,4}$/),
      fc.stringMatching(/^(?:Dr|St|Prof|Mr|Jr|Co|Ltd)\.$/),
      fc.stringMatching(/^[A-Z][a-z]{1,6}['’-][A-Z][a-z]{1,6}$/),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        expect(brokenRule(displayName(100), parts.join(" "))).toBeUndefined();
      }),
      { numRuns: runs(500) },
    );
  });
});
