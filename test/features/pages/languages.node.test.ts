// The texts of the gift page in all languages, compared with the English ones.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../../src/cli/paths.ts";
import { type Language, LANGUAGES } from "../../../src/features/pages/language.ts";
import { fill, fillText, Name } from "../../../src/features/pages/text.tsx";
import { loadTexts, OTHER_REGISTERS } from "../../../src/features/pages/texts.ts";
import { ASSETS } from "../../servers/assets.ts";

const FOLDER = path.join(PROJECT_ROOT, "public/languages");

/** The texts by their path, such as `closed.expired.title`. */
const textsOf = (file: string): Map<string, string> =>
  byPath(JSON.parse(readFileSync(path.join(FOLDER, `${file}.json`), "utf8")));

function byPath(texts: unknown): Map<string, string> {
  const collect = (value: unknown, key: string): [string, string][] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, each]) =>
          collect(each, key ? `${key}.${name}` : name),
        )
      : [[key, value as string]];
  return new Map(collect(texts, ""));
}

const english = textsOf("en");

const placeholdersIn = (text = "") => (text.match(/\{[^}]*\}/g) ?? []).sort();

const FILES = [...LANGUAGES, ...OTHER_REGISTERS];

test("there is one file for each language of the page, and for each other register", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(FILES.map((each) => `${each}.json`).sort());
});

test.each(LANGUAGES)("the texts in %s have the English keys, in the same order", (language) => {
  expect([...textsOf(language).keys()]).toEqual([...english.keys()]);
});

test.each(LANGUAGES)("the texts in %s have the English placeholders", (language) => {
  const placeholders = (texts: Map<string, string>) =>
    [...texts].map(([key, text]) => [key, ...placeholdersIn(text)]);
  expect(placeholders(textsOf(language))).toEqual(placeholders(english));
});

test.each([
  ["gift.acceptBy", "{day}までに、受け取りの|お手続きを|お願いします。"],
  [
    "address.notesHint",
    "オートロックの|暗証番号や|置き配の|場所など、お届けの|際に|役立つことを|ご記入ください。",
  ],
  ["closed.replaced.title", "この|リンクは|新しい|リンクに|切り替わりました"],
  ["email.code.text", "ご利用に|必要な|情報は、すべてこの|メールに|記載されています。"],
])("in Japanese, the phrases of %s are separated", async (key, phrases) => {
  const text = byPath(await loadTexts(ASSETS, "ja")).get(key) ?? "";
  expect(text.replaceAll("\u200b", "|")).toBe(phrases);
  expect(fillText(text, { day: "{day}" })).toBe(phrases.replaceAll("|", ""));
});

test.each(FILES)(
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

test("English texts have the spelling `email`", () => {
  expect([...english.values()].filter((text) => /e-mail/i.test(text))).toEqual([]);
});

test.each(FILES)("in %s, the page of an unpaid gift that failed names only the contact", (file) => {
  const texts = textsOf(file);
  expect(texts.get("closed.failed.text")).toBe(texts.get("problems.ask"));
});

type Register = "formal" | "informal";

describe("the registers", () => {
  const words = (text: string, flags = "iu") =>
    new RegExp(`(?<!\\p{L})(?:${text})(?!\\p{L})`, flags);

  /** Words with which a text addresses its reader. */
  const WORDS: Record<string, Record<Register, RegExp>> = {
    de: {
      formal: words("Sie|Ihr|Ihre[mnrs]?|Ihnen", "u"),
      informal: words("du|dich|dir|dein\\p{L}*"),
    },
    fr: {
      formal: words("vous|votre|vos|(?!chez|assez)\\p{L}+ez"),
      informal: words("tu|toi|te|ton|ta|tes|t’\\p{L}+"),
    },
    es: {
      formal: words(
        "usted|suy[oa]s?|(?<!\\by )sus?(?! lugar)|le|(?<!se )puede|tiene|quiere|prefiere|necesita|elija|escriba|revise|use|pida|vuelva|abra",
      ),
      informal: words(
        "tú|tus?|te|ti|tuy[oa]s?|puedes|tienes|quieres|prefieres|necesitas|has|elige|escribe|revisa|(?<!lo )usa|pide|vuelve|comprueba|acorta|consulta|guárdalo|déjalo|consúltalo|inténtalo|ábrelo|aceptes|acéptalo|abre este|recibirás|disfrutes",
      ),
    },
    it: {
      formal: words(
        "lei|su[oae]|(?<!\\bi )suoi|preferisce|desidera|(?<!\\bsi )può|vuole|scelga|scriva|controlli",
      ),
      informal: words("tu|te|ti|tu[oae]|tuoi|puoi|vuoi|hai|preferisci|scegli|scrivi|controlla"),
    },
    nl: { formal: words("u|uw|uzelf"), informal: words("je|jij|jou|jouw|jezelf") },
    "pt-PT": {
      formal: words(
        "lhe|o seu|(?<!\\be )os seus|a sua|as suas|precisa|escolha|fale|escreva|verifique",
      ),
      informal: words("teus?|tuas?|te|ti|tiveres|podes|precisas|escolhe|fala|escreve|verifica"),
    },
  };

  test.each(OTHER_REGISTERS)("%s changes texts of its language", (file) => {
    const base = textsOf(file.split(".")[0] ?? "");
    const changes = [...textsOf(file)];
    const keys = changes.map(([key]) => key);
    expect(keys).toEqual([...base.keys()].filter((key) => keys.includes(key)));
    expect(changes.filter(([key, text]) => base.get(key) === text)).toEqual([]);
    expect(changes.map(([key, text]) => [key, ...placeholdersIn(text)])).toEqual(
      changes.map(([key]) => [key, ...placeholdersIn(base.get(key))]),
    );
  });

  // Each text is named that addresses the reader in the other way.
  test.each(OTHER_REGISTERS)(
    "%s and its language address the reader in one way each",
    async (file) => {
      const [language, register] = file.split(".") as [Language, Register];
      const inRegister = byPath(await loadTexts(ASSETS, language, register));
      const other = register === "formal" ? "informal" : "formal";
      const found = (texts: Map<string, string>, pattern: RegExp | undefined) =>
        [...texts].filter(([, text]) => pattern?.test(text));
      expect(found(inRegister, WORDS[language]?.[other])).toEqual([]);
      expect(found(textsOf(language), WORDS[language]?.[register])).toEqual([]);
      expect(found(inRegister, WORDS[language]?.[register]).length).toBeGreaterThan(20);
      // Each changed text addresses the reader. Those of Italian and Portuguese mostly avoid it.
      if (language !== "it" && language !== "pt-PT") {
        const unneeded = [...textsOf(file).keys()].filter(
          (key) => !WORDS[language]?.[other].test(textsOf(language).get(key) ?? ""),
        );
        expect(unneeded).toEqual([]);
      }
      // Without a register, and with that of its file, a language has the texts of its file.
      for (const own of [null, other] as const) {
        expect(byPath(await loadTexts(ASSETS, language, own))).toEqual(textsOf(language));
      }
    },
  );
});

test.each([
  ["{company}为您送上一份礼物。", "Acme", "Acme 为您送上一份礼物。"],
  ["来自{company}的赠言", "Acme", "来自 Acme 的赠言"],
  ["来自{company}的赠言", "腾讯", "来自腾讯的赠言"],
  ["{company}からの贈り物です。", "Acme", "Acmeからの贈り物です。"],
  ["From {company}", "Acme", "From Acme"],
])("%s with %s is %s", (text, company, filled) => {
  expect(fillText(text, { company })).toBe(filled);
  const parts = fill(text, { company: Name({ children: company }) });
  expect(parts.filter((part) => typeof part === "string").join("")).toBe(
    filled.replace(company, ""),
  );
});
