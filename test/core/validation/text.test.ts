// Which characters text may contain.
import { describe, expect, test } from "vitest";
import { requiredText, textField } from "../../../src/core/validation/fields.ts";
import { brokenRule } from "../../../src/core/validation/validate.ts";

const CONTROLS = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, n) => 0x7f + n)];
const ALLOWED_CONTROLS = ["\t", "\n", "\r"].map((character) => character.charCodeAt(0));
const SURROGATES = [0xd800, 0xdbff, 0xdc00, 0xdfff];

const nameOf = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
const around = (code: number) => `a${String.fromCharCode(code)}b`;

describe.each([
  ["text", textField(10)],
  ["required text", requiredText(10)],
])("%s", (_, schema) => {
  test.each(
    [...CONTROLS.filter((code) => !ALLOWED_CONTROLS.includes(code)), ...SURROGATES].map(nameOf),
  )("must not contain %s", (name) => {
    const rule = brokenRule(schema, around(Number.parseInt(name.slice(2), 16)));
    expect(rule).toContain(name);
  });

  test.each(
    [
      ...[...ALLOWED_CONTROLS, 0x20, 0x7e, 0xa0, 0xad, 0x200b, 0x2028, 0x2029, 0x202e],
      ...[0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xfffe, 0xffff],
    ].map(nameOf),
  )("may contain %s", (name) => {
    expect(brokenRule(schema, around(Number.parseInt(name.slice(2), 16)))).toBeUndefined();
  });

  test("may contain characters of all planes, which count as one", () => {
    expect(brokenRule(schema, "\u{1f381}\u{10ffff}".repeat(5))).toBeUndefined();
    expect(brokenRule(schema, "\u{1f381}".repeat(11))).toContain("10");
  });
});
