// Words and placeholders that programs write where they have no value.
import { withoutInvisible } from "./plain-text.ts";

/** The text of a missing value in a program, or of a cell in a spreadsheet. */
const NEVER =
  /^(?:undefined|none|n[./]a\.?|k\.a\.|#(?:n\/a|ref!|value!|name\?|null!|div\/0!|num!)|[(<[](?:null|none|nil|undefined|empty|n\/a)[)>\]]|[-–—_.]+)$/i;

/** They are also names of people. */
const SOMETIMES = /^(?:null|nan|na|nil)$/i;

const everyWord = (text: string, isWord: (word: string) => boolean) =>
  text.trim().split(/\s+/).every(isWord);

/** Whether the text means that there is no value. */
export const isNothing = (text: string): boolean =>
  everyWord(text, (word) => NEVER.test(word) || SOMETIMES.test(word));

/** A part of an address without characters that cannot be seen. NA is Naples, Nan is in Thailand, and None is near Turin. */
export function normalPart(given: string): string {
  const part = withoutInvisible(given);
  return isNothing(part) && !/^(?:None|NONE|N[Aa][Nn]?|Nil)$/.test(part) ? "" : part;
}

/** Whether a text is a name beside the other one: `Null` is a surname, in capitals if the other is. */
export function isWordOfName(text: string, other = "Ada"): boolean {
  if (!isNothing(text)) return true;
  const isBoth = (change: "toUpperCase" | "toLowerCase") =>
    [text, other].every((name) => name === name[change]());
  return (
    everyWord(text, (word) => SOMETIMES.test(word)) &&
    other !== "" &&
    !isNothing(other) &&
    (/^\p{Lu}\p{Ll}+(?:\s|$)/u.test(text) || isBoth("toUpperCase") || isBoth("toLowerCase"))
  );
}

/** What templates call the data of people: `first_name`, `recipient.firstName`, `Your Name`. */
const OWNER = String.raw`(?:first|last|full|given|family|middle|sur|fore|nick|user|display|recipient|customer|client|contact|employee|guest|receiver|sender|company|your|insert)(?:['’]s)?[ _.-]?`;
const NAME =
  "vorname|nachname|familienname|pr[eé]nom|cognome|sobrenome|voornaam|achternaam|お名前|氏名";
const FIELD = `(?:(?:${OWNER}){0,3}(?:name|[fl]_?name|first|last|recipient|company|${NAME}|nom|nombre|apellidos?|nome|naam|imi[eę]|nazwisko|имя|фамилия|名前|姓名|姓|名|이름|성명|اسم|الاسم|anrede|salutation)(?: here)?)`;

/** A word in the marks of templates, or a field in marks that other texts have too: `[Name]`, `«Vorname»`, `$name`. */
const PLACEHOLDER = new RegExp(
  String.raw`\{\{[^{}\n]{0,100}\}\}|\*\|[^|\n]{1,60}\|\*|[$#]\{[^{}\n]{1,60}\}|\{[%!][^{}\n]{1,80}\}|<%[^%\n]{1,80}%>|%%[\p{L}_][\p{L}\p{N}_ ]{0,40}%%|\{\d{1,2}\}|\[object Object\]|[«‹<[{%【]{1,2}\s?${FIELD}\s?[»›>\]}%】]|\$${FIELD}(?![\p{L}\p{N}])`,
  "iu",
);

/** The placeholder of a template that was not filled in, such as `{{first_name}}`. */
export const placeholderIn = (text: string): string | undefined => PLACEHOLDER.exec(text)?.[0];

/** What no name is or contains: a part of a template, a text in its marks, or what only templates call a name. */
const IN_MARKS = new RegExp(
  String.raw`\{\{|\}\}|\*\||\|\*|[$#]\{|<<|>>|\[\[|\]\]|%%|\{%|<%|^\{.*\}$|^%|^\[.*\]$|^<[^<>]*>$|^«.*»$|^‹.*›$|^【.*】$|^_.*_$|^[$@:#(]${FIELD}\)?$|^(?:(?:${OWNER}){1,3}name|[fl]name|${NAME})$`,
  "isu",
);

export const isPlaceholder = (name: string): boolean => IN_MARKS.test(name);
