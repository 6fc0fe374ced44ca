// The texts of the gift page in all languages, compared with the English ones.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";
import { LANGUAGES } from "../../../src/features/redeem/language.ts";

const FOLDER = path.join(PROJECT_ROOT, "public/languages");

/** The texts by their path, such as `closed.expired.title`. */
function textsOf(language: string): Map<string, string> {
  const collect = (value: unknown, key: string): [string, string][] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, each]) =>
          collect(each, key ? `${key}.${name}` : name),
        )
      : [[key, value as string]];
  return new Map(
    collect(JSON.parse(readFileSync(path.join(FOLDER, `${language}.json`), "utf8")), ""),
  );
}

const english = textsOf("en");
const placeholdersIn = (text = "") => (text.match(/\{[^}]*\}/g) ?? []).sort();

test("there is one file for each language of the page", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(LANGUAGES.map((each) => `${each}.json`).sort());
});

test.each(LANGUAGES)("the texts in %s have the English keys, in the same order", (language) => {
  expect([...textsOf(language).keys()]).toEqual([...english.keys()]);
});

test.each(LANGUAGES)("the texts in %s have the English placeholders", (language) => {
  const placeholders = (texts: Map<string, string>) =>
    [...texts].map(([key, text]) => [key, ...placeholdersIn(text)]);
  expect(placeholders(textsOf(language))).toEqual(placeholders(english));
});

test.each(LANGUAGES)(
  "no text in %s is empty, contains markup or has spaces at its ends",
  (language) => {
    for (const [key, text] of textsOf(language)) {
      expect([key, text]).toEqual([key, expect.stringMatching(/^\S(?:.*\S)?$/u)]);
      expect([key, text]).toEqual([key, expect.not.stringMatching(/[<>&]/)]);
      // Braces occur in placeholders only.
      expect([key, text.replaceAll(/\{\w+\}/g, "")]).toEqual([
        key,
        expect.not.stringMatching(/[{}]/),
      ]);
    }
  },
);

test.each(LANGUAGES.filter((language) => language !== "en"))(
  "no sentence in %s is the English one",
  (language) => {
    const same = [...textsOf(language)].filter(([key, text]) => text === english.get(key));
    expect(same.filter(([, text]) => text.replaceAll(/\{\w+\}/g, "").trim().length > 14)).toEqual(
      [],
    );
  },
);
