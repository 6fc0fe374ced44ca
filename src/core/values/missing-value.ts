// Words and placeholders that programs write where they have no value.
import { inPlainLetters, withoutInvisible } from "./plain-text.ts";

/** Texts that programs and spreadsheets write for a missing value. */
const NEVER =
  /^(?:undefined|none|n\/a|n\.a|#(?:n\/a|ref!|value!|name\?|null!|div\/0!|num!)|[(<[](?:null|none|nil|undefined|empty|n\/a)[)>\]]|[-–—_.]+)$/i;

/** Texts for a missing value that are also names or initials of people. */
const SOMETIMES = /^(?:null|nan|na|nil|[nk]\.a\.)$/i;

const everyWord = (text: string, isWord: (word: string) => boolean) =>
  text.trim().split(/\s+/).every(isWord);

/** Whether the text is blank or means that there is no value. */
export const isMissingValue = (text: string): boolean =>
  everyWord(inPlainLetters(text), (word) => !word || NEVER.test(word) || SOMETIMES.test(word));

/** A part of an address without characters that cannot be seen. NA is Naples, Nan is in Thailand, and None is near Turin. */
export function normalPart(given: string): string {
  const part = withoutInvisible(given);
  return isMissingValue(part) && !/^(?:None|NONE|N[Aa][Nn]?|Nil)$/.test(part) ? "" : part;
}

/** Whether a text is a name beside the other one: `Null` is a surname, in capitals if the other is. */
export function isWordOfName(text: string, other = "Ada"): boolean {
  if (!isMissingValue(text)) return true;
  const isBoth = (change: "toUpperCase" | "toLowerCase") =>
    [text, other].every((name) => name === name[change]());
  return (
    everyWord(text, (word) => SOMETIMES.test(word)) &&
    other !== "" &&
    !isMissingValue(other) &&
    (/^\p{Lu}(?:\p{Ll}+|\.\p{Lu}\.)(?:\s|$)/u.test(text) ||
      isBoth("toUpperCase") ||
      isBoth("toLowerCase"))
  );
}

/** The names of people's data in templates: `first_name`, `recipient.firstName`, `Your Name`. */
const OWNER = String.raw`(?:first|last|full|given|family|middle|sur|fore|nick|user|display|recipient|customer|client|contact|employee|guest|receiver|sender|company|your|insert)(?:['’]s)?[ _.-]?`;
const NAME =
  "vorname|nachname|familienname|pr[eé]nom|cognome|sobrenome|voornaam|achternaam|f[oö]rnamn|fornavn|efternamn|etternavn|sukunimi|jméno|příjmení|soyad[ıi]?|お名前|氏名|名字";
const FIELD = `(?:(?:${OWNER}){0,3}(?:name|[fl]_?name|first|last|recipient|company|${NAME}|nom|nombre|apellidos?|nome|naam|imi[eę]|nazwisko|имя|фамилия|名前|姓名|姓|名|이름|성명|اسم|الاسم|anrede|salutation)(?: here)?)`;

/** A blank for a person to fill in, such as `[Your Name]` or `[Name des Empfängers]`. */
const BLANK = String.raw`\[(?:(?:[\p{L}'’ ]{0,25} )?(?:name|nom|nombre|nome|naam|имя|اسم|${NAME})(?: [\p{L}'’ ]{0,30})?|\p{L}{0,8}(?:名前|氏名|姓名|名字))\]`;

/** A greeting with a word that programs write for a missing value. */
const GREETING = /^\s*\S+\s+(?:undefined|null|NULL|NaN)\s*(?:[,!:\n]|$)/;

/** A word in the marks of templates, or a field in marks that other texts have too: `[Name]`, `«Vorname»`, `$name`. */
const PLACEHOLDER = new RegExp(
  String.raw`\{\{[^{}\n]{0,100}\}\}|\*\|[^|\n]{1,60}\|\*|[$#]\{[^{}\n]{1,60}\}|\{[%!][^{}\n]{1,80}\}|<%[^%\n]{1,80}%>|%%[\p{L}_][\p{L}\p{N}_ ]{0,40}%%|\{\d{1,2}\}|\[object Object\]|(?:[«‹<[{%【≪《〈]|&(?:lt|laquo|lsaquo);){1,2}\s?${FIELD}\s?[»›>\]}%】≫》〉&]|\$${FIELD}(?![\p{L}\p{N}])|${BLANK}`,
  "iu",
);

/** The placeholder of a template that was not filled in, such as `{{first_name}}` or `Dear undefined,`. */
export const placeholderIn = (text: string): string | undefined =>
  (PLACEHOLDER.exec(text) ?? GREETING.exec(text))?.[0];

/** The marks of templates, a text between them, and names of fields. A person's name contains and equals none of these. */
const MARKS =
  /\{\{|\}\}|\*\||\|\*|[$#]\{|<<|>>|\[\[|\]\]|%%|\{%|<%|^%|^[{[«‹【_].*[}\]»›】_]$|^<[^<>]*>$/su;
const FIELD_NAME = new RegExp(
  String.raw`^(?:[^\p{L}\p{M}\p{N}\s]+${FIELD}[^\p{L}\p{M}\p{N}\s]*|(?:${OWNER}){1,3}name|[fl]name|${NAME})$`,
  "iu",
);

export const isPlaceholder = (name: string): boolean =>
  MARKS.test(name) || FIELD_NAME.test(name) || PLACEHOLDER.test(name);
